// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels that hw01 launches, one line each. The build defines
// STUDENT_FILE, "hw01/hw01.cu" or a submission, as found from the top folder.
// assignment.cc has the same list: a kernel in one of them only is reported by hw01 and by tests.
#include STUDENT_FILE

#define NORM_BASE(d_l) template __global__ void norm_base<d_l>(float*, const float*, int);
#define NORM_GROUP(d_l, grp_size) \
  template __global__ void norm_group<d_l, grp_size>(float*, const float*, int);

NORM_BASE(4)
NORM_BASE(8)
NORM_BASE(16)
NORM_BASE(32)
NORM_GROUP(4, 2)
NORM_GROUP(4, 4)
NORM_GROUP(8, 2)
NORM_GROUP(8, 4)
NORM_GROUP(8, 8)
NORM_GROUP(16, 2)
NORM_GROUP(16, 4)
NORM_GROUP(16, 8)
NORM_GROUP(16, 16)
NORM_GROUP(32, 2)
NORM_GROUP(32, 4)
NORM_GROUP(32, 8)
NORM_GROUP(32, 16)
NORM_GROUP(32, 32)
