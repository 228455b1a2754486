// SPDX-License-Identifier: Apache-2.0
// Kernels that the instruction prediction was fitted on: control flow, arithmetic with slow
// paths, and usual homework. Every kernel takes (float* out, const float* in, int n); in holds
// 2^20 floats in [0, 1]. launches.tsv has the launches, counters.tsv an H200's counts.
#include <cuda_fp16.h>
#include <cstdint>

#define KERNEL(name) extern "C" __global__ void name(float* out, const float* in, int n)
#define TID (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL(f_saxpy) {
  int t = TID;
  if (t < n) out[t] = 2.5f * in[t] + out[t];
}

KERNEL(f_gridstride) {
#pragma unroll 4
  for (int i = TID; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * in[i] + 1.0f;
}

KERNEL(f_loop_rem) {
  int t = TID;
  float acc = 0;
  for (int i = 0; i < n; i++) acc += in[(t + i * 97) & 0xFFFFF];
  out[t] = acc;
}

KERNEL(f_loop_lane) {
  int t = TID;
  float acc = 0;
  for (int i = 0; i < t % 7 + n; i++) acc = acc * 0.5f + in[(t + i) & 0xFFFFF];
  out[t] = acc;
}

KERNEL(f_loop_nounroll) {
  int t = TID;
  float acc = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) acc += in[(t ^ i) & 0xFFFFF];
  out[t] = acc;
}

KERNEL(f_collatz) {
  int t = TID;
  unsigned x = t + 1;
  int steps = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  out[t] = steps;
}

KERNEL(f_ifelse_small) {
  int t = TID;
  float v = in[t];
  if (v > 0.5f) v = v * 2 - 1; else v = v + 3;
  out[t] = v;
}

KERNEL(f_ifelse_memory) {
  int t = TID;
  float v = in[t];
  if (v > 0.5f) {
    out[t] = v + in[(t * 7) & 0xFFFFF];
  } else if (v > 0.25f) {
    out[t] = v * in[(t * 5) & 0xFFFFF] - in[(t * 3) & 0xFFFFF];
  }
}

KERNEL(f_early_exit) {
  int t = TID;
  float v = in[t];
  if (v < 0.9f) return;
  for (int k = 0; k < 5; k++) v = v * v + in[(t + k * 64) & 0xFFFFF];
  out[t] = v;
}

KERNEL(f_early_uniform) {
  if (blockIdx.x % 3 == 0) return;
  int t = TID;
  out[t] = in[t] + blockIdx.x;
}

KERNEL(f_short_circuit) {
  int t = TID;
  float a = in[t], b = in[(t + 1000) & 0xFFFFF], c = in[(t + 5000) & 0xFFFFF];
  float v = 0;
  if ((a > 0.2f && b < 0.7f) || c > 0.9f) v = sqrtf(a * b) + c;
  if (a > b || (b > c && in[(t + 9000) & 0xFFFFF] > 0.5f)) v += 1;
  out[t] = v;
}

KERNEL(f_switch) {
  int t = TID;
  float v = in[t];
  switch ((t >> n) % 7) {
    case 0: v = v + 1; break;
    case 1: v = v * 3 + in[(t + 77) & 0xFFFFF]; break;
    case 2: v = v / 3.1f; break;
    case 3: v = __expf(v); break;
    case 4: v = sqrtf(v); break;
    case 5: v = v - in[(t + 55) & 0xFFFFF]; break;
    default: v = 0;
  }
  out[t] = v;
}

__device__ __noinline__ float f_callee(float a, float b, int k) {
  float r = a;
  for (int i = 0; i < k; i++) r = r * b + a;
  return r;
}
KERNEL(f_noinline) {
  int t = TID;
  float v = 0;
  for (int i = 0; i < 4; i++) v += f_callee(in[(t + i * 32) & 0xFFFFF], 0.5f, n + i);
  out[t] = v;
}

KERNEL(f_local_array) {
  int t = TID;
  float a[16];
  for (int i = 0; i < 16; i++) a[i] = in[(t + i * 33) & 0xFFFFF];
  float v = 0;
  for (int i = 0; i < 16; i++) v += a[(i * t + n) & 15];
  out[t] = v;
}

extern "C" __global__ void __launch_bounds__(1024, 2) f_spill(float* out, const float* in, int n) {
  int t = TID;
  float a[40];
#pragma unroll
  for (int i = 0; i < 40; i++) a[i] = in[(t + i * 129) & 0xFFFFF];
  for (int k = 0; k < n; k++) {
#pragma unroll
    for (int i = 0; i < 40; i++) a[i] = a[i] * a[(i + 7) % 40] + a[(i + 13) % 40];
  }
  float v = 0;
#pragma unroll
  for (int i = 0; i < 40; i++) v += a[i];
  out[t] = v;
}

KERNEL(f_mm_naive) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const float* b = in + n * n;
  float acc = 0;
  for (int k = 0; k < n; k++) acc += in[y * n + k] * b[k * n + x];
  out[y * n + x] = acc;
}

KERNEL(f_mm_tiled) {
  __shared__ float sa[16][16], sb[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  const float* b = in + n * n;
  float acc = 0;
  for (int m = 0; m < n / 16; m++) {
    sa[ty][tx] = in[y * n + m * 16 + tx];
    sb[ty][tx] = b[(m * 16 + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; k++) acc += sa[ty][k] * sb[k][tx];
    __syncthreads();
  }
  out[y * n + x] = acc;
}

KERNEL(f_hist) {
  __shared__ unsigned bins[64];
  int t = threadIdx.x;
  if (t < 64) bins[t] = 0;
  __syncthreads();
  for (int i = TID; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[int(in[i] * 63.9f)], 1u);
  __syncthreads();
  if (t < 64) atomicAdd((unsigned*)out + t, bins[t]);
}

KERNEL(f_scan) {
  __shared__ float s[2][256];
  int t = threadIdx.x, p = 0;
  s[0][t] = in[TID];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    s[1 - p][t] = t >= d ? s[p][t] + s[p][t - d] : s[p][t];
    p = 1 - p;
    __syncthreads();
  }
  out[TID] = s[p][t];
}

KERNEL(f_stencil) {
  __shared__ float s[256 + 6];
  int t = threadIdx.x, g = TID;
  s[t + 3] = in[g];
  if (t < 3) {
    s[t] = g >= 3 ? in[g - 3] : 0;
    s[t + 259] = g + 256 < n ? in[g + 256] : 0;
  }
  __syncthreads();
  float v = 0;
  for (int k = -3; k <= 3; k++) v += s[t + 3 + k] * (4 - abs(k));
  out[g] = v;
}

KERNEL(f_softmax) {
  int row = TID / 32, lane = threadIdx.x % 32;
  float top = -1e30f;
  for (int i = lane; i < n; i += 32) top = fmaxf(top, in[row * n + i]);
  for (int d = 16; d; d /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
  float sum = 0;
  for (int i = lane; i < n; i += 32) sum += expf(in[row * n + i] - top);
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int i = lane; i < n; i += 32) out[row * n + i] = expf(in[row * n + i] - top) / sum;
}

KERNEL(f_reduce_shfl) {
  __shared__ float s[32];
  float v = 0;
  for (int i = TID; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}

KERNEL(f_double_div) {
  int t = TID;
  double a = in[t], b = in[(t + 1) & 0xFFFFF] + 0.5;
  for (int i = 0; i < 3; i++) a = a / b + sqrt(a);
  out[t] = a;
}

KERNEL(f_int_div) {
  int t = TID;
  int v = 0;
  for (int i = 1; i <= 6; i++) v += (t * 977) / (i + n) + (t * 31) % (i + n + 2);
  unsigned u = t;
  v += u / (unsigned)n;
  out[t] = v;
}

KERNEL(f_int64) {
  int t = TID;
  long long a = (long long)t * 1234567891234ll + 99, b = n + t % 5;
  a = a / b + a % (b + 1);
  unsigned long long c = a;
  out[t] = (float)(c % 1000003ull) + (float)(a >> 7);
}

KERNEL(f_div_slow) {
  int t = TID;
  float a = in[t], b = in[(t + 3) & 0xFFFFF];
  if (t % 32 < n) b *= 1e-42f;
  out[t] = a / b;
}

KERNEL(f_sqrt_rcp) {
  int t = TID;
  float v = in[t];
  for (int i = 0; i < 4; i++) v = sqrtf(v + i) + 1.0f / (v + 0.1f) + rsqrtf(v + 2);
  out[t] = v;
}

KERNEL(f_half2) {
  int t = TID;
  const __half2* h = (const __half2*)in;
  __half2 a = h[t], b = __float2half2_rn(0.5f);
  for (int i = 0; i < n; i++) a = __hfma2(a, b, __hadd2(b, __floats2half2_rn(i, 1)));
  out[t] = __low2float(a) + __high2float(a);
}

KERNEL(f_bitonic) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[TID];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      int x = t ^ j;
      if (x > t) {
        float a = s[t], b = s[x];
        if ((a > b) == ((t & k) == 0)) {
          s[t] = b;
          s[x] = a;
        }
      }
      __syncthreads();
    }
  }
  out[TID] = s[t];
}

KERNEL(f_compact) {
  __shared__ int base;
  if (threadIdx.x == 0) base = 0;
  __syncthreads();
  float v = in[TID];
  bool keep = v > 0.6f;
  unsigned mask = __ballot_sync(~0u, keep);
  int lane = threadIdx.x & 31, at = 0;
  if (lane == 0) at = atomicAdd(&base, __popc(mask));
  at = __shfl_sync(~0u, at, 0) + __popc(mask & ((1u << lane) - 1));
  if (keep) out[blockIdx.x * blockDim.x + at] = v;
}

KERNEL(f_mandel) {
  int t = TID;
  float cx = (t % 256) / 128.0f - 1.5f, cy = (t / 256) / 128.0f - 1, x = 0, y = 0;
  int i = 0;
  for (; i < n; i++) {
    float x2 = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = x2;
    if (x * x + y * y > 4) break;
  }
  out[t] = i;
}

KERNEL(f_binsearch) {
  int t = TID;
  float key = in[t];
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (mid < key * n + in[mid & 0xFFFFF]) lo = mid + 1; else hi = mid;
  }
  out[t] = lo;
}

KERNEL(f_nbody) {
  __shared__ float4 s[128];
  int t = TID;
  const float4* p = (const float4*)in;
  float4 me = p[t];
  float ax = 0, ay = 0, az = 0;
  for (int m = 0; m < n; m++) {
    s[threadIdx.x] = p[m * 128 + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; k++) {
      float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
      float f = s[k].w * r * r * r;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  out[3 * t] = ax;
  out[3 * t + 1] = ay;
  out[3 * t + 2] = az;
}

KERNEL(f_trig) {
  int t = TID;
  float v = in[t] * n;
  out[t] = sinf(v) * cosf(v) + tanf(v * 0.1f);
}

KERNEL(f_powexp) {
  int t = TID;
  float v = in[t] + 0.1f;
  out[t] = powf(v, 2.3f) + expf(v) + logf(v) + tanhf(v);
}

__constant__ float f_weights[25] = {1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41,
                                    26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1};
KERNEL(f_conv2d) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= n || y >= n) return;
  float acc = 0;
  for (int j = -2; j <= 2; j++) {
    for (int i = -2; i <= 2; i++) {
      int u = x + i, v = y + j;
      if (u >= 0 && u < n && v >= 0 && v < n) acc += in[v * n + u] * f_weights[(j + 2) * 5 + i + 2];
    }
  }
  out[y * n + x] = acc / 273;
}

KERNEL(f_nested) {
  int t = TID;
  float v = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      if (((t + j) & 3) == 0) continue;
      v += in[(i * 32 + j + t) & 0xFFFFF];
      if (v > 20) break;
    }
  }
  out[t] = v;
}

KERNEL(f_dyn_shared) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  float v = 0;
  for (int i = 0; i < n; i += 5) v += s[(i + t) % n];
  out[TID] = v;
}

KERNEL(f_vec4_copy) {
  int t = TID;
  if (t < n / 4) {
    float4 v = ((const float4*)in)[t];
    v.x += v.w;
    ((float4*)out)[t] = v;
  }
}

KERNEL(f_restrict) {
  const float* __restrict__ a = in;
  int t = TID;
  float v = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) v += a[t * 8 + i];
#pragma unroll
  for (int i = 0; i < 8; i++) out[t * 8 + i] = a[t * 8 + i] - v;
}
