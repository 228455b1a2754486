// SPDX-License-Identifier: Apache-2.0
// Buffers of the CUDA backend, each with a guard zone on both sides: see cuda_backend.h.
#include "common/cuda/cuda_backend.h"

#if LOCKSTEP_HAS_CUDA

#include <cstring>

namespace lockstep::cuda {
namespace {

constexpr size_t kAlignment = 256;  // of a buffer's first byte, as the driver's own allocations

std::string mebibytes(size_t bytes) {
  const size_t tenths = (bytes * 10 + (size_t{1} << 19)) >> 20;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB";
}

}  // namespace

// For faster copies. Where it cannot be pinned they go on as they are.
void CudaBackend::pin(void* memory, size_t bytes) {
  enter();
  (void)driver().cuMemHostRegister(memory, bytes, 0);
}

BufferId CudaBackend::allocate(const BufferSpec& spec) {
  enter();
  Buffer fresh;
  fresh.spec = spec;
  fresh.guard = (spec.guard_bytes + kAlignment - 1) / kAlignment * kAlignment;
  const size_t total = spec.bytes + 2 * fresh.guard;
  size_t free = 0, all = 0;
  LOCKSTEP_CU(cuMemGetInfo, &free, &all);
  CUdeviceptr memory = 0;
  CUresult result = total > free || total < spec.bytes
                        ? CUDA_ERROR_OUT_OF_MEMORY
                        : driver().cuMemAlloc(&memory, total == 0 ? 1 : total);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    throw Error("buffer " + spec.name + " needs " + mebibytes(spec.bytes) + " and the GPU has " +
                mebibytes(free) + " free; use a smaller input");
  }
  check_cu(result, "cuMemAlloc", __FILE__, __LINE__);
  fresh.memory = Memory(memory);
  LOCKSTEP_CU(cuMemsetD8, memory, kGuardByte, total);
  const BufferId id = next_buffer_++;
  buffers_.emplace(id, std::move(fresh));
  return id;
}

void CudaBackend::release(BufferId id) {
  enter();
  buffer(id, "release");
  buffers_.erase(id);
}

CudaBackend::Buffer& CudaBackend::buffer(BufferId id, const char* what) {
  auto found = buffers_.find(id);
  if (found == buffers_.end()) {
    throw Error(std::string(what) + ": there is no buffer " + std::to_string(id));
  }
  return found->second;
}

CUdeviceptr CudaBackend::span(BufferId id, size_t offset, size_t bytes, const char* what) {
  const Buffer& b = buffer(id, what);
  if (offset > b.spec.bytes || bytes > b.spec.bytes - offset) {
    throw Error(std::string(what) + ": bytes " + std::to_string(offset) + " to " +
                std::to_string(offset + bytes) + " of buffer " + b.spec.name + ", which has " +
                std::to_string(b.spec.bytes));
  }
  return b.data() + offset;
}

void CudaBackend::write(BufferId id, size_t offset, const void* from, size_t bytes) {
  enter();
  const CUdeviceptr to = span(id, offset, bytes, "write");
  if (bytes > 0) LOCKSTEP_CU(cuMemcpyHtoD, to, from, bytes);
}

void CudaBackend::read(BufferId id, size_t offset, void* to, size_t bytes) {
  enter();
  const CUdeviceptr from = span(id, offset, bytes, "read");
  if (bytes > 0) LOCKSTEP_CU(cuMemcpyDtoH, to, from, bytes);
}

void CudaBackend::fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  enter();
  const CUdeviceptr to = span(id, offset, bytes, "fill");
  const size_t words = to % 4 == 0 ? bytes / 4 : 0;
  if (words > 0) LOCKSTEP_CU(cuMemsetD32, to, pattern, words);
  std::vector<uint8_t> rest(bytes - words * 4);
  for (size_t i = 0; i < rest.size(); ++i) {
    rest[i] = static_cast<uint8_t>(pattern >> (8 * (i % 4)));
  }
  if (!rest.empty()) LOCKSTEP_CU(cuMemcpyHtoD, to + words * 4, rest.data(), rest.size());
}

void CudaBackend::poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  fill(id, offset, bytes, pattern);
}

void CudaBackend::copy(BufferId to, BufferId from, size_t bytes) {
  enter();
  const CUdeviceptr target = span(to, 0, bytes, "copy");
  const CUdeviceptr source = span(from, 0, bytes, "copy");
  if (bytes > 0) LOCKSTEP_CU(cuMemcpyDtoD, target, source, bytes);
}

std::optional<uint64_t> CudaBackend::fingerprint(BufferId id) {
  enter();
  const Buffer& b = buffer(id, "fingerprint");
  if (b.spec.bytes % 4 != 0) return std::nullopt;
  return fingerprint_.of(b.data(), b.spec.bytes / 4, stream_.get());
}

std::vector<uint8_t> CudaBackend::read_guards(BufferId id) {
  enter();
  const Buffer& b = buffer(id, "read_guards");
  std::vector<uint8_t> bytes(2 * b.guard);
  if (b.guard == 0) return bytes;
  LOCKSTEP_CU(cuMemcpyDtoH, bytes.data(), b.memory.get(), b.guard);
  LOCKSTEP_CU(cuMemcpyDtoH, bytes.data() + b.guard, b.data() + b.spec.bytes, b.guard);
  return bytes;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
