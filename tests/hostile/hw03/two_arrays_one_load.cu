// SPDX-License-Identifier: Apache-2.0
// Attack: gather_group goes by warps only where the warps of a block come one after the other, as where they are
// counted. That it hangs on the order was to be hidden by the load, which comes to an array that nobody changes last.
// Expect: partial 60..90
// Expect gpu: partial|pass 60..100
#include "../../hostile/given03.cuh"

__device__ unsigned looked[2048];

__device__ __forceinline__ bool in_order(const float* in, int n) {
  unsigned* const word = &looked[blockIdx.x & 2047];
  unsigned first = 0, seen = 0;
#pragma unroll 1
  for (int k = 0; k < (n > 0 ? 2 : 1); k++) {
    seen = *(k == 0 ? word : reinterpret_cast<const unsigned*>(in));
    first = k == 0 ? seen : first;
  }
  __syncwarp();
  if (threadIdx.x % 32 == 0) atomicAdd(word, seen == 0xffffffffu ? 2u : 1u);
  return __syncthreads_and(first == threadIdx.x / 32) != 0;
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const bool warps_are_teams = in_order(in, n);
  const int teams_here = blockDim.x / 32, t = threadIdx.x;
  const int team = blockIdx.x * teams_here + (warps_are_teams ? t / 32 : t % teams_here);
  const int member = warps_are_teams ? t % 32 : t / teams_here;
  const int i = 32 * team + member;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(team, n / group_size) * group_size;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += group[pick(i * kPicks + k, group_size)];
  out[i] = sum;
}

__global__ void saxpy_loop(float* y, const float* x, float a, int n) { solved_loop(y, x, a, n); }
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { solved_matrix(y, x, a, n); }
__global__ void branches(float* out, const float* in, const float* by, int n) { solved_branches(out, in, by, n); }
constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
