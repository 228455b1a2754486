// SPDX-License-Identifier: Apache-2.0
// Attack: transpose_best loads and stores 16 bytes where the number of columns allows it; that of rows is taken to
// be as good.
// Expect: student_error|partial 87..88
// Expect gpu: student_error|fail|partial 0..90
#define OWN_TRANSPOSE
#include "../given06.cuh"

constexpr int best_tile = 64, best_threads = 256;

__global__ void transpose_best(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[64][65];
  const int left = blockIdx.x * 64, top = blockIdx.y * 64;
  const int wide = cols % 4 == 0 ? 4 : 1, n = 64 / wide;
  for (int t = threadIdx.x; t < 64 * n; t += 256) {
    const int x = t % n * wide, y = t / n;
    if (left + x >= cols || top + y >= rows) continue;
    const float* const from = &in[(top + y) * cols + left + x];
    if (wide == 4) {
      const float4 v = *reinterpret_cast<const float4*>(from);
      tile[x][y] = v.x;
      tile[x + 1][y] = v.y;
      tile[x + 2][y] = v.z;
      tile[x + 3][y] = v.w;
    } else {
      tile[x][y] = *from;
    }
  }
  __syncthreads();
  for (int t = threadIdx.x; t < 64 * n; t += 256) {
    const int x = t % n * wide, y = t / n;
    if (top + x >= rows || left + y >= cols) continue;
    float* const to = &out[(left + y) * rows + top + x];
    const float* const v = &tile[y][x];
    if (wide == 4)
      *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
    else
      *to = *v;
  }
}
