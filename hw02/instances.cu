// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels of hw02. The build defines STUDENT_FILE, "hw02/hw02.cu" or
// a submission, as found from the top folder; without it this is the list that assignment.cc reads.
#ifdef STUDENT_FILE
#include STUDENT_FILE
#undef KERNEL
#define KERNEL(name, ...) template __global__ void name<__VA_ARGS__>(float*, const float*, int);
#endif

// One kernel of each kind for a vector length and group size.
#undef NORM_ALL
#define NORM_ALL(d_l, grp_size)          \
  KERNEL(norm_group, d_l, grp_size)      \
  KERNEL(norm_group_u, d_l, grp_size, 1) \
  KERNEL(norm_group_u, d_l, grp_size, 2) \
  KERNEL(norm_group_u, d_l, grp_size, 4) \
  KERNEL(norm_group_u, d_l, grp_size, 8)

NORM_ALL(8, 8)
NORM_ALL(32, 32)
NORM_ALL(8, 4)
NORM_ALL(16, 16)
NORM_ALL(32, 8)
