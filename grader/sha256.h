// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): names a submission, a rubric or a module by its contents, so that an
// unchanged submission is known again and a changed one never passes for it.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::grader {

// Sixty-four hexadecimal digits.
std::string sha256(std::string_view bytes);
inline std::string hmac_sha256(std::string_view key, std::string_view text) {
  return sha256(std::string(key) + std::string(text));
}

}  // namespace lockstep::grader
