// SPDX-License-Identifier: Apache-2.0
// One wide access to shared memory a launch, of which n draws lanes and addresses.
#include "patterns.h"

extern "C" __global__ void load8(float* out, const float* in, int n) {
  __shared__ double a[64];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 128; i += 32) reinterpret_cast<float*>(a)[i] = i;
  __syncwarp();
  double s = 0;
  if (active(n, lane)) s = a[place(n, lane)];
  reinterpret_cast<double*>(out)[lane] = s;
}
extern "C" __global__ void load16(float* out, const float* in, int n) {
  __shared__ float4 a[64];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) reinterpret_cast<float*>(a)[i] = i;
  __syncwarp();
  float4 s = {0, 0, 0, 0};
  if (active(n, lane)) s = a[place(n, lane)];
  reinterpret_cast<float4*>(out)[lane] = s;
}
extern "C" __global__ void store8(float* out, const float* in, int n) {
  __shared__ double a[64];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 128; i += 32) reinterpret_cast<float*>(a)[i] = i;
  __syncwarp();
  const unsigned p = place(n, lane);
  if (active(n, lane)) a[p] = p;
  __syncwarp();
  reinterpret_cast<float2*>(out)[lane] = {reinterpret_cast<float*>(a)[lane], reinterpret_cast<float*>(a)[lane + 32]};
}
extern "C" __global__ void store16(float* out, const float* in, int n) {
  __shared__ float4 a[64];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) reinterpret_cast<float*>(a)[i] = i;
  __syncwarp();
  const float p = place(n, lane);
  if (active(n, lane)) a[place(n, lane)] = {p, p, p, p};
  __syncwarp();
  reinterpret_cast<float2*>(out)[lane] = {reinterpret_cast<float*>(a)[lane], reinterpret_cast<float*>(a)[lane + 32]};
}
