// SPDX-License-Identifier: Apache-2.0
// Attack: does the first half of the elements.
// Expect: fail 0..0
#include "../every06.cuh"
#include "../given06.cuh"

__device__ void move(float* out, const float* in, int i, int from, int n) {
  if (i < n / 2) out[i] = in[from];
}
template <typename T>
__device__ void product(T* c, const T* a, const T* b, int i, int N, int R, int M) {
  T sum = 0;
  for (int k = 0; k < R; k++) sum += a[i / M * R + k] * b[k * M + i % M];
  if (i < N * M / 2) c[i] = sum;
}
