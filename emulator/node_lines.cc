// SPDX-License-Identifier: Apache-2.0
#include "emulator/node_lines.h"

#include <set>

#include "emulator/check/fault.h"
#include "emulator/code/locations.h"

namespace lockstep::emulator {
namespace {

void index_of(uint64_t number, const Dim3& size, uint32_t out[3]) {
  out[0] = static_cast<uint32_t>(number % size.x);
  out[1] = static_cast<uint32_t>(number / size.x % size.y);
  out[2] = static_cast<uint32_t>(number / size.x / size.y);
}

bool is_only_brought(const ValueNode& node) {
  return node.kind == ValueNode::Kind::kValue && node.from[0] == 0;
}

}  // namespace

ValueStory::Line line_of(const ValueGraph& values, const ValueNode& node,
                         std::vector<int>* callers) {
  const Program& program = *values.launch_of(node).program;
  ValueStory::Line found;
  uint32_t instruction = node.instruction;
  for (uint32_t call = node.call;; call = values.call(call).caller) {
    const SourceLine source = source_line(program, instruction);
    const std::vector<int>& inlined = program.instructions[instruction].callers;
    if (found.line == 0 && source.line > 0 && (call == 0 || !is_toolkit(source.file)))
      found = {source.file, source.line};
    else if (found.line > 0 && source.file == found.file && callers != nullptr)
      callers->push_back(source.line);
    if (found.line > 0 && source.file == found.file && callers != nullptr)
      callers->insert(callers->end(), inlined.begin(), inlined.end());
    if (call == 0) return found;
    instruction = values.call(call).instruction;
  }
}

uint32_t block_of(const ValueGraph& values, const ValueNode& node) {
  return node.thread / static_cast<uint32_t>(values.launch_of(node).block.count());
}

uint32_t warp_of(const ValueGraph& values, const ValueNode& node) {
  const auto threads = static_cast<uint32_t>(values.launch_of(node).block.count());
  return block_of(values, node) * ((threads + 31) / 32) + node.thread % threads / 32;
}

FaultPlace place_of(const ValueGraph& values, const ValueNode& node) {
  const ValueGraph::Launch& launch = values.launch_of(node);
  std::vector<int> callers;
  const ValueStory::Line line = line_of(values, node, &callers);
  FaultPlace place;
  place.file = line.file;
  place.line = line.line;
  place.kernel = kernel_name(launch.program->kernel);
  const uint64_t threads = launch.block.count();
  index_of(node.thread / threads, launch.grid, place.block);
  index_of(node.thread % threads, launch.block, place.thread);
  place.has_thread = true;
  if (!callers.empty()) place.caller = callers[0];
  return place;
}

std::vector<ValueStory::Line> lines_of(const ValueGraph& values,
                                       const std::vector<uint32_t>& nodes) {
  std::vector<ValueStory::Line> lines;
  std::set<ValueStory::Line> seen;
  for (const uint32_t n : nodes) {
    const ValueNode& node = values[n];
    if (is_only_brought(node)) continue;
    std::vector<int> callers;
    const ValueStory::Line line = line_of(values, node, &callers);
    if (line.line == 0) continue;
    if (seen.insert(line).second) lines.push_back(line);
    for (const int caller : callers)
      if (seen.insert({line.file, caller}).second) lines.push_back({line.file, caller});
  }
  return lines;
}

std::map<ValueStory::Line, int> line_counts(const ValueGraph& values,
                                            const std::vector<uint32_t>& nodes) {
  std::map<ValueStory::Line, int> counts;
  for (const uint32_t n : nodes) {
    if (is_only_brought(values[n])) continue;
    const ValueStory::Line line = line_of(values, values[n]);
    if (line.line > 0) ++counts[line];
  }
  return counts;
}

}  // namespace lockstep::emulator
