// SPDX-License-Identifier: Apache-2.0
// Style: launch bounds buy registers for eight loads in flight, at half the occupancy.
// Expect: pass 100..100
#define OWN_4
#define OWN_SHAPE
constexpr int kThreads = 256;
constexpr int kBlocks = 0;
#define rmse_4 __launch_bounds__(256) rmse_4
#include "../../hostile/given05.cuh"
#undef rmse_4

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  const int head = min(n, int(-start & 3)), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + head);
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float sum = 0;
  int i = first;
  for (; i + 3 * step < n4; i += 4 * step) {
    float4 x[4], y[4];
    for (int j = 0; j < 4; j++) {
      x[j] = a4[i + j * step];
      y[j] = b4[i + j * step];
    }
    for (int j = 0; j < 4; j++) sum += squares(x[j], y[j]);
  }
  for (; i < n4; i += step) sum += squares(a4[i], b4[i]);
  for (int r = first; r < head; r += step) sum += square(a[r], b[r]);
  for (int r = head + 4 * n4 + first; r < n; r += step) sum += square(a[r], b[r]);
  add_block(sums, sum);
}
