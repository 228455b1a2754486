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

// The vectors of whole warps by groups, the others by a thread each.
template <int d_l, int grp_size>
__device__ void norm_by_groups(elt_t* l_out, const elt_t* l_in, int n_l, int n_l_full) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t sum = 0;
    for (int i = 0; i < d_l; i += grp_size) sum += l_in[at + i];
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
