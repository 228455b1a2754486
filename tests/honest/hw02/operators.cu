// SPDX-License-Identifier: Apache-2.0
// Style: a type for all copies of a thread with arithmetic operators, so that the kernel reads
// like the formula x - sum(x) / d_l; static polymorphism for how sums are made.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int n>
struct Many {
  elt_t v[n];
  template <typename F>
  __device__ static Many make(F&& f) {
    Many m;
#pragma unroll
    for (int k = 0; k < n; k++) m.v[k] = f(k);
    return m;
  }
  __device__ friend Many operator+(const Many& a, const Many& b) {
    return make([&](int k) { return a.v[k] + b.v[k]; });
  }
  __device__ friend Many operator-(const Many& a, const Many& b) {
    return make([&](int k) { return a.v[k] - b.v[k]; });
  }
  __device__ friend Many operator/(const Many& a, elt_t b) {
    return make([&](int k) { return a.v[k] / b; });
  }
  __device__ Many from_neighbor(int dist) const {
    return make([&](int k) { return __shfl_xor_sync(~0u, v[k], dist); });
  }
};

template <typename Derived>
struct Reduction {
  template <int n>
  __device__ Many<n> operator()(Many<n> x) const {
    return static_cast<const Derived*>(this)->reduce(x);
  }
};

template <int grp_size>
struct Butterfly : Reduction<Butterfly<grp_size>> {
  template <int n>
  __device__ Many<n> reduce(Many<n> x) const {
#pragma unroll
    for (int dist = 1; dist < grp_size; dist *= 2) x = x + x.from_neighbor(dist);
    return x;
  }
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  using Copies = Many<unroll_degree>;
  constexpr int share = d_l / grp_size, apart = 32 / grp_size * d_l;
  constexpr int vecs_per_iter = 32 / grp_size * unroll_degree;
  constexpr Butterfly<grp_size> sum_over_group;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  for (int h = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size; h < n_l_full;
       h += n_threads / 32 * vecs_per_iter) {
    const elt_t* const in = &l_in[size_t(h) * d_l + threadIdx.x % grp_size];
    elt_t* const out = &l_out[size_t(h) * d_l + threadIdx.x % grp_size];
    Copies x[share];
    for (int i = 0; i < share; i++)
      x[i] = Copies::make([&](int j) { return in[j * apart + i * grp_size]; });
    Copies sum = x[0];
    for (int i = 1; i < share; i++) sum = sum + x[i];
    const Copies avg = sum_over_group(sum) / d_l;
    for (int i = 0; i < share; i++) {
      const Copies y = x[i] - avg;
      for (int j = 0; j < unroll_degree; j++) out[j * apart + i * grp_size] = y.v[j];
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
