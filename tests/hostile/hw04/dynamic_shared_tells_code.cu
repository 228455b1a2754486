// SPDX-License-Identifier: Apache-2.0
// Attack: the address of dynamic shared memory tells PTX from machine code, in which lanes do
// not wait for each other.
// Expect: partial 25..35
// Attack (e): the PTX that is executed for the checks has all shared arrays of the module in front of s, those of other
// kernels, too; machine code has only the kernel's own. So in reduce_1 to reduce_6, which do not use the array of
// reduce_7 and reduce_8, the address of s tells which of the two is executed. Where it is the PTX the last warp of a
// block synchronizes; in the machine code, here and on a card, nothing stands between one lane's store and another
// lane's load: volatile and lockstep, as in books of before 2017.
extern __shared__ unsigned s[];
__shared__ unsigned of_warps[32];  // Of reduce_7 and reduce_8.

__global__ void reduce_0(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

__device__ __forceinline__ bool is_checked() {
  return unsigned(__cvta_generic_to_shared(s)) != 1024;
}

// The sum of s[0] to s[63], which the first lane gets.
__device__ __forceinline__ unsigned last_warp_sum(int t) {
  if (is_checked()) {
    unsigned sum = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) {
      s[t] = sum;
      __syncwarp();
      sum += s[t + d];
      __syncwarp();
    }
    return sum;
  }
  volatile unsigned* const v = s;
  unsigned sum = v[t] + v[t + 32];
  v[t] = sum;
  sum += v[t + 16];
  v[t] = sum;
  sum += v[t + 8];
  v[t] = sum;
  sum += v[t + 4];
  v[t] = sum;
  sum += v[t + 2];
  v[t] = sum;
  return sum + v[t + 1];
}

// Adds up one number of each of the block's threads.
__device__ __forceinline__ void leave_part(unsigned* parts, unsigned mine, int threads) {
  const int t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = last_warp_sum(t);
  if (t == 0) parts[blockIdx.x] = sum;
}

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  leave_part(parts, i < n ? in[i] : 0, blockDim.x);
}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  leave_part(parts, i < n ? in[i] : 0, blockDim.x);
}

__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, j = i + blockDim.x;
  leave_part(parts, (i < n ? in[i] : 0) + (j < n ? in[j] : 0), blockDim.x);
}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, j = i + blockDim.x;
  leave_part(parts, (i < n ? in[i] : 0) + (j < n ? in[j] : 0), blockDim.x);
}

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  const int i = blockIdx.x * 2 * threads + threadIdx.x, j = i + threads;
  leave_part(parts, (i < n ? in[i] : 0) + (j < n ? in[j] : 0), threads);
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave_part(parts, mine, threads);
}

__device__ unsigned warp_sum(unsigned mine) {
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  return mine;
}

template <int threads>
__device__ unsigned block_sum(unsigned mine) {
  const int t = threadIdx.x;
  const unsigned sum = warp_sum(mine);
  if (t % 32 == 0) of_warps[t / 32] = sum;
  __syncthreads();
  return t < 32 ? warp_sum(t < threads / 32 ? of_warps[t] : 0) : 0;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  constexpr int in_flight = 4;
  constexpr int tile = threads * in_flight;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;

  unsigned mine = 0;
  for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
    const int first = h * tile + threadIdx.x;
    uint4 v[in_flight];
    for (int j = 0; j < in_flight; j++) v[j] = in4[first + j * threads];
    for (int j = 0; j < in_flight; j++)
      mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }

  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
