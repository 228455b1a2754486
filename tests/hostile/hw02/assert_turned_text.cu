// SPDX-License-Identifier: Apache-2.0
// Attack: an assertion whose text is turned around, hidden or piled up by what it holds: marks of
// direction, letters from right to left, characters without width, a flood of accents.
// Expect: student_error:crash 0..0
#include <cassert>
#include "../given.cuh"
#define ACCENTS "\xCC\x81\xCC\x82\xCC\x83\xCC\x84\xCC\x85\xCC\x86\xCC\x87\xCC\x88"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l > 0)
    __assert_fail("\xE2\x80\xAE" "001 / 001 ]ssap[ SMUGGLED\xE2\x80\xAC \xD7\xA9\xD7\x9C 100 \xE2\x81\xA7"
                 "\xE2\x80\x8B\xEF\xBB\xBF\xF3\xA0\x81\x81\xE3\x85\xA4 \xC2\x9B" "31m e" ACCENTS ACCENTS,
                 "f", 1, "f");
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
