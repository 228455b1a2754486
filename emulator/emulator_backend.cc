// SPDX-License-Identifier: Apache-2.0
// Modules, buffers and sequences of launches.
#include "emulator/emulator_backend.h"

#include <algorithm>
#include <cstring>

#include "common/base/error.h"
#include "emulator/mutate/mutations.h"

namespace lockstep::emulator {
EmulatorBackend::EmulatorBackend(const BackendOptions& options)
    : options_(options), profile_(device_profile(options.profile)) {}

EmulatorBackend::~EmulatorBackend() = default;

void EmulatorBackend::load_module(const ModuleFiles& files) {
  mutations_.reset();
  mutated_.clear();
  reached_.clear();
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
  module_->restore_variables();  // nothing of a launch is seen behind it
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
  std::byte* const first = range(id, offset, bytes, "fill");
  size_t done = std::min<size_t>(bytes, 4);
  std::memcpy(first, &pattern, done);
  while (done < bytes) {
    const size_t more = std::min({done, size_t{4096}, bytes - done});
    std::memcpy(first + done, first, more);
    done += more;
  }
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

void EmulatorBackend::launch(const Launch& launch) { execute(launch, false); }

std::optional<double> EmulatorBackend::time_sequence(const Sequence&, const PassHooks&) {
  return std::nullopt;
}

Counts EmulatorBackend::count_sequence(const Sequence& sequence,
                                       const std::vector<std::string>& metrics) {
  std::optional<Counts> sum;
  for (Launch launch : sequence) {
    launch.continues = sum.has_value();
    Counts counts = count_launch(launch, metrics);
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
