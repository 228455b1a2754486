// SPDX-License-Identifier: Apache-2.0
// Style: float4 or float2 where a thread has that many elements of a vector and the arrays are
// aligned to it: the share of a thread is then made of pieces of neighbours.
// Expect: pass 100..100
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

template <int width>
struct alignas(sizeof(elt_t) * width) Piece {
  elt_t e[width];
};

template <int d_l, int grp_size, int width>
__device__ __forceinline__ void norm_full_warps(elt_t* l_out, const elt_t* l_in, int n_l_full) {
  constexpr int pieces = d_l / (grp_size * width);
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int h_inc = blockDim.x * gridDim.x / grp_size;
  const auto* in = reinterpret_cast<const Piece<width>*>(l_in);
  auto* out = reinterpret_cast<Piece<width>*>(l_out);
  for (int h = tid / grp_size; h < n_l_full; h += h_inc) {
    const size_t at = size_t(h) * (d_l / width) + threadIdx.x % grp_size;
    Piece<width> p[pieces];
    elt_t sum = 0;
    for (int k = 0; k < pieces; k++) {
      p[k] = in[at + k * grp_size];
      for (int i = 0; i < width; i++) sum += p[k].e[i];
    }
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    for (int k = 0; k < pieces; k++) {
      for (int i = 0; i < width; i++) p[k].e[i] -= avg;
      out[at + k * grp_size] = p[k];
    }
  }
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int share = d_l / grp_size;
  constexpr int width = share < 4 ? share : 4;
  const int n_l_full = n_l - n_l % (32 / grp_size);
  if ((size_t(l_in) | size_t(l_out)) % (sizeof(elt_t) * width) == 0)
    norm_full_warps<d_l, grp_size, width>(l_out, l_in, n_l_full);
  else
    norm_full_warps<d_l, grp_size, 1>(l_out, l_in, n_l_full);
  for (int h = n_l_full + threadIdx.x + blockIdx.x * blockDim.x; h < n_l;
       h += blockDim.x * gridDim.x)
    norm_vector<d_l>(l_out, l_in, h);
}
