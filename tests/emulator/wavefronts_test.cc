// SPDX-License-Identifier: Apache-2.0
// Wavefronts of wide accesses to shared memory are those that a card counted, pattern by pattern:
// tests/data/h200_wavefronts/wave.cu draws lanes and addresses from a number.
#include "emulator/count/wavefronts.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::emulator {
namespace {

#define __device__
#include "tests/data/h200_wavefronts/patterns.h"

uint32_t counted(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

TEST(WideSharedAccesses, TakeTheWavefrontsThatACardCounted) {
  std::ifstream table("tests/data/h200_wavefronts/counts.txt");
  std::string name, counts;
  size_t patterns = 0;
  while (table >> name >> counts) {
    const uint32_t bytes = name.ends_with("16") ? 16 : 8;
    for (unsigned n = 0; n < counts.size(); n++, patterns++) {
      uint64_t address[32];
      uint32_t lanes = 0;
      for (unsigned lane = 0; lane < 32; lane++) {
        address[lane] = uint64_t{place(n, lane)} * bytes;
        lanes |= active(n, lane) ? 1u << lane : 0;
      }
      const bool load = name.starts_with("load");
      const uint32_t ours = lanes == 0 ? 0 : shared_wavefronts(address, lanes, bytes, load).count;
      EXPECT_EQ(ours, counted(counts[n])) << name << " " << n;
    }
  }
  EXPECT_EQ(patterns, 5120u);
}

}  // namespace
}  // namespace lockstep::emulator
