// SPDX-License-Identifier: Apache-2.0
// Attack: every element is added to a variable with an atomic; block 0 hands it over before all are there.
// Expect: fail|partial 0..20
// Expect gpu: fail|partial 0..20
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#define OWN_5
#define OWN_6
#define OWN_7
#define OWN_8
#include "../given04.cuh"

__device__ unsigned total;

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}

__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}
