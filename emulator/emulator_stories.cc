// SPDX-License-Identifier: Apache-2.0
// Executions that are watched, and what they tell of an element.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <set>

#include "emulator/code/locations.h"
#include "emulator/emulator_backend.h"
#include "emulator/node_lines.h"
#include "emulator/node_losses.h"
#include "emulator/watch/value_paths.h"

namespace lockstep::emulator {
namespace {

// Of its thread: each launch has others.
uint64_t number_of(const ValueNode& node) { return uint64_t{node.launch} << 32 | node.thread; }

// As ValueNode::thread.
uint32_t thread_of(const ValueGraph::Launch& launch, const FaultPlace& place) {
  const auto linear = [](const uint32_t at[3], const Dim3& size) {
    return at[0] + size.x * (at[1] + size.y * at[2]);
  };
  return linear(place.block, launch.grid) * static_cast<uint32_t>(launch.block.count()) +
         linear(place.thread, launch.block);
}

std::string number_of(const std::string& opcode, uint64_t bits) {
  const std::string type = opcode.substr(opcode.rfind('.') + 1);
  char text[40] = "";
  if (type == "f32")
    std::snprintf(text, sizeof text, "%.9g", double{std::bit_cast<float>(uint32_t(bits))});
  else if (type == "f64")
    std::snprintf(text, sizeof text, "%.17g", std::bit_cast<double>(bits));
  else if (type == "s32")
    std::snprintf(text, sizeof text, "%d", static_cast<int32_t>(bits));
  else if (type == "s64")
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(bits));
  else
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(bits));
  return text;
}

template <typename T>
int order_of(uint64_t a, uint64_t b) {
  T x, y;
  std::memcpy(&x, &a, sizeof x);
  std::memcpy(&y, &b, sizeof y);
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

// -1: a < b, 0: equal, 1: a > b, 2: none of these.
int order_of(const std::string& opcode, uint64_t a, uint64_t b) {
  const std::string type = opcode.substr(opcode.rfind('.') + 1);
  if (type == "f32") return order_of<float>(a, b);
  if (type == "f64") return order_of<double>(a, b);
  if (type == "s32") return order_of<int32_t>(a, b);
  if (type == "s64") return order_of<int64_t>(a, b);
  if (type == "u32" || type == "b32") return order_of<uint32_t>(a, b);
  if (type == "u64" || type == "b64") return order_of<uint64_t>(a, b);
  return 2;
}

// What was so, of setp.lt.s32: "<", or ">=". Compilers turn comparisons round.
std::string comparison_of(const std::string& opcode, uint64_t a, uint64_t b) {
  struct Word {
    const char *name, *held, *not_held;
    int orders;  // bit 0: less, 1: equal, 2: greater
  };
  static constexpr Word kWords[] = {
      {".lt", "<", ">=", 1},  {".le", "<=", ">", 3},  {".gt", ">", "<=", 4}, {".ge", ">=", "<", 6},
      {".eq", "==", "!=", 2}, {".ne", "!=", "==", 5}, {".lo", "<", ">=", 1}, {".ls", "<=", ">", 3},
      {".hi", ">", "<=", 4},  {".hs", ">=", "<", 6}};
  const int order = order_of(opcode, a, b);
  for (const Word& word : kWords)
    if (opcode.find(word.name) != std::string::npos)
      return order == 2 || (word.orders >> (order + 1) & 1) != 0 ? word.held : word.not_held;
  return "with";
}

ValueStory::Comparison comparison_of(const ValueGraph& values, const ValueGraph::Test& test) {
  const ValueNode& node = values[test.node];
  const std::string& opcode = values.launch_of(node).program->instructions[test.instruction].opcode;
  ValueStory::Comparison c;
  c.line = line_of(values, node);
  c.how = comparison_of(opcode, test.bits[0], test.bits[1]);
  c.a = number_of(opcode, test.bits[0]);
  c.b = number_of(opcode, test.bits[1]);
  c.made_of = lines_of(values, values.made_of({test.node}));
  c.same = test.same;
  if (test.changed) {
    c.a_before = number_of(opcode, test.before[0]);
    c.b_before = number_of(opcode, test.before[1]);
  }
  return c;
}

// What the first thread compared before the first load of the program that no thread came to.
std::optional<ValueStory::Comparison> before_skipped_load(const ValueGraph& values,
                                                          const Program& program) {
  std::vector<bool> executed(program.instructions.size(), false);
  for (uint32_t n = 1; n <= values.last(); ++n)
    if (values.launch_of(values[n]).program == &program) executed[values[n].instruction] = true;
  const ValueGraph::Test* before = nullptr;
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const ValueGraph::Test* test = values.test_of(0, i);
    const bool of_this = test != nullptr && test->node != 0 &&
                         values.launch_of(values[test->node]).program == &program;
    if (of_this) before = test;
    const std::string& opcode = program.instructions[i].opcode;
    const bool loads = opcode.starts_with("ld.") && opcode.find(".param") == std::string::npos;
    if (!loads || executed[i] || program.instructions[i].student.line <= 0) continue;
    if (before != nullptr) return comparison_of(values, *before);
    return std::nullopt;
  }
  return std::nullopt;
}

// What made the address of the access at which the execution ended.
std::vector<ValueStory::Line> lines_before(const ValueGraph& values, const FaultPlace& place) {
  const uint32_t last = values.last();
  if (last == 0 || !place.has_thread) return {};
  const uint32_t thread = thread_of(values.launch_of(values[last]), place);
  for (uint32_t n = last; n != 0 && values[n].instruction == values[last].instruction; --n)
    if (values[n].thread == thread && values[n].address_from != 0)
      return lines_of(values, values.made_of({values[n].address_from}));
  return {};
}

ValueStory::AbsentLane absent_lane(ValueGraph& values, uint32_t n) {
  const ValueNode& node = values[n];
  ValueStory::AbsentLane absent{place_of(values, node), static_cast<uint32_t>(node.address), {}};
  const auto threads = static_cast<uint32_t>(values.launch_of(node).block.count());
  const uint32_t first = node.thread % threads / 32 * 32;  // of the warp, within its block
  if (first + absent.lane >= threads) return absent;
  const uint32_t other = node.thread - node.thread % threads + first + absent.lane;
  const uint32_t test =
      last_joint_test(values, values.tests_of(node.thread), values.tests_of(other), n);
  if (test != 0) absent.compared = line_of(values, values[test]);
  return absent;
}

}  // namespace

bool EmulatorBackend::watch(const Sequence& sequence) {
  values_ = std::make_unique<ValueGraph>();
  fault_lines_.clear();
  comparison_.reset();
  watches_ = true;
  try {
    for (const Launch& l : sequence) execute(l, false);
  } catch (const KernelFault& fault) {
    watches_ = false;
    fault_lines_ = lines_before(*values_, fault.place());
    if (values_->last() != 0) {
      const ValueGraph::Launch& launch = values_->launch_of((*values_)[values_->last()]);
      const uint32_t thread = values_->ended().value_or(thread_of(launch, fault.place()));
      const bool endless = fault.kind() == "too_slow";
      const auto* test = endless ? values_->loop_test_of(thread) : values_->last_test_of(thread);
      if (test != nullptr && test->node != 0) {
        comparison_ = comparison_of(*values_, *test);
        comparison_->of_ended = values_->ended().has_value();
      }
    }
    throw;
  } catch (...) {
    watches_ = false;
    throw;
  }
  watches_ = false;
  return true;
}

// Reads of buffers as they were before the launch, among the nodes.
void EmulatorBackend::add_reads(const std::vector<uint32_t>& nodes, bool compared,
                                std::vector<ValueStory::Read>* reads) const {
  const ValueGraph& values = *values_;
  std::map<std::pair<uint32_t, size_t>, size_t> seen;
  for (const ValueStory::Read& read : *reads) seen.emplace(std::pair(read.buffer, read.offset), 0);
  const size_t before = seen.size();
  const std::vector<double> ways =
      compared ? std::vector<double>() : ValuePaths(values, nodes).ways();
  for (size_t i = 0; i < nodes.size(); i++) {
    const ValueNode& node = values[nodes[i]];
    if (node.kind != ValueNode::Kind::kLoad || node.address == 0 || node.from[0] != 0) continue;
    for (const auto& [id, b] : buffers_) {
      if (!b.allocation->contains(node.address, node.address)) continue;
      const size_t offset = node.address - b.allocation->begin;
      const auto [at, first] = seen.emplace(std::pair(id, offset), reads->size());
      if (!first && before == 0) {
        ++(*reads)[at->second].times;
        (*reads)[at->second].again = line_of(values, node);
        (*reads)[at->second].again_by = place_of(values, node);
        (*reads)[at->second].ways += ways.empty() ? 0 : ways[i];
      }
      if (!first) continue;
      reads->push_back({id,
                        offset,
                        line_of(values, node),
                        lines_of(values, values.made_of({node.address_from})),
                        compared,
                        1,
                        {},
                        ways.empty() ? 1 : ways[i],
                        place_of(values, node),
                        {}});
    }
  }
}

std::vector<uint64_t> EmulatorBackend::threads_reading(BufferId id, size_t offset, size_t bytes) {
  std::set<uint64_t> threads;
  if (!values_) return {};
  const uint64_t address = buffer(id).allocation->begin + offset;
  for (const uint32_t n : values_->loads_of(address, bytes))
    threads.insert(number_of((*values_)[n]));
  return {threads.begin(), threads.end()};
}

std::optional<ValueStory::Comparison> EmulatorBackend::before_skipped_load() {
  if (!values_) return std::nullopt;
  std::set<const Program*> seen;
  for (uint32_t n = 1; n <= values_->last(); ++n) {
    const Program* program = values_->launch_of((*values_)[n]).program;
    if (!seen.insert(program).second) continue;
    if (const auto found = emulator::before_skipped_load(*values_, *program)) return found;
  }
  return std::nullopt;
}

std::vector<Touched> EmulatorBackend::touched(BufferId id, size_t element_bytes, size_t elements) {
  std::vector<Touched> all(values_ ? elements : 0);
  if (all.empty()) return all;
  const uint64_t begin = buffer(id).allocation->begin;
  for (uint32_t n = 1; n <= values_->last(); ++n) {
    const ValueNode& node = (*values_)[n];
    const bool load = node.kind == ValueNode::Kind::kLoad;
    if (!load && node.kind != ValueNode::Kind::kStore) continue;
    if (node.address < begin || (node.address - begin) / element_bytes >= elements) continue;
    Touched& element = all[(node.address - begin) / element_bytes];
    ++(load ? element.loads : element.stores);
  }
  return all;
}

ValueStory EmulatorBackend::story_of(BufferId id, size_t offset, size_t bytes) {
  ValueStory story;
  if (!values_) return story;
  ValueGraph& values = *values_;
  story.whole = values.is_whole();
  const uint64_t address = buffer(id).allocation->begin + offset;
  uint32_t last = 0;
  for (uint64_t at = address; at < address + bytes; at += 4) {
    last = std::max(last, values.stored(at));
    story.stores = std::max<int64_t>(story.stores, values.times_stored(at));
    story.raced |= values.raced(at);
  }
  if (last == 0) {
    story.test_lines = lines_of(values, values.tests());
    if (const ValueGraph::Test* test = values.last_test_of(0); test != nullptr && test->node != 0)
      story.compared = comparison_of(values, *test);
    return story;
  }
  story.stored = place_of(values, values[last]);
  story.index_lines = lines_of(values, values.made_of({values[last].address_from}));
  const std::vector<uint32_t> made_of = values.made_of({last});
  story.lines = lines_of(values, made_of);
  std::vector<uint32_t> exchanges, own_exchanges, tests;
  std::set<uint64_t> threads;
  for (const uint32_t n : made_of) {
    const ValueNode& node = values[n];
    if (node.kind == ValueNode::Kind::kUnset) {
      if (node.address_from != 0 && !story.unset) story.unset = line_of(values, node);
      continue;
    }
    threads.insert(number_of(node));
    if (node.kind == ValueNode::Kind::kAbsentLane && !story.absent)
      story.absent = absent_lane(values, n);
    for (const uint32_t from : node.from) {
      const bool unset = from != 0 && values[from].kind == ValueNode::Kind::kUnset;
      if (unset && !story.unset) story.unset = line_of(values, node);
      if (from == 0 || unset || number_of(values[from]) == number_of(node)) continue;
      exchanges.push_back(n);
      if (number_of(node) == number_of(values[last])) own_exchanges.push_back(n);
    }
  }
  story.exchange_lines = lines_of(values, exchanges);
  story.own_exchange_lines = lines_of(values, own_exchanges);
  story.threads.assign(threads.begin(), threads.end());
  add_reads(made_of, false, &story.reads);
  if (story.raced)
    add_reads(values.made_of(values.stores_of(address, bytes)), false, &story.reads_of_all);
  story.losses = losses_of(values, made_of);
  for (const uint64_t thread : threads) {
    const std::vector<uint32_t>& of_thread = values.tests_of(static_cast<uint32_t>(thread));
    tests.insert(tests.end(), of_thread.begin(), of_thread.end());
  }
  story.test_lines = lines_of(values, tests);
  add_reads(values.made_of(std::move(tests)), true, &story.reads);
  std::sort(story.reads.begin(), story.reads.end(), [](const auto& a, const auto& b) {
    return std::pair(a.buffer, a.offset) < std::pair(b.buffer, b.offset);
  });
  return story;
}

std::vector<ValueStory::Line> EmulatorBackend::readers_of(BufferId id, size_t offset,
                                                          size_t bytes) {
  if (!values_) return {};
  const uint64_t address = buffer(id).allocation->begin + offset;
  return lines_of(*values_, values_->loads_of(address, bytes));
}

}  // namespace lockstep::emulator
