// SPDX-License-Identifier: Apache-2.0
// Access patterns, one block a launch: the argument n sets stride, broadcast or mask. Every
// kernel takes (float* out, const float* in, int n); in holds 2^20 floats.
#include <cstdint>

namespace {
template <typename T> __device__ T value(float x);
template <> __device__ float value<float>(float x) { return x; }
template <> __device__ float2 value<float2>(float x) { return make_float2(x, x + 1); }
template <> __device__ float4 value<float4>(float x) { return make_float4(x, x + 1, x + 2, x); }
__device__ float sum(float v) { return v; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

enum Pattern { kStride, kBroadcast, kXor, kMask, kRandom };
template <Pattern pattern> __device__ int index(int t, int n) {
  if (pattern == kStride) return t * n;
  if (pattern == kBroadcast) return t / n;
  if (pattern == kXor) return (t ^ n) * 3;
  if (pattern == kMask) return t;
  return (t * 2654435761u >> 7) % n;
}

template <typename T, Pattern pattern> __device__ void shared_load(float* out, const float* in,
                                                                   int n) {
  __shared__ T s[2048];
  const int t = threadIdx.x;
  for (int i = t; i < 2048; i += blockDim.x) s[i] = value<T>(in[i]);
  __syncthreads();
  const int i = index<pattern>(t, n) & 2047;
  float acc = 0;
  if (pattern != kMask || (n >> (t & 31)) & 1) {
    for (int k = 0; k < 4; ++k) acc += sum(s[(i + k * 32) & 2047]);
  }
  out[t] = acc;
}

template <typename T, Pattern pattern> __device__ void shared_store(float* out, const float* in,
                                                                    int n) {
  __shared__ T s[2048];
  const int t = threadIdx.x;
  for (int i = t; i < 2048; i += blockDim.x) s[i] = value<T>(0);
  __syncthreads();
  const int i = index<pattern>(t, n) & 2047;
  if (pattern != kMask || (n >> (t & 31)) & 1) s[i] = value<T>(in[t]);
  __syncthreads();
  out[t] = sum(s[t]);
}

template <typename T, Pattern pattern> __device__ void global_load(float* out, const float* in,
                                                                   int n) {
  const int t = threadIdx.x;
  const T* p = reinterpret_cast<const T*>(in) + (index<pattern>(t, n) & 0xFFFF);
  float acc = 0;
  for (int k = 0; k < 8; ++k) {
    if (pattern != kMask || (n >> (t & 31)) & 1) acc += sum(*(const volatile T*)p);
  }
  out[t] = acc;
}
template <> __device__ void global_load<float2, kStride>(float* out, const float* in, int n) {
  const int t = threadIdx.x;
  const float2* p = reinterpret_cast<const float2*>(in) + (t * n & 0xFFFF);
  float acc = 0;
#pragma unroll 1
  for (int k = 0; k < 8; ++k) acc += sum(p[k * 0x1000]) + sum(p[k * 0x1000]);
  out[t] = acc;
}
template <> __device__ void global_load<float4, kStride>(float* out, const float* in, int n) {
  const int t = threadIdx.x;
  const float4* p = reinterpret_cast<const float4*>(in) + (t * n & 0xFFFF);
  float acc = 0;
#pragma unroll 1
  for (int k = 0; k < 8; ++k) acc += sum(p[k * 0x1000]);
  out[t] = acc;
}

template <typename T, Pattern pattern> __device__ void global_store(float* out, const float* in,
                                                                    int n) {
  const int t = threadIdx.x;
  T* p = reinterpret_cast<T*>(out) + (index<pattern>(t, n) & 0xFFFF);
  const T v = value<T>(in[t]);
  if (pattern != kMask || (n >> (t & 31)) & 1) {
    for (int k = 0; k < 8; ++k) p[k * 0x1000] = v;
  }
}
}  // namespace

#define SWEEP(name, what, type, pattern)                                       \
  extern "C" __global__ void name(float* out, const float* in, int n) {       \
    what<type, pattern>(out, in, n);                                           \
  }
SWEEP(shld32_stride, shared_load, float, kStride)
SWEEP(shld64_stride, shared_load, float2, kStride)
SWEEP(shld128_stride, shared_load, float4, kStride)
SWEEP(shld32_bcast, shared_load, float, kBroadcast)
SWEEP(shld64_bcast, shared_load, float2, kBroadcast)
SWEEP(shld128_bcast, shared_load, float4, kBroadcast)
SWEEP(shld32_xor, shared_load, float, kXor)
SWEEP(shld64_xor, shared_load, float2, kXor)
SWEEP(shld128_xor, shared_load, float4, kXor)
SWEEP(shld32_mask, shared_load, float, kMask)
SWEEP(shld64_mask, shared_load, float2, kMask)
SWEEP(shld128_mask, shared_load, float4, kMask)
SWEEP(shld64_random, shared_load, float2, kRandom)
SWEEP(shld128_random, shared_load, float4, kRandom)
SWEEP(shst32_stride, shared_store, float, kStride)
SWEEP(shst64_stride, shared_store, float2, kStride)
SWEEP(shst128_stride, shared_store, float4, kStride)
SWEEP(shst64_mask, shared_store, float2, kMask)
SWEEP(shst128_mask, shared_store, float4, kMask)
SWEEP(shst32_random, shared_store, float, kRandom)
SWEEP(gld32_stride, global_load, float, kStride)
SWEEP(gld64_stride, global_load, float2, kStride)
SWEEP(gld128_stride, global_load, float4, kStride)
SWEEP(gld32_bcast, global_load, float, kBroadcast)
SWEEP(gld32_mask, global_load, float, kMask)
SWEEP(gld32_random, global_load, float, kRandom)
SWEEP(gst32_stride, global_store, float, kStride)
SWEEP(gst64_stride, global_store, float2, kStride)
SWEEP(gst128_stride, global_store, float4, kStride)
SWEEP(gst32_mask, global_store, float, kMask)
SWEEP(gst32_bcast, global_store, float, kBroadcast)

// L1 capacity: each block reads n floats a thread three times over, in or out of order.
extern "C" __global__ void l1_reuse(float* out, const float* in, int n) {
  const float* p = in + (blockIdx.x * 7919 & 0xFF) * 1024;
  float acc = 0;
#pragma unroll 1
  for (int k = 0; k < 3; ++k) {
#pragma unroll 1
    for (int i = 0; i < n; ++i) acc += p[(i * blockDim.x + threadIdx.x) & 0xBFFFF];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}

// Vectors of n floats, one a thread: strided reads twice, and strided stores.
extern "C" __global__ void l1_vectors(float* out, const float* in, int n) {
  for (int h = blockIdx.x * blockDim.x + threadIdx.x; h < (1 << 20) / n;
       h += gridDim.x * blockDim.x) {
    float acc = 0;
#pragma unroll 1
    for (int i = 0; i < n; ++i) acc += in[h * n + i];
#pragma unroll 1
    for (int i = 0; i < n; ++i) out[h * n + i] = in[h * n + i] - acc;
  }
}

// Stores of n consecutive floats a thread with nothing between them.
extern "C" __global__ void l1_stores(float* out, const float* in, int n) {
  const int h = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < n; ++i) out[(h * n + i) & 0xFFFFF] = i;
}

// The same element written n times.
extern "C" __global__ void l1_rewrite(float* out, const float* in, int n) {
  const int h = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < n; ++i) *(volatile float*)(out + h) = i;
}

// Stores, then loads of what was stored.
extern "C" __global__ void l1_store_load(float* out, const float* in, int n) {
  const int h = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < n; ++i) out[(h + i * gridDim.x * blockDim.x) & 0xFFFFF] = in[h];
  float acc = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) acc += out[(h + i * gridDim.x * blockDim.x) & 0xFFFFF];
  out[h] = acc;
}
