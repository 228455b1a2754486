// SPDX-License-Identifier: Apache-2.0
// Attack: takes the next element, and leaves out the last term.
// Expect: fail 0..0
#include "../every06.cuh"
#include "../given06.cuh"

__device__ void move(float* out, const float* in, int i, int from, int n) {
  out[i] = in[(from + 1) % n];
}
template <typename T>
__device__ void product(T* c, const T* a, const T* b, int i, int N, int R, int M) {
  T sum = 0;
  for (int k = 0; k < R - 1; k++) sum += a[i / M * R + k] * b[k * M + i % M];
  c[i] = sum;
}
