// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies (cp.async): what a card counts for them. Each kernel has one question, which
// its comment tells; launches.tsv has the launches. in has 2^20 floats.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/pipeline>

#define KERNEL extern "C" __global__ void

namespace {

template <int BYTES>
__device__ void copy(void* to, const void* from) {
  __pipeline_memcpy_async(to, from, BYTES);
}
// cp.async.ca of 16 bytes, for which cuda_pipeline.h has no name.
__device__ void copy_through_l1(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
// The first `taken` bytes; the rest is 0.
__device__ void copy_some(void* to, const void* from, int taken) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(taken)
               : "memory");
}
__device__ void wait() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__device__ int element() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace

// Neighbours: 1, 2 and 4 wavefronts, 4, 8 and 16 sectors?
KERNEL copy_4(float* out, const float* in, int n) {
  __shared__ float s[256];
  copy<4>(&s[threadIdx.x], in + element());
  wait();
  out[element()] = s[threadIdx.x];
}
KERNEL copy_8(float* out, const float* in, int n) {
  __shared__ float2 s[256];
  copy<8>(&s[threadIdx.x], in + 2 * element());
  wait();
  out[element()] = s[threadIdx.x].y;
}
KERNEL copy_16(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  copy<16>(&s[threadIdx.x], in + 4 * element());
  wait();
  out[element()] = s[threadIdx.x].w;
}
KERNEL copy_16_ca(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  copy_through_l1(&s[threadIdx.x], in + 4 * element());
  wait();
  out[element()] = s[threadIdx.x].w;
}

// Places n words apart: is it the store rule, and do lanes of one word meet (n = 0)?
KERNEL places_4(float* out, const float* in, int n) {
  __shared__ float s[32 * 33];
  copy<4>(&s[threadIdx.x * n], in + (n == 0 ? 0 : threadIdx.x));
  wait();
  out[threadIdx.x] = s[threadIdx.x * n];
}
KERNEL places_16(float* out, const float* in, int n) {
  __shared__ float4 s[32 * 9];
  copy<16>(&s[threadIdx.x * n], in + (n == 0 ? 0 : 4 * threadIdx.x));
  wait();
  out[threadIdx.x] = s[threadIdx.x * n].z;
}

// Sources n elements apart, places side by side: does the source matter to the wavefronts?
KERNEL sources_4(float* out, const float* in, int n) {
  __shared__ float s[32];
  copy<4>(&s[threadIdx.x], in + threadIdx.x * n);
  wait();
  out[threadIdx.x] = s[threadIdx.x];
}
KERNEL sources_16(float* out, const float* in, int n) {
  __shared__ float4 s[32];
  copy<16>(&s[threadIdx.x], in + 4 * threadIdx.x * n);
  wait();
  out[threadIdx.x] = s[threadIdx.x].x;
}
KERNEL sources_16_ca(float* out, const float* in, int n) {
  __shared__ float4 s[32];
  copy_through_l1(&s[threadIdx.x], in + 4 * threadIdx.x * n);
  wait();
  out[threadIdx.x] = s[threadIdx.x].x;
}

// Lanes that take nothing, or n bytes: do they count sectors, wavefronts, requests?
KERNEL zeros_all(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  copy_some(&s[threadIdx.x], in + 4 * element(), n);
  wait();
  out[element()] = s[threadIdx.x].x;
}
KERNEL zeros_half(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  copy_some(&s[threadIdx.x], in + 4 * element(), threadIdx.x % 32 < 16 ? 16 : n);
  wait();
  out[element()] = s[threadIdx.x].y;
}

// Under a guard: whole warps without a copy, and halves of warps.
KERNEL guarded(float* out, const float* in, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = 1;
  if (threadIdx.x < n) copy<4>(&s[threadIdx.x], in + element());
  wait();
  out[element()] = s[threadIdx.x];
}

// The same bytes twice: from L2 each time, or once through L1?
KERNEL again_ca(float* out, const float* in, int n) {
  __shared__ float s[2][256];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    copy<4>(&s[k % 2][threadIdx.x], in + threadIdx.x);
    wait();
    sum += s[k % 2][threadIdx.x];
  }
  out[element()] = sum;
}
KERNEL again_cg(float* out, const float* in, int n) {
  __shared__ float4 s[2][256];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    copy<16>(&s[k % 2][threadIdx.x], in + 4 * threadIdx.x);
    wait();
    sum += s[k % 2][threadIdx.x].x;
  }
  out[element()] = sum;
}
// A load after a copy of the same bytes: does the copy leave them in L1, and find what a load left?
KERNEL load_after(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  if (n & 1) copy<16>(&s[threadIdx.x], in + 4 * threadIdx.x);
  if (n & 2) copy_through_l1(&s[threadIdx.x], in + 4 * threadIdx.x);
  wait();
  const float x = reinterpret_cast<const float4*>(in)[threadIdx.x].y;
  out[element()] = x + s[threadIdx.x].x;
}
KERNEL load_before(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  const float x = reinterpret_cast<const volatile float4*>(in)[threadIdx.x].y;
  out[element()] = x;
  if (n & 1) copy<16>(&s[threadIdx.x], in + 4 * threadIdx.x);
  if (n & 2) copy_through_l1(&s[threadIdx.x], in + 4 * threadIdx.x);
  wait();
  out[element()] += s[threadIdx.x].x;
}

// A pipeline of two buffers over n tiles of 1024 elements; with a ragged end in the last.
KERNEL pipeline_2(float* out, const float* in, int n) {
  __shared__ float4 s[2][256];
  const int t = threadIdx.x, first = blockIdx.x * n;
  float sum = 0;
  copy<16>(&s[0][t], in + 1024 * first + 4 * t);
  __pipeline_commit();
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n) copy<16>(&s[(k + 1) % 2][t], in + 1024 * (first + k + 1) + 4 * t);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][255 - t].x + s[k % 2][t].w;
    __syncthreads();
  }
  out[element()] = sum;
}
KERNEL ragged(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  const int left = n - 4 * element();
  copy_some(&s[threadIdx.x], in + 4 * element(), left >= 4 ? 16 : left > 0 ? 4 * left : 0);
  wait();
  __syncthreads();
  out[element()] = s[255 - threadIdx.x].x;
}

// What the libraries make of it.
KERNEL cuda_pipeline(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], reinterpret_cast<const float4*>(in) + element(),
                     cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[element()] = s[255 - threadIdx.x].x;
  pipe.consumer_release();
}
KERNEL group_copy(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, s, reinterpret_cast<const float4*>(in) + 256 * blockIdx.x,
                                   sizeof s);
  cooperative_groups::wait(block);
  out[element()] = s[255 - threadIdx.x].x;
}
