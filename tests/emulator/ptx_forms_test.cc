// SPDX-License-Identifier: Apache-2.0
// Forms of PTX that no compiler writes and ptxas accepts (13.0, each was tried): they are read as
// what they mean.
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "emulator/ptx/parser.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

// What thread 0 stores from r0 after the body.
uint32_t value_of(const std::string& body, const std::string& before = "") {
  PtxRunner runner(ptx_kernel(body + store_result("r0"), before));
  return runner.run({11, 22, 33, 44}, 1, 1).at(0);
}

TEST(PtxForms, BlanksAndCommentsMayStandBetweenTokens) {
  EXPECT_EQ(value_of(".reg.u32 x; mov .u32 x, 5; add/*c*/.u32 r0, x,x;"), 10u);
  EXPECT_EQ(value_of("{ld .global\n.u32 r0, [ %in + 4 ];}"), 22u);
  EXPECT_EQ(value_of("setp.eq.u32 p1, %t, 0; @ p1 mov.u32 r0, 3; @ ! p1 mov.u32 r0, 4;"), 3u);
  PtxRunner runner(std::string(kPtxHead) +
                   ".visible.entry k(.param.u64 a,.param.u64.ptr.global.align 16 b,.param.u32 c)"
                   ".maxntid 64{.reg.u64 x;.reg.u32 y;ld.param.u64 x,[a];ld.param.u32 y,[c];"
                   "st.global.u32 [x],y;ret;}");
  EXPECT_EQ(runner.run({}, 1, 1, 7).at(0), 7u);
}

TEST(PtxForms, ConstantExpressionsAreThoseOfC) {
  const std::pair<const char*, uint32_t> cases[] = {
      {"1+2*3", 7},        {"(1+2)*3", 9}, {"1<<4", 16},   {"256>>2", 64},     {"-(5)+6", 1},
      {"- -5", 5},         {"~5&7", 2},    {"!0", 1},      {"5>3 ? 1 : 2", 1}, {"5^3|8", 14},
      {"1&&0", 0},         {"1||0", 1},    {"-1 > 1U", 1}, {"-1 > 1", 0},      {"(.u64)-1 > 0", 1},
      {"WARP_SZ*2-1", 63}, {"9/2", 4},     {"-9/2+5", 1},  {"0x10", 16},       {"017", 15},
      {"0B11", 3},         {"3 != 4", 1},  {"3<=2", 0},    {"+5", 5},
  };
  for (const auto& [expression, value] : cases)
    EXPECT_EQ(value_of(std::string("mov.u32 r0, ") + expression + ";"), value) << expression;
  EXPECT_EQ(number(value_of("mov.f32 f0, 1.5+2.5*2.0; mov.b32 r0, f0;")), 6.5f);
  EXPECT_EQ(number(value_of("mov.f32 f0, .5; add.f32 f0, f0, 1.; mov.b32 r0, f0;")), 1.5f);
}

TEST(PtxForms, SymbolsHaveOffsetsAndIndices) {
  const std::string x = ".global .u32 a = 3, x[4] = {1, 1<<1, -(-3), 4}, c = 5;\n";
  EXPECT_EQ(value_of("mov.u64 d0, x+4*2; ld.global.u32 r0, [d0];", x), 3u);
  EXPECT_EQ(value_of("mov.u64 d0, x[3]; ld.global.u32 r0, [d0+-4];", x), 3u);
  EXPECT_EQ(value_of("ld.global.u32 r0, x[3];", x), 4u);
  EXPECT_EQ(value_of("ld.global.u32 r0, [x+(1+1)*2];", x), 2u);
  EXPECT_EQ(value_of("ld.global.u32 r0, [c];", x), 5u);
  EXPECT_EQ(value_of("{ .global .u32 a = 9; ld.global.u32 r0, [a]; }", x), 9u);
  EXPECT_EQ(value_of("{ .global.align 8 .u32 g[2] = {1, 8}; ld.global.u32 r0, [g+4]; }"), 8u);
}

TEST(PtxForms, VectorsOfRegisters) {
  EXPECT_EQ(value_of(".reg .v4 .u32 v; ld.global.v4.u32 v, [%in]; add.u32 r0, v.y, v.a;"), 66u);
  EXPECT_EQ(value_of(".reg .v2 .u32 v<3>; ld.global.v2.u32 v1, [%in]; mov.u32 r0, v1.x;"), 11u);
  // All elements are read before any is written.
  EXPECT_EQ(value_of(".reg .v2 .b32 v, w; mov.v2.b32 v, {5, 6}; mov.v2.b32 {v.x, v.y}, {v.y, v.x};"
                     "mov.v2.b32 w, v; mad.lo.u32 r0, w.x, 10, w.y;"),
            65u);
  EXPECT_EQ(value_of(".reg .v2 .b32 v; mov.b64 v, 0x700000005; mov.b64 d0, v;"
                     "mov.b64 {_, r0}, d0;"),
            7u);
  EXPECT_EQ(value_of(".reg .v4 .u32 v; mov.v4.u32 v, %ntid; mov.u32 r0, v.x;"
                     "mov.u16 h0, %ntid.x; cvt.u32.u16 r1, h0; add.u32 r0, r0, r1;"
                     "add.u32 r0, r0, v.w;"),
            2u);
}

TEST(PtxForms, ArgumentsAndResultsInRegisters) {
  const std::string f =
      ".func (.reg .u32 o, .reg .u64 q) f(.reg .u32 a, .reg .u32 b) {\n.reg .pred p;\n"
      "L: add.u32 a, a, b; setp.lt.u32 p, a, 100; @p bra L;\n"
      "mov.u32 o, a; mov.u64 q, 5; setp.lt.u32 p, b, 8; @p ret; add.u32 o, o, 1000; }\n";
  EXPECT_EQ(value_of("mov.u32 r1, 3; call (r0, d0), f, (r1, 3+4);", f), 101u);
  EXPECT_EQ(value_of("mov.u32 r1, 3; call (r0, d0), f, (r1, 9);", f), 1102u);
  EXPECT_EQ(value_of("mov.u32 r1, 3; call (_, d0), f, (r1, 9); cvt.u32.u64 r0, d0;", f), 5u);
  EXPECT_EQ(value_of("mov.u32 r0, 1; setp.eq.u32 p1, %t, 1; @p1 call (r0, d0), f, (r0, 9);", f),
            1u);
  const std::string memory =
      ".func (.param .u32 o) g(.param .u32 a) {\n.reg .u32 x; ld.param.u32 x, [a];\n"
      "add.u32 x, x, 1; st.param.u32 [o], x; ret; }\n";
  EXPECT_EQ(value_of("call (r0), g, (6);", memory), 7u);
  EXPECT_EQ(value_of("pr: .callprototype (.param .u32 _) _ (.param .u32 _);\nmov.u64 d0, g;\n"
                     "mov.u32 r1, 8; call (r0), d0, (r1), pr;",
                     memory),
            9u);
}

TEST(PtxForms, NumberedVariablesAliasesAndLineMarkers) {
  EXPECT_EQ(value_of(".local .b32 x<4>; st.local.b32 [x2], 6; ld.local.b32 r0, [x2];"), 6u);
  EXPECT_EQ(value_of("call (r0), h, ();",
                     ".visible .func (.reg .u32 o) g() { mov.u32 o, 8; ret; }\n"
                     ".visible .func (.reg .u32 o) h();\n.alias h, g;\n"),
            8u);
  const Module module = parse_ptx(std::string(kPtxHead) + ".entry k() {\n# 100 \"x\"\nret;\nret;}");
  EXPECT_EQ(module.functions.at(0).code.at(1).line, 101);  // as in ptxas's line table
}

std::vector<std::string> opcodes_of(const Module& module) {
  std::vector<std::string> all;
  for (const Function& f : module.functions)
    for (const Instruction& in : f.code) all.emplace_back(in.opcode);
  return all;
}

TEST(PtxForms, NoOperationIsLost) {
  const std::string texts[] = {
      ".entry k() { .global .u32 g; { cp.async.wait_all; } { .weird x; ld.const.u32 r, [q]; } }",
      ".entry k() { .weird { cp .async .wait_all; } ld.const.u32 r, [q]; }",
      ".entry k() { .weird 5 cp.async.wait_all ; @q ld.const.u32 r, [q]; }",
      ".entry k() { add.u32 r, ; A: cp.async.wait_all; foo ? ld.const.u32 : ld.const.u32; }",
      ".entry k() .weird 5 { cp.async.wait_all; @!p ld.const.u32 r, {a b}, [}; }",
      ".weird .entry k() { cp.async.wait_all; ld.const.u32 r, [q]; }",
      ".weird w { cp.async.wait_all; { ld.const.u32 r; } }",
      "cp.async.wait_all; .func f(.weird) { ld.const.u32 r; }",
  };
  for (const std::string& text : texts) {
    const std::vector<std::string> all = opcodes_of(parse_ptx(kPtxHead + text));
    for (const char* wanted : {"cp.async.wait_all", "ld.const.u32"})
      EXPECT_NE(std::find(all.begin(), all.end(), wanted), all.end()) << wanted << " in " << text;
  }
}

// The kernel k beside what is refused.
std::string good_kernel(const std::string& call = "") {
  return ptx_kernel("mov.u32 r0, 7;" + call + store_result("r0")).substr(sizeof kPtxHead - 1);
}

TEST(RefusalTest, WhatCannotBeReachedRefusesNothing) {
  const char* const kBad[] = {
      ".entry bad() { frobnicate.u32 r; }",
      ".entry bad() { .reg .weird r; }",
      ".entry bad() .weird 5 { ret; }",
      ".entry bad() { .reg .u32 r; mov.u64 r, undeclared; }",
      ".entry bad() { add.u32 ?; }",
      ".entry bad(.weird x) { ret; }",
      ".weird x, y;",
      ".extern .global .u32 elsewhere; .entry bad() { .reg .u64 d; mov.u64 d, elsewhere; }",
      ".global .texref t; .entry bad() { .reg .f32 f<4>; .reg .s32 i;"
      " tex.1d.v4.f32.s32 {f0,f1,f2,f3}, [t, {i}]; }",
      ".func f() { cp.async.bulk.commit_group; } .entry bad() { call f; }",
      ".func f() { cp.async.bulk.commit_group; } .global .u64 table[1] = {f};"
      ".entry bad() { .reg .u64 d; ld.global.u64 d, [table]; p: .callprototype _ (); call d, (), "
      "p; }",
  };
  for (const std::string bad : kBad) {
    PtxRunner runner(kPtxHead + bad + "\n" + good_kernel());
    EXPECT_EQ(runner.run({}, 1, 1).at(0), 7u) << bad;
    for (const KernelInfo& kernel : runner.backend().kernels()) {
      if (kernel.name != "bad") continue;
      try {
        runner.backend().launch({"bad", {1}, {32}, 0, {}});
        ADD_FAILURE() << bad << " was run";
      } catch (const KernelFault& fault) {
        EXPECT_EQ(fault.kind(), "unsupported") << bad;
        EXPECT_EQ(fault.place().kernel, "bad");
      }
    }
  }
}

TEST(RefusalTest, WhatCanBeReachedRefuses) {
  const std::string f = ".func f() { .reg .u32 r; cp.async.bulk.commit_group; ret; }\n";
  const std::string g = f + ".func g() { call f; ret; }\n";
  const std::string through = "p: .callprototype _ (); ld.global.u64 d0, [%in]; call d0, (), p;";
  EXPECT_EQ(fault_of(ptx_kernel("call g;", g)), "unsupported");
  EXPECT_EQ(fault_of(ptx_kernel("mov.u64 d0, f; p: .callprototype _ (); call d0, (), p;", f)),
            "unsupported");
  // Another kernel takes the address: it could come through memory.
  EXPECT_EQ(fault_of(ptx_kernel(through, f + ".entry other() { .reg .u64 d; mov.u64 d, f; }\n")),
            "unsupported");
  EXPECT_EQ(fault_of(ptx_kernel(through, f + ".global .u64 table = f;\n")), "unsupported");
  EXPECT_EQ(fault_of(ptx_kernel(through, f)), "illegal_address");  // f's address is nowhere
}

TEST(RefusalTest, TheSourceLineComesFirst) {
  const std::string text =
      ".file 1 \"/src/hw09.cu\"\n.func f() {\n.loc 1 42 3\nfrob.u32 x;\nret;\n}\n";
  std::string message;
  EXPECT_EQ(fault_of(ptx_kernel("call f;", text), 32, {}, &message), "unsupported");
  EXPECT_EQ(message.find("/src/hw09.cu:42: unsupported: "), 0u) << message;
  EXPECT_NE(message.find("'frob.u32'"), std::string::npos) << message;
  EXPECT_NE(message.find("use plain CUDA C++"), std::string::npos) << message;
}

TEST(RefusalTest, AttributesThatForbidTheLaunchAreNamed) {
  const std::pair<std::string, std::string> cases[] = {
      {".reqntid 64", "its attribute .reqntid (hw.ptx:"},
      {".reqntid 4, 8", "allows blocks of 4x8x1 threads alone; this launch has blocks of 32x1x1"},
      {".maxntid 16", "allows at most 16 threads a block"},
      {".reqnctapercluster 2", "wants clusters of 2 blocks"},
      {".explicitcluster", ".explicitcluster"},
  };
  for (const auto& [attribute, wanted] : cases) {
    std::string text = ptx_kernel("");
    text.insert(text.find("\n{"), attribute);
    std::string message;
    EXPECT_EQ(fault_of(text, 32, {}, &message), "launch_failed") << attribute;
    const std::string part = wanted.substr(0, wanted.find("hw.ptx"));
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.find('/'), std::string::npos) << message;
  }
  for (const char* attribute : {".reqntid 32", ".maxntid 8, 4", ".reqnctapercluster 1, 1, 1",
                                ".maxclusterrank 8", ".minnctapersm 2 .maxnreg 32"}) {
    std::string text = ptx_kernel("");
    text.insert(text.find("\n{"), attribute);
    EXPECT_EQ(fault_of(text), "") << attribute;
  }
}

}  // namespace
}  // namespace lockstep::emulator
