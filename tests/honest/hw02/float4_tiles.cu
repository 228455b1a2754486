// SPDX-License-Identifier: Apache-2.0
// Style: what a warp takes in one turn is one contiguous piece, so each thread loads it as float4
// or float2 and fewer threads share a vector: fewer loads and fewer shuffles.
// It has a slower way for arrays that are not aligned, which no launch takes: a person has to see that this is all.
// Expect: review 30..30
// Expect gpu: pass 100..100
#include "../../hostile/given.cuh"

template <int width>
struct alignas(width * sizeof(elt_t)) Elements {
  elt_t e[width];
};

constexpr __device__ int smaller(int a, int b) { return a < b ? a : b; }

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_iter = 32 / grp_size * unroll_degree;
  // A turn is pieces * 32 * width elements; sharers neighbouring threads have a vector.
  constexpr int width = smaller(4, vecs_per_iter * d_l / 32);
  constexpr int sharers = d_l / width;
  constexpr int pieces = vecs_per_iter * d_l / (32 * width);
  static_assert(sharers <= 32 && pieces * 32 * width == vecs_per_iter * d_l);
  using Piece = Elements<width>;

  const int tid = threadIdx.x + blockIdx.x * blockDim.x, n_threads = blockDim.x * gridDim.x;
  const bool aligned = (size_t(l_in) | size_t(l_out)) % sizeof(Piece) == 0;
  const int turns = aligned ? n_l / vecs_per_iter : 0;
  const Piece* const in = reinterpret_cast<const Piece*>(l_in);
  Piece* const out = reinterpret_cast<Piece*>(l_out);

  for (int turn = tid / 32; turn < turns; turn += n_threads / 32) {
    const size_t at = size_t(turn) * (32 * pieces) + threadIdx.x % 32;
    Piece p[pieces];
#pragma unroll
    for (int k = 0; k < pieces; k++) p[k] = in[at + 32 * k];
#pragma unroll
    for (int k = 0; k < pieces; k++) {
      elt_t sum = 0;
      for (const elt_t e : p[k].e) sum += e;
      for (int dist = sharers / 2; dist > 0; dist /= 2) sum += __shfl_xor_sync(~0u, sum, dist);
      for (elt_t& e : p[k].e) e -= sum / d_l;
      out[at + 32 * k] = p[k];
    }
  }
  for (int h = turns * vecs_per_iter + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
