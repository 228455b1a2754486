// SPDX-License-Identifier: Apache-2.0
// Attack: a raw string that only the second compiler ends, in joined lines; for it what follows is
// code, with the words for assembly given back.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

template <class T>
__device__ __forceinline__ T fetch(const T* p) { return *p; }

constexpr char kNotes[] = R"notes(how the elements are fetched
)notes\
";
#undef asm
#undef __asm
#undef __asm__
__attribute__((device)) inline __attribute__((always_inline)) float fetch(const float* p) {
  float v;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
constexpr char kMore[] = R"notes(that is all)notes";

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t thd_sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const size_t idx = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) thd_sum[j] += fetch(l_in + idx + i);
    }
    elt_t avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(thd_sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++) {
      const size_t idx = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) l_out[idx + i] = l_in[idx + i] - avg[j];
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
