// SPDX-License-Identifier: Apache-2.0
// Style: sums in registers; the last warp turns the numbers round in two halves of s.
// Expect: pass 100..100

// The input in holds n numbers. Each block adds up its share of them and
// writes one number, parts[blockIdx.x]; a second launch adds up the parts.
// s has one number for each thread.
extern __shared__ unsigned s[];

// One thread an element. For comparison: do not edit.
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

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < (unsigned)n ? in[i] : 0;
  __syncthreads();
  // Thread t adds at `mine`, twice as far on at each step, until that is outside of the block.
  unsigned mine = t << 1;
  for (unsigned d = 1; d < blockDim.x; d <<= 1, mine <<= 1) {
    if (mine < blockDim.x) s[mine] += s[mine + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

// The sum of all threads' numbers, for the first one. What a thread has it has in s, too.
__device__ unsigned tree_sum(unsigned mine) {
  const unsigned t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
  for (unsigned d = blockDim.x >> 1; d != 0; d >>= 1) {
    if (t < d) s[t] = mine += s[t + d];
    __syncthreads();
  }
  return mine;
}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned sum = tree_sum(i < (unsigned)n ? in[i] : 0);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

// Two elements a thread, `threads` apart.
__device__ unsigned pair_sum(const unsigned* in, unsigned n, unsigned threads) {
  const unsigned i = (blockIdx.x * threads << 1) + threadIdx.x, j = i + threads;
  unsigned sum = 0;
  if (i < n) sum = in[i];
  if (j < n) sum += in[j];
  return sum;
}

__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  const unsigned sum = tree_sum(pair_sum(in, n, blockDim.x));
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

// The sum over the lanes of a warp, for all of them. At each step all lanes write what they have to
// one half of s[0] to s[63] and read what a lane further on, around the warp, has written there.
// The next step uses the other half. A lane that writes to a half again has passed the __syncwarp of
// the step between, so all lanes have read what was there.
__device__ unsigned ring_sum(unsigned mine) {
  const unsigned lane = threadIdx.x;
  unsigned half = 0;
#pragma unroll
  for (unsigned d = 16; d != 0; d >>= 1) {
    s[half + lane] = mine;
    __syncwarp();
    mine += s[half + ((lane + d) & 31)];
    half ^= 32;
  }
  return mine;
}

// Trees down to 64 numbers, of which each lane of the first warp takes its two; nobody else needs
// these words any more.
__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const unsigned t = threadIdx.x;
  unsigned mine = pair_sum(in, n, blockDim.x);
  s[t] = mine;
  __syncthreads();
  for (unsigned d = blockDim.x >> 1; d > 32; d >>= 1) {
    if (t < d) s[t] = mine += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = ring_sum(mine + s[t + 32]);
  if (t == 0) parts[blockIdx.x] = sum;
}

template <unsigned threads>
__device__ void leave(unsigned* parts, unsigned mine) {
  const unsigned t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
#pragma unroll
  for (unsigned d = threads >> 1; d > 32; d >>= 1) {
    if (t < d) s[t] = mine += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = ring_sum(mine + s[t + 32]);
  if (t == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  leave<threads>(parts, pair_sum(in, n, threads));
}

template <int threads>
__device__ unsigned share_sum(const unsigned* in, unsigned n) {
  const unsigned step = gridDim.x * threads;
  unsigned sum = 0, i = blockIdx.x * threads + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step)
    sum += in[i] + in[i + step] + in[i + 2 * step] + in[i + 3 * step];
  for (; i < n; i += step) sum += in[i];
  return sum;
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  leave<threads>(parts, share_sum<threads>(in, n));
}

// One instruction adds up a warp, its sums go through s, and one warp adds these up.
template <int threads>
__device__ void leave_by_warps(unsigned* parts, unsigned mine) {
  const unsigned t = threadIdx.x;
  mine = __reduce_add_sync(0xffffffffu, mine);
  if ((t & 31) == 0) s[t >> 5] = mine;
  __syncthreads();
  if (t >= 32) return;
  mine = __reduce_add_sync(0xffffffffu, t < threads / 32 ? s[t] : 0u);
  if (t == 0) parts[blockIdx.x] = mine;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  leave_by_warps<threads>(parts, share_sum<threads>(in, n));
}

// A block's tile is four vectors a thread. Of the last tile, which is not full, its block asks for the vectors one by one; what is
// less than a vector is for the first threads of the last block.
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  constexpr unsigned ways = 4, tile = ways * threads;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const unsigned n4 = (unsigned)n >> 2;
  unsigned base = blockIdx.x * tile, mine = 0;
  for (; base + tile <= n4; base += gridDim.x * tile) {
    const uint4* const mine4 = in4 + base + threadIdx.x;
    uint4 v[ways];
#pragma unroll
    for (unsigned j = 0; j < ways; j++) v[j] = mine4[j * threads];
#pragma unroll
    for (unsigned j = 0; j < ways; j++) mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }
  for (unsigned i = base + threadIdx.x; i < n4; i += threads) {
    const uint4 v = in4[i];
    mine += v.x + v.y + v.z + v.w;
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < (n & 3u)) mine += in[(n & ~3u) + threadIdx.x];
  leave_by_warps<threads>(parts, mine);
}
