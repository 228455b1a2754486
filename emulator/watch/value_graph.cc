// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/value_graph.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace lockstep::emulator {

void ValueGraph::begin_launch(const Launch& launch) {
  launches_.push_back(launch);
  loss_kinds_.clear();
  for (const auto& instruction : launch.program->instructions)
    loss_kinds_.push_back(loss_kind_of(instruction.opcode));
  frames_.clear();
  call_numbers_.clear();
  kept_.clear();
}

uint32_t ValueGraph::add(ValueNode node) {
  if (!is_whole()) return 0;
  node.launch = static_cast<uint16_t>(launches_.size() - 1);
  nodes_.push_back(node);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void ValueGraph::note_store(uint64_t address, uint32_t bytes, uint32_t node, bool atomic) {
  for (uint64_t word = address >> 2; word <= (address + bytes - 1) >> 2; ++word) {
    Stored& stored = stores_[word];
    const ValueNode &before = nodes_[stored.node], &now = nodes_[node];
    stored.raced |=
        !atomic && stored.node != 0 && before.launch == now.launch && before.thread != now.thread;
    stored.node = node;
    ++stored.times;
  }
}

void ValueGraph::note_test(uint32_t thread, const Test& test) {
  if (test.node != 0) tests_[thread].push_back(test.node);
  auto& of_thread = last_tests_[thread];
  const Test* last = last_test_of(thread);
  const uint64_t number = last == nullptr ? 1 : last->number + 1;
  const auto [at, first] = of_thread.emplace(test.instruction, test);
  Test& now = at->second;
  now.number = number;
  if (first) return;
  const bool same = now.bits[0] == test.bits[0] && now.bits[1] == test.bits[1];
  now.same = same ? now.same + 1 : 1;
  if (!same) {
    now.changed = true;
    std::copy(now.bits, now.bits + 2, now.before);
    std::copy(test.bits, test.bits + 2, now.bits);
  }
  if (test.node != 0) now.node = test.node;
}

const ValueGraph::Test* ValueGraph::last_test_of(uint32_t thread) const {
  const Test* last = nullptr;
  if (const auto at = last_tests_.find(thread); at != last_tests_.end())
    for (const auto& [instruction, test] : at->second)
      if (last == nullptr || test.number > last->number) last = &test;
  return last;
}

const ValueGraph::Test* ValueGraph::test_of(uint32_t thread, uint32_t instruction) const {
  const auto of_thread = last_tests_.find(thread);
  if (of_thread == last_tests_.end()) return nullptr;
  const auto at = of_thread->second.find(instruction);
  return at == of_thread->second.end() ? nullptr : &at->second;
}

const ValueGraph::Test* ValueGraph::loop_test_of(uint32_t thread) const {
  constexpr uint64_t kOften = 16, kLately = 200;
  const Test* last = last_test_of(thread);
  const Test* found = nullptr;
  if (last == nullptr) return nullptr;
  for (const auto& [instruction, test] : last_tests_.at(thread))
    if (test.same >= kOften && test.number + kLately > last->number &&
        (found == nullptr || test.same > found->same))
      found = &test;
  return found == nullptr ? last : found;
}

std::vector<uint32_t> ValueGraph::tests() const {
  std::vector<uint32_t> all;
  for (const auto& [thread, nodes] : tests_) all.insert(all.end(), nodes.begin(), nodes.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<uint32_t> ValueGraph::loads_of(uint64_t address, uint64_t bytes) const {
  std::vector<uint32_t> found;
  for (uint32_t n = 1; n < nodes_.size(); ++n)
    if (nodes_[n].kind == ValueNode::Kind::kLoad && nodes_[n].address - address < bytes)
      found.push_back(n);
  return found;
}

std::vector<uint32_t> ValueGraph::stores_of(uint64_t address, uint64_t bytes) const {
  std::vector<uint32_t> found;
  for (uint32_t n = 1; n < nodes_.size(); ++n) {
    const ValueNode::Kind kind = nodes_[n].kind;
    if (kind != ValueNode::Kind::kStore && kind != ValueNode::Kind::kAtomic) continue;
    if (nodes_[n].address - address < bytes) found.push_back(n);
  }
  return found;
}

uint64_t ValueGraph::least_store(const ValueNode& of_thread, uint64_t begin, uint64_t end) const {
  uint64_t least = end;
  for (const ValueNode& node : nodes_) {
    if (node.kind != ValueNode::Kind::kStore && node.kind != ValueNode::Kind::kAtomic) continue;
    if (node.launch == of_thread.launch && node.thread == of_thread.thread && node.address >= begin)
      least = std::min(least, node.address);
  }
  return least < end ? least : 0;
}

uint32_t ValueGraph::kept_near(uint64_t key, uint64_t most) const {
  for (uint64_t away = 1; away <= most; ++away)
    for (const uint64_t near : {key - away, key + away})
      if (const uint32_t node = kept(near)) return node;
  return 0;
}

uint32_t ValueGraph::add_call(const Call& call) {
  const auto [at, added] = call_numbers_.emplace(std::pair(call.instruction, call.caller),
                                                 static_cast<uint32_t>(calls_.size()));
  if (added) calls_.push_back(call);
  return at->second;
}

void ValueGraph::note_loss(ValueNode* node, const Loss& loss) {
  if (!is_whole()) return;
  node->kind = ValueNode::Kind::kLossy;
  node->address = losses_.size();
  // Many are rounded: one for each power of two.
  if (loss.kind == LossKind::kRounded)
    node->address = rounded_.try_emplace(std::ilogb(loss.share), losses_.size()).first->second;
  if (node->address == losses_.size()) losses_.push_back(loss);
}

std::vector<uint32_t> ValueGraph::behind(std::vector<uint32_t> open, bool only_different) const {
  std::vector<uint32_t> found;
  std::vector<bool> seen(nodes_.size(), false);
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    if (n == 0 || seen[n]) continue;
    seen[n] = true;
    found.push_back(n);
    for (size_t k = 0; k < std::size(nodes_[n].from); ++k)
      if (!only_different || (nodes_[n].same >> k & 1) == 0) open.push_back(nodes_[n].from[k]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<uint32_t> ValueGraph::made_far(uint32_t node) const {
  std::vector<uint32_t> open = {node}, found;
  std::unordered_set<uint32_t> seen = {0, node};
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    bool was_far = false;
    for (size_t k = 0; k < std::size(nodes_[n].from); ++k) {
      const uint32_t from = nodes_[n].from[k];
      if (from == 0 || (nodes_[n].same >> (ValueNode::kFar + k) & 1) == 0) continue;
      was_far = true;
      if (seen.insert(from).second) open.push_back(from);
    }
    if (!was_far) found.push_back(n);
  }
  return found;
}

}  // namespace lockstep::emulator
