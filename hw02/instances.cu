// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels that hw02 launches, one line each. The build defines
// STUDENT_FILE, "hw02/hw02.cu" or a submission, as found from the top folder.
// assignment.cc has the same list: a kernel in one of them only is reported by hw02 and by tests.
#include STUDENT_FILE

#define NORM_GROUP(d_l, grp_size) \
  template __global__ void norm_group<d_l, grp_size>(float*, const float*, int);
#define NORM_GROUP_U(d_l, grp_size, unroll_degree) \
  template __global__ void norm_group_u<d_l, grp_size, unroll_degree>(float*, const float*, int);

// One kernel of each kind for a vector length and group size.
#define NORM_ALL(d_l, grp_size)   \
  NORM_GROUP(d_l, grp_size)       \
  NORM_GROUP_U(d_l, grp_size, 1)  \
  NORM_GROUP_U(d_l, grp_size, 2)  \
  NORM_GROUP_U(d_l, grp_size, 4)  \
  NORM_GROUP_U(d_l, grp_size, 8)

NORM_ALL(8, 8)
NORM_ALL(32, 32)
NORM_ALL(8, 4)
NORM_ALL(16, 16)
NORM_ALL(32, 8)
