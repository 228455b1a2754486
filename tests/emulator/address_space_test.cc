// SPDX-License-Identifier: Apache-2.0
// Device addresses are like a card's, differ from one address space to the next, and tell which
// array was meant.
#include "emulator/memory/address_space.h"

#include <set>

#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

bool is_like_a_cards(uint64_t address) { return address >> 40 == 0x7e || address >> 40 == 0x7f; }

TEST(AddressSpace, BuffersLieAsOnACard) {
  AddressSpace space;
  uint64_t lowest = ~uint64_t{0}, highest = 0;
  for (const uint64_t bytes : {4u, 700u, 1u << 20, 5u << 20, 4u}) {
    const Allocation* a = space.allocate("a", bytes, false);
    EXPECT_TRUE(is_like_a_cards(a->begin)) << std::hex << a->begin;
    EXPECT_EQ(a->begin % (bytes < 2 << 20 ? 512 : 2 << 20), 0u);
    lowest = std::min(lowest, a->begin);
    highest = std::max(highest, a->begin);
  }
  EXPECT_LT(highest - lowest, uint64_t{1} << 30);
  EXPECT_TRUE(is_like_a_cards(first_window()));
}

TEST(AddressSpace, NoTwoAreAlike) {
  std::set<uint64_t> seen;
  for (int i = 0; i < 20; ++i) seen.insert(AddressSpace().allocate("a", 4096, false)->begin);
  EXPECT_GT(seen.size(), 10u);
}

TEST(AddressSpace, WhatIsBesideABufferStillNamesIt) {
  AddressSpace space;
  Allocation* a = space.allocate("a", 100 << 20, false);
  Allocation* b = space.allocate("b", 64, false);
  for (const Allocation* x : {a, b}) {
    const uint64_t far = 512;  // at least
    for (const uint64_t address :
         {x->begin - far, x->begin - 1, x->begin, x->end, x->end + far - 1})
      EXPECT_EQ(space.owner(address), x) << x->name;
  }
  EXPECT_EQ(space.owner(0), nullptr);
  EXPECT_EQ(space.owner(first_window()), nullptr);
  const uint64_t begin = b->begin;
  space.release(b);
  EXPECT_EQ(space.owner(begin), nullptr);
  EXPECT_NE(space.owner(space.allocate("c", 64, false)->begin), nullptr);
}

// As far apart as on a card, now and then, and as far as no access goes by mistake.
TEST(AddressSpace, DistancesAreDrawn) {
  int near = 0, far = 0;
  for (int i = 0; i < 40; ++i) {
    AddressSpace space;
    const uint64_t a = space.allocate("a", 4096, false)->begin;
    const uint64_t b = space.allocate("b", 4096, false)->begin;
    const uint64_t apart = a > b ? a - b : b - a;
    near += apart <= 8 << 20;
    far += apart >= 16 << 20;
  }
  EXPECT_GT(near, 0);
  EXPECT_GT(far, 0);
}

TEST(AddressSpace, OneTooManyIsAnError) {
  AddressSpace space;
  EXPECT_THROW(space.allocate("a", uint64_t{9} << 30, false), Error);
}

// The upper halves of pointers to shared, local and global memory, and a shared variable's place.
TEST(AddressSpace, KernelsSeeNothingElse) {
  const std::string shared =
      ".shared .align 4 .u32 s[4];\nmov.u64 d0, s;\ncvta.shared.u64 d1, d0;\n";
  const std::string local = ".local .align 4 .b8 a[16];\nmov.u64 d0, a;\ncvta.local.u64 d1, d0;\n";
  const std::string top = "shr.u64 d1, d1, 40;\ncvt.u32.u64 r1, d1;\n" + store_result("r1");
  for (const std::string& body : {shared, local, std::string("mov.u64 d1, %in;\n")}) {
    const uint32_t bits = PtxRunner(ptx_kernel(body + top)).run({1}, 1, 32)[0];
    EXPECT_TRUE(bits == 0x7e || bits == 0x7f) << body;
  }
  EXPECT_EQ(PtxRunner(ptx_kernel(shared + "cvta.to.shared.u64 d2, d1;\ncvt.u32.u64 r1, d2;\n" +
                                 store_result("r1")))
                .run({}, 1, 32)[0],
            kSharedFirst);
}

TEST(AddressSpace, AnAddressFarBesideSharedMemoryIsNotInIt) {
  std::string message;
  for (const char* bits : {"0", "1020", "33555456", "4294967292", "2147484672"}) {
    const std::string kernel = ptx_kernel(
        ".shared .align 4 .u32 s[64];\nmov.u32 r0, s;\nst.shared.u32 [r0], 1;\n"
        "mov.u32 r1, " +
        std::string(bits) + ";\nst.shared.u32 [r1], 1;\n");
    EXPECT_EQ(fault_of(kernel, 32, {}, &message), "out_of_bounds") << bits;
  }
  EXPECT_EQ(fault_of(ptx_kernel(".shared .align 4 .u32 s[64];\nmov.u64 d0, s;\n"
                                "cvta.shared.u64 d0, d0;\nst.u32 [d0+-4], %t;\n"),
                     32, {}, &message),
            "out_of_bounds");
  EXPECT_NE(message.find("4 bytes before the start of shared memory"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace lockstep::emulator
