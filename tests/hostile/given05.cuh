extern __shared__ float s[];

#ifndef OWN_SHAPE
constexpr int kThreads = 256;
constexpr int kBlocks = 0;
#endif

__device__ void add_each(float* sums, const float* a, const float* b, const long long* starts) {
  const int k = blockIdx.y;
  const long long end = starts[k + 1];
  const long long step = gridDim.x * blockDim.x;
  long long i = starts[k] + blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < end; i += step) {
    const float d = a[i] - b[i];
    atomicAdd(&sums[k], d * d);
  }
}

__global__ void rmse_0(float* sums, const float* a, const float* b, const long long* starts) {
  add_each(sums, a, b, starts);
}

__device__ float my_sum(const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float d = a[i] - b[i];
    sum += d * d;
  }
  return sum;
}

#ifndef OWN_ADD_PART
__device__ void add_part(float* sums, float x) { atomicAdd(&sums[blockIdx.y], x); }
#else
__device__ void add_part(float* sums, float x);
#endif

#ifndef OWN_1
__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], my_sum(a, b, starts));
}
#endif

#ifndef OWN_2
__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) add_part(sums, s[0]);
}
#endif

__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
  return x;
}

#ifndef OWN_ADD_BLOCK
__device__ void add_block(float* sums, float x) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? s[t] : 0);
  if (t == 0) add_part(sums, x);
}
#else
__device__ void add_block(float* sums, float x);
#endif

#ifndef OWN_3
__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, my_sum(a, b, starts));
}
#endif

__device__ float square(float a, float b) { return (a - b) * (a - b); }

__device__ float squares(float4 a, float4 b) {
  return square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z) + square(a.w, b.w);
}

#ifndef OWN_4
__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  const int head = min(n, int(-start & 3)), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + head);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;

  float sum = 0;
  int i = first;
  for (; i + step < n4; i += 2 * step) {
    const float4 ai = a4[i], bi = b4[i], aj = a4[i + step], bj = b4[i + step];
    sum += squares(ai, bi) + squares(aj, bj);
  }
  if (i < n4) sum += squares(a4[i], b4[i]);

  const int last = head + 4 * n4 + first;
  if (first < head) sum += square(a[first], b[first]);
  if (last < n) sum += square(a[last], b[last]);
  add_block(sums, sum);
}
#else
__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts);
#endif

__global__ void rmse_4(float* sums, const float* a, const float* b, const long long* starts) {
  add_fast(sums, a, b, starts);
}

template <int blocks>
__global__ void __launch_bounds__(256, blocks)
    bounded(float* sums, const float* a, const float* b, const long long* starts) {
  add_fast(sums, a, b, starts);
}

template <int registers>
__global__ void __maxnreg__(registers)
    limited(float* sums, const float* a, const float* b, const long long* starts) {
  add_fast(sums, a, b, starts);
}

template <typename Index>
__device__ void view(float* sums, const float* a, const float* b, Index height, Index width, Index pitch) {
  const Index n = height * width, step = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (Index i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const Index row = i / width, column = i % width;
    const Index at = (blockIdx.y * height + row) * pitch + column;
    const float d = a[at] - b[at];
    sum += d * d;
  }
  atomicAdd(&sums[blockIdx.y], sum);
}

__global__ void view_64(float* sums, const float* a, const float* b, long long height, long long width,
                        long long pitch) {
  view<long long>(sums, a, b, height, width, pitch);
}

__global__ void view_32(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  view<int>(sums, a, b, height, width, pitch);
}

#ifndef OWN_VIEW
__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  const int rows = step / width, columns = step % width;
  int row = first / width, column = first % width;
  float sum = 0;
  while (row < height) {
    const int at = (blockIdx.y * height + row) * pitch + column;
    const float d = a[at] - b[at];
    sum += d * d;
    row += rows;
    column += columns;
    if (column >= width) {
      column -= width;
      row++;
    }
  }
  atomicAdd(&sums[blockIdx.y], sum);
}
#endif
