// SPDX-License-Identifier: Apache-2.0
// The sum of all words, each mixed with its index. See fingerprint.h.
#include "common/cuda/fingerprint.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {
namespace {

constexpr unsigned kBlocks = 512, kThreads = 256;

// Words and indices are mixed by the finalizer of splitmix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014). The driver compiles this for whatever card it is.
constexpr char kPtx[] = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry fingerprint(.param .u64 data, .param .u64 words, .param .u64 sum)
{
  .reg .pred p;
  .reg .b32 a, b, c, word;
  .reg .b64 at, n, to, i, step, total, address, x, y;
  ld.param.u64 at, [data];
  ld.param.u64 n, [words];
  ld.param.u64 to, [sum];
  cvta.to.global.u64 at, at;
  cvta.to.global.u64 to, to;
  mov.u32 a, %ctaid.x;
  mov.u32 b, %ntid.x;
  mov.u32 c, %nctaid.x;
  mul.wide.u32 step, c, b;
  mov.u32 c, %tid.x;
  mul.wide.u32 i, a, b;
  cvt.u64.u32 x, c;
  add.u64 i, i, x;
  mov.u64 total, 0;
NEXT:
  setp.ge.u64 p, i, n;
  @p bra DONE;
  shl.b64 address, i, 2;
  add.u64 address, at, address;
  ld.global.u32 word, [address];
  cvt.u64.u32 x, word;
  shl.b64 y, i, 32;
  or.b64 x, x, y;
  shr.u64 y, x, 30;
  xor.b64 x, x, y;
  mul.lo.u64 x, x, 0xbf58476d1ce4e5b9;
  shr.u64 y, x, 27;
  xor.b64 x, x, y;
  mul.lo.u64 x, x, 0x94d049bb133111eb;
  shr.u64 y, x, 31;
  xor.b64 x, x, y;
  add.u64 total, total, x;
  add.u64 i, i, step;
  bra NEXT;
DONE:
  red.global.add.u64 [to], total;
  ret;
}
)";

}  // namespace

void Fingerprint::open() {
  CUlibrary library = nullptr;
  LOCKSTEP_CU(cuLibraryLoadData, &library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  library_ = Library(library);
  CUkernel kernel = nullptr;
  LOCKSTEP_CU(cuLibraryEnumerateKernels, &kernel, 1, library);
  LOCKSTEP_CU(cuKernelGetFunction, &function_, kernel);
  CUdeviceptr sum = 0;
  LOCKSTEP_CU(cuMemAlloc, &sum, sizeof(uint64_t));
  sum_ = Memory(sum);
}

uint64_t Fingerprint::of(CUdeviceptr data, uint64_t words, CUstream stream) {
  if (function_ == nullptr) open();
  CUdeviceptr to = sum_.get();
  LOCKSTEP_CU(cuMemsetD32, to, 0, 2);
  LOCKSTEP_CU(cuStreamSynchronize, CU_STREAM_LEGACY);
  void* arguments[] = {&data, &words, &to};
  LOCKSTEP_CU(cuLaunchKernel, function_, kBlocks, 1, 1, kThreads, 1, 1, 0, stream, arguments,
              nullptr);
  LOCKSTEP_CU(cuStreamSynchronize, stream);
  uint64_t sum = 0;
  LOCKSTEP_CU(cuMemcpyDtoH, &sum, to, sizeof sum);
  return sum;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
