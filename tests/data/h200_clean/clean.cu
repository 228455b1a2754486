#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define KERNEL extern "C" __global__ void

// ---------------------------------------------------------------- helpers

// A whole number from one of the input floats, below 2^24 (or 2^24 where it is 1).
static __device__ __forceinline__ u32 raw24(float x) { return (u32)(x * 16777216.0f); }

// A whole number 0..m-1 of an input float.
static __device__ __forceinline__ int pick(float x, int m)
{
    int v = (int)(x * (float)m);
    return v >= m ? m - 1 : v;
}

static __device__ __forceinline__ u32 xorshift(u32 &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

static __device__ __forceinline__ u32 lcg(u32 &s)
{
    s = s * 1664525u + 1013904223u;
    return s >> 8;
}

static __device__ __forceinline__ int gid() { return blockIdx.x * blockDim.x + threadIdx.x; }

// ---------------------------------------------------------------- number theory

KERNEL collatz_longest(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    u64 v = (u64)t + 1;
    int steps = 0;
    u64 peak = v;
    while (v != 1) {
        if (v & 1) v = 3 * v + 1;
        else v >>= 1;
        if (v > peak) peak = v;
        steps++;
    }
    out[t] = steps + (float)peak * 1e-6f;
}

KERNEL prime_count(float* out, const float* in, int n)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int v = n + gid();
    bool prime = v > 1;
    if (v > 3) {
        if (v % 2 == 0 || v % 3 == 0) prime = false;
        else
            for (int d = 5; d * d <= v; d += 6)
                if (v % d == 0 || v % (d + 2) == 0) {
                    prime = false;
                    break;
                }
    }
    if (prime) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = (float)count;
}

static __device__ __noinline__ int euclid(int a, int b)
{
    while (b != 0) {
        int r = a % b;
        a = b;
        b = r;
    }
    return a;
}

KERNEL gcd_pairs(float* out, const float* in, int n)
{
    int t = gid();
    if (t < n) {
        int a = (int)raw24(in[2 * t]) + 1;
        int b = (int)raw24(in[2 * t + 1]) + 1;
        int g = euclid(a, b);
        out[t] = (float)g;
        if (g > 1) out[t] += (float)(a / g % 16);
    }
}

KERNEL gcd_stein(float* out, const float* in, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    u32 u = raw24(in[i]), v = raw24(in[n + i]);
    if (u == 0 || v == 0) {
        out[i] = (float)(u | v);
        return;
    }
    int shift = __ffs(u | v) - 1;
    u >>= __ffs(u) - 1;
    do {
        v >>= __ffs(v) - 1;
        if (u > v) {
            u32 tmp = v;
            v = u;
            u = tmp;
        }
        v = v - u;
    } while (v != 0);
    out[i] = (float)(u << shift);
}

static __device__ u64 mulmod(u64 a, u64 b, u64 m) { return a * b % m; }

static __device__ u64 powmod(u64 base, u64 e, u64 m)
{
    u64 r = 1;
    base %= m;
    while (e > 0) {
        if (e & 1) r = mulmod(r, base, m);
        base = mulmod(base, base, m);
        e >>= 1;
    }
    return r;
}

KERNEL fermat_test(float* out, const float* in, int n)
{
    int t = gid();
    u64 m = (u64)n + 2 * t;
    int passed = 0;
    for (u64 base = 2; base < 8; base++) {
        if (powmod(base, m - 1, m) != 1) break;
        passed++;
    }
    out[t] = (float)passed;
}

KERNEL totient_sum(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    int v = 1000 + 37 * t;
    int phi = v;
    int rest = v;
    for (int p = 2; p * p <= rest; ++p) {
        if (rest % p) continue;
        while (rest % p == 0) rest /= p;
        phi -= phi / p;
    }
    if (rest > 1) phi -= phi / rest;
    out[t] = (float)phi;
}

KERNEL sieve_segment(float* out, const float* in, int n)
{
    __shared__ unsigned char composite[2048];
    __shared__ int found;
    int low = 2 + blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) composite[i] = 0;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    int limit = (int)sqrtf((float)(low + n)) + 1;
    for (int p = 2 + threadIdx.x; p <= limit; p += blockDim.x) {
        int first = (low + p - 1) / p * p;
        if (first < p * p) first = p * p;
        for (int m = first; m < low + n; m += p) composite[m - low] = 1;
    }
    __syncthreads();
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += !composite[i];
    atomicAdd(&found, mine);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = (float)found;
}

KERNEL perfect_numbers(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    int sum = 1;
    int v = t + 2;
    for (int d = 2; d < v; d++) {
        if (d * d > v) break;
        if (v % d == 0) {
            sum += d;
            if (d != v / d) sum += v / d;
        }
    }
    if (sum == v) out[t] = 2.0f;
    else if (sum > v) out[t] = 1.0f;
    else out[t] = -1.0f;
}

static __device__ bool is_palindrome(u64 v)
{
    u64 rev = 0, w = v;
    while (w) {
        rev = rev * 10 + w % 10;
        w /= 10;
    }
    return rev == v;
}

KERNEL lychrel_chain(float* out, const float* in, int n)
{
    int t = gid();
    u64 v = 10 + t;
    int step = 0;
    for (; step < n; step++) {
        if (is_palindrome(v)) break;
        u64 rev = 0, w = v;
        do {
            rev = 10 * rev + w % 10;
            w /= 10;
        } while (w);
        v += rev;
        if (v > 100000000000000000ULL) {
            step = -1;
            break;
        }
    }
    out[t] = (float)step;
}

struct Fraction {
    i64 num, den;
};

static __device__ __noinline__ Fraction add_fraction(Fraction a, Fraction b)
{
    Fraction r;
    r.num = a.num * b.den + b.num * a.den;
    r.den = a.den * b.den;
    i64 x = r.num, y = r.den;
    while (y) {
        i64 z = x % y;
        x = y;
        y = z;
    }
    r.num /= x;
    r.den /= x;
    return r;
}

KERNEL fraction_sum(float* out, const float* in, int n)
{
    int t = gid();
    Fraction acc = {1, 1 + t % 5};
    for (int k = 1; k <= n; k++) {
        Fraction f = {k, (i64)(k + 1 + t % 3)};
        acc = add_fraction(acc, f);
    }
    out[2 * t] = (float)acc.num;
    out[2 * t + 1] = (float)((double)acc.num / (double)acc.den);
}

struct Big {
    u32 w[8];
};

static __device__ u32 big_add(Big &a, const Big &b)
{
    u64 carry = 0;
    for (int i = 0; i < 8; i++) {
        carry += (u64)a.w[i] + b.w[i];
        a.w[i] = (u32)carry;
        carry >>= 32;
    }
    return (u32)carry;
}

KERNEL big_fibonacci(float* out, const float* in, int n)
{
    int t = gid();
    Big a = {}, b = {};
    b.w[0] = raw24(in[t]) | 1;
    int overflow = 0;
    for (int i = 0; i < n; i++) {
        Big c = a;
        overflow += big_add(c, b);
        a = b;
        b = c;
    }
    u32 mix = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) mix = (mix << 3 | mix >> 29) ^ b.w[i];
    out[t] = (float)(mix >> 8) + overflow;
}

KERNEL int64_fixed(float* out, const float* in, int n)
{
    int t = gid();
    i64 x = (i64)((double)in[t] * 4294967296.0) + 4294967296LL;
    i64 y = x;
    for (int i = 0; i < n; i++) {
        i64 q = (x << 20) / (y >> 10 | 1);
        y = (y + (q << 2)) / 2;
        if (y <= 0) y = 1 - y;
        y ^= (i64)__mul64hi(y, x);
    }
    out[t] = (float)(y % 1000003);
}

// ---------------------------------------------------------------- pictures and fractals

KERNEL mandelbrot(float* out, const float* in, int n)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    float cr = -2.0f + 3.0f * px / w;
    float ci = -1.2f + 2.4f * py / h;
    float zr = 0.0f, zi = 0.0f;
    int i;
    for (i = 0; i < n; i++) {
        float r2 = zr * zr, i2 = zi * zi;
        if (r2 + i2 > 4.0f) break;
        zi = 2.0f * zr * zi + ci;
        zr = r2 - i2 + cr;
    }
    out[py * w + px] = (float)i;
}

struct Complexd {
    double re, im;
    __device__ Complexd(double a, double b) : re(a), im(b) {}
    __device__ double norm() const { return re * re + im * im; }
    __device__ Complexd operator*(const Complexd &o) const
    {
        return Complexd(re * o.re - im * o.im, re * o.im + im * o.re);
    }
    __device__ Complexd operator+(const Complexd &o) const { return Complexd(re + o.re, im + o.im); }
};

static __device__ int julia(int x, int y, int w, int h, int limit)
{
    Complexd c(-0.8, 0.156);
    Complexd a(1.5 * (w / 2 - x) / (w / 2), 1.5 * (h / 2 - y) / (h / 2));
    for (int i = 0; i < limit; i++) {
        a = a * a + c;
        if (a.norm() > 1000) return i;
    }
    return limit;
}

KERNEL julia_set(float* out, const float* in, int n)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int w = gridDim.x * blockDim.x;
    int h = gridDim.y * blockDim.y + 2;
    out[y * w + x] = julia(x, y, w, h, n) / (float)n;
}

KERNEL life_tile(float* out, const float* in, int n)
{
    __shared__ int tile[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
        int ty = k / 18, tx = k % 18;
        int gx = blockIdx.x * 16 + tx - 1, gy = blockIdx.y * 16 + ty - 1;
        int alive = 0;
        if (gx >= 0 && gx < n && gy >= 0 && gy < n) alive = in[gy * n + gx] > 0.6f;
        tile[ty][tx] = alive;
    }
    __syncthreads();
    if (x >= n || y >= n) return;
    int sum = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            if (dx != 1 || dy != 1) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    int me = tile[threadIdx.y + 1][threadIdx.x + 1];
    out[y * n + x] = (sum == 3 || (me && sum == 2)) ? 1.0f : 0.0f;
}

// A torus of 32 words of 32 cells a warp.
KERNEL life_bits(float* out, const float* in, int n)
{
    int lane = threadIdx.x & 31;
    int t = gid();
    u32 row = raw24(in[t]) ^ (raw24(in[t + 7777]) << 8);
    for (int g = 0; g < n; g++) {
        u32 up = __shfl_sync(~0u, row, (lane + 31) & 31);
        u32 down = __shfl_sync(~0u, row, (lane + 1) & 31);
        u32 nb[8] = {up, down, __funnelshift_l(up, up, 1), __funnelshift_r(up, up, 1),
                     __funnelshift_l(down, down, 1), __funnelshift_r(down, down, 1),
                     __funnelshift_l(row, row, 1), __funnelshift_r(row, row, 1)};
        u32 ones = 0, twos = 0, fours = 0;
        for (int k = 0; k < 8; k++) {
            u32 c = ones & nb[k];
            ones ^= nb[k];
            u32 d = twos & c;
            twos ^= c;
            fours |= d;
        }
        row = twos & ~fours & (ones | row);
        if (__all_sync(~0u, row == 0)) break;
    }
    out[t] = (float)__popc(row);
}

__constant__ float bayer4[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};

KERNEL dither_bayer(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float limit = (bayer4[(y & 3) * 4 + (x & 3)] + 0.5f) / 16.0f;
    out[y * n + x] = in[y * n + x] < limit ? 0.0f : 255.0f;
}

KERNEL dither_rows(float* out, const float* in, int n)
{
    int row = gid();
    float carry = 0.0f, carry2 = 0.0f;
    for (int x = 0; x < n; x++) {
        int col = (row & 1) ? n - 1 - x : x;
        float v = in[row * n + col] + carry;
        float q;
        if (v < 0.25f) q = 0.0f;
        else if (v < 0.75f) q = 0.5f;
        else q = 1.0f;
        float err = v - q;
        carry = carry2 + err * 7.0f / 16.0f;
        carry2 = err * 3.0f / 16.0f;
        out[row * n + col] = q;
    }
}

static __device__ void order(float &a, float &b)
{
    if (a > b) {
        float t = a;
        a = b;
        b = t;
    }
}

KERNEL median3x3(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    float v[9];
    int k = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) v[k++] = in[(y + dy) * n + x + dx];
    for (int i = 0; i <= 4; i++)
        for (int j = i + 1; j < 9; j++) order(v[i], v[j]);
    out[y * n + x] = v[4];
}

KERNEL sobel(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    int xl = max(x - 1, 0), xr = min(x + 1, n - 1);
    int yu = max(y - 1, 0), yd = min(y + 1, n - 1);
    float gx = in[yu * n + xr] + 2 * in[y * n + xr] + in[yd * n + xr]
             - in[yu * n + xl] - 2 * in[y * n + xl] - in[yd * n + xl];
    float gy = in[yd * n + xl] + 2 * in[yd * n + x] + in[yd * n + xr]
             - in[yu * n + xl] - 2 * in[yu * n + x] - in[yu * n + xr];
    float g = sqrtf(gx * gx + gy * gy);
    out[y * n + x] = g > 1.0f ? 1.0f : g;
}

KERNEL gamma_pixels(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    float r = in[3 * t], g = in[3 * t + 1], b = in[3 * t + 2];
    float mx = fmaxf(r, fmaxf(g, b)), mn = fminf(r, fminf(g, b));
    float hue = 0.0f, d = mx - mn;
    if (d > 1e-6f) {
        if (mx == r) hue = fmodf((g - b) / d, 6.0f);
        else if (mx == g) hue = (b - r) / d + 2.0f;
        else hue = (r - g) / d + 4.0f;
    }
    float lum = 0.2126f * r + 0.7152f * g + 0.0722f * b;
    out[2 * t] = hue * 60.0f;
    out[2 * t + 1] = lum <= 0.0031308f ? 12.92f * lum : 1.055f * powf(lum, 1.0f / 2.4f) - 0.055f;
}

static __device__ float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

static __device__ float grad(int h, float x, float y)
{
    switch (h & 7) {
    case 0: return x + y;
    case 1: return x - y;
    case 2: return -x + y;
    case 3: return -x - y;
    case 4: return x;
    case 5: return -x;
    case 6: return y;
    default: return -y;
    }
}

KERNEL perlin(float* out, const float* in, int n)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float total = 0.0f, amp = 1.0f, freq = 0.07f;
    for (int o = 0; o < n; o++) {
        float x = px * freq, y = py * freq;
        int xi = (int)floorf(x), yi = (int)floorf(y);
        float fx = x - xi, fy = y - yi;
        int h[2][2];
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) {
                u32 s = (u32)(xi + a) * 374761393u + (u32)(yi + b) * 668265263u;
                s = (s ^ (s >> 13)) * 1274126177u;
                h[a][b] = (int)(s >> 16);
            }
        float u = fade(fx), v = fade(fy);
        float a = grad(h[0][0], fx, fy), b = grad(h[1][0], fx - 1, fy);
        float c = grad(h[0][1], fx, fy - 1), d = grad(h[1][1], fx - 1, fy - 1);
        float top = a + u * (b - a), bottom = c + u * (d - c);
        total += amp * (top + v * (bottom - top));
        amp *= 0.5f;
        freq *= 2.0f;
    }
    out[py * gridDim.x * blockDim.x + px] = total;
}

// ---------------------------------------------------------------- histograms, reductions, scans

KERNEL histogram_shared(float* out, const float* in, int n)
{
    __shared__ u32 bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = gid(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[pick(in[i], 64)], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd((u32*)out + threadIdx.x, bins[threadIdx.x]);
}

KERNEL histogram_private(float* out, const float* in, int n)
{
    unsigned char bin[16];
    int t = gid();
    for (int i = 0; i < 16; i++) bin[i] = 0;
    for (int i = 0; i < n; i++) {
        int b = pick(in[t * n + i], 16);
        if (bin[b] < 255) bin[b]++;
    }
    int mode = 0;
    for (int i = 1; i < 16; i++)
        if (bin[i] > bin[mode]) mode = i;
    out[t] = mode + bin[mode] * 0.001f;
}

KERNEL reduce_tree(float* out, const float* in, int n)
{
    extern __shared__ float partial[];
    int tid = threadIdx.x;
    float s = 0.0f;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) s += in[i];
    partial[tid] = s;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (tid < half) partial[tid] += partial[tid + half];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

KERNEL reduce_max_shuffle(float* out, const float* in, int n)
{
    __shared__ float warp_max[32];
    __shared__ int warp_at[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float best = -1.0f;
    int at = -1;
    for (int i = gid(); i < n; i += gridDim.x * blockDim.x) {
        float v = in[i];
        if (v > best) {
            best = v;
            at = i;
        }
    }
    for (int d = 16; d > 0; d /= 2) {
        float ob = __shfl_down_sync(0xffffffff, best, d);
        int oa = __shfl_down_sync(0xffffffff, at, d);
        if (ob > best || (ob == best && oa < at)) {
            best = ob;
            at = oa;
        }
    }
    if (lane == 0) {
        warp_max[warp] = best;
        warp_at[warp] = at;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int warps = blockDim.x / 32;
        for (int w = 1; w < warps; w++)
            if (warp_max[w] > warp_max[0]) {
                warp_max[0] = warp_max[w];
                warp_at[0] = warp_at[w];
            }
        out[2 * blockIdx.x] = warp_max[0];
        out[2 * blockIdx.x + 1] = (float)warp_at[0];
    }
}

KERNEL reduce_volatile(float* out, const float* in, int n)
{
    __shared__ volatile int data[128];
    int tid = threadIdx.x;
    int sum = 0;
    for (int i = gid(); i < n; i += gridDim.x * blockDim.x) sum += (int)(in[i] * 1000.0f);
    data[tid] = sum;
    __syncthreads();
    if (blockDim.x >= 128) {
        if (tid < 64) data[tid] = data[tid] + data[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        data[tid] = data[tid] + data[tid + 32];
        __syncwarp();
        for (int s = 16; s >= 1; s >>= 1) {
            int v = data[tid + s];
            __syncwarp();
            if (tid < s) data[tid] = data[tid] + v;
            __syncwarp();
        }
    }
    if (tid == 0) out[blockIdx.x] = (float)data[0];
}

KERNEL scan_hillis_steele(float* out, const float* in, int n)
{
    extern __shared__ float buf[];
    int tid = threadIdx.x, i = gid();
    int cur = 0, size = blockDim.x;
    buf[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int off = 1; off < size; off <<= 1) {
        int nxt = 1 - cur;
        if (tid >= off) buf[nxt * size + tid] = buf[cur * size + tid] + buf[cur * size + tid - off];
        else buf[nxt * size + tid] = buf[cur * size + tid];
        cur = nxt;
        __syncthreads();
    }
    if (i < n) out[i] = buf[cur * size + tid];
}

#define PAD(i) ((i) + ((i) >> 5))

KERNEL scan_blelloch(float* out, const float* in, int n)
{
    __shared__ int temp[256 + 8];
    int tid = threadIdx.x;
    const float* src = in + blockIdx.x * n;
    temp[PAD(tid)] = pick(src[tid], 100);
    temp[PAD(tid + n / 2)] = pick(src[tid + n / 2], 100);
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
            temp[PAD(b)] += temp[PAD(a)];
        }
        offset *= 2;
    }
    if (tid == 0) temp[PAD(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
            int t = temp[PAD(a)];
            temp[PAD(a)] = temp[PAD(b)];
            temp[PAD(b)] += t;
        }
    }
    __syncthreads();
    out[blockIdx.x * n + tid] = (float)temp[PAD(tid)];
    out[blockIdx.x * n + tid + n / 2] = (float)temp[PAD(tid + n / 2)];
}

KERNEL tile_scan(float* out, const float* in, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int i = gid();
    int v = i < n ? pick(in[i], 10) : 0;
    for (int d = 1; d < (int)tile.size(); d *= 2) {
        int up = tile.shfl_up(v, d);
        if ((int)tile.thread_rank() >= d) v += up;
    }
    int total = tile.shfl(v, 15);
    if (i < n) out[i] = (float)v / (float)(total > 0 ? total : 1);
}

template <class Tile>
static __device__ float tile_mean(Tile tile, float v)
{
    float s = cg::reduce(tile, v, cg::plus<float>());
    return s / tile.size();
}

KERNEL tile_variance(float* out, const float* in, int n)
{
    auto block = cg::this_thread_block();
    auto t8 = cg::tiled_partition<8>(block);
    auto t4 = cg::tiled_partition<4>(block);
    int i = gid();
    float x = in[i], sum = 0.0f;
    for (int k = 0; k < n; k++) {
        float m = tile_mean(t8, x);
        float d = (x - m) * (x - m);
        sum += t4.any(d > 0.2f) ? tile_mean(t4, d) : d;
        x = x * 0.75f + t8.shfl_xor(x, 3) * 0.25f;
    }
    out[i] = sum;
}

KERNEL compact_ballot(float* out, const float* in, int n)
{
    __shared__ int base[8];
    int i = gid(), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    u32 active = __activemask();
    bool keep = i < n && in[i] < 0.4f;
    u32 mask = __ballot_sync(active, keep);
    if (lane == 0) base[warp] = __popc(mask);
    __syncthreads();
    int start = 0;
    for (int w = 0; w < warp; w++) start += base[w];
    if (keep) {
        int pos = start + __popc(mask & ((1u << lane) - 1));
        out[blockIdx.x * blockDim.x + pos] = in[i];
    }
}

KERNEL match_groups(float* out, const float* in, int n)
{
    __shared__ int counts[32];
    if (threadIdx.x < 32) counts[threadIdx.x] = 0;
    __syncthreads();
    int i = gid();
    int key = pick(in[i], n);
    u32 peers = __match_any_sync(0xffffffffu, key);
    int leader = __ffs(peers) - 1;
    int lane = threadIdx.x & 31;
    if (lane == leader) atomicAdd(&counts[key], __popc(peers));
    int same;
    u32 all = __match_all_sync(0xffffffffu, key / n, &same);
    __syncthreads();
    out[i] = counts[key] + (same ? 0.5f : 0.0f) + (all == 0 ? 0.25f : 0.0f);
}

KERNEL barrier_votes(float* out, const float* in, int n)
{
    int i = gid();
    float x = in[i];
    int total = 0, rounds = 0;
    for (int k = 0; k < n; k++) {
        x = 4.0f * 0.95f * x * (1.0f - x);
        total += __syncthreads_count(x > 0.5f);
        if (__syncthreads_and(x > 0.02f)) rounds++;
        if (!__syncthreads_or(x > 0.1f)) break;
    }
    out[i] = x + total + 1000.0f * rounds;
}

KERNEL total_energy_fa(float* out, const float* in, int n)
{
    float e = 0.0f;
    for (int i = gid(); i < n; i += blockDim.x * gridDim.x) e += in[i] * in[i];
    for (int d = 16; d; d >>= 1) e += __shfl_xor_sync(0xffffffffu, e, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, e);
}

KERNEL weighted_bins_fa(float* out, const float* in, int n)
{
    __shared__ float bins[32];
    if (threadIdx.x < 32) bins[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int i = gid(); i < n; i += blockDim.x * gridDim.x) {
        float x = in[i];
        atomicAdd(&bins[pick(x, 32)], sqrtf(x));
    }
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

KERNEL min_max_atomics(float* out, const float* in, int n)
{
    __shared__ int lo, hi;
    __shared__ u32 seen;
    if (threadIdx.x == 0) {
        lo = 0x7fffffff;
        hi = -1;
        seen = 0;
    }
    __syncthreads();
    int i = gid();
    if (i < n) {
        int v = (int)raw24(in[i]);
        atomicMin(&lo, v);
        atomicMax(&hi, v);
        atomicOr(&seen, 1u << (v & 31));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[3 * blockIdx.x] = (float)lo;
        out[3 * blockIdx.x + 1] = (float)hi;
        out[3 * blockIdx.x + 2] = (float)__popc(seen);
    }
}

// ---------------------------------------------------------------- sorting and searching

KERNEL bitonic_sort(float* out, const float* in, int n)
{
    __shared__ float key[256];
    for (int i = threadIdx.x; i < n; i += blockDim.x) key[i] = in[blockIdx.x * n + i];
    for (int size = 2; size <= n; size <<= 1)
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            int t = threadIdx.x;
            int a = 2 * t - (t & (stride - 1)), b = a + stride;
            bool up = (a & size) == 0;
            if ((key[a] > key[b]) == up) {
                float tmp = key[a];
                key[a] = key[b];
                key[b] = tmp;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = key[i];
}

KERNEL bitonic_warp(float* out, const float* in, int n)
{
    int lane = threadIdx.x & 31, i = gid();
    u32 v = raw24(in[i]);
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            u32 o = __shfl_xor_sync(0xffffffffu, v, j);
            bool up = (lane & k) == 0, low = (lane & j) == 0;
            v = (up == low) ? min(v, o) : max(v, o);
        }
    out[i] = n == 0 ? (float)v : (float)(v >> 4);
}

KERNEL odd_even_sort(float* out, const float* in, int n)
{
    __shared__ int a[128];
    int t = threadIdx.x;
    a[2 * t] = (int)raw24(in[blockIdx.x * n + 2 * t]);
    a[2 * t + 1] = (int)raw24(in[blockIdx.x * n + 2 * t + 1]);
    __syncthreads();
    int swapped, phase = 0;
    do {
        swapped = 0;
        for (int odd = 0; odd < 2; odd++) {
            int i = 2 * t + odd;
            if (i + 1 < n && a[i] > a[i + 1]) {
                int x = a[i];
                a[i] = a[i + 1];
                a[i + 1] = x;
                swapped = 1;
            }
            __syncthreads();
        }
        phase++;
    } while (__syncthreads_or(swapped));
    out[blockIdx.x * n + 2 * t] = (float)a[2 * t];
    out[blockIdx.x * n + 2 * t + 1] = (float)(a[2 * t + 1] + phase);
}

KERNEL insertion_sort(float* out, const float* in, int n)
{
    float a[24];
    int t = gid();
    for (int i = 0; i < n; i++) a[i] = in[t * n + i];
    for (int i = 1; i < n; i++) {
        float x = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > x) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = x;
    }
    for (int i = 0; i < n; i++) out[t * n + i] = a[i];
}

static __device__ __noinline__ void quick_sort(int* a, int lo, int hi)
{
    if (lo >= hi) return;
    int pivot = a[(lo + hi) / 2];
    int i = lo, j = hi;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
            j--;
        }
    }
    quick_sort(a, lo, j);
    quick_sort(a, i, hi);
}

KERNEL quick_sort_recursive(float* out, const float* in, int n)
{
    int a[32];
    int t = gid();
    for (int i = 0; i < n; i++) a[i] = pick(in[t * n + i], 1000);
    quick_sort(a, 0, n - 1);
    for (int i = 0; i < n; i++) out[t * n + i] = (float)a[i];
}

KERNEL quick_sort_stack(float* out, const float* in, int n)
{
    float a[32];
    int stack[64];
    int t = gid(), top = 0;
    for (int i = 0; i < n; i++) a[i] = in[t * n + i];
    stack[top++] = 0;
    stack[top++] = n - 1;
    while (top > 0) {
        int hi = stack[--top], lo = stack[--top];
        if (lo >= hi) continue;
        float p = a[hi];
        int k = lo;
        for (int i = lo; i < hi; i++)
            if (a[i] < p) {
                float x = a[i];
                a[i] = a[k];
                a[k++] = x;
            }
        a[hi] = a[k];
        a[k] = p;
        // The longer part first, so that the stack stays short.
        if (k - lo > hi - k) {
            stack[top++] = lo;
            stack[top++] = k - 1;
            stack[top++] = k + 1;
            stack[top++] = hi;
        } else {
            stack[top++] = k + 1;
            stack[top++] = hi;
            stack[top++] = lo;
            stack[top++] = k - 1;
        }
    }
    for (int i = 0; i < n; i++) out[t * n + i] = a[i];
}

KERNEL radix_sort_block(float* out, const float* in, int n)
{
    __shared__ u32 key[128];
    __shared__ int warp_zeros[4];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    int warps = blockDim.x >> 5;
    u32 k = raw24(in[gid()]) & ((1u << n) - 1);
    for (int bit = 0; bit < n; bit++) {
        int zero = !((k >> bit) & 1);
        u32 mask = __ballot_sync(0xffffffff, zero);
        if (lane == 0) warp_zeros[warp] = __popc(mask);
        __syncthreads();
        int before = 0, all = 0;
        for (int w = 0; w < warps; w++) {
            if (w < warp) before += warp_zeros[w];
            all += warp_zeros[w];
        }
        before += __popc(mask & ((1u << lane) - 1));
        int pos = zero ? before : all + tid - before;
        key[pos] = k;
        __syncthreads();
        k = key[tid];
    }
    out[gid()] = (float)k;
}

KERNEL counting_sort(float* out, const float* in, int n)
{
    __shared__ int count[32], start[32];
    __shared__ unsigned char item[512];
    int tid = threadIdx.x;
    if (tid < 32) count[tid] = 0;
    __syncthreads();
    for (int i = tid; i < n; i += blockDim.x) {
        item[i] = (unsigned char)pick(in[blockIdx.x * n + i], 32);
        atomicAdd(&count[item[i]], 1);
    }
    __syncthreads();
    if (tid == 0) {
        int s = 0;
        for (int b = 0; b < 32; b++) {
            start[b] = s;
            s += count[b];
        }
    }
    __syncthreads();
    if (tid < 32) {
        float* dst = out + blockIdx.x * n + start[tid];
        for (int k = 0; k < count[tid]; k++) dst[k] = (float)tid;
    }
}

KERNEL binary_search(float* out, const float* in, int n)
{
    __shared__ float table[1024];
    for (int i = threadIdx.x; i < n; i += blockDim.x) table[i] = (i + 0.5f * in[i]) / n;
    __syncthreads();
    int t = gid();
    float x = in[5000 + t];
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (table[mid] < x) lo = mid + 1;
        else hi = mid;
    }
    out[t] = (float)lo;
}

KERNEL merge_ranks(float* out, const float* in, int n)
{
    // Two sorted sequences a block: squares and triangular numbers, shifted by the input.
    __shared__ int a[512], b[512];
    int shift = pick(in[blockIdx.x], 50);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        a[i] = i * i + shift;
        b[i] = i * (i + 1) / 2;
    }
    __syncthreads();
    float* dst = out + blockIdx.x * 2 * n;
    for (int d = threadIdx.x; d < 2 * n; d += blockDim.x) {
        int lo = d > n ? d - n : 0, hi = d < n ? d : n;
        while (lo < hi) {
            int i = (lo + hi) / 2;
            if (a[i] <= b[d - 1 - i]) lo = i + 1;
            else hi = i;
        }
        int i = lo, j = d - lo;
        if (j >= n || (i < n && a[i] <= b[j])) dst[d] = (float)a[i];
        else dst[d] = (float)b[j];
    }
}

KERNEL top_three(float* out, const float* in, int n)
{
    int t = gid();
    float a = -1, b = -1, c = -1;
    for (int i = 0; i < n; i++) {
        float v = in[i * gridDim.x * blockDim.x + t];
        if (v > a) {
            c = b;
            b = a;
            a = v;
        } else if (v > b) {
            c = b;
            b = v;
        } else if (v > c) c = v;
    }
    out[3 * t] = a;
    out[3 * t + 1] = b;
    out[3 * t + 2] = c;
}

// ---------------------------------------------------------------- strings and machines

KERNEL rpn_calculator(float* out, const float* in, int n)
{
    int t = gid();
    float stack[32];
    int sp = 0;
    u32 seed = raw24(in[t]) | 1;
    for (int i = 0; i < n; i++) {
        u32 r = lcg(seed);
        int op = (int)(r % 9);
        if (sp < 2 || (op < 3 && sp < 30)) {
            stack[sp++] = (float)(r >> 4 & 63) * 0.25f;
            continue;
        }
        float b = stack[--sp];
        float a = stack[--sp];
        float c;
        switch (op) {
        case 3: c = a + b; break;
        case 4: c = a - b; break;
        case 5: c = a * b; break;
        case 6:
            if (b == 0.0f) c = 0.0f;
            else c = a / b;
            break;
        case 7: c = fminf(a, b); break;
        default: c = fabsf(a) + 1.0f; break;
        }
        stack[sp++] = c;
    }
    float s = 0.0f;
    while (sp > 0) s += stack[--sp];
    out[t] = s;
}

enum Opcode { PUSH = 1, ADD = 17, MUL = 64, SWAP = 65, DUP = 90, JNZ = 130, DEC = 200, HALT = 255 };

// Sum of the first k squares.
__constant__ unsigned char program[] = {DUP, 0, DUP, 0, MUL, 0, ADD, 0, DEC, 0, JNZ, 0, HALT, 0};

KERNEL byte_machine(float* out, const float* in, int n)
{
    int t = gid();
    int acc = 0, count = 1 + pick(in[t], n), tmp = 0, tmp2 = 0;
    int pc = 0, executed = 0;
    bool running = true;
    while (running && executed < 1000) {
        int op = program[pc], next = program[pc + 1];
        pc += 2;
        executed++;
        switch (op) {
        case PUSH: tmp = next; break;
        case ADD: acc += tmp; break;
        case MUL: tmp = tmp * tmp2; break;
        case SWAP: {
            int x = tmp;
            tmp = tmp2;
            tmp2 = x;
            break;
        }
        case DUP:
            tmp2 = tmp;
            tmp = count;
            break;
        case DEC: count--; break;
        case JNZ:
            if (count != 0) pc = next;
            break;
        case HALT: running = false; break;
        default: acc = -1; running = false;
        }
    }
    out[t] = (float)acc + executed * 0.001f;
}

static __device__ u32 murmur_mix(u32 k)
{
    k *= 0xcc9e2d51u;
    k = (k << 15) | (k >> 17);
    return k * 0x1b873593u;
}

KERNEL murmur_bytes(float* out, const float* in, int n)
{
    int t = gid();
    const unsigned char* s = (const unsigned char*)in + (size_t)t * n;
    u32 h = 42;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        u32 k = s[i] | s[i + 1] << 8 | s[i + 2] << 16 | (u32)s[i + 3] << 24;
        h ^= murmur_mix(k);
        h = (h << 13) | (h >> 19);
        h = h * 5 + 0xe6546b64u;
    }
    u32 k = 0;
    switch (n & 3) {
    case 3: k ^= s[i + 2] << 16;  // falls through
    case 2: k ^= s[i + 1] << 8;   // falls through
    case 1:
        k ^= s[i];
        h ^= murmur_mix(k);
    }
    h ^= n;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    out[t] = (float)(h >> 8);
}

KERNEL crc32_table(float* out, const float* in, int n)
{
    __shared__ u32 table[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        u32 c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    __syncthreads();
    int t = gid();
    u32 crc = ~0u;
    for (int i = 0; i < n; i++) {
        u32 byte = (u32)pick(in[t * n + i], 256);
        crc = table[(crc ^ byte) & 0xff] ^ (crc >> 8);
    }
    out[t] = (float)(~crc >> 8);
}

KERNEL utf8_scan(float* out, const float* in, int n)
{
    int t = gid();
    const float* src = in + t * n;
    int chars = 0, bad = 0, widest = 0;
    for (int i = 0; i < n;) {
        int c = pick(src[i], 256);
        int len;
        if (c < 0x80) len = 1;
        else if (c < 0xC0) {
            bad++;
            i++;
            continue;
        } else if (c < 0xE0) len = 2;
        else if (c < 0xF0) len = 3;
        else if (c < 0xF8) len = 4;
        else break;
        int code = len == 1 ? c : c & (0xff >> (len + 1));
        int k = 1;
        while (k < len && i + k < n) {
            int d = pick(src[i + k], 256);
            if ((d & 0xC0) != 0x80) break;
            code = code << 6 | (d & 0x3f);
            k++;
        }
        if (k == len) {
            chars++;
            if (code > widest) widest = code;
        } else bad++;
        i += k;
    }
    out[3 * t] = (float)chars;
    out[3 * t + 1] = (float)bad;
    out[3 * t + 2] = (float)widest;
}

KERNEL number_lines(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    char text[12];
    int v = (int)raw24(in[t]) - 8000000;
    int len = 0;
    bool neg = v < 0;
    u32 u = neg ? -v : v;
    do {
        text[len++] = (char)('0' + u % 10);
        u /= 10;
        if (len % 4 == 3 && u) text[len++] = ',';
    } while (u);
    if (neg) text[len++] = '-';
    char* line = (char*)out + t * 16;
    for (int i = 0; i < len; i++) line[i] = text[len - 1 - i];
    line[len] = '\n';
}

// Does the pattern, with ? and *, match?
static __device__ bool wildcard(const char* s, int ns, const char* p, int np)
{
    int i = 0, j = 0, star = -1, mark = 0;
    while (i < ns) {
        if (j < np && (p[j] == '?' || p[j] == s[i])) {
            i++;
            j++;
        } else if (j < np && p[j] == '*') {
            star = j++;
            mark = i;
        } else if (star >= 0) {
            j = star + 1;
            i = ++mark;
        } else return false;
    }
    while (j < np && p[j] == '*') j++;
    return j == np;
}

__constant__ char patterns[4][8] = {"a*b", "*ab*c", "?b*a?", "*c*c*"};

KERNEL wildcard_match(float* out, const float* in, int n)
{
    int t = gid();
    char s[16];
    for (int i = 0; i < n; i++) s[i] = (char)('a' + pick(in[t * n + i], 3));
    int hits = 0;
    for (int k = 0; k < 4; k++) {
        int len = 0;
        while (patterns[k][len]) len++;
        if (wildcard(s, n, patterns[k], len)) hits |= 1 << k;
    }
    out[t] = (float)hits;
}

KERNEL levenshtein(float* out, const float* in, int n)
{
    int t = gid();
    int row[33];
    unsigned char b[32];
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int j = 0; j < n; j++) b[j] = (unsigned char)pick(in[100000 + t * n + j], 4);
    for (int i = 1; i <= n; i++) {
        int diag = row[0];
        row[0] = i;
        int a = pick(in[t * n + i - 1], 4);
        for (int j = 1; j <= n; j++) {
            int up = row[j];
            int best = diag + (a != b[j - 1]);
            if (up + 1 < best) best = up + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
            diag = up;
        }
    }
    out[t] = (float)row[n];
}

KERNEL lcs_wavefront(float* out, const float* in, int n)
{
    __shared__ int diag[3][65];
    __shared__ char s[64];
    int t = threadIdx.x;
    char mine = (char)pick(in[blockIdx.x * 500 + t], 4);
    s[t] = (char)pick(in[blockIdx.x * 500 + 200 + t], 4);
    for (int k = 0; k < 3; k++) diag[k][t + 1] = 0;
    if (t == 0) diag[0][0] = diag[1][0] = diag[2][0] = 0;
    __syncthreads();
    // diag[d % 3][i + 1]: cell (i, d - i).
    for (int d = 0; d < 2 * n - 1; d++) {
        int j = d - t;
        int* cur = diag[d % 3];
        const int* last = diag[(d + 2) % 3];
        const int* older = diag[(d + 1) % 3];
        if (j >= 0 && j < n) {
            if (mine == s[j]) cur[t + 1] = (j > 0 ? older[t] : 0) + 1;
            else cur[t + 1] = max(last[t], j > 0 ? last[t + 1] : 0);
        }
        __syncthreads();
    }
    if (t == n - 1) out[blockIdx.x] = (float)diag[(2 * n - 2) % 3][n];
}

KERNEL run_lengths(float* out, const float* in, int n)
{
    __shared__ unsigned char sym[128];
    __shared__ int pos[128];
    int t = threadIdx.x;
    sym[t] = (unsigned char)(in[blockIdx.x * n + t] > 0.7f);
    __syncthreads();
    int head = t == 0 || sym[t] != sym[t - 1];
    pos[t] = head;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        int v = t >= d ? pos[t - d] : 0;
        __syncthreads();
        pos[t] += v;
        __syncthreads();
    }
    if (head) {
        int len = 1;
        while (t + len < n && sym[t + len] == sym[t]) len++;
        out[blockIdx.x * n + pos[t] - 1] = (float)(sym[t] ? len : -len);
    }
}

KERNEL vending_machine(float* out, const float* in, int n)
{
    enum { IDLE, PAYING, READY, VENDING, REFUND };
    int t = gid();
    int state = IDLE, credit = 0, sold = 0, back = 0;
    u32 seed = raw24(in[t]) + 99u;
    for (int i = 0; i < n; i++) {
        u32 r = xorshift(seed) >> 7;
        switch (state) {
        case IDLE:
            if (r & 1) {
                credit = 5;
                state = PAYING;
            }
            break;
        case PAYING:
            credit += (r % 3 == 0) ? 25 : (r % 3 == 1) ? 10 : 5;
            if (credit >= 60) state = READY;
            else if (r % 17 == 0) state = REFUND;
            break;
        case READY:
            state = r % 5 ? VENDING : REFUND;
            break;
        case VENDING:
            sold++;
            credit -= 60;
            if (credit > 0) state = REFUND;
            else state = IDLE;
            break;
        case REFUND:
            while (credit >= 25) {
                credit -= 25;
                back++;
            }
            while (credit >= 10) {
                credit -= 10;
                back++;
            }
            if (credit) back++;
            credit = 0;
            state = IDLE;
            break;
        }
    }
    out[2 * t] = (float)sold;
    out[2 * t + 1] = (float)back;
}

static __device__ int day_of_year(int y, int m, int d)
{
    int days = d;
    switch (m) {
    case 12: days += 30;
    case 11: days += 31;
    case 10: days += 30;
    case 9: days += 31;
    case 8: days += 31;
    case 7: days += 30;
    case 6: days += 31;
    case 5: days += 30;
    case 4: days += 31;
    case 3: days += ((y % 4 == 0 && y % 100 != 0) || y % 400 == 0) ? 29 : 28;
    case 2: days += 31;
    case 1: break;
    }
    return days;
}

KERNEL weekday_calendar(float* out, const float* in, int n)
{
    int t = gid();
    if (t < n) {
        int y = 1900 + pick(in[t], 200), m = 1 + pick(in[t + n], 12), d = 1 + pick(in[t + 2 * n], 28);
        int doy = day_of_year(y, m, d);
        int p = y - 1;
        int wd = (p + p / 4 - p / 100 + p / 400 + doy) % 7;
        out[t] = doy + wd * 0.1f;
        if (wd == 5 && d == 13) out[t] = -1.0f;
    }
}

KERNEL duff_sum(float* out, const float* in, int n)
{
    int t = gid();
    int count = 1 + pick(in[t], n);
    const float* p = in + t * 4;
    float s = 0.0f;
    int rounds = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { s += *p++;
    case 7:      s -= *p++;
    case 6:      s += *p++;
    case 5:      s *= *p++;
    case 4:      s += *p++;
    case 3:      s -= *p++;
    case 2:      s += *p++;
    case 1:      s += *p++;
            } while (--rounds > 0);
    }
    out[t] = s;
}

KERNEL sparse_codes(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    static const __device__ int codes[12] = {200, 201, 204, 301, 302, 304, 400, 401, 403, 404, 500, 503};
    int code = codes[pick(in[t], 12)];
    float x = in[t + 1], y;
    switch (code) {
    case 200: y = x; break;
    case 201: y = x + 1.0f; break;
    case 204: y = 0.0f; break;
    case 301: y = sinf(x); break;
    case 302: y = cosf(x); break;
    case 304: y = x * x; break;
    case 400: y = -x; break;
    case 401: y = 1.0f / (x + 0.1f); break;
    case 403: y = sqrtf(x); break;
    case 404: y = expf(-x); break;
    case 500: y = logf(x + 1.0f); break;
    default: y = (float)code;
    }
    out[t] = y;
}

// ---------------------------------------------------------------- matrices and grids

#define LU_N 5

KERNEL lu_solve(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    float a[LU_N][LU_N], b[LU_N];
    for (int i = 0; i < LU_N; i++) {
        for (int j = 0; j < LU_N; j++) a[i][j] = in[t * 30 + i * LU_N + j];
        b[i] = in[t * 30 + 25 + i];
    }
    bool singular = false;
    for (int k = 0; k < LU_N && !singular; k++) {
        int p = k;
        for (int i = k + 1; i < LU_N; i++)
            if (fabsf(a[i][k]) > fabsf(a[p][k])) p = i;
        if (fabsf(a[p][k]) < 1e-6f) singular = true;
        if (p != k) {
            for (int j = 0; j < LU_N; j++) {
                float x = a[k][j];
                a[k][j] = a[p][j];
                a[p][j] = x;
            }
            float x = b[k];
            b[k] = b[p];
            b[p] = x;
        }
        for (int i = k + 1; i < LU_N; i++) {
            float f = a[i][k] / a[k][k];
            for (int j = k; j < LU_N; j++) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int i = LU_N - 1; i >= 0; i--) {
        float s = b[i];
        for (int j = i + 1; j < LU_N; j++) s -= a[i][j] * b[j];
        b[i] = s / a[i][i];
    }
    for (int i = 0; i < LU_N; i++) out[t * LU_N + i] = singular ? 0.0f : b[i];
}

KERNEL cholesky_block(float* out, const float* in, int n)
{
    __shared__ float a[40][41];
    int t = threadIdx.x;
    for (int k = t; k < n * n; k += blockDim.x) {
        int r = k / n, c = k % n;
        a[r][c] = 0.5f * (in[blockIdx.x * 2000 + r * n + c] + in[blockIdx.x * 2000 + c * n + r]);
        if (r == c) a[r][c] += n;
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) a[k][k] = sqrtf(a[k][k]);
        __syncthreads();
        for (int i = k + 1 + t; i < n; i += blockDim.x) a[i][k] /= a[k][k];
        __syncthreads();
        for (int j = k + 1 + t; j < n; j += blockDim.x)
            for (int i = j; i < n; i++) a[i][j] -= a[i][k] * a[j][k];
        __syncthreads();
    }
    for (int k = t; k < n * n; k += blockDim.x) {
        int r = k / n, c = k % n;
        out[blockIdx.x * n * n + k] = c <= r ? a[r][c] : 0.0f;
    }
}

#define TILE 16

KERNEL matmul_tiled(float* out, const float* in, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const float* A = in;
    const float* B = in + n * n;
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int m = 0; m < (n + TILE - 1) / TILE; m++) {
        int ac = m * TILE + threadIdx.x, br = m * TILE + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < n && ac < n ? A[row * n + ac] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = br < n && col < n ? B[br * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n) out[row * n + col] = sum;
}

KERNEL transpose_tile(float* out, const float* in, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y)
        if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y)
        if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

static __device__ int row_length(int row) { return (row * 2654435761u >> 27) % 23; }

KERNEL spmv_scalar(float* __restrict__ out, const float* __restrict__ in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    int len = row_length(row), start = row * 23;
    float dot = 0.0f;
    for (int k = start; k < start + len; k++) {
        int col = pick(__ldg(in + 300000 + k), n);
        dot += __ldg(&in[k]) * __ldg(&in[700000 + col]);
    }
    out[row] = dot;
}

KERNEL spmv_warp(float* out, const float* in, int n)
{
    int lane = threadIdx.x & 31;
    int warps = gridDim.x * blockDim.x / 32;
    for (int row = gid() / 32; row < n; row += warps) {
        int len = row_length(row) * 5, start = row * 110;
        float dot = 0.0f;
        for (int k = lane; k < len; k += 32) dot += in[start + k] * in[500000 + pick(in[200000 + start + k], n)];
#pragma unroll
        for (int d = 16; d; d >>= 1) dot += __shfl_down_sync(0xffffffffu, dot, d);
        if (!lane) out[row] = dot;
    }
}

KERNEL matrix_chain(float* out, const float* in, int n)
{
    int t = gid();
    int dim[13], cost[12][12];
    for (int i = 0; i <= n; i++) dim[i] = 2 + pick(in[t * 16 + i], 40);
    for (int i = 0; i < n; i++) cost[i][i] = 0;
    for (int len = 2; len <= n; len++)
        for (int i = 0; i + len <= n; i++) {
            int j = i + len - 1, best = 0x7fffffff;
            for (int k = i; k < j; k++) {
                int c = cost[i][k] + cost[k + 1][j] + dim[i] * dim[k + 1] * dim[j + 1];
                if (c < best) best = c;
            }
            cost[i][j] = best;
        }
    out[t] = (float)cost[0][n - 1];
}

KERNEL floyd_warshall(float* out, const float* in, int n)
{
    __shared__ int d[32][32];
    for (int i = threadIdx.y; i < n; i += blockDim.y)
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            float x = in[blockIdx.x * n * n + i * n + j];
            d[i][j] = i == j ? 0 : x < 0.2f ? 1 + (int)(x * 500.0f) : 1000000;
        }
    for (int k = 0; k < n; k++) {
        __syncthreads();
        for (int i = threadIdx.y; i < n; i += blockDim.y)
            for (int j = threadIdx.x; j < n; j += blockDim.x)
                if (i != k && j != k) d[i][j] = min(d[i][j], d[i][k] + d[k][j]);
    }
    __syncthreads();
    for (int i = threadIdx.y; i < n; i += blockDim.y)
        for (int j = threadIdx.x; j < n; j += blockDim.x)
            out[blockIdx.x * n * n + i * n + j] = (float)d[i][j];
}

KERNEL heat3d(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= n) return;
    int i = (z * n + y) * n + x;
    float c = in[i];
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
        out[i] = c;
        return;
    }
    float lap = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6.0f * c;
    out[i] = c + 0.1f * lap;
}

#define RADIUS 4
__constant__ float taps[2 * RADIUS + 1] = {0.01f, 0.05f, 0.1f, 0.2f, 0.28f, 0.2f, 0.1f, 0.05f, 0.01f};

KERNEL conv1d(float* out, const float* in, int n)
{
    extern __shared__ float line[];
    int i = gid(), l = threadIdx.x + RADIUS;
    line[l] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        line[l - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
        int r = i + blockDim.x;
        line[l + blockDim.x] = r < n ? in[r] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float s = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; k++) s += line[l + k] * taps[k + RADIUS];
    out[i] = s;
}

KERNEL fft_shared(float* out, const float* in, int n)
{
    __shared__ float2 x[256];
    int t = threadIdx.x;
    int bits = 31 - __clz(n);
    const float* src = in + blockIdx.x * n;
    for (int i = t; i < n; i += blockDim.x) x[__brev(i) >> (32 - bits)] = make_float2(src[i], 0.0f);
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        for (int b = t; b < n / 2; b += blockDim.x) {
            int k = b % half, i = (b / half) * 2 * half + k, j = i + half;
            float s, c;
            sincosf(-3.14159265f * k / half, &s, &c);
            float2 u = x[i], v = x[j];
            float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
            x[i] = make_float2(u.x + w.x, u.y + w.y);
            x[j] = make_float2(u.x - w.x, u.y - w.y);
        }
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x) out[blockIdx.x * n + i] = hypotf(x[i].x, x[i].y);
}

KERNEL nbody_tile(float* out, const float* in, int n)
{
    __shared__ float4 body[96];
    int i = gid();
    float3 p = make_float3(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    float3 acc = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += blockDim.x) {
        int j = base + threadIdx.x;
        body[threadIdx.x] = j < n ? make_float4(in[3 * j], in[3 * j + 1], in[3 * j + 2], 1.0f + in[j])
                                  : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float4 b = body[k];
            float dx = b.x - p.x, dy = b.y - p.y, dz = b.z - p.z;
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float f = b.w * inv * inv * inv;
            acc.x += f * dx;
            acc.y += f * dy;
            acc.z += f * dz;
        }
        __syncthreads();
    }
    if (i < n) {
        out[3 * i] = acc.x;
        out[3 * i + 1] = acc.y;
        out[3 * i + 2] = acc.z;
    }
}

// ---------------------------------------------------------------- numerical methods

KERNEL newton_cube_root(float* out, const float* in, int n)
{
    int t = gid();
    double a = 0.5 + 50.0 * in[t], x = a, step;
    int it = 0;
    do {
        step = (x * x * x - a) / (3.0 * x * x);
        x -= step;
        it++;
    } while (fabs(step) > 1e-10 * x && it < n);
    out[t] = (float)x;
    if (it == n) out[t] = -1.0f;
}

struct Gauss {
    static __device__ float f(float x) { return expf(-x * x); }
};
struct Witch {
    static __device__ float f(float x) { return 1.0f / (1.0f + x * x); }
};
struct Wave {
    static __device__ float f(float x) { return sinf(x) * sqrtf(x + 1.0f); }
};

template <class F, typename T>
static __device__ T simpson(T a, T b, int n)
{
    T h = (b - a) / n;
    T s = F::f(a) + F::f(b);
    for (int i = 1; i < n; i++) s += (i % 2 ? 4 : 2) * F::f(a + i * h);
    return s * h / 3;
}

KERNEL simpson_rules(float* out, const float* in, int n)
{
    int t = gid();
    float b = 1.0f + in[t];
    float v;
    if (t % 3 == 0) v = simpson<Gauss, float>(0.0f, b, n);
    else if (t % 3 == 1) v = simpson<Witch, float>(0.0f, b, n);
    else v = (float)simpson<Wave, double>(0.0, b, n);
    out[t] = v;
}

struct State {
    float angle, speed;
};

static __device__ State derive(State s, float damping)
{
    State d;
    d.angle = s.speed;
    d.speed = -9.81f * sinf(s.angle) - damping * s.speed;
    return d;
}

KERNEL pendulum_rk4(float* out, const float* in, int n)
{
    int t = gid();
    State s = {3.0f * in[t], in[t + 1]};
    const float h = 0.02f;
    int turns = 0;
    for (int i = 0; i < n; i++) {
        State k1 = derive(s, 0.1f);
        State k2 = derive(State{s.angle + 0.5f * h * k1.angle, s.speed + 0.5f * h * k1.speed}, 0.1f);
        State k3 = derive(State{s.angle + 0.5f * h * k2.angle, s.speed + 0.5f * h * k2.speed}, 0.1f);
        State k4 = derive(State{s.angle + h * k3.angle, s.speed + h * k3.speed}, 0.1f);
        float before = s.speed;
        s.angle += h / 6.0f * (k1.angle + 2.0f * k2.angle + 2.0f * k3.angle + k4.angle);
        s.speed += h / 6.0f * (k1.speed + 2.0f * k2.speed + 2.0f * k3.speed + k4.speed);
        if (before * s.speed < 0.0f) turns++;
    }
    out[2 * t] = s.angle;
    out[2 * t + 1] = (float)turns;
}

static __device__ float cnd(float d)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228f * expf(-0.5f * d * d)
            * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - c : c;
}

KERNEL black_scholes(float* out, const float* in, int n)
{
    for (int i = gid(); i < n; i += gridDim.x * blockDim.x) {
        float S = 5.0f + 25.0f * in[3 * i], X = 1.0f + 99.0f * in[3 * i + 1], T = 0.25f + 9.75f * in[3 * i + 2];
        float root = sqrtf(T);
        float d1 = (__logf(S / X) + (0.02f + 0.5f * 0.3f * 0.3f) * T) / (0.3f * root);
        float d2 = d1 - 0.3f * root;
        float e = __expf(-0.02f * T);
        float call = S * cnd(d1) - X * e * cnd(d2);
        out[2 * i] = call;
        out[2 * i + 1] = call - S + X * e;
    }
}

KERNEL box_muller(float* out, const float* in, int n)
{
    int t = gid();
    u32 seed = raw24(in[t]) * 2u + 1u;
    float mean = 0.0f, m2 = 0.0f;
    int tails = 0;
    for (int i = 1; i <= n; i++) {
        float u1 = (lcg(seed) + 1) / 16777217.0f, u2 = lcg(seed) / 16777216.0f;
        float r = sqrtf(-2.0f * logf(u1));
        float z = (i & 1) ? r * cosf(6.2831853f * u2) : r * sinf(6.2831853f * u2);
        if (fabsf(z) > 2.0f) tails++;
        float d = z - mean;
        mean += d / i;
        m2 += d * (z - mean);
    }
    out[t] = mean + m2 / n + tails;
}

KERNEL pi_darts(float* out, const float* in, int n)
{
    __shared__ int hits;
    u32 warp_mask = __activemask();
    if (threadIdx.x == 0) hits = 0;
    __syncthreads();
    u64 s = ((u64)raw24(in[gid()]) << 20) + threadIdx.x + 88172645463325252ULL;
    int mine = 0;
    for (int i = 0; i < n; i++) {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        u32 x = (u32)s >> 16, y = (u32)(s >> 48);
        if ((u64)x * x + (u64)y * y < 65535ULL * 65535ULL) mine++;
    }
    mine = __reduce_add_sync(warp_mask, mine);
    if ((threadIdx.x & 31) == 0) atomicAdd(&hits, mine);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = 4.0f * hits / ((float)n * blockDim.x);
}

KERNEL fast_math_mix(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    float x = in[t] * 6.0f - 3.0f, y = in[t + 1] + 0.5f;
    float s, c;
    __sincosf(x, &s, &c);
    float v = s * __powf(y, 1.5f) + c * __log2f(y) + __fdividef(x, y) + __tanf(x * 0.4f);
    v += exp2f(-y) + __exp10f(x * 0.1f) + __saturatef(x) + __frsqrt_rn(y);
    v += tanhf(x) - atan2f(x, y) + cbrtf(y) + erff(x);
    out[t] = __fmaf_rn(v, 0.5f, __frcp_rn(y));
}

// ---------------------------------------------------------------- formats and vectors

KERNEL half2_axpy(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    __half2 a = __float2half2_rn(1.5f);
    __half2 x = __floats2half2_rn(in[2 * t], in[2 * t + 1]);
    __half2 y = __floats2half2_rn(in[2 * t + 5000], in[2 * t + 5001]);
    __half2 z = __hfma2(a, x, y);
    for (int i = 0; i < 4; i++) {
        z = __hmul2(z, __hadd2(x, y));
        if (__hgt(__low2half(z), __float2half(1.0f)) && __hgt(__high2half(z), __float2half(1.0f))) z = __hsub2(z, a);
        else if (__hlt(__low2half(z), __float2half(0.1f))) z = h2sqrt(__habs2(z));
    }
    out[2 * t] = __low2float(z);
    out[2 * t + 1] = __high2float(z) + (float)hexp(__low2half(x));
}

KERNEL bf16_norm(float* out, const float* in, int n)
{
    __shared__ __nv_bfloat16 row[96];
    int t = threadIdx.x;
    float sum = 0.0f;
    __nv_bfloat16 x = __float2bfloat16(in[gid()]);
    for (int i = 0; i < n; i++) {
        row[t] = x;
        __syncthreads();
        __nv_bfloat16 y = row[(t + i) % blockDim.x];
        sum += __bfloat162float(x) * __bfloat162float(y);
        x = __hfma(x, __float2bfloat16(0.5f), y);
        if (__hgt(x, __float2bfloat16(1.0f))) x = __hdiv(x, __float2bfloat16(3.0f));
        __syncthreads();
    }
    out[gid()] = sum + __bfloat162float(x);
}

KERNEL uchar4_blend(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    uchar4 a = ((const uchar4*)in)[t], b = ((const uchar4*)in)[t + n];
    int alpha = b.w & 63;
    uchar4 c;
    c.x = (unsigned char)((a.x * alpha + b.x * (63 - alpha)) / 63);
    c.y = (unsigned char)((a.y * alpha + b.y * (63 - alpha)) / 63);
    c.z = (unsigned char)min(255, a.z + b.z);
    c.w = a.w > b.w ? a.w - b.w : 0;
    ((uchar4*)out)[t] = c;
}

KERNEL dp4a_dots(float* out, const float* in, int n)
{
    int t = gid();
    const int* a = (const int*)in + t * n;
    const int* b = (const int*)in + 200000;
    int s = 0;
    u32 us = 0;
    for (int i = 0; i < n; i++) {
        s = __dp4a(a[i], b[i], s);
        us = __dp4a((u32)a[i], (u32)b[i], us);
        if (s > 100000) s -= 70000;
    }
    out[t] = (float)s + (float)(us >> 8) + (float)__sad(s, (int)us, 3u);
}

struct __align__(16) Quad {
    float4 v;
    __device__ float dot(const Quad &o) const { return v.x * o.v.x + v.y * o.v.y + v.z * o.v.z + v.w * o.v.w; }
};

KERNEL float4_cosine(float* out, const float* in, int n)
{
    const Quad* q = (const Quad*)in;
    float2* o = (float2*)out;
    for (int i = gid(); i < n; i += gridDim.x * blockDim.x) {
        Quad a = q[i], b = q[i + n];
        float len = sqrtf(a.dot(a) * b.dot(b));
        float2 r;
        r.x = len > 0.0f ? a.dot(b) / len : 0.0f;
        r.y = rsqrtf(1.0f + len);
        o[i] = r;
    }
}

// ---------------------------------------------------------------- others

KERNEL nqueens_bits(float* out, const float* in, int n)
{
    // The first two rows of a thread are given by its number.
    int t = gid();
    int c0 = t % n, c1 = t / n % n;
    int full = (1 << n) - 1;
    u32 cols[16], dl[16], dr[16], todo[16];
    int count = 0;
    if (c0 != c1 && c0 != c1 + 1 && c0 != c1 - 1) {
        int row = 2;
        cols[row] = (1u << c0) | (1u << c1);
        dl[row] = ((1u << c0) << 2) | ((1u << c1) << 1);
        dr[row] = ((1u << c0) >> 2) | ((1u << c1) >> 1);
        todo[row] = full & ~(cols[row] | dl[row] | dr[row]);
        while (row >= 2) {
            if (todo[row] == 0) {
                row--;
                continue;
            }
            u32 bit = todo[row] & -todo[row];
            todo[row] ^= bit;
            if (row == n - 1) {
                count++;
                continue;
            }
            cols[row + 1] = cols[row] | bit;
            dl[row + 1] = (dl[row] | bit) << 1;
            dr[row + 1] = (dr[row] | bit) >> 1;
            row++;
            todo[row] = full & ~(cols[row] | dl[row] | dr[row]);
        }
    }
    out[t] = (float)count;
}

static __device__ __noinline__ int paths(int x, int y, u32 walls)
{
    if (x < 0 || y < 0) return 0;
    if (walls >> ((x + 3 * y) & 31) & 1) return 0;
    if (x == 0 && y == 0) return 1;
    return paths(x - 1, y, walls) + paths(x, y - 1, walls);
}

KERNEL grid_paths(float* out, const float* in, int n)
{
    int t = gid();
    u32 walls = raw24(in[t]) & raw24(in[t + 1]) & ~1u;
    out[t] = (float)paths(n, n - t % 2, walls);
}

__constant__ float2 centre[5] = {{0.1f, 0.1f}, {0.9f, 0.2f}, {0.5f, 0.5f}, {0.2f, 0.8f}, {0.8f, 0.9f}};

KERNEL kmeans_step(float* out, const float* in, int n)
{
    __shared__ int sum_x[5], sum_y[5], size[5];
    if (threadIdx.x < 5) sum_x[threadIdx.x] = sum_y[threadIdx.x] = size[threadIdx.x] = 0;
    __syncthreads();
    for (int i = gid(); i < n; i += gridDim.x * blockDim.x) {
        float2 p = ((const float2*)in)[i];
        int best = 0;
        float near = 1e30f;
        for (int c = 0; c < 5; c++) {
            float dx = p.x - centre[c].x, dy = p.y - centre[c].y;
            float d = dx * dx + dy * dy;
            if (d < near) {
                near = d;
                best = c;
            }
        }
        atomicAdd(&sum_x[best], __float2int_rn(p.x * 1024.0f));
        atomicAdd(&sum_y[best], __float2int_rn(p.y * 1024.0f));
        atomicAdd(&size[best], 1);
    }
    __syncthreads();
    if (threadIdx.x < 5 && size[threadIdx.x] > 0) {
        float2* o = (float2*)out + blockIdx.x * 5;
        o[threadIdx.x] = make_float2(sum_x[threadIdx.x] / 1024.0f / size[threadIdx.x],
                                     (float)sum_y[threadIdx.x] / (1024 * size[threadIdx.x]));
    }
}

static __device__ u32 spread(u32 x)
{
    x &= 0xffff;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

KERNEL bit_tricks(float* out, const float* in, int n)
{
    int t = gid();
    if (t >= n) return;
    u32 a = raw24(in[t]), b = raw24(in[t + n]);
    u64 w = (u64)a << 32 | b;
    u32 r = __popc(a) + 3 * __clz(b) + 5 * __ffs(a) + __popcll(w) + __clzll(w) + __ffsll(w);
    r ^= __brev(a ^ b) ^ __byte_perm(a, b, 0x3614);
    r += spread(a) | spread(b) << 1;
    u32 next = a - 1;
    next |= next >> 1;
    next |= next >> 2;
    next |= next >> 4;
    next |= next >> 8;
    next |= next >> 16;
    r ^= next + 1;
    int kernighan = 0;
    for (u32 v = a & b; v; v &= v - 1) kernighan++;
    r ^= a ^ (a >> 1);
    r = __funnelshift_l(r, a, b & 31) + __umulhi(a << 7, b << 6) + __uhadd(a, b);
    out[t] = (float)(r >> 8) + kernighan;
}
