// SPDX-License-Identifier: Apache-2.0
// Style: a struct for a batch, lambdas, four sums a thread, sums of a warp by xor, blocks of 512 threads; view_cheap divides
// by multiplying.
// Expect: pass 100..100
#define OWN_SHAPE
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#define OWN_VIEW
constexpr int kThreads = 512;
constexpr int kBlocks = 0;
#include "../../hostile/given05.cuh"

// A batch, and where in it this thread is.
struct Batch {
  const float *a, *b;
  int n, first, step;

  __device__ Batch(const float* all_a, const float* all_b, const long long* starts)
      : n(int(starts[blockIdx.y + 1] - starts[blockIdx.y])),
        first(blockIdx.x * blockDim.x + threadIdx.x),
        step(gridDim.x * blockDim.x) {
    a = all_a + starts[blockIdx.y];
    b = all_b + starts[blockIdx.y];
  }
  __device__ float square_at(int i) const {
    const float d = a[i] - b[i];
    return d * d;
  }
  __device__ float my_squares() const {
    float sum = 0;
    for (int i = first; i < n; i += step) sum += square_at(i);
    return sum;
  }
};

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], Batch(a, b, starts).my_squares());
}

// Of an odd number of numbers the middle one waits for the next round.
__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = Batch(a, b, starts).my_squares();
  __syncthreads();
  int n = blockDim.x;
  while (n > 1) {
    const int half = (n + 1) / 2;
    if (t + half < n) s[t] += s[t + half];
    __syncthreads();
    n = half;
  }
  if (t == 0) atomicAdd(sums + blockIdx.y, *s);
}

__device__ float over_warp(float x) {
#pragma unroll
  for (int d = 1; d < 32; d *= 2) x += __shfl_xor_sync(0xffffffffu, x, d);
  return x;
}

__device__ void over_block(float* sum, float x) {
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  const int warps = blockDim.x / warpSize;
  x = over_warp(x);
  if (lane == 0) s[warp] = x;
  __syncthreads();
  if (warp > 0) return;
  x = over_warp(lane < warps ? s[lane] : 0.f);
  if (lane == 0) atomicAdd(sum, x);
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  over_block(&sums[blockIdx.y], Batch(a, b, starts).my_squares());
}

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const Batch batch(a, b, starts);
  // Elements until an address is a multiple of 16; a and b begin alike.
  const int before = min(batch.n, int((16 - reinterpret_cast<size_t>(batch.a) % 16) % 16 / 4));
  const int fours = (batch.n - before) / 4, behind = before + 4 * fours;
  const auto* const a4 = reinterpret_cast<const float4*>(batch.a + before);
  const auto* const b4 = reinterpret_cast<const float4*>(batch.b + before);
  float4 sum = make_float4(0, 0, 0, 0);
  const auto add = [&](const float4& p, const float4& q) {
    const float4 d = make_float4(p.x - q.x, p.y - q.y, p.z - q.z, p.w - q.w);
    sum.x += d.x * d.x;
    sum.y += d.y * d.y;
    sum.z += d.z * d.z;
    sum.w += d.w * d.w;
  };
  int i = batch.first;
  for (; i + batch.step < fours; i += 2 * batch.step) {
    const float4 p = a4[i], q = b4[i], r = a4[i + batch.step], t = b4[i + batch.step];
    add(p, q);
    add(r, t);
  }
  if (i < fours) add(a4[i], b4[i]);
  float rest = 0;
  if (batch.first < before) rest += batch.square_at(batch.first);
  if (behind + batch.first < batch.n) rest += batch.square_at(behind + batch.first);
  over_block(&sums[blockIdx.y], sum.x + sum.y + (sum.z + sum.w) + rest);
}

// i / width for 0 <= i < 2^31 is (2 * i * m) >> (32 + l), where l = ceil(log2(width)) and
// m = ceil(2^(31 + l) / width), which has 32 bits (Granlund and Montgomery). One division of 64 bits
// before the loop, a multiplication in it. i * pitch does the rest: of an element that is i-th in its
// window, gaps lie before it, (pitch - width) for each row.
__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width,
                           int pitch) {
  const int l = width > 1 ? 32 - __clz(width - 1) : 0;
  const unsigned m = ((1ull << (31 + l)) + width - 1) / width;
  const unsigned gap = pitch - width, n = height * width, step = gridDim.x * blockDim.x;
  const float* const from_a = a + size_t(blockIdx.y) * height * pitch;
  const float* const from_b = b + size_t(blockIdx.y) * height * pitch;
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned row = __umulhi(2 * i, m) >> l;
    const unsigned at = i + row * gap;
    const float d = from_a[at] - from_b[at];
    sum += d * d;
  }
  atomicAdd(&sums[blockIdx.y], sum);
}
