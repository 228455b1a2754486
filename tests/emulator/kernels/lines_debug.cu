// SPDX-License-Identifier: Apache-2.0
// Kernels whose lines are traced (line_trace_test.cc), built with -G as the name's end says. The
// tests name lines by the words that end them.

enum Colour { kRed = 3, kGreen };
struct Pair {
  int first;
  float second;
};
__device__ int table[4] = {5, 6, 7, 8};

__device__ float half_of(float x) {
  const float y = x / 2;  // in a function
  return y;
}

extern "C" __global__ void lines(float* out, const float* in, int n) {
  __shared__ float s[64];
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned flags = ~0u - tid;  // unsigned
  const bool odd = tid % 2 != 0;
  const Colour colour = odd ? kGreen : kRed;  // enumeration
  float sums[3] = {};
  int grid[2][2];
  Pair pair = {tid, 0.5f};
  for (int i = 0; i < n; i++) {
    sums[i % 3] += in[tid + i];  // array
    pair.second += i;            // member
    grid[i & 1][1] = table[i & 3];
  }
  grid[0][0] = colour;                            // two dimensions
  s[threadIdx.x] = half_of(sums[0]) + flags % 2;  // shared
  __syncthreads();
  double wide = s[threadIdx.x];
  for (int k = 0; k < 100; k++) wide += k;                // often
  for (int k = 0; k < n; k++) wide += sums[k] - sums[k];  // an index that goes on
  if (n < 0) out[0] = 1;                                  // never
  // A comment.
  out[tid] = wide + grid[0][0] + grid[1][1] + sums[1] + sums[2] + pair.first + pair.second;  // end
  if (n == 7 && tid == 1) out[1000000] = in[tid];  // fault
}
