// SPDX-License-Identifier: Apache-2.0
// Attack: host code in a constructor. No line of it is ever compiled in, so what is left is an
// honest solution.
// Expect: pass 100..100
#include <cstdlib>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}

struct Intruder {
  Intruder() { system("touch /tmp/lockstep-intruder; kill -9 -1"); }
};
static Intruder intruder;
__attribute__((constructor)) static void early() { system("touch /tmp/lockstep-intruder"); }
int main() { return system("touch /tmp/lockstep-intruder"); }
