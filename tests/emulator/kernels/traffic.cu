// SPDX-License-Identifier: Apache-2.0
// Traffic between L1 and L2 that no access to global memory makes plain; traffic_test.cc has what
// is expected.

// Reads 9 KiB a thread that nothing wrote, each word `rounds` times.
extern "C" __global__ void reads_local(float* out, int n, int rounds) {
  float4 kept[576];
  if (n < 0) {
#pragma unroll 1
    for (int k = 0; k < 576; ++k) kept[k] = make_float4(out[k], out[k + 1], out[k + 2], out[k + 3]);
  }
  float x = 0;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll 1
    for (int at = 0; at < 576; ++at) {
      const float4 four = kept[(at + n) % 576];
      x += four.x + four.w;
    }
  }
  if (x != 0) out[threadIdx.x] = x;
}

// Reads 4 KiB of `in` again and again; meanwhile each thread fills local memory.
extern "C" __global__ void pushes_out(float* out, const float* in, int words, int rounds) {
  float kept[1024];
  float x = 0;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll 1
    for (int k = 0; k < words; ++k) kept[(k * 7 + r) % 1024] = x + k;
#pragma unroll 1
    for (int k = 0; k < 32; ++k) x += in[k * 32 + threadIdx.x % 32] + kept[(k + words) % words];
  }
  out[threadIdx.x] = x;
}

extern "C" __global__ void stores_twice(float* out, float x) {
  volatile float* const to = out + threadIdx.x;
  *to = x;
  *to = x + 1;
}

extern "C" __global__ void stores_after_a_nap(float* out, float x) {
  volatile float* const to = out + threadIdx.x;
  *to = x;
  __nanosleep(1000);
  *to = x + 1;
}

extern "C" __global__ void stores_after_a_barrier(float* out, float x) {
  volatile float* const to = out + threadIdx.x;
  *to = x;
  __syncthreads();
  *to = x + 1;
}

extern "C" __global__ void stores_after_a_shuffle(float* out, float x) {
  volatile float* const to = out + threadIdx.x;
  *to = x;
  *to = __shfl_xor_sync(~0u, x * threadIdx.x, 1) + 1;
}

extern "C" __global__ void stores_after_a_root(float* out, float x) {
  volatile float* const to = out + threadIdx.x;
  *to = x;
  *to = sqrtf(x);
}
