// SPDX-License-Identifier: Apache-2.0
// Accesses that ptxas joined and parted again: each part is told from the first one's line.
#include "emulator/sass_split.h"

#include <gtest/gtest.h>

namespace lockstep::emulator {
namespace {

// One block, of PTX as of SASS: loads of 4 bytes from shared memory; all SASS has the first's line.
struct Joined {
  KernelProfile profile;
  SassMap map;

  Joined(int loads, const std::vector<int>& widths) {
    for (int p = 0; p < loads; ++p) {
      InstructionProfile ptx;
      ptx.op = OpClass::kSharedLoad;
      ptx.opcode = "ld.shared.f32";
      profile.instructions.push_back(ptx);
    }
    profile.blocks.resize(1);
    profile.blocks[0].last = loads;
    map.sass.resize(size_t(loads));
    for (int i = 0; i < int(widths.size()); ++i) {
      SassInstruction sass;
      sass.kind = SassKind::kSharedLoad;
      sass.bytes = uint8_t(widths[size_t(i)]);
      map.graph.code.push_back(sass);
      map.sass[0].push_back(i);
    }
    map.ptx.assign(widths.size(), 0);
    map.graph.block_of.assign(widths.size(), 0);
    map.graph.blocks.resize(1);
    map.cold = {false};
    map.ptx_depth = {0};
    tell_parts_apart(profile, &map);
  }
};

TEST(SassSplit, PartsOfTheSameWidthGoOneToEachAccess) {
  const Joined j(3, {4, 4, 4});
  EXPECT_EQ(j.map.ptx, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(j.map.sass[0], std::vector<int>{0});
  EXPECT_EQ(j.map.sass[2], std::vector<int>{2});
  EXPECT_FALSE(j.map.parted[0]);
}

TEST(SassSplit, PartsOfOtherWidthsAreNoted) {
  const Joined j(3, {8, 4});
  EXPECT_EQ(j.map.ptx, (std::vector<int>{0, 0}));
  EXPECT_TRUE(j.map.parted[0]);
}

TEST(SassSplit, CopiesThatAreAsWideAsAllAreLeftAlone) {
  const Joined wide(2, {8}), unrolled(2, {8, 8}), removed(3, {4, 4});
  for (const Joined* j : {&wide, &unrolled, &removed}) {
    EXPECT_EQ(j->map.ptx.back(), 0);
    EXPECT_FALSE(j->map.parted[0]);
  }
}

// SASS loads off one address register, of one PTX load of 16 bytes in a loop: (register, offset).
std::vector<bool> continues(const std::vector<std::pair<int, int>>& addresses, int bytes) {
  KernelProfile profile;
  profile.instructions.resize(1);
  profile.instructions[0].op = OpClass::kGlobalLoad;
  profile.instructions[0].opcode = "ld.global.v4.f32";
  profile.blocks.resize(1);
  profile.blocks[0].last = 1;
  SassMap map;
  map.sass.resize(1);
  for (const auto& [base, offset] : addresses) {
    SassInstruction sass;
    sass.kind = SassKind::kGlobalLoad;
    sass.bytes = uint8_t(bytes);
    sass.base = uint8_t(base);
    sass.offset = offset;
    map.sass[0].push_back(int(map.graph.code.size()));
    map.graph.code.push_back(sass);
  }
  map.ptx.assign(addresses.size(), 0);
  map.graph.block_of.assign(addresses.size(), 0);
  map.graph.blocks.resize(1);
  map.cold = {false};
  map.ptx_depth = {1};
  tell_parts_apart(profile, &map);
  return map.continues;
}

TEST(SassSplit, NarrowAccessesBesideEachOtherArePartsOfOne) {
  EXPECT_EQ(continues({{4, 0}, {4, 12}}, 4), (std::vector<bool>{false, true}));
  EXPECT_EQ(continues({{4, -8}, {4, -4}, {4, 4}}, 4), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(continues({{4, 0}, {4, 8}}, 8), (std::vector<bool>{false, true}));
}

TEST(SassSplit, PartsOfTheNextTurnAreNot) {
  EXPECT_EQ(continues({{4, 0}, {4, 12}, {4, 16}, {4, 28}}, 4),
            (std::vector<bool>{false, true, false, true}));
  EXPECT_EQ(continues({{4, 0}, {4, 0}, {4, 12}, {4, 12}}, 4),
            (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(continues({{4, 0}, {6, 12}}, 4), (std::vector<bool>{false, false}));
  EXPECT_EQ(continues({{4, 0}, {4, 16}}, 16), (std::vector<bool>{false, false}));
}

}  // namespace
}  // namespace lockstep::emulator
