// SPDX-License-Identifier: Apache-2.0
// Style: a switch, the group's place from the first lane by a shuffle, a matrix in strides, launch
// bounds, a loop in spread().
// Expect: pass 100..100
__global__ void saxpy(float* y, const float* x, float a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void __launch_bounds__(1024) saxpy_loop(float* __restrict__ y, const float* __restrict__ x, float a,
                                                   int n) {
  const unsigned stride = blockDim.x * gridDim.x;
#pragma unroll 2
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n); i += stride)
    y[i] = fmaf(a, x[i], y[i]);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < n; row += gridDim.y * blockDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < n; col += gridDim.x * blockDim.x)
      y[row * n + col] += a * x[row * n + col];
}

constexpr int kPicks = 100;

__device__ int pick(unsigned seed, int bound) {
  seed = (seed ^ seed >> 16) * 0x7feb352du;
  seed = (seed ^ seed >> 15) * 0x846ca68bu;
  return __umulhi(seed ^ seed >> 16, bound);
}

__global__ void gather_any(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += in[pick(i * kPicks + k, n)];
  out[i] = sum;
}

__global__ void gather_segment(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += in[pick(i / 32 * kPicks + k, n / 32) * 32 + i % 32];
  out[i] = sum;
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int member = threadIdx.x & 31;
  const int team = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  constexpr int group_size = 32 * n_segments;
  int place = 0;
  if (member == 0) place = pick(team, n / group_size);
  const float* group = in + __shfl_sync(~0u, place, 0) * group_size;
  const unsigned first = (32u * team + member) * kPicks;
  float sum = 0;
#pragma unroll 5
  for (int k = 0; k < kPicks; k++) sum += __ldg(&group[pick(first + k, group_size)]);
  out[32 * team + member] = sum;
}

constexpr int kRepeats = 100;

__global__ void branches(float* out, const float* in, const float* by, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const float b = by[i];
  float value = in[i];
  for (int k = 0; k < kRepeats; k++) {
    switch (i / 32 % 4) {
      case 0:
        value += b;
        break;
      case 1:
        value -= b;
        break;
      case 2:
        value *= b;
        break;
      default:
        value /= b;
    }
  }
  out[i] = value;
}

__global__ void busy(float* out, const float* in, int turns, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float value = 0;
  for (int k = 0; k < turns; k++) value = 0.75f * value + in[i];
  out[i] = value;
}

constexpr int few_blocks(int n_threads) { return n_threads < 1024 ? n_threads : 1024; }

constexpr int spread(int n_threads, int n_sms) {
  int warps = 1;
  while (warps < 32 && n_threads > 32 * warps * n_sms) warps++;
  return 32 * warps;
}
