// SPDX-License-Identifier: Apache-2.0
// Style: written on Windows: carriage returns, tabs, comments in other languages, local names with
// umlauts.
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

/* Aufgabe 1 – jede Gruppe von »grp_size« Threads teilt sich einen Vektor.
	Сумма по группе: на каждом шаге каждый поток знает сумму вдвое большего числа потоков.
	グループの全スレッドが合計を受け取る。 */
template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum)
{
#pragma unroll
	for (int abstand = 1; abstand < grp_size; abstand *= 2)
		thd_sum += __shfl_xor_sync(0xFFFFFFFF, thd_sum, abstand);
	return thd_sum;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l)
{
	const int tid = threadIdx.x + blockIdx.x * blockDim.x;
	const int n_threads = blockDim.x * gridDim.x;
	const int sub_lane = threadIdx.x % grp_size;	// mein Platz in der Gruppe
	constexpr int vecs_per_warp = 32 / grp_size;

	const int n_l_full = n_l - n_l % vecs_per_warp;
	const int höhe = n_threads / grp_size;		// so viele Vektoren je Durchlauf

	for (int h = tid / grp_size; h < n_l_full; h += höhe)
	{
		const size_t beginn = size_t(h) * d_l + sub_lane;
		elt_t summe = 0;
		for (int i = 0; i < d_l; i += grp_size)
			summe += l_in[beginn + i];		// nebeneinander – 隣同士

		const elt_t mittel = group_sum<grp_size>(summe) / d_l;	// Σx ∕ d_l

		for (int i = 0; i < d_l; i += grp_size)
			l_out[beginn + i] = l_in[beginn + i] - mittel;
	}

	// Der Rest: ein Thread je Vektor. “Et voilà !”
	for (int h = n_l_full + tid; h < n_l; h += n_threads)
		norm_vector<d_l>(l_out, l_in, h);
}
