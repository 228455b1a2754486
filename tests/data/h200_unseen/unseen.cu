// SPDX-License-Identifier: Apache-2.0
// An unseen set: kernels as a second course's homework, exams and slides have them, written by an
// author who had not seen how the emulator predicts. Nothing was or may be fitted to them. Every
// kernel takes (float* out, const float* in, int n); in holds 2^20 floats in [0, 1], out 2^20
// zeros. A kernel whose name ends in _fa adds floats atomically: its output may differ in the last
// bits.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace cg = cooperative_groups;

// 24 random bits of element i.
__device__ __forceinline__ unsigned bits24(const float* in, int i) {
  return static_cast<unsigned>(in[i] * 16777215.f);
}

// ---------------------------------------------------------------- linear algebra

// Step 0 of an LU decomposition without pivots: the first column's multipliers, the rest updated.
extern "C" __global__ void lu_step(float* out, const float* in, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float pivot = in[0] + 1.f;
  float a = in[row * n + col];
  if (row > 0) {
    float l = in[row * n] / pivot;
    if (col == 0)
      a = l;
    else
      a -= l * in[col];
  }
  out[row * n + col] = a;
}

// A block takes one symmetric matrix of n x n, n <= 32, and leaves its lower Cholesky factor.
extern "C" __global__ void cholesky_small(float* out, const float* in, int n) {
  __shared__ float a[32][33];
  int t = threadIdx.x;
  const float* source = in + blockIdx.x * n * n;
  for (int e = t; e < n * n; e += blockDim.x) {
    int r = e / n, c = e % n;
    a[r][c] = 0.5f * (source[r * n + c] + source[c * n + r]) + (r == c ? float(n) : 0.f);
  }
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (t == 0) a[k][k] = sqrtf(a[k][k]);
    __syncthreads();
    for (int r = k + 1 + t; r < n; r += blockDim.x) a[r][k] /= a[k][k];
    __syncthreads();
    for (int c = k + 1; c < n; ++c)
      for (int r = c + t; r < n; r += blockDim.x) a[r][c] -= a[r][k] * a[c][k];
    __syncthreads();
  }
  for (int e = t; e < n * n; e += blockDim.x) {
    int r = e / n, c = e % n;
    out[blockIdx.x * n * n + e] = c <= r ? a[r][c] : 0.f;
  }
}

// One thread, one tridiagonal system of 16 unknowns; the systems lie interleaved.
extern "C" __global__ void thomas_solver(float* out, const float* in, int n) {
  constexpr int kSize = 16;
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n) return;
  float c[kSize], d[kSize];
  c[0] = -1.f / 4.f;
  d[0] = in[s] / 4.f;
  for (int i = 1; i < kSize; ++i) {
    float m = 1.f / (4.f + c[i - 1]);
    c[i] = -m;
    d[i] = (in[i * n + s] + d[i - 1]) * m;
  }
  float x = d[kSize - 1];
  out[(kSize - 1) * n + s] = x;
  for (int i = kSize - 2; i >= 0; --i) {
    x = d[i] - c[i] * x;
    out[i * n + s] = x;
  }
}

// Determinant of a 5 x 5 matrix by Gaussian elimination with row pivots, in a thread's own array.
extern "C" __global__ void determinant_pivot(float* out, const float* in, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  float m[5][5];
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) m[r][c] = in[id * 25 + r * 5 + c] - 0.5f;
  float det = 1.f;
#pragma unroll 1
  for (int k = 0; k < 5; ++k) {
    int p = k;
    for (int r = k + 1; r < 5; ++r)
      if (fabsf(m[r][k]) > fabsf(m[p][k])) p = r;
    if (m[p][k] == 0.f) {
      det = 0.f;
      break;
    }
    if (p != k) {
      det = -det;
      for (int c = 0; c < 5; ++c) {
        float t = m[p][c];
        m[p][c] = m[k][c];
        m[k][c] = t;
      }
    }
    det *= m[k][k];
    for (int r = k + 1; r < 5; ++r) {
      float f = m[r][k] / m[k][k];
      for (int c = k; c < 5; ++c) m[r][c] -= f * m[k][c];
    }
  }
  out[id] = det;
}

// y = A x for many small A of 32 columns: kLanes threads share a row, kUnroll rows at a time.
template <int kLanes, int kUnroll>
__device__ void matvec_group(float* out, const float* in, int n) {
  constexpr int kColumns = 32;
  int group = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  int lane = threadIdx.x % kLanes;
  int groups = gridDim.x * blockDim.x / kLanes;
  unsigned mask = (~0u >> (32 - kLanes)) << (threadIdx.x % 32 / kLanes * kLanes);
  float x[kColumns / kLanes];
#pragma unroll
  for (int j = 0; j < kColumns / kLanes; ++j) x[j] = in[(1 << 19) + j * kLanes + lane];
  for (int row = group * kUnroll; row < n; row += groups * kUnroll) {
    float sum[kUnroll] = {};
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (row + u < n) {
#pragma unroll
        for (int j = 0; j < kColumns / kLanes; ++j)
          sum[u] += in[(row + u) * kColumns + j * kLanes + lane] * x[j];
      }
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u)
      for (int d = kLanes / 2; d > 0; d /= 2) sum[u] += __shfl_xor_sync(mask, sum[u], d, kLanes);
    if (lane == 0)
      for (int u = 0; u < kUnroll && row + u < n; ++u) out[row + u] = sum[u];
  }
}

extern "C" __global__ void matvec_8x1(float* out, const float* in, int n) {
  matvec_group<8, 1>(out, in, n);
}
extern "C" __global__ void matvec_8x2(float* out, const float* in, int n) {
  matvec_group<8, 2>(out, in, n);
}
extern "C" __global__ void matvec_16x4(float* out, const float* in, int n) {
  matvec_group<16, 4>(out, in, n);
}
extern "C" __global__ void matvec_32x8(float* out, const float* in, int n) {
  matvec_group<32, 8>(out, in, n);
}

// C = A B, n x n, tiles of 16 kept twice: one is filled while the other is used.
extern "C" __global__ void matmul_double_buffer(float* out, const float* in, int n) {
  __shared__ float a[2][16][16], b[2][16][16];
  const float* B = in + n * n;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  int tiles = n / 16, stage = 0;
  a[0][ty][tx] = in[row * n + tx];
  b[0][ty][tx] = B[ty * n + col];
  __syncthreads();
  float sum = 0.f;
  for (int t = 0; t < tiles; ++t, stage ^= 1) {
    float next_a = 0.f, next_b = 0.f;
    if (t + 1 < tiles) {
      next_a = in[row * n + (t + 1) * 16 + tx];
      next_b = B[((t + 1) * 16 + ty) * n + col];
    }
    for (int k = 0; k < 16; ++k) sum += a[stage][ty][k] * b[stage][k][tx];
    if (t + 1 < tiles) {
      a[stage ^ 1][ty][tx] = next_a;
      b[stage ^ 1][ty][tx] = next_b;
    }
    __syncthreads();
  }
  out[row * n + col] = sum;
}

// Two levels of tiles: a block has 64 x 64 of C, a thread 4 x 4; all moves are of float4.
extern "C" __global__ void __launch_bounds__(256) gemm_float4(float* out, const float* in, int n) {
  __shared__ __align__(16) float a[8][64], b[8][64];
  const float* B = in + n * n;
  int t = threadIdx.x, tx = t % 16, ty = t / 16;
  int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    if (t < 128) {
      int r = t / 2, k = (t % 2) * 4;
      float4 v = *reinterpret_cast<const float4*>(in + (row0 + r) * n + k0 + k);
      a[k][r] = v.x;
      a[k + 1][r] = v.y;
      a[k + 2][r] = v.z;
      a[k + 3][r] = v.w;
    } else {
      int k = (t - 128) / 16, c = (t % 16) * 4;
      *reinterpret_cast<float4*>(&b[k][c]) =
          *reinterpret_cast<const float4*>(B + (k0 + k) * n + col0 + c);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float4 u = *reinterpret_cast<float4*>(&a[k][ty * 4]);
      float4 v = *reinterpret_cast<float4*>(&b[k][tx * 4]);
      const float us[4] = {u.x, u.y, u.z, u.w}, vs[4] = {v.x, v.y, v.z, v.w};
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) acc[i][j] = fmaf(us[i], vs[j], acc[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4*>(out + (row0 + ty * 4 + i) * n + col0 + tx * 4) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}

// Transpose of n x n, n a multiple of 32, by a tile whose columns are swizzled instead of padded.
extern "C" __global__ void transpose_swizzled(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) {
    int r = threadIdx.y + j;
    tile[r][threadIdx.x ^ r] = in[(y + j) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) {
    int r = threadIdx.y + j;
    out[(y + j) * n + x] = tile[threadIdx.x][r ^ threadIdx.x];
  }
}

// Each group of 8 lanes transposes 8 x 8 values held in registers, in three exchanges.
extern "C" __global__ void transpose_shuffle(float* out, const float* in, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread / 32 * 32 + 31 >= n) return;
  int lane = threadIdx.x % 8;
  float v[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = in[thread / 8 * 64 + i * 8 + lane];
#pragma unroll
  for (int d = 1; d < 8; d *= 2) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (i & d) continue;
      bool upper = lane & d;
      float send = upper ? v[i] : v[i | d];
      float got = __shfl_xor_sync(~0u, send, d);
      if (upper)
        v[i] = got;
      else
        v[i | d] = got;
    }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) out[thread / 8 * 64 + i * 8 + lane] = v[i];
}

// ---------------------------------------------------------------- differential equations

// n sweeps of red-black Gauss-Seidel for Laplace's equation on a block's own 34 x 18 tile.
extern "C" __global__ void gauss_seidel_red_black(float* out, const float* in, int n) {
  __shared__ float u[18][34];
  int tid = threadIdx.y * blockDim.x + threadIdx.x;
  int base = (blockIdx.y * gridDim.x + blockIdx.x) * 18 * 34;
  for (int e = tid; e < 18 * 34; e += blockDim.x * blockDim.y) u[e / 34][e % 34] = in[base + e];
  __syncthreads();
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  for (int sweep = 0; sweep < n; ++sweep) {
    for (int color = 0; color < 2; ++color) {
      if ((x + y) % 2 == color)
        u[y][x] = 0.25f * (u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1]);
      __syncthreads();
    }
  }
  for (int e = tid; e < 18 * 34; e += blockDim.x * blockDim.y) out[base + e] = u[e / 34][e % 34];
}

// One explicit step of the heat equation in a cube of n^3; the border stays.
extern "C" __global__ void heat3d(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  int i = (z * n + y) * n + x;
  float c = in[i];
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
    out[i] = c;
  } else {
    float sum = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
    out[i] = c + 0.1f * (sum - 6.f * c);
  }
}

// A string of blockDim.x points swings n steps; three rows in shared memory change places.
extern "C" __global__ void wave_string(float* out, const float* in, int n) {
  extern __shared__ float rows[];
  int t = threadIdx.x, size = blockDim.x;
  float *before = rows, *now = rows + size, *after = rows + 2 * size;
  now[t] = before[t] = t == 0 || t == size - 1 ? 0.f : in[blockIdx.x * size + t];
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < n; ++step) {
    if (t > 0 && t < size - 1)
      after[t] = 2.f * now[t] - before[t] + 0.2f * (now[t - 1] - 2.f * now[t] + now[t + 1]);
    else
      after[t] = 0.f;
    __syncthreads();
    float* spare = before;
    before = now;
    now = after;
    after = spare;
  }
  out[blockIdx.x * size + t] = now[t];
}

struct Vec3 {
  float x, y, z;
  __device__ Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __device__ Vec3 operator+(const Vec3& o) const { return {x + o.x, y + o.y, z + o.z}; }
  __device__ Vec3 operator*(float s) const { return {x * s, y * s, z * s}; }
  __device__ float dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
};

__device__ Vec3 lorenz(const Vec3& p) {
  return {10.f * (p.y - p.x), p.x * (28.f - p.z) - p.y, p.x * p.y - 8.f / 3.f * p.z};
}

// n steps of the classic Runge-Kutta method on the Lorenz system.
extern "C" __global__ void rk4_lorenz(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float h = 0.005f;
  Vec3 p(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
  for (int s = 0; s < n; ++s) {
    Vec3 k1 = lorenz(p);
    Vec3 k2 = lorenz(p + k1 * (h / 2));
    Vec3 k3 = lorenz(p + k2 * (h / 2));
    Vec3 k4 = lorenz(p + k3 * h);
    p = p + (k1 + k2 * 2.f + k3 * 2.f + k4) * (h / 6);
  }
  out[3 * i] = p.x;
  out[3 * i + 1] = p.y;
  out[3 * i + 2] = p.z;
}

// A pendulum by symplectic Euler until it first turns or n steps are over; out: the steps.
extern "C" __global__ void euler_pendulum(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float angle = 0.2f + in[i], speed = 0.f;
  int step = 0;
  do {
    speed -= 0.02f * sinf(angle);
    angle += 0.02f * speed;
    if (angle < -0.9f) break;
  } while (++step < n && !(speed > 0.f));
  out[i] = step + angle;
}

// ---------------------------------------------------------------- images

// An n x n picture scaled to the grid's size.
extern "C" __global__ void bilinear_resize(float* out, const float* in, int n) {
  int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sx = (x + 0.5f) * n / width - 0.5f, sy = (y + 0.5f) * n / height - 0.5f;
  int x0 = max(static_cast<int>(floorf(sx)), 0), y0 = max(static_cast<int>(floorf(sy)), 0);
  int x1 = min(x0 + 1, n - 1), y1 = min(y0 + 1, n - 1);
  float fx = fminf(fmaxf(sx - x0, 0.f), 1.f), fy = fminf(fmaxf(sy - y0, 0.f), 1.f);
  float top = in[y0 * n + x0] * (1.f - fx) + in[y0 * n + x1] * fx;
  float bottom = in[y1 * n + x0] * (1.f - fx) + in[y1 * n + x1] * fx;
  out[y * width + x] = top * (1.f - fy) + bottom * fy;
}

// Sobel's edges of an n x n picture of bytes, the border left out; the result saturates.
extern "C" __global__ void sobel_bytes(float* out, const float* in, int n) {
  const uint8_t* image = reinterpret_cast<const uint8_t*>(in);
  uint8_t* edges = reinterpret_cast<uint8_t*>(out);
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const uint8_t* p = image + y * n + x;
  int gx = p[1 - n] + 2 * p[1] + p[1 + n] - p[-1 - n] - 2 * p[-1] - p[-1 + n];
  int gy = p[n - 1] + 2 * p[n] + p[n + 1] - p[-n - 1] - 2 * p[-n] - p[-n + 1];
  edges[y * n + x] = min(abs(gx) + abs(gy), 255);
}

__device__ __forceinline__ void exchange(float& a, float& b) {
  float low = fminf(a, b);
  b = fmaxf(a, b);
  a = low;
}

// Median of the 9 around a pixel by a network of 19 exchanges; beyond the border the edge repeats.
extern "C" __global__ void median9(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float v[9];
#pragma unroll
  for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
    for (int dx = -1; dx <= 1; ++dx) {
      int cx = min(max(x + dx, 0), n - 1), cy = min(max(y + dy, 0), n - 1);
      v[(dy + 1) * 3 + dx + 1] = in[cy * n + cx];
    }
  exchange(v[1], v[2]), exchange(v[4], v[5]), exchange(v[7], v[8]);
  exchange(v[0], v[1]), exchange(v[3], v[4]), exchange(v[6], v[7]);
  exchange(v[1], v[2]), exchange(v[4], v[5]), exchange(v[7], v[8]);
  exchange(v[0], v[3]), exchange(v[5], v[8]), exchange(v[4], v[7]);
  exchange(v[3], v[6]), exchange(v[1], v[4]), exchange(v[2], v[5]);
  exchange(v[4], v[7]), exchange(v[4], v[2]), exchange(v[6], v[4]);
  exchange(v[4], v[2]);
  out[y * n + x] = v[4];
}

__constant__ float kSmooth[7] = {0.03125f, 0.109375f, 0.21875f, 0.28125f,
                                 0.21875f, 0.109375f, 0.03125f};

// Rows, then columns, of a 7-tap filter on a tile of 16 x 16; both stages in dynamic shared memory.
extern "C" __global__ void conv_separable(float* out, const float* in, int n) {
  extern __shared__ float memory[];
  float* tile = memory;                // 22 x 22
  float* smoothed = memory + 22 * 22;  // 22 rows of 16
  int tid = threadIdx.y * 16 + threadIdx.x;
  int x0 = blockIdx.x * 16 - 3, y0 = blockIdx.y * 16 - 3;
  for (int e = tid; e < 22 * 22; e += 256) {
    int x = x0 + e % 22, y = y0 + e / 22;
    tile[e] = x >= 0 && y >= 0 && x < n && y < n ? in[y * n + x] : 0.f;
  }
  __syncthreads();
  for (int e = tid; e < 22 * 16; e += 256) {
    float sum = 0.f;
    for (int k = 0; k < 7; ++k) sum += kSmooth[k] * tile[e / 16 * 22 + e % 16 + k];
    smoothed[e] = sum;
  }
  __syncthreads();
  float sum = 0.f;
  for (int k = 0; k < 7; ++k) sum += kSmooth[k] * smoothed[(threadIdx.y + k) * 16 + threadIdx.x];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = sum;
}

// Two pictures of bytes, four pixels a thread: the weighted sum saturates; 16 bits in between.
extern "C" __global__ void blend_saturating(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 a = reinterpret_cast<const uchar4*>(in)[i];
  uchar4 b = reinterpret_cast<const uchar4*>(in)[i + n];
  auto mix = [](uint8_t p, uint8_t q) -> uint8_t {
    int16_t s = static_cast<int16_t>(p) * 3 / 2 + static_cast<int16_t>(q) - 64;
    return s < 0 ? 0 : s > 255 ? 255 : s;
  };
  reinterpret_cast<uchar4*>(out)[i] =
      make_uchar4(mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w));
}

// Which of n spheres a ray hits first.
extern "C" __global__ void ray_spheres(float* out, const float* in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int width = gridDim.x * blockDim.x;
  Vec3 d(x / float(width) - 0.5f, y / float(gridDim.y * blockDim.y) - 0.5f, 1.f);
  d = d * rsqrtf(d.dot(d));
  float nearest = 1e30f;
  int hit = -1;
  for (int s = 0; s < n; ++s) {
    Vec3 c(in[4 * s] * 4.f - 2.f, in[4 * s + 1] * 4.f - 2.f, 3.f + in[4 * s + 2] * 4.f);
    float r = 0.1f + 0.5f * in[4 * s + 3];
    float b = d.dot(c), disc = b * b - c.dot(c) + r * r;
    if (disc < 0.f) continue;
    float t = b - sqrtf(disc);
    if (t > 0.f && t < nearest) {
      nearest = t;
      hit = s;
    }
  }
  out[y * width + x] = hit < 0 ? 0.f : hit + 1.f / nearest;
}

// ---------------------------------------------------------------- statistics and learning

// The nearest of n centers for each point of the plane; grid-stride over 2^15 points.
extern "C" __global__ void kmeans_assign(float* out, const float* in, int n) {
  const float2* points = reinterpret_cast<const float2*>(in);
  const float2* centers = points + (1 << 18);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 1 << 15; i += gridDim.x * blockDim.x) {
    float2 p = points[i];
    float best = 1e30f;
    int label = 0;
    for (int c = 0; c < n; ++c) {
      float dx = p.x - centers[c].x, dy = p.y - centers[c].y;
      float d = dx * dx + dy * dy;
      if (d < best) best = d, label = c;
    }
    out[i] = label;
  }
}

// The 5 nearest of n values to the thread's own, kept in order by insertion; out: their mean.
extern "C" __global__ void knn_insertion(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float q = in[(1 << 19) + i], near[5] = {9.f, 9.f, 9.f, 9.f, 9.f}, value[5] = {};
  for (int j = 0; j < n; ++j) {
    float v = in[j], d = fabsf(v - q);
    if (d >= near[4]) continue;
    int k = 4;
    while (k > 0 && near[k - 1] > d) {
      near[k] = near[k - 1];
      value[k] = value[k - 1];
      --k;
    }
    near[k] = d;
    value[k] = v;
  }
  out[i] = (value[0] + value[1] + value[2] + value[3] + value[4]) / 5.f;
}

struct Moments {
  float count, mean, m2;
  __device__ void add(float x) {
    count += 1.f;
    float delta = x - mean;
    mean += delta / count;
    m2 += delta * (x - mean);
  }
  __device__ void merge(const Moments& o) {
    if (o.count == 0.f) return;
    float total = count + o.count, delta = o.mean - mean;
    mean += delta * o.count / total;
    m2 += o.m2 + delta * delta * count * o.count / total;
    count = total;
  }
};

// Variance of a block's n elements by Welford: each thread its own, then a tree.
extern "C" __global__ void variance_welford(float* out, const float* in, int n) {
  __shared__ Moments part[128];
  Moments mine = {0.f, 0.f, 0.f};
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine.add(in[blockIdx.x * n + i]);
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (threadIdx.x < d) part[threadIdx.x].merge(part[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = part[0].mean;
    out[2 * blockIdx.x + 1] = part[0].m2 / (n - 1);
  }
}

// Root of the mean squared error of two series; each warp adds its part to the block's slot.
extern "C" __global__ void rmse_warps_fa(float* out, const float* in, int n) {
  float sum = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float e = in[i] - in[n + i];
    sum += e * e;
  }
  for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(&out[blockIdx.x], sqrtf(sum / n));
}

// A row of n divided by its length; 33 threads add up its squares.
extern "C" __global__ void normalize_rows(float* out, const float* in, int n) {
  __shared__ float part[33];
  const float* row = in + blockIdx.x * n;
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += row[i] * row[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 1; k < blockDim.x; ++k) part[0] += part[k];
  __syncthreads();
  float scale = 1.f / sqrtf(part[0]);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = row[i] * scale;
}

// Simpson's rule for exp(-x^2) on [0, in[block]] with n (even) intervals; the block adds up.
extern "C" __global__ void simpson_gauss(float* out, const float* in, int n) {
  __shared__ float warps[32];
  float b = in[blockIdx.x] + 1.f, h = b / n, sum = 0.f;
  for (int i = threadIdx.x; i <= n; i += blockDim.x) {
    float x = i * h, f = expf(-x * x);
    sum += i == 0 || i == n ? f : i % 2 ? 4.f * f : 2.f * f;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? warps[lane] : 0.f;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) out[blockIdx.x] = sum * h / 3.f;
  }
}

// ---------------------------------------------------------------- scans, sorts, compaction

// Running maximum of a block's 256 elements.
extern "C" __global__ void prefix_max(float* out, const float* in, int n) {
  __shared__ float warp_max[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float v = i < n ? in[i] : -1.f;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    float u = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v = fmaxf(v, u);
  }
  if (lane == 31) warp_max[warp] = v;
  __syncthreads();
  for (int w = 0; w < warp; ++w) v = fmaxf(v, warp_max[w]);
  if (i < n) out[i] = v;
}

// Runs of equal symbols in a block's 256 symbols (of n kinds): symbol and length of each.
extern "C" __global__ void run_length_encode(float* out, const float* in, int n) {
  __shared__ uint8_t symbol[256];
  __shared__ int start[257];
  __shared__ int warp_count[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  symbol[t] = static_cast<uint8_t>(in[blockIdx.x * 256 + t] * n);
  __syncthreads();
  bool head = t == 0 || symbol[t] != symbol[t - 1];
  unsigned heads = __ballot_sync(~0u, head);
  if (lane == 0) warp_count[warp] = __popc(heads);
  __syncthreads();
  int before = 0, runs = 0;
  for (int w = 0; w < 8; ++w) {
    if (w < warp) before += warp_count[w];
    runs += warp_count[w];
  }
  int index = before + __popc(heads & ((1u << lane) - 1));
  if (head) start[index] = t;
  if (t == 0) start[runs] = 256;
  __syncthreads();
  short2* codes = reinterpret_cast<short2*>(out) + blockIdx.x * 256;
  if (t < runs) codes[t] = make_short2(symbol[start[t]], start[t + 1] - start[t]);
}

// Keeps a block's elements above 1 - 1/n, in order, at the block's place; the tail stays 0.
extern "C" __global__ void ballot_compact(float* out, const float* in, int n) {
  __shared__ int offset[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  float v = in[blockIdx.x * blockDim.x + t];
  bool keep = v > 1.f - 1.f / n;
  unsigned mask = __ballot_sync(~0u, keep);
  if (lane == 0) offset[warp] = __popc(mask);
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int w = 0; w < (blockDim.x + 31) / 32; ++w) {
      int c = offset[w];
      offset[w] = sum;
      sum += c;
    }
  }
  __syncthreads();
  if (keep) {
    int rank = __popc(mask & ((1u << lane) - 1u));
    out[blockIdx.x * blockDim.x + offset[warp] + rank] = v;
  }
}

// Each warp sorts its 32 values by exchanges between lanes.
extern "C" __global__ void bitonic_shuffle(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float v = i < n ? in[i] : 2.f;
  for (int k = 2; k <= 32; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      float other = __shfl_xor_sync(~0u, v, j);
      bool up = (lane & k) == 0, low = (lane & j) == 0;
      v = (up == low) ? fminf(v, other) : fmaxf(v, other);
    }
  }
  if (i < n) out[i] = v;
}

// Counts of n keys: lanes with the same key elect one that adds for all.
extern "C" __global__ void warp_aggregated_count(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* counts = reinterpret_cast<unsigned*>(out);
  unsigned key = min(static_cast<int>(in[i] * in[i] * n), n - 1);
  unsigned peers = __match_any_sync(__activemask(), key);
  if (__ffs(peers) - 1 == threadIdx.x % 32) atomicAdd(&counts[key], __popc(peers));
}

// Coalesced groups: only the lanes above a half come together and count themselves.
extern "C" __global__ void coalesced_count(float* out, const float* in, int n) {
  int* counts = reinterpret_cast<int*>(out);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] > 0.5f) {
      cg::coalesced_group active = cg::coalesced_threads();
      if (active.thread_rank() == 0) atomicAdd(&counts[blockIdx.x], active.size());
    }
  }
}

// Sum, maximum and a vote in tiles of eight threads.
extern "C" __global__ void tile8_reduce(float* out, const float* in, int n) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], sum = v, top = v;
  for (int d = tile.size() / 2; d > 0; d /= 2) {
    sum += tile.shfl_down(sum, d);
    top = fmaxf(top, tile.shfl_xor(top, d));
  }
  if (tile.any(v * n > n - 1)) {
    if (tile.thread_rank() == 0) out[i / 8] = sum + top;
  } else if (tile.thread_rank() == 7) {
    out[i / 8] = -top;
  }
}

// ---------------------------------------------------------------- text, codes, random numbers

__constant__ char kPattern[5] = "abca";

// Where a pattern begins in a text of n small letters; a thread stops at the first difference.
extern "C" __global__ void string_match(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 4 > n) return;
  int k = 0;
  while (kPattern[k] && 'a' + static_cast<int>(in[i + k] * 3.f) == kPattern[k]) ++k;
  out[i] = kPattern[k] == 0 ? 1.f : k * 0.125f;
}

struct CrcTable {
  uint32_t entry[256];
  constexpr CrcTable() : entry() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      entry[i] = c;
    }
  }
};
__constant__ CrcTable kCrc;

// CRC-32 of n bytes a thread, by the table in constant memory.
extern "C" __global__ void crc32_table(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char* data = reinterpret_cast<const unsigned char*>(in) + i * n;
  uint32_t crc = ~0u;
  for (int k = 0; k < n; ++k) crc = kCrc.entry[(crc ^ data[k]) & 0xFF] ^ (crc >> 8);
  reinterpret_cast<uint32_t*>(out)[i] = ~crc;
}

// Counts numbers, words and signs by a machine of states with jumps; n letters a thread.
extern "C" __global__ void tokenizer_goto(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = in + i * n;
  const float* end = p + n;
  int numbers = 0, words = 0, signs = 0;
start:
  if (p == end) goto done;
  if (*p < 0.3f) goto number;
  if (*p < 0.7f) goto word;
  if (*p++ > 0.9f) ++signs;
  goto start;
number:
  ++numbers;
  while (p != end && *p < 0.3f) ++p;
  goto start;
word:
  ++words;
  do {
    if (++p == end) goto done;
  } while (*p < 0.7f);
  goto start;
done:
  out[i] = numbers * 10000 + words * 100 + signs;
}

// A stack of four numbers and a program of n random orders.
extern "C" __global__ void calculator_switch(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = 1, b = 2, c = 3;
  for (int k = 0; k < n; ++k) {
    unsigned order = bits24(in, k * 32 + i / 4) % 9;
    switch (order) {
      case 0:
        a += b;
        break;
      case 1:
        a -= c * i;
        break;
      case 2:
        b = a * 3 + 1;
        break;
      case 3:
        c ^= a;
        [[fallthrough]];
      case 4:
        c = c << 1 | c >> 31;
        break;
      case 5:
        a = b > c ? b : c;
        break;
      case 6:
        b = -b;
        break;
      case 7:
        if (a & 1) continue;
        a /= 3;
        break;
      default:
        b += i;
        break;
    }
    a ^= k;
  }
  reinterpret_cast<unsigned*>(out)[i] = a + b + c;
}

// A mark for a score and a shape's name, by long chains.
extern "C" __global__ void grade_chain(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float score = in[i] * 100.f, a = in[i + n], b = in[i + 2 * n], c = in[i + 3 * n];
  float grade;
  if (score >= 93.f)
    grade = 4.f;
  else if (score >= 85.f)
    grade = 3.5f + out[i];
  else if (score >= 77.f)
    grade = 3.f * a;
  else if (score >= 70.f)
    grade = 2.5f - b;
  else if (score >= 60.f)
    grade = sqrtf(score);
  else if (score >= 40.f && (a > 0.9f || b > 0.9f || c > 0.9f))
    grade = 1.f;
  else
    grade = 0.f;
  bool triangle = a + b > c && b + c > a && c + a > b;
  int shape = !triangle ? 0 : a * a + b * b < c * c || c * c + b * b < a * a ? 1 : a < b ? 2 : 3;
  out[i] = grade + 10.f * shape;
}

// Julian day, weekday, day of the year and leap year of random dates.
__device__ bool leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

extern "C" __global__ void calendar(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r = bits24(in, i);
  int year = 1600 + r % 800, month = 1 + r / 800 % 12, day = 1 + r / 9600 % 28;
  int of_year = day;
  for (int m = 1; m < month; ++m)
    of_year += m == 2 ? 28 + leap(year) : m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31;
  int a = (14 - month) / 12, y = year + 4800 - a, m = month + 12 * a - 3;
  int julian = day + (153 * m + 2) / 5 + 365 * y + y / 4 - y / 100 + y / 400 - 32045;
  reinterpret_cast<unsigned*>(out)[i] = julian * 8u + (julian + 1) % 7 + of_year * 40000000u;
}

// xorshift32 steps until the low byte is small, at most n.
extern "C" __global__ void xorshift_wait(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t s = __float_as_uint(in[i]) | 1u;
  int waited = 0;
  while (true) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    if ((s & 0xFF) < 8) break;
    if (++waited == n) break;
  }
  reinterpret_cast<uint32_t*>(out)[i] = s ^ waited;
}

// Philox 4x32-10, n draws a thread, added up.
extern "C" __global__ void philox_sum(float* out, const float* in, int n) {
  uint32_t id = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 total = make_uint4(0, 0, 0, 0);
  for (int draw = 0; draw < n; ++draw) {
    uint4 c = make_uint4(draw, id, 0, 0);
    uint2 k = make_uint2(__float_as_uint(in[0]), 42);
#pragma unroll
    for (int round = 0; round < 10; ++round) {
      uint32_t h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
      uint32_t h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
      c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
      k.x += 0x9E3779B9u;
      k.y += 0xBB67AE85u;
    }
    total.x += c.x, total.y += c.y, total.z += c.z, total.w += c.w;
  }
  reinterpret_cast<uint4*>(out)[id] = total;
}

// ---------------------------------------------------------------- numbers

template <int kExponent>
__device__ float power(float x) {
  if constexpr (kExponent == 0) {
    return 1.f;
  } else if constexpr (kExponent % 2) {
    return x * power<kExponent - 1>(x);
  } else {
    float h = power<kExponent / 2>(x);
    return h * h;
  }
}

// x^5 + x^13 - x^30 by a template that calls itself.
extern "C" __global__ void power_template(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = power<5>(in[i]) + power<13>(in[i]) - power<30>(in[i]);
}

// Clenshaw's sum of n Chebyshev polynomials; the coefficients are the same for all.
extern "C" __global__ void chebyshev_clenshaw(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 2.f * in[i] - 1.f, b1 = 0.f, b2 = 0.f;
#pragma unroll 3
  for (int k = n - 1; k > 0; --k) {
    float b = in[k] + 2.f * x * b1 - b2;
    b2 = b1;
    b1 = b;
  }
  out[i] = in[0] + x * b1 - b2;
}

// A polynomial of degree n by Horner's rule, never unrolled, in a block that is no multiple of 32.
extern "C" __global__ void horner_rolled(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], y = in[n];
#pragma unroll 1
  for (int k = n - 1; k >= 0; --k) y = y * x + in[k];
  out[i] = y;
}

// The square root of 1 + in by bisection: two ways out of the loop.
extern "C" __global__ void bisect_two_exits(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float target = 1.f + in[i], low = 1.f, high = 2.f, mid;
  int step = 0;
  do {
    mid = 0.5f * (low + high);
    float d = mid * mid - target;
    if (d == 0.f || fabsf(d) < 1e-4f) break;
    (d < 0.f ? low : high) = mid;
  } while (++step < n);
  out[i] = mid + step;
}

// Half-precision polynomial, one value at a time, then rounded into 16-bit words.
extern "C" __global__ void half_poly(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half x = __float2half(in[i]), y = __float2half(0.25f);
  for (int k = 0; k < 6; ++k) y = __hfma(y, x, __float2half(0.125f * (k - 2)));
  if (__hgt(y, __float2half(0.f))) y = __hdiv(y, __hadd(x, __float2half(1.f)));
  reinterpret_cast<__half*>(out)[i] = y;
}

// Square root, quotient, exponential and logarithm in double precision.
extern "C" __global__ void double_explog(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i];
  double r = sqrt(x + 1.0) / (x + 0.5);
  reinterpret_cast<double*>(out)[i] = exp(-r) * log(2.0 + x) + r;
}

// Power and sine in double precision.
extern "C" __global__ void double_powsin(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i] + 0.5;
  reinterpret_cast<double*>(out)[i] = pow(x, 2.5) + sin(10.0 * x);
}

// Quotients and remainders by what is not known before: signed, unsigned, 64 bits.
extern "C" __global__ void divide_variables(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = static_cast<int>(bits24(in, i)) - (1 << 23);
  int b = 1 + bits24(in, i + 1) % n;
  unsigned u = bits24(in, i + 2) * 251u;
  long long wide = static_cast<long long>(a) * u;
  unsigned long long product = __umul64hi(wide, 0x9E3779B97F4A7C15ull);
  unsigned result = a / b + a % b + u / b + u % (b + 1);
  result += static_cast<unsigned>(wide / (b + 7)) ^ static_cast<unsigned>(product % (b + 3));
  reinterpret_cast<unsigned*>(out)[i] = result;
}

// A lambda is given to a loop over n elements, another joins the results.
template <class Map, class Join>
__device__ float map_reduce(const float* in, int first, int last, int step, Map map, Join join) {
  float result = map(in[first]);
  for (int i = first + step; i < last; i += step) result = join(result, map(in[i]));
  return result;
}

extern "C" __global__ void lambda_map_reduce(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float bias = in[n];
  float top = map_reduce(
      in, i, n, gridDim.x * blockDim.x, [=](float x) { return fabsf(x - bias); },
      [](float a, float b) { return fmaxf(a, b); });
  float sum = map_reduce(
      in, i, n, gridDim.x * blockDim.x, [](float x) { return __saturatef(3.f * x - 1.f); },
      [](float a, float b) { return a + b; });
  out[i] = top + sum;
}

class Quaternion {
 public:
  __device__ Quaternion(float w, float x, float y, float z) : w_(w), x_(x), y_(y), z_(z) {}
  __device__ void normalize() {
    float s = rsqrtf(w_ * w_ + x_ * x_ + y_ * y_ + z_ * z_);
    w_ *= s, x_ *= s, y_ *= s, z_ *= s;
  }
  __device__ Quaternion times(const Quaternion& o) const {
    return {w_ * o.w_ - x_ * o.x_ - y_ * o.y_ - z_ * o.z_,
            w_ * o.x_ + x_ * o.w_ + y_ * o.z_ - z_ * o.y_,
            w_ * o.y_ - x_ * o.z_ + y_ * o.w_ + z_ * o.x_,
            w_ * o.z_ + x_ * o.y_ - y_ * o.x_ + z_ * o.w_};
  }
  __device__ float4 value() const { return make_float4(x_, y_, z_, w_); }

 private:
  float w_, x_, y_, z_;
};

// Each thread multiplies n rotations, renewed after each.
extern "C" __global__ void quaternion_chain(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Quaternion q(1.f, 0.f, 0.f, 0.f);
  for (int k = 0; k < n; ++k) {
    float4 r = reinterpret_cast<const float4*>(in)[i + k];
    q = q.times(Quaternion(r.w + 0.1f, r.x, r.y, r.z));
    q.normalize();
  }
  reinterpret_cast<float4*>(out)[i] = q.value();
}

// ---------------------------------------------------------------- search and graphs

// Ways to place n <= 16 queens, the first two where the thread's number says, with a stack.
extern "C" __global__ void queens_stack(float* out, const float* in, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n * n) return;
  unsigned all = (1u << n) - 1, columns[16], left[16], right[16], open[16];
  unsigned first = 1u << (id / n), second = 1u << (id % n);
  if (second & (first | first << 1 | first >> 1)) return;
  int depth = 0, found = 0;
  columns[0] = first | second;
  left[0] = (first << 2 | second << 1) & all;
  right[0] = first >> 2 | second >> 1;
  open[0] = all & ~(columns[0] | left[0] | right[0]);
  while (depth >= 0) {
    if (open[depth] == 0) {
      --depth;
      continue;
    }
    unsigned bit = open[depth] & -open[depth];
    open[depth] ^= bit;
    unsigned c = columns[depth] | bit;
    if (c == all) {
      ++found;
      continue;
    }
    unsigned l = (left[depth] | bit) << 1 & all, r = (right[depth] | bit) >> 1;
    ++depth;
    columns[depth] = c;
    left[depth] = l;
    right[depth] = r;
    open[depth] = all & ~(c | l | r);
  }
  out[id] = found;
}

__device__ int find_root(const volatile int* parent, int v) {
  int up;
  while ((up = parent[v]) != v) v = up;
  return v;
}

// Components of a graph of 1024 nodes and n edges by hooking with compare and swap; one block.
extern "C" __global__ void union_find_cas(float* out, const float* in, int n) {
  int* parent = reinterpret_cast<int*>(out);
  for (int v = threadIdx.x; v < 1024; v += blockDim.x) parent[v] = v;
  __syncthreads();
  for (int e = threadIdx.x; e < n; e += blockDim.x) {
    int a = bits24(in, 2 * e) % 1024, b = bits24(in, 2 * e + 1) % 1024;
    while (true) {
      a = find_root(parent, a);
      b = find_root(parent, b);
      if (a == b) break;
      int high = max(a, b), low = min(a, b);
      if (atomicCAS(&parent[high], high, low) == high) break;
    }
  }
  __syncthreads();
  int root[8];
  int k = 0;
  for (int v = threadIdx.x; v < 1024 && k < 8; v += blockDim.x) {
    int r = v;
    while (parent[r] != r) r = parent[r];
    root[k++] = r;
  }
  __syncthreads();
  k = 0;
  for (int v = threadIdx.x; v < 1024 && k < 8; v += blockDim.x) parent[v] = root[k++];
}

// Levels of a breadth-first search over 512 nodes with n random neighbors each; one block a source.
extern "C" __global__ void bfs_levels(float* out, const float* in, int n) {
  __shared__ int level[512];
  for (int v = threadIdx.x; v < 512; v += blockDim.x) level[v] = v == blockIdx.x ? 0 : -1;
  __syncthreads();
  for (int depth = 0;; ++depth) {
    bool grew = false;
    unsigned frontier = 0;  // bit j: node threadIdx.x + j * blockDim.x
    for (int v = threadIdx.x, j = 0; v < 512; v += blockDim.x, ++j)
      frontier |= (level[v] == depth) << j;
    __syncthreads();
    for (int v = threadIdx.x; frontier; v += blockDim.x, frontier >>= 1) {
      if (!(frontier & 1)) continue;
      for (int k = 0; k < n; ++k) {
        int w = bits24(in, v * n + k) % 512;
        if (atomicCAS(&level[w], -1, depth + 1) == -1) grew = true;
      }
    }
    if (!__syncthreads_or(grew)) break;
  }
  for (int v = threadIdx.x; v < 512; v += blockDim.x) out[blockIdx.x * 512 + v] = level[v];
}

// Edit distance of two words of n <= 64 letters of four kinds, diagonal by diagonal.
extern "C" __global__ void edit_distance(float* out, const float* in, int n) {
  __shared__ short row[3][66];
  __shared__ char a[64], b[64];
  int t = threadIdx.x;
  const float* source = in + blockIdx.x * 128;
  if (t < n) {
    a[t] = static_cast<char>(source[t] * 3.99f);
    b[t] = static_cast<char>(source[64 + t] * 3.99f);
  }
  __syncthreads();
  for (int d = 0; d <= 2 * n; ++d) {
    short* now = row[d % 3];
    const short* last = row[(d + 2) % 3];
    const short* older = row[(d + 1) % 3];
    int i = t, j = d - t;
    if (i <= n && j >= 0 && j <= n) {
      if (i == 0 || j == 0)
        now[i] = i + j;
      else
        now[i] = min(min(last[i - 1], last[i]) + 1, older[i - 1] + (a[i - 1] != b[j - 1]));
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = row[2 * n % 3][n];
}

// The best value of n things in a bag of 200; a thread a weight, two rows.
extern "C" __global__ void knapsack(float* out, const float* in, int n) {
  __shared__ float best[2][200];
  int w = threadIdx.x, now = 0;
  best[0][w] = 0.f;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    int weight = 1 + bits24(in, blockIdx.x * 64 + k) % 40;
    float value = in[blockIdx.x * 64 + k + 4096];
    float keep = best[now][w];
    best[now ^ 1][w] = w >= weight ? fmaxf(keep, best[now][w - weight] + value) : keep;
    now ^= 1;
    __syncthreads();
  }
  out[blockIdx.x * 200 + w] = best[now][w];
}

// Counts of a block's keys in a table of 512 places by linear probing; then each looks its up.
extern "C" __global__ void hash_probe(float* out, const float* in, int n) {
  __shared__ unsigned keys[512];
  __shared__ int counts[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x) keys[k] = 0u, counts[k] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key = 1 + bits24(in, i) % n, slot = key * 2654435761u >> 23;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], 0u, key);
    if (old == 0u || old == key) {
      atomicAdd(&counts[slot], 1);
      break;
    }
    slot = (slot + 1) % 512;
  }
  __syncthreads();
  slot = key * 2654435761u >> 23;
  while (keys[slot] != key) slot = (slot + 1) & 511;
  out[i] = counts[slot];
}

// ---------------------------------------------------------------- blocks working together

// A moving sum over 8 elements: a ring of four chunks of 64 in shared memory.
extern "C" __global__ void ring_buffer(float* out, const float* in, int n) {
  __shared__ float ring[256];
  int t = threadIdx.x, base = blockIdx.x * n * 64;
  ring[192 + t] = 0.f;
  for (int chunk = 0; chunk < n; ++chunk) {
    ring[(chunk % 4) * 64 + t] = in[base + chunk * 64 + t];
    __syncthreads();
    float sum = 0.f;
    for (int k = 0; k < 8; ++k) sum += ring[(chunk * 64 + t - k) & 255];
    out[base + chunk * 64 + t] = sum;
  }
}

// The first warp loads, the others work on what it loaded the round before.
extern "C" __global__ void producer_consumer(float* out, const float* in, int n) {
  __shared__ float box[2][96];
  int t = threadIdx.x;
  float sum = 0.f;
  for (int round = 0; round <= n; ++round) {
    if (t < 32) {
      if (round < n)
        for (int k = t; k < 96; k += 32) box[round & 1][k] = in[(blockIdx.x * n + round) * 96 + k];
    } else if (round > 0) {
      float x = box[(round - 1) & 1][t - 32];
      sum += x * x + 0.5f * box[(round - 1) & 1][127 - t];
    }
    __syncthreads();
  }
  if (t >= 32) out[blockIdx.x * 96 + t - 32] = sum;
}

// Relaxation of a ring of values until fewer than n still move; the block votes.
extern "C" __global__ void relax_until_count(float* out, const float* in, int n) {
  __shared__ float v[256];
  int t = threadIdx.x, size = blockDim.x, rounds = 0;
  v[t] = in[blockIdx.x * size + t];
  __syncthreads();
  int moving;
  do {
    float mean = (v[(t + size - 1) % size] + v[t] + v[(t + 1) % size]) / 3.f;
    bool moves = fabsf(mean - v[t]) > 0.02f;
    moving = __syncthreads_count(moves);
    v[t] = mean;
    __syncthreads();
  } while (moving >= n && ++rounds < 40);
  out[blockIdx.x * size + t] = v[t] + rounds;
}

// Odd bytes: a packed record of 7 bytes is copied and taken apart.
struct __attribute__((packed)) Packed {
  uint8_t kind;
  uint16_t size;
  uint32_t id;
};

extern "C" __global__ void packed_records(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Packed* records = reinterpret_cast<const Packed*>(in);
  Packed r = records[i];
  reinterpret_cast<uint32_t*>(out)[i] = r.kind + r.size * 3u + (r.id ^ (r.id >> 7));
}

// A record of five words: each field read by itself, half of them changed.
struct Body {
  float3 at;
  float mass;
  int16_t tag, flags;
};

extern "C" __global__ void body_records(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body b = reinterpret_cast<const Body*>(in)[i];
  b.at.x += b.mass * b.at.y;
  b.at.z = b.flags & 1 ? b.at.x : -b.at.z;
  b.tag = static_cast<int16_t>(b.tag + b.flags);
  reinterpret_cast<Body*>(out)[i] = b;
}

// The same element read through the read-only cache, past the first level, and as volatile.
extern "C" __global__ void load_kinds(float* __restrict__ out, const float* __restrict__ in,
                                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const volatile float* again = in;
  float a = __ldg(in + i), b = __ldcg(in + n - 1 - i), c = __ldcs(in + i / 2);
  out[i] = a + b * c + again[i] * again[i];
}

// More values alive than registers allowed: some are spilled.
extern "C" __global__ void __launch_bounds__(1024, 2)
    spilled_window(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) v[k] = in[i + k * n];
#pragma unroll 1
  for (int round = 0; round < 4; ++round) {
#pragma unroll
    for (int k = 0; k < 40; ++k) v[k] = v[k] * 0.5f + v[(k * 7 + 3) % 40] * 0.25f;
  }
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < 40; ++k) sum += v[k] * v[39 - k];
  out[i] = sum;
}

// A box of threads turned: the block's x goes to z; no edge is a multiple of a warp.
extern "C" __global__ void rotate_box(float* out, const float* in, int n) {
  int nx = gridDim.x * blockDim.x, ny = gridDim.y * blockDim.y, nz = gridDim.z * blockDim.z;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  float v = in[(z * ny + y) * nx + x];
  for (int k = 1; k <= n; ++k) v += in[(z * ny + (y + k) % ny) * nx + x];
  out[(x * ny + y) * nz + z] = v;
}

__constant__ float kCosine[8] = {1.f,         0.98078528f, 0.92387953f, 0.83146961f,
                                 0.70710678f, 0.55557023f, 0.38268343f, 0.19509032f};

__device__ float cosine16(int k) {
  k &= 31;
  if (k > 16) k = 32 - k;
  return k == 8 ? 0.f : k < 8 ? kCosine[k] : -kCosine[16 - k];
}

// The discrete cosine transform of 8 x 8 blocks, rows and then columns.
extern "C" __global__ void dct8x8(float* out, const float* in, int n) {
  __shared__ float tile[8][9], half[8][9];
  int u = threadIdx.x, v = threadIdx.y;
  int at = (blockIdx.y * 8 + v) * n + blockIdx.x * 8 + u;
  tile[v][u] = in[at];
  __syncthreads();
  float sum = 0.f;
  for (int x = 0; x < 8; ++x) sum += tile[v][x] * cosine16((2 * x + 1) * u);
  half[v][u] = sum;
  __syncthreads();
  sum = 0.f;
  for (int y = 0; y < 8; ++y) sum += half[y][u] * cosine16((2 * y + 1) * v);
  out[at] = 0.25f * sum * (u ? 1.f : 0.70710678f) * (v ? 1.f : 0.70710678f);
}
