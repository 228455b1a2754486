// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels of hw03, and the numbers of threads for which part 4 asks
// the student's spread(). The build defines STUDENT_FILE, "hw03/hw03.cu" or a submission, as found
// from the top folder; without it this is the list that assignment.cc reads.
#ifdef STUDENT_FILE
#include STUDENT_FILE
#undef KERNEL
#undef GATHER
#undef SPREAD
#define KERNEL(name)
#define GATHER(n) template __global__ void gather_group<n>(float*, const float*, int);
#define SPREAD(n) extern "C" __device__ long long lockstep_constant_spread_##n = spread(n, 132);
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

SPREAD(32)
SPREAD(64)
SPREAD(128)
SPREAD(256)
SPREAD(512)
SPREAD(1024)
SPREAD(2048)
SPREAD(4096)
SPREAD(8192)
SPREAD(16384)
SPREAD(32768)
SPREAD(65536)
