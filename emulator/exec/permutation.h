// SPDX-License-Identifier: Apache-2.0
// An order of n things, drawn from a key: the i-th is (a i + b) mod n, with a prime to n. Needs no
// table, however large the grid; of any two things each comes first for about half of all keys.
#pragma once

#include <cstdint>
#include <numeric>

namespace lockstep::emulator {

// Neighbours in, unrelated numbers out (splitmix64's finisher).
inline uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

class Permutation {
 public:
  // n: at least 1. Key 0: the order is ascending, from this one on.
  Permutation(uint64_t n, uint64_t key, uint64_t first = 0) : n_(n), first_(first % n) {
    if (key == 0) return;
    first_ = mix(key) % n;
    step_ = mix(key + 0x9e3779b97f4a7c15) % n;
    while (std::gcd(step_, n) != 1) ++step_;
  }
  uint64_t operator[](uint64_t i) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((static_cast<Wide>(step_) * i + first_) % n_);
  }

 private:
  uint64_t n_, first_, step_ = 1;
};

}  // namespace lockstep::emulator
