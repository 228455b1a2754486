// SPDX-License-Identifier: Apache-2.0
// Style: cooperative groups, and function objects of cuda::std.
// Expect: pass 100..100

#include <cooperative_groups.h>
#include <cuda/std/functional>

namespace cg = cooperative_groups;

// --- 1. Neighbours ---------------------------------------

// Given: y = a * x + y, one thread an element.
__global__ void saxpy(float* y, const float* x, float a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// The same with fewer threads than elements, so each has several.
__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int n_threads = static_cast<int>(grid.num_threads());
  for (int i = static_cast<int>(grid.thread_rank()); i < n; i += n_threads)
    y[i] = a * x[i] + y[i];
}

// The same for a matrix of n rows and n columns, row after row.
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const cg::thread_block block = cg::this_thread_block();
  const dim3 tile = block.group_index(), in_tile = block.thread_index(), size = block.dim_threads();
  const int col = tile.x * size.x + in_tile.x;
  const int row = tile.y * size.y + in_tile.y;
  if (col >= n || row >= n) return;
  const int at = row * n + col;
  y[at] += a * x[at];
}

// --- 2. Gathers ------------------------------------------

// Every thread adds up this many elements, picked at random.
constexpr int kPicks = 100;

// Looks like a random number from 0 to bound - 1; the same for equal seeds.
__device__ int pick(unsigned seed, int bound) {
  seed = (seed ^ seed >> 16) * 0x7feb352du;
  seed = (seed ^ seed >> 15) * 0x846ca68bu;
  return __umulhi(seed ^ seed >> 16, bound);
}

// Given: any of the n elements. In part 2 there is a thread for each sum, and n
// and the number of sums are multiples of 1024.
__global__ void gather_any(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += in[pick(i * kPicks + k, n)];
  out[i] = sum;
}

// Given: a warp picks a segment, 32 elements, and each of its threads has one.
__global__ void gather_segment(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++)
    sum += in[pick(i / 32 * kPicks + k, n / 32) * 32 + i % 32];
  out[i] = sum;
}

// Team t makes the sums out[32 * t] to out[32 * t + 31]. It picks a group of
// n_segments segments, and each of its 32 members picks elements from these.
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int team = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  const int member = warp.thread_rank();
  const int i = 32 * team + member;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(team, n / group_size) * group_size;
  float sum = 0;
  for (int k = 0; k < kPicks; k++)
    sum += group[pick(i * kPicks + k, group_size)];
  out[i] = sum;
}

// --- 3. Branches -----------------------------------------

constexpr int kRepeats = 100;

// What `operation` makes of value and by, kRepeats times over.
template <typename Operation>
__device__ float repeated(Operation operation, float value, float by) {
  for (int k = 0; k < kRepeats; k++) value = operation(value, by);
  return value;
}

// Of each 128 elements of in, the first 32 have those of by added, the next 32
// have them subtracted, then 32 are multiplied by them, and 32 divided. A warp
// has 32 elements side by side, so all of its threads do the same.
__global__ void branches(float* out, const float* in, const float* by, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int team = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  const int i = 32 * team + warp.thread_rank();
  if (i >= n) return;
  const float value = in[i], other = by[i];
  switch (team % 4) {
    case 0:
      out[i] = repeated(cuda::std::plus<float>{}, value, other);
      break;
    case 1:
      out[i] = repeated(cuda::std::minus<float>{}, value, other);
      break;
    case 2:
      out[i] = repeated(cuda::std::multiplies<float>{}, value, other);
      break;
    default:
      out[i] = repeated(cuda::std::divides<float>{}, value, other);
  }
}

// --- 4. Blocks -------------------------------------------

// Given: much arithmetic, little data.
__global__ void busy(float* out, const float* in, int turns, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float value = 0;
  for (int k = 0; k < turns; k++) value = 0.75f * value + in[i];
  out[i] = value;
}

// Given: how many threads a block has, if n_threads shall be in few blocks.
constexpr int few_blocks(int n_threads) {
  return n_threads < 1024 ? n_threads : 1024;
}

// And if they shall be spread: as many whole warps for each SM as it takes for
// n_sms blocks to have n_threads threads, and no more than a block can have.
constexpr int spread(int n_threads, int n_sms) {
  constexpr int warp = 32, most_warps = 1024 / warp;
  const int a_warp_each = warp * n_sms;
  const int warps = n_threads / a_warp_each + (n_threads % a_warp_each != 0);
  return warp * (warps < most_warps ? warps : most_warps);
}
