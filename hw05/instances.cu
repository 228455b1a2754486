// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels of hw05, one line each, the one that makes roots of sums,
// and the launch shape of the student. The build defines STUDENT_FILE, "hw05/hw05.cu" or a
// submission, as found from the top folder; without it this is the list that assignment.cc reads.
#ifdef STUDENT_FILE
// The second launch: a thread for each batch. It stands before the student's file, whose macros
// would change its text.
__global__ void finish(float* out, const float* sums, const long long* starts, int n_batches) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n_batches) out[k] = sqrtf(sums[k] / (starts[k + 1] - starts[k]));
}

#include STUDENT_FILE
#undef KERNEL
#define KERNEL(name, ...) KERNEL_##name(name, __VA_ARGS__)
// Most are no templates: there is nothing to instantiate.
#define KERNEL_rmse_0(...)
#define KERNEL_rmse_1(...)
#define KERNEL_rmse_2(...)
#define KERNEL_rmse_3(...)
#define KERNEL_rmse_4(...)
#define KERNEL_view_64(...)
#define KERNEL_view_32(...)
#define KERNEL_view_cheap(...)
#define KERNEL_TEMPLATE(name, number) \
  template __global__ void name<number>(float*, const float*, const float*, const long long*);
#define KERNEL_bounded(...) KERNEL_TEMPLATE(__VA_ARGS__)
#define KERNEL_limited(...) KERNEL_TEMPLATE(__VA_ARGS__)

extern "C" __device__ long long lockstep_constant_kThreads = kThreads;
extern "C" __device__ long long lockstep_constant_kBlocks = kBlocks;
#endif

KERNEL(rmse_0)
KERNEL(rmse_1)
KERNEL(rmse_2)
KERNEL(rmse_3)
KERNEL(rmse_4)
KERNEL(bounded, 1)
KERNEL(bounded, 8)
KERNEL(limited, 32)
KERNEL(limited, 16)
KERNEL(view_64)
KERNEL(view_32)
KERNEL(view_cheap)
