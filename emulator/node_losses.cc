// SPDX-License-Identifier: Apache-2.0
#include "emulator/node_losses.h"

#include <map>
#include <string>

#include "emulator/node_lines.h"

namespace lockstep::emulator {
namespace {

ValueStory::Loss::Kind kind_of(LossKind kind) {
  using Kind = ValueStory::Loss::Kind;
  return kind == LossKind::kRemainder    ? Kind::kRemainder
         : kind == LossKind::kShiftedOut ? Kind::kShiftedOut
         : kind == LossKind::kCut        ? Kind::kCut
         : kind == LossKind::kNarrowed   ? Kind::kNarrowed
         : kind == LossKind::kCancelled  ? Kind::kCancelled
         : kind == LossKind::kRounded    ? Kind::kRounded
                                         : Kind::kFraction;
}

// Whether the value is as it was loaded: nothing of it was rounded.
bool is_loaded(const ValueGraph& values, uint32_t node) {
  constexpr int kSteps = 16;
  for (int i = 0; i < kSteps; ++i) {
    const ValueNode& n = values[node];
    if (n.kind == ValueNode::Kind::kLoad && n.from[0] == 0) return true;
    if (n.from[0] == 0 || n.from[1] != 0) return n.from[0] == 0;
    const std::string& opcode = values.launch_of(n).program->instructions[n.instruction].opcode;
    if (n.kind != ValueNode::Kind::kLoad && !opcode.starts_with("mov")) return false;
    node = n.from[0];
  }
  return false;
}

}  // namespace

std::vector<ValueStory::Loss> losses_of(const ValueGraph& values,
                                        const std::vector<uint32_t>& nodes) {
  std::vector<ValueStory::Loss> losses;
  std::map<ValueStory::Line, size_t> seen;
  for (const uint32_t n : nodes) {
    const ValueNode& node = values[n];
    if (node.kind != ValueNode::Kind::kLossy) continue;
    const Loss& loss = values.loss_of(node);
    const ValueStory::Line line = line_of(values, node);
    if (line.line == 0) continue;
    if (loss.kind == LossKind::kCancelled && is_loaded(values, node.from[0]) &&
        (node.from[1] == 0 || is_loaded(values, node.from[1])) && node.from[2] == 0)
      continue;
    const auto [at, fresh] = seen.try_emplace(line, losses.size());
    ValueStory::Loss told{line, kind_of(loss.kind), loss.from, loss.to};
    (loss.kind == LossKind::kRounded ? told.rounded : told.share) = loss.share;
    if (fresh)
      losses.push_back(told);
    else if (told.kind == ValueStory::Loss::Kind::kRounded)
      losses[at->second].rounded += told.rounded;
    else if (losses[at->second].kind == told.kind && told.share > losses[at->second].share)
      losses[at->second] = told;
  }
  return losses;
}

}  // namespace lockstep::emulator
