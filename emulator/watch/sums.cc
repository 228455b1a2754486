// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/sums.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "emulator/watch/value_paths.h"

namespace lockstep::emulator {
namespace {

class Sums {
 public:
  explicit Sums(const ValueGraph& values)
      : values_(values),
        root_(values.last() + 1),
        uses_(root_.size()),
        held_(root_.size()),
        times_(root_.size()) {}

  std::vector<AddedUp> run() {
    for (uint32_t n = 1; n <= values_.last(); ++n) look_at(n);
    for (uint32_t n = 1; n <= values_.last(); ++n)
      for (const int added : {0, 1})
        if (adds(n) && follows(n, 1 - added, added)) note(n, 1 - added, added);
    std::vector<AddedUp> found;
    for (const auto& [instruction, sum] : most_) found.push_back(sum);
    return found;
  }

 private:
  // What a value holds of other threads.
  enum class Held : uint8_t { kNothing, kAnothers, kSum };

  const std::string& opcode(uint32_t n) const { return opcode_of(values_, values_[n]); }
  bool adds(uint32_t n) const {
    const auto kind = values_[n].kind;
    return (kind == ValueNode::Kind::kValue || kind == ValueNode::Kind::kLossy) &&
           opcode(n).starts_with("add.");
  }
  // Registers, local and shared memory only hand on what was made before.
  bool moves(const ValueNode& node, uint32_t n) const {
    const bool memory = node.kind == ValueNode::Kind::kLoad || node.kind == ValueNode::Kind::kStore;
    return node.from[0] != 0 && (memory ? node.address == 0 : opcode(n).starts_with("mov."));
  }

  void look_at(uint32_t n) {
    const ValueNode& node = values_[n];
    const bool moved = moves(node, n);
    root_[n] = moved ? root_[node.from[0]] : n;
    Held most = Held::kNothing;
    for (const uint32_t from : node.from)
      if (from != 0) most = std::max(most, held_[from]);
    if (is_exchange(values_, node))
      held_[n] = most == Held::kNothing ? Held::kAnothers : Held::kSum;
    else
      held_[n] = most != Held::kNothing && adds(n) ? Held::kSum : most;
    if (moved) return;
    for (const uint32_t from : {node.from[0], node.from[1], node.from[2], node.address_from})
      if (from != 0 && uses_[root_[from]] < 2) ++uses_[root_[from]];
  }

  // Whether one operand is what the instruction made the time before, for nothing but this, and the
  // other one is of other threads, and not made of what theirs made (as in a tree of sums).
  bool follows(uint32_t n, int total, int added) const {
    const ValueNode& node = values_[n];
    if (node.from[0] == 0 || node.from[1] == 0) return false;
    const uint32_t before = root_[node.from[total]], more = root_[node.from[added]];
    if (!is_before(before, n) || values_[before].thread != node.thread) return false;
    if (held_[node.from[added]] == Held::kNothing || uses_[before] > 1 || uses_[more] > 1)
      return false;
    const uint32_t source =
        is_shuffle(values_, values_[more]) ? root_[values_[more].from[0]] : more;
    return !is_before(source, n);
  }
  bool is_before(uint32_t before, uint32_t n) const {
    const ValueNode &a = values_[before], &b = values_[n];
    return before != n && a.instruction == b.instruction && a.launch == b.launch &&
           a.call == b.call;
  }

  void note(uint32_t n, int total, int added) {
    const ValueNode& node = values_[n];
    times_[n] = times_[root_[node.from[total]]] + 1;
    AddedUp& most = most_[{node.launch, node.instruction}];
    const bool sums = held_[node.from[added]] == Held::kSum;
    most = {n, std::max<uint64_t>(most.times, times_[n]), most.sums || sums};
  }

  const ValueGraph& values_;
  std::vector<uint32_t> root_;  // by node: the one that made what it hands on
  std::vector<uint8_t> uses_;   // by node: by others than those that hand it on; 2: several
  std::vector<Held> held_;
  std::vector<uint32_t> times_;  // by node: of additions that follow one another, to this one
  std::map<std::pair<uint16_t, uint32_t>, AddedUp> most_;
};

}  // namespace

std::vector<AddedUp> added_up(const ValueGraph& values) { return Sums(values).run(); }

}  // namespace lockstep::emulator
