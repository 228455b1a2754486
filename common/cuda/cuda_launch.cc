// SPDX-License-Identifier: Apache-2.0
// Checking, executing and timing a launch on the card, and what went wrong with it: see
// cuda_backend.h.
#include "common/cuda/cuda_backend.h"

#if LOCKSTEP_HAS_CUDA

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace lockstep::cuda {
namespace {

struct Fault {
  CUresult result;
  const char* kind;  // of KernelFault
  const char* text;
};

constexpr Fault kFaults[] = {
    {CUDA_ERROR_ILLEGAL_ADDRESS, "illegal_address", "accessed memory that is not its own"},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, "illegal_address",
     "used an address in the wrong kind of memory"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned",
     "accessed an address that is not a multiple of the access's size"},
    {CUDA_ERROR_ASSERT, "assert", "failed an assert (its text is above)"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "trap", "executed a trap or an illegal instruction"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "timeout", "took longer than the display's GPU allows"},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, "launch_failed", "overflowed its stack"},
    {CUDA_ERROR_INVALID_PC, "launch_failed", "jumped to an address that holds no code"},
    {CUDA_ERROR_LAUNCH_FAILED, "launch_failed",
     "failed (a trap, a stack overflow or a bad shared-memory address)"},
};

// What the driver refuses before it starts a kernel, and is due to the kernel. The context lives.
struct Refusal {
  CUresult result;
  const char* text;
};

constexpr Refusal kRefusals[] = {
    {CUDA_ERROR_INVALID_VALUE,
     "its attributes (__block_size__, __launch_bounds__ or __cluster_dims__) do not allow this "
     "launch, whose shape is the homework's; leave them away"},
    {CUDA_ERROR_INVALID_CLUSTER_SIZE,
     "its cluster does not divide this launch, whose shape is the homework's; leave "
     "__cluster_dims__ away"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
     "the block needs more registers or shared memory than an SM has; use less of them"},
    {CUDA_ERROR_OUT_OF_MEMORY,
     "the GPU has not the memory for it; use fewer or smaller arrays a thread"},
};

[[noreturn]] void refuse(const std::string& kernel, const std::string& why) {
  FaultPlace place;
  place.kernel = kernel;
  throw KernelFault("launch_failed", place, "kernel " + kernel + " cannot be launched: " + why);
}

// A thread's local memory, all compute capabilities: CUDA Programming Guide, technical
// specifications.
constexpr int64_t kMostLocalBytes = 512 << 10;

constexpr char kHint[] = "the emulator and compute-sanitizer name the line that does it";

std::string shape(const Dim3& d) {
  return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}

// How long a timed launch waits in its stream at most. Under a profiler, or with
// CUDA_LAUNCH_BLOCKING=1, a launch returns only when it is done, and nobody opens the gate before.
constexpr auto kGateLimit = std::chrono::milliseconds(20);

void CUDA_CB wait_at_gate(void* open) {
  const auto limit = std::chrono::steady_clock::now() + kGateLimit;
  while (!*static_cast<std::atomic<bool>*>(open) && std::chrono::steady_clock::now() < limit) {
  }
}

// Closes the gate, and opens it at the latest when it goes.
class Gate {
 public:
  explicit Gate(std::atomic<bool>* open) : open_(*open) { open_ = false; }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { open_ = true; }
  void open() { open_ = true; }

 private:
  std::atomic<bool>& open_;
};

}  // namespace

void CudaBackend::check_shape(const Launch& launch, const KernelInfo& kernel) const {
  const uint64_t threads = launch.block.count();
  const std::string where = kernel.name + ": ";
  if (launch.grid.count() == 0 || threads == 0) throw Error(where + "a launch without threads");
  if (launch.grid.x > 0x7fffffffu || launch.grid.y > 65535 || launch.grid.z > 65535) {
    throw Error(where + "a grid of " + shape(launch.grid) +
                " blocks; at most 2147483647x65535x65535 are possible");
  }
  if (threads > static_cast<uint64_t>(info_.max_threads_per_block) || launch.block.z > 64) {
    throw Error(where + "a block of " + shape(launch.block) + " threads; this GPU takes " +
                std::to_string(info_.max_threads_per_block) + ", and at most 64 in z");
  }
  if (threads > static_cast<uint64_t>(kernel.max_threads_per_block)) {
    refuse(kernel.name, "a block of " + std::to_string(threads) + " threads; with its " +
                            std::to_string(kernel.registers) +
                            " registers a thread (or its launch bounds) it can have " +
                            std::to_string(kernel.max_threads_per_block));
  }
  if (kernel.local_bytes > kMostLocalBytes) {
    refuse(kernel.name, std::to_string(kernel.local_bytes) +
                            " bytes of local memory a thread; at most " +
                            std::to_string(kMostLocalBytes) + " are possible");
  }
  const int64_t shared = std::max<int64_t>(kernel.shared_bytes, 0) + launch.dynamic_shared_bytes;
  if (shared > info_.shared_per_block_optin) {
    refuse(kernel.name, std::to_string(shared) + " bytes of shared memory a block; this GPU has " +
                            std::to_string(info_.shared_per_block_optin));
  }
}

void CudaBackend::pack_arguments(const Launch& launch, const KernelInfo& kernel,
                                 Prepared* prepared) {
  const size_t wanted = kernel.parameter_bytes.size();
  if (launch.arguments.size() != wanted) {
    throw Error(kernel.name + ": takes " + std::to_string(wanted) + " arguments, not " +
                std::to_string(launch.arguments.size()));
  }
  take_values(launch, prepared);
  for (size_t i = 0; i < wanted; ++i) {
    const size_t bytes = prepared->values[i].size();
    if (bytes == kernel.parameter_bytes[i]) continue;
    throw Error(kernel.name + ": argument " + std::to_string(i + 1) + " has " +
                std::to_string(bytes) + " bytes; the parameter has " +
                std::to_string(kernel.parameter_bytes[i]));
  }
}

void CudaBackend::take_values(const Launch& launch, Prepared* prepared) {
  for (const Argument& argument : launch.arguments) {
    std::vector<uint8_t> value = argument.scalar;
    if (argument.is_buffer) {
      const CUdeviceptr address = span(argument.buffer, argument.offset, 0, "argument");
      value.resize(sizeof address);
      std::memcpy(value.data(), &address, sizeof address);
    }
    prepared->values.push_back(std::move(value));
  }
  for (std::vector<uint8_t>& value : prepared->values) prepared->pointers.push_back(value.data());
}

CudaBackend::Prepared CudaBackend::prepare_library(const Launch& launch) {
  Prepared prepared;
  prepared.name = launch.kernel;
  prepared.enqueue = library_.find(options_.library, launch.kernel);
  take_values(launch, &prepared);
  return prepared;
}

CudaBackend::Prepared CudaBackend::prepare(const Launch& launch) {
  if (launch.library) return prepare_library(launch);
  Prepared prepared;
  const size_t index = module().find(launch.kernel);
  const KernelInfo& kernel = module().kernels()[index];
  check_shape(launch, kernel);
  prepared.name = kernel.name;
  prepared.grid = launch.grid;
  prepared.block = launch.block;
  prepared.shared = launch.dynamic_shared_bytes;
  pack_arguments(launch, kernel, &prepared);
  prepared.function = module().function(index, prepared.shared);
  return prepared;
}

std::vector<CudaBackend::Prepared> CudaBackend::prepare_all(const Sequence& sequence) {
  std::vector<Prepared> all;
  for (const Launch& launch : sequence) all.push_back(prepare(launch));
  return all;
}

int CudaBackend::max_blocks_per_sm(const Launch& launch) {
  enter();
  const size_t kernel = module().find(launch.kernel);
  check_shape(launch, module().kernels()[kernel]);
  int blocks = 0;
  const CUresult result = driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, module().function(kernel, launch.dynamic_shared_bytes),
      static_cast<int>(launch.block.count()), launch.dynamic_shared_bytes);
  if (result != CUDA_SUCCESS) fail(result, module().kernels()[kernel].name);
  return blocks;
}

void CudaBackend::fail(CUresult result, const std::string& kernel) {
  for (const Fault& fault : kFaults) {
    if (fault.result != result) continue;
    driver().lost = true;  // such errors stay with the process
    lost_to_ = "kernel " + kernel + " " + fault.text;
    FaultPlace place;
    place.kernel = kernel;
    throw KernelFault(
        fault.kind, place,
        "kernel " + kernel + " " + fault.text + " (" + cu_error_text(result) + "); " + kHint);
  }
  for (const Refusal& r : kRefusals)
    if (r.result == result)
      refuse(kernel, std::string(r.text) + " (" + cu_error_text(result) + ")");
  throw Error("kernel " + kernel + ": " + cu_error_text(result), kExitCuda);
}

void CudaBackend::enqueue(Prepared* prepared) {
  if (prepared->enqueue != nullptr) {
    const int error = prepared->enqueue(prepared->pointers.data(), stream_.get());
    if (error != 0)
      throw Error(prepared->name + ": the library says " + std::to_string(error), kExitCuda);
    return;
  }
  const Dim3& g = prepared->grid;
  const Dim3& b = prepared->block;
  CUresult result =
      driver().cuLaunchKernel(prepared->function, g.x, g.y, g.z, b.x, b.y, b.z, prepared->shared,
                              stream_.get(), prepared->pointers.data(), nullptr);
  if (result != CUDA_SUCCESS) fail(result, prepared->name);
}

// Polls, because a wait in the driver could not be given up.
void CudaBackend::wait(const std::string& kernel) {
  using Clock = std::chrono::steady_clock;
  const bool limited = options_.time_limit_s > 0 && !debugged_;
  CUresult result = CUDA_ERROR_NOT_READY;
  if (!limited) result = driver().cuStreamSynchronize(stream_.get());
  const Clock::time_point start = Clock::now();
  while (result == CUDA_ERROR_NOT_READY) {
    result = driver().cuStreamQuery(stream_.get());
    if (result != CUDA_ERROR_NOT_READY) break;
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    if (elapsed.count() > options_.time_limit_s) {
      driver().lost = true;
      lost_to_ = "kernel " + kernel + " did not end";
      FaultPlace place;
      place.kernel = kernel;
      throw KernelFault("timeout", place,
                        "kernel " + kernel + " did not end within " +
                            std::to_string(static_cast<int64_t>(options_.time_limit_s * 1000)) +
                            " ms; look for a loop or a barrier that never ends");
    }
    if (elapsed.count() > 0.002) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  if (result != CUDA_SUCCESS) fail(result, kernel);
}

void CudaBackend::execute(const PassHooks& hooks, const std::function<void()>& body) {
  if (hooks.before) hooks.before();
  module().restore_variables();
  // What is in flight must neither be timed nor counted with the kernel.
  LOCKSTEP_CU(cuStreamSynchronize, CU_STREAM_LEGACY);
  body();
  if (hooks.after) hooks.after();
}

void CudaBackend::run(std::vector<Prepared>* sequence) {
  for (Prepared& prepared : *sequence) {
    enqueue(&prepared);
    wait(prepared.name);
  }
}

void CudaBackend::launch(const Launch& launch) {
  enter();
  std::vector<Prepared> prepared = prepare_all({launch});
  if (!launch.continues) module().restore_variables();
  LOCKSTEP_CU(cuStreamSynchronize, CU_STREAM_LEGACY);
  if (!launch.continues) LOCKSTEP_CU(cuEventRecord, start_.get(), stream_.get());
  run(&prepared);
  LOCKSTEP_CU(cuEventRecord, stop_.get(), stream_.get());
  warm_[prepared[0].name] = true;
}

std::optional<double> CudaBackend::launched_us() {
  enter();
  LOCKSTEP_CU(cuStreamSynchronize, stream_.get());
  return elapsed_us();
}

double CudaBackend::elapsed_us() {
  float milliseconds = 0;
  LOCKSTEP_CU(cuEventElapsedTime, &milliseconds, start_.get(), stop_.get());
  return double{milliseconds} * 1000;
}

// The stream is held at a gate until event, kernels and event are all in it: else the first event
// comes as soon as it is there, and the time contains the processor's, some microseconds of it. A
// fault of any of the kernels is told as the last one's; run() has told it before, as a rule.
double CudaBackend::timed_run(std::vector<Prepared>* sequence) {
  Gate gate(&gate_open_);
  LOCKSTEP_CU(cuLaunchHostFunc, stream_.get(), wait_at_gate, &gate_open_);
  LOCKSTEP_CU(cuEventRecord, start_.get(), stream_.get());
  for (Prepared& prepared : *sequence) enqueue(&prepared);
  LOCKSTEP_CU(cuEventRecord, stop_.get(), stream_.get());
  gate.open();
  wait(sequence->back().name);
  return elapsed_us();
}

std::optional<double> CudaBackend::time_sequence(const Sequence& sequence, const PassHooks& hooks) {
  enter();
  counters_.disarm();
  std::vector<Prepared> prepared = prepare_all(sequence);
  // A kernel's first launch is slower: the card has its code to fetch.
  bool warm = true;
  for (const Prepared& p : prepared) warm = std::exchange(warm_[p.name], true) && warm;
  if (!warm) execute(hooks, [&] { run(&prepared); });
  double microseconds = 0;
  execute(hooks, [&] { microseconds = timed_run(&prepared); });
  return microseconds;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
