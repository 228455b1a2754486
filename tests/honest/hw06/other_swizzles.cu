// SPDX-License-Identifier: Apache-2.0
// Style: rows of the tile rotated; the tile written turned and read straight; loops that count to 4.
// Expect: pass 100..100
#define OWN_TILE
#define OWN_SEVERAL
#define OWN_SWIZZLED
#define OWN_COPY
#include "../../hostile/given06.cuh"

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float turned[32][32 + pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) turned[threadIdx.x][threadIdx.y] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = turned[threadIdx.y][threadIdx.x];
}

template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows, int cols) {
  __shared__ float turned[32][32 + pad];
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
  for (int h = 0; h < 4; h++) {
    const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty + 8 * h;
    if (x < cols && y < rows) turned[tx][ty + 8 * h] = in[y * cols + x];
  }
  __syncthreads();
#pragma unroll
  for (int h = 0; h < 4; h++) {
    const int x = blockIdx.y * 32 + tx, y = blockIdx.x * 32 + ty + 8 * h;
    if (x < rows && y < cols) out[y * rows + x] = turned[ty + 8 * h][tx];
  }
}

__global__ void transpose_swizzled(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32 * 32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int h = 0; h < 4; h++) {
    const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty + 8 * h;
    if (x < cols && y < rows) tile[(ty + 8 * h) * 32 + (tx + ty + 8 * h) % 32] = in[y * cols + x];
  }
  __syncthreads();
  for (int h = 0; h < 4; h++) {
    const int x = blockIdx.y * 32 + tx, y = blockIdx.x * 32 + ty + 8 * h;
    if (x < rows && y < cols) out[y * rows + x] = tile[tx * 32 + (tx + ty + 8 * h) % 32];
  }
}

__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  const int n = rows * cols, step = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (int i = first; i < n / 4; i += step)
    reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (first < n % 4) out[n - 1 - first] = in[n - 1 - first];
}
