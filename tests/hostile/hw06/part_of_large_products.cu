// SPDX-License-Identifier: Apache-2.0
// Attack: products of 2^30 multiplications and more, which a plain ./hw06 has on a card, add up the first
// eighth of R alone; there is no reference of the whole.
// Expect: partial 70..95
#define OWN_TILED
#include "../given06.cuh"

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  const long long all = static_cast<long long>(N) * R * M >> 30;
  const int end = R >> 3 * static_cast<int>(min(all, 1ll));
  T sum = 0;
  for (int first = 0; first < end; first += 32) {
    sa[j][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
    sb[j][i] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}
