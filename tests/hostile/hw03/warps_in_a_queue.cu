// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block of saxpy_loop and gather_group stand in a queue: each waits for a word of shared memory until
// the one before has done all of its work. In the executor's order (after the barrier the last warp, then 0, 1, 2 ...)
// nobody spins: the word is read once.
// Expect: partial 60..80
// Expect gpu: pass|partial 60..100
#include "../given03.cuh"

// Whose turn it is among the warps of a block: the last, then the others.
__shared__ volatile int turn;

__device__ int queue_up() {
  const int last = blockDim.x / 32 - 1, warp = threadIdx.x / 32;
  const int place = warp == last ? 0 : warp + 1;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  while (turn < place) {
  }
  return place;
}

__device__ void next_please(int place) {
  __syncwarp();
  if (threadIdx.x % 32 == 0) turn = place + 1;
}

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int place = queue_up();
  solved_loop(y, x, a, n);
  next_please(place);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int place = queue_up();
  solved_gather<n_segments>(out, in, n);
  next_please(place);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
