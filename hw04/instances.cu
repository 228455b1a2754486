// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels of hw04, one line each, and the one that adds up what their
// blocks leave. The build defines STUDENT_FILE, "hw04/hw04.cu" or a submission, as found from the top
// folder; without it this is the list that assignment.cc reads.
#ifdef STUDENT_FILE
// The second launch: one block of whole warps adds up the parts. It stands before the student's file,
// whose macros would change its text.
__global__ void add_parts(unsigned* sum, const unsigned* parts, int n_parts) {
  __shared__ unsigned warp_sums[32];
  unsigned mine = 0;
  for (int i = threadIdx.x; i < n_parts; i += blockDim.x) mine += parts[i];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);
  if (threadIdx.x == 0) *sum = mine;
}

#include STUDENT_FILE
#undef KERNEL
#define KERNEL(name, ...) KERNEL_##name(name, __VA_ARGS__)
// The first five are no templates: there is nothing to instantiate.
#define KERNEL_reduce_0(...)
#define KERNEL_reduce_1(...)
#define KERNEL_reduce_2(...)
#define KERNEL_reduce_3(...)
#define KERNEL_reduce_4(...)
#define KERNEL_TEMPLATE(name, threads) \
  template __global__ void name<threads>(unsigned*, const unsigned*, int);
#define KERNEL_reduce_5(...) KERNEL_TEMPLATE(__VA_ARGS__)
#define KERNEL_reduce_6(...) KERNEL_TEMPLATE(__VA_ARGS__)
#define KERNEL_reduce_7(...) KERNEL_TEMPLATE(__VA_ARGS__)
#define KERNEL_reduce_8(...) KERNEL_TEMPLATE(__VA_ARGS__)
#endif

KERNEL(reduce_0)
KERNEL(reduce_1)
KERNEL(reduce_2)
KERNEL(reduce_3)
KERNEL(reduce_4)

#undef BLOCK_SIZES
#define BLOCK_SIZES(name) KERNEL(name, 64) KERNEL(name, 128) KERNEL(name, 256) KERNEL(name, 512)

BLOCK_SIZES(reduce_5)
BLOCK_SIZES(reduce_6)
BLOCK_SIZES(reduce_7)
BLOCK_SIZES(reduce_8)
