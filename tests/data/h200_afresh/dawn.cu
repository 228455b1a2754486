// Small kernels in the style of course exercises. in: 2^20 floats in [0,1], out: 2^20 floats, zeroed.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

#define TOTAL (1 << 20)
#define FULL 0xffffffffu

__device__ __forceinline__ unsigned mix32(unsigned h) {
    h ^= h >> 16; h *= 0x85ebca6bu;
    h ^= h >> 13; h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

// float in [0,1] -> integer in [0,m)
__device__ __forceinline__ int bucket(float v, int m) {
    int k = (int)(v * (float)m);
    return k < m ? k : m - 1;
}

// mask of the lanes of my warp that exist in a 1D block
__device__ __forceinline__ unsigned warp_mask_1d() {
    int left = (int)blockDim.x - (int)(threadIdx.x & ~31u);
    return left >= 32 ? FULL : ((1u << left) - 1u);
}

// ---------------------------------------------------------------- 1: 3D heat equation, one step
extern "C" __global__ void heat3d_step(float* out, const float* in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= n) return;
    int id = (z * n + y) * n + x;
    float c = in[id];
    float l = x > 0     ? in[id - 1] : c;
    float r = x < n - 1 ? in[id + 1] : c;
    float d = y > 0     ? in[id - n] : c;
    float u = y < n - 1 ? in[id + n] : c;
    float b = z > 0     ? in[id - n * n] : c;
    float f = z < n - 1 ? in[id + n * n] : c;
    const float kappa = 0.11f;
    out[id] = c + kappa * (l + r + d + u + b + f - 6.0f * c);
}

// ---------------------------------------------------------------- 2: median filter
__device__ __forceinline__ void cswap(float& a, float& b) {
    float lo = fminf(a, b), hi = fmaxf(a, b);
    a = lo; b = hi;
}
extern "C" __global__ void median3x3(float* out, const float* in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int h = gridDim.y * blockDim.y;
    if (x >= n) return;
    float p[9];
    int k = 0;
    #pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
        #pragma unroll
        for (int dx = -1; dx <= 1; ++dx) {
            int xx = min(max(x + dx, 0), n - 1);
            int yy = min(max(y + dy, 0), h - 1);
            p[k++] = in[yy * n + xx];
        }
    cswap(p[1], p[2]); cswap(p[4], p[5]); cswap(p[7], p[8]);
    cswap(p[0], p[1]); cswap(p[3], p[4]); cswap(p[6], p[7]);
    cswap(p[1], p[2]); cswap(p[4], p[5]); cswap(p[7], p[8]);
    cswap(p[0], p[3]); cswap(p[5], p[8]); cswap(p[4], p[7]);
    cswap(p[3], p[6]); cswap(p[1], p[4]); cswap(p[2], p[5]);
    cswap(p[4], p[7]); cswap(p[4], p[2]); cswap(p[6], p[4]);
    cswap(p[4], p[2]);
    out[y * n + x] = p[4];
}

// ---------------------------------------------------------------- 3: bilateral filter
__constant__ float bil_w[5][5] = {
    {0.018f, 0.082f, 0.135f, 0.082f, 0.018f},
    {0.082f, 0.368f, 0.607f, 0.368f, 0.082f},
    {0.135f, 0.607f, 1.000f, 0.607f, 0.135f},
    {0.082f, 0.368f, 0.607f, 0.368f, 0.082f},
    {0.018f, 0.082f, 0.135f, 0.082f, 0.018f}};

extern "C" __global__ void bilateral5(float* out, const float* in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int h = gridDim.y * blockDim.y;
    if (x >= n) return;
    float c = in[y * n + x];
    float num = 0.0f, den = 0.0f;
    for (int dy = -2; dy <= 2; ++dy) {
        int yy = y + dy;
        if (yy < 0 || yy >= h) continue;
        for (int dx = -2; dx <= 2; ++dx) {
            int xx = x + dx;
            if (xx < 0 || xx >= n) continue;
            float v = in[yy * n + xx];
            float diff = v - c;
            float w = bil_w[dy + 2][dx + 2] * __expf(-diff * diff * 12.5f);
            num += w * v;
            den += w;
        }
    }
    out[y * n + x] = __fdividef(num, den);
}

// ---------------------------------------------------------------- 4: CSR sparse matrix * vector, 8 lanes per row
extern "C" __global__ void csr_spmv_sub8(float* out, const float* in, int n) {
    __shared__ int rowptr[257];
    int t = threadIdx.x;
    int row = blockIdx.x * blockDim.x + t;
    if (t == 0) rowptr[0] = 0;
    rowptr[t + 1] = (int)(in[row] * in[row] * 24.0f);
    __syncthreads();
    for (int off = 1; off < blockDim.x; off <<= 1) {
        int v = t >= off ? rowptr[t + 1 - off] : 0;
        __syncthreads();
        rowptr[t + 1] += v;
        __syncthreads();
    }
    int sub = t >> 3, l8 = t & 7, groups = blockDim.x >> 3;
    unsigned m8 = 0xffu << (t & 24);
    int jbase = blockIdx.x * 8192;
    for (int r = sub; r < blockDim.x; r += groups) {
        float acc = 0.0f;
        int end = rowptr[r + 1];
        for (int j = rowptr[r] + l8; j < end; j += 8) {
            unsigned col = mix32(jbase + j) % (unsigned)n;
            acc += in[jbase + j] * in[col];
        }
        acc += __shfl_xor_sync(m8, acc, 4, 8);
        acc += __shfl_xor_sync(m8, acc, 2, 8);
        acc += __shfl_xor_sync(m8, acc, 1, 8);
        if (l8 == 0) out[blockIdx.x * blockDim.x + r] = acc;
    }
}

// ---------------------------------------------------------------- 5: BFS with bitmap frontiers, one graph search per block
extern "C" __global__ void bfs_bitmap(float* out, const float* in, int n) {
    __shared__ unsigned cur[32], nxt[32], vis[32];
    int words = (n + 31) >> 5;
    int src = (blockIdx.x * 37) % n;
    for (int w = threadIdx.x; w < words; w += blockDim.x) {
        unsigned s = (src >> 5) == w ? 1u << (src & 31) : 0u;
        cur[w] = s; vis[w] = s; nxt[w] = 0;
    }
    float* dist = out + blockIdx.x * n;
    for (int v = threadIdx.x; v < n; v += blockDim.x) dist[v] = -1.0f;
    __syncthreads();
    for (int depth = 0; depth < n; ++depth) {
        for (int v = threadIdx.x; v < n; v += blockDim.x) {
            if (!((cur[v >> 5] >> (v & 31)) & 1u)) continue;
            dist[v] = (float)depth;
            int deg = 1 + (v & 3);
            for (int e = 0; e < deg; ++e) {
                int u = bucket(in[v * 4 + e], n);
                if (!((vis[u >> 5] >> (u & 31)) & 1u)) atomicOr(&nxt[u >> 5], 1u << (u & 31));
            }
        }
        __syncthreads();
        unsigned any = 0;
        for (int w = threadIdx.x; w < words; w += blockDim.x) {
            unsigned fresh = nxt[w];
            vis[w] |= fresh;
            cur[w] = fresh;
            nxt[w] = 0;
            any |= fresh;
        }
        if (!__syncthreads_or(any != 0)) break;
    }
}

// ---------------------------------------------------------------- 6: bitonic sort in dynamic shared memory
extern __shared__ float bitonic_sm[];
extern "C" __global__ void bitonic_dyn(float* out, const float* in, int n) {
    int base = blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) bitonic_sm[i] = in[base + i];
    __syncthreads();
    for (int k = 2; k <= n; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                int p = i ^ j;
                if (p > i) {
                    float a = bitonic_sm[i], b = bitonic_sm[p];
                    bool up = (i & k) == 0;
                    if ((a > b) == up) { bitonic_sm[i] = b; bitonic_sm[p] = a; }
                }
            }
            __syncthreads();
        }
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[base + i] = bitonic_sm[i];
}

// ---------------------------------------------------------------- 7: radix sort, one bit per pass (n bits)
extern "C" __global__ void radix_split(float* out, const float* in, int n) {
    __shared__ unsigned keys[256];
    __shared__ int zeros[8];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    int nw = (blockDim.x + 31) >> 5;
    unsigned mask = warp_mask_1d();
    int g = blockIdx.x * blockDim.x + t;
    keys[t] = (unsigned)bucket(in[g], 1 << n);
    __syncthreads();
    for (int b = 0; b < n; ++b) {
        unsigned k = keys[t];
        bool z = ((k >> b) & 1u) == 0;
        unsigned bal = __ballot_sync(mask, z);
        if (lane == 0) zeros[w] = __popc(bal);
        __syncthreads();
        int before = 0, total = 0;
        for (int i = 0; i < nw; ++i) {
            int c = zeros[i];
            if (i < w) before += c;
            total += c;
        }
        int zr = before + __popc(bal & ((1u << lane) - 1u));
        keys[z ? zr : total + t - zr] = k;
        __syncthreads();
    }
    out[g] = (float)keys[t];
}

// ---------------------------------------------------------------- 8: merge path
struct SortedA { const float* p; __device__ float operator()(int i) const { return 2.0f * i + p[i]; } };
struct SortedB { const float* p; __device__ float operator()(int i) const { return 1.5f * i + 1.4f * p[i]; } };

template <class A, class B>
__device__ int diagonal_search(A a, B b, int n, int d) {
    int lo = max(0, d - n), hi = min(d, n);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a(mid) <= b(d - 1 - mid)) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}
extern "C" __global__ void merge_diag(float* out, const float* in, int n) {
    int d = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (d >= 2 * n) return;
    SortedA a{in};
    SortedB b{in + n};
    int i = diagonal_search(a, b, n, d);
    int j = d - i;
    for (int k = 0; k < 4 && d + k < 2 * n; ++k) {
        bool takeA = j >= n || (i < n && a(i) <= b(j));
        out[d + k] = takeA ? a(i++) : b(j++);
    }
}

// ---------------------------------------------------------------- 9: KMP string search
__constant__ char kmp_pat[7] = {'a', 'b', 'a', 'a', 'b', 'a', 'b'};
extern "C" __global__ void kmp_scan(float* out, const float* in, int n) {
    const int m = 7;
    __shared__ int fail[8];
    if (threadIdx.x == 0) {
        fail[0] = 0;
        int k = 0;
        for (int i = 1; i < m; ++i) {
            while (k > 0 && kmp_pat[k] != kmp_pat[i]) k = fail[k - 1];
            if (kmp_pat[k] == kmp_pat[i]) ++k;
            fail[i] = k;
        }
    }
    __syncthreads();
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int begin = g * n;
    int end = min(begin + n + m - 1, TOTAL);
    int state = 0, hits = 0, last = -1;
    for (int i = begin; i < end; ++i) {
        float v = in[i];
        char c = v < 0.48f ? 'a' : (v < 0.95f ? 'b' : 'c');
        while (state > 0 && kmp_pat[state] != c) state = fail[state - 1];
        if (kmp_pat[state] == c) ++state;
        if (state == m) {
            ++hits;
            last = i - begin - m + 1;
            state = fail[m - 1];
        }
    }
    out[2 * g] = (float)hits;
    out[2 * g + 1] = (float)last;
}

// ---------------------------------------------------------------- 10: Rabin-Karp rolling hash (window of n symbols)
extern "C" __global__ void rabin_karp64(float* out, const float* in, int n) {
    typedef unsigned long long u64;
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 base = 257;
    u64 p = 1000000007ull + 2 * (u64)n;
    u64 top = 1, want = 0, have = 0;
    int start = g * 10;
    for (int i = 0; i < n; ++i) {
        want = (want * base + bucket(in[i], 2) + 1) % p;
        have = (have * base + bucket(in[start + i], 2) + 1) % p;
        if (i) top = top * base % p;
    }
    int first = -1, found = 0;
    for (int i = 0; i < 10; ++i) {
        if (have == want) {
            if (first < 0) first = i;
            ++found;
        }
        u64 gone = bucket(in[start + i], 2) + 1;
        u64 come = bucket(in[start + i + n], 2) + 1;
        have = ((have + p - gone * top % p) * base + come) % p;
    }
    out[g] = found ? (float)(found * 16 + first) : 0.0f;
}

// ---------------------------------------------------------------- 11: longest common subsequence by antidiagonals
extern "C" __global__ void lcs_wavefront(float* out, const float* in, int n) {
    __shared__ unsigned char a[128], b[128];
    __shared__ int d[3][129];
    int i = threadIdx.x;
    const float* src = in + blockIdx.x * 2 * n;
    for (int k = i; k < n; k += blockDim.x) {
        a[k] = (unsigned char)bucket(src[k], 4);
        b[k] = (unsigned char)bucket(src[n + k], 4);
    }
    for (int k = i; k < 3 * 129; k += blockDim.x) (&d[0][0])[k] = 0;
    __syncthreads();
    for (int s = 0; s <= 2 * n - 2; ++s) {
        int* now = d[s % 3];
        const int* p1 = d[(s + 2) % 3];
        const int* p2 = d[(s + 1) % 3];
        int j = s - i;
        if (i < n && j >= 0 && j < n) {
            if (a[i] == b[j]) now[i + 1] = p2[i] + 1;
            else now[i + 1] = max(p1[i], p1[i + 1]);
        }
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = (float)d[(2 * n - 2) % 3][n];
}

// ---------------------------------------------------------------- 12: Smith-Waterman, one pair of sequences per warp
extern "C" __global__ void sw_warp_shfl(float* out, const float* in, int n) {
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int q = bucket(in[warp * 32 + lane], 4);
    const float* target = in + 65536 + warp * n;
    int h = 0, diag = 0, best = 0, where = 0;
    for (int step = 0; step < n + 31; ++step) {
        int up = __shfl_up_sync(FULL, h, 1);
        if (lane == 0) up = 0;
        int j = step - lane;
        int hn = 0;
        if (j >= 0 && j < n) {
            int c = bucket(target[j], 4);
            int s = c == q ? 3 : -3;
            hn = max(max(0, diag + s), max(up - 2, h - 2));
            if (hn > best) { best = hn; where = j; }
        }
        diag = up;
        h = hn;
    }
    int score = __reduce_max_sync(FULL, best);
    unsigned who = __ballot_sync(FULL, best == score);
    int leader = __ffs(who) - 1;
    where = __shfl_sync(FULL, where, leader);
    if (lane == 0) {
        out[warp * 2] = (float)score;
        out[warp * 2 + 1] = (float)(where * 32 + leader);
    }
}

// ---------------------------------------------------------------- 13: Floyd-Warshall on one small graph per block
extern "C" __global__ void floyd_tile(float* out, const float* in, int n) {
    __shared__ float d[32][33];
    int base = blockIdx.x * n * n;
    for (int i = threadIdx.y; i < n; i += blockDim.y)
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
            float w = in[base + i * n + j];
            d[i][j] = i == j ? 0.0f : (w < 0.25f ? 1.0f + 8.0f * w : 1e6f);
        }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        for (int i = threadIdx.y; i < n; i += blockDim.y)
            for (int j = threadIdx.x; j < n; j += blockDim.x) {
                if (i == k || j == k) continue;
                float via = d[i][k] + d[k][j];
                if (via < d[i][j]) d[i][j] = via;
            }
        __syncthreads();
    }
    for (int i = threadIdx.y; i < n; i += blockDim.y)
        for (int j = threadIdx.x; j < n; j += blockDim.x)
            out[base + i * n + j] = d[i][j] >= 1e6f ? -1.0f : d[i][j];
}

// ---------------------------------------------------------------- 14: Gaussian elimination with partial pivoting
extern "C" __global__ void gauss_pivot(float* out, const float* in, int n) {
    __shared__ float M[24][26];
    __shared__ int piv;
    int t = threadIdx.x, cols = n + 1;
    const float* src = in + blockIdx.x * n * cols;
    for (int e = t; e < n * cols; e += blockDim.x) M[e / cols][e % cols] = src[e];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (t < 32) {
            int r = k + t;
            float v = r < n ? fabsf(M[r][k]) : -1.0f;
            for (int o = 16; o; o >>= 1) {
                float v2 = __shfl_xor_sync(FULL, v, o);
                int r2 = __shfl_xor_sync(FULL, r, o);
                if (v2 > v || (v2 == v && r2 < r)) { v = v2; r = r2; }
            }
            if (t == 0) piv = r;
        }
        __syncthreads();
        int p = piv;
        if (p != k)
            for (int c = k + t; c <= n; c += blockDim.x) {
                float tmp = M[k][c]; M[k][c] = M[p][c]; M[p][c] = tmp;
            }
        __syncthreads();
        int wdt = n - k;
        float inv = 1.0f / M[k][k];
        for (int e = t; e < (n - 1 - k) * wdt; e += blockDim.x) {
            int r = k + 1 + e / wdt, c = k + 1 + e % wdt;
            M[r][c] -= M[r][k] * inv * M[k][c];
        }
        __syncthreads();
    }
    for (int k = n - 1; k >= 0; --k) {
        float x = M[k][n] / M[k][k];
        if (t < k) M[t][n] -= M[t][k] * x;
        if (t == k) out[blockIdx.x * n + k] = x;
        __syncthreads();
    }
}

// ---------------------------------------------------------------- 15: tiled matrix multiplication
template <int T>
__device__ void mm_tile(float* C, const float* A, const float* B, int n) {
    __shared__ float As[T][T], Bs[T][T + 1];
    int col = blockIdx.x * T + threadIdx.x;
    int row = blockIdx.y * T + threadIdx.y;
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += T) {
        int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < n && ka < n) ? A[row * n + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < n && col < n) ? B[kb * n + col] : 0.0f;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < T; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n) C[row * n + col] = acc;
}
extern "C" __global__ void matmul_tile(float* out, const float* in, int n) {
    if (blockDim.x == 16) mm_tile<16>(out, in, in + n * n, n);
    else mm_tile<8>(out, in, in + n * n, n);
}

// ---------------------------------------------------------------- 16: Cholesky of a small SPD matrix per thread, double
extern "C" __global__ void cholesky_local(float* out, const float* in, int n) {
    double a[6][6], y[6];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double v = (double)in[(i * 6 + j) * stride + g];
            a[i][j] = i == j ? v + (double)n : v;
        }
    for (int j = 0; j < n; ++j) {
        double s = a[j][j];
        for (int k = 0; k < j; ++k) s -= a[j][k] * a[j][k];
        double piv = sqrt(s);
        a[j][j] = piv;
        for (int i = j + 1; i < n; ++i) {
            double v = a[i][j];
            for (int k = 0; k < j; ++k) v -= a[i][k] * a[j][k];
            a[i][j] = v / piv;
        }
    }
    double logdet = 0.0;
    for (int i = 0; i < n; ++i) {
        double v = 1.0 + i;
        for (int k = 0; k < i; ++k) v -= a[i][k] * y[k];
        y[i] = v / a[i][i];
        logdet += y[i] * y[i];
    }
    out[g] = (float)logdet;
}

// ---------------------------------------------------------------- 17: Philox counter generator + Box-Muller
struct Ctr { unsigned x, y, z, w; };
__device__ __forceinline__ Ctr philox_round(Ctr c, unsigned k0, unsigned k1) {
    unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
    unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    return Ctr{h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0};
}
extern "C" __global__ void philox_normals(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned seed = __float_as_uint(in[g & 255]);
    float sum = 0.0f, sum2 = 0.0f;
    for (int it = 0; it < n; ++it) {
        Ctr c{(unsigned)g, (unsigned)it, 0u, 42u};
        unsigned k0 = seed, k1 = ~seed;
        for (int r = 0; r < 10; ++r) {
            c = philox_round(c, k0, k1);
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        float u1 = ((c.x >> 8) + 1) * (1.0f / 16777217.0f);
        float u2 = (c.y >> 8) * (1.0f / 16777216.0f);
        float rad = sqrtf(-2.0f * logf(u1));
        float s, co;
        sincosf(6.2831853f * u2, &s, &co);
        sum += rad * s + rad * co;
        sum2 += rad * rad;
    }
    out[2 * g] = sum / (2.0f * n);
    out[2 * g + 1] = sum2 / (2.0f * n);
}

// ---------------------------------------------------------------- 18: Lorenz system, RK4
struct Vec3 { float x, y, z; };
__device__ __forceinline__ Vec3 axpy3(float a, Vec3 p, Vec3 q) {
    return {a * p.x + q.x, a * p.y + q.y, a * p.z + q.z};
}
__device__ __forceinline__ Vec3 lorenz(Vec3 s) {
    return {10.0f * (s.y - s.x), s.x * (28.0f - s.z) - s.y, s.x * s.y - 2.6666667f * s.z};
}
extern "C" __global__ void lorenz_rk4(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    Vec3 s{in[3 * g] * 20.0f - 10.0f, in[3 * g + 1] * 20.0f - 10.0f, in[3 * g + 2] * 30.0f};
    const float dt = 0.01f;
    int crossings = 0;
    for (int i = 0; i < n; ++i) {
        Vec3 k1 = lorenz(s);
        Vec3 k2 = lorenz(axpy3(0.5f * dt, k1, s));
        Vec3 k3 = lorenz(axpy3(0.5f * dt, k2, s));
        Vec3 k4 = lorenz(axpy3(dt, k3, s));
        Vec3 o = s;
        s = axpy3(dt / 6.0f, k1, s);
        s = axpy3(dt / 3.0f, k2, s);
        s = axpy3(dt / 3.0f, k3, s);
        s = axpy3(dt / 6.0f, k4, s);
        if ((o.x < 0.0f) != (s.x < 0.0f)) ++crossings;
    }
    out[4 * g] = s.x;
    out[4 * g + 1] = s.y;
    out[4 * g + 2] = s.z;
    out[4 * g + 3] = (float)crossings;
}

// ---------------------------------------------------------------- 19: n-body accelerations, float4 tiles
extern "C" __global__ void nbody_tile4(float* out, const float* in, int n) {
    __shared__ float4 tile[128];
    const float4* body = reinterpret_cast<const float4*>(in);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? body[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float ax = 0.f, ay = 0.f, az = 0.f;
    for (int base = 0; base < n; base += blockDim.x) {
        int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? body[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
        int lim = min((int)blockDim.x, n - base);
        for (int k = 0; k < lim; ++k) {
            float4 b = tile[k];
            float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
            float r2 = dx * dx + dy * dy + dz * dz + 1e-4f;
            float inv = rsqrtf(r2);
            float f = b.w * inv * inv * inv;
            ax += f * dx; ay += f * dy; az += f * dz;
        }
        __syncthreads();
    }
    if (i < n) reinterpret_cast<float4*>(out)[i] = make_float4(ax, ay, az, me.w);
}

// ---------------------------------------------------------------- 20: Thomas algorithm, a tridiagonal system per thread
extern "C" __global__ void thomas_local(float* out, const float* in, int n) {
    float cp[32], dp[32];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int systems = gridDim.x * blockDim.x;
    const float lam = 0.4f;
    cp[0] = -lam / (1.0f + 2.0f * lam);
    dp[0] = in[g] / (1.0f + 2.0f * lam);
    for (int i = 1; i < n; ++i) {
        float m = 1.0f + 2.0f * lam + lam * cp[i - 1];
        cp[i] = -lam / m;
        dp[i] = (in[i * systems + g] + lam * dp[i - 1]) / m;
    }
    float x = dp[n - 1];
    out[(n - 1) * systems + g] = x;
    for (int i = n - 2; i >= 0; --i) {
        x = dp[i] - cp[i] * x;
        out[i * systems + g] = x;
    }
}

// ---------------------------------------------------------------- 21: radix-2 FFT in dynamic shared memory
extern __shared__ float2 fft_sm[];
extern "C" __global__ void fft_shared(float* out, const float* in, int n) {
    int logn = 31 - __clz(n);
    const float* src = in + blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int r = __brev((unsigned)i) >> (32 - logn);
        fft_sm[r] = make_float2(src[i] - 0.5f, 0.0f);
    }
    __syncthreads();
    for (int half = 1; half < n; half <<= 1) {
        for (int b = threadIdx.x; b < n / 2; b += blockDim.x) {
            int k = b & (half - 1);
            int i0 = 2 * b - k, i1 = i0 + half;
            float s, c;
            sincospif(-(float)k / (float)half, &s, &c);
            float2 u = fft_sm[i0], v = fft_sm[i1];
            float2 tw = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
            fft_sm[i0] = make_float2(u.x + tw.x, u.y + tw.y);
            fft_sm[i1] = make_float2(u.x - tw.x, u.y - tw.y);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = hypotf(fft_sm[i].x, fft_sm[i].y);
}

// ---------------------------------------------------------------- 22: SHA-256 of one 64-byte block per thread, n rounds (64 = real)
__constant__ unsigned sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__device__ __forceinline__ unsigned rotr(unsigned x, int r) { return (x >> r) | (x << (32 - r)); }

extern "C" __global__ void sha256_one(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w[16];
    for (int i = 0; i < 16; ++i) w[i] = __float_as_uint(in[g * 16 + i]);
    unsigned a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    unsigned e = 0x510e527f, f = 0x9b05688c, gg = 0x1f83d9ab, h = 0x5be0cd19;
    for (int t0 = 0; t0 < n; t0 += 16) {
        #pragma unroll
        for (int i = 0; i < 16; ++i) {
            if (t0 > 0) {
                unsigned x = w[(i + 1) & 15], y = w[(i + 14) & 15];
                unsigned s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
                unsigned s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10);
                w[i] += s0 + w[(i + 9) & 15] + s1;
            }
            unsigned S1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
            unsigned t1 = h + S1 + ((e & f) ^ (~e & gg)) + sha_k[t0 + i] + w[i];
            unsigned S0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
            unsigned t2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
            h = gg; gg = f; f = e; e = d + t1;
            d = c; c = b; b = a; a = t1 + t2;
        }
    }
    out[g] = (float)((a + 0x6a09e667) ^ (e + 0x510e527f)) + (float)__popc(b ^ c ^ d ^ f ^ gg ^ h);
}

// ---------------------------------------------------------------- 23: RC4, the 256-byte state of each thread in shared memory
extern __shared__ unsigned char rc4_sm[];
extern "C" __global__ void rc4_shared(float* out, const float* in, int n) {
    int t = threadIdx.x, B = blockDim.x;
    int g = blockIdx.x * B + t;
    unsigned char key[8];
    for (int i = 0; i < 8; ++i) key[i] = (unsigned char)bucket(in[g * 8 + i], 256);
    int keylen = 5 + (g & 3);
    unsigned char* S = rc4_sm + t;
    for (int i = 0; i < 256; ++i) S[i * B] = (unsigned char)i;
    int j = 0;
    for (int i = 0; i < 256; ++i) {
        unsigned char si = S[i * B];
        j = (j + si + key[i % keylen]) & 255;
        S[i * B] = S[j * B];
        S[j * B] = si;
    }
    unsigned acc = 0;
    int x = 0, y = 0;
    for (int k = 0; k < n; ++k) {
        x = (x + 1) & 255;
        unsigned char sx = S[x * B];
        y = (y + sx) & 255;
        unsigned char sy = S[y * B];
        S[x * B] = sy;
        S[y * B] = sx;
        acc = acc * 31u + S[((sx + sy) & 255) * B];
    }
    out[g] = (float)(acc & 0xffffffu);
}

// ---------------------------------------------------------------- 24: table-driven CRC-32 with uint2 loads
extern "C" __global__ void crc32_bytes(float* out, const float* in, int n) {
    __shared__ unsigned table[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        unsigned c = i;
        for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    __syncthreads();
    const uint2* words = reinterpret_cast<const uint2*>(in);
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    unsigned crc = ~0u;
    for (int k = 0; k < n; ++k) {
        uint2 v = words[k * stride + g];
        for (int half = 0; half < 2; ++half) {
            unsigned x = half ? v.y : v.x;
            #pragma unroll
            for (int b = 0; b < 4; ++b) {
                crc = table[(crc ^ x) & 255u] ^ (crc >> 8);
                x >>= 8;
            }
        }
    }
    reinterpret_cast<unsigned*>(out)[g] = ~crc >> 4;
}

// ---------------------------------------------------------------- 25: histogram with one private copy per warp
extern "C" __global__ void hist_private(float* out, const float* in, int n) {
    __shared__ unsigned h[8][64];
    int warps = (blockDim.x + 31) >> 5, w = threadIdx.x >> 5;
    for (int i = threadIdx.x; i < 8 * 64; i += blockDim.x) h[i >> 6][i & 63] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float v = in[i];
        atomicAdd(&h[w][bucket(v * v, 64)], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 64; b += blockDim.x) {
        unsigned s = 0;
        for (int k = 0; k < warps; ++k) s += h[k][b];
        if (s) atomicAdd(reinterpret_cast<unsigned*>(out) + b, s);
    }
}

// ---------------------------------------------------------------- 26: Blelloch scan with padding against bank conflicts
extern __shared__ float scan_sm[];
__device__ __forceinline__ int pad(int i) { return i + (i >> 5); }
extern "C" __global__ void blelloch_pad(float* out, const float* in, int n) {
    int base = blockIdx.x * n, t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) scan_sm[pad(i)] = in[base + i];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        for (int k = t; k < d; k += blockDim.x)
            scan_sm[pad(offset * (2 * k + 2) - 1)] += scan_sm[pad(offset * (2 * k + 1) - 1)];
        offset <<= 1;
    }
    __syncthreads();
    if (t == 0) scan_sm[pad(n - 1)] = 0.0f;
    for (int d = 1; d < n; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        for (int k = t; k < d; k += blockDim.x) {
            int a = pad(offset * (2 * k + 1) - 1), b = pad(offset * (2 * k + 2) - 1);
            float v = scan_sm[a];
            scan_sm[a] = scan_sm[b];
            scan_sm[b] += v;
        }
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) out[base + i] = scan_sm[pad(i)];
}

// ---------------------------------------------------------------- 27: stream compaction with cooperative groups
extern "C" __global__ void compact_cg(float* out, const float* in, int n) {
    __shared__ int warpsum[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[g];
    int keep = v * 100.0f < (float)n ? 1 : 0;
    int pos = cg::exclusive_scan(tile, keep);
    int cnt = cg::reduce(tile, keep, cg::plus<int>());
    if (tile.thread_rank() == 0) warpsum[tile.meta_group_rank()] = cnt;
    block.sync();
    int base = 0;
    for (int w = 0; w < (int)tile.meta_group_rank(); ++w) base += warpsum[w];
    if (keep) out[blockIdx.x * (blockDim.x + 1) + 1 + base + pos] = v;
    if (block.thread_rank() == block.size() - 1)
        out[blockIdx.x * (blockDim.x + 1)] = (float)(base + cnt);
}

// ---------------------------------------------------------------- 28: Mandelbrot escape times
extern "C" __global__ void mandel_escape(float* out, const float* in, int n) {
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    int id = py * w + px;
    float cx = -2.2f + 3.2f * (px + in[id]) / w;
    float cy = -1.2f + 2.4f * py / h;
    float x = 0.f, y = 0.f, x2 = 0.f, y2 = 0.f;
    int it = 0;
    while (it < n && x2 + y2 <= 4.0f) {
        y = 2.0f * x * y + cy;
        x = x2 - y2 + cx;
        x2 = x * x;
        y2 = y * y;
        ++it;
    }
    float shade = (float)it;
    if (it < n) shade += 1.0f - log2f(0.5f * log2f(x2 + y2));
    out[id] = shade;
}

// ---------------------------------------------------------------- 29: game of life, a row of 64 cells per thread
extern "C" __global__ void life_bits64(float* out, const float* in, int n) {
    typedef unsigned long long u64;
    __shared__ u64 grid[2][128];
    int t = threadIdx.x, rows = blockDim.x;
    int g = blockIdx.x * rows + t;
    u64 me = 0;
    for (int b = 0; b < 64; ++b)
        if (in[g * 64 + b] < 0.35f) me |= 1ull << b;
    grid[0][t] = me;
    __syncthreads();
    int up = (t + rows - 1) % rows, dn = (t + 1) % rows;
    for (int step = 0; step < n; ++step) {
        u64 a = grid[step & 1][up], c = grid[step & 1][dn];
        u64 al = (a << 1) | (a >> 63), ar = (a >> 1) | (a << 63);
        u64 cl = (c << 1) | (c >> 63), cr = (c >> 1) | (c << 63);
        u64 ml = (me << 1) | (me >> 63), mr = (me >> 1) | (me << 63);
        u64 a0 = al ^ a ^ ar, a1 = (al & a) | (ar & (al | a));
        u64 c0 = cl ^ c ^ cr, c1 = (cl & c) | (cr & (cl | c));
        u64 m0 = ml ^ mr, m1 = ml & mr;
        u64 ones = a0 ^ c0 ^ m0, carry = (a0 & c0) | (m0 & (a0 | c0));
        u64 odd2 = a1 ^ c1 ^ m1 ^ carry;
        u64 one2 = odd2 & ~(a1 & c1) & ~(m1 & carry);
        me = one2 & (ones | me);
        grid[(step + 1) & 1][t] = me;
        __syncthreads();
    }
    out[g] = (float)__popcll(me);
}

// ---------------------------------------------------------------- 30: n queens with some blocked squares, two rows fixed per thread
extern "C" __global__ void nqueens_mask(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= n * n) return;
    int q0 = g / n, q1 = g % n;
    if (abs(q0 - q1) <= 1) { out[g] = -1.0f; return; }
    unsigned all = (1u << n) - 1u;
    unsigned cols[12], ld[12], rd[12], avail[12];
    cols[2] = (1u << q0) | (1u << q1);
    ld[2] = (1u << q0 << 2) | (1u << q1 << 1);
    rd[2] = (1u << q0 >> 2) | (1u << q1 >> 1);
    int row = 2, found = 0;
    avail[2] = all & ~(cols[2] | ld[2] | rd[2]);
    while (row >= 2) {
        if (avail[row] == 0) { --row; continue; }
        unsigned bit = avail[row] & (0u - avail[row]);
        avail[row] ^= bit;
        if (row == n - 1) { ++found; continue; }
        unsigned c = cols[row] | bit, l = (ld[row] | bit) << 1, r = (rd[row] | bit) >> 1;
        ++row;
        cols[row] = c; ld[row] = l; rd[row] = r;
        unsigned hole = 1u << bucket(in[g * 16 + row], n + 6);
        avail[row] = all & ~(c | l | r | hole);
    }
    out[g] = (float)found;
}

// ---------------------------------------------------------------- 31: Miller-Rabin primality
__device__ __noinline__ unsigned pow_mod(unsigned a, unsigned e, unsigned m) {
    unsigned long long r = 1, b = a % m;
    while (e) {
        if (e & 1) r = r * b % m;
        b = b * b % m;
        e >>= 1;
    }
    return (unsigned)r;
}
__constant__ unsigned mr_base[3] = {2, 7, 61};
extern "C" __global__ void miller_rabin(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned p = 2u * (unsigned)(in[g] * 500000.0f) + 1001u;
    bool prime = p % 3 != 0 && p % 5 != 0 && p % 7 != 0;
    if (prime) {
        unsigned d = p - 1;
        int s = __ffs(d) - 1;
        d >>= s;
        for (int k = 0; k < n && prime; ++k) {
            unsigned long long x = pow_mod(mr_base[k], d, p);
            if (x == 1 || x == p - 1) continue;
            bool ok = false;
            for (int i = 1; i < s; ++i) {
                x = x * x % p;
                if (x == p - 1) { ok = true; break; }
            }
            prime = ok;
        }
    }
    out[g] = prime ? (float)p : -(float)p;
}

// ---------------------------------------------------------------- 32: ray tracing of a few spheres
struct Sphere { float x, y, z, r, albedo; };
__device__ __noinline__ float hit_sphere(const Sphere& s, Vec3 o, Vec3 d) {
    float lx = s.x - o.x, ly = s.y - o.y, lz = s.z - o.z;
    float b = lx * d.x + ly * d.y + lz * d.z;
    float disc = b * b - (lx * lx + ly * ly + lz * lz) + s.r * s.r;
    if (disc < 0.0f) return -1.0f;
    float q = sqrtf(disc);
    if (b - q > 1e-3f) return b - q;
    return b + q > 1e-3f ? b + q : -1.0f;
}
extern "C" __global__ void ray_spheres(float* out, const float* in, int n) {
    __shared__ Sphere world[16];
    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    if (tid < n) {
        const float* p = in + 5 * tid;
        world[tid] = {p[0] * 4.f - 2.f, p[1] * 4.f - 2.f, 3.f + 3.f * p[2], 0.3f + 0.6f * p[3], p[4]};
    }
    __syncthreads();
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    float u = 2.0f * x / w - 1.0f, v = 2.0f * y / h - 1.0f;
    float len = rsqrtf(u * u + v * v + 1.0f);
    Vec3 o{0.f, 0.f, 0.f}, d{u * len, v * len, len};
    float color = 0.0f, weight = 1.0f;
    for (int bounce = 0; bounce < 3; ++bounce) {
        int best = -1;
        float tmin = 1e9f;
        for (int k = 0; k < n; ++k) {
            float t = hit_sphere(world[k], o, d);
            if (t > 0.0f && t < tmin) { tmin = t; best = k; }
        }
        if (best < 0) { color += weight * (0.5f + 0.5f * d.y); break; }
        Sphere s = world[best];
        o = axpy3(tmin, d, o);
        Vec3 nn{(o.x - s.x) / s.r, (o.y - s.y) / s.r, (o.z - s.z) / s.r};
        color += weight * s.albedo * fmaxf(0.0f, 0.6f * nn.x - 0.8f * nn.z);
        weight *= 0.5f;
        float dn = d.x * nn.x + d.y * nn.y + d.z * nn.z;
        d = axpy3(-2.0f * dn, nn, d);
    }
    out[y * w + x] = color;
}

// ---------------------------------------------------------------- 33: parsing numbers with a state machine
__constant__ char csv_alphabet[17] = "0123456789,,.-; ";
extern "C" __global__ void csv_numbers(float* out, const float* in, int n) {
    enum State { START, WHOLE, FRACTION, BAD };
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    State st = START;
    int fields = 0, errors = 0, sign = 1;
    float value = 0.0f, scale = 1.0f, sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        char c = csv_alphabet[bucket(in[g * n + i], 16)];
        if (c == ',' || c == ';') {
            if (st == BAD || st == START) ++errors;
            else { sum += sign * value; ++fields; }
            st = START; sign = 1; value = 0.0f; scale = 1.0f;
            if (c == ';') break;
            continue;
        }
        bool digit = c >= '0' && c <= '9';
        switch (st) {
            case START:
                if (digit) { value = (float)(c - '0'); st = WHOLE; }
                else if (c == '-') { sign = -sign; st = WHOLE; }
                else if (c == '.') st = FRACTION;
                break;
            case WHOLE:
                if (digit) value = value * 10.0f + (c - '0');
                else st = c == '.' ? FRACTION : BAD;
                break;
            case FRACTION:
                if (digit) { scale *= 0.1f; value += scale * (c - '0'); }
                else st = BAD;
                break;
            default:
                break;
        }
    }
    out[3 * g] = sum;
    out[3 * g + 1] = (float)fields;
    out[3 * g + 2] = (float)errors;
}

// ---------------------------------------------------------------- 34: run-length encoding of each block's chunk (n grey levels)
extern "C" __global__ void rle_block(float* out, const float* in, int n) {
    __shared__ int sym[256], start[257], heads[8];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    unsigned mask = warp_mask_1d();
    int q = bucket(in[blockIdx.x * blockDim.x + t], n);
    sym[t] = q;
    __syncthreads();
    bool head = t == 0 || sym[t - 1] != q;
    unsigned bal = __ballot_sync(mask, head);
    if (lane == 0) heads[w] = __popc(bal);
    __syncthreads();
    int before = 0, runs = 0;
    for (int i = 0; i < (int)(blockDim.x + 31) / 32; ++i) {
        if (i == w) before = runs;
        runs += heads[i];
    }
    int id = before + __popc(bal & ((2u << lane) - 1u)) - 1;
    if (head) start[id] = t;
    if (t == 0) start[runs] = blockDim.x;
    __syncthreads();
    float* dst = out + blockIdx.x * 2 * blockDim.x;
    if (t < runs) {
        int s = start[t];
        dst[2 * t] = (float)sym[s];
        dst[2 * t + 1] = (float)(start[t + 1] - s);
    }
}

// ---------------------------------------------------------------- 35: LZ77 longest match in a window of n
extern "C" __global__ void lz_match(float* out, const float* in, int n) {
    __shared__ unsigned char s[384];
    int total = n + blockDim.x;
    int base = blockIdx.x * blockDim.x;
    for (int i = threadIdx.x; i < total; i += blockDim.x)
        s[i] = (unsigned char)('a' + bucket(in[base + i], 3));
    __syncthreads();
    int p = n + threadIdx.x;
    int bestLen = 0, bestDist = 0;
    for (int d = 1; d <= n; ++d) {
        int len = 0;
        while (len < 12 && p + len < total && s[p + len] == s[p + len - d]) ++len;
        if (len > bestLen) {
            bestLen = len;
            bestDist = d;
            if (len >= 7) break;
        }
    }
    out[base + threadIdx.x] = (float)(bestLen * 1024 + bestDist);
}

// ---------------------------------------------------------------- 36: half precision polynomial and norms
extern "C" __global__ void half2_horner(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    float2 f = reinterpret_cast<const float2*>(in)[g];
    __half2 x = __floats2half2_rn(f.x, f.y);
    __half2 acc = __float2half2_rn(0.125f);
    const __half2 one = __float2half2_rn(1.0f);
    for (int k = 0; k < n; ++k) {
        __half2 coef = __floats2half2_rn(1.0f / (k + 2), -1.0f / (k + 3));
        acc = __hfma2(acc, x, coef);
        if (__hbgt2(__habs2(acc), one)) acc = __hmul2(acc, __float2half2_rn(0.5f));
    }
    __half2 e = h2exp(__hneg2(__hmul2(acc, acc)));
    __half2 m = __hmax2(e, __hsub2(one, x));
    __half lo = __low2half(m), hi = __high2half(m);
    __half d = __hdiv(__hadd(lo, hi), __hadd(__float2half(1.5f), lo));
    reinterpret_cast<float2*>(out)[g] = make_float2(__half2float(d), __half2float(hsqrt(hi)));
}

// ---------------------------------------------------------------- 37: softmax of a row per warp, values rounded to bfloat16
extern "C" __global__ void bf16_softmax(float* out, const float* in, int n) {
    int lane = threadIdx.x & 31;
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    const float* src = in + row * n;
    float* dst = out + row * n;
    __nv_bfloat16 mx = __float2bfloat16(-100.0f);
    for (int c = lane; c < n; c += 32) mx = __hmax(mx, __float2bfloat16(src[c] * 8.0f));
    float m = __bfloat162float(mx);
    for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
    float sum = 0.0f;
    for (int c = lane; c < n; c += 32) {
        float v = __bfloat162float(__float2bfloat16(src[c] * 8.0f));
        sum += expf(v - m);
    }
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(FULL, sum, o);
    __nv_bfloat16 inv = __float2bfloat16(1.0f / sum);
    for (int c = lane; c < n; c += 32) {
        float v = __bfloat162float(__float2bfloat16(src[c] * 8.0f));
        __nv_bfloat16 e = __float2bfloat16(expf(v - m));
        dst[c] = __bfloat162float(__hmul(e, inv));
    }
}

// ---------------------------------------------------------------- 38: Welford mean and variance in double, merged by shuffles
struct Moments { double count, mean, m2; };
__device__ Moments merge(Moments a, Moments b) {
    Moments r;
    r.count = a.count + b.count;
    if (r.count == 0.0) return a;
    double delta = b.mean - a.mean;
    double frac = b.count / r.count;
    r.mean = a.mean + delta * frac;
    r.m2 = a.m2 + b.m2 + delta * delta * a.count * frac;
    return r;
}
extern "C" __global__ void welford_double(float* out, const float* in, int n) {
    __shared__ Moments part[8];
    Moments m{0.0, 0.0, 0.0};
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        double x = (double)in[i];
        m.count += 1.0;
        double d = x - m.mean;
        m.mean += d / m.count;
        m.m2 += d * (x - m.mean);
    }
    for (int o = 16; o > 0; o >>= 1) {
        Moments b;
        b.count = __shfl_down_sync(FULL, m.count, o);
        b.mean = __shfl_down_sync(FULL, m.mean, o);
        b.m2 = __shfl_down_sync(FULL, m.m2, o);
        m = merge(m, b);
    }
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = m;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < (int)(blockDim.x >> 5); ++w) m = merge(m, part[w]);
        out[blockIdx.x * 3] = (float)m.count;
        out[blockIdx.x * 3 + 1] = (float)m.mean;
        out[blockIdx.x * 3 + 2] = m.count > 1.0 ? (float)(m.m2 / (m.count - 1.0)) : 0.0f;
    }
}

// ---------------------------------------------------------------- 39: match, vote and reduce in a warp (dice statistics)
extern "C" __global__ void match_votes(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    unsigned mask = warp_mask_1d();
    int stride = gridDim.x * blockDim.x;
    int unique = 0, agree = 0;
    unsigned total = 0;
    for (int round = 0; round < 6; ++round) {
        int face = bucket(in[round * stride + g], n);
        unsigned peers = __match_any_sync(mask, face);
        int leader = __ffs(peers) - 1;
        unsigned score = ((unsigned)__popc(peers) << 8) | (unsigned)face;
        unsigned mode = __reduce_max_sync(mask, score);
        unique += __popc(__ballot_sync(mask, lane == leader));
        total += __reduce_add_sync(mask, (unsigned)face);
        int same = 0;
        __match_all_sync(mask, face / 2 < n, &same);
        if (same && __any_sync(mask, face == n - 1)) agree += (int)(mode & 255u);
        if (__all_sync(mask, (mode >> 8) > 20u)) break;
    }
    out[g] = (float)(unique * 64 + agree) + (float)total / (float)(lane + 1);
}

// ---------------------------------------------------------------- 40: a little stack machine
struct Ins { unsigned char op; signed char arg; };
enum { HALT, PUSH, ADD, SUB, MUL, MOD, DUP, SWAP, OVER, POP, LOADX, JZ, JMP };
// v = gcd(x0, x1) * x2 + 3, then subtract 7 until v divides 5 (or v = 0), bounded by fuel = n
__constant__ Ins vm_code[24] = {
    {LOADX, 0}, {LOADX, 1},
    {DUP, 0}, {JZ, 8}, {SWAP, 0}, {OVER, 0}, {MOD, 0}, {JMP, 2},
    {POP, 0}, {LOADX, 2}, {MUL, 0}, {PUSH, 3}, {ADD, 0},
    {DUP, 0}, {PUSH, 5}, {SWAP, 0}, {MOD, 0}, {JZ, 21},
    {PUSH, 7}, {SUB, 0}, {JMP, 13}, {PUSH, 1}, {ADD, 0}, {HALT, 0}};

extern "C" __global__ void stack_vm(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int x[3] = {1 + bucket(in[g * 3], 900), 1 + bucket(in[g * 3 + 1], 900), 1 + bucket(in[g * 3 + 2], 50)};
    int st[10];
    int sp = 0, pc = 0, fuel = n;
    st[0] = 0; st[1] = 0;
    bool run = true;
    while (run && fuel-- > 0) {
        Ins ins = vm_code[pc++];
        int top, t2;
        switch (ins.op) {
            case PUSH:  st[++sp] = ins.arg; break;
            case LOADX: st[++sp] = x[ins.arg]; break;
            case ADD:   top = st[sp--]; st[sp] += top; break;
            case SUB:   top = st[sp--]; st[sp] -= top; break;
            case MUL:   top = st[sp--]; st[sp] *= top; break;
            case MOD:   top = st[sp--]; st[sp] = top ? st[sp] % top : 0; break;
            case DUP:   top = st[sp]; st[++sp] = top; break;
            case SWAP:  top = st[sp]; t2 = st[sp - 1]; st[sp] = t2; st[sp - 1] = top; break;
            case OVER:  t2 = st[sp - 1]; st[++sp] = t2; break;
            case POP:   --sp; break;
            case JZ:    top = st[sp--]; if (top == 0) pc = ins.arg; break;
            case JMP:   pc = ins.arg; break;
            default:    run = false; break;
        }
    }
    out[2 * g] = (float)st[1];
    out[2 * g + 1] = (float)(n - fuel);
}

// ---------------------------------------------------------------- 41: calendar arithmetic, full of divisions
extern "C" __global__ void calendar_div(float* out, const float* in, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int z = bucket(in[g], 1000000);
    int era = z / 146097;
    int doe = z - era * 146097;
    int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int mp = (5 * doy + 2) / 153;
    int day = doy - (153 * mp + 2) / 5 + 1;
    int month = mp < 10 ? mp + 3 : mp - 9;
    int year = yoe + era * 400 + (month <= 2);
    // a made-up calendar with n days in a week and 2n+1 weeks in a year
    int week = z / n, wday = z % n;
    int lyear = week / (2 * n + 1), lweek = week % (2 * n + 1);
    long long stamp = (long long)z * 86400LL + (long long)(in[g + 1] * 86399.0f);
    long long ticks = stamp / (n * 1000LL + 7);
    int sec = (int)(stamp % (60LL * n));
    float code;
    if (wday == 0) code = (float)(year * 10000 + month * 100 + day);
    else if ((wday & 1) == 0) code = (float)(lyear * 1000 + lweek);
    else code = (float)(ticks % 1000000LL) + sec / (60.0f * n);
    out[g] = code;
}

// ---------------------------------------------------------------- 42: connected components by label propagation, n = percent filled
extern "C" __global__ void label_prop(float* out, const float* in, int n) {
    __shared__ int lab[2][18][18];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int bw = blockDim.x, bh = blockDim.y;
    const int NONE = 1 << 20;
    int tid = threadIdx.y * bw + threadIdx.x;
    for (int i = tid; i < 2 * 18 * 18; i += bw * bh) (&lab[0][0][0])[i] = NONE;
    __syncthreads();
    int x = blockIdx.x * bw + threadIdx.x, y = blockIdx.y * bh + threadIdx.y;
    int w = gridDim.x * bw;
    bool solid = in[y * w + x] * 100.0f < (float)n;
    int mine = solid ? tid : NONE;
    lab[0][ty][tx] = mine;
    __syncthreads();
    int cur = 0, more = 1, rounds = 0;
    while (more) {
        int best = mine;
        if (solid) {
            best = min(best, min(lab[cur][ty][tx - 1], lab[cur][ty][tx + 1]));
            best = min(best, min(lab[cur][ty - 1][tx], lab[cur][ty + 1][tx]));
        }
        lab[cur ^ 1][ty][tx] = best;
        int changed = best != mine;
        mine = best;
        cur ^= 1;
        ++rounds;
        more = __syncthreads_or(changed);
    }
    out[y * w + x] = solid ? (float)mine : -(float)rounds;
}

// ---------------------------------------------------------------- 43: American put on a binomial tree, one option per block
extern __shared__ float bin_sm[];
extern "C" __global__ void binomial_tree(float* out, const float* in, int n) {
    float* v0 = bin_sm;
    float* v1 = bin_sm + n + 1;
    float S = 80.0f + 40.0f * in[blockIdx.x], K = 100.0f;
    float sigma = 0.15f + 0.3f * in[blockIdx.x + 1000];
    float dt = 1.0f / n, step = sigma * sqrtf(dt);
    float u = expf(step), disc = expf(-0.03f * dt);
    float pu = (1.0f / disc - 1.0f / u) / (u - 1.0f / u);
    for (int i = threadIdx.x; i <= n; i += blockDim.x)
        v0[i] = fmaxf(K - S * powf(u, (float)(2 * i - n)), 0.0f);
    __syncthreads();
    for (int level = n - 1; level >= 0; --level) {
        for (int i = threadIdx.x; i <= level; i += blockDim.x) {
            float hold = disc * (pu * v0[i + 1] + (1.0f - pu) * v0[i]);
            float now = K - S * __expf(step * (float)(2 * i - level));
            v1[i] = fmaxf(hold, now);
        }
        float* tmp = v0; v0 = v1; v1 = tmp;
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = v0[0];
}

// ---------------------------------------------------------------- 44: particles to grid with float atomics
extern "C" __global__ void scatter_fa(float* out, const float* in, int n) {
    const int W = 64;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 p = reinterpret_cast<const float2*>(in)[i];
        float fx = p.x * (W - 2), fy = p.y * (W - 2);
        int ix = (int)floorf(fx), iy = (int)floorf(fy);
        float tx = fx - ix, ty = fy - iy;
        float q = 0.5f + in[2 * n + i];
        float* cell = out + iy * W + ix;
        atomicAdd(cell, q * (1.0f - tx) * (1.0f - ty));
        atomicAdd(cell + 1, q * tx * (1.0f - ty));
        atomicAdd(cell + W, q * (1.0f - tx) * ty);
        atomicAdd(cell + W + 1, q * tx * ty);
    }
}

// ---------------------------------------------------------------- 45: Bloom filter with n keys per block
__device__ unsigned fnv1a(unsigned key, unsigned salt) {
    unsigned h = 2166136261u ^ salt;
    for (int i = 0; i < 4; ++i) {
        h = (h ^ (key & 255u)) * 16777619u;
        key >>= 8;
    }
    return h;
}
extern "C" __global__ void bloom_filter(float* out, const float* in, int n) {
    __shared__ unsigned bits[64];
    __shared__ int falsepos;
    for (int i = threadIdx.x; i < 64; i += blockDim.x) bits[i] = 0;
    if (threadIdx.x == 0) falsepos = 0;
    __syncthreads();
    int base = blockIdx.x * 2 * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned key = __float_as_uint(in[base + i]);
        for (unsigned k = 0; k < 3; ++k) {
            unsigned h = (fnv1a(key, k * 0x9e37u) ^ mix32(key + k)) & 2047u;
            atomicOr(&bits[h >> 5], 1u << (h & 31));
        }
    }
    __syncthreads();
    int hits = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned key = __float_as_uint(in[base + n + i]);
        bool maybe = true;
        for (unsigned k = 0; k < 3 && maybe; ++k) {
            unsigned h = (fnv1a(key, k * 0x9e37u) ^ mix32(key + k)) & 2047u;
            maybe = (bits[h >> 5] >> (h & 31)) & 1u;
        }
        hits += maybe;
    }
    if (hits) atomicAdd(&falsepos, hits);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = (float)falsepos;
}
