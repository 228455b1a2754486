// What hw02's starter gives, and the solution's body as a device function, for submissions that
// attack something else. tests/hostile/assemble puts it in the place of its #include.
using elt_t = float;

template <int d_l>
__device__ void norm_vector(elt_t* l_out, const elt_t* l_in, int h) {
  const size_t idx_vec_start = size_t(h) * d_l;
  elt_t sum = 0;
  for (int i = 0; i < d_l; i++) sum += l_in[idx_vec_start + i];
  const elt_t avg = sum / d_l;
  for (int i = 0; i < d_l; i++)
    l_out[idx_vec_start + i] = l_in[idx_vec_start + i] - avg;
}

template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  return thd_sum;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;
  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size)
      thd_sum += l_in[idx_vec_thd_start + i];
    const elt_t sum = group_sum<grp_size>(thd_sum);
    const elt_t avg = sum / d_l;
    for (int i = 0; i < d_l; i += grp_size)
      l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

template <int d_l, int grp_size, int unroll_degree>
__device__ __forceinline__ void solved(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int warp = tid / 32;
  const int h_start = warp * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t thd_sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const size_t idx_vec_thd_start = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size)
        thd_sum[j] += l_in[idx_vec_thd_start + i];
    }
    elt_t avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++)
      avg[j] = group_sum<grp_size>(thd_sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++) {
      const size_t idx_vec_thd_start = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size)
        l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg[j];
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

// The solution's work where it is `good`; else a thread has a vector.
template <int d_l, int grp_size, int unroll_degree>
__device__ __forceinline__ void solved_if(bool good, elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  if (good)
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    for (int h = tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
