// frost.cu - a collection of course-style CUDA kernels.
// Every kernel:  NAME(float* out, const float* in, int n)
//   in : 2^20 floats uniform in [0,1]      out : 4 MiB, zeroed before the launch
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdint.h>

namespace cg = cooperative_groups;

#define COUNT (1 << 20)
#define MASK (COUNT - 1)
#define FULL 0xffffffffu

typedef unsigned long long u64;

// ---------------------------------------------------------------- 1. backtracking
// n-queens with forbidden cells; thread (c0,c1) owns one placement of the first two rows.
extern "C" __global__ void queens_bits(float* out, const float* in, int n)
{
    int id = threadIdx.x;
    if (id >= n * n) return;
    unsigned full = (1u << n) - 1;
    unsigned ban[12], cols[12], ld[12], rd[12], todo[12];
    for (int r = 0; r < n; ++r) {
        unsigned m = 0;
        for (int c = 0; c < n; ++c)
            if (in[(blockIdx.x * 16 + r) * 16 + c] < 0.12f) m |= 1u << c;
        ban[r] = m;
    }
    int c0 = id / n, c1 = id % n;
    unsigned b0 = 1u << c0, b1 = 1u << c1;
    float* dst = out + blockIdx.x * 256 + id;
    if ((ban[0] & b0) || (ban[1] & b1) || abs(c0 - c1) <= 1) {
        *dst = -1.0f;
        return;
    }
    int row = 2, solutions = 0;
    cols[2] = b0 | b1;
    ld[2] = ((b0 << 2) | (b1 << 1)) & full;
    rd[2] = (b0 >> 2) | (b1 >> 1);
    todo[2] = full & ~(cols[2] | ld[2] | rd[2] | ban[2]);
    while (row >= 2) {
        unsigned t = todo[row];
        if (t == 0) { --row; continue; }
        unsigned b = t & (0u - t);
        todo[row] = t ^ b;
        if (row == n - 1) { ++solutions; continue; }
        cols[row + 1] = cols[row] | b;
        ld[row + 1] = ((ld[row] | b) << 1) & full;
        rd[row + 1] = (rd[row] | b) >> 1;
        ++row;
        todo[row] = full & ~(cols[row] | ld[row] | rd[row] | ban[row]);
    }
    *dst = (float)solutions;
}

// ---------------------------------------------------------------- 2. calendar arithmetic
__device__ int month_days(int m, bool leap)
{
    switch (m) {
    case 2: return leap ? 29 : 28;
    case 4: case 6: case 9: case 11: return 30;
    default: return 31;
    }
}

extern "C" __global__ void calendar_days(float* out, const float* in, int n)
{
    int* res = (int*)out;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int z = (int)(in[i] * 1500000.0f) - 500000;          // days since 1970-01-01
        int weekday = (z % 7 + 11) % 7;                       // 1970-01-01 was a Thursday (4)
        z += 719468;
        int era = (z >= 0 ? z : z - 146096) / 146097;
        unsigned doe = (unsigned)(z - era * 146097);
        unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
        int year = (int)yoe + era * 400;
        unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        unsigned mp = (5 * doy + 2) / 153;
        int day = (int)(doy - (153 * mp + 2) / 5) + 1;
        int month = mp < 10 ? (int)mp + 3 : (int)mp - 9;
        if (month <= 2) ++year;
        bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        int left = 0;                                         // days left until new year
        for (int m = month; m <= 12; ++m) left += month_days(m, leap);
        left -= day;
        res[i] = ((year & 0x1fff) << 18) ^ (month << 14) ^ (day << 9) ^ (weekday * 53) ^ left;
    }
}

// ---------------------------------------------------------------- 3. Welford mean/variance
struct Stats {
    double mean, m2;
    int count;
};

__device__ Stats merge_stats(const Stats& a, const Stats& b)
{
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    Stats r;
    r.count = a.count + b.count;
    double delta = b.mean - a.mean;
    r.mean = a.mean + delta * b.count / r.count;
    r.m2 = a.m2 + b.m2 + delta * delta * ((double)a.count * b.count / r.count);
    return r;
}

// one slice of n elements per block, any block size up to 256
extern "C" __global__ void welford_merge(float* out, const float* in, int n)
{
    __shared__ Stats part[256];
    int tid = threadIdx.x;
    Stats s = {0.0, 0.0, 0};
    for (int i = tid; i < n; i += blockDim.x) {
        double x = in[blockIdx.x * n + i];
        s.count++;
        double d = x - s.mean;
        s.mean += d / s.count;
        s.m2 += d * (x - s.mean);
    }
    part[tid] = s;
    __syncthreads();
    for (int live = blockDim.x; live > 1;) {
        int half = (live + 1) / 2;
        if (tid < live - half) part[tid] = merge_stats(part[tid], part[tid + half]);
        __syncthreads();
        live = half;
    }
    if (tid == 0) {
        double* res = (double*)out + 2 * blockIdx.x;
        res[0] = part[0].mean;
        res[1] = part[0].count > 1 ? part[0].m2 / (part[0].count - 1) : 0.0;
    }
}

// ---------------------------------------------------------------- 4. work-efficient scan
#define PAD(i) ((i) + ((i) >> 5))
extern __shared__ float scan_tmp[];

extern "C" __global__ void blelloch_scan(float* out, const float* in, int n)
{
    int tid = threadIdx.x, len = 2 * blockDim.x, base = blockIdx.x * len;
    int a = tid, b = tid + blockDim.x;
    scan_tmp[PAD(a)] = base + a < n ? in[base + a] : 0.0f;
    scan_tmp[PAD(b)] = base + b < n ? in[base + b] : 0.0f;
    int offset = 1;
    for (int d = len >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int l = PAD(offset * (2 * tid + 1) - 1), r = PAD(offset * (2 * tid + 2) - 1);
            scan_tmp[r] += scan_tmp[l];
        }
        offset <<= 1;
    }
    if (tid == 0) {
        out[COUNT / 2 + blockIdx.x] = scan_tmp[PAD(len - 1)];
        scan_tmp[PAD(len - 1)] = 0.0f;
    }
    for (int d = 1; d < len; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int l = PAD(offset * (2 * tid + 1) - 1), r = PAD(offset * (2 * tid + 2) - 1);
            float t = scan_tmp[l];
            scan_tmp[l] = scan_tmp[r];
            scan_tmp[r] += t;
        }
    }
    __syncthreads();
    if (base + a < n) out[base + a] = scan_tmp[PAD(a)];
    if (base + b < n) out[base + b] = scan_tmp[PAD(b)];
}

// ---------------------------------------------------------------- 5. segmented scan, 64 bit
// every warp walks over n chunks of 32 and carries the open segment along
extern "C" __global__ void segscan_ll(float* out, const float* in, int n)
{
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    long long* res = (long long*)out;
    long long carry = 0;
    for (int c = 0; c < n; ++c) {
        int idx = (warp * n + c) * 32 + lane;
        float x = in[idx];
        long long v = (long long)(x * 1.0e6f) << 12;
        unsigned heads = __ballot_sync(FULL, x < 0.08f);
        unsigned upto = heads & (FULL >> (31 - lane));
        int start = upto ? 31 - __clz(upto) : -1;
        for (int d = 1; d < 32; d <<= 1) {
            long long t = __shfl_up_sync(FULL, v, d);
            if (lane >= d && lane - d >= start) v += t;
        }
        if (start < 0) v += carry;
        res[idx] = v;
        carry = __shfl_sync(FULL, v, 31);
    }
}

// ---------------------------------------------------------------- 6. nearest signature (inline PTX)
__device__ __forceinline__ unsigned masked_diff(unsigned a, unsigned b, unsigned m)
{
    unsigned d, c;
    asm("lop3.b32 %0, %1, %2, %3, 0x28;" : "=r"(d) : "r"(a), "r"(b), "r"(m));   // (a ^ b) & m
    asm("popc.b32 %0, %1;" : "=r"(c) : "r"(d));
    return c;
}

extern "C" __global__ void hamming_asm(float* out, const float* in, int n)
{
    const uint4* sig = (const uint4*)in;
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 q = sig[gid];
    unsigned best = 1000, where = 0;
    for (int r = 0; r < n; ++r) {
        uint4 s = __ldg(&sig[(blockIdx.x * n + r + 65536) & (COUNT / 4 - 1)]);
        unsigned dist = masked_diff(q.x, s.x, 0x007fffffu) + masked_diff(q.y, s.y, 0x007fffffu);
        if (dist >= best) continue;                       // already worse with half the words
        dist += masked_diff(q.z, s.z, 0x007fff00u) + masked_diff(q.w, s.w, 0x00ffff0fu);
        if (dist < best) { best = dist; where = r; }
    }
    ((uint2*)out)[gid] = make_uint2(best, where);
}

// ---------------------------------------------------------------- 7. particle-in-cell deposit
extern "C" __global__ void cic_deposit_fa(float* out, const float* in, int n)
{
    __shared__ float cell[32 * 32];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) cell[i] = 0.0f;
    __syncthreads();
    const float2* pos = (const float2*)in;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n; p += gridDim.x * blockDim.x) {
        float2 q = pos[p];
        float fx = q.x * 30.99f, fy = q.y * 30.99f;
        int ix = (int)fx, iy = (int)fy;
        float wx = fx - ix, wy = fy - iy;
        float charge = (p % 3 == 0) ? -1.0f : 1.0f;
        atomicAdd(&cell[iy * 32 + ix], charge * (1 - wx) * (1 - wy));
        atomicAdd(&cell[iy * 32 + ix + 1], charge * wx * (1 - wy));
        atomicAdd(&cell[(iy + 1) * 32 + ix], charge * (1 - wx) * wy);
        atomicAdd(&cell[(iy + 1) * 32 + ix + 1], charge * wx * wy);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        if (cell[i] != 0.0f) atomicAdd(&out[i], cell[i]);
}

// ---------------------------------------------------------------- 8. game of life, 64 cells a word
__device__ __forceinline__ u64 rotl64(u64 x) { return (x << 1) | (x >> 63); }
__device__ __forceinline__ u64 rotr64(u64 x) { return (x >> 1) | (x << 63); }

__device__ __forceinline__ void full_add(u64 a, u64 b, u64 c, u64& sum, u64& carry)
{
    sum = a ^ b ^ c;
    carry = (a & b) | (c & (a ^ b));
}

extern "C" __global__ void life_packed(float* out, const float* in, int n)
{
    __shared__ u64 board[128];
    int row = threadIdx.x, rows = blockDim.x;
    const float* src = in + (blockIdx.x * rows + row) * 64;
    u64 me = 0;
    for (int b = 0; b < 64; ++b)
        if (src[b] > 0.63f) me |= 1ull << b;
    board[row] = me;
    __syncthreads();
    for (int gen = 0; gen < n; ++gen) {
        u64 up = board[row == 0 ? rows - 1 : row - 1];
        u64 dn = board[row == rows - 1 ? 0 : row + 1];
        u64 s1, c1, s2, c2, ones, c4;
        full_add(rotl64(up), up, rotr64(up), s1, c1);
        full_add(rotl64(dn), dn, rotr64(dn), s2, c2);
        u64 ml = rotl64(me), mr = rotr64(me);
        u64 s3 = ml ^ mr, c3 = ml & mr;
        full_add(s1, s2, s3, ones, c4);
        u64 exactly_one_two = (c1 ^ c2 ^ c3 ^ c4) & ~((c1 & c2) | (c3 & c4));
        me = exactly_one_two & (ones | me);
        __syncthreads();
        board[row] = me;
        __syncthreads();
    }
    ((u64*)out)[blockIdx.x * rows + row] = me;
    out[COUNT / 2 + blockIdx.x * rows + row] = (float)__popcll(me);
}

// ---------------------------------------------------------------- 9. lattice Boltzmann D2Q9
__constant__ int lbm_cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int lbm_cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int lbm_opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float lbm_w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9,
                               1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

extern "C" __global__ void lbm_d2q9(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float f[9], rho = 0, ux = 0, uy = 0;
    for (int k = 0; k < 9; ++k) {
        int sx = (x - lbm_cx[k] + n) % n, sy = (y - lbm_cy[k] + n) % n;
        f[k] = lbm_w[k] * (0.9f + 0.2f * in[(k * n + sy) * n + sx]);
        rho += f[k];
        ux += f[k] * lbm_cx[k];
        uy += f[k] * lbm_cy[k];
    }
    bool solid = in[9 * n * n + y * n + x] < 0.1f;
    ux /= rho;
    uy /= rho;
    float uu = 1.5f * (ux * ux + uy * uy);
    for (int k = 0; k < 9; ++k) {
        float r;
        if (solid) {
            r = f[lbm_opp[k]];
        } else {
            float cu = 3.0f * (lbm_cx[k] * ux + lbm_cy[k] * uy);
            float eq = lbm_w[k] * rho * (1.0f + cu + 0.5f * cu * cu - uu);
            r = f[k] + (eq - f[k]) * 1.2f;
        }
        out[(k * n + y) * n + x] = r;
    }
}

// ---------------------------------------------------------------- 10. 3D heat step, marching in z
extern "C" __global__ void heat3d_march(float* out, const float* in, int n)
{
    __shared__ float tile[16][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
    bool inside = x < n && y < n;
    int plane = n * n, here = y * n + x;
    float below = 0.0f, cur = inside ? in[here] : 0.0f;
    for (int z = 0; z < n; ++z) {
        const float* p = in + z * plane;
        float above = (inside && z + 1 < n) ? p[plane + here] : 0.0f;
        tile[ty][tx] = cur;
        __syncthreads();
        if (inside) {
            float w = 0, e = 0, s = 0, t = 0;
            if (x > 0) w = tx > 0 ? tile[ty][tx - 1] : p[here - 1];
            if (x < n - 1) e = tx + 1 < blockDim.x ? tile[ty][tx + 1] : p[here + 1];
            if (y > 0) s = ty > 0 ? tile[ty - 1][tx] : p[here - n];
            if (y < n - 1) t = ty + 1 < blockDim.y ? tile[ty + 1][tx] : p[here + n];
            out[z * plane + here] = cur + 0.1f * (w + e + s + t + below + above - 6.0f * cur);
        }
        __syncthreads();
        below = cur;
        cur = above;
    }
}

// ---------------------------------------------------------------- 11. tiled matrix product
template <int T>
__device__ float tile_product(const float* A, const float* B, int n, int row, int col)
{
    __shared__ float As[T][T], Bs[T][T + 1];
    float acc = 0.0f;
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int k0 = 0; k0 < n; k0 += T) {
        As[ty][tx] = (row < n && k0 + tx < n) ? A[row * n + k0 + tx] : 0.0f;
        Bs[ty][tx] = (col < n && k0 + ty < n) ? B[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; ++k) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    return acc;
}

extern "C" __global__ void matmul_tiled(float* out, const float* in, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float v;
    if (blockDim.x == 16)
        v = tile_product<16>(in, in + n * n, n, row, col);
    else
        v = tile_product<8>(in, in + n * n, n, row, col);
    if (row < n && col < n) out[row * n + col] = v;
}

// ---------------------------------------------------------------- 12. half2 row statistics
extern "C" __global__ void half2_rowdot(float* out, const float* in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const float2* a = (const float2*)in + row * n;
    half2 acc = __float2half2_rn(0.0f), top = __float2half2_rn(-4.0f);
    half2 scale = __floats2half2_rn(0.75f, -1.25f), shift = __float2half2_rn(0.125f);
    for (int k = 0; k < n; ++k) {
        half2 v = __float22half2_rn(a[k]);
        half2 t = __hfma2(v, scale, shift);
        acc = __hfma2(t, v, acc);
        top = __hmax2(top, t);
        if (__hgt(__low2half(v), __high2half(v))) acc = __hsub2(acc, __lowhigh2highlow(t));
    }
    half lo = __hadd(__low2half(acc), __high2half(acc));
    half hi = __hmul(__high2half(top), __float2half(0.5f));
    ((half2*)out)[row] = __halves2half2(lo, hi);
    out[COUNT / 2 + row] = __half2float(hsqrt(__habs(lo)));
}

// ---------------------------------------------------------------- 13. transpose float4 -> uchar4 image
extern "C" __global__ void transpose_rgba(float* out, const float* in, int n)
{
    __shared__ uchar4 tile[32][33];
    const float4* img = (const float4*)in;
    uchar4* dst = (uchar4*)out;
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += blockDim.y) {
        int y = blockIdx.y * 32 + r;
        if (x < n && y < n) {
            float4 p = img[y * n + x];
            tile[r][threadIdx.x] = make_uchar4((unsigned char)(p.x * 255.0f + 0.5f),
                                               (unsigned char)(p.y * 255.0f + 0.5f),
                                               (unsigned char)(p.z * 255.0f + 0.5f),
                                               (unsigned char)(p.w * 127.0f));
        }
    }
    __syncthreads();
    int tx = blockIdx.y * 32 + threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += blockDim.y) {
        int ty = blockIdx.x * 32 + r;
        if (tx < n && ty < n) dst[ty * n + tx] = tile[threadIdx.x][r];
    }
}

// ---------------------------------------------------------------- 14. bitonic sort of (key, index)
extern "C" __global__ void bitonic_keys(float* out, const float* in, int n)
{
    __shared__ u64 key[512];
    int tid = threadIdx.x, len = 2 * blockDim.x;
    for (int i = tid; i < len; i += blockDim.x) {
        unsigned bits = __float_as_uint(in[(blockIdx.x * len + i + n) & MASK]);
        key[i] = ((u64)bits << 32) | (unsigned)i;
    }
    for (int k = 2; k <= len; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            int i = 2 * tid - (tid & (j - 1));
            bool up = (i & k) == 0;
            u64 a = key[i], b = key[i + j];
            if ((a > b) == up) {
                key[i] = b;
                key[i + j] = a;
            }
        }
    }
    __syncthreads();
    for (int i = tid; i < len; i += blockDim.x)
        ((u64*)out)[blockIdx.x * len + i] = key[i];
}

// ---------------------------------------------------------------- 15. LSD radix sort by one-bit splits
extern "C" __global__ void radix_split(float* out, const float* in, int n)
{
    __shared__ unsigned key[256];
    __shared__ int zeros[8];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, warps = blockDim.x >> 5;
    int gid = blockIdx.x * blockDim.x + tid;
    unsigned k = (unsigned)(in[gid] * 65535.0f) | ((unsigned)tid << 16);
    for (int bit = 0; bit < n; ++bit) {
        bool zero = ((k >> bit) & 1) == 0;
        unsigned vote = __ballot_sync(FULL, zero);
        if (lane == 0) zeros[warp] = __popc(vote);
        __syncthreads();
        int before = 0, total = 0;
        for (int w = 0; w < warps; ++w) {
            if (w < warp) before += zeros[w];
            total += zeros[w];
        }
        int rank = before + __popc(vote & ((1u << lane) - 1));
        key[zero ? rank : total + tid - rank] = k;
        __syncthreads();
        k = key[tid];
    }
    ((unsigned*)out)[gid] = k;
}

// ---------------------------------------------------------------- 16. merge path
__device__ __forceinline__ float run_a(const float* in, int i) { return 3.0f * i + 2.9f * in[i]; }
__device__ __forceinline__ float run_b(const float* in, int j) { return 2.0f * j + 1.9f * in[COUNT / 2 + j]; }

// merges two implicit sorted runs of n keys; each thread produces 8 outputs
extern "C" __global__ void merge_path(float* out, const float* in, int n)
{
    int diag = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (diag >= 2 * n) return;
    int lo = max(0, diag - n), hi = min(diag, n);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (run_a(in, mid) <= run_b(in, diag - 1 - mid)) lo = mid + 1;
        else hi = mid;
    }
    int i = lo, j = diag - lo;
    for (int k = diag; k < min(diag + 8, 2 * n); ++k) {
        float v;
        if (i >= n) v = run_b(in, j++);
        else if (j >= n) v = run_a(in, i++);
        else {
            float a = run_a(in, i), b = run_b(in, j);
            if (a <= b) { v = a; ++i; }
            else { v = b; ++j; }
        }
        out[k] = v;
    }
}

// ---------------------------------------------------------------- 17. CSR matrix-vector, warp per row
extern "C" __global__ void spmv_csr_warp(float* out, const float* in, int n)
{
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int warps = (gridDim.x * blockDim.x) >> 5;
    for (int row = warp; row < n; row += warps) {
        int len = (int)(in[row] * 90.0f) - 10;        // some rows are empty
        if (len <= 0) {
            if (lane == 0) out[row] = -1.0f;
            continue;
        }
        int start = row * 80;
        float sum = 0.0f;
        for (int k = lane; k < len; k += 32) {
            unsigned col = ((unsigned)(start + k) * 2654435761u) >> 12;
            sum += in[(start + k) & MASK] * __ldg(&in[col]);
        }
        for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(FULL, sum, d);
        if (lane == 0) out[row] = sum;
    }
}

// ---------------------------------------------------------------- 18. breadth first search on bitmaps
extern "C" __global__ void bfs_bitmap(float* out, const float* in, int n)
{
    __shared__ unsigned front[64], next[64], seen[64];
    int tid = threadIdx.x, step = blockDim.x;
    int* dist = (int*)out + blockIdx.x * 2048;
    for (int w = tid; w < 64; w += step) front[w] = next[w] = seen[w] = 0;
    for (int v = tid; v < 2048; v += step) dist[v] = -1;
    __syncthreads();
    if (tid == 0) {
        int s = n & 2047;
        front[s >> 5] = seen[s >> 5] = 1u << (s & 31);
        dist[s] = 0;
    }
    __syncthreads();
    int level = 0, more = 1;
    while (more) {
        ++level;
        for (int v = tid; v < 2048; v += step) {
            if (!((front[v >> 5] >> (v & 31)) & 1)) continue;
            for (int e = 0; e < 3; ++e) {
                if (in[((blockIdx.x * 2048 + v) * 3 + e) & MASK] < 0.3f) continue;   // no such edge
                unsigned to;
                if (e == 0) to = v + 1;
                else if (e == 1) to = 2 * v + blockIdx.x;
                else to = (v * 2654435761u) >> 13;
                to &= 2047;
                atomicOr(&next[to >> 5], 1u << (to & 31));
            }
        }
        __syncthreads();
        int any = 0;
        for (int w = tid; w < 64; w += step) {
            unsigned fresh = next[w] & ~seen[w];
            seen[w] |= fresh;
            front[w] = fresh;
            next[w] = 0;
            any |= fresh != 0;
            for (; fresh; fresh &= fresh - 1) dist[w * 32 + __ffs(fresh) - 1] = level;
        }
        more = __syncthreads_or(any);
    }
}

// ---------------------------------------------------------------- 19. n-body with float4 tiles
extern __shared__ float4 bodies[];

extern "C" __global__ void nbody_tile(float* out, const float* in, int n)
{
    const float4* body = (const float4*)in;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
    float3 acc = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += blockDim.x) {
        int j = base + threadIdx.x;
        bodies[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        int m = min((int)blockDim.x, n - base);
        for (int k = 0; k < m; ++k) {
            float4 b = bodies[k];
            float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
            float r2 = dx * dx + dy * dy + dz * dz + 1e-4f;
            float inv = rsqrtf(r2);
            float s = b.w * inv * inv * inv;
            acc.x += dx * s;
            acc.y += dy * s;
            acc.z += dz * s;
        }
        __syncthreads();
    }
    if (i < n) ((float4*)out)[i] = make_float4(acc.x, acc.y, acc.z, me.w);
}

// ---------------------------------------------------------------- 20. Mandelbrot with a palette
extern "C" __global__ void mandel_palette(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    float jitter = in[y * w + x] - 0.5f;
    float cr = -2.1f + 2.8f * (x + jitter) / w, ci = -1.2f + 2.4f * y / h;
    float zr = 0, zi = 0;
    int it = 0;
    while (it < n) {
        float r2 = zr * zr, i2 = zi * zi;
        if (r2 + i2 > 4.0f) break;
        zi = 2.0f * zr * zi + ci;
        zr = r2 - i2 + cr;
        ++it;
    }
    uchar4 c = make_uchar4(0, 0, 0, 255);
    if (it < n) {
        unsigned char s = (unsigned char)(it * 9);
        switch (it % 6) {
        case 0: c.x = 255; c.y = s; break;
        case 1: c.x = 255 - s; c.y = 255; break;
        case 2: c.y = 255; c.z = s; break;
        case 3: c.y = 255 - s; c.z = 255; break;
        case 4: c.z = 255; c.x = s; break;
        default: c.z = 255 - s; c.x = s / 2 + 100; break;
        }
    }
    ((uchar4*)out)[y * w + x] = c;
}

// ---------------------------------------------------------------- 21. hue rotation RGB -> HSV -> RGB
__device__ __noinline__ float3 to_hsv(float3 c)
{
    float mx = fmaxf(c.x, fmaxf(c.y, c.z)), mn = fminf(c.x, fminf(c.y, c.z));
    float d = mx - mn, h;
    if (d == 0.0f) h = 0.0f;
    else if (mx == c.x) h = 60.0f * ((c.y - c.z) / d);
    else if (mx == c.y) h = 60.0f * ((c.z - c.x) / d + 2.0f);
    else h = 60.0f * ((c.x - c.y) / d + 4.0f);
    if (h < 0.0f) h += 360.0f;
    return make_float3(h, mx > 0.0f ? d / mx : 0.0f, mx);
}

__device__ __noinline__ float3 to_rgb(float3 c)
{
    int sector = (int)(c.x / 60.0f) % 6;
    float f = c.x / 60.0f - floorf(c.x / 60.0f);
    float p = c.z * (1 - c.y), q = c.z * (1 - c.y * f), t = c.z * (1 - c.y * (1 - f));
    switch (sector) {
    case 0: return make_float3(c.z, t, p);
    case 1: return make_float3(q, c.z, p);
    case 2: return make_float3(p, c.z, t);
    case 3: return make_float3(p, q, c.z);
    case 4: return make_float3(t, p, c.z);
    }
    return make_float3(c.z, p, q);
}

extern "C" __global__ void rgb_hsv(float* out, const float* in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 px = ((const float4*)in)[i];
    float3 hsv = to_hsv(make_float3(px.x, px.y, px.z));
    if (hsv.y > 0.25f) {                                  // leave greyish pixels alone
        hsv.x = fmodf(hsv.x + n, 360.0f);
        hsv.y = sqrtf(hsv.y);
    }
    float3 c = to_rgb(hsv);
    ((float4*)out)[i] = make_float4(c.x, c.y, c.z, px.w);
}

// ---------------------------------------------------------------- 22. random walks to the rim
extern "C" __global__ void walk_xorshift(float* out, const float* in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s = __float_as_uint(in[gid]) ^ (gid * 747796405u + 1u);
    if (s == 0) s = 88172645u;
    int x = 0, y = 0, steps = 0, rejected = 0;
    while (true) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        if (++steps >= n) break;
        unsigned dir = (s >> 9) & 7;
        if (dir == 7) { ++rejected; continue; }           // stays where it is
        if (dir == 6) {                                   // jumps towards the origin
            x /= 2;
            y /= 2;
        } else if (dir & 1) x += (dir >> 1) - 1;
        else y += (dir >> 1) - 1;
        if (x * x + y * y > 60) break;
    }
    ((int4*)out)[gid] = make_int4(x, y, steps, rejected);
}

// ---------------------------------------------------------------- 23. Philox 4x32-10 and Box-Muller
struct Philox {
    uint4 ctr;
    uint2 key;
    __device__ uint4 next()
    {
        uint4 c = ctr;
        uint2 k = key;
        for (int r = 0; r < 10; ++r) {
            unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
            unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
            c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
            k.x += 0x9E3779B9u;
            k.y += 0xBB67AE85u;
        }
        if (++ctr.x == 0) ++ctr.y;
        return c;
    }
};

extern "C" __global__ void philox_normal(float* out, const float* in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    Philox g;
    g.ctr = make_uint4(0xfffffffeu, 0, gid, 7);
    g.key = make_uint2(__float_as_uint(in[0]), 12345);
    float sum = 0, sq = 0;
    for (int i = 0; i < n; ++i) {
        uint4 r = g.next();
        float u = (r.x + 1.0f) * 2.3283064e-10f, s, c;
        float rad = sqrtf(-2.0f * logf(fminf(u, 1.0f)));
        sincospif(2.0f * (r.y * 2.3283064e-10f), &s, &c);
        float z = rad * s;
        if (r.z & 1) z = rad * c;
        sum += z;
        sq += z * z;
    }
    float mean = sum / n;
    ((float2*)out)[gid] = make_float2(mean, sq / n - mean * mean);
}

// ---------------------------------------------------------------- 24. Knuth-Morris-Pratt
__device__ __forceinline__ int letter(const float* in, int i) { return (int)(in[i & MASK] * 4.0f) & 3; }

// pattern of n letters (n <= 16); every thread counts matches that begin in its 64 letters
extern "C" __global__ void kmp_count(float* out, const float* in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    signed char pat[16], fail[17];
    for (int i = 0; i < n; ++i) pat[i] = (signed char)letter(in, blockIdx.x * 64 + i);
    fail[0] = -1;
    int k = -1;
    for (int i = 0; i < n; ++i) {
        while (k >= 0 && pat[k] != pat[i]) k = fail[k];
        fail[i + 1] = (signed char)++k;
    }
    int hits = 0, last = -1, q = 0;
    for (int i = 0; i < 64 + n - 1; ++i) {
        int c = letter(in, gid * 64 + i);
        while (q >= 0 && pat[q] != c) q = fail[q];
        if (++q == n) {
            ++hits;
            last = i - n + 1;
            q = fail[q];
        }
    }
    ((short2*)out)[gid] = make_short2((short)hits, (short)last);
}

// ---------------------------------------------------------------- 25. edit distance, anti-diagonals
extern "C" __global__ void edit_wave(float* out, const float* in, int n)
{
    __shared__ int diag[3][260];
    __shared__ char a[256], b[256];
    int tid = threadIdx.x, len = blockDim.x, i = tid + 1;
    a[tid] = (char)letter(in, blockIdx.x * 512 + tid);
    b[tid] = (char)letter(in, blockIdx.x * 512 + tid + n);
    if (tid == 0) {
        diag[0][0] = 0;
        diag[1][0] = diag[1][1] = 1;
    }
    __syncthreads();
    for (int s = 2; s <= 2 * len; ++s) {
        int* cur = diag[s % 3];
        const int* p1 = diag[(s + 2) % 3];
        const int* p2 = diag[(s + 1) % 3];
        int j = s - i;
        if (j >= 1 && j <= len) {
            int sub = p2[i - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            cur[i] = min(sub, min(p1[i - 1], p1[i]) + 1);
        } else if (j == 0) {
            cur[i] = s;
        }
        if (tid == 0 && s <= len) cur[0] = s;
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = (float)diag[(2 * len) % 3][len];
}

// ---------------------------------------------------------------- 26. longest increasing subsequence
extern "C" __global__ void lis_patience(float* out, const float* in, int n)
{
    short tails[64];
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int len = 0;
    for (int k = 0; k < n; ++k) {
        short v = (short)(in[(gid * n + k) & MASK] * 1000.0f);
        int lo = 0, hi = len;
        while (lo < hi) {
            int mid = (lo + hi) / 2;
            if (tails[mid] < v) lo = mid + 1;
            else hi = mid;
        }
        tails[lo] = v;
        if (lo == len) ++len;
    }
    int spread = len > 0 ? tails[len - 1] - tails[0] : 0;
    ((int2*)out)[gid] = make_int2(len, spread);
}

// ---------------------------------------------------------------- 27. bilateral filter
__constant__ float gauss5[5] = {0.1353f, 0.6065f, 1.0f, 0.6065f, 0.1353f};

extern "C" __global__ void bilateral_const(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float centre = in[y * n + x], sum = 0.0f, norm = 0.0f;
    for (int dy = -2; dy <= 2; ++dy) {
        int yy = min(max(y + dy, 0), n - 1);
        for (int dx = -2; dx <= 2; ++dx) {
            int xx = min(max(x + dx, 0), n - 1);
            float v = in[yy * n + xx], d = v - centre;
            if (fabsf(d) > 0.6f) continue;
            float w = gauss5[dx + 2] * gauss5[dy + 2] * __expf(-d * d * 8.0f);
            sum += w * v;
            norm += w;
        }
    }
    out[y * n + x] = sum / norm;
}

// ---------------------------------------------------------------- 28. k-means with fixed-point sums
#define KCLUST 6
extern "C" __global__ void kmeans_fixed(float* out, const float* in, int n)
{
    __shared__ float2 centre[KCLUST];
    __shared__ int sx[KCLUST], sy[KCLUST], members[KCLUST];
    const float2* pts = (const float2*)in + blockIdx.x * blockDim.x * 2;
    int tid = threadIdx.x;
    float2 p[2] = {pts[tid], pts[tid + blockDim.x]};
    int label[2] = {0, 0};
    if (tid < KCLUST) centre[tid] = pts[tid];
    for (int it = 0; it < n; ++it) {
        if (tid < KCLUST) sx[tid] = sy[tid] = members[tid] = 0;
        __syncthreads();
        for (int q = 0; q < 2; ++q) {
            float best = 1e9f;
            for (int c = 0; c < KCLUST; ++c) {
                float dx = p[q].x - centre[c].x, dy = p[q].y - centre[c].y;
                float d = dx * dx + dy * dy;
                if (d < best) { best = d; label[q] = c; }
            }
            atomicAdd(&sx[label[q]], (int)(p[q].x * 65536.0f));
            atomicAdd(&sy[label[q]], (int)(p[q].y * 65536.0f));
            atomicAdd(&members[label[q]], 1);
        }
        __syncthreads();
        if (tid < KCLUST && members[tid] > 0) {
            float inv = 1.0f / (65536.0f * members[tid]);
            centre[tid] = make_float2(sx[tid] * inv, sy[tid] * inv);
        }
        __syncthreads();
    }
    ((int*)out)[blockIdx.x * blockDim.x + tid] = label[0] * 16 + label[1];
    if (tid < KCLUST) ((float2*)out)[COUNT / 4 + blockIdx.x * KCLUST + tid] = centre[tid];
}

// ---------------------------------------------------------------- 29. k nearest neighbours
struct Neighbour {
    float d;
    int id;
};

extern "C" __global__ void knn_insertion(float* out, const float* in, int n)
{
    const int K = 5;
    __shared__ float2 tile[128];
    const float2* pts = (const float2*)in;
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    float2 q = pts[COUNT / 4 + gid];
    Neighbour best[K];
    for (int k = 0; k < K; ++k) best[k] = Neighbour{1e30f, -1};
    for (int base = 0; base < n; base += blockDim.x) {
        if (base + (int)threadIdx.x < n) tile[threadIdx.x] = pts[base + threadIdx.x];
        __syncthreads();
        int m = min((int)blockDim.x, n - base);
        for (int j = 0; j < m; ++j) {
            float dx = tile[j].x - q.x, dy = tile[j].y - q.y;
            float d = dx * dx + dy * dy;
            if (d >= best[K - 1].d) continue;
            int pos = K - 1;
            while (pos > 0 && best[pos - 1].d > d) {
                best[pos] = best[pos - 1];
                --pos;
            }
            best[pos] = Neighbour{d, base + j};
        }
        __syncthreads();
    }
    for (int k = 0; k < K; ++k) {
        out[(gid * K + k) * 2] = best[k].d;
        out[(gid * K + k) * 2 + 1] = (float)best[k].id;
    }
}

// ---------------------------------------------------------------- 30. order preserving compaction
extern "C" __global__ void compact_ballot(float* out, const float* in, int n)
{
    __shared__ int wcount[8];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, warps = blockDim.x >> 5;
    const float* src = in + blockIdx.x * n;
    float* dst = out + blockIdx.x * n;
    int written = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        int i = base + tid;
        float x = i < n ? src[i] : 0.0f;
        bool keep = x > 0.7f || (i < n && (i & 63) == 5);
        unsigned vote = __ballot_sync(FULL, keep);
        if (lane == 0) wcount[warp] = __popc(vote);
        __syncthreads();
        int pos = written, all = 0;
        for (int w = 0; w < warps; ++w) {
            int c = wcount[w];
            if (w < warp) pos += c;
            all += c;
        }
        if (keep) dst[pos + __popc(vote & ((1u << lane) - 1))] = x;
        written += all;
        __syncthreads();
    }
    if (tid == 0) out[COUNT - 64 + blockIdx.x] = (float)written;
}

// ---------------------------------------------------------------- 31. warp aggregated votes
extern "C" __global__ void match_votes(float* out, const float* in, int n)
{
    unsigned* count = (unsigned*)out;
    unsigned* total = count + 64;
    unsigned* peak = count + 128;
    int lane = threadIdx.x & 31;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) & ~31;
    for (int base = first; base < n; base += gridDim.x * blockDim.x) {
        int i = base + lane;
        int label = 40;                                    // 40 : nothing to vote for
        unsigned weight = 0;
        if (i < n) {
            float x = in[i];
            label = (int)(x * x * 12.0f);
            weight = (unsigned)(in[MASK - i] * 1000.0f);
        }
        unsigned peers = __match_any_sync(FULL, label);
        unsigned sum = __reduce_add_sync(peers, weight);
        unsigned top = __reduce_max_sync(peers, weight);
        if (lane == __ffs(peers) - 1 && label != 40) {
            atomicAdd(&count[label], (unsigned)__popc(peers));
            atomicAdd(&total[label], sum);
            atomicMax(&peak[label], top);
        }
    }
}

// ---------------------------------------------------------------- 32. cosine similarity with tiles of 8
extern "C" __global__ void tile8_dot(float* out, const float* in, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    const float* a = in + pair * n;
    const float* b = in + COUNT / 2 + pair * n;
    float dot = 0, aa = 0, bb = 0;
    bool tiny = false;
    for (int k = tile.thread_rank(); k < n; k += 8) {
        float x = a[k] - 0.5f, y = b[k] - 0.5f;
        dot += x * y;
        aa += x * x;
        bb += y * y;
        tiny = tiny || fabsf(x) < 0.001f;
    }
    dot = cg::reduce(tile, dot, cg::plus<float>());
    aa = cg::reduce(tile, aa, cg::plus<float>());
    bb = cg::reduce(tile, bb, cg::plus<float>());
    float peak = cg::reduce(tile, fabsf(dot - aa), cg::greater<float>());
    unsigned who = tile.ballot(tiny);
    if (tile.thread_rank() == 0) {
        float c = dot * rsqrtf(aa * bb + 1e-12f);
        ((float4*)out)[pair] = make_float4(c, aa, peak, (float)__popc(who));
    }
}

// ---------------------------------------------------------------- 33. radix-2 FFT in shared memory
extern __shared__ float2 fft_buf[];

__device__ __forceinline__ float2 cmul(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// transform of length 2 * blockDim.x (power of two); n is the sign of the exponent
extern "C" __global__ void fft_shared(float* out, const float* in, int n)
{
    int len = 2 * blockDim.x, bits = 31 - __clz(len);
    for (int i = threadIdx.x; i < len; i += blockDim.x) {
        unsigned r = __brev((unsigned)i) >> (32 - bits);
        fft_buf[r] = ((const float2*)in)[blockIdx.x * len + i];
    }
    __syncthreads();
    for (int half = 1; half < len; half <<= 1) {
        int k = threadIdx.x & (half - 1);
        int i = 2 * (threadIdx.x - k) + k;
        float2 w;
        sincospif((float)(n * k) / half, &w.y, &w.x);
        float2 u = fft_buf[i], v = cmul(fft_buf[i + half], w);
        fft_buf[i] = make_float2(u.x + v.x, u.y + v.y);
        fft_buf[i + half] = make_float2(u.x - v.x, u.y - v.y);
        __syncthreads();
    }
    for (int i = threadIdx.x; i < len; i += blockDim.x)
        ((float2*)out)[blockIdx.x * len + i] = fft_buf[i];
}

// ---------------------------------------------------------------- 34. JPEG-like 8x8 DCT and quantiser
template <int STRIDE>
__device__ float dot8(const float* p, const float* c)
{
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) s += p[i * STRIDE] * c[i];
    return s;
}

extern "C" __global__ void dct8_quant(float* out, const float* in, int n)
{
    __shared__ float px[4][8][9], tmp[4][8][9], ct[8][8];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int tile = blockIdx.x * blockDim.z + z;
    int gx = (tile & 31) * 8 + x, gy = (tile >> 5) * 8 + y;
    px[z][y][x] = in[gy * 256 + gx] * 255.0f - 128.0f;
    if (z == 0) ct[y][x] = cospif((2 * x + 1) * y / 16.0f) * (y == 0 ? 0.35355339f : 0.5f);
    __syncthreads();
    tmp[z][y][x] = dot8<1>(px[z][y], ct[x]);
    __syncthreads();
    float coef = dot8<9>(&tmp[z][0][x], ct[y]);
    float step = 1.0f + 0.5f * n * (1 + x + y);
    int q = __float2int_rn(coef / step);
    q = max(-512, min(511, q));
    ((short*)out)[tile * 64 + y * 8 + x] = (short)q;
}

// ---------------------------------------------------------------- 35. 5x5 LU with partial pivoting
extern "C" __global__ void lu_pivot(float* out, const float* in, int n)
{
    const int N = 5;
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    float m[N][N], b[N];
    int perm[N];
    for (int r = 0; r < N; ++r) {
        perm[r] = r;
        b[r] = in[(gid * 30 + 25 + r + n) & MASK];
        for (int c = 0; c < N; ++c) m[r][c] = in[(gid * 30 + r * N + c + n) & MASK] - 0.5f;
    }
    float det = 1.0f;
    for (int k = 0; k < N; ++k) {
        int piv = k;
        for (int r = k + 1; r < N; ++r)
            if (fabsf(m[perm[r]][k]) > fabsf(m[perm[piv]][k])) piv = r;
        if (piv != k) {
            int t = perm[k];
            perm[k] = perm[piv];
            perm[piv] = t;
            det = -det;
        }
        float d = m[perm[k]][k];
        if (fabsf(d) < 1e-3f) { out[gid * 6] = -99.0f; return; }
        det *= d;
        for (int r = k + 1; r < N; ++r) {
            float f = m[perm[r]][k] / d;
            for (int c = k + 1; c < N; ++c) m[perm[r]][c] -= f * m[perm[k]][c];
            b[perm[r]] -= f * b[perm[k]];
        }
    }
    float x[N];
    for (int r = N - 1; r >= 0; --r) {
        float s = b[perm[r]];
        for (int c = r + 1; c < N; ++c) s -= m[perm[r]][c] * x[c];
        x[r] = s / m[perm[r]][r];
        out[gid * 6 + 1 + r] = x[r];
    }
    out[gid * 6] = det;
}

// ---------------------------------------------------------------- 36. Cholesky in double precision
extern "C" __global__ void cholesky_dbl(float* out, const float* in, int n)
{
    __shared__ double A[32][33];
    int tid = threadIdx.x, step = blockDim.x;
    const float* M = in + blockIdx.x * 512;
    for (int e = tid; e < n * n; e += step) {
        int i = e / n, j = e % n;
        double s = i == j ? 2.0 : 0.0;
        for (int k = 0; k < 12; ++k) s += (double)M[i * 12 + k] * M[j * 12 + k];
        A[i][j] = s;
    }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (tid == 0) A[k][k] = sqrt(A[k][k]);
        __syncthreads();
        for (int i = k + 1 + tid; i < n; i += step) A[i][k] /= A[k][k];
        __syncthreads();
        int m = n - k - 1;
        for (int e = tid; e < m * m; e += step) {
            int i = k + 1 + e / m, j = k + 1 + e % m;
            if (j <= i) A[i][j] -= A[i][k] * A[j][k];
        }
        __syncthreads();
    }
    for (int e = tid; e < n * n; e += step) {
        int i = e / n, j = e % n;
        ((double*)out)[blockIdx.x * 1024 + e] = j <= i ? A[i][j] : 0.0;
    }
}

// ---------------------------------------------------------------- 37. parallel cyclic reduction
// n systems per block, one unknown per thread
extern "C" __global__ void tridiag_pcr(float* out, const float* in, int n)
{
    __shared__ float a[256], b[256], c[256], d[256];
    int t = threadIdx.x, size = blockDim.x;
    for (int sys = 0; sys < n; ++sys) {
        int g = (blockIdx.x * n + sys) * size + t;
        a[t] = t > 0 ? -in[(g * 3) & MASK] : 0.0f;
        c[t] = t < size - 1 ? -in[(g * 3 + 1) & MASK] : 0.0f;
        b[t] = 2.5f;
        d[t] = in[(g * 3 + 2) & MASK];
        __syncthreads();
        for (int s = 1; s < size; s <<= 1) {
            float na = 0, nc = 0, nb = b[t], nd = d[t];
            if (t >= s) {
                float k = a[t] / b[t - s];
                na = -k * a[t - s];
                nb -= k * c[t - s];
                nd -= k * d[t - s];
            }
            if (t + s < size) {
                float k = c[t] / b[t + s];
                nc = -k * c[t + s];
                nb -= k * a[t + s];
                nd -= k * d[t + s];
            }
            __syncthreads();
            a[t] = na;
            b[t] = nb;
            c[t] = nc;
            d[t] = nd;
            __syncthreads();
        }
        out[g] = d[t] / b[t];
    }
}

// ---------------------------------------------------------------- 38. CRC-32 by table
extern "C" __global__ void crc32_table(float* out, const float* in, int n)
{
    __shared__ unsigned table[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        unsigned c = i;
        for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    __syncthreads();
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char* p = (const unsigned char*)in + gid * n;
    const unsigned char* end = p + n;
    unsigned crc = FULL;
    while (p != end) {
        unsigned char byte = *p++;
        if (byte == 0x3f) continue;                        // skip the usual exponent byte
        crc = table[(crc ^ byte) & 0xff] ^ (crc >> 8);
    }
    ((unsigned*)out)[gid] = ~crc;
}

// ---------------------------------------------------------------- 39. 256 x 256 bit product, mod n
extern "C" __global__ void bigmul_mod(float* out, const float* in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned* bits = (const unsigned*)in;
    unsigned a[8], b[8], p[16];
    for (int i = 0; i < 8; ++i) {
        a[i] = bits[gid * 16 + i] * 2654435769u;
        b[i] = bits[gid * 16 + 8 + i] * 2246822519u;
    }
    for (int i = 0; i < 16; ++i) p[i] = 0;
    for (int i = 0; i < 8; ++i) {
        u64 carry = 0;
        for (int j = 0; j < 8; ++j) {
            u64 t = (u64)a[i] * b[j] + p[i + j] + carry;
            p[i + j] = (unsigned)t;
            carry = t >> 32;
        }
        p[i + 8] = (unsigned)carry;
    }
    u64 rem = 0;
    for (int i = 15; i >= 0; --i) rem = ((rem << 32) | p[i]) % (unsigned)n;
    unsigned* res = (unsigned*)out + gid * 17;
    for (int i = 0; i < 16; ++i) res[i] = p[i];
    res[16] = (unsigned)rem;
}

// ---------------------------------------------------------------- 40. fixed-point biquad
__device__ __forceinline__ int qmul(int a, int b) { return (int)(((long long)a * b + 32768) >> 16); }

__device__ __forceinline__ short saturate16(int v)
{
    if (v > 32767) return 32767;
    if (v < -32768) return -32768;
    return (short)v;
}

// one channel per thread, n samples each, Q16 coefficients
extern "C" __global__ void q16_biquad(float* out, const float* in, int n)
{
    int ch = blockIdx.x * blockDim.x + threadIdx.x, channels = gridDim.x * blockDim.x;
    short* pcm = (short*)out;
    int x1 = 0, x2 = 0, y1 = 0, y2 = 0, clipped = 0;
    for (int k = 0; k < n; ++k) {
        int x = __float2int_rz((in[(ch + k * channels) & MASK] - 0.5f) * 120000.0f);
        int y = qmul(13107, x) + qmul(26214, x1) + qmul(13107, x2) + qmul(52428, y1) - qmul(22937, y2);
        short s = saturate16(y);
        if (s != y) ++clipped;
        pcm[ch + k * channels] = s;
        x2 = x1; x1 = x;
        y2 = y1; y1 = s;
    }
    ((int*)out)[COUNT - 16384 + ch] = clipped;
}

// ---------------------------------------------------------------- 41. Miller-Rabin
__device__ __noinline__ unsigned pow_mod(unsigned b, unsigned e, unsigned m)
{
    u64 r = 1, x = b % m;
    while (e) {
        if (e & 1) r = r * x % m;
        x = x * x % m;
        e >>= 1;
    }
    return (unsigned)r;
}

extern "C" __global__ void miller_rabin(float* out, const float* in, int n)
{
    const unsigned bases[3] = {2, 7, 61}, small[5] = {3, 5, 7, 11, 13};
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned hi = (unsigned)(in[(gid + n) & MASK] * 65535.0f);
    unsigned lo = (unsigned)(in[(gid + n + COUNT / 2) & MASK] * 65535.0f);
    unsigned v = (hi << 16) | lo | 0x10001u;
    unsigned* res = (unsigned*)out;
    for (int i = 0; i < 5; ++i)
        if (v % small[i] == 0) { res[gid] = small[i]; return; }
    unsigned d = v - 1;
    int r = 0;
    while ((d & 1) == 0) { d >>= 1; ++r; }
    for (int i = 0; i < 3; ++i) {
        unsigned x = pow_mod(bases[i], d, v);
        if (x == 1 || x == v - 1) continue;
        bool composite = true;
        for (int k = 1; k < r; ++k) {
            x = (unsigned)((u64)x * x % v);
            if (x == v - 1) { composite = false; break; }
        }
        if (composite) { res[gid] = 1; return; }
    }
    res[gid] = v;                                          // prime
}

// ---------------------------------------------------------------- 42. bf16 RMS norm, warp per row
extern "C" __global__ void bf16_rmsnorm(float* out, const float* in, int n)
{
    int lane = threadIdx.x & 31;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const float2* x = (const float2*)in + row * n;          // n pairs per row
    __nv_bfloat162* y = (__nv_bfloat162*)out + row * n;
    float ss = 0.0f;
    for (int k = lane; k < n; k += 32) {
        float2 f = __bfloat1622float2(__floats2bfloat162_rn(x[k].x - 0.5f, x[k].y - 0.5f));
        ss += f.x * f.x + f.y * f.y;
    }
    for (int d = 16; d > 0; d >>= 1) ss += __shfl_down_sync(FULL, ss, d);
    ss = __shfl_sync(FULL, ss, 0);
    __nv_bfloat162 scale = __float2bfloat162_rn(rsqrtf(ss / (2 * n) + 1e-5f));
    __nv_bfloat162 zero = __float2bfloat162_rn(0.0f);
    for (int k = lane; k < n; k += 32) {
        __nv_bfloat162 v = __floats2bfloat162_rn(x[k].x - 0.5f, x[k].y - 0.5f);
        v = __hmul2(v, scale);
        __nv_bfloat162 neg = __hmin2(v, zero);              // leaky rectifier
        y[k] = __hfma2(neg, __float2bfloat162_rn(-0.9f), v);
    }
}

// ---------------------------------------------------------------- 43. small stack machine
extern "C" __global__ void stack_vm(float* out, const float* in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const float* code = in + (gid >> 3) * 64;               // eight threads share a program
    unsigned st[8];
    for (int i = 0; i < 8; ++i) st[i] = gid * 31 + i * 7 + 1;
    int sp = 0, pc = 0, executed = 0;
    for (; executed < n; ++executed) {
        int op = (int)(code[pc] * 11.0f);
        unsigned arg = pc * 5 + (gid & 7);
        pc = (pc + 1) & 63;
        unsigned top = st[sp];
        int down = (sp + 7) & 7;
        switch (op) {
        case 0: sp = (sp + 1) & 7; st[sp] = arg; break;
        case 1: sp = down; st[sp] += top; break;
        case 2: sp = down; st[sp] -= top; break;
        case 3: st[sp] = top * (arg | 1); break;
        case 4: st[sp] = top / (arg % 9 + 1); break;
        case 5: st[sp] = (top << 5) | (top >> 27); break;
        case 6: st[sp] = st[down]; st[down] = top; break;
        case 7: sp = (sp + 1) & 7; st[sp] = top; break;
        case 8: if (top & 1) pc = arg & 63; break;
        case 9: st[sp] = __popc(top) + st[(sp + arg) & 7]; break;
        default: if (top % 13 == 5) goto halted; break;
        }
    }
halted:
    ((uint2*)out)[gid] = make_uint2(st[sp] ^ st[(sp + 3) & 7], (unsigned)(executed * 64 + pc));
}

// ---------------------------------------------------------------- 44. adaptive Simpson, recursive
__device__ __forceinline__ float wobble(float x, float w) { return __sinf(w * x * x) / (x + 0.2f); }

__device__ __noinline__ float adapt(float a, float b, float fa, float fm, float fb, float w,
                                    float eps, int depth)
{
    float m = 0.5f * (a + b), h = b - a;
    float fl = wobble(0.5f * (a + m), w), fr = wobble(0.5f * (m + b), w);
    float whole = h / 6.0f * (fa + 4.0f * fm + fb);
    float halves = h / 12.0f * (fa + 4.0f * fl + 2.0f * fm + 4.0f * fr + fb);
    if (depth == 0 || fabsf(whole - halves) < eps) return halves;
    float left = adapt(a, m, fa, fl, fm, w, 0.5f * eps, depth - 1);
    return left + adapt(m, b, fm, fr, fb, w, 0.5f * eps, depth - 1);
}

extern "C" __global__ void simpson_rec(float* out, const float* in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[gid], b = a + 0.5f + in[gid + 4096], w = (float)n;
    float fa = wobble(a, w), fm = wobble(0.5f * (a + b), w), fb = wobble(b, w);
    out[gid] = adapt(a, b, fa, fm, fb, w, 1e-4f, 5);
}

// ---------------------------------------------------------------- 45. counting in a hash table
__device__ unsigned fnv1a(unsigned key, unsigned seed)
{
    unsigned h = 2166136261u ^ seed;
    for (int i = 0; i < 4; ++i) {
        h ^= (key >> (8 * i)) & 0xff;
        h *= 16777619u;
    }
    return h;
}

extern "C" __global__ void hash_count(float* out, const float* in, int n)
{
    __shared__ unsigned slot[1024];
    __shared__ int hits[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) { slot[i] = FULL; hits[i] = 0; }
    __syncthreads();
    int base = blockIdx.x * blockDim.x * 3;
    for (int k = 0; k < 3; ++k) {
        unsigned key = (unsigned)(in[base + k * blockDim.x + threadIdx.x] * 400.0f);
        unsigned h = fnv1a(key, n) & 1023;
        while (true) {
            unsigned old = atomicCAS(&slot[h], FULL, key);
            if (old == FULL || old == key) break;
            h = (h + 1) & 1023;
        }
        atomicAdd(&hits[h], 1);
    }
    __syncthreads();
    for (int k = 0; k < 3; ++k) {
        int i = base + k * blockDim.x + threadIdx.x;
        unsigned key = (unsigned)(in[i] * 400.0f) + (k == 2 ? 1 : 0);   // the last may be absent
        unsigned h = fnv1a(key, n) & 1023;
        while (slot[h] != key && slot[h] != FULL) h = (h + 1) & 1023;
        out[i] = slot[h] == key ? (float)hits[h] : -1.0f;
    }
}

// ---------------------------------------------------------------- 46. sphere tracing
__device__ __forceinline__ float3 along(float3 o, float3 d, float t)
{
    return make_float3(o.x + d.x * t, o.y + d.y * t, o.z + d.z * t);
}

__device__ __noinline__ float scene(float3 p, float bump)
{
    float ball = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) - 1.0f - 0.1f * bump * __sinf(8.0f * p.x);
    float qx = fabsf(p.x - 1.2f) - 0.4f, qy = fabsf(p.y + 0.5f) - 0.4f, qz = fabsf(p.z) - 0.4f;
    float ox = fmaxf(qx, 0.f), oy = fmaxf(qy, 0.f), oz = fmaxf(qz, 0.f);
    float box = sqrtf(ox * ox + oy * oy + oz * oz) + fminf(fmaxf(qx, fmaxf(qy, qz)), 0.f);
    return fminf(fminf(ball, box), p.y + 1.0f);
}

extern "C" __global__ void sdf_march(float* out, const float* in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    float bump = in[blockIdx.x];
    float u = 2.0f * x / w - 1.0f, v = 1.0f - 2.0f * y / h;
    float inv = rsqrtf(u * u + v * v + 2.25f);
    float3 eye = make_float3(0, 0, -3), dir = make_float3(u * inv, v * inv, 1.5f * inv);
    float t = 0.0f, d = 1.0f;
    int step = 0;
    for (; step < n && t < 12.0f; ++step) {
        d = scene(along(eye, dir, t), bump);
        if (d < 1e-3f) break;
        t += d * 0.9f;
    }
    if (d >= 1e-3f) {                                       // sky
        out[y * w + x] = 0.2f * v - (float)step;
        return;
    }
    float3 p = along(eye, dir, t);
    const float e = 1e-2f;
    float nx = scene(make_float3(p.x + e, p.y, p.z), bump) - d;
    float ny = scene(make_float3(p.x, p.y + e, p.z), bump) - d;
    float nz = scene(make_float3(p.x, p.y, p.z + e), bump) - d;
    float len = rsqrtf(nx * nx + ny * ny + nz * nz + 1e-12f);
    float light = (0.6f * nx + 0.7f * ny - 0.4f * nz) * len;
    out[y * w + x] = light > 0.0f ? light + step * 0.01f : 0.05f;
}

// ---------------------------------------------------------------- 47. base64
__constant__ char b64[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// encodes the first n bytes of the input
extern "C" __global__ void base64_enc(float* out, const float* in, int n)
{
    const uint8_t* src = (const uint8_t*)in;
    int groups = (n + 2) / 3;
    for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < groups; g += gridDim.x * blockDim.x) {
        int left = n - g * 3;
        unsigned v = (unsigned)src[g * 3] << 16;
        if (left > 1) v |= (unsigned)src[g * 3 + 1] << 8;
        if (left > 2) v |= src[g * 3 + 2];
        uchar4 c;
        c.x = b64[v >> 18];
        c.y = b64[(v >> 12) & 63];
        c.z = left > 1 ? b64[(v >> 6) & 63] : '=';
        c.w = left > 2 ? b64[v & 63] : '=';
        ((uchar4*)out)[g] = c;
    }
}

// ---------------------------------------------------------------- 48. Runge-Kutta over function pointers
struct Vec3d {
    double x, y, z;
};

typedef Vec3d (*Field)(Vec3d, double);

__device__ __noinline__ Vec3d lorenz(Vec3d s, double k)
{
    return Vec3d{10.0 * (s.y - s.x), s.x * (28.0 * k - s.z) - s.y, s.x * s.y - 8.0 / 3.0 * s.z};
}
__device__ __noinline__ Vec3d roessler(Vec3d s, double k)
{
    return Vec3d{-s.y - s.z, s.x + 0.2 * k * s.y, 0.2 + s.z * (s.x - 5.7)};
}
__device__ __noinline__ Vec3d vanderpol(Vec3d s, double k)
{
    return Vec3d{s.y, k * (1.0 - s.x * s.x) * s.y - s.x, 1.0};
}

__device__ __forceinline__ Vec3d axpy(Vec3d a, double h, Vec3d b)
{
    return Vec3d{a.x + h * b.x, a.y + h * b.y, a.z + h * b.z};
}

extern "C" __global__ void ode_fnptr(float* out, const float* in, int n)
{
    Field fields[3] = {lorenz, roessler, vanderpol};
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int which = min(2, (int)(in[gid] * 3.0f));
    Field f = fields[which];
    double k = 0.5 + in[gid + 8192], h = 0.01;
    Vec3d s = {1.0 + in[gid + 16384], 0.5, 0.25};
    for (int i = 0; i < n; ++i) {
        Vec3d k1 = f(s, k);
        Vec3d k2 = f(axpy(s, h / 2, k1), k);
        Vec3d k3 = f(axpy(s, h / 2, k2), k);
        Vec3d k4 = f(axpy(s, h, k3), k);
        s.x += h / 6 * (k1.x + 2 * k2.x + 2 * k3.x + k4.x);
        s.y += h / 6 * (k1.y + 2 * k2.y + 2 * k3.y + k4.y);
        s.z += h / 6 * (k1.z + 2 * k2.z + 2 * k3.z + k4.z);
        if (s.x * s.x + s.y * s.y > 2500.0) break;
    }
    double* res = (double*)out + gid * 3;
    res[0] = s.x;
    res[1] = s.y;
    res[2] = s.z;
}
