// swell.cu - 44 kernels in the manner of tutorials, course work, samples and benchmarks.
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define CAP (1 << 20)
#define KERNEL extern "C" __global__ void

extern __shared__ __align__(16) unsigned char dyn[];

__device__ __forceinline__ int lim(int n, int hi) { return n < 0 ? 0 : (n > hi ? hi : n); }

// integer in [0, k) made of a float in [0, 1)
__device__ __forceinline__ int pick(float x, int k) { int v = (int)(x * (float)k); return v < k ? v : k - 1; }

// lanes of this warp that exist (the last warp of a block may be partial)
__device__ __forceinline__ unsigned warp_lanes() {
  int left = (int)blockDim.x - (int)(threadIdx.x & ~31u);
  return left >= 32 ? 0xffffffffu : (1u << left) - 1u;
}

// the sum of a partial or full warp, in lane 0
template <typename T>
__device__ __forceinline__ T warp_sum(unsigned m, T v) {
  int lane = threadIdx.x & 31, cnt = __popc(m);
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) {
    T u = __shfl_down_sync(m, v, d);
    if (lane + d < cnt) v += u;
  }
  return v;
}

// ---------------------------------------------------------------- 1: tree reduction in shared memory
KERNEL reduce_tree(float* out, const float* in, int n) {
  float* s = (float*)dyn;
  n = lim(n, CAP);
  int t = threadIdx.x, bd = blockDim.x;
  int i = blockIdx.x * bd * 2 + t;
  float v = 0.f;
  if (i < n) v = in[i];
  if (i + bd < n) v += in[i + bd];
  s[t] = v;
  __syncthreads();
  for (int m = bd; m > 1;) {
    int h = (m + 1) >> 1;
    if (t < m - h) s[t] += s[t + h];
    __syncthreads();
    m = h;
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// ---------------------------------------------------------------- 2: grid-stride norm and maximum, shuffles and atomics
KERNEL reduce_shfl_atomic(float* out, const float* in, int n) {
  __shared__ float ws[32], wm[32];
  n = lim(n, CAP);
  unsigned m = warp_lanes();
  int t = threadIdx.x, lane = t & 31, w = t >> 5, cnt = __popc(m);
  float sum = 0.f, mx = 0.f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i];
    sum = fmaf(x, x, sum);
    mx = fmaxf(mx, x);
  }
  __syncwarp(m);
  sum = warp_sum(m, sum);
  for (int d = 16; d > 0; d >>= 1) {
    float u = __shfl_down_sync(m, mx, d);
    if (lane + d < cnt) mx = fmaxf(mx, u);
  }
  if (lane == 0) { ws[w] = sum; wm[w] = mx; }
  __syncthreads();
  if (t == 0) {
    int nw = (blockDim.x + 31) >> 5;
    for (int k = 1; k < nw; k++) { sum += ws[k]; mx = fmaxf(mx, wm[k]); }
    atomicAdd(out, sum);
    atomicMax((int*)out + 1, __float_as_int(mx));
  }
}

// ---------------------------------------------------------------- 3: int8 quantised matrix-vector product, dp4a
__device__ __forceinline__ int quant4(float4 v) {
  int a = (int)(v.x * 255.f) - 128, b = (int)(v.y * 255.f) - 128;
  int c = (int)(v.z * 255.f) - 128, d = (int)(v.w * 255.f) - 128;
  unsigned lo = __byte_perm(a, b, 0x0040), hi = __byte_perm(c, d, 0x0040);
  return (int)__byte_perm(lo, hi, 0x5410);
}
KERNEL dp4a_matvec(float* out, const float* in, int n) {
  __shared__ int xv[16];
  n = lim(n, CAP);
  const float4* q = (const float4*)in;
  for (int e = threadIdx.x; e < 16; e += blockDim.x) xv[e] = quant4(q[CAP / 4 - 16 + e]);
  __syncthreads();
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  int acc = 0;
#pragma unroll 4
  for (int k = 0; k < 16; k++) acc = __dp4a(quant4(q[(row * 16 + k) & (CAP / 4 - 1)]), xv[k], acc);
  int r = (acc + (1 << 6)) >> 7;                 // requantise with saturation
  r = min(max(r, -128), 127);
  ((int*)out)[row] = r;
}

// ---------------------------------------------------------------- 4: work-efficient exclusive scan, padded banks
#define PAD(i) ((i) + ((i) >> 5))
KERNEL scan_blelloch(float* out, const float* in, int n) {
  __shared__ int s[512 + 16];
  n = lim(n, CAP);
  int t = threadIdx.x, bd = blockDim.x, base = blockIdx.x * 512;
  for (int k = t; k < 512; k += bd) s[PAD(k)] = base + k < n ? pick(in[base + k], 10) : 0;
  int off = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    for (int k = t; k < d; k += bd) {
      int a = off * (2 * k + 1) - 1, b = off * (2 * k + 2) - 1;
      s[PAD(b)] += s[PAD(a)];
    }
    off <<= 1;
  }
  if (t == 0) s[PAD(511)] = 0;
  for (int d = 1; d < 512; d <<= 1) {
    off >>= 1;
    __syncthreads();
    for (int k = t; k < d; k += bd) {
      int a = off * (2 * k + 1) - 1, b = off * (2 * k + 2) - 1;
      int x = s[PAD(a)];
      s[PAD(a)] = s[PAD(b)];
      s[PAD(b)] += x;
    }
  }
  __syncthreads();
  for (int k = t; k < 512; k += bd)
    if (base + k < n) ((int*)out)[base + k] = s[PAD(k)];
}

// ---------------------------------------------------------------- 5: segmented warp scan with a carry over four chunks
KERNEL seg_scan_shfl(float* out, const float* in, int n) {
  n = lim(n, CAP);
  unsigned m = warp_lanes();
  int t = threadIdx.x, lane = t & 31, cnt = __popc(m);
  int first = (blockIdx.x * blockDim.x + (t & ~31)) * 4;
  float carry = 0.f;
  for (int c = 0; c < 4; c++) {
    int i = first + c * cnt + lane;
    float v = i < n ? in[i] : 0.f;
    bool head = v < 0.2f;
    unsigned heads = __ballot_sync(m, head);
    unsigned upto = heads & (0xffffffffu >> (31 - lane));
    int start = upto ? 31 - __clz(upto) : 0;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
      float u = __shfl_up_sync(m, v, d);
      if (lane - d >= start) v += u;
    }
    if (!upto) v += carry;
    carry = __shfl_sync(m, v, cnt - 1);
    if (i < n) out[i] = v;
  }
}

// ---------------------------------------------------------------- 6: bitonic sort of 512 floats a block
KERNEL bitonic_block(float* out, const float* in, int n) {
  __shared__ float s[512];
  n = lim(n, CAP);
  int base = blockIdx.x * 512;
  for (int e = threadIdx.x; e < 512; e += blockDim.x) s[e] = base + e < n ? in[base + e] : 2.f;
  __syncthreads();
  for (int k = 2; k <= 512; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      for (int e = threadIdx.x; e < 512; e += blockDim.x) {
        int p = e ^ j;
        if (p > e) {
          float a = s[e], b = s[p];
          bool up = (e & k) == 0;
          if ((a > b) == up) { s[e] = b; s[p] = a; }
        }
      }
      __syncthreads();
    }
  for (int e = threadIdx.x; e < 512; e += blockDim.x)
    if (base + e < n) out[base + e] = s[e];
}

// ---------------------------------------------------------------- 7: radix sort by ballots, one bit a pass (block <= 512)
KERNEL radix_split(float* out, const float* in, int n) {
  __shared__ unsigned keys[512];
  __shared__ int wz[16];
  n = lim(n, CAP);
  unsigned m = warp_lanes();
  int t = threadIdx.x, lane = t & 31, w = t >> 5, nw = (blockDim.x + 31) >> 5;
  int i = blockIdx.x * blockDim.x + t;
  unsigned key = i < n ? (unsigned)pick(in[i], 4096) : 0xfffu;
  for (int bit = 0; bit < 12; bit++) {
    bool zero = !((key >> bit) & 1u);
    unsigned b = __ballot_sync(m, zero);
    if (lane == 0) wz[w] = __popc(b);
    __syncthreads();
    int before = 0, total = 0;
    for (int q = 0; q < nw; q++) {
      int c = wz[q];
      if (q < w) before += c;
      total += c;
    }
    int zr = before + __popc(b & ((1u << lane) - 1u));
    keys[zero ? zr : total + t - zr] = key;
    __syncthreads();
    key = keys[t];
  }
  if (i < n) ((unsigned*)out)[i] = key;
}

// ---------------------------------------------------------------- 8: insertion sort in a local array
KERNEL insertion_local(float* out, const float* in, int n) {
  n = lim(n, CAP / 2);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[16];
  int len = 5 + pick(in[i], 12), moves = 0;
  for (int k = 0; k < len; k++) {
    float x = in[(i * 16 + k) & (CAP - 1)];
    int j = k;
    while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; moves++; }
    a[j] = x;
  }
  out[2 * i] = a[len >> 1];
  ((int*)out)[2 * i + 1] = moves;
}

// ---------------------------------------------------------------- 9: merge of two sorted lists along the merge path
KERNEL merge_path(float* out, const float* in, int n) {
  __shared__ float a[300], b[300];
  const int VT = 7;
  n = lim(n, CAP);
  int na = 1 + n % 300, nb = 1 + (n / 7) % 300, total = na + nb;
  const float* src = in + (blockIdx.x & 1023) * 600;
  for (int k = threadIdx.x; k < na; k += blockDim.x) a[k] = 2.0f * k + src[k];
  for (int k = threadIdx.x; k < nb; k += blockDim.x) b[k] = 2.1f * k + 2.f * src[300 + k];
  __syncthreads();
  float* dst = out + (blockIdx.x & 1023) * 600;
  for (int diag = threadIdx.x * VT; diag < total; diag += blockDim.x * VT) {
    int lo = max(0, diag - nb), hi = min(diag, na);
    while (lo < hi) {
      int mid = (lo + hi) >> 1;
      if (a[mid] <= b[diag - 1 - mid]) lo = mid + 1; else hi = mid;
    }
    int i = lo, j = diag - lo;
    for (int k = 0; k < VT && diag + k < total; k++) {
      bool left = j >= nb || (i < na && a[i] <= b[j]);
      dst[diag + k] = left ? a[i++] : b[j++];
    }
  }
}

// ---------------------------------------------------------------- 10: five-point heat stencil, shared tile with a halo
KERNEL heat5_tile(float* out, const float* in, int n) {
  __shared__ float tile[10][34];
  const int W = 128;
  int h = lim(n, CAP) / W;
  int bx = (blockIdx.x & 3) * 32, by = (blockIdx.x >> 2) * 8;
  if (h == 0 || by >= h) return;                 // the whole block
  for (int e = threadIdx.x; e < 340; e += blockDim.x) {
    int ly = e / 34, lx = e % 34;
    int gx = min(max(bx + lx - 1, 0), W - 1), gy = min(max(by + ly - 1, 0), h - 1);
    tile[ly][lx] = in[gy * W + gx];
  }
  __syncthreads();
  for (int e = threadIdx.x; e < 256; e += blockDim.x) {
    int x = (e & 31) + 1, y = (e >> 5) + 1;
    int gy = by + y - 1;
    if (gy < h) {
      float c = tile[y][x];
      out[gy * W + bx + x - 1] = c + 0.2f * (tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1] - 4.f * c);
    }
  }
}

// ---------------------------------------------------------------- 11: seven-point stencil marching through z in registers
KERNEL wave3d_march(float* out, const float* in, int n) {
  int nz = lim(n, 64);
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= 4096 || nz == 0) return;
  int x = c & 63, y = c >> 6;
  int xm = y * 64 + ((x + 63) & 63), xp = y * 64 + ((x + 1) & 63);
  int ym = ((y + 63) & 63) * 64 + x, yp = ((y + 1) & 63) * 64 + x;
  float below = 0.f, cur = in[c];
  for (int z = 0; z < nz; z++) {
    const float* p = in + z * 4096;
    float above = z + 1 < nz ? p[4096 + c] : 0.f;
    float lap = below + above + p[xm] + p[xp] + p[ym] + p[yp] - 6.f * cur;
    out[z * 4096 + c] = 2.f * cur - 0.5f * below + 0.1f * lap;
    below = cur;
    cur = above;
  }
}

// ---------------------------------------------------------------- 12: tiled matrix product, 16 columns a tile, block/16 rows
KERNEL sgemm_tile(float* out, const float* in, int n) {
  __shared__ float As[64][17];
  __shared__ float Bs[16][16];
  const int N = 64;
  int K = lim(n, 256);
  const float *A = in, *B = in + CAP / 2;
  int rows = blockDim.x >> 4;
  int tx = threadIdx.x & 15, ty = threadIdx.x >> 4;
  int col0 = (blockIdx.x & 3) * 16, row = (blockIdx.x >> 2) * rows + ty;
  bool live = ty < rows && row < 1024;
  float acc = 0.f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (ty < rows) As[ty][tx] = live && k0 + tx < K ? A[row * K + k0 + tx] : 0.f;
    for (int e = threadIdx.x; e < 256; e += blockDim.x) {
      int kk = e >> 4, cc = e & 15;
      Bs[kk][cc] = k0 + kk < K ? B[(k0 + kk) * N + col0 + cc] : 0.f;
    }
    __syncthreads();
    if (live) {
#pragma unroll
      for (int k = 0; k < 16; k++) acc = fmaf(As[ty][k], Bs[k][tx], acc);
    }
    __syncthreads();
  }
  if (live) out[row * N + col0 + tx] = acc;
}

// ---------------------------------------------------------------- 13: transpose through a padded tile
KERNEL transpose_pad(float* out, const float* in, int n) {
  __shared__ float tile[32][33];
  const int H = 70;
  int W = 100 + lim(n, CAP) % 51;
  int tw = (W + 31) / 32, th = (H + 31) / 32;
  int x = threadIdx.x & 31, y = threadIdx.x >> 5, rows = blockDim.x >> 5;
  for (int b = blockIdx.x; b < tw * th; b += gridDim.x) {
    int bx = (b % tw) * 32, by = (b / tw) * 32;
    if (y < rows)
      for (int r = y; r < 32; r += rows)
        if (by + r < H && bx + x < W) tile[r][x] = in[(by + r) * W + bx + x];
    __syncthreads();
    if (y < rows)
      for (int r = y; r < 32; r += rows)
        if (by + x < H && bx + r < W) out[(bx + r) * H + by + x] = tile[x][r];
    __syncthreads();
  }
}

// ---------------------------------------------------------------- 14: histogram with shared, then global atomics
KERNEL hist_shared(float* out, const float* in, int n) {
  __shared__ int bins[64];
  n = lim(n, CAP);
  for (int b = threadIdx.x; b < 64; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i];
    atomicAdd(&bins[pick(x * x, 64)], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x)
    if (bins[b]) atomicAdd((int*)out + b, bins[b]);
}

// ---------------------------------------------------------------- 15: 17-tap filter in constant memory, dynamic shared tile
__constant__ float taps[17] = {0.0043f, 0.0094f, 0.0180f, 0.0312f, 0.0484f, 0.0679f, 0.0861f, 0.0988f, 0.1034f,
                               0.0988f, 0.0861f, 0.0679f, 0.0484f, 0.0312f, 0.0180f, 0.0094f, 0.0043f};
KERNEL conv_const(float* out, const float* in, int n) {
  float* s = (float*)dyn;                        // blockDim.x + 16
  n = lim(n, CAP);
  int t = threadIdx.x, bd = blockDim.x, base = blockIdx.x * bd;
  for (int e = t; e < bd + 16; e += bd) {
    int g = base + e - 8;
    s[e] = g >= 0 && g < n ? in[g] : 0.f;
  }
  __syncthreads();
  if (base + t < n) {
    float a = 0.f;
#pragma unroll
    for (int k = 0; k < 17; k++) a = fmaf(taps[k], s[t + k], a);
    out[base + t] = a;
  }
}

// ---------------------------------------------------------------- 16: 3x3 median by a network of exchanges
template <typename T>
__device__ __forceinline__ void order2(T& a, T& b) { T lo = min(a, b); b = max(a, b); a = lo; }
KERNEL median9(float* out, const float* in, int n) {
  const int W = 96;
  int h = lim(n, CAP) / W;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h * W) return;
  int x = i % W, y = i / W;
  float p[9];
#pragma unroll
  for (int dy = -1; dy <= 1; dy++)
#pragma unroll
    for (int dx = -1; dx <= 1; dx++) {
      int xx = min(max(x + dx, 0), W - 1), yy = min(max(y + dy, 0), h - 1);
      p[(dy + 1) * 3 + dx + 1] = in[yy * W + xx];
    }
  order2(p[1], p[2]); order2(p[4], p[5]); order2(p[7], p[8]);
  order2(p[0], p[1]); order2(p[3], p[4]); order2(p[6], p[7]);
  order2(p[1], p[2]); order2(p[4], p[5]); order2(p[7], p[8]);
  order2(p[0], p[3]); order2(p[5], p[8]); order2(p[4], p[7]);
  order2(p[3], p[6]); order2(p[1], p[4]); order2(p[2], p[5]);
  order2(p[4], p[7]); order2(p[4], p[2]); order2(p[6], p[4]); order2(p[4], p[2]);
  out[i] = p[4];
}

// ---------------------------------------------------------------- 17: bilateral filter, borders skipped
KERNEL bilateral(float* out, const float* in, int n) {
  const int W = 64, R = 2;
  int h = lim(n, CAP) / W;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h * W) return;
  int x = i & 63, y = i >> 6;
  float c = in[i], sum = 0.f, wsum = 0.f;
  for (int dy = -R; dy <= R; dy++) {
    int yy = y + dy;
    if (yy < 0 || yy >= h) continue;
    for (int dx = -R; dx <= R; dx++) {
      int xx = x + dx;
      if (xx < 0 || xx >= W) continue;
      float v = in[yy * W + xx], d = v - c;
      float g = __expf(-0.25f * (float)(dx * dx + dy * dy) - 8.f * d * d);
      sum += g * v;
      wsum += g;
    }
  }
  out[i] = __fdividef(sum, wsum);
}

// ---------------------------------------------------------------- 18: sparse rows, one warp each
KERNEL spmv_vector(float* out, const float* in, int n) {
  n = lim(n, CAP);
  unsigned m = warp_lanes();
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, cnt = __popc(m);
  int nw = (blockDim.x + 31) >> 5;
  for (int row = blockIdx.x * nw + w; row < n; row += gridDim.x * nw) {
    int len = pick(in[row], 90), start = row * 90;
    float acc = 0.f;
    for (int k = lane; k < len; k += cnt) {
      int at = (start + k) & (CAP - 1);
      int col = pick(in[at], 4096);
      acc = fmaf(in[(at + 77777) & (CAP - 1)], __ldg(in + CAP - 4096 + col), acc);
    }
    __syncwarp(m);
    acc = warp_sum(m, acc);
    if (lane == 0) out[row] = acc;
  }
}

// ---------------------------------------------------------------- 19: breadth-first search, one small graph a block (block >= 32)
KERNEL bfs_pull(float* out, const float* in, int n) {
  __shared__ int dist[200];
  __shared__ unsigned char nb[200][3];
  int V = lim(n, 200);
  if (V == 0) return;
  int t = threadIdx.x, bd = blockDim.x;
  const float* src = in + (blockIdx.x & 1023) * 600;
  for (int v = t; v < V; v += bd) {
    dist[v] = v == 0 ? 0 : -1;
    for (int k = 0; k < 3; k++) nb[v][k] = (unsigned char)pick(src[v * 3 + k], V);
  }
  __syncthreads();
  for (int level = 0;; level++) {
    unsigned found = 0;
    int slot = 0;
    for (int v = t; v < V; v += bd, slot++) {
      if (dist[v] >= 0) continue;
      for (int k = 0; k < 3; k++)
        if (dist[nb[v][k]] == level) { found |= 1u << slot; break; }
    }
    __syncthreads();
    slot = 0;
    for (int v = t; v < V; v += bd, slot++)
      if ((found >> slot) & 1u) dist[v] = level + 1;
    if (!__syncthreads_or(found != 0)) break;
  }
  for (int v = t; v < V; v += bd) ((int*)out)[(blockIdx.x & 1023) * 200 + v] = dist[v];
}

// ---------------------------------------------------------------- 20: Knuth-Morris-Pratt
KERNEL strfind_kmp(float* out, const float* in, int n) {
  __shared__ int pat[6], fail[6];
  const int L = 6;
  n = lim(n, CAP / 2);
  if (threadIdx.x == 0) {
    for (int k = 0; k < L; k++) pat[k] = pick(in[(blockIdx.x * 8 + k) & (CAP - 1)], 2);
    fail[0] = 0;
    for (int k = 1, q = 0; k < L; k++) {
      while (q > 0 && pat[q] != pat[k]) q = fail[q - 1];
      if (pat[q] == pat[k]) q++;
      fail[k] = q;
    }
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int q = 0, hits = 0, first = -1;
  for (int p = 0; p < 40 + L - 1; p++) {
    int ch = pick(in[(i * 40 + p) & (CAP - 1)], 2);
    while (q > 0 && pat[q] != ch) q = fail[q - 1];
    if (pat[q] == ch) q++;
    if (q == L) {
      if (first < 0) first = p;
      hits++;
      q = fail[q - 1];
      if (hits == 3) break;
    }
  }
  ((int*)out)[2 * i] = hits;
  ((int*)out)[2 * i + 1] = first;
}

// ---------------------------------------------------------------- 21: lexer, automaton in constant memory
// classes: letter digit space operator quote dot other; states: start word int real string op error
__constant__ unsigned char delta_[7][7] = {{1, 2, 0, 5, 4, 5, 6}, {1, 1, 0, 5, 4, 5, 6}, {6, 2, 0, 5, 4, 3, 6},
                                           {6, 3, 0, 5, 4, 6, 6}, {4, 4, 4, 4, 0, 4, 4}, {1, 2, 0, 5, 4, 5, 6},
                                           {6, 6, 0, 6, 6, 6, 6}};
__constant__ unsigned char class_[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1,
                                         1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6};
KERNEL lexer_dfa(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int state = 0, tokens = 0, errors = 0;
  for (int p = 0; p < 48; p++) {
    int c = class_[pick(in[(i * 48 + p) & (CAP - 1)], 32)];
    int next = delta_[state][c];
    if (next != state && next != 0) {
      if (next == 6) { if (++errors > 2) break; }
      else tokens++;
    }
    state = next;
  }
  ((int*)out)[i] = tokens | (errors << 8) | (state << 16);
}

// ---------------------------------------------------------------- 22: Philox and the number pi
struct U4 { unsigned x, y, z, w; };
__device__ U4 philox4x32(U4 c, unsigned k0, unsigned k1) {
#pragma unroll
  for (int r = 0; r < 10; r++) {
    unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
    unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    c = U4{h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}
KERNEL philox_pi(float* out, const float* in, int n) {
  int draws = lim(n, 64);
  unsigned m = warp_lanes();
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key = __float_as_uint(in[id & (CAP - 1)]);
  int hits = 0;
  for (int d = 0; d < draws; d++) {
    U4 r = philox4x32(U4{id, (unsigned)d, 0u, 0u}, key, 42u);
    float x = r.x * 2.3283064e-10f, y = r.y * 2.3283064e-10f, z = r.z * 2.3283064e-10f, w = r.w * 2.3283064e-10f;
    hits += (x * x + y * y <= 1.f) + (z * z + w * w <= 1.f);
  }
  int s = __reduce_add_sync(m, hits);
  if ((threadIdx.x & 31) == 0) atomicAdd((int*)out, s);
}

// ---------------------------------------------------------------- 23: n-body with tiles of bodies
KERNEL nbody_tile(float* out, const float* in, int n) {
  float4* s = (float4*)dyn;
  n = lim(n, 4096);
  const float4* body = (const float4*)in;
  int t = threadIdx.x, bd = blockDim.x, i = blockIdx.x * bd + t;
  float4 me = body[i & (CAP / 4 - 1)];
  float3 a = make_float3(0.f, 0.f, 0.f);
  for (int j0 = 0; j0 < n; j0 += bd) {
    if (j0 + t < n) s[t] = body[j0 + t];
    __syncthreads();
    int lim_j = min(bd, n - j0);
    for (int j = 0; j < lim_j; j++) {
      float4 o = s[j];
      float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float inv = rsqrtf(r2);
      float f = o.w * inv * inv * inv;
      a.x += f * dx; a.y += f * dy; a.z += f * dz;
    }
    __syncthreads();
  }
  if (i < n) ((float4*)out)[i] = make_float4(a.x, a.y, a.z, me.w);
}

// ---------------------------------------------------------------- 24: Mandelbrot
KERNEL mandel_escape(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float cx = -2.f + 3.f * ((i & 63) + in[i]) / 64.f, cy = -1.2f + 0.08f * ((i >> 6) % 30);
  float x = 0.f, y = 0.f;
  int k = 0;
  for (; k < 80; k++) {
    float x2 = x * x, y2 = y * y;
    if (x2 + y2 > 4.f) break;
    y = 2.f * x * y + cy;
    x = x2 - y2 + cx;
  }
  out[i] = k == 80 ? -1.f : k + 1.f - log2f(0.5f * log2f(x * x + y * y));
}

// ---------------------------------------------------------------- 25: longest common subsequence by anti-diagonals
KERNEL lcs_wave(float* out, const float* in, int n) {
  __shared__ signed char A[64], B[64];
  __shared__ short row[3][65];
  n = lim(n, CAP);
  int la = 20 + n % 45, lb = 20 + (n / 3) % 45;
  const float* src = in + (blockIdx.x & 4095) * 128;
  for (int k = threadIdx.x; k < la; k += blockDim.x) A[k] = (signed char)pick(src[k], 4);
  for (int k = threadIdx.x; k < lb; k += blockDim.x) B[k] = (signed char)pick(src[64 + k], 4);
  __syncthreads();
  int c = 0, p1 = 2, p2 = 1;
  for (int k = 0; k <= la + lb; k++) {
    int lo = max(0, k - lb), hi = min(la, k);
    for (int i = lo + threadIdx.x; i <= hi; i += blockDim.x) {
      int j = k - i;
      short v;
      if (i == 0 || j == 0) v = 0;
      else if (A[i - 1] == B[j - 1]) v = row[p2][i - 1] + 1;
      else v = max(row[p1][i - 1], row[p1][i]);
      row[c][i] = v;
    }
    __syncthreads();
    int old = p2;
    p2 = p1; p1 = c; c = old;
  }
  if (threadIdx.x == 0) ((int*)out)[blockIdx.x] = row[p1][la];
}

// ---------------------------------------------------------------- 26: Cholesky of a small matrix a block
KERNEL chol_block(float* out, const float* in, int n) {
  __shared__ float a[24][25];
  int N = 8 + lim(n, CAP) % 17;
  int t = threadIdx.x, bd = blockDim.x;
  const float* src = in + (blockIdx.x & 1023) * 576;
  for (int e = t; e < N * N; e += bd) {
    int i = e / N, j = e % N, lo = min(i, j), hi = max(i, j);
    a[i][j] = src[hi * N + lo] + (i == j ? (float)N : 0.f);
  }
  __syncthreads();
  for (int k = 0; k < N; k++) {
    if (t == 0) a[k][k] = sqrtf(a[k][k]);
    __syncthreads();
    for (int i = k + 1 + t; i < N; i += bd) a[i][k] /= a[k][k];
    __syncthreads();
    int rem = N - k - 1;
    for (int e = t; e < rem * rem; e += bd) {
      int i = k + 1 + e / rem, j = k + 1 + e % rem;
      if (j <= i) a[i][j] -= a[i][k] * a[j][k];
    }
    __syncthreads();
  }
  for (int e = t; e < N * N; e += bd) {
    int i = e / N, j = e % N;
    out[(blockIdx.x & 1023) * 576 + e] = j <= i ? a[i][j] : 0.f;
  }
}

// ---------------------------------------------------------------- 27: LU with pivots, a 5x5 matrix a thread
KERNEL lu_thread(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[5][5];
  int perm[5];
  for (int r = 0; r < 5; r++) {
    perm[r] = r;
    for (int c = 0; c < 5; c++) a[r][c] = in[(i * 25 + r * 5 + c) & (CAP - 1)] - 0.5f;
  }
  float det = 1.f;
  for (int k = 0; k < 5; k++) {
    int piv = k;
    float best = fabsf(a[perm[k]][k]);
    for (int r = k + 1; r < 5; r++) {
      float v = fabsf(a[perm[r]][k]);
      if (v > best) { best = v; piv = r; }
    }
    if (best < 1e-3f) { det = 0.f; break; }
    if (piv != k) { int s = perm[k]; perm[k] = perm[piv]; perm[piv] = s; det = -det; }
    int pk = perm[k];
    det *= a[pk][k];
    for (int r = k + 1; r < 5; r++) {
      int pr = perm[r];
      float f = a[pr][k] / a[pk][k];
      for (int c = k; c < 5; c++) a[pr][c] -= f * a[pk][c];
    }
  }
  out[i] = det;
}

// ---------------------------------------------------------------- 28: Stockham FFT of 256 points
KERNEL fft256(float* out, const float* in, int n) {
  __shared__ float2 buf[2][256];
  n = lim(n, CAP);
  int base = blockIdx.x * 256;
  for (int e = threadIdx.x; e < 256; e += blockDim.x)
    buf[0][e] = make_float2(base + e < n ? in[base + e] : 0.f, 0.f);
  __syncthreads();
  int src = 0;
  for (int ns = 1; ns < 256; ns <<= 1) {
    for (int j = threadIdx.x; j < 128; j += blockDim.x) {
      int r = j & (ns - 1);
      float s, c;
      sincospif(-(float)r / (float)ns, &s, &c);
      float2 u = buf[src][j], v = buf[src][j + 128];
      float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
      int d = (j - r) * 2 + r;
      buf[src ^ 1][d] = make_float2(u.x + w.x, u.y + w.y);
      buf[src ^ 1][d + ns] = make_float2(u.x - w.x, u.y - w.y);
    }
    __syncthreads();
    src ^= 1;
  }
  for (int e = threadIdx.x; e < 256; e += blockDim.x)
    if (base + e < n) out[base + e] = hypotf(buf[src][e].x, buf[src][e].y);
}

// ---------------------------------------------------------------- 29: bit tricks
__device__ __forceinline__ unsigned spread(unsigned v) {
  v &= 0xffffu;
  v = (v | (v << 8)) & 0x00ff00ffu;
  v = (v | (v << 4)) & 0x0f0f0f0fu;
  v = (v | (v << 2)) & 0x33333333u;
  return (v | (v << 1)) & 0x55555555u;
}
KERNEL bits_morton(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = pick(in[i], 65536), y = pick(in[CAP - 1 - i], 65536);
  unsigned z = spread(x) | (spread(y) << 1);
  unsigned gray = z ^ (z >> 1);
  unsigned rot = __funnelshift_l(gray, gray, x & 31);
  unsigned r = __brev(rot) ^ __byte_perm(x, y, 0x1504);
  int lead = __clz(r | 1u), low = __ffs(r), ones = __popc(r & z);
  unsigned v = z | 1u;                            // integer square root, bit by bit
  unsigned root = 0, bit = 1u << 30;
  while (bit > v) bit >>= 2;
  while (bit) {
    if (v >= root + bit) { v -= root + bit; root = (root >> 1) + bit; }
    else root >>= 1;
    bit >>= 2;
  }
  unsigned c = x | 2u, lowest = c & (0u - c), ripple = c + lowest;   // next number with as many ones
  c = (((c ^ ripple) >> 2) >> (__ffs(lowest) - 1)) | ripple;
  unsigned clear = 0;
  for (unsigned q = y; q; q &= q - 1) clear = clear * 3u + __ffs(q);
  ((unsigned*)out)[i] = r + lead * 7u + low * 11u + ones * 13u + (root ^ c) + clear;
}

// ---------------------------------------------------------------- 30: Bloom filter with Murmur hashes
__device__ __noinline__ unsigned murmur3(const float* p, int len, unsigned seed) {
  unsigned h = seed;
  for (int k = 0; k < len; k++) {
    unsigned w = __float_as_uint(p[k]) * 0xcc9e2d51u;
    w = (w << 15) | (w >> 17);
    h ^= w * 0x1b873593u;
    h = ((h << 13) | (h >> 19)) * 5u + 0xe6546b64u;
  }
  h ^= len * 4;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}
KERNEL bloom_murmur(float* out, const float* in, int n) {
  __shared__ unsigned filter[64];
  n = lim(n, CAP / 8 - 1);
  unsigned m = warp_lanes();
  for (int k = threadIdx.x; k < 64; k += blockDim.x) filter[k] = 0u;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float* p = in + i * 8;
    int len = 1 + pick(p[7], 6);
    unsigned h1 = murmur3(p, len, 1u), h2 = murmur3(p, len, 99u);
    for (int k = 0; k < 3; k++) {
      unsigned b = (h1 + k * h2) & 2047u;
      atomicOr(&filter[b >> 5], 1u << (b & 31));
    }
  }
  __syncthreads();
  bool maybe = false;
  if (i < n) {
    const float* p = in + i * 8 + 2;              // keys that were most likely never put in
    int len = 1 + pick(p[5], 5);
    unsigned h1 = murmur3(p, len, 1u), h2 = murmur3(p, len, 99u);
    maybe = true;
    for (int k = 0; k < 3 && maybe; k++) {
      unsigned b = (h1 + k * h2) & 2047u;
      maybe = (filter[b >> 5] >> (b & 31)) & 1u;
    }
  }
  int c = __popc(__ballot_sync(m, maybe));
  if ((threadIdx.x & 31) == 0 && c) atomicAdd((int*)out + (blockIdx.x & 1023), c);
}

// ---------------------------------------------------------------- 31: run-length encoding, a block's worth (block <= 512)
KERNEL rle_block(float* out, const float* in, int n) {
  __shared__ int starts[513];
  __shared__ int wc[16];
  n = lim(n, CAP);
  unsigned m = warp_lanes();
  int t = threadIdx.x, lane = t & 31, w = t >> 5, nw = (blockDim.x + 31) >> 5;
  int base = blockIdx.x * blockDim.x, i = base + t;
  int count = min((int)blockDim.x, n - base);
  int sym = t < count ? pick(in[i >> 2], 3) : -1;
  int prev = t < count && t > 0 ? pick(in[(i - 1) >> 2], 3) : -2;
  bool head = t < count && sym != prev;
  unsigned b = __ballot_sync(m, head);
  if (lane == 0) wc[w] = __popc(b);
  __syncthreads();
  int before = 0, total = 0;
  for (int q = 0; q < nw; q++) {
    if (q < w) before += wc[q];
    total += wc[q];
  }
  if (head) starts[before + __popc(b & ((1u << lane) - 1u))] = t;
  if (t == 0) starts[total] = max(count, 0);
  __syncthreads();
  if (t < total) {
    int s = starts[t], len = starts[t + 1] - s;
    ((int*)out)[base + t] = (pick(in[(base + s) >> 2], 3) << 16) | len;
  }
}

// ---------------------------------------------------------------- 32: bicubic (Catmull-Rom) interpolation
__device__ __noinline__ float4 cubic_weights(float f) {
  float f2 = f * f, f3 = f2 * f;
  return make_float4(-0.5f * f3 + f2 - 0.5f * f, 1.5f * f3 - 2.5f * f2 + 1.f, -1.5f * f3 + 2.f * f2 + 0.5f * f, 0.5f * f3 - 0.5f * f2);
}
KERNEL bicubic_sample(float* out, const float* in, int n) {
  n = lim(n, CAP / 2);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = ((const float2*)in)[i];
  float u = p.x * 63.f, v = p.y * 63.f;
  int x = (int)floorf(u), y = (int)floorf(v);
  float4 wx = cubic_weights(u - x), wy = cubic_weights(v - y);
  const float* img = in + CAP - 4096;
  float acc = 0.f;
#pragma unroll
  for (int r = 0; r < 4; r++) {
    const float* line = img + min(max(y + r - 1, 0), 63) * 64;
    float s = wx.x * line[max(x - 1, 0)] + wx.y * line[x] + wx.z * line[min(x + 1, 63)] + wx.w * line[min(x + 2, 63)];
    float k = r == 0 ? wy.x : r == 1 ? wy.y : r == 2 ? wy.z : wy.w;
    acc = fmaf(k, s, acc);
  }
  out[i] = __saturatef(acc);
}

// ---------------------------------------------------------------- 33: half precision in pairs
KERNEL half2_horner(float* out, const float* in, int n) {
  n = lim(n, CAP / 2);
  const float2* src = (const float2*)in;
  __half2* dst = (__half2*)out;
  const __half2 one = __float2half2_rn(1.f), lowb = __float2half2_rn(0.25f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    __half2 x = __float22half2_rn(src[i]);
    __half2 p = __float2half2_rn(1.f / 120.f);
    p = __hfma2(p, x, __float2half2_rn(1.f / 24.f));
    p = __hfma2(p, x, __float2half2_rn(1.f / 6.f));
    p = __hfma2(p, x, __float2half2_rn(0.5f));
    p = __hfma2(p, x, one);
    p = __hfma2(p, x, one);
    __half2 e = __hsub2(h2exp(x), p);
    __half2 keep = __hgt2(x, lowb);
    __half2 r = __hfma2(keep, h2rsqrt(__hmax2(x, lowb)), __habs2(e));
    __half s = __hadd(__low2half(r), __high2half(r));
    if (__hlt(s, __float2half(1.5f))) r = __lowhigh2highlow(r);
    dst[i] = r;
  }
}

// ---------------------------------------------------------------- 34: double precision sums with compensation
KERNEL kahan_double(float* out, const float* in, int n) {
  n = lim(n, CAP / 2);
  unsigned m = warp_lanes();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0, comp = 0.0;
  if (i < n) {
    for (int k = 0; k < 12; k++) {
      double x = (double)in[(i * 12 + k) & (CAP - 1)];
      double term = x / (1.0 + (double)k * x) - comp;
      double s = sum + term;
      comp = (s - sum) - term;
      sum = s;
    }
    double g = 0.5 * (sum + 1.0);                 // Newton's root
    for (int it = 0; it < 20; it++) {
      double h = 0.5 * (g + sum / g);
      if (fabs(h - g) < 1e-12) break;
      g = h;
    }
    sum = g;
  }
  __syncwarp(m);
  double total = warp_sum(m, sum);
  total = __shfl_sync(m, total, 0);
  if (i < n) ((double*)out)[i] = sum / fma(total, 1.0, 1e-9);
}

// ---------------------------------------------------------------- 35: 64-bit modular powers, Fermat and Miller-Rabin
__device__ unsigned long long powmod(unsigned long long b, unsigned e, unsigned long long mod) {
  unsigned long long r = 1;
  b %= mod;
  while (e) {
    if (e & 1u) r = r * b % mod;
    b = b * b % mod;
    e >>= 1;
  }
  return r;
}
__device__ __noinline__ bool strong_probable(unsigned p, unsigned base) {
  unsigned d = p - 1;
  int s = 0;
  while (!(d & 1u)) { d >>= 1; s++; }
  unsigned long long x = powmod(base, d, p);
  if (x == 1 || x == p - 1) return true;
  for (int k = 1; k < s; k++) {
    x = x * x % p;
    if (x == p - 1) return true;
  }
  return false;
}
KERNEL modpow64(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned p = 2u * (unsigned)pick(in[i], 1 << 19) + 5u;
  int verdict = 0;
  if (p % 3 == 0 && p != 3) verdict = -3;
  else if (!strong_probable(p, 2u)) verdict = -2;
  else verdict = strong_probable(p, 3u) ? 1 : -1;
  unsigned long long f = 0xcbf29ce484222325ull;   // FNV-1a of the bytes, 64 bit
  for (unsigned q = p; q; q >>= 8) f = (f ^ (q & 255u)) * 0x100000001b3ull;
  f ^= __umul64hi(f, 0x9e3779b97f4a7c15ull);
  ((int*)out)[i] = verdict * 65536 + (int)(f >> 48);
}

// ---------------------------------------------------------------- 36: CORDIC in fixed point
__constant__ int atan_q16[16] = {51472, 30386, 16055, 8150, 4091, 2047, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2};
KERNEL cordic_q16(float* out, const float* in, int n) {
  n = lim(n, CAP / 2);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int z = (int)(in[i] * 102943.f), x = 39797, y = 0;   // an angle in [0, pi/2)
  int k = 0;
  for (; k < 16; k++) {
    if (z > -3 && z < 3) break;
    int dx = y >> k, dy = x >> k;
    if (z >= 0) { x -= dx; y += dy; z -= atan_q16[k]; }
    else        { x += dx; y -= dy; z += atan_q16[k]; }
  }
  long long norm = (long long)x * x + (long long)y * y;
  int q = (int)(norm >> 16);
  int tan_ = x > 64 ? (int)(((long long)y << 16) / x) : 0x7fffffff;
  ((int*)out)[2 * i] = y ^ (q << 1) ^ k;
  ((int*)out)[2 * i + 1] = __mulhi(tan_, 1 << 20);
}

// ---------------------------------------------------------------- 37: stream compaction by ballots
KERNEL compact_ballot(float* out, const float* in, int n) {
  __shared__ int wc[32];
  n = lim(n, CAP - 4096);
  unsigned m = warp_lanes();
  int t = threadIdx.x, lane = t & 31, w = t >> 5, nw = (blockDim.x + 31) >> 5;
  int base = blockIdx.x * blockDim.x, i = base + t;
  float x = i < n ? in[i] : 0.f;
  bool keep = x > 0.6f;
  unsigned b = __ballot_sync(m, keep);
  if (lane == 0) wc[w] = __popc(b);
  __syncthreads();
  if (t == 0) {                                   // exclusive sum of the warps' counts
    int run = 0;
    for (int q = 0; q < nw; q++) { int c = wc[q]; wc[q] = run; run += c; }
    ((int*)out)[CAP - 1 - (blockIdx.x & 4095)] = run;
  }
  __syncthreads();
  if (keep) out[base + wc[w] + __popc(b & ((1u << lane) - 1u))] = x;
}

// ---------------------------------------------------------------- 38: group-by inside a warp with match
KERNEL match_groupby(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int* o = (int*)out;
  unsigned m = warp_lanes();
  int t = threadIdx.x, lane = t & 31;
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    int i = base + t;
    bool ok = i < n;
    int key = ok ? pick(in[i] * in[i], 7) : -1;
    int val = ok ? pick(in[CAP - 1 - i], 100) : 0;
    unsigned peers = __match_any_sync(m, key);
    int same;
    __match_all_sync(m, key, &same);
    if (same && lane == 0) atomicAdd(o + 30, 1);
    unsigned rest = m;
    while (rest) {
      int lead = __ffs(rest) - 1;
      int k = __shfl_sync(m, key, lead);
      bool mine = key == k;
      unsigned grp = __ballot_sync(m, mine);
      int s = __reduce_add_sync(m, mine ? val : 0);
      int hi = __reduce_max_sync(m, mine ? val : 0);
      if (lane == lead && k >= 0) {
        atomicAdd(o + 3 * k, __popc(peers));
        atomicAdd(o + 3 * k + 1, s);
        atomicMax(o + 3 * k + 2, hi);
      }
      rest &= ~grp;
    }
  }
}

// ---------------------------------------------------------------- 39: softmax, a row per tile of eight (block a multiple of 8)
KERNEL cg_tile_softmax(float* out, const float* in, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  const int cols = 20;
  int rows = lim(n, CAP / cols);
  int tiles = blockDim.x / 8;
  for (int r = blockIdx.x * tiles + tile.meta_group_rank(); r < rows; r += gridDim.x * tiles) {
    const float* p = in + r * cols;
    float mx = -1e30f;
    for (int c = tile.thread_rank(); c < cols; c += 8) mx = fmaxf(mx, 4.f * p[c]);
    mx = cg::reduce(tile, mx, cg::greater<float>());
    float s = 0.f;
    for (int c = tile.thread_rank(); c < cols; c += 8) s += expf(4.f * p[c] - mx);
    s = cg::reduce(tile, s, cg::plus<float>());
    for (int c = tile.thread_rank(); c < cols; c += 8) out[r * cols + c] = expf(4.f * p[c] - mx) / s;
  }
}

// ---------------------------------------------------------------- 40: a small stack machine
KERNEL vm_switch(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* prog = in + ((blockIdx.x * 64) & (CAP - 1));
  float st[8];
  for (int k = 0; k < 8; k++) st[k] = 0.f;
  float acc = in[CAP - 1 - i];
  int sp = 0, pc = 0, steps = 0;
  bool run = true;
  while (run && steps < 56) {
    switch (pick(prog[pc], 12)) {
      case 0: st[sp] = acc; sp = (sp + 1) & 7; break;                    // push
      case 1: sp = (sp + 7) & 7; acc = st[sp]; break;                    // pop
      case 2: acc += st[(sp + 7) & 7]; break;
      case 3: acc *= 1.0f + st[sp]; break;
      case 4: acc = fabsf(acc) < 1e-3f ? 1.f : 1.f / acc; break;
      case 5: if (acc > 0.5f) pc = (pc + 3) & 63; break;                 // skip
      case 6: acc = acc - floorf(acc); break;
      case 7: { float h = st[0]; st[0] = st[sp]; st[sp] = h; } break;
      case 8: if (steps > 8 && acc < 0.3f) run = false; break;           // halt
      case 9: acc = sqrtf(fabsf(acc)); break;
      case 10: if (acc < 0.25f) pc = (pc + 60) & 63; acc += 0.125f; break; // back
      default: acc = __int_as_float((__float_as_int(acc) & 0x007fffff) | 0x3f800000) - 1.f; break;
    }
    pc = (pc + 1) & 63;
    steps++;
  }
  out[i] = acc + steps;
}

// ---------------------------------------------------------------- 41: rays and spheres, structs of vectors
struct __align__(16) Sphere { float3 c; float r; };
struct Ray { float3 o, d; };
__device__ __forceinline__ float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ __forceinline__ float3 madd3(float3 a, float s, float3 b) { return make_float3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
__device__ bool hit(const Sphere& s, const Ray& r, float& best) {
  float3 oc = make_float3(r.o.x - s.c.x, r.o.y - s.c.y, r.o.z - s.c.z);
  float b = dot3(oc, r.d), c = dot3(oc, oc) - s.r * s.r, disc = b * b - c;
  if (disc <= 0.f) return false;
  float t = -b - sqrtf(disc);
  if (t < 1e-3f || t >= best) return false;
  best = t;
  return true;
}
KERNEL rays_struct(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Sphere* scene = (const Sphere*)(in + 4096);
  Ray r;
  r.o = make_float3(in[i], in[CAP - 1 - i], -2.f);
  r.d = make_float3(0.1f, -0.05f, 1.f);
  float light = 0.f, weight = 1.f;
  for (int bounce = 0; bounce < 4; bounce++) {
    float inv = rsqrtf(dot3(r.d, r.d));
    r.d = make_float3(r.d.x * inv, r.d.y * inv, r.d.z * inv);
    float best = 1e9f;
    int who = -1;
    Sphere hs = scene[0];
    for (int k = 0; k < 9; k++) {
      Sphere s = scene[k];
      s.r = 0.08f + 0.2f * s.r;
      if (hit(s, r, best)) { who = k; hs = s; }
    }
    if (who < 0) { light += weight * (0.5f + 0.5f * r.d.y); break; }
    float3 p = madd3(r.o, best, r.d);
    float3 nrm = make_float3((p.x - hs.c.x) / hs.r, (p.y - hs.c.y) / hs.r, (p.z - hs.c.z) / hs.r);
    float lambert = fmaxf(0.f, nrm.y);
    light += weight * 0.3f * lambert;
    weight *= 0.6f;
    r.o = p;
    r.d = madd3(r.d, -2.f * dot3(r.d, nrm), nrm);
  }
  out[i] = light;
}

// ---------------------------------------------------------------- 42: adaptive Simpson, recursive
__device__ __forceinline__ float wavy(float x, float w) { return __sinf(w * x) / (0.1f + x); }
__device__ __noinline__ float simpson(float a, float b, float fa, float fm, float fb, float w, int depth) {
  float m = 0.5f * (a + b), h = b - a;
  float fl = wavy(0.5f * (a + m), w), fr = wavy(0.5f * (m + b), w);
  float whole = h / 6.f * (fa + 4.f * fm + fb);
  float halves = h / 12.f * (fa + 4.f * fl + 2.f * fm + 4.f * fr + fb);
  if (depth == 0 || fabsf(halves - whole) < 1e-4f) return halves;
  return simpson(a, m, fa, fl, fm, w, depth - 1) + simpson(m, b, fm, fr, fb, w, depth - 1);
}
KERNEL simpson_rec(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w = 2.f + 12.f * in[i], b = 1.f + in[CAP - 1 - i];
  out[i] = simpson(0.f, b, wavy(0.f, w), wavy(0.5f * b, w), wavy(b, w), w, 4);
}

// ---------------------------------------------------------------- 43: Collatz, gcd and digits: nested divergence
KERNEL collatz_gcd(float* out, const float* in, int n) {
  n = lim(n, CAP);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = 1u + pick(in[i], 500), b = 1u + pick(in[CAP - 1 - i], 3000);
  int score = 0;
  if (a & 1u) {
    unsigned c = a;
    while (c != 1u) {
      if (c & 1u) {
        c = 3u * c + 1u;
        if (c % 5u == 0u) score += 2;
        else if (c % 7u == 0u) { score -= 1; if (score < 0) { score = 50; continue; } }
      } else c >>= 1;
      if (++score > 90) break;
    }
  } else {
    unsigned x = a, y = b;
    do {
      unsigned r = x % y;
      x = y; y = r;
      score++;
      if (x == 1u) goto coprime;
    } while (y);
    for (unsigned q = x; q; q /= 10u)
      if (q % 10u > 4u) score += (int)(q % 10u);
  coprime:
    score = score * 3 + (x > 1u ? (int)x : 0);
  }
  ((int*)out)[i] = score;
}

// ---------------------------------------------------------------- 44: Kepler's equation until the whole warp agrees
KERNEL vote_kepler(float* out, const float* in, int n) {
  n = lim(n, CAP);
  unsigned m = warp_lanes();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool ok = i < n;
  float ecc = ok ? 0.95f * in[i] : 0.f, M = ok ? 6.2831853f * in[CAP - 1 - i] : 0.f;
  float E = M;
  bool done = !ok;
  int rounds = 0;
  while (__any_sync(m, !done) && rounds < 30) {
    if (!done) {
      float s, c;
      __sincosf(E, &s, &c);
      float d = (E - ecc * s - M) / (1.f - ecc * c);
      d = fminf(fmaxf(d, -1.f), 1.f);
      E -= d;
      done = fabsf(d) < 1e-4f;
    }
    rounds++;
  }
  int easy = __all_sync(m, E >= 0.f && E < 7.f) && __uni_sync(m, done) ? 1 : 0;
  if (ok) out[i] = E + (easy ? 0.f : 100.f) + rounds * 8.f;
}
