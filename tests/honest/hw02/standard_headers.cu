// SPDX-License-Identifier: Apache-2.0
// Style: includes what a C++ programmer includes.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

static_assert(std::is_same_v<elt_t, float>);
inline std::vector<std::string> names() { return {"in", "out"}; }
inline void show() {
  assert(!names().empty());
  std::cout << names().size() << std::endl;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
