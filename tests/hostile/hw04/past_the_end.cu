// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_8 rounds n up to whole uint4s and reads past the end.
// Expect: student_error 78..83
// Expect gpu: student_error|fail|partial 0..90
#define OWN_8
#include "../given04.cuh"

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < (n + 3) / 4; i += gridDim.x * threads) {
    const uint4 v = in4[i];
    mine += v.x + v.y + v.z + v.w;
  }
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
