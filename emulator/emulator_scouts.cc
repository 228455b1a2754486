// SPDX-License-Identifier: Apache-2.0
// Which machine code launches come to that are counted, and which it takes another launch to reach.
#include <set>

#include "emulator/emulator_backend.h"
#include "emulator/exec/permutation.h"
#include "emulator/sass/decisions.h"
#include "emulator/sass/order.h"
#include "emulator/sass/run.h"

namespace lockstep::emulator {
namespace {

// Of a block: what leads to its first loop, and some turns of it.
constexpr uint64_t kStepsAWarp = 100, kMoreSteps = 400;
// What is asked behind a loop is asked, too, where the comparison before it is opposed.
constexpr uint64_t kStepsOfOpposed = 2000;

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

void EmulatorBackend::note_reached(sass::Code* code, const sass::Profile& profile) {
  std::vector<bool>& reached = reached_[code->kernel];
  reached.resize(profile.executions.size());
  for (size_t i = 0; i < reached.size(); ++i)
    if (profile.executions[i].lanes > 0) reached[i] = true;
  code->decisions->take_answers();
  code->decisions->note_launch(profile);
}

Backend::Unreached EmulatorBackend::unreached(const std::string& kernel) {
  Unreached out;
  const sass::Code* code = module_->codes[find_kernel(kernel)].get();
  if (code == nullptr || !code->why_not.empty()) return out;
  const std::vector<bool>& reached = reached_[code->kernel];
  const std::vector<bool> reachable = sass::find_reachable(*code);
  for (size_t i = 0; i < reachable.size(); ++i)
    if (reachable[i] && (i >= reached.size() || !reached[i])) ++out.instructions;
  if (code->decisions)
    for (const uint32_t i : code->decisions->one_sided())
      out.one_sided.push_back({i, code->places.at(i).line});
  if (out.instructions > 0 || !out.one_sided.empty()) out.numbers = numbers_in(*code);
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

// By instruction, whether they come to it.
std::vector<bool> EmulatorBackend::try_blocks(const Launch& launch, sass::Code* code,
                                              uint64_t steps_a_warp) {
  sass::Launched state;
  sass::RunOptions options;
  set_up(launch, code, &state, &options);
  state.step_budget = steps_a_warp * ((launch.block.count() + 31) / 32) + kMoreSteps;
  options.order = sass::Order::kShort;
  options.l1.capacity_bytes = 0;  // nothing is counted
  prepare_code(launch, code);
  std::vector<bool> reached = sass::reach(state, options, emulator::mix(steps_ ^ ++scouted_));
  memory_.define_changed();
  return reached;
}

size_t EmulatorBackend::scout(const Launch& launch) {
  sass::Code* code = module_->codes[find_kernel(launch.kernel)].get();
  if (code == nullptr || !code->why_not.empty()) return 0;
  const std::vector<bool> now = try_blocks(launch, code, kStepsAWarp);
  std::vector<bool>& reached = reached_[code->kernel];
  reached.resize(now.size());
  size_t instructions = code->decisions ? code->decisions->take_answers() : 0;
  for (size_t i = 0; i < now.size(); ++i) {
    if (!now[i] || reached[i]) continue;
    reached[i] = true;
    ++instructions;
  }
  return instructions;
}

Backend::Opposed EmulatorBackend::oppose(const Sequence& sequence) {
  Opposed out;
  out.asked = true;
  for (const Launch& launch : sequence) {
    sass::Code* code = module_->codes[find_kernel(launch.kernel)].get();
    if (launch.opposed.empty() || code == nullptr || !code->decisions) continue;
    code->decisions->oppose(launch.opposed);
    try_blocks(launch, code, kStepsOfOpposed);
    out.asked &= code->decisions->were_asked();
    for (const uint32_t i : code->decisions->asked_first())
      out.more.push_back({i, code->places.at(i).line});
    code->decisions->oppose({});
  }
  return out;
}

}  // namespace lockstep::emulator
