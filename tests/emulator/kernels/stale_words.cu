// SPDX-License-Identifier: Apache-2.0
// The first block has looked at what others are to write before they do, and adds it up when all
// have said that they are done.
#define KERNEL(name) extern "C" __global__ void name(unsigned* words, unsigned* done, unsigned* sum)

struct Plain {
  __device__ unsigned operator()(const unsigned* word) const { return *word; }
};

template <typename Between, typename Load = Plain>
__device__ void look_early(unsigned* words, unsigned* done, unsigned* sum, Between between,
                           Load load = {}) {
  const unsigned others = gridDim.x - 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) {
    while (atomicAdd(done, 0) == 0) continue;
    atomicExch(words + blockIdx.x, 1);
    __threadfence();
    atomicAdd(done, 1);
    return;
  }
  *sum = words[1];  // all of the sector comes
  __threadfence_block();
  atomicAdd(done, 1);
  while (atomicAdd(done, 0) <= others) continue;
  between();
  unsigned all = 0;
  for (unsigned i = 1; i <= others; i++) all += load(words + i);
  *sum = all;
}

KERNEL(without) {
  look_early(words, done, sum, [] {});
}
KERNEL(with_fence) {
  look_early(words, done, sum, [] { __threadfence(); });
}
KERNEL(with_fence_of_the_block) {
  look_early(words, done, sum, [] { __threadfence_block(); });
}
KERNEL(by_volatile) {
  look_early(words, done, sum, [] {}, [](const unsigned* word) {
    return *(const volatile unsigned*)word;
  });
}
KERNEL(around_l1) {
  look_early(words, done, sum, [] {}, [](const unsigned* word) { return __ldcg(word); });
}
// Of the word that it has changed itself it finds what is there.
KERNEL(adds_itself) {
  look_early(words, done, sum, [=] { atomicAdd(words + 2, 6); });
}
// An access of a byte somewhere changes nothing.
KERNEL(with_bytes) {
  if (blockDim.x > 2000) *(char*)words = 1;
  look_early(words, done, sum, [] {}, [](const unsigned* word) {
    return (unsigned)*(const unsigned char*)word;
  });
}
// All that others tell is told by volatile stores.
KERNEL(without_atomics) {
  volatile unsigned *const flags = done, *const out = words;
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) {
    while (flags[0] == 0) continue;
    out[blockIdx.x] = 1;
    __threadfence();
    flags[blockIdx.x] = 1;
    return;
  }
  *sum = words[1];
  __threadfence_block();
  flags[0] = 1;
  for (unsigned i = 1; i < gridDim.x; i++)
    while (flags[i] == 0) continue;
  unsigned all = 0;
  for (unsigned i = 1; i < gridDim.x; i++) all += words[i];
  *sum = all;
}
