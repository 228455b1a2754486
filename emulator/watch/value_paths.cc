// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/value_paths.h"

#include <algorithm>
#include <set>

namespace lockstep::emulator {
namespace {

uint64_t thread_of(const ValueNode& node) { return uint64_t{node.launch} << 32 | node.thread; }

}  // namespace

size_t ValuePaths::place_of(uint32_t node) const {
  const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
  return at != nodes_.end() && *at == node ? static_cast<size_t>(at - nodes_.begin())
                                           : nodes_.size();
}

std::vector<double> ValuePaths::ways() const {
  std::vector<double> ways(nodes_.size(), 0);
  if (ways.empty()) return ways;
  ways.back() = 1;
  for (size_t i = nodes_.size(); i-- > 0;)
    for (const uint32_t from : graph_[nodes_[i]].from)
      if (const size_t at = place_of(from); at < ways.size()) ways[at] += ways[i];
  return ways;
}

std::vector<bool> ValuePaths::holding(const std::vector<uint32_t>& loads) const {
  std::vector<bool> holds(nodes_.size() + 1, false);  // the last: none of the nodes
  for (const uint32_t load : loads) holds[place_of(load)] = true;
  holds.back() = false;
  for (size_t i = 0; i < nodes_.size(); i++)
    for (const uint32_t from : graph_[nodes_[i]].from)
      if (from != 0 && holds[place_of(from)]) holds[i] = true;
  return holds;
}

uint32_t ValuePaths::entry(const std::vector<uint32_t>& loads) const {
  const std::vector<bool> holds = holding(loads);
  std::set<uint64_t> readers;
  for (const uint32_t load : loads) readers.insert(thread_of(graph_[load]));
  for (size_t i = 0; i < nodes_.size(); i++) {
    const ValueNode& node = graph_[nodes_[i]];
    if (!holds[i] || !is_exchange(graph_, node) || readers.count(thread_of(node)) > 0) continue;
    return nodes_[i];
  }
  return 0;
}

std::vector<bool> ValuePaths::behind(uint32_t node, const std::vector<bool>& holds) const {
  std::vector<bool> is_behind(nodes_.size() + 1, false);
  is_behind[place_of(node)] = true;
  for (size_t i = place_of(node) + 1; i-- > 0;)
    for (const uint32_t from : graph_[nodes_[i]].from)
      if (is_behind[i] && from != 0 && holds[place_of(from)]) is_behind[place_of(from)] = true;
  return is_behind;
}

// Whether it was executed by the function that executed the other one, or by what that called.
bool ValuePaths::is_within(uint32_t node, uint32_t function_of) const {
  const auto callers = [&](uint32_t n) -> const std::vector<int>& {
    return graph_.launch_of(graph_[n]).program->instructions[graph_[n].instruction].callers;
  };
  uint32_t call = graph_[node].call;
  if (call == graph_[function_of].call) {
    const std::vector<int>&own = callers(node), &its = callers(function_of);
    return own.size() >= its.size() && std::equal(its.rbegin(), its.rend(), own.rbegin());
  }
  while (call != 0 && call != graph_[function_of].call) call = graph_.call(call).caller;
  return call == graph_[function_of].call;
}

size_t ValuePaths::brought_in(uint32_t node, const std::vector<bool>& holds) const {
  if (graph_[node].call == 0 && graph_.launch_of(graph_[node])
                                    .program->instructions[graph_[node].instruction]
                                    .callers.empty())
    return 0;  // the kernel's own
  std::set<uint32_t> seen{node}, brought;
  for (std::vector<uint32_t> next{node}; !next.empty();) {
    const uint32_t n = next.back();
    next.pop_back();
    if (!is_within(n, node)) {
      brought.insert(n);
      continue;
    }
    for (const uint32_t from : graph_[n].from)
      if (from != 0 && holds[place_of(from)] && seen.insert(from).second) next.push_back(from);
  }
  return brought.size();
}

// The first node behind the last that both are made of, by way of which the one is made of that.
uint32_t ValuePaths::parted(const std::vector<bool>& one, const std::vector<bool>& other) const {
  size_t both = 0;
  for (size_t i = 0; i < nodes_.size(); i++)
    if (one[i] && other[i]) both = i;
  for (size_t i = both + 1; i < nodes_.size(); i++) {
    const uint32_t* from = graph_[nodes_[i]].from;
    if (one[i] && std::find(from, from + 3, nodes_[both]) != from + 3) return nodes_[i];
  }
  return 0;
}

std::optional<ValuePaths::Doubling> ValuePaths::doubling(uint32_t load) const {
  const std::vector<bool> holds = holding({load});
  std::vector<bool> exchanged(nodes_.size() + 1, false);  // what it holds came by an exchange
  for (size_t i = 0; i < nodes_.size(); i++) {
    if (!holds[i]) continue;
    const ValueNode& node = graph_[nodes_[i]];
    exchanged[i] = is_exchange(graph_, node);
    for (const uint32_t from : node.from)
      if (from != 0 && exchanged[place_of(from)]) exchanged[i] = true;
    const bool computes =
        node.kind == ValueNode::Kind::kValue || node.kind == ValueNode::Kind::kLossy;
    if (!computes || !opcode_of(graph_, node).starts_with("add.")) continue;
    const uint32_t a = node.from[0], b = node.from[1];
    if (a == 0 || b == 0 || a == b || !holds[place_of(a)] || !holds[place_of(b)]) continue;
    if (!exchanged[place_of(a)] && !exchanged[place_of(b)]) continue;
    const std::vector<bool> of_a = behind(a, holds), of_b = behind(b, holds);
    return Doubling{
        nodes_[i], {parted(of_a, of_b), parted(of_b, of_a)}, brought_in(nodes_[i], holds) > 1};
  }
  return std::nullopt;
}

const std::string& opcode_of(const ValueGraph& graph, const ValueNode& node) {
  return graph.launch_of(node).program->instructions[node.instruction].opcode;
}

bool is_shuffle(const ValueGraph& graph, const ValueNode& node) {
  return node.from[0] != 0 && opcode_of(graph, node).starts_with("shfl.");
}

bool is_exchange(const ValueGraph& graph, const ValueNode& node) {
  if (is_shuffle(graph, node)) return true;
  const ValueNode& from = graph[node.from[0]];
  return node.from[0] != 0 && node.kind == ValueNode::Kind::kLoad && from.launch == node.launch &&
         from.thread != node.thread;
}

uint32_t dead_end(const ValueGraph& graph, const std::vector<uint32_t>& loads) {
  if (loads.empty()) return 0;
  std::vector<bool> holds(graph.last() + 1, false);
  for (const uint32_t load : loads) holds[load] = true;
  uint32_t end = 0;
  for (uint32_t n = *std::min_element(loads.begin(), loads.end()); n <= graph.last(); n++) {
    const ValueNode& node = graph[n];
    for (const uint32_t from : node.from) holds[n] = holds[n] || (from != 0 && holds[from]);
    if (!holds[n]) continue;
    const bool stores =
        node.kind == ValueNode::Kind::kStore || node.kind == ValueNode::Kind::kAtomic;
    if (stores && node.address != 0) return 0;
    const std::string& opcode = opcode_of(graph, node);
    if (opcode.starts_with("setp") || opcode.starts_with("set.")) return 0;
    end = n;
  }
  return end;
}

}  // namespace lockstep::emulator
