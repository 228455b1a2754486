// SPDX-License-Identifier: Apache-2.0
// Style: an iterator class for the vectors of a group, range-based loops and lambdas; debug output
// and assertions behind a switch that is off.
// Expect: pass 100..100
#include <cassert>
#include <cstdio>

using elt_t = float;

// One thread normalizes vector h by itself.
template <int d_l>
__device__ void norm_vector(elt_t* l_out, const elt_t* l_in, int h) {
  const size_t idx_vec_start = size_t(h) * d_l;
  elt_t sum = 0;
  for (int i = 0; i < d_l; i++) sum += l_in[idx_vec_start + i];
  const elt_t avg = sum / d_l;
  for (int i = 0; i < d_l; i++)
    l_out[idx_vec_start + i] = l_in[idx_vec_start + i] - avg;
}

// One thread a vector. For comparison: do not edit.
template <int d_l>
__global__ void norm_base(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int h = tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  return thd_sum;
}

namespace work {

// Numbers first, first + step ... below end, for a range-based loop.
class Strided {
 public:
  struct Iterator {
    int at, step;
    __device__ int operator*() const { return at; }
    __device__ void operator++() { at += step; }
    __device__ bool operator!=(int end) const { return at < end; }
  };
  __device__ Strided(int first, int end, int step) : first_{first, step}, end_{end} {}
  __device__ Iterator begin() const { return first_; }
  __device__ int end() const { return end_; }

 private:
  Iterator first_;
  int end_;
};

constexpr bool kTrace = false;

}  // namespace work

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  static_assert(d_l % grp_size == 0);
  if constexpr (work::kTrace) {
    assert(blockDim.x % 32 == 0);
    printf("%d vectors of %d, groups of %d\n", n_l, d_l, grp_size);
  }
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int n_l_full = n_l - n_l % (32 / grp_size);
  const auto each_of_my_share = [&](int h, auto&& what) {
    const size_t start = size_t(h) * d_l + threadIdx.x % grp_size;
    for (int i = 0; i < d_l; i += grp_size) what(l_out[start + i], l_in[start + i]);
  };

  for (const int h : work::Strided(tid / grp_size, n_l_full, n_threads / grp_size)) {
    elt_t sum = 0;
    each_of_my_share(h, [&](elt_t&, const elt_t& in) { sum += in; });
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    each_of_my_share(h, [=](elt_t& out, const elt_t& in) { out = in - avg; });
  }
  for (const int h : work::Strided(n_l_full + tid, n_l, n_threads)) norm_vector<d_l>(l_out, l_in, h);
}
