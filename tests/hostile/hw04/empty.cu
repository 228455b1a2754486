// SPDX-License-Identifier: Apache-2.0
// Attack: kernels that do nothing.
// Expect: fail 0..0
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#define OWN_5
#define OWN_6
#define OWN_7
#define OWN_8
#include "../given04.cuh"

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {}

__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {}

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {}
