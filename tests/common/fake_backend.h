// SPDX-License-Identifier: Apache-2.0
// A backend in plain memory for tests of the harness: "kernels" are C++ functions, counts and
// times are what the test sets. It records what the harness asks of it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/backend/backend.h"

namespace lockstep::harness_test {

// What a fake kernel sees: its arguments, with bounds that it may ignore within the guards.
class FakeLaunch {
 public:
  FakeLaunch(const Launch& launch, std::map<BufferId, std::vector<uint8_t>>* memory,
             size_t guard_bytes)
      : launch_(launch), memory_(memory), guard_bytes_(guard_bytes) {}
  float* floats(size_t argument) const;
  int32_t whole(size_t argument) const;
  // Of any type.
  template <typename T>
  T* array(size_t argument) const {
    return reinterpret_cast<T*>(floats(argument));
  }
  const Launch& launch() const { return launch_; }

 private:
  const Launch& launch_;
  std::map<BufferId, std::vector<uint8_t>>* memory_;
  size_t guard_bytes_;
};

using FakeKernel = std::function<void(const FakeLaunch&)>;

class FakeBackend : public Backend {
 public:
  std::string fake_kind = "gpu";
  DeviceInfo info;
  std::vector<DeviceInfo> machine;  // devices(); {info} where empty
  std::vector<KernelInfo> kernel_list;
  std::map<std::string, FakeKernel> functions;
  Counts counts;  // what count() returns
  std::optional<double> time = 10.0;
  int counter_passes = 3;
  int blocks_per_sm = 2;
  std::optional<int64_t> free_memory;
  bool library = false;  // `functions` then has those of a library, too
  // What unreached() and scout() say: of a kernel, of a launch.
  std::function<Unreached(const std::string&)> unreached_code = [](const std::string&) {
    return Unreached();
  };
  std::function<size_t(const Launch&)> reaches = [](const Launch&) { return size_t{0}; };
  // Whether its counts are "too many instructions".
  std::function<bool(const Launch&)> is_cut = [](const Launch&) { return false; };
  std::function<void()> on_load = [] {};
  std::function<void()> at_end = [] {};
  ~FakeBackend() override { at_end(); }

  std::map<std::string, std::vector<uint8_t>> globals;

  int loads = 0, launches = 0, timed = 0, counted = 0;
  int prepared = 0;                // how often counters were
  std::optional<double> launched;  // device time of what is only verified
  std::string steps;               // 't': something was timed, 'c': counted
  std::vector<uint64_t> orders;    // of the launches
  std::vector<uint32_t> poisons;
  void forget_buffers() { memory_.clear(); }  // as a runner that is started anew
  size_t live_buffers() const { return memory_.size(); }

  // A kernel of the norm problem's signature.
  void add_kernel(const std::string& name, FakeKernel function,
                  const std::string& signature = "(float*,float const*,int)");

  std::string kind() const override { return fake_kind; }
  const DeviceInfo& device() const override { return info; }
  std::vector<DeviceInfo> devices() const override;
  std::optional<int64_t> free_bytes() override { return free_memory; }
  Unreached unreached(const std::string& kernel) override { return unreached_code(kernel); }
  std::vector<size_t> scout(const std::vector<Sequence>& sequences) override {
    std::vector<size_t> all;
    for (const Sequence& sequence : sequences) all.push_back(reaches(sequence.at(0)));
    return all;
  }
  void load_module(const ModuleFiles&) override;
  bool has_library() override { return library; }
  std::optional<double> launched_us() override { return launched; }
  void prepare_counters(const std::vector<std::string>&) override { prepared++; }
  const std::vector<KernelInfo>& kernels() const override { return kernel_list; }
  int max_blocks_per_sm(const Launch&) override { return blocks_per_sm; }
  std::optional<std::vector<uint8_t>> read_global(const std::string& name) override {
    const auto found = globals.find(name);
    return found == globals.end() ? std::nullopt : std::optional(found->second);
  }
  BufferId allocate(const BufferSpec& spec) override;
  void release(BufferId id) override;
  void write(BufferId id, size_t offset, const void* from, size_t bytes) override;
  void read(BufferId id, size_t offset, void* to, size_t bytes) override;
  void fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override;
  void poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override;
  void copy(BufferId to, BufferId from, size_t bytes) override;
  std::vector<uint8_t> read_guards(BufferId id) override;
  void launch(const Launch& launch) override;
  std::optional<double> time_sequence(const Sequence& sequence, const PassHooks& hooks) override;
  std::vector<Counts> count_sequences(const std::vector<Sequence>& sequences,
                                      const std::vector<std::string>& metrics,
                                      const std::vector<PassHooks>& hooks) override;

 private:
  uint8_t* bytes_of(BufferId id, size_t offset, size_t bytes);

  static constexpr size_t kGuard = 4096;
  std::map<BufferId, std::vector<uint8_t>> memory_;
  BufferId next_ = 1;
};

// An RTX 4090 as the card reports itself.
DeviceInfo rtx4090();

// What a right kernel does; and one that does the same with a group, for wrong variants.
void normalize(const FakeLaunch& launch, int d_l);

}  // namespace lockstep::harness_test
