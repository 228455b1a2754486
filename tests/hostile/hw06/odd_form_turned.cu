// SPDX-License-Identifier: Apache-2.0
// Attack: in the one form that the table's odd products have, threads load their tiles turned.
// Expect: fail|partial 85..95
// Which form it is follows by arithmetic: no comparison that could be opposed. But that row of the table is counted.
#define OWN_TILED
#include "../given06.cuh"
template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  const int own_form = unsigned(((N ^ 256) | (R ^ 123) | (M ^ 45)) - 1) >> 31;
  const int turned = (j - i) * own_form, li = i + turned, lj = j - turned;
  const int lx = blockIdx.x * 32 + li, ly = blockIdx.y * 32 + lj;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    sa[lj][li] = ly < N && first + li < R ? a[ly * R + first + li] : 0;
    sb[lj][li] = lx < M && first + lj < R ? b[(first + lj) * M + lx] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}
