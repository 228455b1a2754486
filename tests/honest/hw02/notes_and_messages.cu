// SPDX-License-Identifier: Apache-2.0
// Style: notes in raw strings, which end in )#" as in Rust and quote what gcc -E prints of another
// file; a message at compile time; and a header that holds assembly.
// Expect: pass 100..100
#include <cuda_fp16.h>
#include "../../hostile/given.cuh"

#pragma message("hw02: UNROLLED BY WARP, NOT BY VECTOR")

constexpr char kNotes[] = R"#(
# How a warp shares its work
A warp takes vecs_per_iter vectors that lie side by side.
)#";
constexpr char kSizes[] = R"notes(
What g++ -E makes of my list of sizes (so no macro is at fault):
# 1 "/home/ada/hw02/sizes.h" 1
constexpr int sizes[] = {8, 16, 32};
# 2 "/home/ada/hw02/hw02.cu" 2
)notes";
static_assert(sizeof kNotes > sizeof "#" && sizeof kSizes > 1);

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
