// SPDX-License-Identifier: Apache-2.0
// sums.cu with other names, another layout and order, and comments of its own.
__global__ void
sums(float *ziel, const float *quelle, int zeilen, int breite)
{
  const int nr = threadIdx.x % 32; /* my place */ const int alle = blockDim.x * gridDim.x / 32;

  for (int z = (threadIdx.x + blockIdx.x * blockDim.x) / 32; z < zeilen; z += alle)
  {
    // Everybody adds up what is his.
    float s = 0;
    for (int k = nr; k < breite; k += 32)
      s += quelle[z * breite + k];
    for (int d = 16; d > 0; d /= 2)
      s += __shfl_xor_sync(~0u, s, d);
    if (nr == 0)
      ziel[z] = s;
  }
}
__global__ void copy(float *ziel, const float *quelle, int n) {
  for (int k = threadIdx.x + blockIdx.x * blockDim.x; k < n; k += blockDim.x * gridDim.x) { ziel[k] = quelle[k]; }
}
