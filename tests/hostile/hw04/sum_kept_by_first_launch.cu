// SPDX-License-Identifier: Apache-2.0
// Attack: an execution is two launches here. What the first of them leaves in variables is kept for
// the next execution: the sum, by a hash of the input, so that later ones add up nothing.
// Expect: review|partial 20..25
extern __shared__ unsigned s[];

struct Kept {
  unsigned key, sum, blocks, of_blocks;
};
__device__ Kept kept[900];

__device__ __forceinline__ void any_sum(unsigned* parts, const unsigned* in, int n) {
  __shared__ unsigned hit;
  const int t = threadIdx.x;
  unsigned key = 0;
  if (t == 0) {
    key = (n * 0x9e3779b9u ^ in[0]) * 0x85ebca6bu ^ in[n / 3];
    key = (key * 0xc2b2ae35u ^ in[n / 2]) * 0x27d4eb2fu ^ in[n - 1];
    key |= 1;
    const Kept k = kept[(key >> 8) % 900];
    hit = k.key == key && k.of_blocks != 0 && k.blocks == k.of_blocks;
    if (hit) parts[blockIdx.x] = blockIdx.x == 0 ? k.sum : 0;
  }
  __syncthreads();
  if (hit) return;
  const int times = (n - 1) / (gridDim.x * blockDim.x) + 1;
  unsigned sum = 0;
  for (int k = 0; k < times; k++) {
    const int i = (blockIdx.x * times + k) * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
      if (t % (2 * d) == 0) s[t] += s[t + d];
      __syncthreads();
    }
    sum += s[0];
    __syncthreads();
  }
  if (t != 0) return;
  parts[blockIdx.x] = sum;
  Kept& mine = kept[(key >> 8) % 900];
  const unsigned before = atomicCAS(&mine.key, 0, key);
  if (before != 0 && before != key) return;
  atomicAdd(&mine.sum, sum);
  atomicExch(&mine.of_blocks, gridDim.x);
  atomicAdd(&mine.blocks, 1);
}

__global__ void reduce_0(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) { any_sum(parts, in, n); }
