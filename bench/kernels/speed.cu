// SPDX-License-Identifier: Apache-2.0
// Kernels whose emulation is timed: arithmetic alone (f32, integers, a mix), the vector
// normalization of hw02, shared memory, and global memory in long strides.
#include <cstdint>

// Eight independent chains of multiply-adds.
extern "C" __global__ void alu_f32(float* out, int n) {
  float v[8];
  const float x = 1.0f + threadIdx.x * 1e-6f, y = 1e-3f * blockIdx.x;
  for (int i = 0; i < 8; ++i) v[i] = i;
  for (int h = 0; h < n; ++h) {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = v[i] * x + y;
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = (v[i] - y) * x;
  }
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += v[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Integer products, shifts, logic, comparisons: four xorshift generators.
extern "C" __global__ void alu_int(uint32_t* out, int n) {
  uint32_t s[4], t = 0;
  for (int i = 0; i < 4; ++i) s[i] = blockIdx.x * 977 + threadIdx.x * 4 + i + 1;
  for (int h = 0; h < n; ++h) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      s[i] ^= s[i] << 13;
      s[i] ^= s[i] >> 17;
      s[i] ^= s[i] << 5;
      t = t * 2654435761u + min(s[i], t);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = t;
}

// A bit of everything that homework arithmetic has, with a branch that diverges.
extern "C" __global__ void alu_mix(float* out, int n) {
  float a = threadIdx.x, b = 0;
  int k = threadIdx.x;
  for (int h = 0; h < n; ++h) {
    k = k * 1103515245 + 12345;
    a = a * 0.999f + (k & 255);
    if ((k >> 16 & 7) == 0) b += a * a;
    else b = fmaxf(b, a) - 0.5f;
    k ^= __float_as_int(b) >> 9;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + k;
}

// Each group of G lanes takes the mean out of a vector of D elements.
template <int D, int G>
__device__ void norm_group(float* out, const float* in, int vectors) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const int lane = thread % G;
  for (int h = thread / G; h < vectors; h += threads / G) {
    const size_t start = size_t(h) * D + lane;
    float sum = 0;
    for (int i = 0; i < D; i += G) sum += in[start + i];
    for (int d = G / 2; d > 0; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
    const float mean = sum / D;
    for (int i = 0; i < D; i += G) out[start + i] = in[start + i] - mean;
  }
}
extern "C" __global__ void norm_group_16_4(float* out, const float* in, int elements) {
  norm_group<16, 4>(out, in, elements / 16);
}
extern "C" __global__ void norm_group_64_8(float* out, const float* in, int elements) {
  norm_group<64, 8>(out, in, elements / 64);
}
// One thread a vector: the lanes of a warp read and write 8 lines, and 32.
extern "C" __global__ void norm_group_8_1(float* out, const float* in, int elements) {
  norm_group<8, 1>(out, in, elements / 8);
}
extern "C" __global__ void norm_group_32_1(float* out, const float* in, int elements) {
  norm_group<32, 1>(out, in, elements / 32);
}

// Sum of a block by halving in shared memory, 32 turns.
extern "C" __global__ void shared_sum(float* out, const float* in, int elements) {
  __shared__ float part[256];
  float sum = 0;
  for (int turn = 0; turn < 32; ++turn) {
    part[threadIdx.x] = in[(blockIdx.x * 256 + threadIdx.x + turn * 256) % elements];
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
      if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
      __syncthreads();
    }
    sum += part[0];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Tile transpose of a square matrix whose side is a multiple of 32, with conflicts of two.
extern "C" __global__ void shared_transpose(float* out, const float* in, int side) {
  __shared__ float tile[32][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
  __syncthreads();
  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(v + j) * side + u] = tile[threadIdx.x][threadIdx.y + j];
}

// Every lane in a sector of its own.
extern "C" __global__ void global_stride(float* out, const float* in, int elements) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int h = 0; h < 64; ++h) sum += in[(thread * 33 + h * 4099) % elements];
  out[thread] = sum;
}
