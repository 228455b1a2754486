// SPDX-License-Identifier: Apache-2.0
// A fence that empties L1 (CCTL.IVALL in SASS) and one that does not: fences_test.cc.

extern "C" __global__ void device_fence(float* o, const float* i) {
  const float x = i[threadIdx.x];
  __threadfence();
  o[threadIdx.x] = x + i[threadIdx.x];
}

extern "C" __global__ void block_fence(float* o, const float* i) {
  const float x = i[threadIdx.x];
  __threadfence_block();
  o[threadIdx.x] = x + i[threadIdx.x];
}
