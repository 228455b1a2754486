// SPDX-License-Identifier: Apache-2.0
// Style: written on Windows: carriage returns, tabs, comments in other languages, local names with
// umlauts.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

/* Übung 2: Ein Warp übernimmt in jedem Durchlauf »vecs_per_iter« benachbarte Vektoren.
	Die j-te Kopie beginnt vecs_per_warp Vektoren später – eine Konstante, die der Übersetzer kennt.
	Каждая группа вычитает среднее: x ← x − Σx/d_l.  各グループはベクトルの平均を引く。 */
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l)
{
	const int tid = threadIdx.x + blockIdx.x * blockDim.x;
	const int n_threads = blockDim.x * gridDim.x;
	const int sub_lane = threadIdx.x % grp_size;		// Platz in der Gruppe
	constexpr int vecs_per_warp = 32 / grp_size;
	constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;

	const int n_l_full = n_l - n_l % vecs_per_iter;
	const int anfang = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
	const int größe = n_threads / 32 * vecs_per_iter;	// Schrittgröße aller Warps zusammen

	for (int hi = anfang; hi < n_l_full; hi += größe)
	{
		elt_t mittel[unroll_degree]{};

		// 1. Laden … so viele Zugriffe wie möglich gleichzeitig
		for (int j = 0; j < unroll_degree; j++)
			for (int i = 0; i < d_l; i += grp_size)
				mittel[j] += l_in[size_t(hi + j * vecs_per_warp) * d_l + sub_lane + i];

		// 2. Summieren – 求和
		for (int j = 0; j < unroll_degree; j++)
			mittel[j] = group_sum<grp_size>(mittel[j]) / d_l;

		// 3. Schreiben – écrire – записать
		for (int j = 0; j < unroll_degree; j++)
			for (int i = 0; i < d_l; i += grp_size)
			{
				const size_t stelle = size_t(hi + j * vecs_per_warp) * d_l + sub_lane + i;
				l_out[stelle] = l_in[stelle] - mittel[j];
			}
	}

	// Was übrig bleibt: ein Thread je Vektor.
	for (int h = n_l_full + tid; h < n_l; h += n_threads)
		norm_vector<d_l>(l_out, l_in, h);
}
