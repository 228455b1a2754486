// SPDX-License-Identifier: Apache-2.0
// Style: transpose_best with tiles of 32 x 32 and 64 threads; register blocking with an unpadded tile of A
// that is stored turned, and a depth of 8.
// Expect: pass 100..100
#define OWN_TRANSPOSE
#define OWN_REGISTERS
#include "../../hostile/given06.cuh"

constexpr int best_tile = 32, best_threads = 64;

__global__ void transpose_best(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][33];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  const bool wide = rows % 4 == 0 && cols % 4 == 0;
  if (wide) {
    const int i = threadIdx.x % 8 * 4, j = threadIdx.x / 8;
    for (int k = j; k < j + 32; k += 8)
      if (top + k < rows && left + i < cols) {
        const float4 v = *reinterpret_cast<const float4*>(in + (top + k) * cols + left + i);
        tile[i][k] = v.x, tile[i + 1][k] = v.y, tile[i + 2][k] = v.z, tile[i + 3][k] = v.w;
      }
    __syncthreads();
    for (int k = j; k < j + 32; k += 8)
      if (left + k < cols && top + i < rows)
        *reinterpret_cast<float4*>(out + (left + k) * rows + top + i) =
            make_float4(tile[k][i], tile[k][i + 1], tile[k][i + 2], tile[k][i + 3]);
  } else {
    const int i = threadIdx.x % 32, j = threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < 32; k += 2)
      if (top + j + k < rows && left + i < cols) tile[i][j + k] = in[(top + j + k) * cols + left + i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 2)
      if (left + j + k < cols && top + i < rows) out[(left + j + k) * rows + top + i] = tile[j + k][i];
  }
}

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[8][64 + 1], sb[8][64];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const int x0 = blockIdx.x * 64, y0 = blockIdx.y * 64;
  T sum[4][4] = {};
  for (int k0 = 0; k0 < R; k0 += 8) {
    for (int h = 0; h < 2; h++) {
      const int ka = k0 + t % 8, y = y0 + t / 8 + 32 * h;
      sa[t % 8][t / 8 + 32 * h] = ka < R && y < N ? a[y * R + ka] : 0;
      const int kb = k0 + t / 64 + 4 * h, x = x0 + t % 64;
      sb[t / 64 + 4 * h][t % 64] = kb < R && x < M ? b[kb * M + x] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += sa[k][ty + 16 * i] * sb[k][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (y0 + ty + 16 * i < N && x0 + tx + 16 * j < M)
        c[(y0 + ty + 16 * i) * M + x0 + tx + 16 * j] = sum[i][j];
}
