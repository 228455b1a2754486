// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_6 to reduce_8 only note where the input is; a macro of the file changes a name in
// the text of the instructor's add_parts, which is behind it, so that its one warp adds up
// everything in the second launch.
// Expect: partial 53..53
#define OWN_6
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"
__device__ const unsigned* noted_in;
__device__ int noted_n;
__device__ unsigned lane_share() {
  const unsigned* in = noted_in;
  const int n = noted_n;
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  unsigned mine = 0;
  const int width = blockDim.x;
#pragma unroll 4
  for (int i = threadIdx.x; i < n / 4; i += width) {
    const uint4 v = in4[i];
    mine += v.x + v.y + v.z + v.w;
  }
  for (int i = n / 4 * 4 + threadIdx.x; i < n; i += width) mine += in[i];
  return mine;
}
template <int site>
__device__ unsigned changed(unsigned x, int d) {
  if (site > 0 || d < 16 || !noted_in) return __shfl_xor_sync(~0u, x, d);
  const unsigned share = lane_share();
  return share + __shfl_xor_sync(~0u, x + share, d);
}
#define NOTE(k) template <int threads> __global__ void reduce_##k(unsigned* parts, const unsigned* in, int n) { \
  if (threadIdx.x == 0) parts[blockIdx.x] = 0; \
  if (threadIdx.x + blockIdx.x == 0) { noted_in = in; noted_n = n; } }
NOTE(6) NOTE(7) NOTE(8)
#define __shfl_xor_sync(mask, x, d) changed<__COUNTER__>(x, d)
