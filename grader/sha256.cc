// SPDX-License-Identifier: Apache-2.0
// The round constants are the first 32 bits of the fractional parts of cube roots of primes, the
// start values those of square roots; both are computed here instead of typed.
#include "grader/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace lockstep::grader {
namespace {

struct Constants {
  std::array<uint32_t, 64> k;
  std::array<uint32_t, 8> start;
};

// The first 32 bits of root's fraction: the root is found exactly, in integers, by bisection.
uint32_t fraction_of_root(uint64_t prime, int degree) {
  // Largest r with r^degree <= prime * 2^(32 * degree); its low 32 bits are the fraction.
  uint64_t low = 0, high = uint64_t{1} << 37;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    unsigned __int128 square = static_cast<unsigned __int128>(middle) * middle;
    bool fits;
    if (degree == 2) {
      fits = square <= static_cast<unsigned __int128>(prime) << 64;
    } else {
      // middle^3 <= prime * 2^96, compared as middle^2 <= floor(prime * 2^96 / middle)
      unsigned __int128 bound = middle == 0
                                    ? ~static_cast<unsigned __int128>(0)
                                    : (static_cast<unsigned __int128>(prime) << 96) / middle;
      fits = square <= bound;
    }
    (fits ? low : high) = middle;
  }
  return static_cast<uint32_t>(low);
}

Constants make_constants() {
  Constants c{};
  size_t found = 0;
  for (uint64_t n = 2; found < 64; ++n) {
    bool prime = true;
    for (uint64_t d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    c.k[found] = fraction_of_root(n, 3);
    if (found < 8) c.start[found] = fraction_of_root(n, 2);
    ++found;
  }
  return c;
}

void add_block(const uint8_t* block, const Constants& c, std::array<uint32_t, 8>* state) {
  std::array<uint32_t, 64> w;
  for (size_t i = 0; i < 16; ++i)
    w[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 |
           uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  for (size_t i = 16; i < 64; ++i) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  std::array<uint32_t, 8> s = *state;
  for (size_t i = 0; i < 64; ++i) {
    uint32_t big1 = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t t1 = s[7] + big1 + choose + c.k[i] + w[i];
    uint32_t big0 = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    s = {t1 + big0 + majority, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (size_t i = 0; i < 8; ++i) (*state)[i] += s[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants kConstants = make_constants();
  std::array<uint32_t, 8> state = kConstants.start;
  std::string padded(bytes);
  padded.push_back(static_cast<char>(0x80));
  while (padded.size() % 64 != 56) padded.push_back(0);
  uint64_t bits = uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8)
    padded.push_back(static_cast<char>(bits >> shift & 0xff));
  for (size_t at = 0; at < padded.size(); at += 64)
    add_block(reinterpret_cast<const uint8_t*>(padded.data()) + at, kConstants, &state);
  std::string hex;
  for (uint32_t word : state) {
    char text[9];
    std::snprintf(text, sizeof text, "%08x", word);
    hex += text;
  }
  return hex;
}

}  // namespace lockstep::grader
