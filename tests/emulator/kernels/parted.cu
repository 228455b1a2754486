// SPDX-License-Identifier: Apache-2.0
// Lanes that part and then meet in .sync operations (BRA.DIV in SASS), and a mask that names the
// group alone; sass_collectives_test.cc has what an H200 took for one warp of each.

#define KERNEL extern "C" __global__ void
constexpr unsigned kAll = ~0u;

KERNEL shuffle_two(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  float x = i[t];
  if (t & 1)
    x = x * 0.5f + __shfl_xor_sync(kAll, x, 1);
  else
    x = __shfl_xor_sync(kAll, x, 2) - x;
  o[t] = x;
}

KERNEL shuffle_four(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  float x = i[t];
  switch (t & 3) {
    case 0:
      x += __shfl_xor_sync(kAll, x, 1);
      break;
    case 1:
      x -= __shfl_xor_sync(kAll, x, 2);
      break;
    case 2:
      x *= __shfl_xor_sync(kAll, x, 3);
      break;
    default:
      x *= 3 + __shfl_xor_sync(kAll, x, 4);
  }
  o[t] = x;
}

KERNEL shuffle_often(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  float x = i[t];
  if (t & 1) {
#pragma unroll
    for (int k = 0; k < 3; k++) x = x * 0.5f + __shfl_xor_sync(kAll, x, 1 + k);
  } else {
#pragma unroll
    for (int k = 0; k < 3; k++) x = __shfl_xor_sync(kAll, x, 2 + k) - x;
  }
  o[t] = x;
}

KERNEL shuffle_loop(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  float x = i[t];
  if (t & 1)
    for (int k = 0; k < n; k++) x = x * 0.5f + __shfl_xor_sync(kAll, x, 1);
  else
    for (int k = 0; k < n; k++) x = __shfl_xor_sync(kAll, x, 2) - x;
  o[t] = x;
}

KERNEL reduce_two(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  unsigned x = i[t];
  if (t & 1)
    x = __reduce_add_sync(kAll, x);
  else
    x = __reduce_add_sync(kAll, x) * 3;
  o[t] = x;
}

KERNEL vote_two(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  float x = i[t];
  if (t & 1)
    x += __ballot_sync(kAll, x > 1);
  else
    x -= __ballot_sync(kAll, x > 2);
  o[t] = x;
}

KERNEL match_two(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  unsigned x = i[t];
  if (t & 1)
    x = __match_any_sync(kAll, x);
  else
    x = __match_any_sync(kAll, x) * 3;
  o[t] = x;
}

KERNEL sync_two(float* o, const float* i, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  const float x = i[t];
  s[t] = x;
  float y;
  if (t & 1) {
    __syncwarp();
    y = x + s[t ^ 1];
  } else {
    __syncwarp();
    y = x - s[t ^ 3];
  }
  o[t] = y;
}

// The mask is the group: nobody waits.
KERNEL mask_of_group(float* o, const float* i, int n) {
  const int t = threadIdx.x;
  float x = i[t];
  const unsigned m = __ballot_sync(kAll, t % 3 == 0);
  if (t % 3 == 0) {
    x += __shfl_xor_sync(m, x, 3);
    x += __shfl_xor_sync(m, x, 6);
  }
  o[t] = x;
}
