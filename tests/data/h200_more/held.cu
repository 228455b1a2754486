// SPDX-License-Identifier: Apache-2.0
// Kernels held out: the instruction prediction was never fitted on them; their error is what
// docs publish for unseen kernels. Same conventions as fit.cu.
#include <cuda_fp16.h>
#include <cstdint>

#define KERNEL(name) extern "C" __global__ void name(float* out, const float* in, int n)
#define TID (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL(h_dot) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float v = 0;
  for (int i = TID; i < n; i += gridDim.x * blockDim.x) v += in[i] * in[(i + 17) & 0xFFFFF];
  s[t] = v;
  __syncthreads();
  for (int k = 128; k > 32; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    volatile float* w = s;
    w[t] += w[t + 32];
    __syncwarp();
    for (int k = 16; k; k /= 2) {
      float x = w[t + k];
      __syncwarp();
      w[t] += x;
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

KERNEL(h_box) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float acc = 0;
  int count = 0;
  for (int j = max(y - 1, 0); j <= min(y + 1, n - 1); j++) {
    for (int i = max(x - 1, 0); i <= min(x + 1, n - 1); i++) {
      acc += in[j * n + i];
      count++;
    }
  }
  out[y * n + x] = acc / count;
}

KERNEL(h_mm_reg) {
  __shared__ float sa[32][33], sb[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  const float* b = in + n * n;
  float acc[4] = {};
  for (int m = 0; m < n; m += 32) {
    for (int j = 0; j < 32; j += 8) {
      sa[ty + j][tx] = in[(y + j) * n + m + tx];
      sb[ty + j][tx] = b[(m + ty + j) * n + x];
    }
    __syncthreads();
    for (int k = 0; k < 32; k++) {
      for (int j = 0; j < 4; j++) acc[j] += sa[ty + 8 * j][k] * sb[k][tx];
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; j++) out[(y + 8 * j) * n + x] = acc[j];
}

KERNEL(h_warp_scan) {
  __shared__ int sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  int v = in[TID] * 10;
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  int add = 0;
  for (int i = 0; i < warp; i++) add += sums[i];
  out[TID] = v + add;
}

KERNEL(h_radix) {
  __shared__ unsigned count[16];
  int t = threadIdx.x;
  if (t < 16) count[t] = 0;
  __syncthreads();
  const unsigned* keys = (const unsigned*)in;
  for (int i = 0; i < 4; i++) {
    unsigned k = keys[(TID * 4 + i) & 0xFFFFF] >> n & 15;
    atomicAdd(&count[k], 1u);
  }
  __syncthreads();
  if (t < 16) out[blockIdx.x * 16 + t] = count[t];
}

KERNEL(h_gcd) {
  int t = TID;
  unsigned a = t * 12 + 6, b = t % 100 + n;
  while (b) {
    unsigned r = a % b;
    a = b;
    b = r;
  }
  out[t] = a;
}

KERNEL(h_match) {
  int t = TID;
  const unsigned char* s = (const unsigned char*)in;
  int found = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < 4 && s[(t * 4 + i + k) & 0xFFFFF] > 60 + k) k++;
    if (k == 4) found++;
  }
  out[t] = found;
}

KERNEL(h_jacobi) {
  int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 4 + threadIdx.y + 1;
  if (x < n - 1 && y < n - 1) {
    out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                              in[(y + 1) * n + x]);
  }
}

KERNEL(h_pi) {
  int t = TID;
  unsigned state = t * 747796405u + 2891336453u;
  int hits = 0;
  for (int i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    float x = (state >> 8) * (1.0f / 16777216);
    state = state * 1664525u + 1013904223u;
    float y = (state >> 8) * (1.0f / 16777216);
    if (x * x + y * y < 1) hits++;
  }
  out[t] = 4.0f * hits / n;
}

KERNEL(h_reject) {
  int t = TID;
  unsigned state = t * 9781u + 1;
  float x;
  do {
    state = state * 1664525u + 1013904223u;
    x = (state >> 8) * (1.0f / 16777216);
  } while (x > in[(t + state % 64) & 0xFFFFF]);
  out[t] = x;
}

KERNEL(h_insertion) {
  int t = TID;
  float a[8];
  for (int i = 0; i < 8; i++) a[i] = in[(t * 8 + i) & 0xFFFFF];
  for (int i = 1; i < 8; i++) {
    float v = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > v) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = v;
  }
  for (int i = 0; i < 8; i++) out[(t * 8 + i) & 0xFFFFF] = a[i];
}

KERNEL(h_quadratic) {
  int t = TID;
  float a = in[t] + 0.1f, b = in[(t + 11) & 0xFFFFF] * 4 - 2, c = in[(t + 23) & 0xFFFFF] - 0.5f;
  float d = b * b - 4 * a * c;
  if (d < 0) {
    out[t] = -1;
  } else if (d == 0) {
    out[t] = -b / (2 * a);
  } else {
    float q = b < 0 ? -0.5f * (b - sqrtf(d)) : -0.5f * (b + sqrtf(d));
    out[t] = q / a + c / q;
  }
}

KERNEL(h_horner) {
  int t = TID;
  double x = in[t], v = 1;
  for (int i = 0; i < n; i++) v = v * x + 1.0 / (i + 1);
  out[t] = v;
}

KERNEL(h_bits) {
  int t = TID;
  unsigned x = ((const unsigned*)in)[t], v = 0;
  for (int i = 0; i < n; i++) {
    v ^= __brev(x) + __clz(x) + __popc(x);
    x = (x << 3 | x >> 29) ^ v;
    x = __byte_perm(x, v, 0x2103);
  }
  out[t] = v;
}

KERNEL(h_fallthrough) {
  int t = TID;
  float v = in[t];
  switch (t % 5) {
    case 4: v += in[(t + 4) & 0xFFFFF];
    case 3: v *= 1.5f;
    case 2: v += in[(t + 2) & 0xFFFFF];
    case 1: v = v * v;
    default: v -= 1;
  }
  out[t] = v;
}

KERNEL(h_break_continue) {
  int t = TID;
  int primes = 0;
  for (int c = t % 64 + 2; c < n; c += 3) {
    bool prime = true;
    for (int d = 2; d * d <= c; d++) {
      if (c % d == 0) {
        prime = false;
        break;
      }
    }
    if (!prime) continue;
    primes++;
  }
  out[t] = primes;
}

__device__ __noinline__ int h_callee_a(int x) { return x * x + 3; }
__device__ __noinline__ int h_callee_b(int x, int y) {
  if (x > y) return h_callee_a(x) - y;
  return x / (y + 1);
}
KERNEL(h_calls) {
  int t = TID;
  int v = 0;
  for (int i = 0; i < n; i++) {
    v += (t & 1) ? h_callee_a(v + i) : h_callee_b(t % 17, i);
    v &= 0xFFFF;
  }
  out[t] = v;
}

extern "C" __global__ void __launch_bounds__(512, 4) h_spill(float* out, const float* in, int n) {
  int t = TID;
  double a[24];
#pragma unroll
  for (int i = 0; i < 24; i++) a[i] = in[(t + i * 65) & 0xFFFFF];
#pragma unroll 1
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int i = 0; i < 24; i++) a[i] = a[i] * a[(i + 5) % 24] + a[(i + 11) % 24];
  }
  double v = 0;
#pragma unroll
  for (int i = 0; i < 24; i++) v += a[i];
  out[t] = v;
}

KERNEL(h_transpose4) {
  __shared__ float4 s[32][9];
  int x = threadIdx.x % 8, y = threadIdx.x / 8;
  const float4* p = (const float4*)in;
  s[y][x] = p[(blockIdx.x * 32 + y) * 8 + x];
  __syncthreads();
  float* q = (float*)s;
  float4 v;
  v.x = q[(x * 4 + 0) * 36 + y];
  v.y = q[(x * 4 + 1) * 36 + y];
  v.z = q[(x * 4 + 2) * 36 + y];
  v.w = q[(x * 4 + 3) * 36 + y];
  ((float4*)out)[(blockIdx.x * 32 + y) * 8 + x] = v;
}

KERNEL(h_layernorm) {
  __shared__ float part[2][8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const float* row = in + blockIdx.x * n;
  float s = 0, q = 0;
  for (int i = t; i < n; i += 256) {
    float v = row[i];
    s += v;
    q += v * v;
  }
  for (int d = 16; d; d /= 2) {
    s += __shfl_xor_sync(~0u, s, d);
    q += __shfl_xor_sync(~0u, q, d);
  }
  if (lane == 0) {
    part[0][warp] = s;
    part[1][warp] = q;
  }
  __syncthreads();
  s = q = 0;
  for (int i = 0; i < 8; i++) {
    s += part[0][i];
    q += part[1][i];
  }
  float mean = s / n, inv = rsqrtf(q / n - mean * mean + 1e-5f);
  for (int i = t; i < n; i += 256) out[blockIdx.x * n + i] = (row[i] - mean) * inv;
}

KERNEL(h_argmax) {
  int t = TID;
  float best = -1;
  int at = -1;
  for (int i = t; i < n; i += gridDim.x * blockDim.x) {
    float v = in[i];
    if (v > best) {
      best = v;
      at = i;
    }
  }
  for (int d = 16; d; d /= 2) {
    float b = __shfl_down_sync(~0u, best, d);
    int a = __shfl_down_sync(~0u, at, d);
    if (b > best || (b == best && a < at)) {
      best = b;
      at = a;
    }
  }
  if (threadIdx.x % 32 == 0) out[t / 32] = at;
}

KERNEL(h_spmv) {
  int t = TID;
  int begin = t * 6 + t % 5, count = int(in[t] * n);
  float v = 0;
  for (int k = begin; k < begin + count; k++) {
    v += in[k & 0xFFFFF] * in[(k * 7919) & 0xFFFFF];
  }
  out[t] = v;
}

KERNEL(h_odd_even) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[TID];
  __syncthreads();
  for (int p = 0; p < 128; p++) {
    int i = 2 * t + (p & 1);
    if (i + 1 < 128) {
      float a = s[i], b = s[i + 1];
      if (a > b) {
        s[i] = b;
        s[i + 1] = a;
      }
    }
    __syncthreads();
  }
  out[TID] = s[t];
}

KERNEL(h_vote) {
  int t = TID;
  float v = in[t];
  int rounds = 0;
  while (__any_sync(~0u, v > 0.01f)) {
    if (v > 0.01f) v *= 0.7f;
    if (__all_sync(~0u, v < 0.05f)) rounds += 100;
    rounds++;
  }
  out[t] = rounds;
}

KERNEL(h_atomic_cas) {
  int t = TID;
  float v = in[t];
  int* address = (int*)out + t % 61;
  int old = *address, assumed;
  do {
    assumed = old;
    old = atomicCAS(address, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
  } while (assumed != old && n);
}

KERNEL(h_shared_float_atomic) {
  __shared__ float s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % n], in[TID]);
  __syncthreads();
  if (threadIdx.x < 32) out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
}

KERNEL(h_divergent_loop) {
  int t = TID;
  float v = 0;
  if (in[t] > 0.3f) {
    for (int i = 0; i < (t & 15); i++) v += in[(t + i * i) & 0xFFFFF];
  } else {
    for (int i = 0; i < n; i++) v -= in[(t * 3 + i) & 0xFFFFF];
  }
  out[t] = v;
}

KERNEL(h_exp_div) {
  int t = TID;
  float v = in[t];
  for (int i = 0; i < n; i++) v = 1.0f / (1.0f + expf(-v)) + v / 3.3f;
  out[t] = v;
}

KERNEL(h_long_mix) {
  int t = TID;
  long long a = t, b = n;
  for (int i = 0; i < 10; i++) {
    a = a * 6364136223846793005ll + b;
    b ^= a >> 13;
    if (a < b) a += b << 3;
  }
  out[t] = (float)(a & 0xFFFFF) + (float)(b % (t % 9 + 1));
}

KERNEL(h_wide_if) {
  int t = TID;
  float v = in[t];
  float r = 0;
  if (threadIdx.x < n) {
    for (int i = 0; i < 20; i++) {
      r += v * i;
      v = v * 0.99f + in[(t + i * 1024) & 0xFFFFF];
    }
  }
  __syncthreads();
  out[t] = r + v;
}

KERNEL(h_half_dot) {
  const __half* h = (const __half*)in;
  int t = TID;
  float v = 0;
  for (int i = 0; i < n; i++) v += __half2float(__hmul(h[(t + i * 64) & 0xFFFFF], h[(i * 3 + t) & 0xFFFFF]));
  out[t] = v;
}
