// SPDX-License-Identifier: Apache-2.0
// Opening a GPU, its module, and the counts of launches: see cuda_backend.h. Buffers are in
// cuda_memory.cc, launches in cuda_launch.cc.
#include "common/cuda/cuda_backend.h"

#include "common/backend/metric_names.h"
#include "common/base/debugger.h"
#include "common/cuda/devices.h"

#if LOCKSTEP_HAS_CUDA

#include <algorithm>

#include "common/cuda/sass_counter.h"

namespace lockstep::cuda {
namespace {

CUdevice device_at(int index) {
  CUdevice device = 0;
  LOCKSTEP_CU(cuDeviceGet, &device, index);
  return device;
}

}  // namespace

CudaBackend::CudaBackend(const DeviceInfo& device, const BackendOptions& options)
    : info_(device),
      options_(options),
      debugged_(under_a_debugger()),
      device_(device_at(device.index)),
      context_(device_),
      counters_(context_.get(), device_, device.index) {
  CUstream stream = nullptr;
  LOCKSTEP_CU(cuStreamCreate, &stream, CU_STREAM_DEFAULT);
  stream_ = Stream(stream);
  for (Event* event : {&start_, &stop_}) {
    CUevent fresh = nullptr;
    LOCKSTEP_CU(cuEventCreate, &fresh, CU_EVENT_DEFAULT);
    *event = Event(fresh);
  }
}

CudaBackend::~CudaBackend() {
  counters_.disarm();
  LOCKSTEP_CU_NOTHROW(cuStreamSynchronize,
                      stream_.get());  // it may hold a call that uses gate_open_
}

std::vector<DeviceInfo> CudaBackend::devices() const { return list_devices(nullptr); }

std::string CudaBackend::driver_version() const { return cuda::driver_version(); }

std::optional<int64_t> CudaBackend::free_bytes() {
  enter();
  size_t free = 0, total = 0;
  LOCKSTEP_CU(cuMemGetInfo, &free, &total);
  return static_cast<int64_t>(free);
}

void CudaBackend::enter() {
  if (!lost_to_.empty()) {
    throw Error("the GPU is lost to this process since " + lost_to_ + "; start the program again",
                kExitCuda);
  }
  LOCKSTEP_CU(cuCtxSetCurrent, context_.get());
}

void CudaBackend::load_module(const ModuleFiles& files) {
  enter();
  counters_.disarm();
  warm_.clear();
  module_.reset();
  module_ = std::make_unique<CudaModule>(files, device_, info_);
}

bool CudaBackend::has_library() {
  if (options_.library.empty()) return false;
  enter();
  return library_.usable(options_.library);
}

CudaModule& CudaBackend::module() {
  if (module_ == nullptr) throw Error("no module is loaded");
  return *module_;
}

const std::vector<KernelInfo>& CudaBackend::kernels() const {
  static const std::vector<KernelInfo> none;
  return module_ != nullptr ? module_->kernels() : none;
}

std::optional<std::vector<uint8_t>> CudaBackend::read_global(const std::string& name) {
  enter();
  return module().read_global(name);
}

std::vector<Counts> CudaBackend::count_sequences(const std::vector<Sequence>& sequences,
                                                 const std::vector<std::string>& metrics,
                                                 const std::vector<PassHooks>& hooks) {
  enter();
  if (hooks.size() != sequences.size()) throw Error("count_sequences: one set of hooks a sequence");
  std::vector<std::vector<Prepared>> prepared;
  for (const Sequence& sequence : sequences) prepared.push_back(prepare_all(sequence));
  std::vector<Counts> all =
      counters_.count(metrics, sequences.size(), [&](size_t i, const auto& push, const auto& pop) {
        execute(hooks[i], [&] {
          push();
          run(&prepared[i]);
          pop();
        });
      });
  for (size_t i = 0; i < all.size() && sass_counter_unused(); ++i) {
    if (sequences[i].size() != 1) continue;  // it would count the first launch alone
    const bool lacks_ideal = all[i].unavailable.count(metric::kSharedWavefrontsIdeal) != 0;
    if (!options_.lines && !lacks_ideal) continue;
    if (all[i].values.empty()) break;  // refused
    execute(hooks[i], [&] {
      counters_.count_instructions(
          module().cubin(), metrics, [&] { run(&prepared[i]); }, &all[i]);
    });
  }
  return all;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA

namespace lockstep {

std::unique_ptr<Backend> make_cuda_backend(const BackendOptions& options, std::string* why) {
  std::string reason;
  const std::vector<DeviceInfo> devices = cuda::list_devices(&reason);
  if (devices.empty()) {
    if (why != nullptr) *why = reason;
    return nullptr;
  }
  const int index = cuda::choose_device(devices, options.device, &reason);
  if (index < 0) {
    if (why != nullptr) *why = reason;
    return nullptr;
  }
#if LOCKSTEP_HAS_CUDA
  return std::make_unique<cuda::CudaBackend>(devices.at(static_cast<size_t>(index)), options);
#else
  return nullptr;
#endif
}

}  // namespace lockstep
