// SPDX-License-Identifier: Apache-2.0
// Style: the last turn of a warp enters a switch at the number of its full copies and falls
// through the smaller ones; odd words in comments and strings.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// "asm volatile" is not needed here; nor is #include <mma.h>, 'extern "C"', __asm__("bra"), or */ /*
// R"(an #include "secret.h" in a raw string, // that ends here:)" and a line that goes on \
   #pragma GCC poison norm_group_u \
   #line 1 "rubric.toml"
[[maybe_unused]] static constexpr const char* kNote = R"note(
%:include "x" ??=include <y> asm("exit;"); __LINE__ '"' /* cp.async, tex, malloc
)note" "\"#pass: 100 / 100\"" "\x2f* not a comment";

template <int d_l, int grp_size>
__device__ __forceinline__ void norm_row(elt_t* out, const elt_t* in) {
  elt_t sum = 0;
  for (int i = 0; i < d_l; i += grp_size) sum += in[i];
  sum = group_sum<grp_size>(sum) / d_l;
  for (int i = 0; i < d_l; i += grp_size) out[i] = in[i] - sum;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int row = vecs_per_warp * d_l;
  const int lane = threadIdx.x % 32;
  const int warp = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
  const int h_inc = blockDim.x * gridDim.x / 32 * vecs_per_iter;

  int h = warp * vecs_per_iter;
  for (; h <= n_l - vecs_per_iter; h += h_inc) {
    const size_t at = size_t(h) * d_l + lane / grp_size * d_l + lane % grp_size;
    elt_t sum[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) {
      sum[j] = 0;
      for (int i = 0; i < d_l; i += grp_size) sum[j] += l_in[at + j * row + i];
    }
    for (int j = 0; j < unroll_degree; j++) sum[j] = group_sum<grp_size>(sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size)
        l_out[at + j * row + i] = l_in[at + j * row + i] - sum[j];
  }
  if (h >= n_l) return;

  const size_t at = size_t(h) * d_l + lane / grp_size * d_l + lane % grp_size;
  const int rows = (n_l - h) / vecs_per_warp;
  switch (rows) {
    case 7: norm_row<d_l, grp_size>(l_out + at + 6 * row, l_in + at + 6 * row); [[fallthrough]];
    case 6: norm_row<d_l, grp_size>(l_out + at + 5 * row, l_in + at + 5 * row); [[fallthrough]];
    case 5: norm_row<d_l, grp_size>(l_out + at + 4 * row, l_in + at + 4 * row); [[fallthrough]];
    case 4: norm_row<d_l, grp_size>(l_out + at + 3 * row, l_in + at + 3 * row); [[fallthrough]];
    case 3: norm_row<d_l, grp_size>(l_out + at + 2 * row, l_in + at + 2 * row); [[fallthrough]];
    case 2: norm_row<d_l, grp_size>(l_out + at + row, l_in + at + row); [[fallthrough]];
    case 1: norm_row<d_l, grp_size>(l_out + at, l_in + at); [[fallthrough]];
    default: break;
  }
  const int last = h + rows * vecs_per_warp + lane;
  if (last < n_l) norm_vector<d_l>(l_out, l_in, last);
}
