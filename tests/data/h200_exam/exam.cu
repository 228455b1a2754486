// SPDX-License-Identifier: Apache-2.0
// An exam set: kernels as samples, courses and their students write them, broad in what they use of
// the language, by an author who had not seen how the emulator predicts. Nothing was or may be
// fitted to them. Every kernel takes (float* out, const float* in, int n); in holds 2^20 floats in
// [0, 1], out 2^20 zeros. A kernel whose name ends in _fa adds floats atomically: its output may
// differ in the last bits.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace cg = cooperative_groups;

__device__ __forceinline__ int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// 24 random bits of element i.
__device__ __forceinline__ unsigned bits24(const float* in, int i) {
  return static_cast<unsigned>(in[i] * 16777215.f);
}

// ---------------------------------------------------------------- integers

// Quotients and remainders by constants, signed and unsigned.
extern "C" __global__ void divide_constants(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  unsigned u = bits24(in, i);
  int s = static_cast<int>(u) - 8000000;
  unsigned a = u / 3 + u % 7 + u / 1000 + u % 641;
  int b = s / 5 - s % 10 + s / -12 + s % 16 + s / 8;
  out[i] = static_cast<float>(a) + static_cast<float>(b);
}

// The sum of a number's digits in base n.
extern "C" __global__ void digit_sum(float* out, const float* in, int n) {
  int i = global_thread();
  unsigned u = bits24(in, i);
  int sum = 0;
  do {
    sum += u % static_cast<unsigned>(n);
    u /= static_cast<unsigned>(n);
  } while (u != 0);
  out[i] = sum;
}

// 64-bit division by variables, signed and unsigned, large and small divisors.
extern "C" __global__ void divide_long(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  uint64_t a = static_cast<uint64_t>(bits24(in, i)) << 32 | bits24(in, i + 1);
  uint64_t b =
      (i & 1) ? bits24(in, i + 2) + 1 : (static_cast<uint64_t>(bits24(in, i + 2)) << 20) + 3;
  int64_t c = static_cast<int64_t>(a) - (int64_t{1} << 55);
  int64_t d = static_cast<int64_t>(b) * ((i & 2) ? -1 : 1);
  uint64_t r = a / b + a % b;
  r ^= static_cast<uint64_t>(c / d + c % d);
  out[i] = static_cast<float>(r & 0xffffff) + static_cast<float>(r >> 40);
}

// FNV, a 64-bit finalizer and the high halves of products.
extern "C" __global__ void hash_mix(float* out, const float* in, int n) {
  int i = global_thread();
  uint64_t h = 14695981039346656037ull;
  for (int k = 0; k < n; ++k) {
    unsigned w = bits24(in, i + k * 37);
    for (int b = 0; b < 3; ++b) h = (h ^ ((w >> 8 * b) & 255)) * 1099511628211ull;
  }
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdull;
  h ^= __umul64hi(h, 0xc4ceb9fe1a85ec53ull);
  unsigned x = __umulhi(static_cast<unsigned>(h), static_cast<unsigned>(h >> 32));
  out[i] = static_cast<float>((x ^ __mul24(static_cast<int>(h), 77)) & 0xffffff);
}

// An integer square root, bit by bit.
extern "C" __global__ void integer_sqrt(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  unsigned v = bits24(in, i) * 200u, root = 0, bit = 1u << 30;
  while (bit > v) bit >>= 2;
  while (bit) {
    if (v >= root + bit) {
      v -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
    bit >>= 2;
  }
  out[i] = root;
}

// A filter of four taps in fixed point with rounding and saturation.
extern "C" __global__ void fixed_point_filter(float* out, const float* in, int n) {
  const int taps[4] = {11000, -3000, 21000, 9000};
  for (int i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
    int sum = 1 << 14;
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      int q15 = static_cast<int>(in[i + t] * 65535.f) - 32768;
      sum += (q15 * taps[t]) >> 1;
    }
    out[i] = static_cast<short>(max(-32768, min(32767, sum >> 14)));
  }
}

struct Mat2 {
  unsigned a, b, c, d;
};

__device__ __noinline__ Mat2 multiply(Mat2 x, Mat2 y, unsigned m) {
  auto dot = [m](uint64_t p, uint64_t q, uint64_t r, uint64_t s) {
    return static_cast<unsigned>((p * q + r * s) % m);
  };
  return {dot(x.a, y.a, x.b, y.c), dot(x.a, y.b, x.b, y.d), dot(x.c, y.a, x.d, y.c),
          dot(x.c, y.b, x.d, y.d)};
}

// Fibonacci numbers modulo n by powers of a matrix, in a function that is not inlined.
extern "C" __global__ void fibonacci_power(float* out, const float* in, int n) {
  int i = global_thread();
  unsigned e = bits24(in, i) & 1023;
  Mat2 result{1, 0, 0, 1}, base{1, 1, 1, 0};
  while (e) {
    if (e & 1) result = multiply(result, base, n);
    base = multiply(base, base, n);
    e >>= 1;
  }
  out[i] = result.b;
}

// The smallest factor of odd numbers, or 0.
extern "C" __global__ void smallest_factor(float* out, const float* in, int n) {
  int i = global_thread();
  unsigned v = (bits24(in, i) % static_cast<unsigned>(n)) | 1u;
  unsigned factor = 0;
  for (unsigned d = 3; d * d <= v; d += 2) {
    if (v % d != 0) continue;
    factor = d;
    break;
  }
  out[i] = factor;
}

__constant__ int kRomanValue[13] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
__constant__ char kRomanLetters[13][3] = {"M",  "CM", "D",  "CD", "C",  "XC", "L",
                                          "XL", "X",  "IX", "V",  "IV", "I"};

// The letters of a Roman numeral as base-8 digits, by tables in constant memory.
extern "C" __global__ void roman_numerals(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  int v = bits24(in, i) % 3999 + 1;
  unsigned code = 0;
  for (int k = 0; k < 13; ++k) {
    while (v >= kRomanValue[k]) {
      for (const char* p = kRomanLetters[k]; *p; ++p) code = code * 31 + *p;
      v -= kRomanValue[k];
    }
  }
  out[i] = code & 0xffffff;
}

// The check digit of 15-digit card numbers.
extern "C" __global__ void luhn_digits(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  uint64_t card = static_cast<uint64_t>(bits24(in, i)) * bits24(in, i + 5);
  int sum = 0;
  bool twice = true;
  for (; card > 0; card /= 10, twice = !twice) {
    int digit = card % 10;
    if (twice && (digit *= 2) > 9) digit -= 9;
    sum += digit;
  }
  out[i] = (10 - sum % 10) % 10;
}

// ---------------------------------------------------------------- conversions and rounding

// Floats to integers in the four modes.
extern "C" __global__ void round_to_int(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float x = (in[i] - 0.5f) * 1000.f;
  int s = __float2int_rd(x) + 3 * __float2int_ru(x) + 5 * __float2int_rn(x) + 7 * __float2int_rz(x);
  unsigned u = __float2uint_rd(x) + __float2uint_ru(x + 500.f);
  long long l = __float2ll_rn(x * 1e10f) >> 20;
  out[i] = s + floorf(x) + ceilf(x) + truncf(x) + rintf(x) + roundf(x) + static_cast<float>(u) +
           static_cast<float>(l);
}

// Doubles to narrower types and integers to floating point, directed.
extern "C" __global__ void round_to_float(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  double d = in[i] / 3.0 + 1e-9 * i;
  float a = __double2float_ru(d) - __double2float_rd(d);
  float b = __double2float_rn(d) + __double2float_rz(-d);
  int whole = __double2int_rd(d * 1e6) + __double2int_ru(-d * 1e6);
  long long big = __double2ll_rz(d * 1e15);
  float c = __int2float_rd(16777217 + i) - __int2float_ru(16777219 + i);
  out[i] = a * 1e7f + b + whole + c + __ll2float_rn(big) +
           static_cast<float>(__ll2double_ru(big) - __ull2double_rd(big + 1));
}

// Arithmetic in directed modes: an interval's width after some steps.
extern "C" __global__ void interval_width(float* out, const float* in, int n) {
  int i = global_thread();
  float lo = in[i] + 0.5f, hi = lo;
  double dlo = lo, dhi = hi;
  for (int k = 0; k < n; ++k) {
    lo = __fadd_rd(__fmul_rd(lo, 0.7f), __fdiv_rd(0.3f, hi));
    hi = __fadd_ru(__fmul_ru(hi, 0.7f), __fdiv_ru(0.3f, lo));
    dlo = __dadd_rd(__dmul_rd(dlo, 0.7), 0.1);
    dhi = __fma_ru(dhi, 0.7, 0.1);
  }
  out[i] = (__fsqrt_ru(hi) - __fsqrt_rd(lo)) + static_cast<float>(__dsub_ru(dhi, dlo) * 1e15);
}

// Saturation to bytes and shorts, four pixels packed in a word.
extern "C" __global__ void saturate_pack(float* out, const float* in, int n) {
  int i = global_thread();
  if (4 * i + 3 >= n) return;
  uchar4 p;
  p.x = static_cast<unsigned char>(__saturatef(in[4 * i] * 1.5f - 0.2f) * 255.f + 0.5f);
  p.y = static_cast<unsigned char>(fminf(fmaxf(in[4 * i + 1] * 300.f, 0.f), 255.f));
  int z = static_cast<int>(in[4 * i + 2] * 600.f) - 200;
  p.z = z < 0 ? 0 : z > 255 ? 255 : z;
  p.w = static_cast<signed char>(static_cast<int>(in[4 * i + 3] * 1000.f));
  reinterpret_cast<uchar4*>(out)[i] = p;
}

// Minima and maxima where some elements are not numbers.
extern "C" __global__ void minmax_nan(float* out, const float* in, int n) {
  int i = global_thread();
  float low = INFINITY, high = -INFINITY;
  int bad = 0;
  for (int k = 0; k < n; ++k) {
    float x = in[i + k * 11];
    float y = x < 0.2f ? sqrtf(x - 0.1f) : x;
    bad += isnan(y);
    low = fminf(low, y);
    high = y > high ? y : high;
  }
  out[i] = low + high + bad;
}

// Exponents and mantissas taken apart and put together.
extern "C" __global__ void float_parts(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float x = (in[i] - 0.25f) * ldexpf(1.f, (i & 31) - 16);
  int e;
  float m = frexpf(x, &e);
  int bits = __float_as_int(x);
  float next = __int_as_float(bits + 1);
  float y = scalbnf(copysignf(m, -x), e / 2) + (next - x) * 1e6f;
  out[i] = signbit(y) ? nextafterf(y, 0.f) : y + ilogbf(fabsf(x) + 1e-30f);
}

// ---------------------------------------------------------------- mathematics

// Intrinsics of lower precision.
extern "C" __global__ void fast_intrinsics(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float x = in[i] * 3.f + 0.1f, s, c;
  __sincosf(x, &s, &c);
  float a = __expf(-x) + __logf(x) + __powf(x, 1.7f) + __log2f(x + 2.f) + __exp10f(0.1f * x);
  float b = __fdividef(s, c + 2.f) + rsqrtf(x) + __frcp_rn(x) + __frsqrt_rn(x) + __tanf(0.3f * x);
  out[i] = fmaf(a, b, __fmaf_rz(x, s, c));
}

// Functions of full precision; large arguments of sinf and cosf in some lanes.
extern "C" __global__ void full_functions(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float x = in[i];
  float big = (i % 19 == 0) ? x * 1e7f : x * 10.f;
  out[i] = sinf(big) + cosf(x) * expf(x) + logf(x + 0.5f) + powf(x + 0.1f, 2.5f);
}

// The less common functions.
extern "C" __global__ void rare_functions(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float x = in[i] + 0.01f;
  float a = erff(x) + erfcf(2.f * x) + tanhf(x - 0.5f) + cbrtf(x) + log1pf(x) + expm1f(x);
  float b = atan2f(x, 0.3f) + asinf(0.9f * x) + hypotf(x, 2.f) + fmodf(50.f * x, 0.7f);
  out[i] = a + b + exp2f(x) + sinpif(x) + tgammaf(x + 1.f) + j0f(x);
}

// Doubles: great circles between points.
extern "C" __global__ void haversine(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  const double radian = 3.14159265358979323846 / 180;
  double lat1 = (in[i] - 0.5) * 180 * radian, lat2 = (in[i + n] - 0.5) * 180 * radian;
  double dlon = (in[i + 2 * n] - 0.5) * 360 * radian;
  double sa = sin((lat2 - lat1) / 2), so = sin(dlon / 2);
  double h = sa * sa + cos(lat1) * cos(lat2) * so * so;
  out[i] = static_cast<float>(2 * 6371.0 * atan2(sqrt(h), sqrt(fmax(0.0, 1 - h))));
}

struct Complex {
  double re, im;
  __device__ Complex operator*(Complex o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __device__ Complex operator-(Complex o) const { return {re - o.re, im - o.im}; }
  __device__ Complex operator/(Complex o) const {
    double m = o.re * o.re + o.im * o.im;
    return {(re * o.re + im * o.im) / m, (im * o.re - re * o.im) / m};
  }
};

// All roots of a cubic at once, n rounds.
extern "C" __global__ void durand_kerner(float* out, const float* in, int n) {
  int i = global_thread();
  double c0 = in[i] - 2, c1 = in[i + 64] * 3, c2 = in[i + 128];
  Complex z[3] = {{1, 0}, {0.4, 0.9}, {-0.65, 0.72}};
  for (int round = 0; round < n; ++round) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      Complex z2 = z[k] * z[k], p = z2 * z[k];
      p.re += c2 * z2.re + c1 * z[k].re + c0;
      p.im += c2 * z2.im + c1 * z[k].im;
      z[k] = z[k] - p / ((z[k] - z[(k + 1) % 3]) * (z[k] - z[(k + 2) % 3]));
    }
  }
  out[i] = static_cast<float>(z[0].re * z[0].re + z[0].im * z[0].im + z[1].re);
}

// ---------------------------------------------------------------- half and bfloat16

// Half precision, scalar: a clamped polynomial, comparisons and conversions.
extern "C" __global__ void half_activation(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  __half x = __float2half_rn(in[i] * 8.f - 4.f);
  __half y = __hfma(x, __hfma(x, __float2half(0.044715f), __float2half(0.5f)), __float2half(0.1f));
  if (__hgt(y, __float2half(3.f))) y = __hsub(y, __float2half(1.f));
  __half r = __hmax(__float2half(0.f), __hmin(y, __float2half(6.f)));
  int q = __half2int_rd(__hmul(r, __float2half(10.f)));
  out[i] = __half2float(__hdiv(r, __hadd(__habs(x), __float2half(1.f)))) + q;
}

// Half pairs: a moving average over three, the pairs straddled.
extern "C" __global__ void half2_smooth(float* out, const float* in, int n) {
  __shared__ __half2 tile[258];
  int t = threadIdx.x, i = global_thread();
  for (int k = t; k < static_cast<int>(blockDim.x) + 2; k += blockDim.x) {
    int e = 2 * (blockIdx.x * blockDim.x + k);
    tile[k] = __floats2half2_rn(in[e], in[e + 1]);
  }
  __syncthreads();
  if (i >= n) return;
  __half2 a = tile[t], b = tile[t + 1], c = tile[t + 2];
  __half2 left = __halves2half2(__high2half(a), __low2half(b));
  __half2 right = __halves2half2(__high2half(b), __low2half(c));
  __half2 r = __hmul2(__hadd2(__hadd2(left, b), right), __float2half2_rn(0.3333f));
  reinterpret_cast<float2*>(out)[i] = __half22float2(__hfma2(r, r, __lowhigh2highlow(b)));
}

// A dot product a warp in bfloat16 pairs, summed in float.
extern "C" __global__ void bf16_dot(float* out, const float* in, int n) {
  int warp = global_thread() / 32, lane = threadIdx.x & 31;
  const float2* a = reinterpret_cast<const float2*>(in) + warp * 32;
  float sum = 0.f;
  for (int k = lane; k < n; k += 32) {
    float2 p = a[k];
    __nv_bfloat162 x = __floats2bfloat162_rn(p.x, p.y);
    __nv_bfloat162 y = __hmul2(x, __float2bfloat162_rn(0.75f));
    y = __hfma2(x, y, x);
    sum += __low2float(y) + __high2float(y);
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) out[warp] = __bfloat162float(__float2bfloat16(sum));
}

// ---------------------------------------------------------------- bits

// Morton codes of 10-bit triples, there and back.
extern "C" __global__ void morton_codes(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  auto spread = [](unsigned v) {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
  };
  unsigned x = bits24(in, i) & 1023, y = bits24(in, i + n) >> 14, z = (x * 7 + y) & 1023;
  unsigned code = spread(x) | spread(y) << 1 | spread(z) << 2;
  unsigned back = 0;
#pragma unroll 5
  for (int b = 0; b < 10; ++b) back |= (code >> (3 * b) & 1u) << b;
  out[i] = static_cast<float>(code >> 6) + static_cast<float>(back == x);
}

// Counting, finding and mirroring bits of 32- and 64-bit words.
extern "C" __global__ void count_bits(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  unsigned w = bits24(in, i) * 2654435761u;
  uint64_t l = static_cast<uint64_t>(w) << 19 | bits24(in, i + 3);
  int a = __popc(w) + 100 * __clz(w >> (i & 15)) + __ffs(w & -w) + __popcll(l);
  int b = __clzll(l) + __ffsll(l) - __brev(w) % 97 + static_cast<int>(__brevll(l) >> 50);
  int where = 0;
  for (unsigned rest = w; rest; rest &= rest - 1) where += (__ffs(rest) - 1) ^ a;
  out[i] = a + b + where;
}

// Byte orders changed, words rotated and shifted through.
extern "C" __global__ void permute_bytes(float* out, const float* in, int n) {
  int i = global_thread();
  unsigned a = bits24(in, i) * 257u, b = bits24(in, i + 1) * 511u;
  for (int round = 0; round < n; ++round) {
    unsigned s = __byte_perm(a, b, 0x3175 ^ (round << 4));
    unsigned f = __funnelshift_l(a, b, round + (i & 7)),
             g = __funnelshift_rc(a, b, 35 + (round & 1));
    b = (a << 7 | a >> 25) ^ __byte_perm(f, 0, 0x0123);
    a = s + g;
  }
  out[i] = static_cast<float>((a ^ b) & 0xffffff);
}

// Dot products of bytes and of shorts with bytes.
extern "C" __global__ void dot_bytes(float* out, const float* in, int n) {
  int i = global_thread();
  int sum = 0;
  unsigned usum = 0;
  for (int k = 0; k < n; ++k) {
    int a = __float_as_int(in[i + k]), b = __float_as_int(in[i + 2 * k + 1]);
    sum = __dp4a(a, b, sum);
    usum = __dp4a(static_cast<unsigned>(a), static_cast<unsigned>(b), usum);
    sum = __dp2a_lo(a, b, sum) - (__dp2a_hi(a, b, 0) >> 3);
  }
  out[i] = static_cast<float>(sum) + static_cast<float>(usum);
}

// Four bytes at once by SIMD intrinsics: differences, averages and compares.
extern "C" __global__ void packed_video(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  unsigned a = bits24(in, i) * 85u, b = bits24(in, i + 17) * 85u;
  unsigned d = __vsubus4(a, b), m = __vavgu4(a, b), g = __vcmpgtu4(a, b);
  unsigned s = __vaddus4(d, m) ^ __vsubss2(a, b) ^ (g & __vmaxu4(a, m));
  unsigned sad = __vminu4(a, b) + __usad(a, b, 5) + __sad(static_cast<int>(a), 9, 1u);
  out[i] = static_cast<float>((s + sad + __rhadd(7, i) + __uhadd(a, b)) & 0xffffff);
}

// A flood over an 8x8 board in one 64-bit word.
extern "C" __global__ void bitboard_flood(float* out, const float* in, int n) {
  int i = global_thread();
  uint64_t open = (static_cast<uint64_t>(bits24(in, i)) << 40 | bits24(in, i + 1) << 16) |
                  bits24(in, i + 2) | 1ull << (i & 63);
  const uint64_t not_a = 0xfefefefefefefefeull, not_h = 0x7f7f7f7f7f7f7f7full;
  uint64_t now = 1ull << (i & 63), last;
  int steps = 0;
  do {
    last = now;
    now |= (now << 8) | (now >> 8) | ((now << 1) & not_a) | ((now >> 1) & not_h);
    now &= open;
  } while (now != last && ++steps < n);
  out[i] = __popcll(now) * 100 + steps;
}

// ---------------------------------------------------------------- warps

// All four shuffles, whole warps and narrower segments.
extern "C" __global__ void shuffle_widths(float* out, const float* in, int n) {
  int i = global_thread();
  const unsigned all = 0xffffffffu;
  float v = in[i];
  for (int k = 0; k < n; ++k) {
    float up = __shfl_up_sync(all, v, 1 + (k & 3), 8), down = __shfl_down_sync(all, v, 2, 16);
    float mirror = __shfl_xor_sync(all, v, 3, 4), first = __shfl_sync(all, v, k & 31);
    v = 0.25f * (up + down) + 0.5f * mirror - 0.125f * first;
  }
  double wide = __shfl_xor_sync(all, static_cast<double>(v), 16);
  out[i] = v + static_cast<float>(wide);
}

// Lanes with equal keys find each other: counts, ranks and leaders.
extern "C" __global__ void match_keys(float* out, const float* in, int n) {
  int i = global_thread(), lane = threadIdx.x & 31;
  int key = static_cast<int>(in[i] * n);
  unsigned peers = __match_any_sync(0xffffffffu, key);
  int rank = __popc(peers & ((1u << lane) - 1)), leader = __ffs(peers) - 1;
  int same;
  __match_all_sync(0xffffffffu, key, &same);
  int from = __shfl_sync(0xffffffffu, lane * 3, leader);
  out[i] = rank + 100 * __popc(peers) + 10000 * same + from;
}

// Whole-warp reductions by one instruction each.
extern "C" __global__ void reduce_instructions(float* out, const float* in, int n) {
  int i = global_thread(), lane = threadIdx.x & 31;
  unsigned u = i < n ? bits24(in, i) : 0u;
  const unsigned all = 0xffffffffu;
  unsigned sum = __reduce_add_sync(all, u & 4095), top = __reduce_max_sync(all, u);
  int low = __reduce_min_sync(all, static_cast<int>(u) - 5000000);
  unsigned bits =
      __reduce_and_sync(all, u | 255) ^ __reduce_or_sync(all, u & 1023) ^ __reduce_xor_sync(all, u);
  if (lane == 0) {
    float4 r = {static_cast<float>(sum), static_cast<float>(top), static_cast<float>(low),
                static_cast<float>(bits)};
    reinterpret_cast<float4*>(out)[i / 32] = r;
  }
}

// A warp walks on until enough of its lanes have found something.
extern "C" __global__ void vote_walk(float* out, const float* in, int n) {
  int i = global_thread();
  int found = -1, k = 0;
  for (; k < n; ++k) {
    bool hit = found < 0 && in[(i * 3 + k * 97) & 0xfffff] > 0.9f;
    if (hit) found = k;
    unsigned done = __ballot_sync(0xffffffffu, found >= 0);
    if (__popc(done) >= 28 || __all_sync(0xffffffffu, found >= 0)) break;
    if (!__any_sync(0xffffffffu, hit)) ++k;
  }
  out[i] = found + 1000.f * k;
}

// Coalesced groups in both branches: each counts and sums its own lanes.
extern "C" __global__ void branch_groups(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float x = in[i], r;
  if (x < 0.4f) {
    cg::coalesced_group g = cg::coalesced_threads();
    r = g.shfl(x, 0) + g.size();
    for (unsigned d = 1; d < g.size(); d *= 2) {
      float y = g.shfl_up(x, d);
      if (g.thread_rank() >= d) x += y;
    }
  } else {
    cg::coalesced_group g = cg::coalesced_threads();
    r = -static_cast<float>(__popc(g.ballot(x > 0.7f))) + g.thread_rank();
  }
  out[i] = x + r;
}

// The active lanes named by mask, after some have left.
extern "C" __global__ void active_lanes(float* out, const float* in, int n) {
  int i = global_thread();
  if (i % 5 == 0 || i >= n) return;
  unsigned mask = __activemask();
  int lane = threadIdx.x & 31;
  int last = 31 - __clz(mask);
  float from_last = __shfl_sync(mask, in[i], last);
  out[i] = from_last + __popc(mask & ((1u << lane) - 1));
}

// Tiles of four sort their four elements by exchanges.
extern "C" __global__ void tile4_sort(float* out, const float* in, int n) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int i = global_thread(), r = tile.thread_rank();
  for (int e = i; e < n; e += gridDim.x * blockDim.x) {
    float v = in[e];
    float o = tile.shfl_xor(v, 1);
    v = (r & 1) == ((r >> 1) & 1) ? fminf(v, o) : fmaxf(v, o);
    o = tile.shfl_xor(v, 2);
    v = (r & 2) ? fmaxf(v, o) : fminf(v, o);
    o = tile.shfl_xor(v, 1);
    out[e] = (r & 1) ? fmaxf(v, o) : fminf(v, o);
  }
}

// Library scans and reductions of tiles of sixteen.
extern "C" __global__ void tile16_scan(float* out, const float* in, int n) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = global_thread();
  int v = static_cast<int>(in[i] * n);
  int before = cg::exclusive_scan(tile, v, cg::plus<int>());
  int most = cg::reduce(tile, v, cg::greater<int>());
  float sum = cg::reduce(tile, in[i], cg::plus<float>());
  out[i] = before + 0.001f * most + (tile.meta_group_rank() & 1 ? sum : -sum);
}

// Two elements a lane, sorted over the warp: 64 at once.
extern "C" __global__ void warp_sort64(float* out, const float* in, int n) {
  int i = global_thread(), lane = threadIdx.x & 31, base = (i & ~31) * 2;
  if (base + 63 >= n) return;
  float a = in[base + lane], b = in[base + 32 + lane];
  for (int size = 2; size <= 64; size *= 2) {
    for (int d = size / 2; d > 0; d /= 2) {
      if (d == 32) {
        float lo = fminf(a, b);
        b = fmaxf(a, b);
        a = lo;
        continue;
      }
      float oa = __shfl_xor_sync(0xffffffffu, a, d), ob = __shfl_xor_sync(0xffffffffu, b, d);
      bool upper = lane & d;
      bool down_a = lane & size, down_b = (lane + 32) & size;
      a = upper != down_a ? fmaxf(a, oa) : fminf(a, oa);
      b = upper != down_b ? fmaxf(b, ob) : fminf(b, ob);
    }
  }
  out[base + lane] = a;
  out[base + 32 + lane] = b;
}

// ---------------------------------------------------------------- shared memory

// Column reads whose pitch is n words: banks collide by its common factors with 32.
extern "C" __global__ void pitch_walk(float* out, const float* in, int n) {
  extern __shared__ float pitched[];
  int t = threadIdx.x, words = n * 32;
  for (int k = t; k < words; k += blockDim.x) pitched[k] = in[blockIdx.x * words + k];
  __syncthreads();
  float sum = 0.f;
  int lane = t & 31;
  for (int c = t / 32; c < n; c += blockDim.x / 32) sum += pitched[lane * n + c];
  __syncthreads();
  for (int c = t / 32; c < n; c += blockDim.x / 32) pitched[lane * n + c] = sum * c;
  __syncthreads();
  for (int k = t; k < words; k += blockDim.x) out[blockIdx.x * words + k] = pitched[k];
}

// A tile of doubles turned over, with a padded column.
extern "C" __global__ void turn_doubles(float* out, const float* in, int n) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x] * 1.1;
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n)
    reinterpret_cast<double*>(out)[y * n + x] = tile[threadIdx.x][threadIdx.y] + 1.0;
}

// 128-bit accesses to shared memory, one stride without and one with conflicts.
extern "C" __global__ void shared_quads(float* out, const float* in, int n) {
  __shared__ float4 quads[256];
  int t = threadIdx.x, i = global_thread();
  quads[t] = reinterpret_cast<const float4*>(in)[i];
  __syncthreads();
  float4 a = quads[t ^ 5], b = quads[(t * n) & 255];
  __syncthreads();
  reinterpret_cast<float2*>(quads)[2 * t + 1] = {a.x + b.y, a.z};
  reinterpret_cast<float2*>(quads)[2 * t] = {b.w, a.w - b.x};
  __syncthreads();
  reinterpret_cast<float4*>(out)[i] = quads[255 - t];
}

// Shared atomics of every kind; the values do not depend on the order.
extern "C" __global__ void shared_atomics(float* out, const float* in, int n) {
  __shared__ int cells[8];
  __shared__ unsigned long long wide;
  int t = threadIdx.x;
  if (t < 8) cells[t] = t == 2 ? 0x7fffffff : t == 4 ? -1 : 0;
  if (t == 8) wide = 0;
  __syncthreads();
  for (int k = t; k < n; k += blockDim.x) {
    int v = bits24(in, blockIdx.x * n + k);
    atomicAdd(&cells[0], v & 15);
    atomicMax(&cells[1], v);
    atomicMin(&cells[2], v);
    atomicOr(&cells[3], 1 << (v & 31));
    atomicAnd(&cells[4], ~(1 << (v % 31)));
    atomicXor(&cells[5], v);
    atomicSub(&cells[6], v % 3);
    atomicInc(reinterpret_cast<unsigned*>(&cells[7]), 50u);
    atomicAdd(&wide, static_cast<unsigned long long>(v) << 12);
  }
  __syncthreads();
  if (t < 8) out[blockIdx.x * 16 + t] = cells[t];
  if (t == 8) out[blockIdx.x * 16 + t] = static_cast<float>(wide);
}

// Heat in a rod, two buffers that change places; ends held.
extern "C" __global__ void rod_two_buffers(float* out, const float* in, int n) {
  __shared__ float rod[2][512];
  int t = threadIdx.x, last = blockDim.x - 1, i = global_thread();
  rod[0][t] = in[i];
  int now = 0;
  for (int step = 0; step < n; ++step) {
    __syncthreads();
    float c = rod[now][t];
    if (t > 0 && t < last) c += 0.23f * (rod[now][t - 1] - 2.f * c + rod[now][t + 1]);
    now ^= 1;
    rod[now][t] = c;
  }
  out[i] = rod[now][t];
}

// Dynamic shared memory cut into arrays of doubles, ints, shorts and bytes.
extern "C" __global__ void carved_arrays(float* out, const float* in, int n) {
  extern __shared__ double carved[];
  double* sums = carved;
  int* keys = reinterpret_cast<int*>(sums + n);
  short* marks = reinterpret_cast<short*>(keys + n);
  unsigned char* flags = reinterpret_cast<unsigned char*>(marks + n);
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    float v = in[blockIdx.x * n + k];
    sums[k] = v * 0.5;
    keys[k] = static_cast<int>(v * 1000.f);
    marks[k] = static_cast<short>(k * 7);
    flags[k] = v > 0.5f;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    int other = (k * 5 + 3) % n;
    double r = flags[other] ? sums[other] : -sums[n - 1 - k];
    out[blockIdx.x * n + k] = static_cast<float>(r) + keys[other] % 10 + marks[n - 1 - other];
  }
}

// A scan in three phases: each thread its run, one warp the totals, each thread its run again.
extern "C" __global__ void scan_raking(float* out, const float* in, int n) {
  __shared__ int data[1024];
  __shared__ int totals[64];
  int t = threadIdx.x, run = 1024 / blockDim.x;
  for (int k = t; k < 1024; k += blockDim.x)
    data[k] = static_cast<int>(in[blockIdx.x * 1024 + k] * n);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < run; ++k) {
    sum += data[t * run + k];
    data[t * run + k] = sum;
  }
  totals[t] = sum;
  __syncthreads();
  if (t < 32) {
    int a = t < static_cast<int>(blockDim.x) ? totals[t] : 0;
    for (int d = 1; d < 32; d *= 2) {
      int b = __shfl_up_sync(0xffffffffu, a, d);
      if (t >= d) a += b;
    }
    int half = __shfl_sync(0xffffffffu, a, 31);
    totals[t] = a;
    if (blockDim.x == 64) {
      int c = totals[t + 32];
      for (int d = 1; d < 32; d *= 2) {
        int b = __shfl_up_sync(0xffffffffu, c, d);
        if (t >= d) c += b;
      }
      totals[t + 32] = c + half;
    }
  }
  __syncthreads();
  int before = t > 0 ? totals[t - 1] : 0;
  for (int k = 0; k < run; ++k) data[t * run + k] += before;
  __syncthreads();
  for (int k = t; k < 1024; k += blockDim.x) out[blockIdx.x * 1024 + k] = data[k];
}

// A histogram of 64 bins for each warp, put together in the end.
extern "C" __global__ void histogram_warps(float* out, const float* in, int n) {
  __shared__ unsigned bins[8][64];
  int t = threadIdx.x, warps = blockDim.x / 32;
  for (int k = t; k < warps * 64; k += blockDim.x) bins[k / 64][k % 64] = 0;
  __syncthreads();
  for (int k = global_thread(); k < n; k += gridDim.x * blockDim.x) {
    float v = in[k];
    atomicAdd(&bins[t / 32][min(63, static_cast<int>(v * v * 64.f))], 1u);
  }
  __syncthreads();
  if (t < 64) {
    unsigned sum = 0;
    for (int w = 0; w < warps; ++w) sum += bins[w][t];
    if (sum) atomicAdd(reinterpret_cast<unsigned*>(out) + t, sum);
  }
}

// A block sorts its keys by n bits, one bit a pass, with ballots for ranks.
extern "C" __global__ void radix_split(float* out, const float* in, int n) {
  __shared__ unsigned keys[256];
  __shared__ int zeros[8];
  int t = threadIdx.x, lane = t & 31, warp = t / 32, warps = blockDim.x / 32, i = global_thread();
  unsigned key = bits24(in, i) & ((1u << n) - 1);
  for (int b = 0; b < n; ++b) {
    unsigned ones = __ballot_sync(0xffffffffu, key >> b & 1);
    if (lane == 0) zeros[warp] = 32 - __popc(ones);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < warps; ++w) {
      if (w < warp) before += zeros[w];
      all += zeros[w];
    }
    int ones_left = __popc(ones & ((1u << lane) - 1));
    int place = key >> b & 1 ? all + (warp * 32 - before) + ones_left : before + lane - ones_left;
    keys[place] = key;
    __syncthreads();
    key = keys[t];
    __syncthreads();
  }
  out[i] = key;
}

// Sorting by counting those before: all read the same word, then scatter.
extern "C" __global__ void rank_sort(float* out, const float* in, int n) {
  extern __shared__ float items[];
  const float* source = in + blockIdx.x * n;
  for (int k = threadIdx.x; k < n; k += blockDim.x) items[k] = source[k];
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    float mine = items[k];
    int rank = 0;
#pragma unroll 4
    for (int j = 0; j < n; ++j) rank += items[j] < mine || (items[j] == mine && j < k);
    out[blockIdx.x * n + rank] = mine;
  }
}

// A 7-point stencil that marches through n planes, three of them in registers.
extern "C" __global__ void __launch_bounds__(256)
    march_planes(float* __restrict__ out, const float* __restrict__ in, int n) {
  __shared__ float plane[10][34];
  const int width = 96, area = 96 * 96;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty, at = y * width + x;
  bool inside = x < width - 1 && y < width - 1;
  float below = 0.f, here = inside ? in[at] : 0.f, above = inside ? in[at + area] : 0.f;
  for (int z = 1; z < n - 1; ++z) {
    at += area;
    below = here;
    here = above;
    above = inside ? in[at + area] : 0.f;
    __syncthreads();
    plane[ty][tx] = here;
    if (ty == 1) plane[0][tx] = inside ? in[at - width] : 0.f;
    if (ty == 8) plane[9][tx] = inside ? in[at + width] : 0.f;
    if (tx == 1) plane[ty][0] = inside ? in[at - 1] : 0.f;
    if (tx == 32) plane[ty][33] = inside ? in[at + 1] : 0.f;
    __syncthreads();
    float right = x == width - 2 ? in[z * area + y % width * width + width - 1] : plane[ty][tx + 1];
    float front =
        y == width - 2 ? in[z * area + (width - 1) * width + x % width] : plane[ty + 1][tx];
    if (inside)
      out[at] = below + above + plane[ty - 1][tx] + front + plane[ty][tx - 1] + right - 6.f * here;
  }
}

// Shared bytes and shorts: text turned to upper case and its words counted by length.
extern "C" __global__ void shared_text(float* out, const float* in, int n) {
  __shared__ char text[512];
  __shared__ unsigned short lengths[512];
  int t = threadIdx.x, count = min(n, 512);
  for (int k = t; k < count; k += blockDim.x) {
    unsigned c = bits24(in, blockIdx.x * count + k) % 32;
    text[k] = c < 26 ? 'a' + c : ' ';
  }
  __syncthreads();
  for (int k = t; k < count; k += blockDim.x) {
    unsigned short length = 0;
    for (int j = k; j >= 0 && text[j] != ' '; --j) ++length;
    lengths[k] = length;
  }
  __syncthreads();
  for (int k = t; k < count; k += blockDim.x) {
    char c = text[k];
    if (c >= 'a' && (k == 0 || text[k - 1] == ' ')) c -= 32;
    reinterpret_cast<char*>(out)[blockIdx.x * count + k] = c + (lengths[k] > 9 ? 1 : 0);
  }
}

// C = A B^T, n x 64 by 64 x n: each thread 4x4 elements, tails checked.
extern "C" __global__ void gemm_registers(float* __restrict__ out, const float* __restrict__ in,
                                          int n) {
  __shared__ float as[32][17], bs[32][17];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 8 + tx;
  int row = blockIdx.y * 32, col = blockIdx.x * 32;
  const float* b = in + n * 64;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < 64; k0 += 16) {
    for (int e = t; e < 512; e += 64) {
      int r = e / 16, c = e % 16;
      as[r][c] = row + r < n ? in[(row + r) * 64 + k0 + c] : 0.f;
      bs[r][c] = col + r < n ? b[(col + r) * 64 + k0 + c] : 0.f;
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 16; ++k)
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 4; ++q) acc[p][q] += as[ty + 8 * p][k] * bs[tx + 8 * q][k];
    __syncthreads();
  }
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 4; ++q)
      if (row + ty + 8 * p < n && col + tx + 8 * q < n)
        out[(row + ty + 8 * p) * n + col + tx + 8 * q] = acc[p][q];
}

// A matrix of 16 x 16 made upper triangular by rotations, a block each.
extern "C" __global__ void givens_rotations(float* out, const float* in, int n) {
  __shared__ float a[16][16];
  __shared__ float c, s;
  int t = threadIdx.x;
  for (int e = t; e < 256; e += blockDim.x) a[e / 16][e % 16] = in[blockIdx.x * 256 + e];
  __syncthreads();
  for (int col = 0; col < n; ++col) {
    for (int row = 15; row > col; --row) {
      if (t == 0) {
        float r = rsqrtf(a[row - 1][col] * a[row - 1][col] + a[row][col] * a[row][col] + 1e-20f);
        c = a[row - 1][col] * r;
        s = a[row][col] * r;
      }
      __syncthreads();
      if (t >= col && t < 16) {
        float p = a[row - 1][t], q = a[row][t];
        a[row - 1][t] = c * p + s * q;
        a[row][t] = c * q - s * p;
      }
      __syncthreads();
    }
  }
  for (int e = t; e < 256; e += blockDim.x) out[blockIdx.x * 256 + e] = a[e / 16][e % 16];
}

// Roles by warp: the first loads, the second squares, the others sum up; barriers between.
extern "C" __global__ void warp_roles(float* out, const float* in, int n) {
  __shared__ float loaded[2][64], squared[2][64];
  enum Role { kLoad, kSquare, kSum };
  int warp = threadIdx.x / 32, lane = threadIdx.x & 31, workers = blockDim.x / 32 - 2;
  Role role = warp == 0 ? kLoad : warp == 1 ? kSquare : kSum;
  float sum = 0.f;
  for (int step = 0; step < n + 2; ++step) {
    switch (role) {
      case kLoad:
        if (step < n)
          for (int k = lane; k < 64; k += 32)
            loaded[step & 1][k] = in[(blockIdx.x * n + step) * 64 + k];
        break;
      case kSquare:
        if (step >= 1 && step <= n)
          for (int k = lane; k < 64; k += 32) {
            float v = loaded[(step - 1) & 1][k];
            squared[(step - 1) & 1][k] = v * v;
          }
        break;
      case kSum:
        if (step >= 2)
          for (int k = (warp - 2) * 32 + lane; k < 64; k += workers * 32)
            sum += squared[step & 1][k];
        break;
    }
    __syncthreads();
  }
  if (role == kSum) out[(blockIdx.x * workers + warp - 2) * 32 + lane] = sum;
}

// ---------------------------------------------------------------- global memory

struct Sphere {
  float x, y, z, radius;
  int material;
};

struct Pixel {
  float r, g, b;
};

// Structures of 20 bytes read in part, structures of 12 bytes written whole.
extern "C" __global__ void shade_spheres(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  const Sphere* spheres = reinterpret_cast<const Sphere*>(in);
  const Sphere& s = spheres[i];
  float d = s.x * 0.6f + s.z * 0.8f;
  Pixel p{d, d * s.radius, (s.material & 3) * 0.25f};
  reinterpret_cast<Pixel*>(out)[i] = p;
}

struct alignas(16) Packet {
  double time;
  short channel, gain;
  unsigned char flags[4];
};

// Records of mixed types, aligned to 16 bytes, changed in place in the output.
extern "C" __global__ void mixed_records(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  Packet* packets = reinterpret_cast<Packet*>(out);
  packets[i].time = in[i] * 100.0;
  packets[i].channel = static_cast<short>(bits24(in, i) % 48);
  packets[i].gain = static_cast<short>(-i);
  packets[i].flags[1] = i & 1;
  if (packets[i].channel > 24) packets[i].flags[3] = 255;
  packets[i].gain += packets[i].flags[0] + packets[i].flags[1];
}

// Runs that begin off a sector's edge; the offset differs from row to row.
extern "C" __global__ void skewed_rows(float* out, const float* in, int n) {
  int row = blockIdx.y, pitch = n + 5;
  for (int c = threadIdx.x; c < n; c += blockDim.x)
    out[row * pitch + c + row % 5] = in[row * pitch + c + 3] - in[(row + 1) * pitch + c];
}

// A permutation by multiplication: gathers, then scatters; n is a power of two.
extern "C" __global__ void permute_scatter(float* out, const float* in, int n) {
  int i = global_thread();
  unsigned mask = n - 1;
  unsigned from = (i * 40503u + 17u) & mask;
  unsigned to = (i ^ (i >> 3)) & mask;
  out[to] = in[from] + in[(from + 1) & mask];
}

// Bytes and shorts, alone and in vectors, signed and not.
extern "C" __global__ void narrow_types(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  const signed char* sc = reinterpret_cast<const signed char*>(in);
  const unsigned short* us = reinterpret_cast<const unsigned short*>(in);
  const short2* s2 = reinterpret_cast<const short2*>(in);
  const uchar4* u4 = reinterpret_cast<const uchar4*>(in);
  int v = sc[i * 3 + 1] + us[i + 1];
  short2 p = s2[i];
  uchar4 q = u4[n - i];
  v += p.x * q.y - p.y + q.w;
  reinterpret_cast<short*>(out)[i] = static_cast<short>(v);
  reinterpret_cast<unsigned char*>(out)[2 * n + 3 * i] = static_cast<unsigned char>(v >> 8);
}

// Loads and stores with cache hints.
extern "C" __global__ void cache_hints(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float a = __ldg(in + i), b = __ldcg(in + i + 32), c = __ldcs(in + 2 * i);
  float4 d = __ldg(reinterpret_cast<const float4*>(in) + i / 2);
  __stcs(out + i, a + d.x);
  __stcg(out + n + i, b - d.y);
  __stwt(out + 2 * n + i, c * d.z + __ldlu(in + i + 64));
}

// Integer atomics on global memory whose old values are not wanted.
extern "C" __global__ void atomics_silent(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  int* cells = reinterpret_cast<int*>(out);
  int v = bits24(in, i);
  atomicAdd(cells + v % 100, 1);
  atomicMax(cells + 128 + (i & 7), v);
  atomicMin(cells + 160 + blockIdx.x, -v);
  atomicOr(cells + 256 + (v & 63) * 8, v >> 6);
  atomicXor(cells + 1024 + i / 2, v);
  atomicAdd(reinterpret_cast<unsigned long long*>(out) + 65536 + i % 5, 3ull * v);
  if (v > 9000000) atomicSub(cells + 1020, 2);
}

// Integer atomics whose old values are summed: the sum does not depend on the order.
extern "C" __global__ void atomics_tickets(float* out, const float* in, int n) {
  __shared__ int total;
  int* cells = reinterpret_cast<int*>(out);
  int t = threadIdx.x, i = global_thread();
  if (t == 0) total = 0;
  __syncthreads();
  int ticket = 0;
  if (i < n) {
    ticket = atomicAdd(cells + 64 + blockIdx.x * 8 + (t & 3), 1);
    ticket += atomicExch(cells + 16384 + i, 5);
    ticket += atomicCAS(cells + 32768 + i, 0, static_cast<int>(in[i] * 100.f));
    ticket += atomicInc(reinterpret_cast<unsigned*>(cells) + 8192 + blockIdx.x, 2047u);
  }
  atomicAdd(&total, ticket);
  __syncthreads();
  if (t == 0) atomicExch(cells + 50000 + blockIdx.x, total);
}

// Atomic sums of floats, doubles and half pairs.
extern "C" __global__ void atomic_sums_fa(float* out, const float* in, int n) {
  int i = global_thread();
  if (i >= n) return;
  float v = in[i];
  atomicAdd(out + i % 33, v);
  atomicAdd(reinterpret_cast<double*>(out) + 64 + (i & 3), static_cast<double>(v));
  atomicAdd(reinterpret_cast<__half2*>(out) + 512 + i / 64, __float2half2_rn(0.01f * v));
}

// Column sums of a row-major matrix of 128 columns, then of its rows: coalesced and strided.
extern "C" __global__ void both_sums(float* out, const float* in, int n) {
  int i = global_thread();
  if (i < 128) {
    float sum = 0.f;
#pragma unroll 3
    for (int r = 0; r < n; ++r) sum += in[r * 128 + i];
    out[i] = sum;
  } else if (i - 128 < n) {
    float sum = 0.f;
#pragma unroll 2
    for (int c = 0; c < 128; ++c) sum += in[(i - 128) * 128 + c];
    out[i] = sum;
  }
}

// Vectors of two doubles and of four ints, with the loop's remainder by scalars.
extern "C" __global__ void vector_remainder(float* out, const float* in, int n) {
  int threads = gridDim.x * blockDim.x, quads = n / 4;
  const int4* source = reinterpret_cast<const int4*>(in);
  double2* target = reinterpret_cast<double2*>(out);
  for (int k = global_thread(); k < quads; k += threads) {
    int4 v = source[k];
    target[k] = {static_cast<double>(v.x ^ v.y), static_cast<double>(v.z & v.w)};
  }
  int tail = quads * 4 + global_thread();
  if (tail < n) out[tail + 4 * quads] = in[tail];
}

// ---------------------------------------------------------------- control

using Step = float (*)(float, int);
__device__ __noinline__ float step_grow(float x, int k) { return x * 1.01f + k; }
__device__ __noinline__ float step_root(float x, int) { return sqrtf(fabsf(x) + 1.f); }
__device__ __noinline__ float step_wrap(float x, int k) { return x - floorf(x) * (k & 1); }
__device__ __noinline__ float step_loop(float x, int k) {
  for (int j = 0; j < (k & 3); ++j) x = x * 0.5f + 0.25f;
  return x;
}
__device__ Step kSteps[4] = {step_grow, step_root, step_wrap, step_loop};

// Functions called through a table: one for the block, then one for each lane.
extern "C" __global__ void step_table(float* out, const float* in, int n) {
  int i = global_thread();
  float x = in[i];
  for (int k = 0; k < n; ++k) x = kSteps[(blockIdx.x + k) & 3](x, k);
  x = kSteps[static_cast<int>(x * 8.f) & 3](x, i & 7);
  out[i] = x;
}

// Loops in loops left in the middle: triples whose sum is near a target.
extern "C" __global__ void triples_break(float* out, const float* in, int n) {
  int i = global_thread();
  float target = in[i] * 2.f;
  int found = 0;
  for (int a = 0; a < n; ++a) {
    float x = in[a];
    if (x > target) continue;
    for (int b = a + 1; b < n; ++b) {
      float y = x + in[b];
      if (y > target) continue;
      for (int c = b + 1; c < n; ++c) {
        if (fabsf(y + in[c] - target) < 0.01f) {
          found = (a * n + b) * n + c;
          goto done;
        }
      }
    }
    if (a > 3 && target < 0.3f) break;
  }
done:
  out[i] = found;
}

// Duff's device: a copy of runs whose lengths differ, the switch falls through.
extern "C" __global__ void duff_copy(float* out, const float* in, int n) {
  int i = global_thread();
  int length = 1 + bits24(in, i) % n;
  const float* from = in + i * n;
  float* to = out + i * n;
  int rounds = (length + 3) / 4;
  switch (length % 4) {
    case 0:
      do {
        *to++ = *from++ + 1.f;
        [[fallthrough]];
        case 3:
          *to++ = *from++ + 2.f;
          [[fallthrough]];
        case 2:
          *to++ = *from++ + 3.f;
          [[fallthrough]];
        case 1:
          *to++ = *from++ + 4.f;
      } while (--rounds > 0);
  }
}

// A sparse switch over keys, some cases with loops of their own.
extern "C" __global__ void switch_sparse(float* out, const float* in, int n) {
  int i = global_thread();
  unsigned v = bits24(in, i);
  float r = 0.f;
  switch (v % static_cast<unsigned>(n)) {
    case 0:
      r = 1.f / (v + 1);
      break;
    case 1:
    case 2:
      r = sqrtf(v);
      break;
    case 5:
      for (unsigned k = v & 31; k; --k) r += 1.f / k;
      break;
    case 8:
      r = v % 13;
      [[fallthrough]];
    case 9:
      r += 5.f;
      break;
    case 100:
      r = __popc(v);
      break;
    case 1000:
      return;
    default:
      r = -1.f;
  }
  out[i] = r;
}

template <int kUnroll>
__device__ float sum_unrolled(const float* p, int count) {
  float sum = 0.f;
#pragma unroll kUnroll
  for (int k = 0; k < count; ++k) sum += p[k] * p[k];
  return sum;
}

// One loop unrolled to four degrees, the remainders left to the compiler.
extern "C" __global__ void unroll_degrees(float* out, const float* in, int n) {
  int i = global_thread(), count = n + (blockIdx.x & 3);
  float a = sum_unrolled<1>(in + i, count), b = sum_unrolled<2>(in + i + 7, count - 1);
  float c = sum_unrolled<4>(in + 2 * i, count), d = sum_unrolled<8>(in + i + 1000, count + 2);
  out[i] = a + 2.f * b + 3.f * c + 4.f * d;
}

// More values than registers allow: a recurrence over 48 values kept at once.
extern "C" __global__ void __launch_bounds__(1024, 2)
    spill_many(float* out, const float* in, int n) {
  int i = global_thread();
  float v[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) v[k] = in[i + k * 64];
  for (int step = 0; step < n; ++step) {
    float carry = v[47];
#pragma unroll
    for (int k = 47; k > 0; --k) v[k] = v[k] * 0.9f + 0.1f * v[k - 1] * v[(k * 7) % 48];
    v[0] = carry * 0.5f;
  }
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < 48; ++k) sum += v[k] * (k + 1);
  out[i] = sum;
}

// A local array sorted by insertion, then its mode found: indices known only at run time.
extern "C" __global__ void local_mode(float* out, const float* in, int n) {
  int i = global_thread();
  unsigned char digits[24];
  int count = min(n, 24);
  for (int k = 0; k < count; ++k) {
    unsigned char d = static_cast<unsigned char>(in[i + k * 100] * 9.99f);
    int j = k;
    while (j > 0 && digits[j - 1] > d) {
      digits[j] = digits[j - 1];
      --j;
    }
    digits[j] = d;
  }
  int best = 0, length = 0, run = 0;
  for (int k = 0; k < count; ++k) {
    run = k > 0 && digits[k] == digits[k - 1] ? run + 1 : 1;
    if (run > length) {
      length = run;
      best = digits[k];
    }
  }
  out[i] = best * 100 + length;
}

// A subset of n weights with a given sum, the search kept on a stack of one word.
extern "C" __global__ void subset_sum(float* out, const float* in, int n) {
  int i = global_thread();
  int weights[12];
  for (int k = 0; k < 12; ++k) weights[k] = 1 + static_cast<int>(in[(i + k) & 1023] * 40.f);
  int target = 60 + (i & 15), sum = 0, depth = 0, visits = 0;
  unsigned chosen = 0;
  while (visits < 200) {
    ++visits;
    if (sum == target) break;
    if (depth < n && sum < target) {
      chosen |= 1u << depth;
      sum += weights[depth++];
      continue;
    }
    while (depth > 0 && !(chosen >> (depth - 1) & 1)) --depth;
    if (depth == 0) break;
    chosen ^= 1u << (depth - 1);
    sum -= weights[depth - 1];
  }
  out[i] = static_cast<float>(chosen) + 0.001f * visits;
}

// UTF-8 decoded by a table of states; errors start over.
__constant__ unsigned char kNext[4][4] = {{0, 4, 1, 2}, {4, 0, 4, 4}, {4, 1, 4, 4}, {4, 2, 4, 4}};

extern "C" __global__ void decode_utf8(float* out, const float* in, int n) {
  int i = global_thread();
  int state = 0, points = 0, errors = 0;
  unsigned point = 0;
  for (int k = 0; k < n; ++k) {
    unsigned byte = bits24(in, i * 4 + k) & 255;
    if (byte < 150) byte &= 127;
    int type = byte < 128 ? 0 : byte < 192 ? 1 : byte < 224 ? 2 : 3;
    state = kNext[state & 3][type];
    if (state == 4) {
      ++errors;
      state = 0;
    } else if (type == 1) {
      point = point << 6 | (byte & 63);
    } else {
      point = byte;
    }
    points += state == 0;
  }
  out[i] = points * 1000 + errors + (point & 0xff) * 0.001f;
}

template <typename Op, typename... Rest>
__device__ float apply(float x, Op op, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return op(x);
  else
    return apply(op(x), rest...);
}

// Lambdas put one behind the other, with captures, a ternary chain among them.
extern "C" __global__ void lambda_chain(float* __restrict__ out, const float* __restrict__ in,
                                        int n) {
  float shift = n * 0.001f;
  auto grade = [](float x) { return x > 0.9f ? 4.f : x > 0.7f ? 3.f : x > 0.5f ? 2.f : x; };
  for (int i = global_thread(); i < n; i += gridDim.x * blockDim.x)
    out[i] = apply(
        in[i], [shift](float x) { return x + shift - floorf(x + shift); }, grade,
        [=](float x) { return (i & 1) ? x * x : x - shift; });
}

// Lanes that work for as long as their index says: triangles of work in a warp.
extern "C" __global__ void triangle_work(float* out, const float* in, int n) {
  int i = global_thread();
  float sum = 0.f;
  for (int k = 0; k < threadIdx.x % n; ++k) {
    sum += in[i + k];
    if (sum > 12.f) {
      sum *= 0.5f;
      continue;
    }
    if (k & 1) sum += 0.125f;
  }
  if (threadIdx.x & 4) {
    for (int k = 0; k < 6; ++k) sum = sum * 0.9f + 0.1f;
  } else if (sum < 3.f) {
    sum = -sum;
  }
  out[i] = sum;
}

// A polygon of n corners and points, inside or outside.
extern "C" __global__ void point_in_polygon(float* out, const float* in, int n) {
  __shared__ float2 corners[64];
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    float angle = 6.2831853f * k / n, radius = 0.2f + 0.3f * in[k];
    corners[k] = {0.5f + radius * cospif(angle / 3.14159265f), 0.5f + radius * sinpif(2.f * k / n)};
  }
  __syncthreads();
  int i = global_thread();
  float2 p = reinterpret_cast<const float2*>(in)[i];
  bool inside = false;
  for (int a = 0, b = n - 1; a < n; b = a++) {
    float2 u = corners[a], v = corners[b];
    if ((u.y > p.y) != (v.y > p.y) && p.x < (v.x - u.x) * (p.y - u.y) / (v.y - u.y) + u.x)
      inside = !inside;
  }
  out[i] = inside;
}
