// SPDX-License-Identifier: Apache-2.0
// Attack: kernels that do nothing.
// Expect: fail 0..0
#include "../every06.cuh"
#include "../given06.cuh"

__device__ void move(float* out, const float* in, int i, int from, int n) {}
template <typename T>
__device__ void product(T* c, const T* a, const T* b, int i, int N, int R, int M) {}
