// SPDX-License-Identifier: Apache-2.0
// The PTX front end: what it reads, and that broken or unsupported text is refused with its line.
#include "emulator/ptx/parser.h"

#include <gtest/gtest.h>

#include "common/base/error.h"
#include "emulator/ptx/lexer.h"
#include "tests/emulator/ptx_runner.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

// Of loading, or of launching a kernel.
std::string error_of(const std::string& text) {
  try {
    PtxRunner runner(text);
    for (const KernelInfo& kernel : runner.backend().kernels())
      runner.backend().launch({kernel.mangled, {1}, {1}, 0, {}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LexerTest, ReadsNumbersAsPtxWritesThem) {
  Lexer lexer(
      "12 0x1F 017 0b101 0f3F800000 0d3FF0000000000000 1.5 2e3 7U %r12 ld.global.v4.f32 "
      ".shared::cta a: // end\n/* b\n */ \"s\\\"t\" $L_1",
      "x");
  const uint64_t expected[] = {
      12, 31, 15, 5, 0x3f800000, 0x3ff0000000000000, 0x3ff8000000000000, 0x409f400000000000, 7};
  for (uint64_t value : expected) EXPECT_EQ(lexer.next().bits, value);
  for (const char* word : {"%r12", "ld.global.v4.f32", ".shared::cta", "a"})
    EXPECT_EQ(lexer.next().text, word);
  EXPECT_TRUE(lexer.next().is(':'));
  const Token string = lexer.next();
  EXPECT_EQ(string.text, "s\\\"t");
  EXPECT_EQ(string.line, 3);
  EXPECT_EQ(lexer.next().text, "$L_1");
  EXPECT_EQ(lexer.next().kind, TokenKind::kEnd);
}

TEST(ParserTest, InnerScopesHideRegisters) {
  const std::string body =
      "mov.u32 r0, 5;\n{ .reg .b32 r0; mov.u32 r0, 9; { .reg .b32 q<3>; "
      "mov.u32 q2, r0; add.u32 %n, q2, 1; } }\nadd.u32 r0, r0, %n;\n";
  PtxRunner runner(ptx_kernel(body + store_result("r0")));
  EXPECT_EQ(runner.run({}, 1, 1).at(0), 15u);
}

TEST(ParserTest, ErrorsNameFileAndLine) {
  const std::string head = kPtxHead;
  const std::string use_of_x = ".entry k() { .reg .b64 a; mov.u64 a, x; ret; }";
  const std::pair<std::string, std::string> cases[] = {
      {"garbage", "expected .version"},
      {head + ".visible .entry k() { mov.u32 %r1, 1; }", ".ptx:4)"},
      {head + ".visible .entry k()\n{\n.reg .b32 a;\nmov.u32 a, b;\n}\n",
       "'mov.u32': 'b' is not declared ("},
      {head + ".visible .entry k()\n{\n.reg .b64 a;\nadd.u32 a, a, a;\n}\n", ".ptx:7)"},
      {head + ".visible .entry k()\n{\nbra L;\n}\n", "label 'L' is not defined ("},
      {head + ".visible .entry k()\n{\nret", "the text is cut short"},
      {head + ".visible .entry k()\n{\nret;\n", "is not closed"},
      {head + ".global .u32 x[3] = {1, 2, 3, 4};" + use_of_x, "more initial values"},
      {head + ".global .b8 x[99999999999];" + use_of_x, "larger than 1 GiB"},
      {head + ".visible .entry k()\n{\n.reg .b32 r<99999999>;\nret;\n}\n", "registers"},
      {head + "\x01", "unexpected byte"},
      {head + ".section .x { ", "cut short"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string error = error_of(text);
    EXPECT_NE(error.find(expected), std::string::npos) << expected << " in " << error;
    EXPECT_NE(error.find(".ptx:"), std::string::npos) << error;
    EXPECT_EQ(error.find('/'), std::string::npos) << error;  // no folder
  }
}

TEST(ParserTest, EveryTruncationIsAnErrorAndNoCrash) {
  const std::string whole = file_bytes(test_module("h200/kernels", ".ptx"));
  if (whole.empty()) GTEST_SKIP() << "no CUDA toolkit";
  const std::string text = whole.substr(0, whole.find(".visible .entry k_copy4"));
  for (size_t size = 0; size < text.size(); size += 7) {
    try {
      parse_ptx(text.substr(0, size));
    } catch (const Error&) {
    }
  }
}

TEST(UnsupportedTest, LaterFamiliesAreRefusedWithLineAndWord) {
  const char* kInstructions[] = {
      "wmma.load.a.sync.aligned.row.m16n16k16.f16 {r0, r1, r2, r3}, [%in];",
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {f0,f1,f2,f3}, {r0,r1,r2,r3}, {r4,r5}, "
      "{f0,f1,f2,f3};",
      "cp.async.bulk.global.shared::cta.bulk_group [%out], [r0], 16;",
      "mbarrier.init.shared.b64 [r0], 32;",
      "tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [%in, {f0, f1}];",
      "barrier.cluster.arrive;",
      "mapa.shared::cluster.u32 r0, r1, 0;",
      "griddepcontrol.wait;",
      "wgmma.fence.sync.aligned;",
      "frobnicate.u32 r0, r1;",
  };
  for (const char* instruction : kInstructions) {
    std::string message;
    EXPECT_EQ(fault_of(ptx_kernel(instruction), 32, {}, &message), "unsupported") << instruction;
    EXPECT_NE(message.find("unsupported"), std::string::npos) << message;
    EXPECT_NE(message.find(".ptx:23)"), std::string::npos) << message;
    EXPECT_EQ(message.find('/'), std::string::npos) << message;  // no folder
  }
}

TEST(ModuleTest, AVariableThatIsNotUnderstoodIsNoted) {
  const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
  auto lost = [&](const std::string& text) {
    return parse_ptx(head + text, "x").lost_variable.line;
  };
  EXPECT_EQ(lost(".global .align 3 .b8 a[100];\n"), 4);
  EXPECT_EQ(lost(".visible .frob .b8 a[100];\n"), 4);
  EXPECT_EQ(lost(".entry k() {\n .const .frob a[100];\n ret;\n}\n"), 5);
  EXPECT_EQ(lost(".entry k() {\n frob { .global .b8 a[100]; }\n ret;\n}\n"), 0)
      << "a block: understood";
  EXPECT_EQ(lost(".global .align 2147483648 .b8 a[100];\n.entry k() {\n frob %r1;\n ret;\n}\n"), 0);
}

TEST(LaunchTest, WrongLaunchesAreErrors) {
  PtxRunner runner(ptx_kernel(""));
  Backend& backend = runner.backend();
  const BufferId b = backend.allocate({"b", 64});
  Launch good;
  good.kernel = "k";
  good.arguments = {Argument::of_buffer(b), Argument::of_buffer(b), Argument::of<int>(1)};
  EXPECT_NO_THROW(backend.launch(good));
  Launch bad = good;
  bad.kernel = "no";
  EXPECT_THROW(backend.launch(bad), Error);
  bad = good;
  bad.arguments.pop_back();
  EXPECT_THROW(backend.launch(bad), Error);
  bad = good;
  bad.arguments[2] = Argument::of<double>(1);
  EXPECT_THROW(backend.launch(bad), Error);
  bad = good;
  bad.block.x = 1025;
  EXPECT_THROW(backend.launch(bad), Error);
  bad = good;
  bad.grid.y = 0;
  EXPECT_THROW(backend.launch(bad), Error);
  bad = good;
  bad.dynamic_shared_bytes = 1 << 20;
  EXPECT_THROW(backend.launch(bad), Error);
}

}  // namespace
}  // namespace lockstep::emulator
