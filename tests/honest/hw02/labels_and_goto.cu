// SPDX-License-Identifier: Apache-2.0
// Style: C from before the loops had names: declarations at the top, labels, goto.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t *l_out, const elt_t *l_in, int n_l)
{
    enum { VPW = 32 / grp_size, VPI = VPW * unroll_degree, GAP = VPW * d_l };
    int h, n_full, inc, j, i;
    const elt_t *p;
    elt_t *q;
    elt_t s[unroll_degree];

    n_full = n_l / VPI * VPI;
    inc = gridDim.x * blockDim.x / 32 * VPI;
    h = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * VPI + threadIdx.x % 32 / grp_size;
    if (h >= n_full)
        goto rest;
again:
    p = l_in + (size_t)h * d_l + threadIdx.x % grp_size;
    q = l_out + (p - l_in);
    for (j = 0; j != unroll_degree; j++)
        for (s[j] = p[j * GAP], i = grp_size; i != d_l; i += grp_size)
            s[j] += p[j * GAP + i];
    for (j = 0; j != unroll_degree; j++)
        s[j] = group_sum<grp_size>(s[j]) / d_l;
    for (j = 0; j != unroll_degree; j++)
        for (i = 0; i != d_l; i += grp_size)
            q[j * GAP + i] = p[j * GAP + i] - s[j];
    if ((h += inc) < n_full)
        goto again;
rest:
    h = n_full + blockIdx.x * blockDim.x + threadIdx.x;
tail:
    if (h >= n_l)
        return;
    norm_vector<d_l>(l_out, l_in, h);
    h += gridDim.x * blockDim.x;
    goto tail;
}
