// SPDX-License-Identifier: Apache-2.0
// Buffers, launches and counts of the emulator.
#include "emulator/emulator_backend.h"

#include <algorithm>
#include <cstring>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "common/base/processors.h"
#include "emulator/exec/permutation.h"
#include "emulator/launch_check.h"
#include "emulator/predict.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostOutput = 64 * 1024;

// What local memory holds that nothing has written is on a card what another kernel left. So it is
// drawn: no number, or one of ordinary size, which no sum hides. 0 from 0.
uint32_t drawn_unwritten(uint64_t from) {
  if (from == 0) return 0;
  const auto drawn = static_cast<uint32_t>(emulator::mix(from) >> 32);
  return (drawn >> 31 != 0 ? 0x7fc00000 : 0x3f800000) | (drawn & 0x003fffff) | 1;
}

}  // namespace

EmulatorBackend::EmulatorBackend(const BackendOptions& options)
    : options_(options), profile_(device_profile(options.profile)) {}

void EmulatorBackend::load_module(const ModuleFiles& files) {
  module_.reset();
  module_ = load_module_files(files, memory_);
}

const LoadedModule& EmulatorBackend::module() const {
  if (!module_) throw Error("no module is loaded");
  return *module_;
}

const std::vector<KernelInfo>& EmulatorBackend::kernels() const { return module().kernels; }

size_t EmulatorBackend::find_kernel(const std::string& name) const {
  const std::vector<KernelInfo>& all = kernels();
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].mangled == name) return i;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return i;
  throw Error("kernel '" + name + "' is not in the module " + module().ptx.name);
}

BlockNeeds EmulatorBackend::needs(const Launch& launch) const {
  const KernelInfo& info = kernels()[find_kernel(launch.kernel)];
  BlockNeeds out;
  out.threads = static_cast<int>(launch.block.count());
  out.registers = std::max(info.registers, 0);
  out.shared_bytes = std::max<int64_t>(info.shared_bytes, 0) + launch.dynamic_shared_bytes;
  return out;
}

int EmulatorBackend::max_blocks_per_sm(const Launch& launch) {
  return emulator::max_blocks_per_sm(profile_, needs(launch));
}

std::optional<std::vector<uint8_t>> EmulatorBackend::read_global(const std::string& name) {
  const LoadedModule& m = module();
  for (size_t i = 0; i < m.variables.size(); ++i) {
    if (m.variables[i] == nullptr || m.ptx.variables[i].of_function) continue;
    if (m.ptx.variables[i].name != name && m.variables[i]->name != name) continue;
    const auto* data = reinterpret_cast<const uint8_t*>(m.variables[i]->data);
    return std::vector<uint8_t>(data, data + m.variables[i]->bytes());
  }
  return std::nullopt;
}

EmulatorBackend::Buffer& EmulatorBackend::buffer(BufferId id) {
  const auto at = buffers_.find(id);
  if (at == buffers_.end()) throw Error("buffer " + std::to_string(id) + " does not exist");
  return at->second;
}

std::byte* EmulatorBackend::range(BufferId id, size_t offset, size_t bytes, const char* what) {
  Allocation& a = *buffer(id).allocation;
  if (offset > a.bytes() || bytes > a.bytes() - offset)
    throw Error(std::string(what) + ": outside of array " + a.name + ", which has " +
                std::to_string(a.bytes()) + " bytes");
  return a.data + offset;
}

BufferId EmulatorBackend::allocate(const BufferSpec& spec) {
  Buffer b;
  const std::string name = spec.name.empty() ? "#" + std::to_string(next_buffer_) : spec.name;
  b.allocation = memory_.allocate(name, spec.bytes, false);
  b.allocation->read_only = spec.read_only;
  b.guard_bytes = spec.guard_bytes;
  buffers_[next_buffer_] = b;
  return next_buffer_++;
}

void EmulatorBackend::release(BufferId id) {
  memory_.release(buffer(id).allocation);
  buffers_.erase(id);
}

void EmulatorBackend::write(BufferId id, size_t offset, const void* from, size_t bytes) {
  std::byte* to = range(id, offset, bytes, "write");
  if (bytes != 0) std::memcpy(to, from, bytes);
  buffer(id).allocation->defined->define(offset, bytes);
}

void EmulatorBackend::read(BufferId id, size_t offset, void* to, size_t bytes) {
  const std::byte* from = range(id, offset, bytes, "read");
  if (bytes != 0) std::memcpy(to, from, bytes);
}

void EmulatorBackend::put_pattern(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  std::byte* to = range(id, offset, bytes, "fill");
  size_t i = 0;
  for (; i + 4 <= bytes; i += 4) std::memcpy(to + i, &pattern, 4);
  std::memcpy(to + i, &pattern, bytes - i);
}

void EmulatorBackend::fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  put_pattern(id, offset, bytes, pattern);
  buffer(id).allocation->defined->define(offset, bytes);
}

void EmulatorBackend::poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  put_pattern(id, offset, bytes, pattern);
  buffer(id).allocation->defined->undefine(offset, bytes);
}

void EmulatorBackend::copy(BufferId to, BufferId from, size_t bytes) {
  const std::byte* source = range(from, 0, bytes, "copy");
  std::byte* target = range(to, 0, bytes, "copy");
  if (bytes != 0) std::memmove(target, source, bytes);
  buffer(to).allocation->defined->define(0, bytes);
}

// An access to a guard faults at once, so the guards are always whole.
std::vector<uint8_t> EmulatorBackend::read_guards(BufferId id) {
  return std::vector<uint8_t>(2 * buffer(id).guard_bytes, kGuardByte);
}

void EmulatorBackend::set_parameters(const Launch& launch, const Program& program,
                                     LaunchState& state) {
  state.parameters.assign(program.parameter_bytes, std::byte{0});
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const Program::Parameter& p = program.parameters[i];
    const Argument& a = launch.arguments[i];
    uint64_t pointer = 0;
    const void* from = a.scalar.data();
    size_t bytes = a.scalar.size();
    if (a.is_buffer) {
      pointer = buffer(a.buffer).allocation->begin + a.offset;
      from = &pointer;
      bytes = sizeof pointer;
    }
    if (bytes != p.bytes)
      throw Error("launch of " + launch.kernel + ": argument " + std::to_string(i + 1) + " has " +
                  std::to_string(bytes) + " bytes, the kernel's parameter " +
                  std::to_string(p.bytes));
    std::memcpy(state.parameters.data() + p.offset, from, bytes);
  }
}

// Counts are those of ascending order: what the L1 holds, and who waits how often, hangs on it.
KernelProfile EmulatorBackend::execute(const Launch& launch, bool counted) {
  const size_t kernel = find_kernel(launch.kernel);
  check_launch(module(), kernel, launch, profile_);
  const Program& program = module().programs[kernel];
  LaunchState state;
  state.program = &program;
  state.module = module_.get();
  state.memory = &memory_;
  state.grid = launch.grid;
  state.block = launch.block;
  state.dynamic_shared = launch.dynamic_shared_bytes;
  state.shared_bytes = program.static_shared_bytes + launch.dynamic_shared_bytes;
  set_parameters(launch, program, state);
  state.sm_count = static_cast<uint32_t>(std::max(profile_.info.sm_count, 1));
  if (!launch.continues) module_->restore_variables();
  memory_.forget_changes();
  const BlockNeeds block = needs(launch);
  state.resident_blocks =
      static_cast<uint32_t>(std::max(emulator::max_blocks_per_sm(profile_, block), 1));
  state.lane_order = options_.lane_order;
  if (!counted && options_.lane_order == 0) {  // who asks for an order gets that one
    state.lane_order = launch.lane_order;
    state.permuted_warps = launch.permuted_warps;
  }
  state.order = counted ? 0 : launch.order;
  // Counted ones have no order, but nothing may tell that they are counted.
  state.unwritten =
      drawn_unwritten(counted ? emulator::mix(emulator::first_window() ^ steps_) : state.order);
  state.step_budget = options_.step_budget != 0 ? options_.step_budget : kDefaultStepBudget;
  if (options_.total_step_budget != 0) {
    const uint64_t left = options_.total_step_budget - std::min(steps_, options_.total_step_budget);
    if (left < state.step_budget) {
      state.step_budget = left;
      state.total_step_budget = options_.total_step_budget;
    }
  }
  LaunchOptions options;
  options.threads = options_.threads > 0 ? options_.threads : processors();
  options.model_l1 = counted;
  options.l1.capacity_bytes =
      static_cast<uint64_t>(std::max<int64_t>(l1_capacity(profile_, block), 0));
  options.l1.write_through = profile_.l1_write_through;
  options.l1.resident_blocks = static_cast<int>(state.resident_blocks);
  const auto keep = [&] {
    steps_ += state.steps;
    output_ += state.output;
    if (output_.size() > kMostOutput) output_.resize(kMostOutput);
  };
  try {
    KernelProfile profile = run_launch(state, options);
    keep();
    return profile;
  } catch (...) {
    keep();
    throw;
  }
}

void EmulatorBackend::launch(const Launch& launch) { execute(launch, false); }

std::optional<double> EmulatorBackend::time_sequence(const Sequence&, const PassHooks&) {
  return std::nullopt;
}

namespace {

// With another order of the lanes a warp takes more turns than any card would.
Counts not_counted(const std::vector<std::string>& metrics) {
  Counts none;
  for (const std::string& name : metrics.empty() ? standard_metrics() : metrics)
    none.unavailable[name] = "the lanes run in another order than a card's; leave out --lane-order";
  return none;
}

Counts asked_of(Counts counts, const std::vector<std::string>& metrics) {
  if (metrics.empty()) return counts;
  Counts asked;
  asked.lines = std::move(counts.lines);
  for (const std::string& name : metrics) {
    if (const auto value = counts.values.find(name); value != counts.values.end())
      asked.values.insert(*value);
    else if (const auto why = counts.unavailable.find(name); why != counts.unavailable.end())
      asked.unavailable.insert(*why);
    else
      asked.unavailable[name] = "not offered by the emulator";
  }
  return asked;
}

}  // namespace

Counts EmulatorBackend::count_sequence(const Sequence& sequence,
                                       const std::vector<std::string>& metrics) {
  std::optional<Counts> sum;
  PredictOptions options;
  options.lines = options_.lines;
  for (Launch launch : sequence) {
    launch.continues = sum.has_value();
    const KernelProfile profile = execute(launch, true);
    if (options_.lane_order != 0) {
      sum = not_counted(metrics);
      continue;
    }
    Counts counts = asked_of(
        predict_counts(profile, module_->cubin ? &*module_->cubin : nullptr, profile_, options),
        metrics);
    if (sum)
      sum->add(counts);
    else
      sum = std::move(counts);
  }
  return sum.value_or(Counts());
}

std::vector<Counts> EmulatorBackend::count_sequences(const std::vector<Sequence>& sequences,
                                                     const std::vector<std::string>& metrics,
                                                     const std::vector<PassHooks>& hooks) {
  std::vector<Counts> all;
  for (size_t i = 0; i < sequences.size(); ++i) {
    if (hooks.at(i).before) hooks[i].before();
    all.push_back(count_sequence(sequences[i], metrics));
    if (hooks[i].after) hooks[i].after();
  }
  return all;
}

std::string EmulatorBackend::take_output() { return std::exchange(output_, {}); }

}  // namespace lockstep::emulator

namespace lockstep {

std::unique_ptr<Backend> make_emulator_backend(const BackendOptions& options) {
  return std::make_unique<emulator::EmulatorBackend>(options);
}

}  // namespace lockstep
