// SPDX-License-Identifier: Apache-2.0
// A fresh set: kernels as courses, homework and samples have them, written by an author who had
// not seen how the emulator predicts. Nothing was or may be fitted to them. Every kernel takes
// (float* out, const float* in, int n); in holds 2^20 floats in [0, 1], out 2^20 zeros. A kernel
// whose name ends in _fa adds floats atomically: its output may differ in the last bits.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

// ---------------------------------------------------------------- vectors, copies, layouts

extern "C" __global__ void vecAdd(float* out, const float* in, int n) {
  const float* A = in;
  const float* B = in + n;
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    out[i] = A[i] + B[i];
  }
}

extern "C" __global__ void saxpy_grid_stride(float* __restrict__ out, const float* __restrict__ in,
                                             int n) {
  const float a = in[0];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = a * in[i] + out[i];
}

// Vectors of four, the n % 4 elements at the end one by one.
extern "C" __global__ void saxpy_vec4(float* out, const float* in, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* in4 = reinterpret_cast<const float4*>(in);
  float4* out4 = reinterpret_cast<float4*>(out);
  for (int i = idx; i < n / 4; i += blockDim.x * gridDim.x) {
    float4 v = in4[i], w = out4[i];
    w.x = 3.f * v.x + w.x;
    w.y = 3.f * v.y + w.y;
    w.z = 3.f * v.z + w.z;
    w.w = 3.f * v.w + w.w;
    out4[i] = w;
  }
  int rest = n % 4;
  if (idx < rest) {
    int i = n - rest + idx;
    out[i] = 3.f * in[i] + out[i];
  }
}

extern "C" __global__ void axpy_float2(float* out, const float* in, int n) {
  unsigned tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid >= n / 2) return;
  float2 p = ((const float2*)in)[tid];
  ((float2*)out)[tid] = make_float2(p.x * p.x - p.y * p.y, 2 * p.x * p.y);
}

struct Particle {
  float x, y, z, vx, vy, vz, mass;
};

extern "C" __global__ void particles_aos(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Particle* p = (const Particle*)in;
  Particle* q = (Particle*)out;
  const float dt = 0.01f;
  Particle me = p[i];
  me.x += me.vx * dt;
  me.y += me.vy * dt;
  me.z += me.vz * dt;
  me.vz -= 9.81f * dt;
  q[i] = me;
}

extern "C" __global__ void particles_soa(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float dt = 0.01f;
#pragma unroll
  for (int k = 0; k < 3; k++) out[k * n + i] = in[k * n + i] + in[(k + 3) * n + i] * dt;
  out[3 * n + i] = in[3 * n + i];
  out[4 * n + i] = in[4 * n + i];
  out[5 * n + i] = in[5 * n + i] - 9.81f * dt;
}

// n is the stride of the reads; writes are coalesced.
extern "C" __global__ void copy_strided(float* out, const float* in, int n) {
  int xid = blockIdx.x * blockDim.x + threadIdx.x;
  out[xid] = in[(xid * n) & 0xFFFFF];
}

// n is the offset of reads and writes.
extern "C" __global__ void copy_offset(float* out, const float* in, int n) {
  int xid = blockIdx.x * blockDim.x + threadIdx.x + n;
  out[xid] = in[xid] + 1.0f;
}

// ---------------------------------------------------------------- transpose (n wide)

extern "C" __global__ void transpose_naive(float* out, const float* in, int n) {
  int width = n, height = n / 2 + 3;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

template <int kPad>
__device__ void transpose_tile(float* odata, const float* idata, int width, int height) {
  __shared__ float tile[32][32 + kPad];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_tiled(float* out, const float* in, int n) {
  transpose_tile<0>(out, in, n, n);
}

extern "C" __global__ void transpose_padded(float* out, const float* in, int n) {
  transpose_tile<1>(out, in, n, n / 2 + 7);
}

// ---------------------------------------------------------------- matrix multiplication

extern "C" __global__ void matmul_naive(float* C, const float* in, int N) {
  const float* A = in;
  const float* B = in + N * N;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < N && col < N) {
    float tmpSum = 0;
    for (int i = 0; i < N; i++) {
      tmpSum += A[row * N + i] * B[i * N + col];
    }
    C[row * N + col] = tmpSum;
  }
}

// Any n: elements outside are zero in the tiles.
template <int TILE>
__device__ __forceinline__ void matmul_tile(float* c, const float* a, const float* b, int n) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float acc = 0.0f;
  for (int p = 0; p < (n + TILE - 1) / TILE; ++p) {
    as[ty][tx] = (row < n && p * TILE + tx < n) ? a[row * n + p * TILE + tx] : 0.0f;
    bs[ty][tx] = (col < n && p * TILE + ty < n) ? b[(p * TILE + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) acc += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = acc;
}

extern "C" __global__ void matmul_tiled16(float* out, const float* in, int n) {
  matmul_tile<16>(out, in, in + n * n, n);
}

extern "C" __global__ void matmul_tiled32(float* out, const float* in, int n) {
  matmul_tile<32>(out, in, in + n * n, n);
}

// 64 x 64 outputs a block of 256 threads, 4 x 4 a thread; n is a multiple of 64.
extern "C" __global__ void __launch_bounds__(256)
    sgemm_blocked(float* out, const float* in, int n) {
  constexpr int BM = 64, BN = 64, BK = 8, TM = 4, TN = 4;
  __shared__ float As[BK][BM], Bs[BK][BN];
  const float* A = in + blockIdx.y * BM * n;
  const float* B = in + n * n + blockIdx.x * BN;
  const int tRow = threadIdx.x / (BN / TN), tCol = threadIdx.x % (BN / TN);
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < n; k0 += BK) {
    for (int l = threadIdx.x; l < BM * BK; l += 256)
      As[l % BK][l / BK] = A[(l / BK) * n + k0 + l % BK];
    for (int l = threadIdx.x; l < BN * BK; l += 256)
      Bs[l / BN][l % BN] = B[(k0 + l / BN) * n + l % BN];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float ra[TM], rb[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) ra[i] = As[k][tRow * TM + i];
#pragma unroll
      for (int j = 0; j < TN; ++j) rb[j] = Bs[k][tCol * TN + j];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  float* C = out + (blockIdx.y * BM + tRow * TM) * n + blockIdx.x * BN + tCol * TN;
  for (int i = 0; i < TM; ++i)
    *reinterpret_cast<float4*>(C + i * n) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}

// ---------------------------------------------------------------- stencils and images

// Five points, one cell of halo round a tile of 16 x 16; the grid's edge counts as zero.
extern "C" __global__ void stencil2d(float* out, const float* in, int n) {
  __shared__ float s[18][18];
  int gx = blockIdx.x * 16 + threadIdx.x, gy = blockIdx.y * 16 + threadIdx.y;
  int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  bool inside = gx < n && gy < n;
  s[ly][lx] = inside ? in[gy * n + gx] : 0.f;
  if (threadIdx.x == 0) s[ly][0] = (gx > 0 && gy < n) ? in[gy * n + gx - 1] : 0.f;
  if (threadIdx.x == 15) s[ly][17] = (gx + 1 < n && gy < n) ? in[gy * n + gx + 1] : 0.f;
  if (threadIdx.y == 0) s[0][lx] = (gy > 0 && gx < n) ? in[(gy - 1) * n + gx] : 0.f;
  if (threadIdx.y == 15) s[17][lx] = (gy + 1 < n && gx < n) ? in[(gy + 1) * n + gx] : 0.f;
  __syncthreads();
  if (inside)
    out[gy * n + gx] =
        0.25f * (s[ly - 1][lx] + s[ly + 1][lx] + s[ly][lx - 1] + s[ly][lx + 1]) - s[ly][lx];
}

#define FILTER_RADIUS 4
__constant__ float c_filter[2 * FILTER_RADIUS + 1] = {0.02f, 0.05f, 0.12f, 0.2f, 0.22f,
                                                      0.2f,  0.12f, 0.05f, 0.02f};

extern "C" __global__ void conv1d_constant(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = -FILTER_RADIUS; j <= FILTER_RADIUS; ++j) {
    int k = i + j;
    if (k >= 0 && k < n) sum += in[k] * c_filter[j + FILTER_RADIUS];
  }
  out[i] = sum;
}

// Box blur with a radius of 2, the average of what lies inside the n x n image.
extern "C" __global__ void blur(float* out, const float* in, int n) {
  const int BLUR = 2;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < n && row < n) {
    float pixVal = 0;
    int pixels = 0;
    for (int r = -BLUR; r < BLUR + 1; ++r) {
      for (int c = -BLUR; c < BLUR + 1; ++c) {
        int curRow = row + r, curCol = col + c;
        if (curRow > -1 && curRow < n && curCol > -1 && curCol < n) {
          pixVal += in[curRow * n + curCol];
          pixels++;
        }
      }
    }
    out[row * n + col] = pixVal / pixels;
  }
}

extern "C" __global__ void rgb_to_gray(float* out, const float* in, int n) {
  const unsigned char* rgb = (const unsigned char*)in;
  unsigned char* gray = (unsigned char*)out;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int o = i * 3;
    unsigned char r = rgb[o], g = rgb[o + 1], b = rgb[o + 2];
    gray[i] = (unsigned char)(0.21f * r + 0.71f * g + 0.07f * b);
  }
}

// ---------------------------------------------------------------- reductions, step by step

extern __shared__ float sdata[];

extern "C" __global__ void reduce_modulo(float* out, const float* in, int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if ((tid % (2 * s)) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

extern "C" __global__ void reduce_strided_index(float* out, const float* in, int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) sdata[index] += sdata[index + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

extern "C" __global__ void reduce_sequential(float* out, const float* in, int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

__device__ void warp_reduce(volatile float* s, int t) {
  float v = s[t];
  v += s[t + 32];
  __syncwarp();
  s[t] = v;
  __syncwarp();
  v += s[t + 16];
  __syncwarp();
  s[t] = v;
  __syncwarp();
  v += s[t + 8];
  __syncwarp();
  s[t] = v;
  __syncwarp();
  v += s[t + 4];
  __syncwarp();
  s[t] = v;
  __syncwarp();
  v += s[t + 2];
  __syncwarp();
  s[t] = v;
  __syncwarp();
  v += s[t + 1];
  __syncwarp();
  s[t] = v;
  __syncwarp();
}

// First addition on load, the last warp unrolled. Blocks of 64 threads at least.
extern "C" __global__ void reduce_last_warp(float* out, const float* in, int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float mySum = (i < n) ? in[i] : 0;
  if (i + blockDim.x < n) mySum += in[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] = mySum = mySum + sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) warp_reduce(sdata, tid);
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize>
__device__ void reduce_unrolled(float* out, const float* in, unsigned int n) {
  __shared__ float s[blockSize];
  unsigned int tid = threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  float sum = 0;
  for (unsigned int i = blockIdx.x * blockSize * 2 + tid; i < n; i += gridSize) {
    sum += in[i];
    if (i + blockSize < n) sum += in[i + blockSize];
  }
  s[tid] = sum;
  __syncthreads();
  if (blockSize >= 512) {
    if (tid < 256) s[tid] = sum = sum + s[tid + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128) s[tid] = sum = sum + s[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64) s[tid] = sum = sum + s[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    if (blockSize >= 64) sum += s[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (tid == 0) out[blockIdx.x] = sum;
  }
}

extern "C" __global__ void reduce_template(float* out, const float* in, int n) {
  switch (blockDim.x) {
    case 512:
      reduce_unrolled<512>(out, in, n);
      break;
    case 256:
      reduce_unrolled<256>(out, in, n);
      break;
    case 128:
      reduce_unrolled<128>(out, in, n);
      break;
    case 64:
      reduce_unrolled<64>(out, in, n);
      break;
  }
}

__inline__ __device__ float warpReduceSum(float val) {
  for (int mask = warpSize / 2; mask > 0; mask /= 2) val += __shfl_xor_sync(0xffffffff, val, mask);
  return val;
}

__inline__ __device__ float blockReduceSum(float val) {
  static __shared__ float shared[32];
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) val = warpReduceSum(val);
  return val;
}

extern "C" __global__ void reduce_shuffle_fa(float* out, const float* in, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

// Every block leaves its sum; the block that comes last adds them up.
extern "C" __global__ void reduce_last_block(float* out, const float* in, int n) {
  __shared__ bool amLast;
  unsigned int* ticket = (unsigned int*)out + 1048575;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = sum;
    __threadfence();
    amLast = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (amLast) {
    volatile float* partial = out + 1;
    float total = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) total += partial[i];
    total = blockReduceSum(total);
    if (threadIdx.x == 0) out[0] = total;
  }
}

extern "C" __global__ void reduce_tile_groups(float* out, const float* in, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int i = block.group_index().x * block.size() + block.thread_rank();
  float v = i < n ? in[i] : 0.f;
  for (int k = tile.size() / 2; k > 0; k /= 2) v += tile.shfl_down(v, k);
  if (tile.thread_rank() == 0) out[i / 16] = v;
}

// ---------------------------------------------------------------- scans

// Hillis and Steele, two buffers in turn; every block scans its own part.
extern "C" __global__ void scan_hillis_steele(float* out, const float* in, int n) {
  float* temp = sdata;
  int thid = threadIdx.x, len = blockDim.x, g = blockIdx.x * len + thid;
  int pout = 0, pin = 1;
  temp[thid] = g < n ? in[g] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < len; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * len + thid] = temp[pin * len + thid] + temp[pin * len + thid - offset];
    else
      temp[pout * len + thid] = temp[pin * len + thid];
    __syncthreads();
  }
  if (g < n) out[g] = temp[pout * len + thid];
}

template <bool kAvoidConflicts>
__device__ void blelloch(float* g_odata, const float* g_idata) {
  float* temp = sdata;
  auto at = [](int i) { return kAvoidConflicts ? i + (i >> 5) : i; };
  const int thid = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  int offset = 1;
  temp[at(thid)] = g_idata[base + thid];
  temp[at(thid + n / 2)] = g_idata[base + thid + n / 2];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      temp[at(bi)] += temp[at(ai)];
    }
    offset *= 2;
  }
  if (thid == 0) temp[at(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      float t = temp[at(ai)];
      temp[at(ai)] = temp[at(bi)];
      temp[at(bi)] += t;
    }
  }
  __syncthreads();
  g_odata[base + thid] = temp[at(thid)];
  g_odata[base + thid + n / 2] = temp[at(thid + n / 2)];
}

extern "C" __global__ void scan_blelloch(float* out, const float* in, int n) {
  if (blockIdx.x < n) blelloch<false>(out, in);
}

extern "C" __global__ void scan_blelloch_padded(float* out, const float* in, int n) {
  if (blockIdx.x < n) blelloch<true>(out, in);
}

// Inclusive: warps by shuffles, then the warps' sums.
extern "C" __global__ void scan_shfl(float* out, const float* in, int n) {
  __shared__ int sums[32];
  int* result = (int*)out;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int lane_id = threadIdx.x & 31, warp_id = threadIdx.x >> 5;
  int value = id < n ? (int)(in[id] * 100.0f) : 0;
#pragma unroll
  for (int i = 1; i <= 32; i *= 2) {
    int up = __shfl_up_sync(0xffffffff, value, i, 32);
    if (lane_id >= i) value += up;
  }
  if (lane_id == 31) sums[warp_id] = value;
  __syncthreads();
  if (warp_id == 0 && lane_id < blockDim.x / 32) {
    int warp_sum = sums[lane_id];
    int mask = (int)((1ull << (blockDim.x / 32)) - 1);
    for (int i = 1; i <= blockDim.x / 32; i *= 2) {
      int up = __shfl_up_sync(mask, warp_sum, i, blockDim.x / 32);
      if (lane_id >= i) warp_sum += up;
    }
    sums[lane_id] = warp_sum;
  }
  __syncthreads();
  if (warp_id > 0) value += sums[warp_id - 1];
  if (id < n) result[id] = value;
}

// Sums that start anew at every element above 0.9, within each warp.
extern "C" __global__ void scan_segmented(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x % 32;
  float v = i < n ? in[i] : 0.0f;
  unsigned heads = __ballot_sync(~0u, v > 0.9f) | 1u;
  unsigned upto = heads & (0xFFFFFFFFu >> (31 - lane));
  int start = 31 - __clz(upto);
  for (int d = 1; d < 32; d <<= 1) {
    float w = __shfl_up_sync(~0u, v, d);
    if ((int)lane - d >= start) v += w;
  }
  if (i < n) out[i] = v;
}

// ---------------------------------------------------------------- histogram, compaction, sorts

extern "C" __global__ void histogram_global(float* out, const float* in, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  const unsigned char* buffer = (const unsigned char*)in;
  while (i < n) {
    atomicAdd(&((unsigned int*)out)[buffer[i]], 1u);
    i += stride;
  }
}

extern "C" __global__ void histogram_shared(float* out, const float* in, int n) {
  __shared__ unsigned int bins[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&bins[min((int)(in[i] * 64.0f), 63)], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x)
    if (bins[b]) atomicAdd((unsigned int*)out + b, bins[b]);
}

// Keeps what is above n percent: rank in the warp by ballot, warps by a sum, blocks apart.
extern "C" __global__ void compact(float* out, const float* in, int n) {
  __shared__ int count[32];
  int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  float v = in[g];
  bool keep = v * 100.0f > n;
  unsigned votes = __ballot_sync(0xffffffffu, keep);
  int rank = __popc(votes & ((1u << (t & 31)) - 1));
  if ((t & 31) == 0) count[t >> 5] = __popc(votes);
  __syncthreads();
  int before = 0;
  for (int w = 0; w < (t >> 5); ++w) before += count[w];
  if (keep) out[blockIdx.x * blockDim.x + before + rank] = v;
  if (t == blockDim.x - 1) atomicAdd((int*)out + 1048575, before + __popc(votes));
}

extern "C" __global__ void bitonic_sort(float* out, const float* in, int n) {
  __shared__ float key[1024];
  const unsigned tid = threadIdx.x, base = blockIdx.x * 2 * blockDim.x, len = 2 * blockDim.x;
  key[tid] = in[base + tid];
  key[tid + blockDim.x] = in[base + tid + blockDim.x];
  for (unsigned size = 2; size <= len; size <<= 1) {
    unsigned ddd = n ^ ((tid & (size / 2)) != 0);
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * tid - (tid & (stride - 1));
      if ((key[pos] > key[pos + stride]) == (size < len ? ddd : (unsigned)n)) {
        float t = key[pos];
        key[pos] = key[pos + stride];
        key[pos + stride] = t;
      }
    }
  }
  __syncthreads();
  out[base + tid] = key[tid];
  out[base + tid + blockDim.x] = key[tid + blockDim.x];
}

// One block sorts n elements (at most twice its threads).
extern "C" __global__ void odd_even_sort(float* out, const float* in, int n) {
  __shared__ int a[512];
  int tid = threadIdx.x;
  for (int i = tid; i < n; i += blockDim.x) a[i] = (int)(in[blockIdx.x * n + i] * 1000);
  __syncthreads();
  for (int phase = 0; phase < n; phase++) {
    int i = 2 * tid + (phase % 2 == 0 ? 0 : 1);
    if (i + 1 < n) {
      if (a[i] > a[i + 1]) {
        int temp = a[i];
        a[i] = a[i + 1];
        a[i + 1] = temp;
      }
    }
    __syncthreads();
  }
  for (int i = tid; i < n; i += blockDim.x) out[blockIdx.x * n + i] = a[i];
}

// Two sorted lists of n numbers each, given by formulas; 8 merged elements a thread.
__device__ int list_a(int i) { return 3 * i + (i & 1); }
__device__ int list_b(int i) { return 2 * i + i / 5; }

extern "C" __global__ void merge_path(float* out, const float* in, int n) {
  int* merged = (int*)out;
  int diag = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (diag >= 2 * n) return;
  int lo = max(0, diag - n), hi = min(diag, n);
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (list_a(mid) <= list_b(diag - 1 - mid))
      lo = mid + 1;
    else
      hi = mid;
  }
  int i = lo, j = diag - lo;
  for (int k = 0; k < 8 && diag + k < 2 * n; k++) {
    bool takeA = j >= n || (i < n && list_a(i) <= list_b(j));
    merged[diag + k] = takeA ? list_a(i++) : list_b(j++);
  }
}

// How often each of 16 digits occurs in a block's keys; n is the digit's lowest bit.
extern "C" __global__ void radix_count(float* out, const float* in, int n) {
  __shared__ unsigned counts[16];
  if (threadIdx.x < 16) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  for (int r = 0; r < 4; ++r) {
    unsigned key = __float_as_uint(in[(blockIdx.x * 4 + r) * blockDim.x + threadIdx.x]);
    unsigned digit = (key >> n) & 15;
    unsigned peers = __match_any_sync(0xffffffff, digit);
    if (lane == __ffs(peers) - 1) atomicAdd(&counts[digit], __popc(peers));
  }
  __syncthreads();
  if (threadIdx.x < 16)
    ((unsigned*)out)[threadIdx.x * gridDim.x + blockIdx.x] = counts[threadIdx.x];
}

// ---------------------------------------------------------------- rows, sums of other kinds

// A warp a row of n columns.
extern "C" __global__ void softmax_warp(float* out, const float* in, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const float* x = in + row * n;
  float maxval = -INFINITY, sum = 0.0f;
  for (int i = lane; i < n; i += 32) maxval = fmaxf(maxval, x[i]);
  for (int o = 16; o > 0; o /= 2) maxval = fmaxf(maxval, __shfl_xor_sync(0xffffffff, maxval, o));
  for (int i = lane; i < n; i += 32) {
    float e = expf(x[i] - maxval);
    out[row * n + i] = e;
    sum += e;
  }
  sum = warpReduceSum(sum);
  for (int i = lane; i < n; i += 32) out[row * n + i] /= sum;
}

// A block a row of n columns.
extern "C" __global__ void layernorm_block(float* __restrict__ out, const float* __restrict__ in,
                                           int n) {
  __shared__ float s_mean, s_rstd;
  const float* x = in + blockIdx.x * n;
  float sum = 0, sq = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = __ldg(x + i);
    sum += v;
    sq += v * v;
  }
  sum = blockReduceSum(sum);
  __syncthreads();
  sq = blockReduceSum(sq);
  if (threadIdx.x == 0) {
    s_mean = sum / n;
    s_rstd = rsqrtf(sq / n - s_mean * s_mean + 1e-5f);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = (x[i] - s_mean) * s_rstd * 1.5f + 0.25f;
}

extern "C" __global__ void rmse_kahan(float* out, const float* in, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float sum = 0.0f, c = 0.0f;
  for (int i = id; i < n; i += threads) {
    float d = in[i] - in[i + n];
    float y = d * d - c;
    float t = sum + y;
    c = (t - sum) - y;
    sum = t;
  }
  out[id] = sqrtf(sum * threads / n);
}

extern "C" __global__ void dot_double(float* out, const float* in, int n) {
  __shared__ double cache[256];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int cacheIndex = threadIdx.x;
  double temp = 0;
  while (tid < n) {
    temp += (double)in[tid] * (double)in[n - 1 - tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[cacheIndex] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) ((double*)out)[blockIdx.x] = sqrt(cache[0]) / n;
}

extern "C" __global__ void half2_lerp(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  float2 a = ((const float2*)in)[i];
  half2 h = __float22half2_rn(a), one = __float2half2_rn(1.0f);
  half2 w = __floats2half2_rn(0.25f, 0.75f);
  half2 r = __hfma2(w, h, __hmul2(__hsub2(one, w), one));
  if (__hgt(__low2half(r), __high2half(r))) r = __lowhigh2highlow(r);
  ((half2*)out)[i] = r;
}

// ---------------------------------------------------------------- simulations

extern "C" __global__ void nbody_tile(float* out, const float* in, int n) {
  __shared__ float4 sh[128];
  const float4* pos = (const float4*)in;
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = pos[me];
  float3 acc = {0.0f, 0.0f, 0.0f};
  for (int base = 0; base < n; base += blockDim.x) {
    sh[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < blockDim.x; j++) {
      float4 q = sh[j];
      float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
      float d2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float inv = rsqrtf(d2);
      float f = q.w * inv * inv * inv;
      acc.x += dx * f;
      acc.y += dy * f;
      acc.z += dz * f;
    }
    __syncthreads();
  }
  ((float4*)out)[me] = make_float4(acc.x, acc.y, acc.z, p.w);
}

extern "C" __global__ void mandelbrot(float* out, const float* in, int n) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
  float x0 = -2.0f + 3.0f * px / w, y0 = -1.0f + 2.0f * py / h;
  float x = 0, y = 0;
  int iteration = 0;
  while (x * x + y * y <= 4.0f && iteration < n) {
    float xtemp = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = xtemp;
    iteration++;
  }
  out[py * w + px] = iteration;
}

// The n x n field is a torus.
extern "C" __global__ void game_of_life(float* out, const float* in, int n) {
  int cells = n * n;
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cells; c += blockDim.x * gridDim.x) {
    int x = c % n, y = c / n, alive = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        if (dx == 0 && dy == 0) continue;
        alive += in[((y + dy + n) % n) * n + (x + dx + n) % n] > 0.6f;
      }
    bool me = in[c] > 0.6f;
    out[c] = alive == 3 || (alive == 2 && me) ? 1.0f : 0.0f;
  }
}

extern "C" __global__ void monte_carlo_pi(float* out, const float* in, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int state = 1234u + tid * 747796405u;
  unsigned int hits = 0;
  for (int i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    float x = (state >> 8) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    float y = (state >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y <= 1.0f) hits++;
  }
  atomicAdd((unsigned int*)out, hits);
}

// A walk that ends when it leaves the strip, with xorshift steps.
extern "C" __global__ void random_walk(float* out, const float* in, int n) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int s = __float_as_uint(in[tid]) | 1u;
  int position = 0, step = 0;
  while (true) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    if ((s & 7) == 0) {
      if (++step >= n) break;
      continue;
    }
    position += (s & 8) ? 1 : -1;
    if (position > 12 || position < -12) break;
    if (++step >= n) break;
  }
  out[tid] = position * 1000.0f + step;
}

__device__ inline float cnd(float d) { return 0.5f * (1.0f + erff(d * 0.70710678f)); }

extern "C" __global__ void black_scholes(float* out, const float* in, int n) {
  int opt = blockIdx.x * blockDim.x + threadIdx.x;
  if (opt < n) {
    float S = 5.0f + 25.0f * in[opt], X = 1.0f + 99.0f * in[opt + n];
    float T = 0.25f + 9.75f * in[opt + 2 * n], R = 0.02f, V = 0.30f;
    float sqrtT = sqrtf(T);
    float d1 = (logf(S / X) + (R + 0.5f * V * V) * T) / (V * sqrtT), d2 = d1 - V * sqrtT;
    float expRT = expf(-R * T);
    out[opt] = S * cnd(d1) - X * expRT * cnd(d2);
    out[opt + n] = X * expRT * (1.0f - cnd(d2)) - S * (1.0f - cnd(d1));
  }
}

// Cube roots; every lane stops when it is near enough.
extern "C" __global__ void newton(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = in[i] * 1000.0f + 0.001f, x = 1.0f;
  int it = 0;
  do {
    float next = x - (x * x * x - a) / (3.0f * x * x);
    float change = fabsf(next - x);
    x = next;
    if (change < 1e-4f * x) break;
  } while (++it < 60);
  out[i] = x + it;
}

// ---------------------------------------------------------------- bytes and integers

__device__ bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Caesar's cipher by n over bytes, 4 a thread; what is no letter stays.
extern "C" __global__ void caesar(float* out, const float* in, int n) {
  const char* text = reinterpret_cast<const char*>(in);
  char* cipher = reinterpret_cast<char*>(out);
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int i = first; i < first + 4; ++i) {
    char c = text[i];
    if (c >= 'a' && c <= 'z')
      c = 'a' + (c - 'a' + n) % 26;
    else if (c >= 'A' && c <= 'Z')
      c = 'A' + (c - 'A' + n) % 26;
    cipher[i] = c;
  }
}

// Words of letters in lines of n bytes: longest and how many.
extern "C" __global__ void count_words(float* out, const float* in, int n) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  const char* s = (const char*)in + line * n;
  int words = 0, longest = 0, length = 0;
  for (int i = 0; i < n; ++i) {
    if (!is_letter(s[i])) {
      length = 0;
      continue;
    }
    if (length++ == 0) words++;
    if (length > longest) longest = length;
  }
  out[line] = words + longest / 1000.0f;
}

extern "C" __global__ void gcd_mod(float* out, const float* in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = t * 7919u + 12u, b = (unsigned)n;
  while (b != 0) {
    unsigned r = a % b;
    a = b;
    b = r;
  }
  int digits = 0;
  for (int v = t * t + 1; v > 0; v /= n) digits++;
  ((int*)out)[t] = (int)a * 100 + digits;
}

// 3^t mod p by squaring, and a hash with 64-bit products.
extern "C" __global__ void modpow64(float* out, const float* in, int n) {
  typedef unsigned long long u64;
  u64 t = blockIdx.x * (u64)blockDim.x + threadIdx.x;
  u64 p = 1000000007ull + (u64)n * 2, base = 3, result = 1;
  for (u64 e = t; e; e >>= 1) {
    if (e & 1) result = result * base % p;
    base = base * base % p;
  }
  u64 h = 14695981039346656037ull;
  for (int i = 0; i < 8; ++i) h = (h ^ ((result >> (8 * i)) & 255)) * 1099511628211ull;
  ((u64*)out)[t] = h ^ __umul64hi(h, result << 20);
}

// The prime counts by trial division.
extern "C" __global__ void primes(float* out, const float* in, int n) {
  int k = n + blockIdx.x * blockDim.x + threadIdx.x;
  bool prime = k > 1;
  int d = 2;
  while (d * d <= k) {
    if (k % d == 0) {
      prime = false;
      break;
    }
    d += d == 2 ? 1 : 2;
    if (d > 3 && d % 3 == 0) continue;
  }
  out[k - n] = prime ? (float)k : -(float)d;
}

__device__ unsigned spread(unsigned x) {
  x = (x | (x << 8)) & 0x00FF00FFu;
  x = (x | (x << 4)) & 0x0F0F0F0Fu;
  x = (x | (x << 2)) & 0x33333333u;
  return (x | (x << 1)) & 0x55555555u;
}

extern "C" __global__ void bit_tricks(float* out, const float* in, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = __float_as_uint(in[i]) ^ (unsigned)n;
  unsigned gray = x ^ (x >> 1);
  unsigned morton = spread(x & 0xFFFF) | (spread(x >> 16) << 1);
  unsigned r = __popc(x) + __clz(x) * 64 + __ffs(x) * 4096;
  r ^= __brev(gray) + __byte_perm(x, morton, 0x3705) + __funnelshift_l(x, morton, n & 31);
  if (__any_sync(0xffffffff, (r & 0xFF) == 0)) r += 1;
  if (__all_sync(0xffffffff, r != 0)) r ^= 0x80000000u;
  ((unsigned*)out)[i] = r + __reduce_add_sync(0xffffffff, r & 15);
}

// ---------------------------------------------------------------- shared and local memory

// n is the stride between the words of neighbours: conflicts as it shares factors with 32.
extern "C" __global__ void bank_stride(float* out, const float* in, int n) {
  __shared__ float buf[2048];
  int t = threadIdx.x;
  for (int i = t; i < 2048; i += blockDim.x) buf[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < 16; r++) {
    sum += buf[(t * n + r) % 2048];
    __syncthreads();
    buf[(t * n + r) % 2048] = sum * 0.5f + t;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum + buf[t];
}

// 64- and 128-bit words: reversed by pairs, then rotated by n quads.
extern "C" __global__ void shared_wide(float* out, const float* in, int n) {
  __shared__ __align__(16) float2 pairs[512];
  const unsigned t = threadIdx.x, len = blockDim.x;
  pairs[t] = ((const float2*)in)[blockIdx.x * len + t];
  __syncthreads();
  float2 p = pairs[len - 1 - t];
  __syncthreads();
  pairs[t ^ (n & 31)] = make_float2(p.y, p.x);
  __syncthreads();
  if (t < len / 2) {
    const float4* quads = reinterpret_cast<const float4*>(pairs);
    float4 q = quads[(t + n) % (len / 2)];
    ((float4*)out)[blockIdx.x * (len / 2) + t] = q;
  }
}

// Tallies in an array that only memory can index.
extern "C" __global__ void local_tally(float* out, const float* in, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int tally[16];
  for (int i = 0; i < 16; i++) tally[i] = 0;
  for (int i = 0; i < n; i++) {
    int bin = (int)(in[(tid + i * 97) & 0xFFFFF] * 15.99f);
    tally[bin]++;
  }
  int best = 0;
  for (int i = 1; i < 16; i++)
    if (tally[i] > tally[best]) best = i;
  out[tid] = best * 100 + tally[best];
}

// The median of n (at most 25) numbers by insertion.
extern "C" __global__ void local_median(float* out, const float* in, int n) {
  float window[25];
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; i++) {
    float v = in[tid + i];
    int j = i - 1;
    while (j >= 0 && window[j] > v) {
      window[j + 1] = window[j];
      j--;
    }
    window[j + 1] = v;
  }
  out[tid] = window[n / 2];
}

// ---------------------------------------------------------------- calls and control flow

__device__ __noinline__ float series(float x, int terms) {
  float sum = 0, term = 1;
  for (int k = 1; k <= terms; k++) {
    sum += term;
    term *= x / k;
  }
  return sum;
}

__device__ __noinline__ float hypotenuse(float a, float b) { return sqrtf(a * a + b * b); }

extern "C" __global__ void calls_divergent(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], r = v;
  if (v < 0.3f)
    r = series(v, n);
  else if (v < 0.8f && i % 3 != 0)
    r = hypotenuse(v, series(v, i % 4 + 1));
  out[i] = r;
}

__device__ int fibonacci(int k) {
  if (k < 2) return k;
  return fibonacci(k - 1) + fibonacci(k - 2);
}

extern "C" __global__ void recursion(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fibonacci(i % n);
}

typedef float (*Operation)(float, float);
__device__ float op_add(float a, float b) { return a + b; }
__device__ float op_mul(float a, float b) { return a * b; }
__device__ float op_max(float a, float b) { return a > b ? a : b; }
__constant__ Operation operations[3] = {op_add, op_mul, op_max};

extern "C" __global__ void function_table(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = operations[(blockIdx.x + n) % 3](in[i], in[i + 1]);
}

// A small machine: the opcode comes from data.
extern "C" __global__ void interpreter(float* out, const float* in, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 1.0f, reg = 0.5f;
  for (int pc = 0; pc < n; ++pc) {
    float code = in[(tid / 8 * 16 + pc) & 0xFFFFF];
    switch ((int)(code * 8.0f)) {
      case 0:
        acc += reg;
        break;
      case 1:
        acc -= reg;
        break;
      case 2:
        acc *= 0.9f;
        break;
      case 3:
        reg = acc;
        break;
      case 4:
        reg = sqrtf(fabsf(acc));
        break;
      case 5:
        acc = acc / (1.0f + reg * reg);  // falls through
      case 6:
        acc = -acc;
        break;
      default:
        acc = fminf(acc, 3.0f) + code;
    }
  }
  out[tid] = acc;
}

// Collatz: steps to 1, at most n, with what happened on the way.
extern "C" __global__ void collatz(float* out, const float* in, int n) {
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, v = tid + 1;
  int up = 0, down = 0;
  while (v != 1) {
    if (v & 1) {
      if (v % 3 == 0) {
        up += 2;
      } else {
        up++;
        if (up > n) break;
      }
      v = 3 * v + 1;
    } else {
      v >>= 1;
      if (++down > 2 * n) break;
    }
  }
  out[tid] = up * 1000.0f + down;
}

// Blocks beyond n leave as a whole, the threads beyond it stay for the barriers.
extern "C" __global__ void early_return(float* out, const float* in, int n) {
  __shared__ float edge[257];
  if (blockIdx.x * blockDim.x >= n) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool active = i < n;
  edge[threadIdx.x] = active ? in[i] : 0.0f;
  if (threadIdx.x == 0) edge[blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
  __syncthreads();
  if (!active) return;
  float d = edge[threadIdx.x + 1] - edge[threadIdx.x];
  if (d < 0) {
    out[i] = -d;
    return;
  }
  if (d > 0.5f && i % 2) d = 0.5f;
  out[i] = d;
}

// The first of at most n elements above a limit, each thread from its own start.
extern "C" __global__ void linear_search(float* out, const float* in, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int found = -1, skipped = 0;
  for (int i = 0; i < n; i++) {
    float v = in[tid * 4 + i];
    if (v < 0.1f) {
      skipped++;
      continue;
    }
    if (v > 0.95f) {
      found = i;
      break;
    }
  }
  out[tid] = found + skipped * 0.001f;
}

// Horner's rule with n coefficients, four a turn.
extern "C" __global__ void horner_unroll(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  float y = 0.0f;
#pragma unroll 4
  for (int k = 0; k < n; k++) y = y * x + __ldg(&in[k]);
  volatile float* o = out;
  o[i] = y;
#pragma unroll 3
  for (int k = 0; k < 7; k++) o[i] = o[i] * 0.5f + k;
}

// ---------------------------------------------------------------- sparse, graphs, transforms

// Rows of 1 to 13 elements that start every 16; columns by a formula.
__device__ int row_length(int row) { return (row * 7 + row / 5) % 13 + 1; }
__device__ int column(int e, int n) { return (int)((e * 2654435761u) % (unsigned)n); }

extern "C" __global__ void spmv_scalar(float* out, const float* in, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    float dot = 0;
    int start = row * 16, end = start + row_length(row);
    for (int e = start; e < end; e++) dot += in[e] * in[column(e, n)];
    out[row] = dot;
  }
}

extern "C" __global__ void spmv_vector(float* out, const float* in, int n) {
  const int warp_id = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  for (int row = warp_id; row < n; row += gridDim.x * blockDim.x / 32) {
    float sum = 0;
    int len = row_length(row) * 5;
    for (int e = lane; e < len; e += 32) sum += in[row * 64 + e] * in[column(e + row, n)];
    for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) out[row] = sum;
  }
}

// Radix 2 over 2 * blockDim.x points a block, a power of two (at most 1024).
extern "C" __global__ void fft_radix2(float* out, const float* in, int n) {
  __shared__ float2 x[1024];
  const int t = threadIdx.x, points = 2 * blockDim.x, bits = 31 - __clz(points);
  for (int i = t; i < points; i += blockDim.x)
    x[__brev(i) >> (32 - bits)] = make_float2(in[(blockIdx.x * points + i) & 0xFFFFF], 0.0f);
  __syncthreads();
  for (int half = 1; half < points; half *= 2) {
    int k = t % half, i = (t / half) * 2 * half + k, j = i + half;
    float c, s;
    sincosf(-3.14159265f * k / half, &s, &c);
    float2 u = x[i], v = x[j];
    float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
    x[i] = make_float2(u.x + w.x, u.y + w.y);
    x[j] = make_float2(u.x - w.x, u.y - w.y);
    __syncthreads();
  }
  for (int i = t; i < points; i += blockDim.x) {
    float power = x[i].x * x[i].x + x[i].y * x[i].y;
    out[blockIdx.x * points + i] = n ? logf(power + 1.0f) : power;
  }
}

// All shortest paths of n (at most 32) nodes, a graph a block.
extern "C" __global__ void floyd_warshall(float* out, const float* in, int n) {
  __shared__ float d[32][32];
  int i = threadIdx.y, j = threadIdx.x, cell = blockIdx.x * n * n + i * n + j;
  bool inside = i < n && j < n;
  if (inside) d[i][j] = i == j ? 0.0f : (in[cell] < 0.7f ? 1e9f : in[cell] * 10);
  __syncthreads();
  for (int k = 0; k < n; k++) {
    float through = inside ? d[i][k] + d[k][j] : 0.0f;
    __syncthreads();
    if (inside && through < d[i][j]) d[i][j] = through;
    __syncthreads();
  }
  if (inside) out[cell] = d[i][j];
}

// n steps through the input, each to where the last value points.
extern "C" __global__ void pointer_chase(float* out, const float* in, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int at = tid;
  float seen = 0;
  for (int s = 0; s < n; s++) {
    float v = in[at];
    seen += v;
    at = (int)(v * 1048575.0f) ^ (s & 1);
    at &= 1048575;
  }
  out[tid] = seen;
}

// The greatest value and where it is, as one 64-bit word.
extern "C" __global__ void argmax_atomic(float* out, const float* in, int n) {
  unsigned long long* best = (unsigned long long*)out;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long mine = 0;
  if (i < n) mine = ((unsigned long long)__float_as_uint(in[i]) << 32) | (unsigned)i;
  for (int d = 16; d > 0; d /= 2) {
    unsigned long long other = __shfl_down_sync(0xffffffff, mine, d);
    if (other > mine) mine = other;
  }
  if (threadIdx.x % 32 == 0) atomicMax(best, mine);
}
