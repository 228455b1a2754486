// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies with one fault each, and legal twins, as in faults.cu: a fault is on the line
// that says FAULT and its kind. Read by ../faults_test.cc.
#include <cuda_pipeline.h>

#define KERNEL extern "C" __global__ void

KERNEL copy_early(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_commit();
  out[t] = s[t];  // FAULT race
  __pipeline_wait_prior(0);
}
KERNEL copy_own_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
KERNEL copy_early_volatile(float* out, const float* in, int n) {
  __shared__ volatile float s[256];
  int t = threadIdx.x;
  s[t] = 1;
  __pipeline_memcpy_async(const_cast<float*>(&s[t]), in + t, 4);
  __syncthreads();
  out[t] = s[255 - t];  // FAULT race
}
KERNEL copy_no_barrier(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[255 - t];  // FAULT race uninitialized
}
KERNEL copy_no_warp_barrier(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t ^ 1];  // FAULT race
}
KERNEL copy_warp_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[t] = s[t ^ 1];
}
KERNEL copy_barrier_first(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[t] = s[255 - t];  // FAULT race
}
KERNEL copy_other_group(float* out, const float* in, int n) {
  __shared__ float s[2][256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], in + t, 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][t], in + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[t] = s[0][255 - t];
  out[t] += s[1][255 - t];  // FAULT race
}
KERNEL copy_not_committed(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_wait_prior(0);
  out[t] = s[t];  // FAULT race
}
KERNEL copy_overwritten(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_commit();
  if (t % 3 == 0) s[t] = 0;  // FAULT race
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
KERNEL copy_twice(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  __pipeline_memcpy_async(&s[t], in + (t ^ 1), 4);  // FAULT race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
KERNEL copy_same_ok(float* out, const float* in, int n) {
  __shared__ float s[4];
  int t = threadIdx.x;
  __pipeline_memcpy_async(s, in, 16);  // by all threads, the same
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[t % 4];
}
KERNEL copy_source_changed(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  out[t] = in[t];
  __pipeline_memcpy_async(&s[t], out + t, 4);  // FAULT race
  __pipeline_commit();
  out[t] = 1000;
  __pipeline_wait_prior(0);
  out[t] = s[t];
}
KERNEL copy_source_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  out[t] = in[t];
  __pipeline_memcpy_async(&s[t], out + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = 1000;
  out[t] = s[t];
}
KERNEL copy_too_soon(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = 1000 + t;
  __syncthreads();
  if (t >= 128) out[t] = s[255 - t];
  if (t < 128) __pipeline_memcpy_async(&s[t], in + t, 4);  // FAULT race
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
KERNEL copy_bounds(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t + 1, 4);  // FAULT out_of_bounds
}
KERNEL copy_shared_bounds(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t + 1], in + t, 4);  // FAULT out_of_bounds
}
KERNEL copy_misaligned(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t / 2, 16);  // FAULT misaligned
}
KERNEL copy_unwritten(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], out + t, 4);  // FAULT uninitialized
}
// Two buffers: while one is read the other fills.
KERNEL copy_pipeline_ok(float* out, const float* in, int n) {
  __shared__ float s[2][256];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], in + t, 4);
  __pipeline_commit();
  for (int k = 0; k < 8; ++k) {
    if (k < 7) __pipeline_memcpy_async(&s[(k + 1) % 2][t], in + (t + 32 * k) % 256, 4);
    __pipeline_commit();  // an empty group in the last turn
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][255 - t];
    __syncthreads();
  }
  out[t] = sum;
}
KERNEL copy_pipeline(float* out, const float* in, int n) {
  __shared__ float s[2][256];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], in + t, 4);
  __pipeline_commit();
  for (int k = 0; k < 8; ++k) {
    if (k < 7) __pipeline_memcpy_async(&s[(k + 1) % 2][t], in + (t + 32 * k) % 256, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][255 - t];  // FAULT race
  }
  out[t] = sum;
}
KERNEL copy_ragged_ok(float* out, const float* in, int n) {
  __shared__ float4 s[256];
  int t = threadIdx.x;
  const int left = n - 3 - 4 * t, used = left > 4 ? 4 : left > 0 ? left : 0;
  __pipeline_memcpy_async(&s[t], in + 4 * t, 16, 16 - 4 * used);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float4 v = s[255 - t];
  out[t] = v.x + v.y + v.z + v.w;
}
KERNEL copy_unwaited_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, 4);
  out[t] = in[t];
}
