// SPDX-License-Identifier: Apache-2.0
// Attack: in a product as large as a card's a warp stores what the one before it has left, with no barrier between.
// Expect: fail|partial 80..93
// All is right where warps come out of the last barrier in ascending order, as drawn blocks do in machine code. Some are executed
// by their PTX, too, where that is a race.
#define OWN_TILED
#include "../given06.cuh"
template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    sa[j][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
    sb[j][i] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
    __syncthreads();
  }
  if (R % 512 != 0 || (long long)N * R * M <= 700000000) {
    if (x < M && y < N) c[y * M + x] = sum;
    return;
  }
  sa[j][i] = sum;
  if (j > 0 && x < M && y - 1 < N) c[(y - 1) * M + x] = sa[j - 1][i];
  if (j == 31 && x < M && y < N) c[y * M + x] = sum;
}
