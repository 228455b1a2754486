// SPDX-License-Identifier: Apache-2.0
// Of an execution that was watched: what its lines computed, for nothing or not for the first time.
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "emulator/emulator_backend.h"
#include "emulator/exec/permutation.h"
#include "emulator/node_lines.h"
#include "emulator/watch/sums.h"

namespace lockstep::emulator {
namespace {

// Of a whole number, by what is no constant of the code.
bool divides(const ValueNode& node, const std::string& opcode) {
  const bool root = opcode.starts_with("div.") || opcode.starts_with("rem.");
  return root && opcode.find(".f") == std::string::npos && node.from[1] != 0;
}

bool computes(const std::string& opcode) {
  constexpr std::string_view kRoots[] = {"add.", "sub.", "mul.", "mad.",  "fma.",   "div.", "rem.",
                                         "min.", "max.", "and.", "sqrt.", "rsqrt.", "rcp.", "ex2.",
                                         "lg2.", "sin.", "cos.", "abs.",  "neg."};
  return std::any_of(std::begin(kRoots), std::end(kRoots),
                     [&](std::string_view root) { return opcode.starts_with(root); });
}

// Not what is kept in local memory, where a module that is built with -G has all its variables.
bool loads_memory(const ValueGraph& values, const ValueNode& node) {
  return node.kind == ValueNode::Kind::kLoad &&
         (node.address != 0 || values.meeting_of(node).lanes != 0);
}

// By node: whether a result, a branch or an address was made of it. Values go from nodes to later
// ones, to stores and atomics of global memory, and to tests.
std::vector<bool> used_nodes(const ValueGraph& values) {
  std::vector<bool> used(values.last() + 1, false);
  for (const uint32_t test : values.tests()) used[test] = true;
  for (uint32_t n = values.last(); n > 0; --n) {
    const ValueNode& node = values[n];
    const bool stores = node.kind == ValueNode::Kind::kStore && node.address != 0;
    if (stores || node.kind == ValueNode::Kind::kAtomic) used[n] = true;
    if (!used[n]) continue;
    for (const uint32_t from : node.from) used[from] = true;
    used[node.address_from] = true;
  }
  return used;
}

// A number for each value: what the same instruction made of the same values has the same one, in
// whatever turn of a loop. What memory holds is the value that was stored there.
class ValueNumbers {
 public:
  explicit ValueNumbers(const ValueGraph& values) : values_(values), numbers_(values.last() + 1) {}
  // Of the next node.
  uint64_t number(uint32_t n) {
    const ValueNode& node = values_[n];
    const bool global = node.kind == ValueNode::Kind::kLoad && node.address != 0;
    const bool kept =
        !global && (node.kind == ValueNode::Kind::kLoad || node.kind == ValueNode::Kind::kStore);
    if (kept && node.from[0] != 0) return numbers_[n] = numbers_[node.from[0]];
    uint64_t number = mix(mix(node.launch) ^ (uint64_t{node.instruction} << 32 | node.thread));
    if (global) number = mix(number ^ mix(node.address));
    for (const uint32_t from : node.from) number = mix(number ^ numbers_[from]);
    return numbers_[n] = number;
  }

 private:
  const ValueGraph& values_;
  std::vector<uint64_t> numbers_;
};

// Exchanges between threads, which no compiler leaves out.
void count_exchanges(const ValueGraph& values, Computed* computed) {
  ValueNumbers numbers(values);
  std::unordered_set<uint64_t> seen;
  for (uint32_t n = 1; n <= values.last(); ++n) {
    const uint64_t number = numbers.number(n);
    const ValueNode& node = values[n];
    if (!values.launch_of(node).program->instructions[node.instruction].opcode.starts_with("shfl."))
      continue;
    std::vector<int> callers;
    Computed::Line& line = computed->lines[line_of(values, node, &callers)];
    ++line.exchanged;
    if (seen.insert(number).second) continue;
    ++line.again;
    line.callers.insert(callers.begin(), callers.end());
  }
}

// What is had from other threads and added up, turn by turn.
void find_sums(const ValueGraph& values, Computed* computed) {
  for (const AddedUp& sum : added_up(values)) {
    Computed::Line& line = computed->lines[line_of(values, values[sum.node])];
    uint64_t& most = sum.sums ? line.adds_sums : line.adds_others;
    most = std::max(most, sum.times + 1);
  }
}

}  // namespace

Computed EmulatorBackend::computed() {
  Computed computed;
  if (!values_) return computed;
  const ValueGraph& values = *values_;
  computed.whole = values.is_whole();
  const std::vector<bool> used = computed.whole ? used_nodes(values) : std::vector<bool>();
  // Of each launch, whether something is used.
  std::map<std::tuple<ValueStory::Line, uint16_t, uint32_t>, bool> warps;
  for (uint32_t n = 1; n <= values.last(); ++n) {
    const ValueNode& node = values[n];
    const std::string& opcode =
        values.launch_of(node).program->instructions[node.instruction].opcode;
    const bool divides_here = divides(node, opcode), counts = computed.whole && computes(opcode);
    const bool loads = computed.whole && loads_memory(values, node);
    if (!divides_here && !counts && !loads) continue;
    const ValueStory::Line at = line_of(values, node);
    if (loads) warps[{at, node.launch, warp_of(values, node)}] |= used[n];
    Computed::Line& line = computed.lines[at];
    line.divisions += divides_here ? 1 : 0;
    line.all += counts ? 1 : 0;
    line.unused += counts && !used[n] ? 1 : 0;
  }
  for (const auto& [place, used_here] : warps) {
    ++computed.lines[std::get<0>(place)].warps;
    computed.lines[std::get<0>(place)].idle += used_here ? 0 : 1;
  }
  if (computed.whole) {
    count_exchanges(values, &computed);
    find_sums(values, &computed);
  }
  return computed;
}

}  // namespace lockstep::emulator
