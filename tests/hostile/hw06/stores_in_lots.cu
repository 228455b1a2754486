// SPDX-License-Identifier: Apache-2.0
// Attack: in the transposes the warps of a block store in eight lots, each after the one before has ended: barriers
// that an exit lets go, of which there are few enough. One warp of eight (four of 32) stores at a time.
// Expect: partial 50..75
// Expect gpu: pass|partial 50..100
#define OWN_TILE
#define OWN_SEVERAL
#define OWN_SWIZZLED
#define OWN_TRANSPOSE
#include "../given06.cuh"

// The warps of a block in eight lots: a barrier awaits only those who have not
// ended, so each lot goes when the one before has stored and left.
__device__ void await_lot(int lot) {
  for (int k = 0; k < lot; k++) __syncthreads();
}

// Rows are read as in the copy. Rows of `out` are columns of the tile.
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows)
    tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  await_lot(j / 4);
  if (top + i < rows && left + j < cols)
    out[(left + j) * rows + top + i] = tile[i][j];
}

// As transpose_tile, four elements a thread.
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      tile[j + k][i] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  await_lot(j);
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[i][j + k];
}

// The word of column i in row j lies at i ^ j: a row still has all 32 banks,
// and so has a column.
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
  __shared__ float tile[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      tile[j + k][i ^ (j + k)] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  await_lot(j);
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[i][(j + k) ^ i];
}

constexpr int best_tile = 64, best_threads = 256;
constexpr int sector = 8, width = best_tile + sector + 1;

// Elements 4 * c to 4 * c + 3 of a row are one load and one store of 16 bytes
// if rows and columns are multiples of 4. With a warp on 8 vectors of 4 rows
// and 73 words a row of the tile, it finds each of its elements in a bank of
// its own.
//
// A warp has half of four rows, and comes by four times. `half`: every other
// row of `out` begins in the middle of a sector of 8 floats, and four more rows
// of `in` are loaded.
template <bool half>
__device__ void transpose_vectors(float* out, const float* in, int rows,
                                  int cols, int left, int top,
                                  float (*tile)[width]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = warp % 2 * 32 + lane % 8 * 4, j = warp / 2 * 4 + lane / 8;
  constexpr int turns = half ? 5 : 4;
  float4 v[turns];
  for (int k = 0; k < turns; k++)
    if (left + i < cols && top + j + 16 * k < rows && (k < 4 || j < 4))
      v[k] = *reinterpret_cast<const float4*>(
          &in[(top + j + 16 * k) * cols + left + i]);
  for (int k = 0; k < turns; k++) {
    if (k == 4 && j >= 4) break;
    tile[i][j + 16 * k] = v[k].x;
    tile[i + 1][j + 16 * k] = v[k].y;
    tile[i + 2][j + 16 * k] = v[k].z;
    tile[i + 3][j + 16 * k] = v[k].w;
  }
  __syncthreads();
  await_lot(warp);
  const int skip = half ? j % 2 * 4 : 0;
  for (int k = 0; k < 4; k++) {
    const float* const t = &tile[j + 16 * k][skip + i];
    float* const to = &out[(left + j + 16 * k) * rows + top + skip + i];
    if (top + skip + i < rows && left + j + 16 * k < cols)
      *reinterpret_cast<float4*>(to) = make_float4(t[0], t[1], t[2], t[3]);
    if (half && top == 0 && i < skip && left + j + 16 * k < cols)
      *reinterpret_cast<float4*>(to - 4) =  // nobody above writes these
          make_float4(t[-4], t[-3], t[-2], t[-1]);
  }
}

// Rows of `out` begin anywhere in a sector of 8 floats. Two blocks that write
// parts of one sector cost more than two that read it, so each row of a tile
// begins and ends where a sector does: up to 7 elements further down in `in`.
__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  constexpr int dim = best_tile;
  __shared__ float tile[dim][width];  // columns of `in`
  // Blocks that run at the same time are below each other: what they write lies
  // side by side.
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int left = block / gridDim.y * dim, top = block % gridDim.y * dim;
  if (rows % sector == 0 && cols % 4 == 0)
    return transpose_vectors<false>(out, in, rows, cols, left, top, tile);
  if (rows % 4 == 0 && cols % 4 == 0)
    return transpose_vectors<true>(out, in, rows, cols, left, top, tile);

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = warp % 2 * 32 + lane, j = warp / 2;
  for (int k = 0; k < dim + sector; k += 4)
    if (left + i < cols && top + j + k < rows)
      tile[i][j + k] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  await_lot(warp);
  const int skip = -(warp * rows) & (sector - 1);  // in every eighth row
  const auto move = [&](int y) {
    if (top + y >= rows) return;
    const float* const t = &tile[warp][y];
    float* const to = &out[(left + warp) * rows + top + y];
    for (int k = 0; k < dim; k += 8)
      if (left + warp + k < cols) to[k * rows] = t[k * width];
  };
  move(skip + lane);
  move(skip + lane + 32);
  if (top == 0 && lane < skip) move(lane);  // nobody above writes these
}
