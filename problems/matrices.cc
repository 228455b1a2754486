// SPDX-License-Identifier: Apache-2.0
#include "problems/matrices.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/harness/random_input.h"

namespace lockstep {
namespace {

constexpr int64_t kTile = 32;  // what most kernels take at once

// From here on kernels are counted closely, and no size is so small that most of a tile is empty:
// how good a kernel is there depends on how large its tiles are.
constexpr int64_t kAmple = 180;

// What is drawn for a side or, of blocks, a number of elements.
enum Drawn : uint64_t { kOfMatrix = 0, kOfProduct = 8, kBlocksOfCopy = 16, kForm = 24 };

uint64_t bits_of(int64_t side, uint64_t what) {
  constexpr uint64_t kHomework = 6;
  return random_bits(kHomework, what, static_cast<uint64_t>(side));
}

// Of one of the sizes of a problem.
struct Extent {
  int64_t tile;   // that a kernel takes at once, if only to leave most of it empty
  int64_t least;  // where kernels are counted closely; no more than a tile
};

// Sizes that, where none is less than a tile, make up about `work` and a tile. The first to be
// drawn, whichever that is, has most to choose from; where a side is ample, the last takes what is
// left.
template <size_t count>
std::array<int64_t, count> drawn_sizes(int64_t side, Drawn what, int64_t work,
                                       const std::array<Extent, count>& extents) {
  const bool ample = side >= kAmple;
  double tiles = static_cast<double>(work);
  for (const Extent& extent : extents) tiles /= static_cast<double>(extent.tile);
  tiles++;
  std::array<int64_t, count> sizes;
  const size_t first = bits_of(side, what) % count;
  for (size_t k = 0; k < count; k++) {
    const Extent& extent = extents[(first + k) % count];
    const double tile = static_cast<double>(extent.tile);
    const int64_t most = std::min(static_cast<int64_t>(tiles * tile), side * side);
    const int64_t least = !ample ? 1 : k + 1 == count ? most : extent.least;
    const int64_t size = random_magnitude(bits_of(side, what + 1 + k), least, most);
    sizes[(first + k) % count] = size;
    tiles /= std::max(static_cast<double>(size) / tile, 1.0);
  }
  return sizes;
}

int64_t form_of(int64_t side) {
  constexpr int64_t kLarge = 256;
  const bool as_shown = side >= kAmple && bits_of(side, kForm) % 4 == 0;
  return as_shown ? (side + kLarge / 2) / kLarge * kLarge : side;
}

}  // namespace

bool is_shown_side(int64_t side) { return side % kTile == 0; }

Matrix moved(int64_t side) {
  side = form_of(side);
  if (is_shown_side(side)) return {side, side};
  constexpr Extent kSide = {2 * kTile, 2 * kTile};
  const auto [rows, cols] = drawn_sizes<2>(side, kOfMatrix, side * side, {kSide, kSide});
  const uint64_t kind = side == 1 ? 7 : bits_of(side, kOfMatrix + 4) % 8;
  return {kind < 5 ? rounded_up(rows, 4) : rows,
          kind < 4 || kind == 5 ? rounded_up(cols, 4) : cols};
}

Product multiplied(int64_t side) {
  side = form_of(side);
  if (is_shown_side(side)) return {side / 2, rounded_up(divided_up(side, 4), 4), side};
  constexpr Extent kOfC = {2 * kTile, kTile}, kDepth = {2 * kTile, 48};
  const auto [n, r, m] =
      drawn_sizes<3>(side, kOfProduct, side * side * side / 8, {kOfC, kDepth, kOfC});
  const uint64_t kind = side == 1 ? 7 : bits_of(side, kOfProduct + 4) % 8;
  return {n, kind < 5 ? rounded_up(r, 4) : r, kind < 4 || kind == 5 ? rounded_up(m, 4) : m};
}

int64_t drawn_blocks(int64_t elements, int64_t least, int64_t most) {
  return random_magnitude(bits_of(elements, kBlocksOfCopy), least, most);
}

void multiply_rows(const Product& p, const double* a, const double* b, double* c, int64_t first,
                   int64_t end) {
  for (int64_t i = first; i < end; i += 4) {
    const int64_t rows = std::min<int64_t>(4, end - i);
    for (int64_t k = 0; k < p.r; k++) {
      double f[4] = {};
      for (int64_t h = 0; h < rows; h++) f[h] = a[(i + h) * p.r + k];
      const double* const from = b + k * p.m;
      double* const to = c + i * p.m;
      if (rows == 4) {
        for (int64_t j = 0; j < p.m; j++) {
          to[j] += f[0] * from[j];
          to[p.m + j] += f[1] * from[j];
          to[2 * p.m + j] += f[2] * from[j];
          to[3 * p.m + j] += f[3] * from[j];
        }
      } else {
        for (int64_t h = 0; h < rows; h++)
          for (int64_t j = 0; j < p.m; j++) to[h * p.m + j] += f[h] * from[j];
      }
    }
  }
}

std::vector<double> norms(const std::vector<double>& values, int64_t rows, int64_t cols,
                          bool columns) {
  std::vector<double> sums(static_cast<size_t>(columns ? cols : rows));
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++)
      sums[columns ? j : i] += values[i * cols + j] * values[i * cols + j];
  for (double& sum : sums) sum = std::sqrt(sum);
  return sums;
}

}  // namespace lockstep
