// SPDX-License-Identifier: Apache-2.0
// Control flow: random graphs, reducible or not, give every lane what it computes alone, in any
// order of lanes; calls, recursion, pointers to functions, switches.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

// A graph of blocks; block b goes to next[b][bit], by a bit of the lane's running hash; after
// `most` blocks a lane leaves through the end.
struct Graph {
  std::vector<std::array<int, 2>> next;  // -1: return at once
  uint32_t most = 60;
};

Graph random_graph(std::mt19937& random) {
  Graph graph;
  const int blocks = 2 + static_cast<int>(random() % 14);
  graph.most = 5 + random() % 80;
  for (int b = 0; b < blocks; ++b) {
    std::array<int, 2> to;
    for (int& t : to)
      t = random() % 12 == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(blocks));
    if (random() % 3 == 0) to[0] = std::min(b + 1, blocks - 1);  // as compilers lay code out
    graph.next.push_back(to);
  }
  return graph;
}

uint32_t mix(uint32_t hash, uint32_t block) { return hash * 1664525u + 1013904223u + block; }

uint32_t walk(const Graph& graph, uint32_t lane) {
  uint32_t hash = lane * 2654435761u;
  int block = 0;
  for (uint32_t steps = 0; block >= 0 && steps < graph.most; ++steps) {
    hash = mix(hash, static_cast<uint32_t>(block));
    block = graph.next[static_cast<size_t>(block)][hash >> 17 & 1];
  }
  return hash;
}

std::string ptx_of(const Graph& graph) {
  std::string body = "mul.lo.u32 r0, %t, 2654435761;\nmov.u32 r1, 0;\n";
  for (size_t b = 0; b < graph.next.size(); ++b) {
    const std::string name = std::to_string(b);
    body +=
        "B" + name + ":\nsetp.ge.u32 p0, r1, " + std::to_string(graph.most) + ";\n@p0 bra END;\n";
    body += "add.u32 r1, r1, 1;\nmul.lo.u32 r0, r0, 1664525;\nadd.u32 r0, r0, 1013904223;\n";
    body += "add.u32 r0, r0, " + name + ";\nbfe.u32 r2, r0, 17, 1;\nsetp.ne.u32 p1, r2, 0;\n";
    const auto target = [](int t) { return t < 0 ? std::string("END") : "B" + std::to_string(t); };
    if (graph.next[b][1] >= 0 || b % 2 == 0) {
      body += "@p1 bra " + target(graph.next[b][1]) + ";\n";
    } else {
      body += "@!p1 bra S" + name + ";\n" + store_result("r0") + "ret;\nS" + name + ":\n";
    }
    body += "bra.uni " + target(graph.next[b][0]) + ";\n";
  }
  return ptx_kernel(body + "END:\n" + store_result("r0"));
}

TEST(ControlFlowTest, RandomGraphsGiveEveryLaneItsOwnResult) {
  std::mt19937 random(20240229);
  for (int turn = 0; turn < 400; ++turn) {
    const Graph graph = random_graph(random);
    const std::string text = ptx_of(graph);
    for (uint32_t order : {0u, 77u}) {
      if (order != 0 && turn % 8 != 0) continue;
      BackendOptions options;
      options.lane_order = order;
      PtxRunner runner(text, options);
      const std::vector<uint32_t> out = runner.run({}, 2, 48);
      for (uint32_t t = 0; t < out.size(); ++t)
        ASSERT_EQ(out[t], walk(graph, t)) << "turn " << turn << " lane " << t << "\n" << text;
    }
  }
}

// Both ways are at the join at once: the group was lost.
TEST(ControlFlowTest, ABranchToTheNextInstructionSplitsNothing) {
  PtxRunner runner(ptx_kernel(
      "mov.u32 r0, 5;\nsetp.lt.u32 p0, %t, 7;\n@p0 bra NEXT;\nNEXT:\nadd.u32 r0, r0, %t;\n"
      "setp.lt.u32 p1, %t, 9;\n@!p1 bra END;\nsetp.lt.u32 p2, %t, 3;\n@p2 bra INNER;\nINNER:\n"
      "add.u32 r0, r0, 100;\nEND:\n" +
      store_result("r0")));
  const std::vector<uint32_t> out = runner.run({}, 1, 40);
  for (uint32_t t = 0; t < 40; ++t) EXPECT_EQ(out[t], 5 + t + (t < 9 ? 100 : 0)) << t;
}

TEST(ControlFlowTest, BranchTablesTakeEveryLaneToItsTarget) {
  PtxRunner runner(ptx_kernel(
      "and.b32 r0, %t, 3;\nmov.u32 r1, 100;\nT: .branchtargets A, B, C, B;\nbrx.idx r0, T;\n"
      "A: add.u32 r1, r1, 1;\nbra.uni E;\nB: add.u32 r1, r1, 2;\nbra.uni E;\n"
      "C: add.u32 r1, r1, 3;\nE:\nadd.u32 r1, r1, r0;\n" +
      store_result("r1")));
  const std::vector<uint32_t> out = runner.run({}, 1, 40);
  const uint32_t added[] = {1, 2, 3, 2};
  for (uint32_t t = 0; t < 40; ++t) EXPECT_EQ(out[t], 100 + added[t & 3] + (t & 3));
}

constexpr char kFunctions[] = R"(
.func (.param .b32 result) twice(.param .b32 x)
{
.reg .b32 a;
ld.param.b32 a, [x];
shl.b32 a, a, 1;
st.param.b32 [result], a;
ret;
}
.func (.param .b32 result) fib(.param .b32 x)
{
.reg .b32 a, b, c;
.reg .pred p;
ld.param.b32 a, [x];
setp.lt.s32 p, a, 2;
@p bra DONE;
add.s32 b, a, -1;
{ .param .b32 q; .param .b32 r; st.param.b32 [q], b; call (r), fib, (q); ld.param.b32 c, [r]; }
add.s32 b, a, -2;
{ .param .b32 q; .param .b32 r; st.param.b32 [q], b; call (r), fib, (q); ld.param.b32 a, [r]; }
add.s32 a, a, c;
DONE:
st.param.b32 [result], a;
ret;
}
.func (.param .align 8 .b8 result[16]) swap(.param .align 8 .b8 x[16])
{
.reg .b64 a, b;
ld.param.b64 a, [x];
ld.param.b64 b, [x+8];
st.param.b64 [result+8], a;
st.param.b64 [result], b;
ret;
}
)";

TEST(CallTest, RecursionGoesToEveryLanesOwnDepth) {
  PtxRunner runner(
      ptx_kernel("rem.u32 r0, %t, 11;\n{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], r0;\n"
                 "call.uni (b), fib, (a);\nld.param.b32 r1, [b];\n}\n" +
                     store_result("r1"),
                 kFunctions));
  const std::vector<uint32_t> out = runner.run({}, 1, 64);
  const uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], fib[t % 11]) << t;
}

TEST(CallTest, PointersToFunctionsMayDifferByLane) {
  PtxRunner runner(ptx_kernel(
      "setp.lt.u32 p0, %t, 5;\nmov.u64 d0, twice;\nmov.u64 d1, fib;\nselp.b64 d2, d0, d1, p0;\n"
      "min.u32 r0, %t, 10;\n{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], r0;\n"
      "P: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (b), d2, (a), P;\n"
      "ld.param.b32 r1, [b];\n}\n" +
          store_result("r1"),
      kFunctions));
  const std::vector<uint32_t> out = runner.run({}, 1, 32);
  EXPECT_EQ(out[4], 8u);
  EXPECT_EQ(out[6], 8u);
  EXPECT_EQ(out[9], 34u);
  EXPECT_EQ(out[31], 55u);
}

TEST(CallTest, StructuresArePassedAndReturned) {
  PtxRunner runner(ptx_kernel(
      "cvt.u64.u32 d0, %t;\nmov.u64 d1, 1000;\n{ .param .align 8 .b8 a[16]; .param .align 8 .b8 "
      "b[16];\nst.param.b64 [a], d0;\nst.param.b64 [a+8], d1;\ncall (b), swap, (a);\n"
      "ld.param.b64 d2, [b];\nld.param.b64 d3, [b+8];\n}\nsub.u64 d2, d2, d3;\n"
      "cvt.u32.u64 r0, d2;\n" +
          store_result("r0"),
      kFunctions));
  const std::vector<uint32_t> out = runner.run({}, 1, 32);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], 1000 - t);
}

TEST(CallTest, EndlessRecursionIsAFault) {
  const std::string body =
      "{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], %t;\n"
      "call (b), loop, (a);\nld.param.b32 r1, [b];\n}\n";
  const std::string function =
      ".func (.param .b32 result) loop(.param .b32 x)\n{\n.reg .b32 a;\nld.param.b32 a, [x];\n"
      "{ .param .b32 q; .param .b32 r; st.param.b32 [q], a; call (r), loop, (q); ld.param.b32 a, "
      "[r]; }\nst.param.b32 [result], a;\nret;\n}\n";
  EXPECT_EQ(fault_of(ptx_kernel(body + store_result("r1"), function)), "illegal_address");
}

TEST(CallTest, UnknownFunctionsAreUnsupported) {
  std::string message;
  EXPECT_EQ(fault_of(ptx_kernel("{ call strange; }", ".extern .func strange;\n"), 32, {}, &message),
            "unsupported");
  EXPECT_NE(message.find("strange"), std::string::npos) << message;
}

}  // namespace
}  // namespace lockstep::emulator
