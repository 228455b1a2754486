// SPDX-License-Identifier: Apache-2.0
// Which machine code launches come to that are counted, and which it takes another launch to reach.
#include <set>

#include "emulator/emulator_backend.h"
#include "emulator/exec/permutation.h"
#include "emulator/sass/order.h"
#include "emulator/sass/run.h"

namespace lockstep::emulator {
namespace {

// Of a block: what leads to its first loop, and some turns of it.
constexpr uint64_t kStepsAWarp = 100, kMoreSteps = 400;

// Numbers in the code that a size or a shape may be compared with.
std::vector<int64_t> numbers_in(const sass::Code& code) {
  constexpr int64_t kLeast = 2, kMost = int64_t{1} << 31;
  std::set<int64_t> numbers;
  for (const sass::Instruction& in : code.instructions)
    for (int i = 0; i < in.operand_count; ++i) {
      const sass::Operand& operand = in.operands[static_cast<size_t>(i)];
      if (operand.kind != sass::OperandKind::kImmediate) continue;
      if (operand.format != sass::ImmediateFormat::kHex &&
          operand.format != sass::ImmediateFormat::kSignedHex)
        continue;
      if (operand.value >= kLeast && operand.value <= kMost) numbers.insert(operand.value);
    }
  return {numbers.begin(), numbers.end()};
}

}  // namespace

void EmulatorBackend::note_reached(const std::string& kernel, const sass::Profile& profile) {
  std::vector<bool>& reached = reached_[kernel];
  reached.resize(profile.executions.size());
  for (size_t i = 0; i < reached.size(); ++i)
    if (profile.executions[i].lanes > 0) reached[i] = true;
}

Backend::Unreached EmulatorBackend::unreached(const std::string& kernel) {
  Unreached out;
  const sass::Code* code = module_->codes[find_kernel(kernel)].get();
  if (code == nullptr || !code->why_not.empty()) return out;
  const std::vector<bool>& reached = reached_[code->kernel];
  const std::vector<bool> reachable = sass::find_reachable(*code);
  for (size_t i = 0; i < reachable.size(); ++i)
    if (reachable[i] && (i >= reached.size() || !reached[i])) ++out.instructions;
  if (out.instructions > 0) out.numbers = numbers_in(*code);
  return out;
}

std::vector<size_t> EmulatorBackend::scout(const std::vector<Sequence>& sequences) {
  std::vector<size_t> instructions;
  for (const Sequence& sequence : sequences) {
    instructions.push_back(0);
    for (const Launch& launch : sequence) instructions.back() += scout(launch);
  }
  return instructions;
}

size_t EmulatorBackend::scout(const Launch& launch) {
  sass::Code* code = module_->codes[find_kernel(launch.kernel)].get();
  if (code == nullptr || !code->why_not.empty()) return 0;
  sass::Launched state;
  sass::RunOptions options;
  set_up(launch, code, &state, &options);
  state.step_budget = kStepsAWarp * ((launch.block.count() + 31) / 32) + kMoreSteps;
  options.order = sass::Order::kShort;
  options.l1.capacity_bytes = 0;  // nothing is counted
  prepare_code(launch, code);
  const std::vector<bool> now = sass::reach(state, options, emulator::mix(steps_ ^ ++scouted_));
  memory_.define_changed();
  std::vector<bool>& reached = reached_[code->kernel];
  reached.resize(now.size());
  size_t instructions = 0;
  for (size_t i = 0; i < now.size(); ++i) {
    if (!now[i] || reached[i]) continue;
    reached[i] = true;
    ++instructions;
  }
  return instructions;
}

}  // namespace lockstep::emulator
