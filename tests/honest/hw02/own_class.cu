// SPDX-License-Identifier: Apache-2.0
// Style: a class with members for all of it.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
class Normalizer {
 public:
  __device__ Normalizer(elt_t* out, const elt_t* in, int h)
      : out_(out + offset(h)), in_(in + offset(h)) {}
  __device__ void load() {
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) sum_[j] += in_[j * kApart + i];
  }
  __device__ void add_up() {
    for (elt_t& sum : sum_) sum = group_sum<grp_size>(sum) / d_l;
  }
  __device__ void store() const {
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) out_[j * kApart + i] = in_[j * kApart + i] - sum_[j];
  }

 private:
  static constexpr int kApart = 32 / grp_size * d_l;
  __device__ static size_t offset(int h) { return size_t(h) * d_l + threadIdx.x % grp_size; }
  elt_t* out_;
  const elt_t* in_;
  elt_t sum_[unroll_degree]{};
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    Normalizer<d_l, grp_size, unroll_degree> n(l_out, l_in, hi);
    n.load();
    n.add_up();
    n.store();
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
