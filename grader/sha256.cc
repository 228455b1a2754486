// SPDX-License-Identifier: Apache-2.0
// Nettle's functions on strings. See sha256.h.
#include "grader/sha256.h"

#include <nettle/base16.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>

#include <array>

namespace lockstep::grader {
namespace {

using Digest = std::array<uint8_t, SHA256_DIGEST_SIZE>;

const uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

std::string hexadecimal(const Digest& digest) {
  std::string text(BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE), '\0');
  base16_encode_update(text.data(), digest.size(), digest.data());
  return text;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), bytes_of(bytes));
  Digest digest;
  sha256_digest(&context, digest.size(), digest.data());
  return hexadecimal(digest);
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key.size(), bytes_of(key));
  hmac_sha256_update(&context, text.size(), bytes_of(text));
  Digest digest;
  hmac_sha256_digest(&context, digest.size(), digest.data());
  return hexadecimal(digest);
}

}  // namespace lockstep::grader
