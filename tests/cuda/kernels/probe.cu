// SPDX-License-Identifier: Apache-2.0
// Kernels for the tests of the CUDA backend: counts that can be worked out by hand, and faults,
// one a kernel.
#include <cassert>
#include <cstdio>

struct LaunchShape {
  int blocks_per_sm, warps_per_block;
};
extern "C" __device__ const LaunchShape launch_shape = {3, 8};
__device__ int state;
static __device__ int internal_state;
__device__ int initial_state[3] = {10, 20, 30};
__constant__ int constant_state = 40;

// One load and one store a thread: a request and four sectors each a warp.
extern "C" __global__ void copy_words(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// A stride of `stride` words in shared memory: that many wavefronts a load while it divides 32.
extern "C" __global__ void stride_shared(float* out, const float* in, int stride) {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x * stride % 1024];
}

// 64- and 128-bit accesses: two and four wavefronts are ideal.
template <typename T>
__global__ void wide_shared(T* out, const T* in, int stride) {
  __shared__ T tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x * stride % 256];
}
template __global__ void wide_shared<double>(double*, const double*, int);
template __global__ void wide_shared<float4>(float4*, const float4*, int);

// Half of each warp takes each side.
extern "C" __global__ void diverge(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  if (threadIdx.x % 2 == 0) {
    for (int k = 0; k < n % 7 + 3; k++) x = sqrtf(x + k);
  } else {
    for (int k = 0; k < n % 5 + 4; k++) x = x * x / (k + 1.5f);
  }
  out[i] = x;
}

extern "C" __global__ void reverse_dynamic(float* out, const float* in, int n) {
  extern __shared__ float words[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) words[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = words[n - 1 - i];
}

extern "C" __global__ void count_executions(int* out) {
  if (threadIdx.x == 0) out[0] = ++state;
}
// One execution more in variables of every kind.
extern "C" __global__ void count_everywhere(int* out) {
  static int function_state = 50;
  if (threadIdx.x != 0) return;
  out[0] = ++state;
  out[1] = ++internal_state;
  out[2] = ++initial_state[1];
  out[3] = ++function_state;
  asm volatile(
      "{ .global .u32 hidden_state = 60; .reg .u32 n; ld.volatile.global.u32 n, [hidden_state];"
      " add.u32 n, n, 1; st.volatile.global.u32 [hidden_state], n; st.global.u32 [%0], n; }" ::"l"(
          out + 4)
      : "memory");
  out[5] = constant_state;
}

extern "C" __global__ void fault_far_address(float* out) {
  out[(1ll << 40) + threadIdx.x] = 1;
}
extern "C" __global__ void fault_misaligned(float* out) {
  *reinterpret_cast<float*>(reinterpret_cast<char*>(out) + 2) = 1;
}
extern "C" __global__ void fault_trap(float* out) {
  out[threadIdx.x] = 1;
  asm volatile("trap;");
}
extern "C" __global__ void fault_assert(float* out) { assert(out == nullptr); }
extern "C" __global__ void fault_forever(volatile int* out) {
  while (out[0] == 0) {
  }
}
// Two words past the end: into the guard zone.
extern "C" __global__ void write_past_the_end(float* out, int n) { out[n + 1] = 3; }
extern "C" __global__ void write_to_input(float* in) { in[threadIdx.x] = 7; }

// Attributes that forbid other launches than theirs.
extern "C" __global__ void __cluster_dims__(2, 1, 1) in_clusters(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
extern "C" __global__ void __launch_bounds__(64) small_blocks(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
