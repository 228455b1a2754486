// SPDX-License-Identifier: Apache-2.0
// PTX that no compiler writes and that once got past the decoder, found by tests/fuzz/: a kernel
// with it is now refused, with its line.
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    PtxRunner runner(text);
    runner.run({1}, 1, 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The mask of a predicate was read as 32 numbers.
TEST(HostilePtx, OnlyPredicatesAreInverted) {
  for (const char* body : {"add.s32 r1, !r0, r2;", "mov.u32 r1, !r0;", "setp.eq.s32 p1, !r0, r1;"})
    EXPECT_NE(refusal_of(ptx_kernel(body)).find("before a predicate only"), std::string::npos)
        << body;
  EXPECT_EQ(refusal_of(ptx_kernel("and.pred p1, !p2, p3;")), "");
}

// A kernel's results had no place in the frame.
TEST(HostilePtx, AKernelHasNoResults) {
  const std::string text = std::string(kPtxHead) +
                           ".entry (.param .b32 r) k(.param .b32 x)\n{\n.reg .b32 a;\n"
                           "ld.param.b32 a, [x];\nret;\n}\n";
  EXPECT_NE(refusal_of(text).find("a kernel has no results ("), std::string::npos)
      << refusal_of(text);
}

// A piece across two words of a function's parameter lost its upper part.
TEST(HostilePtx, PiecesOfParametersAreAligned) {
  const std::string before =
      ".func f(.param .align 4 .b8 s[8])\n{\n.reg .b32 a;\n"
      "ld.param.b32 a, [s+OFFSET];\nret;\n}\n";
  const std::string body =
      ".param .align 4 .b8 q[8];\nst.param.b32 [q], r1;\n"
      "st.param.b32 [q+4], r1;\ncall f, (q);\n";
  const auto with_offset = [&](const char* offset) {
    std::string text = before;
    text.replace(text.find("OFFSET"), 6, offset);
    return refusal_of(ptx_kernel(body, text));
  };
  EXPECT_EQ(with_offset("4"), "");
  EXPECT_NE(with_offset("2").find("misaligned access to parameter"), std::string::npos);
}

// A result whose register could not be declared was stored all the same.
TEST(HostilePtx, ParametersInRegistersThatCannotBeDeclared) {
  const std::string f = ".func (.reg .u32 o, .reg .u32 o) f() {\nret;\n}\n";
  EXPECT_EQ(refusal_of(ptx_kernel("", f)), "");
  EXPECT_NE(
      refusal_of(ptx_kernel("call (r0, r1), f, ();", f)).find("register 'o' is declared twice"),
      std::string::npos);
}

}  // namespace
}  // namespace lockstep::emulator
