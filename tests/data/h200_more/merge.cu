// SPDX-License-Identifier: Apache-2.0
// Wide loads from shared memory in which neighbouring lanes read the same, and shared atomics: what
// the plain wavefront rule does not cover. One warp a launch; the argument n is a stride (merge_)
// or how many lanes share an address (atom_). Same conventions as fit.cu.
#include <cstdint>

namespace {
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }
template <typename T> __device__ T fill(float x);
template <> __device__ float2 fill<float2>(float x) { return make_float2(x, x + 1); }
template <> __device__ float4 fill<float4>(float x) { return make_float4(x, x + 1, x + 2, x); }

// Which lanes read the same: n, n^1; n, n^2; n, n^3; n, n^4; four in a row; rows reversed.
enum Pairs { kOne, kTwo, kThree, kFour, kQuads, kReversed };
template <Pairs pairs> __device__ int element(int t) {
  if (pairs == kOne) return t >> 1;
  if (pairs == kTwo) return (t & 1) | (t >> 2 << 1);
  if (pairs == kThree) return (((t ^ t >> 1) & 1)) | (t >> 2 << 1);
  if (pairs == kFour) return (t & 3) | (t >> 3 << 2);
  if (pairs == kQuads) return t >> 2;
  return 15 - (t >> 1);
}

// lanes: a mask of those that load.
template <typename T, Pairs pairs> __device__ void load(float* out, const float* in, int n,
                                                        unsigned lanes) {
  __shared__ T s[2048];
  const int t = threadIdx.x;
  for (int i = t; i < 2048; i += blockDim.x) s[i] = fill<T>(in[i]);
  __syncthreads();
  const int i = element<pairs>(t) * n;
  float acc = 0;
  if (lanes >> t & 1) {
    for (int k = 0; k < 4; ++k) acc += sum(s[(i + k * 32) & 2047]);
  }
  out[t] = acc;
}
}  // namespace

#define MERGE(name, type, pairs, lanes)                                        \
  extern "C" __global__ void name(float* out, const float* in, int n) {       \
    load<type, pairs>(out, in, n, lanes);                                      \
  }
MERGE(merge64_one, float2, kOne, ~0u)
MERGE(merge64_two, float2, kTwo, ~0u)
MERGE(merge64_three, float2, kThree, ~0u)
MERGE(merge64_four, float2, kFour, ~0u)
MERGE(merge64_quads, float2, kQuads, ~0u)
MERGE(merge64_reversed, float2, kReversed, ~0u)
MERGE(merge64_one_even, float2, kOne, 0x55555555u)
MERGE(merge64_one_pairs, float2, kOne, 0x33333333u)
MERGE(merge64_one_low, float2, kOne, 0x0000FFFFu)
MERGE(merge64_one_hole, float2, kOne, 0xFFFFFFDFu)
MERGE(merge128_one, float4, kOne, ~0u)
MERGE(merge128_two, float4, kTwo, ~0u)
MERGE(merge128_three, float4, kThree, ~0u)
MERGE(merge128_four, float4, kFour, ~0u)
MERGE(merge128_quads, float4, kQuads, ~0u)
MERGE(merge128_reversed, float4, kReversed, ~0u)
MERGE(merge128_one_even, float4, kOne, 0x55555555u)
MERGE(merge128_one_pairs, float4, kOne, 0x33333333u)
MERGE(merge128_one_low, float4, kOne, 0x000000FFu)
MERGE(merge128_one_hole, float4, kOne, 0xFFFFFFDFu)

#define ATOMIC(name, type, operation)                                          \
  extern "C" __global__ void name(float* out, const float* in, int n) {       \
    __shared__ type s[256];                                                    \
    const int t = threadIdx.x;                                                 \
    for (int i = t; i < 256; i += blockDim.x) s[i] = 0;                        \
    __syncthreads();                                                           \
    const int i = (n > 0 ? t / n : t * -n) & 255;                              \
    operation;                                                                 \
    __syncthreads();                                                           \
    out[t] = (float)s[t];                                                      \
  }
ATOMIC(atom_inc, unsigned, atomicAdd(&s[i], 1u))
ATOMIC(atom_add, unsigned, atomicAdd(&s[i], (unsigned)t))
ATOMIC(atom_add_used, unsigned, out[64 + t] = atomicAdd(&s[i], (unsigned)t))
ATOMIC(atom_max, int, atomicMax(&s[i], t))
ATOMIC(atom_exch_used, int, out[64 + t] = atomicExch(&s[i], t))
ATOMIC(atom_cas, int, atomicCAS(&s[i], 0, t))
ATOMIC(atom_add64, unsigned long long, atomicAdd(&s[i], (unsigned long long)t))
ATOMIC(atom_float, float, atomicAdd(&s[i], in[t]))
ATOMIC(atom_float_used, float, out[64 + t] = atomicAdd(&s[i], in[t]))
ATOMIC(atom_double, double, atomicAdd(&s[i], (double)in[t]))
