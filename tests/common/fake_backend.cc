// SPDX-License-Identifier: Apache-2.0
// A backend in plain memory. See fake_backend.h.
#include "tests/common/fake_backend.h"

#include <cstring>

namespace lockstep::harness_test {

float* FakeLaunch::floats(size_t argument) const {
  const Argument& a = launch_.arguments.at(argument);
  return reinterpret_cast<float*>(memory_->at(a.buffer).data() + guard_bytes_ + a.offset);
}

int32_t FakeLaunch::whole(size_t argument) const {
  int32_t value = 0;
  std::memcpy(&value, launch_.arguments.at(argument).scalar.data(), sizeof value);
  return value;
}

void FakeBackend::add_kernel(const std::string& name, FakeKernel function,
                             const std::string& signature) {
  KernelInfo kernel;
  kernel.name = kernel.mangled = name;
  kernel.signature = signature;
  kernel.registers = 18;
  kernel.shared_bytes = kernel.local_bytes = kernel.spill_bytes = 0;
  kernel_list.push_back(kernel);
  functions[name] = std::move(function);
}

std::vector<DeviceInfo> FakeBackend::devices() const {
  return machine.empty() ? std::vector<DeviceInfo>{info} : machine;
}

void FakeBackend::load_module(const ModuleFiles&) {
  loads++;
  on_load();
}

BufferId FakeBackend::allocate(const BufferSpec& spec) {
  memory_[next_] = std::vector<uint8_t>(spec.bytes + 2 * kGuard, kGuardByte);
  return next_++;
}

void FakeBackend::release(BufferId id) { memory_.erase(id); }

uint8_t* FakeBackend::bytes_of(BufferId id, size_t offset, size_t bytes) {
  std::vector<uint8_t>& memory = memory_.at(id);
  if (offset + bytes > memory.size() - 2 * kGuard) throw Error("beyond the buffer");
  return memory.data() + kGuard + offset;
}

void FakeBackend::write(BufferId id, size_t offset, const void* from, size_t bytes) {
  std::memcpy(bytes_of(id, offset, bytes), from, bytes);
}

void FakeBackend::read(BufferId id, size_t offset, void* to, size_t bytes) {
  std::memcpy(to, bytes_of(id, offset, bytes), bytes);
}

void FakeBackend::fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  uint8_t* to = bytes_of(id, offset, bytes);
  for (size_t i = 0; i < bytes; i++) to[i] = static_cast<uint8_t>(pattern >> (8 * (i % 4)));
}

void FakeBackend::poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  poisons.push_back(pattern);
  fill(id, offset, bytes, pattern);
}

void FakeBackend::copy(BufferId to, BufferId from, size_t bytes) {
  std::memcpy(bytes_of(to, 0, bytes), bytes_of(from, 0, bytes), bytes);
}

std::vector<uint8_t> FakeBackend::read_guards(BufferId id) {
  const std::vector<uint8_t>& memory = memory_.at(id);
  std::vector<uint8_t> guards(2 * kGuard);
  std::memcpy(guards.data(), memory.data(), kGuard);
  std::memcpy(guards.data() + kGuard, memory.data() + memory.size() - kGuard, kGuard);
  return guards;
}

void FakeBackend::launch(const Launch& launch) {
  launches++;
  orders.push_back(launch.order);
  auto found = functions.find(launch.kernel);
  for (const KernelInfo& kernel : kernel_list)  // the first of that name, as other backends do
    if (found == functions.end() && kernel.name == launch.kernel)
      found = functions.find(kernel.mangled);
  found->second(FakeLaunch(launch, &memory_, kGuard));
}

std::optional<double> FakeBackend::time_sequence(const Sequence& sequence, const PassHooks& hooks) {
  timed++;
  steps += 't';
  hooks.before();
  for (const Launch& l : sequence) launch(l);
  hooks.after();
  return time;
}

std::vector<Counts> FakeBackend::count_sequences(const std::vector<Sequence>& sequences,
                                                 const std::vector<std::string>&,
                                                 const std::vector<PassHooks>& hooks) {
  std::vector<Counts> all;
  for (size_t i = 0; i < sequences.size(); i++) {
    counted++;
    steps += 'c';
    for (int pass = 0; pass < counter_passes; pass++) {
      hooks[i].before();
      for (const Launch& l : sequences[i]) launch(l);
      hooks[i].after();
    }
    all.push_back(is_cut(sequences[i].at(0)) ? Counts() : counts);
  }
  return all;
}

DeviceInfo rtx4090() {
  DeviceInfo d;
  d.name = "NVIDIA GeForce RTX 4090";
  d.chip = "AD102";
  d.cc_major = 8;
  d.cc_minor = 9;
  d.sm_count = 128;
  d.clock_khz = 2520000;
  d.memory_clock_khz = 10501000;
  d.memory_bus_bits = 384;
  d.global_bytes = int64_t{24088} << 20;
  d.l2_bytes = int64_t{73728} << 10;
  d.shared_per_block_optin = 101376;
  d.shared_per_sm = 102400;
  d.shared_reserved_per_block = 1024;
  d.max_threads_per_sm = 1536;
  d.max_blocks_per_sm = 24;
  return d;
}

void normalize(const FakeLaunch& launch, int d_l) {
  float* out = launch.floats(0);
  const float* in = launch.floats(1);
  for (int h = 0; h < launch.whole(2); h++) {
    float sum = 0;
    for (int i = 0; i < d_l; i++) sum += in[h * d_l + i];
    const float average = sum / static_cast<float>(d_l);
    for (int i = 0; i < d_l; i++) out[h * d_l + i] = in[h * d_l + i] - average;
  }
}

}  // namespace lockstep::harness_test
