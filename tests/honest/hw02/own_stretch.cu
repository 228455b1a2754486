// SPDX-License-Identifier: Apache-2.0
// Style: each warp has a contiguous stretch of vectors, moving pointers, and a tile that loads, centers and
// stores itself.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// What a warp normalizes in one turn: unroll_degree rows of 32 / grp_size vectors, side by side.
template <int d_l, int grp_size, int unroll_degree>
struct Tile {
  static constexpr int kRow = 32 / grp_size * d_l;  // elements
  static constexpr int kElements = kRow * unroll_degree;
  static constexpr int kShare = d_l / grp_size;

  elt_t x[unroll_degree][kShare];

  // Where the first element of a lane is in a tile.
  static __device__ int offset(int lane) { return lane / grp_size * d_l + lane % grp_size; }

  __device__ void load(const elt_t* from) {
#pragma unroll
    for (int j = 0; j < unroll_degree; j++)
#pragma unroll
      for (int k = 0; k < kShare; k++) x[j][k] = from[j * kRow + k * grp_size];
  }

  __device__ void center() {
    elt_t sum[unroll_degree];
#pragma unroll
    for (int j = 0; j < unroll_degree; j++) {
      sum[j] = x[j][0];
#pragma unroll
      for (int k = 1; k < kShare; k++) sum[j] += x[j][k];
    }
    // All rows take a step together, so that their shuffles do not wait for each other.
#pragma unroll
    for (int dist = 1; dist < grp_size; dist *= 2)
#pragma unroll
      for (int j = 0; j < unroll_degree; j++) sum[j] += __shfl_xor_sync(~0u, sum[j], dist);
#pragma unroll
    for (int j = 0; j < unroll_degree; j++)
#pragma unroll
      for (int k = 0; k < kShare; k++) x[j][k] -= sum[j] / d_l;
  }

  __device__ void store(elt_t* to) const {
#pragma unroll
    for (int j = 0; j < unroll_degree; j++)
#pragma unroll
      for (int k = 0; k < kShare; k++) to[j * kRow + k * grp_size] = x[j][k];
  }
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  using Mine = Tile<d_l, grp_size, unroll_degree>;
  constexpr int vecs_per_tile = Mine::kElements / d_l;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int warp = tid / 32, n_warps = n_threads / 32;

  // Warps differ by one tile at most: the first `longer` of them have one more.
  const int n_tiles = n_l / vecs_per_tile;
  const int tiles = n_tiles / n_warps, longer = n_tiles % n_warps;
  const int first = warp * tiles + min(warp, longer);
  int left = tiles + (warp < longer);

  const size_t start = size_t(first) * Mine::kElements + Mine::offset(threadIdx.x % 32);
  const elt_t* in = l_in + start;
  elt_t* out = l_out + start;
#pragma unroll 1
  while (left-- > 0) {
    Mine tile;
    tile.load(in);
    tile.center();
    tile.store(out);
    in += Mine::kElements;
    out += Mine::kElements;
  }

  for (int h = n_tiles * vecs_per_tile + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
