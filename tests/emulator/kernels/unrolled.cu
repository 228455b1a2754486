// SPDX-License-Identifier: Apache-2.0
// Loops with an if in each turn and a step that only the launch knows: ptxas makes copies of
// several turns of them. Each has a twin of which there is one copy; sass_copies_test.cc compares.

template <int unroll>
__device__ float bounded(float* kept, int n, int step) {
  float x = 0;
#pragma unroll unroll
  for (int k = 0; k < n; k += step) {
    const float v = kept[(k & 3) * 64 + threadIdx.x];
    if (v > x) kept[(k & 3) * 64 + threadIdx.x] = x;
    x += v;
  }
  return x;
}

extern "C" __global__ void bounded_4(float* out, float* kept, int n, int step) {
  out[threadIdx.x] = bounded<4>(kept, n, step);
}
extern "C" __global__ void bounded_1(float* out, float* kept, int n, int step) {
  out[threadIdx.x] = bounded<1>(kept, n, step);
}

// Twice, so that the copies are entered more than once.
template <int unroll>
__device__ float chosen(const float* in, int n, int step) {
  float x = 0;
#pragma unroll 1
  for (int r = 0; r < 2; ++r) {
#pragma unroll unroll
    for (int k = 0; k < n; k += step) {
      const float v = in[k];
      if (v > x) x += in[k + 64];
      x = x * 0.5f + 3;
    }
  }
  return x;
}

extern "C" __global__ void chosen_4(float* out, const float* in, int n, int step) {
  out[threadIdx.x] = chosen<4>(in, n, step);
}
extern "C" __global__ void chosen_1(float* out, const float* in, int n, int step) {
  out[threadIdx.x] = chosen<1>(in, n, step);
}
