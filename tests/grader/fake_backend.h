// SPDX-License-Identifier: Apache-2.0
// A Backend whose kernels are C++ functions over its buffers, for tests of the runner: "double"
// doubles its first buffer into its second, "fault" faults, "sleep" sleeps, "die" ends all.
#pragma once

#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/module_files.h"

namespace lockstep::grader {

class FakeBackend : public Backend {
 public:
  FakeBackend() {
    device_.name = "Fake";
    device_.sm_count = 2;
    device_.clock_khz = 1000;
    for (const char* name : {"double", "fault", "sleep", "die", "error"}) {
      KernelInfo kernel;
      kernel.name = name;
      kernel.signature = "(float*,float*)";
      kernel.parameter_bytes = {8, 8};
      kernels_.push_back(kernel);
    }
  }
  std::string kind() const override { return "emulator"; }
  const DeviceInfo& device() const override { return device_; }
  std::string driver_version() const override { return "1.2"; }
  std::optional<int64_t> free_bytes() override { return 12345; }
  void load_module(const ModuleFiles& files) override { module_ = read_file(files.ptx); }
  const std::vector<KernelInfo>& kernels() const override { return kernels_; }
  int max_blocks_per_sm(const Launch&) override { return 3; }
  std::optional<std::vector<uint8_t>> read_global(const std::string& name) override {
    if (name != "module") return std::nullopt;
    return std::vector<uint8_t>(module_.begin(), module_.end());
  }
  BufferId allocate(const BufferSpec& spec) override {
    buffers_[++last_] = std::vector<uint8_t>(spec.bytes);
    return last_;
  }
  void release(BufferId id) override { buffers_.erase(id); }
  void write(BufferId id, size_t offset, const void* from, size_t bytes) override {
    std::memcpy(buffers_.at(id).data() + offset, from, bytes);
  }
  void read(BufferId id, size_t offset, void* to, size_t bytes) override {
    std::memcpy(to, buffers_.at(id).data() + offset, bytes);
  }
  void fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override {
    for (size_t i = 0; i + 4 <= bytes; i += 4) write(id, offset + i, &pattern, 4);
  }
  void poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override {
    fill(id, offset, bytes, pattern);
  }
  void copy(BufferId to, BufferId from, size_t bytes) override {
    write(to, 0, buffers_.at(from).data(), bytes);
  }
  std::vector<uint8_t> read_guards(BufferId) override {
    return std::vector<uint8_t>(2 * 4096, kGuardByte);
  }
  Unreached unreached(const std::string& kernel) override {
    return {kernel.size(), {3, 1 << 20}, {{17, 42}, {90, 0}}};
  }
  std::vector<size_t> scout(const std::vector<Sequence>& sequences) override {
    std::vector<size_t> blocks;
    for (const Sequence& sequence : sequences) blocks.push_back(sequence.at(0).grid.x);
    return blocks;
  }
  Opposed oppose(const Sequence& sequence) override {
    Opposed out;
    out.asked = !sequence.at(0).opposed.empty();
    for (const uint32_t i : sequence.at(0).opposed) out.more.push_back({i + 1, 7});
    return out;
  }
  void launch(const Launch& launch) override {
    ++executions;
    if (launch.kernel == "fault") {
      FaultPlace place;
      place.file = "x.cu";
      place.line = 7;
      throw KernelFault("out_of_bounds", place, "x.cu:7: too far");
    }
    if (launch.kernel == "error") throw Error("no such luck", kExitCuda);
    if (launch.kernel == "sleep") sleep(1);
    if (launch.kernel == "die") _exit(3);
    if (launch.kernel != "double") return;
    const std::vector<uint8_t>& in = buffers_.at(launch.arguments.at(0).buffer);
    std::vector<uint8_t>& out = buffers_.at(launch.arguments.at(1).buffer);
    for (size_t i = 0; i + 4 <= in.size() && i + 4 <= out.size(); i += 4) {
      float value;
      std::memcpy(&value, in.data() + i, 4);
      value *= 2;
      std::memcpy(out.data() + i, &value, 4);
    }
  }
  std::optional<double> time_sequence(const Sequence& sequence, const PassHooks& hooks) override {
    pass(sequence, hooks);
    return 12.5;
  }
  std::vector<Counts> count_sequences(const std::vector<Sequence>& sequences,
                                      const std::vector<std::string>& metrics,
                                      const std::vector<PassHooks>& hooks) override {
    std::vector<Counts> all;
    for (size_t i = 0; i < sequences.size(); ++i) {
      for (int n = 0; n < 2; ++n) pass(sequences[i], hooks[i]);
      all.push_back(some_counts(metrics));
      for (const Launch& l : sequences[i])
        if (l.drawn_blocks > 0)
          all.back().values["drawn"] = {double(l.drawn_blocks + l.drawn_from), Tier::kExact};
    }
    return all;
  }
  static Counts some_counts(const std::vector<std::string>& metrics) {
    Counts counts;
    for (const std::string& name : metrics) counts.values[name] = {42, Tier::kExact};
    counts.unavailable["dram_bytes"] = "no memory here";
    LineCounts line;
    line.file = "x.cu";
    line.line = 3;
    line.counts["warp_instructions"] = {40, Tier::kPredicted};
    counts.lines.push_back(line);
    return counts;
  }
  int executions = 0;

 private:
  void pass(const Sequence& sequence, const PassHooks& hooks) {
    if (hooks.before) hooks.before();
    for (const Launch& l : sequence) launch(l);
    if (hooks.after) hooks.after();
  }
  DeviceInfo device_;
  std::vector<KernelInfo> kernels_;
  std::map<BufferId, std::vector<uint8_t>> buffers_;
  BufferId last_ = 0;
  std::string module_;
};

}  // namespace lockstep::grader
