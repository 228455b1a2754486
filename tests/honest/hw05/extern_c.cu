// SPDX-License-Identifier: Apache-2.0
// Style: kernels of extern "C", whose names tell no types.
// Expect: pass 100..100
extern "C" {
__global__ void rmse_0(float* sums, const float* a, const float* b, const long long* starts);
__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts);
__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts);
__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts);
__global__ void rmse_4(float* sums, const float* a, const float* b, const long long* starts);
__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width, int pitch);
}
#include "../../hostile/given05.cuh"
