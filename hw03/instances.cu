// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels of hw03, and the numbers of threads and SMs for which part
// 4 asks the student's spread(). The build defines STUDENT_FILE, "hw03/hw03.cu" or a submission, as found
// from the top folder; without it this is the list that assignment.cc reads.
#ifdef STUDENT_FILE
#include STUDENT_FILE
#undef KERNEL
#undef GATHER
#undef SPREAD
#define KERNEL(name)
#define GATHER(n) template __global__ void gather_group<n>(float*, const float*, int);
#define SPREAD(n, sms) \
  extern "C" __device__ long long lockstep_constant_spread_##n##_##sms = spread(n, sms);
#else
#define GATHER(n) KERNEL(gather_group, n)
#endif

KERNEL(saxpy)
KERNEL(saxpy_loop)
KERNEL(saxpy_matrix)
KERNEL(gather_segment)
GATHER(1)
GATHER(2)
GATHER(4)
GATHER(8)
GATHER(16)
GATHER(32)
KERNEL(gather_any)
KERNEL(branches)
KERNEL(busy)

SPREAD(32, 132)
SPREAD(64, 132)
SPREAD(128, 132)
SPREAD(256, 132)
SPREAD(512, 132)
SPREAD(1024, 132)
SPREAD(2048, 132)
SPREAD(4096, 132)
SPREAD(8192, 132)
SPREAD(16384, 132)
SPREAD(32768, 132)
SPREAD(65536, 132)

// What graders ask besides: other cards, and numbers of warps that are no powers of two.
#undef SPREAD_OVER
#define SPREAD_OVER(sms) \
  SPREAD(608, sms) SPREAD(1984, sms) SPREAD(9984, sms) SPREAD(37024, sms) SPREAD(60000, sms) \
  SPREAD(300000, sms)

SPREAD_OVER(60)
SPREAD_OVER(78)
SPREAD_OVER(108)
SPREAD_OVER(144)
SPREAD_OVER(170)
