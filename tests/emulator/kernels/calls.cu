// SPDX-License-Identifier: Apache-2.0
// Kernels that call functions: of the module, and of the system.
#include <cstdio>

#define KERNEL(name) extern "C" __global__ void name(float* out, const float* in, int n)
#define TID (blockIdx.x * blockDim.x + threadIdx.x)

__device__ __noinline__ float sum_of_three(const float* p) {
  float sum = 0;
  for (int i = 0; i < 3; i++) sum += p[i];
  return sum;
}

KERNEL(never_prints) {
  if (n < 0) printf("impossible: %d\n", n);
  out[TID] = in[TID] * 2;
}

KERNEL(prints_once) {
  if (TID == 0) printf("n is %d\n", n);
  out[TID] = in[TID] * 2;
}

KERNEL(calls_a_function) { out[TID] = sum_of_three(in + TID); }

__device__ __noinline__ int fibonacci(int k) {
  return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}

KERNEL(recurses) { out[TID] = fibonacci(TID % 4 * n); }

// A frame for each: no loop can be made of it.
__device__ __noinline__ float descend(const float* in, int n) {
  return n == 0 ? in[0] : in[n & 1] + descend(in, n - 1);
}
KERNEL(descends) { out[TID] = descend(in, n); }

// Names like those of ptxas's own routines.
extern "C" __device__ __noinline__ void __cuda_sm20_add_strided(float* out, const float* in) {
  const volatile float* from = in;
  volatile float* to = out;
  for (int i = 0; i < 4; i++) to[TID] = from[TID / 8] + from[i];
}

__device__ __noinline__ void __internal_0_add(float* out, const float* in) {
  const volatile float* from = in;
  volatile float* to = out;
  for (int i = 0; i < 4; i++) to[TID] = from[TID / 8] + from[i];
}

__device__ __noinline__ void add_strided(float* out, const float* in) {
  const volatile float* from = in;
  volatile float* to = out;
  for (int i = 0; i < 4; i++) to[TID] = from[TID / 8] + from[i];
}

KERNEL(calls_named_cuda_sm) { __cuda_sm20_add_strided(out, in); }
KERNEL(calls_named_internal) { __internal_0_add(out, in); }
KERNEL(calls_named_otherwise) { add_strided(out, in); }
