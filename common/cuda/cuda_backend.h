// SPDX-License-Identifier: Apache-2.0
// The Backend on an NVIDIA GPU: the driver API to load, launch and time, CUPTI to count. Private
// to this folder: others call make_cuda_backend() of common/backend/backend.h.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/cuda/course_library.h"
#include "common/cuda/cuda_module.h"
#include "common/cuda/fingerprint.h"
#include "common/cuda/gpu_counters.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

class CudaBackend : public Backend {
 public:
  CudaBackend(const DeviceInfo& device, const BackendOptions& options);
  ~CudaBackend() override;

  std::string kind() const override { return "gpu"; }
  const DeviceInfo& device() const override { return info_; }
  std::vector<DeviceInfo> devices() const override;
  std::optional<int64_t> free_bytes() override;
  std::string driver_version() const override;

  void load_module(const ModuleFiles& files) override;
  const std::vector<KernelInfo>& kernels() const override;
  bool has_library() override;
  int max_blocks_per_sm(const Launch& launch) override;
  std::optional<std::vector<uint8_t>> read_global(const std::string& name) override;

  void pin(void* memory, size_t bytes) override;
  BufferId allocate(const BufferSpec& spec) override;
  void release(BufferId id) override;
  void write(BufferId id, size_t offset, const void* from, size_t bytes) override;
  void read(BufferId id, size_t offset, void* to, size_t bytes) override;
  void fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override;
  void poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override;
  void copy(BufferId to, BufferId from, size_t bytes) override;
  std::optional<uint64_t> fingerprint(BufferId id) override;
  std::vector<uint8_t> read_guards(BufferId id) override;

  void launch(const Launch& launch) override;
  std::optional<double> launched_us() override;
  void prepare_counters(const std::vector<std::string>& metrics) override {
    counters_.prepare(metrics);
  }
  void release_counters() override { counters_.disarm(); }
  std::optional<double> time_sequence(const Sequence& sequence, const PassHooks& hooks) override;
  std::vector<Counts> count_sequences(const std::vector<Sequence>& sequences,
                                      const std::vector<std::string>& metrics,
                                      const std::vector<PassHooks>& hooks) override;

 private:
  struct Buffer {
    BufferSpec spec;
    size_t guard = 0;  // bytes on each side
    Memory memory;
    CUdeviceptr data() const { return memory.get() + guard; }
  };
  // A launch that was checked, with its arguments as the driver takes them.
  struct Prepared {
    std::string name;
    CUfunction function = nullptr;
    CourseLibrary::Function enqueue = nullptr;  // in its place
    Dim3 grid, block;
    uint32_t shared = 0;
    std::vector<std::vector<uint8_t>> values;
    std::vector<void*> pointers;
  };

  void enter();  // every call: the context is current and alive
  CudaModule& module();
  Buffer& buffer(BufferId id, const char* what);
  CUdeviceptr span(BufferId id, size_t offset, size_t bytes, const char* what);

  Prepared prepare(const Launch& launch);
  std::vector<Prepared> prepare_all(const Sequence& sequence);
  Prepared prepare_library(const Launch& launch);
  void check_shape(const Launch& launch, const KernelInfo& kernel) const;
  void take_values(const Launch& launch, Prepared* prepared);
  void pack_arguments(const Launch& launch, const KernelInfo& kernel, Prepared* prepared);
  void enqueue(Prepared* prepared);
  void wait(const std::string& kernel);
  // One execution, by `body`, of kernels that find the module's variables as they were loaded.
  void execute(const PassHooks& hooks, const std::function<void()>& body);
  void run(std::vector<Prepared>* sequence);
  double timed_run(std::vector<Prepared>* sequence);
  double elapsed_us();  // from start_ to stop_, which are done
  [[noreturn]] void fail(CUresult result, const std::string& kernel);

  DeviceInfo info_;
  BackendOptions options_;
  bool debugged_ = false;
  CUdevice device_ = 0;
  PrimaryContext context_;
  Stream stream_;
  Event start_, stop_;
  std::atomic<bool> gate_open_{true};  // a timed launch waits for it in its stream
  std::unique_ptr<CudaModule> module_;
  std::map<BufferId, Buffer> buffers_;
  BufferId next_buffer_ = 1;
  std::map<std::string, bool> warm_;  // by kernel
  CourseLibrary library_;
  Fingerprint fingerprint_;
  std::string lost_to_;  // the fault that ended the context
  GpuCounters counters_;
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
