// SPDX-License-Identifier: Apache-2.0
// Sums over threads that are only added up, found in graphs that are made by hand.
#include "emulator/watch/sums.h"

#include <gtest/gtest.h>

namespace lockstep::emulator {
namespace {

constexpr uint32_t kShuffle = 0, kTree = 1, kTotal = 2, kOther = 3;

class Graph {
 public:
  Graph() {
    for (const char* opcode : {"shfl.sync.down.b32", "add.s32", "add.s32", "mul.lo.s32"}) {
      program_.instructions.emplace_back();
      program_.instructions.back().opcode = opcode;
    }
    values_.begin_launch({&program_, {1, 1, 1}, {32, 1, 1}});
  }
  uint32_t node(uint32_t instruction, uint32_t a = 0, uint32_t b = 0, uint32_t thread = 0) {
    ValueNode node;
    node.instruction = instruction;
    node.thread = thread;
    node.from[0] = a, node.from[1] = b;
    return values_.add(node);
  }
  // What a thread has of its own.
  uint32_t own(uint32_t thread = 0) { return node(kOther, 0, 0, thread); }
  // A thread's value and another one's.
  uint32_t tree() { return node(kTree, own(), node(kShuffle, own(1))); }
  std::vector<AddedUp> added_up() const { return emulator::added_up(values_); }

 private:
  Program program_;
  ValueGraph values_;
};

TEST(AddedUp, FindsSumsOverThreadsThatAreOnlyAddedUp) {
  Graph graph;
  uint32_t total = graph.node(kTotal, 0, graph.tree());
  for (int turn = 0; turn < 3; ++turn) total = graph.node(kTotal, total, graph.tree());
  const std::vector<AddedUp> found = graph.added_up();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node, total);
  EXPECT_EQ(found[0].times, 3u);
  EXPECT_TRUE(found[0].sums);
}

TEST(AddedUp, TellsSumsFromWhatOneThreadHas) {
  Graph graph;
  uint32_t total = graph.own();
  for (int turn = 0; turn < 4; ++turn)
    total = graph.node(kTotal, total, graph.node(kShuffle, graph.own(2)));
  const std::vector<AddedUp> found = graph.added_up();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].sums);
}

TEST(AddedUp, FindsNothingInATreeNorInWhatIsUsedOtherwise) {
  Graph tree;  // each exchange brings what the other thread added up
  uint32_t own = tree.node(kTotal, tree.own(), tree.node(kShuffle, tree.own(1)));
  uint32_t other = tree.node(kTotal, tree.own(1), tree.node(kShuffle, tree.own(0), 0, 1), 1);
  for (int turn = 0; turn < 3; ++turn) {
    const uint32_t next = tree.node(kTotal, own, tree.node(kShuffle, other));
    other = tree.node(kTotal, other, tree.node(kShuffle, own, 0, 1), 1);
    own = next;
  }
  EXPECT_TRUE(tree.added_up().empty());

  Graph used;  // each sum over threads is stored or compared, too
  uint32_t total = used.node(kTotal, 0, used.tree());
  for (int turn = 0; turn < 3; ++turn) {
    const uint32_t sum = used.tree();
    used.node(kOther, sum);
    total = used.node(kTotal, total, sum);
  }
  EXPECT_TRUE(used.added_up().empty());

  Graph scan;  // the total is used in each turn
  total = 0;
  for (int turn = 0; turn < 3; ++turn) {
    total = scan.node(kTotal, total, scan.tree());
    scan.node(kOther, total);
  }
  EXPECT_TRUE(scan.added_up().empty());
}

}  // namespace
}  // namespace lockstep::emulator
