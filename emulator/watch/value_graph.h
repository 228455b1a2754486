// SPDX-License-Identifier: Apache-2.0
// How the values of an execution came about: a node for every instruction that a thread executed
// and that made, moved, loaded or stored a value, with edges to the nodes that it was made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/backend/backend.h"
#include "emulator/code/program.h"
#include "emulator/watch/conflicts.h"
#include "emulator/watch/loss.h"

namespace lockstep::emulator {

struct ValueNode {
  enum class Kind : uint8_t { kValue, kLoad, kStore, kAtomic, kAbsentLane, kUnset, kLossy };
  uint32_t instruction = 0;  // into its program's instructions
  uint32_t thread = 0;       // of the grid: blocks before it times their size, and its own number
  uint16_t launch = 0;       // into ValueGraph::launches
  // kAbsentLane: a shuffle from a lane that takes no part; kUnset: what a register or local memory
  // holds that nothing has been written to; kLossy: a value that something was lost of (loss_of).
  Kind kind = Kind::kValue;
  // Bit k: all threads of the warp that executed it had the same number of from[k]; bit kOfAddress:
  // of the address. Bit kFar + k: the number that the next thread had of from[k] is more than one
  // away; bit kFarAddress: its address, further than what is accessed.
  static constexpr uint8_t kFar = 3, kFarAddress = 6, kOfAddress = 7;
  uint8_t same = 0;
  uint32_t call = 0;          // that led to its function: of ValueGraph::call
  uint32_t from[3] = {};      // nodes; 0: none. Of a load: what was stored there.
  uint32_t address_from = 0;  // loads and stores: what made the address
  uint64_t address = 0;       // of a load from or store to global memory, else 0; kLossy: its loss
};

// Labels are numbers of nodes, one for each lane of a register, 0 where nothing is known.
using LaneLabels = std::array<uint32_t, 32>;

class ValueGraph {
 public:
  ValueGraph() : nodes_(1) {}

  struct Launch {
    const Program* program = nullptr;  // must outlive the graph
    Dim3 grid, block;
  };
  // What follows is executed by this one.
  void begin_launch(const Launch& launch);
  const Launch& launch_of(const ValueNode& node) const { return launches_[node.launch]; }

  // The number of the node; 0 where there are too many.
  uint32_t add(ValueNode node);
  const ValueNode& operator[](uint32_t node) const { return nodes_[node]; }
  uint32_t last() const { return static_cast<uint32_t>(nodes_.size() - 1); }
  bool is_whole() const { return nodes_.size() < kMost; }

  // By frame and the register's offset in it.
  LaneLabels& labels(const std::byte* frame, uint32_t offset) { return frames_[frame][offset]; }

  // Calls of functions: the instruction that calls, and the call that led to that; 0: none, it is
  // the kernel's own code.
  struct Call {
    uint32_t instruction = 0, caller = 0;
  };
  const Call& call(uint32_t number) const { return calls_[number]; }
  // The calls, by lane, that led to what is executed with a frame.
  LaneLabels& calls_of(const std::byte* frame) { return labels(frame, kOfCalls); }
  uint32_t add_call(const Call& call);

  // By the word that holds an address of global memory: the store that wrote it last, 0: none.
  uint32_t stored(uint64_t address) const { return find(stores_, address >> 2).node; }
  // How often the word was stored to; whether by several threads, and not by atomic operations.
  uint32_t times_stored(uint64_t address) const { return find(stores_, address >> 2).times; }
  bool raced(uint64_t address) const { return find(stores_, address >> 2).raced; }
  void note_store(uint64_t address, uint32_t bytes, uint32_t node, bool atomic);

  // Shared and local memory, by a key that names block, and warp and lane where it is theirs.
  uint32_t kept(uint64_t key) const { return find(kept_, key).node; }
  void keep(uint64_t key, uint32_t node) { kept_[key].node = node; }
  // The store to the nearest word, at most so many keys away; 0: there is none.
  uint32_t kept_near(uint64_t key, uint64_t most) const;

  // Of an access to shared memory by a warp of the launch that is being executed.
  void note_meeting(uint32_t instruction, const Meeting& meeting) {
    meetings_.note(static_cast<uint32_t>(launches_.size() - 1), instruction, meeting);
  }
  Meeting meeting_of(const ValueNode& node) const {
    return meetings_.of(node.launch, node.instruction);
  }

  // Reads of words that nothing has written to shared memory end the execution, but where this is
  // said: then the first of them is noted.
  void go_on_behind_unwritten() { goes_on_ = true; }
  bool goes_on() const { return goes_on_; }
  void note_unwritten(uint64_t key) {
    if (!unwritten_) unwritten_ = key;
  }
  std::optional<uint64_t> unwritten() const { return unwritten_; }

  // What a thread compared in an instruction, by the number of ValueNode::thread; the last time.
  struct Test {
    uint32_t instruction = 0, node = 0;
    uint64_t bits[2] = {};
    uint64_t number = 0;      // of the thread's tests, from 1 on
    uint64_t same = 1;        // so many times in a row with these two
    uint64_t before[2] = {};  // the two before these, where changed
    bool changed = false;
  };
  void note_test(uint32_t thread, const Test& test);
  const Test* last_test_of(uint32_t thread) const;
  const Test* test_of(uint32_t thread, uint32_t instruction) const;  // nullptr: it came to none
  // Of a thread in a loop that does not end: what it compares there with the same numbers again and
  // again, else what it compared last.
  const Test* loop_test_of(uint32_t thread) const;
  const std::vector<uint32_t>& tests_of(uint32_t thread) { return tests_[thread]; }

  std::vector<uint32_t> tests() const;  // of all threads

  // A thread that may have ended too early.
  void note_ended(uint32_t thread) { ended_ = thread; }
  std::optional<uint32_t> ended() const { return ended_; }

  // A barrier of the block was passed while threads of it had ended.
  void note_passed_alone() { ++passed_alone_; }
  uint64_t passed_alone() const { return passed_alone_; }

  // Nodes that the values of these were made of, themselves among them, in the order in which they
  // were executed; edges of addresses are not followed.
  std::vector<uint32_t> made_of(std::vector<uint32_t> nodes) const {
    return behind(std::move(nodes), false);
  }
  // Of these, what made the values differ between the threads of a warp.
  std::vector<uint32_t> made_different(std::vector<uint32_t> nodes) const {
    return behind(std::move(nodes), true);
  }

  // Where what this one was made of came to lie apart in the next thread: of a node whose number is
  // far from the next thread's, those behind it that are, too, and were made of numbers that are
  // not.
  std::vector<uint32_t> made_far(uint32_t node) const;

  // Loads of any of the bytes there; stores to them, in the order in which they were executed.
  std::vector<uint32_t> loads_of(uint64_t address, uint64_t bytes) const;
  std::vector<uint32_t> stores_of(uint64_t address, uint64_t bytes) const;
  // The least of these addresses to which the node's thread stores; 0: none.
  uint64_t least_store(const ValueNode& of_thread, uint64_t begin, uint64_t end) const;

  // Of an instruction of the launch that is being executed.
  LossKind loss_kind(uint32_t instruction) const { return loss_kinds_[instruction]; }
  void note_loss(ValueNode* node, const Loss& loss);
  const Loss& loss_of(const ValueNode& node) const { return losses_[node.address]; }

 private:
  static constexpr size_t kMost = size_t{3} << 20;
  static constexpr uint32_t kOfCalls = ~0u;  // no register's offset
  struct Stored {
    uint32_t node = 0, times = 0;
    bool raced = false;
  };
  using Words = std::unordered_map<uint64_t, Stored>;
  std::vector<uint32_t> behind(std::vector<uint32_t> nodes, bool only_different) const;
  static Stored find(const Words& words, uint64_t key) {
    const auto at = words.find(key);
    return at == words.end() ? Stored() : at->second;
  }

  std::vector<ValueNode> nodes_;  // the first is none
  std::vector<Launch> launches_;
  std::vector<Call> calls_{1};
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> call_numbers_;
  std::vector<LossKind> loss_kinds_;
  std::vector<Loss> losses_;
  std::map<int, uint64_t> rounded_;  // into these, by exponent
  std::unordered_map<const std::byte*, std::unordered_map<uint32_t, LaneLabels>> frames_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> tests_;
  std::unordered_map<uint32_t, std::map<uint32_t, Test>> last_tests_;  // thread, instruction
  Words stores_, kept_;
  Meetings meetings_;
  std::optional<uint32_t> ended_;
  uint64_t passed_alone_ = 0;
  bool goes_on_ = false;
  std::optional<uint64_t> unwritten_;
};

}  // namespace lockstep::emulator
