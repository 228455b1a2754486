// SPDX-License-Identifier: Apache-2.0
// Style: ranges, seats and operations are types of their own, with function objects and <cuda/cmath>.
// Expect: pass 100..100
#include <cuda/cmath>

#include "../../hostile/given03.cuh"

// --- what everything below is written with ---

namespace own {

struct Strided {
  int next, end, step;
  template <class Work>
  __device__ void each(Work work) {
    for (; next < end; next += step) work(next);
  }
};

__device__ Strided all_threads_over(int n) {
  return {int(threadIdx.x + blockIdx.x * blockDim.x), n, int(blockDim.x * gridDim.x)};
}

constexpr int kTeam = 32;

struct Seat {
  int team, member;
  __device__ explicit Seat(int thread) : team(thread / kTeam), member(thread % kTeam) {}
  __device__ int place() const { return team * kTeam + member; }
};

enum class Operation : unsigned { kPlus, kMinus, kTimes, kOver };

}  // namespace own

// --- 1. Neighbours ---

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  own::all_threads_over(n).each([=](int i) { y[i] += a * x[i]; });
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const auto [col, row] = uint2{threadIdx.x + blockIdx.x * blockDim.x, threadIdx.y + blockIdx.y * blockDim.y};
  if (max(row, col) >= unsigned(n)) return;
  float* const to = y + row * n;
  const float* const from = x + row * n;
  to[col] = fmaf(a, from[col], to[col]);
}

// --- 2. Gathers ---

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const own::Seat seat(threadIdx.x + blockIdx.x * blockDim.x);
  constexpr int group_size = own::kTeam * n_segments;
  const float* const group = in + group_size * pick(seat.team, n / group_size);
  unsigned seed = seat.place() * kPicks;
  const unsigned last = seed + kPicks;
  float even = 0, odd = 0;
  do {
    even += group[pick(seed++, group_size)];
    odd += group[pick(seed++, group_size)];
  } while (seed != last);
  out[seat.place()] = even + odd;
}

// --- 3. Branches ---

template <class Step>
__device__ float repeated(float value, Step step) {
#pragma unroll 10
  for (int k = kRepeats; k > 0; k--) value = step(value);
  return value;
}

// Element i is of the operation that thread i does: 32 of each, side by side, which are a warp.
__global__ void branches(float* out, const float* in, const float* by, int n) {
  using enum own::Operation;
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const float b = by[i], start = in[i];
  float& result = out[i];
  switch (own::Operation(i / 32 & 3)) {
    case kPlus: result = repeated(start, [b](float v) { return v + b; }); break;
    case kMinus: result = repeated(start, [b](float v) { return v - b; }); break;
    case kTimes: result = repeated(start, [b](float v) { return v * b; }); break;
    case kOver: result = repeated(start, [b](float v) { return v / b; }); break;
  }
}

// --- 4. Blocks ---

constexpr int spread(int n_threads, int n_sms) {
  const int an_sm = cuda::round_up(cuda::ceil_div(n_threads, n_sms), 32);
  return few_blocks(an_sm);
}
