// SPDX-License-Identifier: Apache-2.0
// Attack: part 1 stays in the order that is given out; y is added to by atomic operations, which load and
// store nothing, and for what that saves x may be read twice as badly.
// Expect: partial 70..80
// Expect gpu: partial 70..92
#include "../given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int share = ((n + n_threads - 1) / n_threads + 3) / 4 * 4;
  const int start = tid * share, stop = min(start + share, n);
  int i = start;
  for (; i + 3 < stop; i += 4) {
    const float4 v = *reinterpret_cast<const float4*>(x + i);
    atomicAdd(y + i, a * v.x);
    atomicAdd(y + i + 1, a * v.y);
    atomicAdd(y + i + 2, a * v.z);
    atomicAdd(y + i + 3, a * v.w);
  }
#pragma unroll 1
  for (; i < stop; i++) atomicAdd(y + i, a * x[i]);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.x + blockIdx.x * blockDim.x;   // as given out
  const int part = threadIdx.y + blockIdx.y * blockDim.y;  // four columns
  if (row >= n) return;
  const int begin = row * n, end = begin + n;
  const int at = begin / 4 * 4 + 4 * part;
  if (at >= end) return;
  if (at >= begin && at + 4 <= end) {
    const float4 v = *reinterpret_cast<const float4*>(x + at);
    atomicAdd(y + at, a * v.x);
    atomicAdd(y + at + 1, a * v.y);
    atomicAdd(y + at + 2, a * v.z);
    atomicAdd(y + at + 3, a * v.w);
  } else {
#pragma unroll 1
    for (int i = max(at, begin); i < min(at + 4, end); i++) atomicAdd(y + i, a * x[i]);
  }
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) { solved_gather<n_segments>(out, in, n); }
__global__ void branches(float* out, const float* in, const float* by, int n) { solved_branches(out, in, by, n); }
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
