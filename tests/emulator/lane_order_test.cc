// SPDX-License-Identifier: Apache-2.0
// Lanes may run in any order between .sync operations: random legal programs (nested branches,
// loops that lanes leave one by one, masks from ballots) give what a straightforward evaluation of
// them gives, whatever the order; and so do the patterns that once did not.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

enum class Kind {
  kArithmetic,  // v = v * a + b + lane
  kShuffle,     // v += v of lane + a, where that is in the region
  kBallot,      // v ^= ballot(bit a of v)
  kReduce,      // v += sum of v
  kShared,      // the shuffle, through shared memory
  kSync,
  kTwoPlaces,  // the shuffle, from the two sides of a branch on bit b
  kTwoMasks,   // v += sum of v over the lanes with the same bit b: one instruction, two masks
  kIf,         // on bit b
  kRepeat,     // b times
  kWhileSome,  // v & 3 times, each lane its own number
  kExit,       // lanes whose value has bits 0 to 2 clear; at the top only
  kBarrier,    // of the block; at the top only
  kCount,
};

struct Node {
  Kind kind;
  uint32_t a = 0, b = 0;
  std::vector<Node> body, other;
};
using Nodes = std::vector<Node>;

Nodes random_nodes(std::mt19937& random, int depth) {
  Nodes out;
  const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (uint32_t left = 2 + pick(5); left > 0; --left) {
    Node n{static_cast<Kind>(pick(static_cast<uint32_t>(Kind::kCount))), pick(32), pick(8), {}, {}};
    if ((n.kind > Kind::kWhileSome && depth > 0) || (n.kind >= Kind::kIf && depth == 3))
      n.kind = Kind::kBallot;
    const bool nests = n.kind >= Kind::kIf && n.kind <= Kind::kWhileSome;
    if (n.kind == Kind::kRepeat) n.b = 1 + n.b % 3;
    if (nests) n.body = random_nodes(random, depth + 1);
    if (n.kind == Kind::kIf && pick(3) != 0) n.other = random_nodes(random, depth + 1);
    out.push_back(std::move(n));
  }
  return out;
}

// What a program does, region by region: all lanes of a region take a step together.
class Evaluation {
 public:
  explicit Evaluation(std::vector<uint32_t> values) : v(std::move(values)) {}

  void run(const Nodes& nodes, uint32_t lanes) {
    for (const Node& n : nodes) step(n, lanes & ~exited_);
  }
  std::vector<uint32_t> v;  // of a warp

 private:
  template <class F>
  uint32_t where(uint32_t lanes, F f) const {
    uint32_t out = 0;
    for (uint32_t i = 0; i < v.size(); ++i)
      if ((lanes >> i & 1) != 0 && f(i)) out |= 1u << i;
    return out;
  }
  uint32_t with_bit(uint32_t lanes, uint32_t bit) const {
    return where(lanes, [&](uint32_t i) { return (v[i] >> bit & 1) != 0; });
  }
  void each(uint32_t lanes, const std::function<uint32_t(uint32_t)>& f) {
    std::vector<uint32_t> next = v;
    where(lanes, [&](uint32_t i) { return next[i] = f(i), true; });
    v = std::move(next);
  }
  void shuffle(uint32_t lanes, uint32_t by) {
    each(lanes, [&](uint32_t i) {
      const uint32_t from = (i + by) & 31;
      return v[i] + v[(lanes >> from & 1) != 0 ? from : i];
    });
  }
  void add_sum(uint32_t lanes) {
    uint32_t sum = 0;
    where(lanes, [&](uint32_t i) { return sum += v[i], true; });
    each(lanes, [&](uint32_t i) { return v[i] + sum; });
  }

  void step(const Node& n, uint32_t lanes) {
    const uint32_t set = with_bit(lanes, n.kind == Kind::kBallot ? n.a : n.b);
    switch (n.kind) {
      case Kind::kArithmetic:
        return each(lanes, [&](uint32_t i) { return v[i] * (n.a | 1) + n.b + i; });
      case Kind::kShuffle:
      case Kind::kShared:
        return shuffle(lanes, n.a);
      case Kind::kBallot:
        return each(lanes, [&](uint32_t i) { return v[i] ^ set; });
      case Kind::kReduce:
        return add_sum(lanes);
      case Kind::kTwoPlaces:
        each(lanes, [&](uint32_t i) { return v[i] + ((set >> i & 1) != 0 ? 1 : 2); });
        return shuffle(lanes, n.a);
      case Kind::kTwoMasks:
        add_sum(set);
        return add_sum(lanes & ~set);
      case Kind::kIf:
        run(n.body, set);
        return run(n.other, lanes & ~set);
      case Kind::kRepeat:
        for (uint32_t i = 0; i < n.b; ++i) run(n.body, lanes);
        return;
      case Kind::kWhileSome: {
        const std::vector<uint32_t> at_start = v;
        for (uint32_t i = 0; lanes != 0; ++i) {
          lanes = where(lanes, [&](uint32_t l) { return (at_start[l] & 3) > i; });
          run(n.body, lanes);
        }
        return;
      }
      case Kind::kExit:
        exited_ |= where(lanes, [&](uint32_t i) { return (v[i] & 7) == 0; });
        return;
      default:
        return;
    }
  }
  uint32_t exited_ = 0;
};

// The program's PTX. r1: v. A region has the mask that it names, and its lanes: the same, but that
// exited ones may be named. Every lane keeps both in registers x.
class Writer {
 public:
  std::string write(const Nodes& nodes) {
    line(".reg .b32 x<400>;\n.reg .pred q<400>;\n.shared .align 4 .u32 s[64];");
    line("mul.wide.u32 d0, %t, 4;\nadd.u64 d0, %in, d0;\nld.global.u32 r1, [d0];");
    line("mov.u32 r2, %laneid;\nmov.u32 r3, s;\nmov.u32 r4, %tid.x;\nshl.b32 r5, r4, 2;");
    line("add.u32 r5, r5, r3;\nand.b32 r6, r4, 32;\nshl.b32 r6, r6, 2;\nadd.u32 r6, r6, r3;");
    const int all = fresh();
    line(x(all) + " = ballot true, -1");
    run(nodes, all, all);
    return text_ + store_result("r1");
  }

 private:
  int fresh() { return next_++; }
  static std::string x(int i) { return "x" + std::to_string(i); }
  static std::string q(int i) { return "q" + std::to_string(i); }
  static std::string label(int i) { return "L" + std::to_string(i); }
  // One line of PTX, or the one short form that it has here.
  void line(const std::string& text) {
    const size_t ballot = text.find(" = ballot true, ");
    if (ballot == std::string::npos) {
      text_ += text + "\n";
    } else {
      text_ += "setp.eq.u32 q0, r2, r2;\nvote.sync.ballot.b32 " + text.substr(0, ballot) +
               ", q0, " + text.substr(ballot + 16) + ";\n";
    }
  }
  // A predicate: bit b of v; and the lanes where it holds.
  int bit(uint32_t b) {
    const int p = fresh();
    line("shr.u32 r8, r1, " + std::to_string(b) + ";\nand.b32 r8, r8, 1;\nsetp.ne.u32 " + q(p) +
         ", r8, 0;");
    return p;
  }
  int ballot(int p, int named) {
    const int out = fresh();
    line("vote.sync.ballot.b32 " + x(out) + ", " + q(p) + ", " + x(named) + ";");
    return out;
  }
  // r9: lane + a where that is one of `lanes`, else the lane itself.
  void source(uint32_t a, int lanes) {
    line("add.u32 r9, r2, " + std::to_string(a) + ";\nand.b32 r9, r9, 31;\nshr.u32 r8, " +
         x(lanes) + ", r9;\nand.b32 r8, r8, 1;\nsetp.ne.u32 q0, r8, 0;\nselp.u32 r9, r9, r2, q0;");
  }
  void shuffle(int named) {
    line("shfl.sync.idx.b32 r7, r1, r9, 31, " + x(named) + ";\nadd.u32 r1, r1, r7;");
  }
  void add_sum(int named) {
    line("redux.sync.add.u32 r7, r1, " + x(named) + ";\nadd.u32 r1, r1, r7;");
  }
  void sync(int named) { line("bar.warp.sync " + x(named) + ";"); }

  void run(const Nodes& nodes, int named, int lanes) {
    for (const Node& n : nodes) {
      if (n.kind == Kind::kExit) {
        const int p = fresh();
        line("and.b32 r8, r1, 7;\nsetp.ne.u32 " + q(p) + ", r8, 0;");
        lanes = ballot(p, named);
        line("@" + q(p) + " bra " + label(p) + ";\n" + store_result("r1") + "ret;\n" + label(p) +
             ":");
      } else {
        step(n, named, lanes);
      }
    }
  }

  void two_places(const Node& n, int named, int lanes) {
    const int p = bit(n.b), other = fresh(), end = fresh();
    source(n.a, lanes);
    line("@!" + q(p) + " bra " + label(other) + ";\nadd.u32 r1, r1, 1;");
    shuffle(named);
    line("bra.uni " + label(end) + ";\n" + label(other) + ":\nadd.u32 r1, r1, 2;");
    shuffle(named);
    line(label(end) + ":");
  }

  void branch(const Node& n, int named, int lanes) {
    const int p = bit(n.b), set = ballot(p, named), clear = fresh(), other = fresh();
    const int end = fresh();
    line("not.b32 r8, " + x(set) + ";\nand.b32 " + x(clear) + ", r8, " + x(lanes) + ";");
    line("@!" + q(p) + " bra " + label(other) + ";");
    run(n.body, set, set);
    line("bra.uni " + label(end) + ";\n" + label(other) + ":");
    run(n.other, clear, clear);
    line(label(end) + ":");
  }

  void repeat(const Node& n, int named, int lanes) {
    const int i = fresh(), p = fresh(), top = fresh();
    line("mov.u32 " + x(i) + ", 0;\n" + label(top) + ":");
    run(n.body, named, lanes);
    line("add.u32 " + x(i) + ", " + x(i) + ", 1;\nsetp.lt.u32 " + q(p) + ", " + x(i) + ", " +
         std::to_string(n.b) + ";\n@" + q(p) + " bra " + label(top) + ";");
  }

  void while_some(const Node& n, int named) {
    const int i = fresh(), turns = fresh(), p = fresh(), inside = fresh(), top = fresh();
    const int end = fresh();
    line("mov.u32 " + x(i) + ", 0;\nand.b32 " + x(turns) + ", r1, 3;\nmov.u32 " + x(inside) + ", " +
         x(named) + ";\n" + label(top) + ":");
    line("setp.gt.u32 " + q(p) + ", " + x(turns) + ", " + x(i) + ";");
    line("vote.sync.ballot.b32 " + x(inside) + ", " + q(p) + ", " + x(inside) + ";");
    line("@!" + q(p) + " bra " + label(end) + ";");
    run(n.body, inside, inside);
    line("add.u32 " + x(i) + ", " + x(i) + ", 1;\nbra.uni " + label(top) + ";\n" + label(end) +
         ":");
  }

  void step(const Node& n, int named, int lanes) {
    switch (n.kind) {
      case Kind::kArithmetic:
        return line("mad.lo.u32 r1, r1, " + std::to_string(n.a | 1) + ", " + std::to_string(n.b) +
                    ";\nadd.u32 r1, r1, r2;");
      case Kind::kShuffle:
        source(n.a, lanes);
        return shuffle(named);
      case Kind::kShared:
        source(n.a, lanes);
        line("st.shared.u32 [r5], r1;");
        sync(named);
        line("shl.b32 r9, r9, 2;\nadd.u32 r9, r9, r6;\nld.shared.u32 r7, [r9];");
        line("add.u32 r1, r1, r7;");
        return sync(named);
      case Kind::kBallot:
        return line("xor.b32 r1, r1, " + x(ballot(bit(n.a), named)) + ";");
      case Kind::kReduce:
        return add_sum(named);
      case Kind::kSync:
        return sync(named);
      case Kind::kTwoPlaces:
        return two_places(n, named, lanes);
      case Kind::kTwoMasks: {
        const int p = bit(n.b), set = ballot(p, named), mine = fresh();
        line("not.b32 r8, " + x(set) + ";\nand.b32 r8, r8, " + x(lanes) + ";\nselp.b32 " + x(mine) +
             ", " + x(set) + ", r8, " + q(p) + ";");
        return add_sum(mine);
      }
      case Kind::kIf:
        return branch(n, named, lanes);
      case Kind::kRepeat:
        return repeat(n, named, lanes);
      case Kind::kWhileSome:
        return while_some(n, named);
      case Kind::kBarrier:
        return line("bar.sync 0;");
      default:
        return;
    }
  }

  std::string text_;
  int next_ = 1;
};

TEST(LaneOrderTest, RandomLegalProgramsDoTheSameInEveryOrder) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const Nodes nodes = random_nodes(random, 0);
    const uint32_t threads = seed % 3 == 0 ? 44 : seed % 3 == 1 ? 64 : 32;
    std::vector<uint32_t> input(threads), expected;
    for (uint32_t& word : input) word = static_cast<uint32_t>(random());
    for (uint32_t first = 0; first < threads; first += 32) {
      const uint32_t lanes = std::min(threads - first, 32u);
      Evaluation warp({input.begin() + first, input.begin() + first + lanes});
      warp.run(nodes, lanes == 32 ? ~0u : (1u << lanes) - 1);
      expected.insert(expected.end(), warp.v.begin(), warp.v.end());
    }
    const std::string ptx = ptx_kernel(Writer().write(nodes));
    for (uint32_t order = 0; order <= 8; ++order) {
      BackendOptions options;
      options.lane_order = order == 0 ? 0 : seed * 1000 + order;
      options.step_budget = 10'000'000;
      PtxRunner runner(ptx, options);
      ASSERT_EQ(runner.run(input, 1, threads), expected)
          << "seed " << seed << ", --lane-order " << options.lane_order << "\n"
          << ptx;
      if (order == 0) continue;
      // Apart for some instructions only: 2 to 131072.
      BackendOptions budget;
      budget.step_budget = 10'000'000;
      PtxRunner bounded(ptx, budget);
      bounded.lane_order = options.lane_order;
      bounded.permuted_warps = uint64_t{1} << (2 * order + 1);
      ASSERT_EQ(bounded.run(input, 1, threads), expected)
          << "seed " << seed << ", order of lanes " << options.lane_order << ", "
          << bounded.permuted_warps << " warps\n"
          << ptx;
    }
  }
}

TEST(LaneOrderTest, AtomicOperationsOnAWordThatOneLaneHasSetDoNotRace) {
  const std::string ptx = ptx_kernel(
      ".shared .align 4 .b32 word[1];\nmov.u32 r1, word;\n"
      "setp.ne.u32 p1, %t, 0;\n@p1 bra set;\nst.shared.u32 [r1], 0;\nset:\n"
      "bar.warp.sync -1;\natom.shared.max.u32 r2, [r1], %t;\natom.shared.max.u32 r2, [r1], %t;\n"
      "bar.warp.sync -1;\nld.shared.u32 r2, [r1];\n" +
      store_result("r2"));
  for (uint32_t order = 0; order <= 16; ++order) {
    BackendOptions options;
    options.lane_order = order;
    PtxRunner runner(ptx, options);
    EXPECT_EQ(runner.run({0}, 1, 32), std::vector<uint32_t>(32, 31)) << "--lane-order " << order;
  }
}

// %n turns, of which each thread takes as many more as its number is; then `last`.
std::string turns(const std::string& last) {
  return ptx_kernel(
      "mov.u32 r0, 0;\nadd.u32 r1, %n, %t;\nLOOP:\nmad.lo.u32 r2, r0, r0, r2;\n"
      "add.u32 r0, r0, 1;\nsetp.lt.u32 p0, r0, r1;\n@p0 bra LOOP;\n" +
      last);
}

TEST(LaneOrderTest, ALaunchsOwnCostsABoundedNumberOfInstructions) {
  const std::string ptx = turns(store_result("r0"));
  constexpr uint32_t kTurns = 1'000'000;
  for (uint32_t order = 0; order <= 6; ++order) {
    BackendOptions options;
    options.step_budget = 8'000'000;  // in lockstep it takes 5 a turn
    PtxRunner runner(ptx, options);
    runner.lane_order = order;
    runner.permuted_warps = 1;
    const std::vector<uint32_t> out = runner.run({}, 1, 32, kTurns);
    for (uint32_t t = 0; t < 32; ++t) ASSERT_EQ(out[t], kTurns + t) << order;
  }
}

// A loop of one block, in which all lanes meet.
TEST(LaneOrderTest, ALaunchsOwnEndsInLoopsWhereLanesMeet) {
  const std::string ptx = ptx_kernel(
      "mov.u32 r0, 0;\nmov.u32 r3, %t;\nLOOP:\nshfl.sync.bfly.b32 r3, r3, 1, 31, -1;\n"
      "add.u32 r0, r0, 1;\nsetp.lt.u32 p0, r0, %n;\n@p0 bra LOOP;\n" +
      store_result("r3"));
  for (uint32_t order = 1; order <= 6; ++order) {
    BackendOptions options;
    options.step_budget = 8'000'000;
    PtxRunner runner(ptx, options);
    runner.lane_order = order;
    runner.permuted_warps = 1;
    const std::vector<uint32_t> out = runner.run({}, 1, 32, 1'000'001);
    for (uint32_t t = 0; t < 32; ++t) ASSERT_EQ(out[t], t ^ 1) << order;
  }
}

// Lanes exchange through volatile words, in which no race is found, with nothing between.
TEST(LaneOrderTest, ALaunchsOwnTakesCodeThatIsReachedLateAndByTheLastBlockAlone) {
  const std::string ptx = turns(
      "mov.u32 r3, %nctaid.x;\nsub.u32 r3, r3, 1;\nsetp.ne.u32 p1, r31, r3;\n@p1 bra DONE;\n"
      "bar.warp.sync -1;\nmul.wide.u32 d0, %t, 4;\nadd.u64 d0, %out, d0;\n"
      "st.volatile.global.u32 [d0], %t;\nxor.b32 r4, %t, 1;\nmul.wide.u32 d1, r4, 4;\n"
      "add.u64 d1, %out, d1;\nld.volatile.global.u32 r5, [d1];\nbar.warp.sync -1;\n"
      "st.volatile.global.u32 [d0], r5;\nDONE:\n");
  int shown = 0;
  for (uint32_t order = 0; order <= 20; ++order) {
    PtxRunner runner(ptx);
    runner.lane_order = order;
    runner.permuted_warps = 1;
    const std::vector<uint32_t> out = runner.run({}, 40, 32, 20'000);
    bool as_in_lockstep = true;
    for (uint32_t t = 39 * 32; t < 40 * 32; ++t) as_in_lockstep &= out[t] == (t ^ 1);
    EXPECT_TRUE(order > 0 || as_in_lockstep);
    shown += !as_in_lockstep;
  }
  EXPECT_GE(shown, 14) << "all but some that begin together and part before or behind it";
}

// In a short kernel, too, and behind the question whether all lanes are there.
TEST(LaneOrderTest, WhoSeesAllLanesTogetherKnowsNothingOfWhatTheyDoNext) {
  const std::string ptx = ptx_kernel(
      "mov.u32 r5, %t;\nxor.b32 r5, r5, 1;\nactivemask.b32 r0;\nsetp.ne.u32 p0, r0, -1;\n"
      "@p0 bra DONE;\nmul.wide.u32 d0, %t, 4;\nadd.u64 d0, %out, d0;\n"
      "st.volatile.global.u32 [d0], %t;\nxor.b32 r4, %t, 1;\nmul.wide.u32 d1, r4, 4;\n"
      "add.u64 d1, %out, d1;\nld.volatile.global.u32 r5, [d1];\nDONE:\nbar.warp.sync -1;\n" +
      store_result("r5"));
  int shown = 0;
  for (uint32_t order = 1; order <= 60; ++order) {
    PtxRunner runner(ptx);
    runner.lane_order = order;
    runner.permuted_warps = 4;
    const std::vector<uint32_t> out = runner.run({}, 4, 32);
    bool as_in_lockstep = true;
    for (uint32_t t = 0; t < 4 * 32; ++t) as_in_lockstep &= out[t] == (t ^ 1);
    shown += !as_in_lockstep;
  }
  EXPECT_GE(shown, 12);
}

TEST(LaneOrderTest, WhoAsksForAnOrderGetsItWhateverTheLaunchDraws) {
  const std::string ptx = turns(store_result("r0"));
  const auto backend_order = [&](uint32_t of_launch) {
    BackendOptions options;
    options.step_budget = 8'000'000;
    options.lane_order = 5;
    PtxRunner runner(ptx, options);
    runner.lane_order = of_launch;
    runner.permuted_warps = 1;
    runner.run({}, 1, 32, 1'000'000);
  };
  EXPECT_THROW(backend_order(0), KernelFault);  // all lanes apart: too slow
  EXPECT_THROW(backend_order(3), KernelFault);
}

}  // namespace
}  // namespace lockstep::emulator
