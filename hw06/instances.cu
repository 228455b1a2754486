// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: the kernels of hw06, one line each. The build defines STUDENT_FILE,
// "hw06/hw06.cu" or a submission, as found from the top folder; without it this is the list that
// assignment.cc reads.
#ifdef STUDENT_FILE
#include STUDENT_FILE
#undef KERNEL
#define KERNEL(name, ...) KERNEL_##name(name, __VA_ARGS__)
// The ones that are no templates: there is nothing to instantiate.
#define KERNEL_saxpy(...)
#define KERNEL_copy_simple(...)
#define KERNEL_transpose_simple(...)
#define KERNEL_transpose_swizzled(...)
#define KERNEL_copy_best(...)
#define KERNEL_transpose_best(...)
#define KERNEL_MOVE(name, pad) \
  template __global__ void name<pad>(float*, const float*, int, int);
#define KERNEL_copy_tile(...) KERNEL_MOVE(__VA_ARGS__)
#define KERNEL_transpose_tile(...) KERNEL_MOVE(__VA_ARGS__)
#define KERNEL_copy_several(...) KERNEL_MOVE(__VA_ARGS__)
#define KERNEL_transpose_several(...) KERNEL_MOVE(__VA_ARGS__)
#define KERNEL_PRODUCT(name, type, ...)                                                           \
  template __global__ void name<type __VA_OPT__(, ) __VA_ARGS__>(type*, const type*, const type*, \
                                                                 int, int, int);
#define KERNEL_product_naive(...) KERNEL_PRODUCT(__VA_ARGS__)
#define KERNEL_product_tiled(...) KERNEL_PRODUCT(__VA_ARGS__)
#define KERNEL_product_registers(...) KERNEL_PRODUCT(__VA_ARGS__)
#define KERNEL_product_best(...) KERNEL_PRODUCT(__VA_ARGS__)

extern "C" __device__ long long lockstep_constant_best_tile = best_tile;
extern "C" __device__ long long lockstep_constant_best_threads = best_threads;
#endif

KERNEL(saxpy)

KERNEL(copy_simple)
KERNEL(copy_tile, 0)
KERNEL(copy_tile, 1)
KERNEL(copy_several, 0)
KERNEL(copy_several, 1)
KERNEL(copy_best)

KERNEL(transpose_simple)
KERNEL(transpose_tile, 0)
KERNEL(transpose_tile, 1)
KERNEL(transpose_several, 0)
KERNEL(transpose_several, 1)
KERNEL(transpose_swizzled)
KERNEL(transpose_best)

#undef PRODUCTS
#define PRODUCTS(type)             \
  KERNEL(product_naive, type)      \
  KERNEL(product_tiled, type)      \
  KERNEL(product_registers, type)  \
  KERNEL(product_best, type, 2)    \
  KERNEL(product_best, type, 4)    \
  KERNEL(product_best, type, 8)

PRODUCTS(float)
PRODUCTS(double)
