// SPDX-License-Identifier: Apache-2.0
// Attack: numbers of 23 bits behind the point, which is right in [-1, 1) alone.
// Expect: partial|fail 0..33
// Homework 3: who works on what. You edit the lines marked "Homework 3";
// README.md, in the same folder, is the assignment. There is device code here
// and nothing else: the program hw03 makes the inputs, launches these kernels,
// checks what they wrote and measures them. Build with make (F9 in Emacs), run
// with ./hw03. Every kernel must be right for every n and every launch shape.

// Numbers as integers, with so many bits behind the point: integers add up
// without rounding, in any order.
constexpr float kOne = 8388608;  // 2^23
__device__ int fixed(float x) { return __float2int_rn(x * kOne); }

// --- 1. Neighbours ---------------------------------------

// Given: y = a * x + y, one thread an element.
__global__ void saxpy(float* y, const float* x, float a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// The same with fewer threads than elements, so each has several.
__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  // In each turn, all threads together take n_threads elements side by side.
  for (int i = tid; i < n; i += n_threads)
    y[i] = a * (fixed(x[i]) / kOne) + fixed(y[i]) / kOne;
}

// The same for a matrix of n rows and n columns, row after row, with blocks
// and grids of two dimensions. The x of threadIdx is what neighbours differ in.
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  const int i = row * n + col;
  if (row < n && col < n) y[i] = a * (fixed(x[i]) / kOne) + fixed(y[i]) / kOne;
}

// --- 2. Gathers ------------------------------------------

// Every thread adds up this many elements, picked at random.
constexpr int kPicks = 100;

// Looks like a random number from 0 to bound - 1; the same for equal seeds.
__device__ int pick(unsigned seed, int bound) {
  seed = (seed ^ seed >> 16) * 0x7feb352du;
  seed = (seed ^ seed >> 15) * 0x846ca68bu;
  return __umulhi(seed ^ seed >> 16, bound);
}

// Given: any of the n elements. In part 2 there is a thread for each sum, and n
// and the number of sums are multiples of 1024.
__global__ void gather_any(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += in[pick(i * kPicks + k, n)];
  out[i] = sum;
}

// Given: a warp picks a segment, 32 elements, and each of its threads has one.
__global__ void gather_segment(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++)
    sum += in[pick(i / 32 * kPicks + k, n / 32) * 32 + i % 32];
  out[i] = sum;
}

// Team t makes the sums out[32 * t] to out[32 * t + 31]. It picks a group of
// n_segments segments, and each of its 32 members picks elements from these.
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int team = tid / 32;  // A warp is a team.
  const int member = tid % 32;
  const int i = 32 * team + member;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(team, n / group_size) * group_size;
  int sum = 0;
  for (int k = 0; k < kPicks; k++)
    sum += fixed(group[pick(i * kPicks + k, group_size)]);
  out[i] = sum / kOne;
}

// --- 3. Branches -----------------------------------------

constexpr int kRepeats = 100;

// Of each 128 elements of in, the first 32 have those of by added, the next 32
// have them subtracted, then 32 are multiplied by them, and 32 divided.
__global__ void branches(float* out, const float* in, const float* by, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int operation = tid / 32 % 4;  // All threads of a warp have the same.
  const int place = tid % 32;
  const int i = tid / 128 * 128 + operation * 32 + place;
  if (i >= n) return;
  float value = in[i];
  for (int k = 0; k < kRepeats; k++)
    if (operation == 0)
      value = value + by[i];
    else if (operation == 1)
      value = value - by[i];
    else if (operation == 2)
      value = value * by[i];
    else
      value = value / by[i];
  out[i] = value;
}

// --- 4. Blocks -------------------------------------------

// Given: much arithmetic, little data.
__global__ void busy(float* out, const float* in, int turns, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float value = 0;
  for (int k = 0; k < turns; k++) value = 0.75f * value + in[i];
  out[i] = value;
}

// Given: how many threads a block has, if n_threads shall be in few blocks.
constexpr int few_blocks(int n_threads) {
  return n_threads < 1024 ? n_threads : 1024;
}

// And if they shall be spread: all SMs get an equal share of the threads, each
// in one block, if that is not larger than a block can be. Blocks are whole
// warps, so a share is rounded up. An H200 has 132 SMs.
constexpr int spread(int n_threads, int n_sms) {
  const int share = (n_threads + n_sms - 1) / n_sms;
  const int whole_warps = (share + 31) / 32 * 32;
  return whole_warps < 1024 ? whole_warps : 1024;
}
