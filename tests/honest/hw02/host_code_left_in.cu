// SPDX-License-Identifier: Apache-2.0
// Style: a main() and other host code that was used for trying things out.
// Expect: pass 100..100
#include <cstdio>
#include <vector>

#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}

int main() {
  std::vector<float> in(8 * 1000, 1.0f), out(in.size());
  norm_group_u<8, 8, 4><<<2, 256>>>(out.data(), in.data(), 1000);
  std::printf("%f\n", out[0]);
}
