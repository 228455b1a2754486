// SPDX-License-Identifier: Apache-2.0
// Built with -G: what its lines say is to be found again, changed, and executed.

__device__ float twice(float x) { return x * 2; }

extern "C" __global__ void mutated(float* out, const float* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += n_threads) {
    const int at = i / 4;
    out[i] = twice(in[i]) - in[at];
  }
}

extern "C" __global__ void copied_line(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int j = 0; j < 2; j++) {
    const int at = i + j;
    sum += in[at];
  }
  for (int j = 0; j < 2; j++) {
    const int at = i + j;
    if (at < n) out[at] = sum;
  }
}

// What follows has a mistake that a statement elsewhere mends.
extern "C" __global__ void dropped(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float x = in[i];
  twice(x);
  if (i < n) out[i] = x;
}

extern "C" __global__ void never_reset(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int j = 0; j < 2; j++) {
    for (int k = 0; k < 2; k++) sum += in[i + k];
    out[i + 32 * j] = sum;
  }
}

extern "C" __global__ void one_for_all(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float one = 0;
  for (int j = 0; j < 2; j++) one = in[i + 32 * j];
  for (int j = 0; j < 2; j++) out[i + 32 * j] = one;
}

extern "C" __global__ void falls_through(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float x = in[i];
  switch (i % 3) {
    case 0:
      x = x + 100;
      break;
    case 1:
      x = x + 200;
    default:
      x = x + 300;
  }
  out[i] = x;
}

extern "C" __global__ void once(float* out, const float* in, int n) {
  int i = threadIdx.x;
  const int step = blockDim.x;
  float sum = 0;
  if (i < n) {
    sum += in[i];
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void small(float* out, const float* in, int n) {
  __shared__ float tile[16];
  const int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[31 - i];
}

extern "C" __global__ void unguarded(float* out, const float* in, int n) {
  const int i = threadIdx.x, most = n / 4;
  out[i] = in[i] + most;
}

extern "C" __global__ void no_barrier(float* out, const float* in, int n) {
  __shared__ float tile[96];
  const int i = threadIdx.x;
  tile[(i + 1) % 32] = in[i];
  out[i] = tile[i];
}

extern "C" __global__ void too_early(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float x = in[i];
  for (int j = 0; j < 2; j++) {
    if (j == 0) x = in[i + 32];
    out[i + 32 * j] = x;
  }
}

extern "C" __global__ void too_late(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int j = 0; j < 2; j++) out[i + 32 * j] = sum;
  for (int k = 0; k < 3; k++) sum += in[i + k];
}

extern "C" __global__ void exchanged(float* out, const float* in, int n) {
  const int row = threadIdx.x / 8, column = threadIdx.x % 8;
  out[threadIdx.x] = in[column * 8 + row];
}

extern "C" __global__ void array_for_all(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  float two[2];
  for (int j = 0; j < n / 48; j++)
    for (int k = 0; k < 1 + n / 96; k++) two[k] = in[i + 32 * j];
  for (int j = 0; j < n / 48; j++) out[i + 32 * j] = two[n % 2];
}

// Elements that the compiler knows.
extern "C" __global__ void parts(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  const float* row = in + 3 * i;
  if (blockIdx.x > 0) return;
  float4 four;
  four.x = row[0];
  four.y = row[1];
  four.z = row[1];
  out[i] = four.x + four.y * 100 + four.z * 10000;
}
