// 44 small CUDA kernels, all with the same signature.
//   in : 1048576 floats, uniform in [0,1)     out : 1048576 floats, zero before the launch
// Blocks are one-dimensional and have at most 256 threads.
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

#define KERNEL extern "C" __global__ void

constexpr int CAP = 1 << 20;
constexpr int CAPMASK = CAP - 1;
constexpr int MAXB = 256;

extern __shared__ __align__(16) unsigned char dyn[];

// ------------------------------------------------------------------ helpers
__device__ __forceinline__ int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }
__device__ __forceinline__ int qint(float x, int range) {
    int v = (int)(x * (float)range);
    return v < range ? v : range - 1;
}
// threads of this warp that exist (the last warp of a block may be partial)
__device__ __forceinline__ int lanesHere() {
    int rem = (int)blockDim.x - (int)(threadIdx.x & ~31u);
    return rem < 32 ? rem : 32;
}
__device__ __forceinline__ unsigned maskOf(int cnt) { return cnt >= 32 ? 0xffffffffu : ((1u << cnt) - 1u); }

struct AddOp { __device__ float operator()(float a, float b) const { return a + b; } };
struct MaxOp { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };

template <class Op>
__device__ __forceinline__ float warpReduce(float v, unsigned mask, int cnt, Op op) {
    int lane = threadIdx.x & 31;
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) {
        int src = lane + o;
        float w = __shfl_sync(mask, v, src < cnt ? src : lane);
        if (src < cnt) v = op(v, w);
    }
    return v;   // right in lane 0
}

template <class Op>
__device__ float blockReduce(float v, float ident, Op op, float* sh) {
    int cnt = lanesHere();
    unsigned mask = maskOf(cnt);
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5, nw = (blockDim.x + 31) >> 5;
    v = warpReduce(v, mask, cnt, op);
    if (lane == 0) sh[w] = v;
    __syncthreads();
    if (w == 0) {
        v = lane < nw ? sh[lane] : ident;
        v = warpReduce(v, mask, cnt, op);
        if (lane == 0) sh[0] = v;
    }
    __syncthreads();
    float r = sh[0];
    __syncthreads();
    return r;
}

// ------------------------------------------------------------------ 1. tree reduction in shared memory
KERNEL block_sum_tree(float* out, const float* in, int n) {   // shared: blockDim*4
    float* s = (float*)dyn;
    int t = threadIdx.x, m = clampi(n, 0, CAP);
    float acc = 0.f;
    for (int i = blockIdx.x * blockDim.x + t; i < m; i += gridDim.x * blockDim.x) acc += in[i];
    s[t] = acc;
    __syncthreads();
    for (int len = blockDim.x; len > 1;) {
        int half = (len + 1) >> 1;
        if (t < len - half) s[t] += s[t + half];
        __syncthreads();
        len = half;
    }
    if (t == 0 && blockIdx.x < CAP) out[blockIdx.x] = s[0];
}

// ------------------------------------------------------------------ 2. softmax over a row, a block a row
KERNEL softmax_rows(float* out, const float* in, int n) {     // shared: n*4
    float* row = (float*)dyn;
    __shared__ float sh[32];
    int L = clampi(n, 1, 1024), t = threadIdx.x;
    if ((long long)(blockIdx.x + 1) * L > CAP) return;
    const float* src = in + blockIdx.x * L;
    float mx = -1e30f;
    for (int i = t; i < L; i += blockDim.x) {
        float x = 8.f * src[i] - 4.f;
        row[i] = x;
        mx = fmaxf(mx, x);
    }
    mx = blockReduce(mx, -1e30f, MaxOp(), sh);
    float sum = 0.f;
    for (int i = t; i < L; i += blockDim.x) {
        float e = __expf(row[i] - mx);
        row[i] = e;
        sum += e;
    }
    sum = blockReduce(sum, 0.f, AddOp(), sh);
    float inv = 1.f / sum;
    for (int i = t; i < L; i += blockDim.x) out[blockIdx.x * L + i] = row[i] * inv;
}

// ------------------------------------------------------------------ 3. dot product, one float atomic a block
KERNEL dot_product_fa(float* out, const float* in, int n) {
    __shared__ float sh[32];
    int m = clampi(n, 0, CAP / 2);
    float acc = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x)
        acc = fmaf(in[i], in[CAP - 1 - i], acc);
    acc = blockReduce(acc, 0.f, AddOp(), sh);
    if (threadIdx.x == 0) atomicAdd(out, acc);
}

// ------------------------------------------------------------------ 4. inclusive scan, Hillis and Steele
KERNEL scan_hillis_steele(float* out, const float* in, int n) {   // shared: 2*blockDim*4
    float* s = (float*)dyn;
    int t = threadIdx.x, B = blockDim.x, i = blockIdx.x * B + t, m = clampi(n, 0, CAP);
    int p = 0;
    s[t] = i < m ? in[i] : 0.f;
    __syncthreads();
    for (int o = 1; o < B; o <<= 1) {
        float x = s[p * B + t];
        if (t >= o) x += s[p * B + t - o];
        p ^= 1;
        s[p * B + t] = x;
        __syncthreads();
    }
    if (i < m) out[i] = s[p * B + t];
}

// ------------------------------------------------------------------ 5. exclusive scan of 256 integers, Blelloch, padded banks
#define PADI(i) ((i) + ((i) >> 5))
KERNEL scan_blelloch(float* out, const float* in, int n) {
    __shared__ int s[256 + 8];
    int t = threadIdx.x, B = blockDim.x, m = clampi(n, 0, CAP);
    long long base = (long long)blockIdx.x * 256;
    if (base + 256 > CAP) return;
    for (int k = t; k < 256; k += B) s[PADI(k)] = base + k < m ? qint(in[base + k], 10) : 0;
    int offset = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        for (int k = t; k < d; k += B) {
            int ai = offset * (2 * k + 1) - 1, bi = offset * (2 * k + 2) - 1;
            s[PADI(bi)] += s[PADI(ai)];
        }
        offset <<= 1;
    }
    if (t == 0) s[PADI(255)] = 0;
    for (int d = 1; d < 256; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        for (int k = t; k < d; k += B) {
            int ai = PADI(offset * (2 * k + 1) - 1), bi = PADI(offset * (2 * k + 2) - 1);
            int x = s[ai];
            s[ai] = s[bi];
            s[bi] += x;
        }
    }
    __syncthreads();
    int* o = (int*)out;
    for (int k = t; k < 256; k += B) o[base + k] = s[PADI(k)];
}

// ------------------------------------------------------------------ 6. segmented scan in a warp
KERNEL segscan_warp(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, m = clampi(n, 0, CAP);
    int lane = threadIdx.x & 31;
    unsigned mask = maskOf(lanesHere());
    float v = 0.f;
    bool head = lane == 0;
    if (i < m) {
        v = in[i];
        head = head || in[(i * 7 + 3) & CAPMASK] < 0.2f;
    }
    unsigned heads = __ballot_sync(mask, head);
    int start = 31 - __clz(heads & (0xffffffffu >> (31 - lane)));   // nearest head at or before me
    for (int o = 1; o < 32; o <<= 1) {
        float w = __shfl_up_sync(mask, v, o);
        if (lane - o >= start) v += w;
    }
    if (i < m) out[i] = v;
}

// ------------------------------------------------------------------ 7. bitonic sort of 512 in shared memory
KERNEL bitonic_sort_block(float* out, const float* in, int n) {
    __shared__ float s[512];
    int t = threadIdx.x, B = blockDim.x, m = clampi(n, 0, CAP);
    if ((long long)(blockIdx.x + 1) * 512 > CAP) return;
    int base = blockIdx.x * 512;
    for (int i = t; i < 512; i += B) s[i] = base + i < m ? in[base + i] : 2.f;
    __syncthreads();
    for (int k = 2; k <= 512; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            for (int p = t; p < 256; p += B) {
                int a = 2 * p - (p & (j - 1)), b = a + j;
                bool up = (a & k) == 0;
                float x = s[a], y = s[b];
                if ((x > y) == up) { s[a] = y; s[b] = x; }
            }
            __syncthreads();
        }
    for (int i = t; i < 512; i += B) out[base + i] = s[i];
}

// ------------------------------------------------------------------ 8. open-addressing hash table in shared memory
__device__ __forceinline__ unsigned mix32(unsigned h) {
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    return h;
}
KERNEL hash_probe(float* out, const float* in, int n) {
    __shared__ unsigned keys[128];
    __shared__ int vals[128];
    int t = threadIdx.x, B = blockDim.x;
    int nk = clampi(n, 1, 96);
    for (int i = t; i < 128; i += B) { keys[i] = 0xffffffffu; vals[i] = -1; }
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < nk; i++) {
            unsigned k = (unsigned)qint(in[(blockIdx.x * 128 + i) & CAPMASK], 300);
            unsigned h = mix32(k) & 127u;
            while (keys[h] != 0xffffffffu && keys[h] != k) h = (h + 1) & 127u;
            keys[h] = k;
            vals[h] = i;
        }
    }
    __syncthreads();
    unsigned gid = blockIdx.x * B + t;
    int found = 0, probes = 0;
    for (int q = 0; q < 6; q++) {
        unsigned k = (unsigned)qint(in[(gid * 6 + q + 5000) & CAPMASK], 300);
        unsigned h = mix32(k) & 127u;
        for (;;) {
            unsigned x = keys[h];
            probes++;
            if (x == k) { found += vals[h] + 1; break; }
            if (x == 0xffffffffu) break;
            h = (h + 1) & 127u;
        }
    }
    if (gid < CAP) ((int*)out)[gid] = found * 256 + probes;
}

// ------------------------------------------------------------------ 9. radix sort by 1-bit splits with ballots
KERNEL radix_split_ballot(float* out, const float* in, int n) {
    __shared__ unsigned keys[MAXB];
    __shared__ int wz[8];
    int t = threadIdx.x, B = blockDim.x, lane = t & 31, w = t >> 5, nw = (B + 31) >> 5;
    int gid = blockIdx.x * B + t, m = clampi(n, 0, CAP);
    unsigned mask = maskOf(lanesHere());
    keys[t] = gid < m ? (unsigned)qint(in[gid], 256) : 255u;
    __syncthreads();
    for (int bit = 0; bit < 8; bit++) {
        unsigned k = keys[t];
        bool zero = ((k >> bit) & 1u) == 0;
        unsigned b = __ballot_sync(mask, zero);
        if (lane == 0) wz[w] = __popc(b);
        __syncthreads();
        int before = 0, total = 0;
        for (int j = 0; j < nw; j++) {
            int c = wz[j];
            if (j < w) before += c;
            total += c;
        }
        int rank = before + __popc(b & ((1u << lane) - 1u));
        keys[zero ? rank : total + (t - rank)] = k;
        __syncthreads();
    }
    if (gid < CAP) ((unsigned*)out)[gid] = keys[t];
}

// ------------------------------------------------------------------ 10. merge of two sorted lists, merge path
KERNEL merge_path(float* out, const float* in, int n) {
    constexpr int MX = 160, IT = 5;
    __shared__ int A[MX], Bq[MX];
    int t = threadIdx.x, NB = MX, NA = clampi(n, 10, MX), total = NA + NB;
    if ((long long)(blockIdx.x + 1) * (2 * MX) > CAP) return;
    int base = blockIdx.x * 2 * MX;
    for (int i = t; i < NA; i += blockDim.x) A[i] = 4 * i + qint(in[base + i], 4);
    for (int i = t; i < NB; i += blockDim.x) Bq[i] = 5 * i + qint(in[base + MX + i], 5);
    __syncthreads();
    int chunks = (total + IT - 1) / IT;
    int* o = (int*)out;
    for (int c = t; c < chunks; c += blockDim.x) {
        int diag = c * IT;
        int lo = diag > NB ? diag - NB : 0, hi = diag < NA ? diag : NA;
        while (lo < hi) {
            int mid = (lo + hi) >> 1;
            if (A[mid] <= Bq[diag - 1 - mid]) lo = mid + 1; else hi = mid;
        }
        int i = lo, j = diag - lo;
        for (int k = 0; k < IT && diag + k < total; k++) {
            bool takeA = j >= NB || (i < NA && A[i] <= Bq[j]);
            o[base + diag + k] = takeA ? A[i++] : Bq[j++];
        }
    }
}

// ------------------------------------------------------------------ 11. heat equation, two steps on a 16x16 tile with a halo of 2
KERNEL heat2d_tile(float* out, const float* in, int n) {
    __shared__ float a[20][20], b[20][20];
    int W = clampi(n, 16, 1024), tiles = (W + 15) / 16;
    if (blockIdx.x >= tiles * tiles) return;
    int bx = (blockIdx.x % tiles) * 16, by = (blockIdx.x / tiles) * 16, t = threadIdx.x, B = blockDim.x;
    for (int e = t; e < 400; e += B) {
        int y = clampi(by + e / 20 - 2, 0, W - 1), x = clampi(bx + e % 20 - 2, 0, W - 1);
        a[e / 20][e % 20] = in[y * W + x];
    }
    __syncthreads();
    for (int e = t; e < 18 * 18; e += B) {
        int y = e / 18 + 1, x = e % 18 + 1;
        float c = a[y][x];
        b[y][x] = c + 0.2f * (a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1] - 4.f * c);
    }
    __syncthreads();
    for (int e = t; e < 256; e += B) {
        int y = e / 16 + 2, x = e % 16 + 2;
        float c = b[y][x];
        float r = c + 0.2f * (b[y - 1][x] + b[y + 1][x] + b[y][x - 1] + b[y][x + 1] - 4.f * c);
        int gy = by + y - 2, gx = bx + x - 2;
        if (gy < W && gx < W) out[gy * W + gx] = r;
    }
}

// ------------------------------------------------------------------ 12. FIR filter, taps in constant memory
__constant__ float firTaps[9] = {0.0205f, 0.0615f, 0.1230f, 0.1845f, 0.2210f, 0.1845f, 0.1230f, 0.0615f, 0.0205f};
KERNEL fir_constant(float* out, const float* in, int n) {      // shared: (blockDim+8)*4
    float* s = (float*)dyn;
    int t = threadIdx.x, B = blockDim.x, base = blockIdx.x * B, m = clampi(n, 0, CAP);
    for (int k = t; k < B + 8; k += B) {
        int g = base + k - 4;
        s[k] = (g >= 0 && g < m) ? in[g] : 0.f;
    }
    __syncthreads();
    if (base + t < m) {
        float acc = 0.f;
#pragma unroll
        for (int k = 0; k < 9; k++) acc = fmaf(firTaps[k], s[t + k], acc);
        out[base + t] = acc;
    }
}

// ------------------------------------------------------------------ 13. tiled matrix product, 16x16 tiles (at least 128 threads)
KERNEL matmul_tile16(float* out, const float* in, int n) {
    __shared__ float sA[16][17], sB[16][17];
    int M = clampi(n, 1, 512), tiles = (M + 15) / 16;
    if (blockIdx.x >= tiles * tiles || blockDim.x < 128) return;
    int row0 = (blockIdx.x / tiles) * 16, col0 = (blockIdx.x % tiles) * 16, t = threadIdx.x, B = blockDim.x;
    const float* a = in;
    const float* b = in + M * M;
    float acc[2] = {0.f, 0.f};
    for (int k0 = 0; k0 < M; k0 += 16) {
        for (int e = t; e < 256; e += B) {
            int r = e >> 4, c = e & 15;
            sA[r][c] = (row0 + r < M && k0 + c < M) ? a[(row0 + r) * M + k0 + c] : 0.f;
            sB[r][c] = (k0 + r < M && col0 + c < M) ? b[(k0 + r) * M + col0 + c] : 0.f;
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 2; q++) {
            int e = t + q * B;
            if (e < 256) {
                int r = e >> 4, c = e & 15;
#pragma unroll
                for (int k = 0; k < 16; k++) acc[q] = fmaf(sA[r][k], sB[k][c], acc[q]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < 2; q++) {
        int e = t + q * B;
        int r = row0 + (e >> 4), c = col0 + (e & 15);
        if (e < 256 && r < M && c < M) out[r * M + c] = acc[q];
    }
}

// ------------------------------------------------------------------ 14. transpose through a padded tile
KERNEL transpose_padded(float* out, const float* in, int n) {
    __shared__ float tile[32][33];
    int W = clampi(n, 1, 1000), H = W / 2 + 3;
    int tx = (W + 31) / 32, ty = (H + 31) / 32;
    for (int b = blockIdx.x; b < tx * ty; b += gridDim.x) {
        int x0 = (b % tx) * 32, y0 = (b / tx) * 32;
        for (int e = threadIdx.x; e < 1024; e += blockDim.x) {
            int y = e >> 5, x = e & 31;
            if (x0 + x < W && y0 + y < H) tile[y][x] = in[(y0 + y) * W + x0 + x];
        }
        __syncthreads();
        for (int e = threadIdx.x; e < 1024; e += blockDim.x) {
            int x = e >> 5, y = e & 31;
            if (x0 + x < W && y0 + y < H) out[(x0 + x) * H + y0 + y] = tile[y][x];
        }
        __syncthreads();
    }
}

// ------------------------------------------------------------------ 15. histogram, shared then global integer atomics
KERNEL hist_shared(float* out, const float* in, int n) {
    __shared__ unsigned h[64];
    int m = clampi(n, 0, CAP);
    for (int i = threadIdx.x; i < 64; i += blockDim.x) h[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {
        float x = in[i];
        atomicAdd(&h[qint(x * x, 64)], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) {
        unsigned c = h[i];
        if (c) atomicAdd((unsigned*)out + i, c);
    }
}

// ------------------------------------------------------------------ 16. particles as structs, 16-byte loads and stores
struct alignas(16) Particle { float x, y, z, mass; float vx, vy, vz, age; };
__device__ __forceinline__ void bounce(float& p, float& v) {
    if (p < 0.f) { p = -p; v = -v; }
    else if (p > 1.f) { p = 2.f - p; v = -v; }
}
KERNEL particle_vec4(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP / 8)) return;
    float4 p4 = ((const float4*)in)[2 * i], v4 = ((const float4*)in)[2 * i + 1];
    Particle p{p4.x, p4.y, p4.z, p4.w + 0.5f, v4.x - 0.5f, v4.y - 0.5f, v4.z - 0.5f, v4.w};
    int steps = 3 + qint(p4.w, 8);
    const float dt = 0.125f;
    for (int s = 0; s < steps; s++) {
        float drag = 1.f - 0.05f / p.mass;
        p.vx *= drag;
        p.vy = p.vy * drag - 0.3f * dt;
        p.vz *= drag;
        p.x += p.vx * dt; p.y += p.vy * dt; p.z += p.vz * dt;
        bounce(p.x, p.vx); bounce(p.y, p.vy); bounce(p.z, p.vz);
        p.age += dt;
        if (p.age > 1.6f) break;
    }
    *(Particle*)(out + 8 * i) = p;
}

// ------------------------------------------------------------------ 17. sparse matrix times vector, CSR, a warp a row
KERNEL spmv_csr_warp(float* out, const float* in, int n) {
    int rows = clampi(n, 0, 8192), cnt = lanesHere(), lane = threadIdx.x & 31;
    unsigned mask = maskOf(cnt);
    int warpsPerBlock = (blockDim.x + 31) >> 5;
    int warp = blockIdx.x * warpsPerBlock + (threadIdx.x >> 5);
    for (int r = warp; r < rows; r += gridDim.x * warpsPerBlock) {
        int start = r * 96, len = 1 + qint(in[r], 90);
        float acc = 0.f;
        for (int k = lane; k < len; k += cnt) {
            int col = qint(in[(start + k) & CAPMASK], 4096);
            float val = in[(start + k + 131072) & CAPMASK];
            acc = fmaf(val, in[col], acc);
        }
        acc = warpReduce(acc, mask, cnt, AddOp());
        if (lane == 0) out[r] = acc;
    }
}

// ------------------------------------------------------------------ 18. ray casting among spheres, early exits
__device__ __noinline__ float hitSphere(float ox, float oy, float oz, float dx, float dy, float dz, float4 s) {
    float cx = ox - s.x, cy = oy - s.y, cz = oz - s.z;
    float b = cx * dx + cy * dy + cz * dz;
    float c = cx * cx + cy * cy + cz * cz - s.w * s.w;
    float disc = b * b - c;
    if (disc < 0.f) return -1.f;
    float q = sqrtf(disc);
    float t0 = -b - q;
    if (t0 > 1e-3f) return t0;
    float t1 = -b + q;
    return t1 > 1e-3f ? t1 : -1.f;
}
KERNEL ray_spheres(float* out, const float* in, int n) {
    __shared__ float4 sph[10];
    for (int i = threadIdx.x; i < 10; i += blockDim.x)
        sph[i] = make_float4(4.f * in[4 * i] - 2.f, 4.f * in[4 * i + 1] - 2.f, 2.f + 4.f * in[4 * i + 2], 0.3f + 0.7f * in[4 * i + 3]);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP / 2)) return;
    float dx = in[2 * i] - 0.5f, dy = in[2 * i + 1] - 0.5f, dz = 0.6f;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz);
    dx *= inv; dy *= inv; dz *= inv;
    float ox = 0.f, oy = 0.f, oz = -1.f, light = 0.f, weight = 1.f;
    for (int bounceNo = 0; bounceNo < 4; bounceNo++) {
        float best = 1e30f;
        int who = -1;
        for (int s = 0; s < 10; s++) {
            float h = hitSphere(ox, oy, oz, dx, dy, dz, sph[s]);
            if (h > 0.f && h < best) { best = h; who = s; }
        }
        if (who < 0) { light += weight * (0.5f + 0.5f * dy); break; }
        float4 S = sph[who];
        ox += best * dx; oy += best * dy; oz += best * dz;
        float nx = (ox - S.x) / S.w, ny = (oy - S.y) / S.w, nz = (oz - S.z) / S.w;
        float d = 2.f * (dx * nx + dy * ny + dz * nz);
        dx -= d * nx; dy -= d * ny; dz -= d * nz;
        light += weight * 0.1f * (float)(who + 1);
        weight *= 0.6f;
    }
    out[i] = light;
}

// ------------------------------------------------------------------ 19. breadth-first search, pull, a graph a block
KERNEL bfs_pull(float* out, const float* in, int n) {
    __shared__ int dist[256];
    constexpr int INF = 1 << 20;
    int V = clampi(n, 8, 256), t = threadIdx.x, B = blockDim.x;
    if ((long long)(blockIdx.x + 1) * 1024 > CAP || B < 8) return;
    const float* g = in + blockIdx.x * 1024;
    for (int v = t; v < V; v += B) dist[v] = v == 0 ? 0 : INF;
    __syncthreads();
    int level = 0, changed;
    do {
        unsigned found = 0;
        int k = 0;
        for (int v = t; v < V; v += B, k++) {
            if (dist[v] != INF) continue;
            for (int e = 0; e < 3; e++) {
                int u = qint(g[v * 3 + e], V);
                if (dist[u] == level) { found |= 1u << k; break; }
            }
        }
        __syncthreads();
        k = 0;
        for (int v = t; v < V; v += B, k++)
            if ((found >> k) & 1u) dist[v] = level + 1;
        level++;
        changed = __syncthreads_or(found != 0);
    } while (changed);
    int* o = (int*)out + blockIdx.x * 256;
    for (int v = t; v < V; v += B) o[v] = dist[v] == INF ? -1 : dist[v];
}

// ------------------------------------------------------------------ 20. string search, Knuth-Morris-Pratt
__constant__ char kmpPattern[8] = {'a', 'b', 'a', 'a', 'b', 'a', 'b', 0};
KERNEL kmp_search(float* out, const float* in, int n) {
    __shared__ int fail[8];
    __shared__ int patLen;
    if (threadIdx.x == 0) {
        int L = 0;
        while (kmpPattern[L]) L++;
        fail[0] = 0;
        for (int i = 1, k = 0; i < L; i++) {
            while (k > 0 && kmpPattern[i] != kmpPattern[k]) k = fail[k - 1];
            if (kmpPattern[i] == kmpPattern[k]) k++;
            fail[i] = k;
        }
        patLen = L;
    }
    __syncthreads();
    int gid = blockIdx.x * blockDim.x + threadIdx.x, L = patLen;
    if (gid >= clampi(n, 0, CAP / 64)) return;
    int hits = 0, last = -1, k = 0;
    for (int j = 0; j < 48; j++) {
        char c = in[gid * 48 + j] < 0.55f ? 'a' : 'b';
        while (k > 0 && c != kmpPattern[k]) k = fail[k - 1];
        if (c == kmpPattern[k]) k++;
        if (k == L) { hits++; last = j; k = fail[L - 1]; }
    }
    ((int*)out)[2 * gid] = hits;
    ((int*)out)[2 * gid + 1] = last;
}

// ------------------------------------------------------------------ 21. finite automaton that finds numbers in text
KERNEL dfa_tokens(float* out, const float* in, int n) {
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid >= clampi(n, 0, CAP / 64)) return;
    enum { START, SIGN, INTEGER, POINT, FRACTION, EXP, EXPSIGN, EXPDIGITS, ERROR };
    int state = START, ints = 0, floats = 0, errors = 0;
    unsigned value = 0;
    for (int j = 0; j < 40; j++) {
        int c = qint(in[gid * 64 + j], 16);
        bool digit = c < 9, point = c == 9, e = c == 10, sign = c == 11, space = c >= 12;
        switch (state) {
        case START:
            if (digit) { state = INTEGER; value = (unsigned)c; }
            else if (sign) state = SIGN;
            else if (point) state = POINT;
            else if (!space) state = ERROR;
            break;
        case SIGN:
            state = digit ? INTEGER : point ? POINT : ERROR;
            break;
        case INTEGER:
            if (digit) value = value * 10u + (unsigned)c;
            else if (point) state = FRACTION;
            else if (e) state = EXP;
            else if (space) { ints++; state = START; }
            else state = ERROR;
            break;
        case POINT:
            state = digit ? FRACTION : ERROR;
            break;
        case FRACTION:
            if (e) state = EXP;
            else if (space) { floats++; state = START; }
            else if (!digit) state = ERROR;
            break;
        case EXP:
            state = digit ? EXPDIGITS : sign ? EXPSIGN : ERROR;
            break;
        case EXPSIGN:
            state = digit ? EXPDIGITS : ERROR;
            break;
        case EXPDIGITS:
            if (space) { floats++; state = START; }
            else if (!digit) state = ERROR;
            break;
        default:
            if (space) { errors++; state = START; }
            break;
        }
    }
    int4 r = make_int4(ints, floats, errors, (int)value);
    ((int4*)out)[gid] = r;
}

// ------------------------------------------------------------------ 22. Philox random numbers, Monte Carlo for pi
__device__ __forceinline__ uint4 philox10(uint4 c, uint2 k) {
#pragma unroll
    for (int r = 0; r < 10; r++) {
        unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
        unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
        c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
        k.x += 0x9E3779B9u; k.y += 0xBB67AE85u;
    }
    return c;
}
KERNEL philox_pi(float* out, const float* in, int n) {
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = maskOf(lanesHere());
    unsigned hits = 0;
    if (gid < (unsigned)clampi(n, 0, CAP)) {
        uint2 key = make_uint2((unsigned)qint(in[0], 65536), 17u);
        for (unsigned d = 0; d < 6; d++) {
            uint4 r = philox10(make_uint4(gid, d, 0u, 0u), key);
            const float s = 2.3283064e-10f;
            float x0 = r.x * s, y0 = r.y * s, x1 = r.z * s, y1 = r.w * s;
            hits += (x0 * x0 + y0 * y0 < 1.f);
            hits += (x1 * x1 + y1 * y1 < 1.f);
        }
    }
    unsigned sum = __reduce_add_sync(mask, hits);
    if ((threadIdx.x & 31) == 0) atomicAdd((unsigned*)out, sum);
}

// ------------------------------------------------------------------ 23. n-body, tiles of bodies in shared memory
KERNEL nbody_tiles(float* out, const float* in, int n) {       // shared: blockDim*16
    float4* tile = (float4*)dyn;
    int N = clampi(n, 1, 1024), B = blockDim.x, t = threadIdx.x, i = blockIdx.x * B + t;
    const float4* body = (const float4*)in;
    float4 me = body[i < N ? i : N - 1];
    float ax = 0.f, ay = 0.f, az = 0.f;
    for (int base = 0; base < N; base += B) {
        int cnt = N - base < B ? N - base : B;
        if (t < cnt) tile[t] = body[base + t];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < cnt; j++) {
            float4 o = tile[j];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float ir = rsqrtf(r2);
            float f = o.w * ir * ir * ir;
            ax = fmaf(f, dx, ax); ay = fmaf(f, dy, ay); az = fmaf(f, dz, az);
        }
        __syncthreads();
    }
    if (i < N) ((float4*)out)[i] = make_float4(ax, ay, az, me.w);
}

// ------------------------------------------------------------------ 24. median filter 3x3, exchange network
__device__ __forceinline__ void cswap(float& a, float& b) {
    float lo = fminf(a, b), hi = fmaxf(a, b);
    a = lo; b = hi;
}
KERNEL median3x3(float* out, const float* in, int n) {
    const int H = 24;
    int W = clampi(n, 3, 4096);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < W * H; i += gridDim.x * blockDim.x) {
        int y = i / W, x = i - y * W;
        float p[9];
#pragma unroll
        for (int dy = -1; dy <= 1; dy++)
#pragma unroll
            for (int dx = -1; dx <= 1; dx++) {
                int yy = min(max(y + dy, 0), H - 1), xx = min(max(x + dx, 0), W - 1);
                p[(dy + 1) * 3 + dx + 1] = __ldg(&in[yy * W + xx]);
            }
        cswap(p[1], p[2]); cswap(p[4], p[5]); cswap(p[7], p[8]);
        cswap(p[0], p[1]); cswap(p[3], p[4]); cswap(p[6], p[7]);
        cswap(p[1], p[2]); cswap(p[4], p[5]); cswap(p[7], p[8]);
        cswap(p[0], p[3]); cswap(p[5], p[8]); cswap(p[4], p[7]);
        cswap(p[3], p[6]); cswap(p[1], p[4]); cswap(p[2], p[5]);
        cswap(p[4], p[7]); cswap(p[4], p[2]); cswap(p[6], p[4]);
        cswap(p[4], p[2]);
        out[i] = p[4];
    }
}

// ------------------------------------------------------------------ 25. edit distance, a pair of strings a thread, local arrays
KERNEL edit_distance(float* out, const float* in, int n) {
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid >= clampi(n, 0, CAP / 32)) return;
    const float* p = in + gid * 32;
    int la = 5 + qint(p[0], 7), lb = 5 + qint(p[1], 7);
    unsigned char a[12], row[13];
    for (int i = 0; i < la; i++) a[i] = (unsigned char)qint(p[2 + i], 4);
    for (int i = 0; i <= la; i++) row[i] = (unsigned char)i;
    for (int j = 1; j <= lb; j++) {
        unsigned char c = (unsigned char)qint(p[14 + j], 4);
        int diag = row[0];
        row[0] = (unsigned char)j;
        for (int i = 1; i <= la; i++) {
            int up = row[i];
            int v = diag + (a[i - 1] != c);
            if (up + 1 < v) v = up + 1;
            if (row[i - 1] + 1 < v) v = row[i - 1] + 1;
            row[i] = (unsigned char)v;
            diag = up;
        }
    }
    ((int*)out)[gid] = row[la];
}

// ------------------------------------------------------------------ 26. Smith-Waterman, wavefront over anti-diagonals
KERNEL smith_waterman(float* out, const float* in, int n) {
    constexpr int MX = 40;
    __shared__ int Hm[MX + 1][MX + 1];
    __shared__ int a[MX], b[MX];
    __shared__ int best;
    int L = clampi(n, 4, MX), t = threadIdx.x, B = blockDim.x;
    int base = (blockIdx.x * 2 * MX) & (CAPMASK >> 1);
    for (int e = t; e < (MX + 1) * (MX + 1); e += B) Hm[e / (MX + 1)][e % (MX + 1)] = 0;
    for (int i = t; i < L; i += B) { a[i] = qint(in[base + i], 4); b[i] = qint(in[base + MX + i], 4); }
    if (t == 0) best = 0;
    __syncthreads();
    int mine = 0;
    for (int d = 2; d <= 2 * L; d++) {
        int lo = d - L > 1 ? d - L : 1, hi = d - 1 < L ? d - 1 : L;
        for (int i = lo + t; i <= hi; i += B) {
            int j = d - i;
            int s = Hm[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -2);
            s = max(s, Hm[i - 1][j] - 2);
            s = max(s, Hm[i][j - 1] - 2);
            s = max(s, 0);
            Hm[i][j] = s;
            mine = max(mine, s);
        }
        __syncthreads();
    }
    if (mine > 0) atomicMax(&best, mine);
    __syncthreads();
    if (t == 0 && blockIdx.x < CAP) ((int*)out)[blockIdx.x] = best;
}

// ------------------------------------------------------------------ 27. LU with partial pivoting, 5x5 doubles a thread
KERNEL lu_pivot_double(float* out, const float* in, int n) {
    constexpr int D = 5;
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid >= clampi(n, 0, CAP / 32)) return;
    double A[D][D], x[D];
    for (int r = 0; r < D; r++)
        for (int c = 0; c < D; c++) A[r][c] = (double)in[gid * 32 + r * D + c] - 0.5;
    for (int r = 0; r < D; r++) x[r] = in[gid * 32 + 25 + r];
    double det = 1.0;
    bool singular = false;
    for (int k = 0; k < D; k++) {
        int p = k;
        double big = fabs(A[k][k]);
        for (int r = k + 1; r < D; r++)
            if (fabs(A[r][k]) > big) { big = fabs(A[r][k]); p = r; }
        if (big < 1e-12) { singular = true; break; }
        if (p != k) {
            for (int c = 0; c < D; c++) { double w = A[k][c]; A[k][c] = A[p][c]; A[p][c] = w; }
            double w = x[k]; x[k] = x[p]; x[p] = w;
            det = -det;
        }
        det *= A[k][k];
        double inv = 1.0 / A[k][k];
        for (int r = k + 1; r < D; r++) {
            double f = A[r][k] * inv;
            for (int c = k + 1; c < D; c++) A[r][c] -= f * A[k][c];
            x[r] -= f * x[k];
        }
    }
    if (!singular)
        for (int r = D - 1; r >= 0; r--) {
            double s = x[r];
            for (int c = r + 1; c < D; c++) s -= A[r][c] * x[c];
            x[r] = s / A[r][r];
        }
    double* o = (double*)out + gid * 2;
    o[0] = det;
    o[1] = singular ? 0.0 : x[0] + x[D - 1];
}

// ------------------------------------------------------------------ 28. Cholesky of a small matrix in shared memory
KERNEL cholesky_block(float* out, const float* in, int n) {
    constexpr int MX = 20;
    __shared__ float M[MX][MX], A[MX][MX + 1];
    int D = clampi(n, 2, MX), t = threadIdx.x, B = blockDim.x;
    if ((long long)(blockIdx.x + 1) * MX * MX > CAP) return;
    const float* src = in + blockIdx.x * MX * MX;
    for (int e = t; e < D * D; e += B) M[e / D][e % D] = src[e];
    __syncthreads();
    for (int e = t; e < D * D; e += B) {
        int r = e / D, c = e % D;
        float s = r == c ? (float)D : 0.f;
        for (int k = 0; k < D; k++) s = fmaf(M[r][k], M[c][k], s);
        A[r][c] = s;
    }
    __syncthreads();
    for (int k = 0; k < D; k++) {
        if (t == 0) A[k][k] = sqrtf(A[k][k]);
        __syncthreads();
        for (int r = k + 1 + t; r < D; r += B) A[r][k] /= A[k][k];
        __syncthreads();
        int rem = D - k - 1;
        for (int e = t; e < rem * rem; e += B) {
            int r = e / rem, c = e % rem;
            if (c <= r) A[k + 1 + r][k + 1 + c] -= A[k + 1 + r][k] * A[k + 1 + c][k];
        }
        __syncthreads();
    }
    for (int e = t; e < D * D; e += B) {
        int r = e / D, c = e % D;
        out[blockIdx.x * MX * MX + e] = c <= r ? A[r][c] : 0.f;
    }
}

// ------------------------------------------------------------------ 29. FFT of 256 complex numbers, radix 2
KERNEL fft_radix2(float* out, const float* in, int n) {
    __shared__ float2 s[256];
    int t = threadIdx.x, B = blockDim.x, m = clampi(n, 0, CAP / 2);
    if ((long long)(blockIdx.x + 1) * 256 > CAP / 2) return;
    int base = blockIdx.x * 256;
    for (int i = t; i < 256; i += B) {
        float2 v = base + i < m ? ((const float2*)in)[base + i] : make_float2(0.f, 0.f);
        s[__brev((unsigned)i) >> 24] = v;
    }
    __syncthreads();
    for (int half = 1; half < 256; half <<= 1) {
        for (int b = t; b < 128; b += B) {
            int pos = b & (half - 1), i0 = 2 * b - pos, i1 = i0 + half;
            float sn, cs;
            sincospif(-(float)pos / (float)half, &sn, &cs);
            float2 u = s[i0], v = s[i1];
            float2 w = make_float2(v.x * cs - v.y * sn, v.x * sn + v.y * cs);
            s[i0] = make_float2(u.x + w.x, u.y + w.y);
            s[i1] = make_float2(u.x - w.x, u.y - w.y);
        }
        __syncthreads();
    }
    for (int i = t; i < 256; i += B) ((float2*)out)[base + i] = s[i];
}

// ------------------------------------------------------------------ 30. bit tricks
__device__ __forceinline__ unsigned spread16(unsigned x) {
    x &= 0xffffu;
    x = (x | (x << 8)) & 0x00ff00ffu;
    x = (x | (x << 4)) & 0x0f0f0f0fu;
    x = (x | (x << 2)) & 0x33333333u;
    return (x | (x << 1)) & 0x55555555u;
}
KERNEL bit_twiddle(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP / 2)) return;
    unsigned a = __float_as_uint(in[2 * i]), b = (unsigned)qint(in[2 * i + 1], 1 << 22) * 977u;
    unsigned morton = spread16(a) | (spread16(b) << 1);
    unsigned gray = a ^ (a >> 1);
    unsigned rot = __funnelshift_l(a, b, b & 31u);
    unsigned perm = __byte_perm(a, b, 0x2461u);
    int dot = __dp4a((int)a, (int)b, 7);
    unsigned simd = __vaddus4(a, b) ^ __vabsdiffu4(a, b);
    unsigned low = b & (0u - b), pow2 = b ? 1u << (32 - __clz(b | 1u) - 1) : 0u;
    int bits = __popc(morton) * 10000 + __clz(rot) * 100 + __ffs(perm);
    unsigned parity = 0;
    for (unsigned x = gray; x; x &= x - 1) parity ^= 1u;
    unsigned r = __brev(morton) ^ (unsigned)dot ^ simd ^ low ^ pow2;
    if (parity) r = ~r;
    ((uint2*)out)[i] = make_uint2(r, (unsigned)bits);
}

// ------------------------------------------------------------------ 31. CRC-32 with a table in constant memory
struct CrcTable { unsigned v[256]; };
constexpr CrcTable makeCrcTable() {
    CrcTable t{};
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++) c = (c & 1u) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        t.v[i] = c;
    }
    return t;
}
__constant__ CrcTable crcTable = makeCrcTable();
KERNEL crc32_table(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP / 16)) return;
    unsigned crc = 0xffffffffu;
    int words = 3 + (i % 7);
    for (int w = 0; w < words; w++) {
        unsigned x = __float_as_uint(in[i * 16 + w]);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            crc = crcTable.v[(crc ^ x) & 255u] ^ (crc >> 8);
            x >>= 8;
        }
    }
    ((unsigned*)out)[i] = ~crc;
}

// ------------------------------------------------------------------ 32. run-length encoding, a segment a block
KERNEL rle_encode(float* out, const float* in, int n) {
    __shared__ int sym[MAXB], starts[MAXB + 1], wc[8];
    int t = threadIdx.x, B = blockDim.x, lane = t & 31, w = t >> 5, nw = (B + 31) >> 5;
    int m = clampi(n, 0, CAP), first = blockIdx.x * B;
    int valid = clampi(m - first, 0, B);
    int room = 2 * B + 1;
    if ((long long)(blockIdx.x + 1) * room > CAP) return;
    unsigned mask = maskOf(lanesHere());
    int s = t < valid ? (in[first + t] < 0.7f ? 0 : 1 + (t & 1)) : -1;
    sym[t] = s;
    __syncthreads();
    bool head = t < valid && (t == 0 || sym[t - 1] != s);
    unsigned b = __ballot_sync(mask, head);
    if (lane == 0) wc[w] = __popc(b);
    __syncthreads();
    int before = 0, total = 0;
    for (int j = 0; j < nw; j++) {
        if (j == w) before = total;
        total += wc[j];
    }
    if (head) starts[before + __popc(b & ((1u << lane) - 1u))] = t;
    if (t == 0) starts[total] = valid;
    __syncthreads();
    int* o = (int*)out + blockIdx.x * room;
    if (t == 0) o[0] = total;
    for (int r = t; r < total; r += B) {
        int st = starts[r];
        o[1 + 2 * r] = sym[st];
        o[2 + 2 * r] = starts[r + 1] - st;
    }
}

// ------------------------------------------------------------------ 33. resampling with Catmull-Rom splines
__device__ __noinline__ float catmullRom(float p0, float p1, float p2, float p3, float u) {
    float a = -0.5f * p0 + 1.5f * p1 - 1.5f * p2 + 0.5f * p3;
    float b = p0 - 2.5f * p1 + 2.f * p2 - 0.5f * p3;
    float c = -0.5f * p0 + 0.5f * p2;
    return ((a * u + b) * u + c) * u + p1;
}
KERNEL catmull_rom(float* out, const float* in, int n) {
    int m = clampi(n, 4, CAP / 2), stride = gridDim.x * blockDim.x, dst = m + m / 2;
    float scale = (float)(m - 1) / (float)(dst - 1);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < dst; i += stride) {
        float x = (float)i * scale;
        float fl = floorf(x);
        int k = clampi((int)fl, 0, m - 1);
        float u = x - fl;
        if (u < 1e-4f) { out[i] = in[k]; continue; }
        out[i] = catmullRom(in[max(k - 1, 0)], in[k], in[min(k + 1, m - 1)], in[min(k + 2, m - 1)], u);
    }
}

// ------------------------------------------------------------------ 34. half precision, two at a time
template <int DEG>
__device__ __forceinline__ __half2 horner2(__half2 x, float c0, float dc) {
    __half2 r = __float2half2_rn(c0);
#pragma unroll
    for (int k = 1; k <= DEG; k++) r = __hfma2(r, x, __float2half2_rn(c0 + dc * k));
    return r;
}
KERNEL half2_poly(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP / 4)) return;
    float4 f = ((const float4*)in)[i];
    __half2 a = __floats2half2_rn(f.x, f.y), b = __floats2half2_rn(f.z - 0.5f, f.w - 0.5f);
    __half2 p = horner2<6>(a, 0.125f, 0.25f), q = horner2<4>(b, -0.5f, 0.375f);
    for (int k = 0; k < 5; k++) {
        __half2 s = __hadd2(p, __hmul2(q, a));
        p = __hmax2(s, __hneg2(s));
        q = __hfma2(b, __float2half2_rn(0.5f), q);
        if (__hbgt2(p, __float2half2_rn(3.0f))) { p = __hmul2(p, __float2half2_rn(0.25f)); }
    }
    __half h = __hadd(__low2half(q), __high2half(q));
    float2 r = __half22float2(p);
    ((float2*)out)[i] = make_float2(r.x + r.y, __half2float(hsqrt(__habs(h))));
}

// ------------------------------------------------------------------ 35. adaptive Simpson quadrature, recursive
__device__ __forceinline__ float peak(float x, float w) { return w / (x * x + w * w); }
__device__ float simpsonRec(float a, float b, float fa, float fm, float fb, float w, int depth) {
    float m = 0.5f * (a + b), h = b - a;
    float l = peak(0.5f * (a + m), w), r = peak(0.5f * (m + b), w);
    float whole = h / 6.f * (fa + 4.f * fm + fb);
    float left = h / 12.f * (fa + 4.f * l + fm), right = h / 12.f * (fm + 4.f * r + fb);
    float err = left + right - whole;
    if (depth <= 0 || fabsf(err) < 1e-3f) return left + right + err / 15.f;
    return simpsonRec(a, m, fa, l, fm, w, depth - 1) + simpsonRec(m, b, fm, r, fb, w, depth - 1);
}
KERNEL simpson_recursive(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP / 2)) return;
    float a = -in[2 * i], b = 0.5f + in[2 * i + 1], w = 0.05f + 0.3f * in[(i * 5 + 11) & CAPMASK];
    out[i] = simpsonRec(a, b, peak(a, w), peak(0.5f * (a + b), w), peak(b, w), w, 4);
}

// ------------------------------------------------------------------ 36. n queens, recursive with bit masks
__device__ __noinline__ int queensRec(int all, int cols, int d1, int d2) {
    if (cols == all) return 1;
    int free = all & ~(cols | d1 | d2), count = 0;
    while (free) {
        int bit = free & -free;
        free ^= bit;
        count += queensRec(all, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
    }
    return count;
}
KERNEL queens_recursive(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP)) return;
    int q = 4 + (i % 3), all = (1 << q) - 1;
    int bit = 1 << qint(in[i], q);
    ((int*)out)[i] = queensRec(all, bit, bit << 1, bit >> 1);
}

// ------------------------------------------------------------------ 37. fixed point Q32.32 and 64-bit integer square roots
__device__ __forceinline__ long long qmul(long long a, long long b) {
    long long hi = __mul64hi(a, b);
    unsigned long long lo = (unsigned long long)a * (unsigned long long)b;
    return (long long)(((unsigned long long)hi << 32) | (lo >> 32));
}
__device__ unsigned isqrt64(unsigned long long v) {
    unsigned long long r = 0, bit = 1ull << 62;
    while (bit > v) bit >>= 2;
    while (bit) {
        if (v >= r + bit) { v -= r + bit; r = (r >> 1) + bit; }
        else r >>= 1;
        bit >>= 2;
    }
    return (unsigned)r;
}
KERNEL fixed_point_q32(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP / 2)) return;
    const long long ONE = 1ll << 32;
    long long x = ((long long)qint(in[2 * i], 1 << 24) << 8) + ONE / 2;      // [0.5, 1.5)
    long long c = ((long long)qint(in[2 * i + 1], 1 << 24) << 8) - ONE / 2;
    long long inv = 2 * ONE - x;                                            // Newton for 1/x
    for (int k = 0; k < 5; k++) inv = qmul(inv, 2 * ONE - qmul(x, inv));
    long long e = ONE, term = ONE;                                          // exp(c), Taylor
    for (int k = 1; k <= 8; k++) {
        term = qmul(term, c) / k;
        if (term == 0) break;
        e += term;
    }
    unsigned root = isqrt64((unsigned long long)x * 3ull >> (i & 15));
    ((long long*)out)[i] = qmul(inv, e) ^ (long long)root;
}

// ------------------------------------------------------------------ 38. Miller-Rabin primality
__device__ __noinline__ unsigned modpow(unsigned base, unsigned e, unsigned mod) {
    unsigned long long r = 1, b = base % mod;
    while (e) {
        if (e & 1u) r = r * b % mod;
        b = b * b % mod;
        e >>= 1;
    }
    return (unsigned)r;
}
KERNEL miller_rabin(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= clampi(n, 0, CAP)) return;
    unsigned v = (unsigned)qint(in[i], 1 << 20) | 1u;
    int verdict = 1;
    if (v < 3 || v % 3 == 0 || v % 5 == 0 || v % 7 == 0) {
        verdict = v == 3 || v == 5 || v == 7;
    } else {
        unsigned d = v - 1;
        int s = 0;
        while ((d & 1u) == 0) { d >>= 1; s++; }
        const unsigned bases[2] = {31u, 73u};
        for (int k = 0; k < 2 && verdict == 1; k++) {
            if (v == bases[k]) continue;
            unsigned long long x = modpow(bases[k], d, v);
            if (x == 1 || x == v - 1) continue;
            bool witness = true;
            for (int r = 1; r < s; r++) {
                x = x * x % v;
                if (x == v - 1) { witness = false; break; }
            }
            if (witness) verdict = 0;
        }
    }
    out[i] = verdict ? (float)v : -(float)v;
}

// ------------------------------------------------------------------ 39. votes: relaxing until all lanes agree
KERNEL vote_consensus(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, cnt = lanesHere(), lane = threadIdx.x & 31;
    unsigned mask = maskOf(cnt);
    bool alive = i < clampi(n, 0, CAP);
    float v = alive ? in[i] : 0.5f;
    int rounds = 0, loud = 0;
    float tol = 0.15f + 0.05f * (float)(blockIdx.x % 3u);
    while (rounds < 24) {
        float r = __shfl_sync(mask, v, lane + 1 < cnt ? lane + 1 : 0);
        float l = __shfl_sync(mask, v, lane > 0 ? lane - 1 : cnt - 1);
        float d = fmaxf(fabsf(r - v), fabsf(l - v));
        if (__any_sync(mask, d > 0.8f)) loud++;
        if (__all_sync(mask, d < tol)) break;
        unsigned high = __ballot_sync(mask, v > 0.5f);
        float pull = 2 * __popc(high) > cnt ? 0.01f : -0.01f;
        v = 0.25f * (l + 2.f * v + r) + pull;
        rounds++;
    }
    if (alive) out[i] = v + (float)(rounds + 100 * loud);
}

// ------------------------------------------------------------------ 40. match: atomics aggregated by key within a warp
KERNEL match_any_bins(float* out, const float* in, int n) {
    __shared__ int bins[12];
    int m = clampi(n, 0, CAP - 64), lane = threadIdx.x & 31, step = gridDim.x * blockDim.x;
    unsigned mask = maskOf(lanesHere());
    for (int k = threadIdx.x; k < 12; k += blockDim.x) bins[k] = 0;
    __syncthreads();
    int warpFirst = blockIdx.x * blockDim.x + (threadIdx.x & ~31);
    for (int base = warpFirst; base < m; base += step) {
        int i = base + lane;
        unsigned active = __ballot_sync(mask, i < m);
        if (i < m) {
            int key = qint(in[i], 12);
            unsigned peers = __match_any_sync(active, key);
            int leader = __ffs(peers) - 1;
            if (lane == leader) atomicAdd(&bins[key], __popc(peers));
            ((int*)out)[64 + i] = __popc(peers & ((1u << lane) - 1u));
        }
        __syncwarp(mask);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 12; k += blockDim.x) atomicAdd((int*)out + k, bins[k]);
}

// ------------------------------------------------------------------ 41. stream compaction with ballots, order kept
KERNEL compact_ballot(float* out, const float* in, int n) {
    __shared__ int wc[8];
    int t = threadIdx.x, B = blockDim.x, lane = t & 31, w = t >> 5, nw = (B + 31) >> 5;
    unsigned mask = maskOf(lanesHere());
    int per = clampi(n, 1, 2048);
    if ((long long)(blockIdx.x + 1) * (per + 1) > CAP) return;
    int first = blockIdx.x * per;
    float* dst = out + blockIdx.x * (per + 1);
    int kept = 0;
    for (int base = 0; base < per; base += B) {
        int k = base + t;
        float v = k < per ? in[first + k] : 0.f;
        bool keep = k < per && v > 0.35f && v * 10.f - floorf(v * 10.f) < 0.8f;
        unsigned b = __ballot_sync(mask, keep);
        if (lane == 0) wc[w] = __popc(b);
        __syncthreads();
        int before = kept;
        for (int j = 0; j < nw; j++) {
            if (j < w) before += wc[j];
            kept += wc[j];
        }
        if (keep) dst[1 + before + __popc(b & ((1u << lane) - 1u))] = v;
        __syncthreads();
    }
    if (t == 0) dst[0] = (float)kept;
}

// ------------------------------------------------------------------ 42. cooperative groups tiles (blocks: multiples of 16)
template <int SZ>
__device__ __forceinline__ float tileNorm(const cg::thread_block_tile<SZ>& tile, float x) {
    float s = x * x;
    for (int o = SZ / 2; o > 0; o >>= 1) s += tile.shfl_xor(s, o);
    return sqrtf(s);
}
KERNEL cg_tiles(float* out, const float* in, int n) {
    if (blockDim.x % 16u) return;
    cg::thread_block block = cg::this_thread_block();
    auto t16 = cg::tiled_partition<16>(block);
    auto t4 = cg::tiled_partition<4>(t16);
    int m = clampi(n, 0, CAP), i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < m ? in[i] : 0.f;
    float n16 = tileNorm<16>(t16, x), n4 = tileNorm<4>(t4, x);
    int q = i < m ? qint(x, 50) : 0;
    int sum = cg::reduce(t16, q, cg::plus<int>());
    int top = cg::reduce(t4, q, cg::greater<int>());
    float first = t16.shfl(x, 0), prev = t16.shfl_up(x, 1);
    bool rising = t16.thread_rank() == 0 || x > prev;
    unsigned up = t16.ballot(rising);
    float r = n16 + n4 + first;
    if (t4.any(x > 0.9f)) r += (float)top;
    if (t16.all(x > 0.05f)) r -= 1.f;
    if (t16.thread_rank() == 0) r += (float)sum;
    t16.sync();
    if (i < m) out[i] = r + 1000.f * (float)__popc(up);
}

// ------------------------------------------------------------------ 43. a stack machine, switch of opcodes
KERNEL vm_switch(float* out, const float* in, int n) {
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid >= clampi(n, 0, CAP / 32)) return;
    const float* prog = in + gid * 32;
    unsigned stack[8];
    for (int k = 0; k < 8; k++) stack[k] = k + 1;
    int sp = 4, pc = 0, fuel = 60, faults = 0;
    while (pc < 24 && fuel-- > 0) {
        float f = prog[pc++];
        int op = qint(f, 10), imm = qint(f, 1000) % 100;
        switch (op) {
        case 0: case 1:
            if (sp < 8) stack[sp++] = (unsigned)imm; else faults++;
            break;
        case 2:
            if (sp > 1) { sp--; stack[sp - 1] += stack[sp]; } else faults++;
            break;
        case 3:
            if (sp > 1) { sp--; stack[sp - 1] -= stack[sp]; } else faults++;
            break;
        case 4:
            if (sp > 1) { sp--; stack[sp - 1] *= stack[sp]; } else faults++;
            break;
        case 5:
            if (sp > 1) { unsigned a = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = a; }
            break;
        case 6:
            if (sp > 0 && sp < 8) { stack[sp] = stack[sp - 1]; sp++; }
            break;
        case 7:
            if (sp > 0 && (stack[sp - 1] & 1)) { pc = pc > 4 ? pc - 4 : 0; sp--; }
            break;
        case 8:
            if (sp > 1 && stack[sp - 1] != 0) { sp--; stack[sp - 1] = stack[sp - 1] % stack[sp]; }
            else pc++;
            break;
        default:
            if (faults > 3) pc = 24;
            else stack[imm & 7] ^= 0x5au;
            break;
        }
    }
    unsigned sum = 0;
    for (int k = 0; k < sp; k++) sum = sum * 31u + stack[k];
    ((int2*)out)[gid] = make_int2((int)sum, faults * 1000 + fuel + 1);
}

// ------------------------------------------------------------------ 44. Collatz with 64 bits, nested divergence
KERNEL collatz_nested(float* out, const float* in, int n) {
    int m = clampi(n, 0, CAP), step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += step) {
        unsigned long long v = 1ull + (unsigned long long)qint(in[i], 3000);
        unsigned long long peak64 = v;
        int len = 0, odd = 0;
        while (v != 1ull && len < 100) {
            if (v & 1ull) {
                odd++;
                v = 3ull * v + 1ull;
                if (v > peak64) {
                    peak64 = v;
                    if (peak64 > 100000ull) { len += 1000; break; }
                }
            } else {
                int z = __ffsll((long long)v) - 1;
                if (z > 3) {
                    do { v >>= 1; len++; } while (--z > 0);
                    len--;
                } else {
                    v >>= z;
                    len += z - 1;
                }
            }
            len++;
        }
        out[i] = (float)len + 1e-3f * (float)odd;
    }
}
