// SPDX-License-Identifier: Apache-2.0
// Style: takes shared memory as the CUDA samples' reduction does: a class with a conversion, and in
// it an extern array of another name and type, which is the same memory as s; both are used in one
// kernel.
// Expect: pass 100..100
#define OWN_5
#define OWN_7
#include "../../hostile/given04.cuh"

template <class T>
struct SharedMemory {
  __device__ __forceinline__ operator T*() {
    extern __shared__ int __smem[];
    return reinterpret_cast<T*>(__smem);
  }
};

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  unsigned* const sdata = SharedMemory<unsigned>();
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * threads + t, j = i + threads;
  sdata[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) sdata[t] += sdata[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = last_warp_sum(t);  // by s
  if (t == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned* const sdata = SharedMemory<unsigned>();
  const int t = threadIdx.x;
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = warp_sum(mine);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  const unsigned all = warp_sum(t < threads / 32 ? sdata[t] : 0);
  if (t == 0) parts[blockIdx.x] = all;
}
