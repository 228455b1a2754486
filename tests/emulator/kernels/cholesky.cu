// SPDX-License-Identifier: Apache-2.0
// Cholesky factorisations by one warp in shared memory: lanes drop out of loops over rows and
// columns, which ptxas unrolls, guards and rearranges. What is counted there is never marked exact.
// For tools/run-kernel: --grid 1 --block 32 --arg out:16384 in:f32:@FILE (N x N floats).

#define KERNEL extern "C" __global__ void

// A lane has a column, reads down it: the pivot's reciprocal first.
template <int N, int P>
__device__ void by_columns(float* out, const float* in) {
  __shared__ float a[N * P];
  int t = threadIdx.x;
  for (int i = t; i < N * N; i += 32) a[i / N * P + i % N] = in[i];
  __syncwarp();
  for (int k = 0; k < N; ++k) {
    if (t == 0) a[k * P + k] = sqrtf(a[k * P + k]);
    __syncwarp();
    float r = 1.0f / a[k * P + k];
    for (int i = k + 1 + t; i < N; i += 32) a[i * P + k] *= r;
    __syncwarp();
    for (int j = k + 1 + t; j < N; j += 32) {
      float v = a[j * P + k];
      for (int i = j; i < N; ++i) a[i * P + j] -= a[i * P + k] * v;
    }
    __syncwarp();
  }
  for (int i = t; i < N * N; i += 32) out[i] = a[i / N * P + i % N];
}

// A lane has a row.
template <int N, int P>
__device__ void by_rows(float* out, const float* in) {
  __shared__ float a[N * P];
  int t = threadIdx.x;
  for (int i = t; i < N * N; i += 32) a[i / N * P + i % N] = in[i];
  __syncwarp();
  for (int k = 0; k < N; ++k) {
    float d = sqrtf(a[k * P + k]);
    __syncwarp();
    if (t == 0) a[k * P + k] = d;
    for (int i = k + 1 + t; i < N; i += 32) a[i * P + k] /= d;
    __syncwarp();
    for (int i = k + 1 + t; i < N; i += 32)
      for (int j = k + 1; j <= i; ++j) a[i * P + j] -= a[i * P + k] * a[j * P + k];
    __syncwarp();
  }
  for (int i = t; i < N * N; i += 32) out[i] = a[i / N * P + i % N];
}

// Left-looking: a lane's row against the pivot's.
template <int P>
__device__ void left_looking(float* out, const float* in) {
  __shared__ float a[32 * P];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) a[i * P + t] = in[i * 32 + t];
  __syncwarp();
  for (int k = 0; k < 32; ++k) {
    float s = 0;
    if (t >= k) {
      s = a[t * P + k];
      for (int j = 0; j < k; ++j) s -= a[t * P + j] * a[k * P + j];
    }
    float d = sqrtf(__shfl_sync(0xffffffffu, s, k));
    if (t == k) a[k * P + k] = d;
    if (t > k) a[t * P + k] = s / d;
    __syncwarp();
  }
  for (int i = 0; i < 32; ++i) out[i * 32 + t] = a[i * P + t];
}

KERNEL columns_32(float* out, const float* in) { by_columns<32, 32>(out, in); }
KERNEL columns_33(float* out, const float* in) { by_columns<32, 33>(out, in); }
KERNEL columns_64(float* out, const float* in) { by_columns<64, 64>(out, in); }
KERNEL columns_65(float* out, const float* in) { by_columns<64, 65>(out, in); }
KERNEL rows_32(float* out, const float* in) { by_rows<32, 32>(out, in); }
KERNEL rows_33(float* out, const float* in) { by_rows<32, 33>(out, in); }
KERNEL rows_65(float* out, const float* in) { by_rows<64, 65>(out, in); }
KERNEL left_32(float* out, const float* in) { left_looking<32>(out, in); }
KERNEL left_33(float* out, const float* in) { left_looking<33>(out, in); }

// Whole warps take each turn of these loops, unrolled or not: by construction as on a card.
KERNEL whole_warps(float* out, const float* in) {
  __shared__ float a[64 * 33];
  int t = threadIdx.x;
  for (int i = 0; i < 64; ++i) a[i * 33 + t] = in[i * 32 + t];
  __syncwarp();
  float s = 0;
  for (int i = 0; i < 32; ++i) s += a[t * 33 + i];
  out[t] = s;
}
