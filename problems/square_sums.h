// SPDX-License-Identifier: Apache-2.0
// Inputs a and b whose sums of squared differences tell each of their elements, and what rounding
// may do to these sums.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>

namespace lockstep {

// Differences of a and b are small multiples of a power of two: sums of their squares are exact in
// float, whatever the order, as long as they stay below 2^24 units. So no missing element is too
// small to be seen; and where sums are longer, stretches of a batch have other multiples than the
// rest, so a sum of a part of it is no estimate of it. The multiples are up to 55 where that allows
// it, or drawn to be fewer, and so is a power of two that scales everything. One of a and b is much
// smaller than the other and needs all of its bits: who has fewer for an element or for a sum of
// some gets another result.
//
// Where a batch is so long that its sum is rounded all the same, a few of its elements outweigh all
// others, anywhere and near its ends: who leaves out one of these, or takes it twice, is off by
// more than rounding allows.
//
// In some problems that no table shows, differences need all the bits of a float, but most
// are 0, some sixteen of a batch are not: its sum is off by few roundings, however long it is.
struct Steps {
  int64_t most = 0;                                            // a difference is 1 to so many
  int64_t loud = 0;                                            // but a few are so many
  int64_t longest = 0;                                         // elements of a batch
  double step = 0;                                             // of these
  double scale = 1;                                            // times this
  int64_t apart = 0;                                           // 0: not so; one in so many is not 0
  double unit() const { return step * scale * step * scale; }  // of the sums
};

// Steps that differences have at most, at least.
inline constexpr int64_t kFewestSteps = 3;

// So many steps may differences be for sums of so many squares to be exact. The mean of the squares
// of 1 to m is about m * m / 3; half of what is exact is left free.
int64_t exact_most(int64_t elements);

// Differences of so many steps, of which stretches have fewer; or one of so many that is not 0.
void fill_pairs(const Steps& steps, uint64_t seed, std::span<float> a, std::span<float> b);

// Gives each batch that is long enough to be rounded its loud elements; how many elements a batch
// has, and where they are, is asked.
void put_loud_ones(const Steps& steps, uint64_t seed, int64_t batches,
                   const std::function<int64_t(int64_t batch)>& length_of,
                   const std::function<int64_t(int64_t batch, int64_t element)>& place_of,
                   std::span<float> a, std::span<float> b);

struct Squares {
  double sum = 0;
  double loud = 0;  // of that, by elements whose squares are no less than `quiet`
  double quiet = std::numeric_limits<double>::infinity();
};

// Of elements `from` to `to`, the last one not among them.
void add_squares(std::span<const float> a, std::span<const float> b, int64_t from, int64_t to,
                 Squares* squares);
double sum_of_squares(std::span<const float> a, std::span<const float> b, int64_t from, int64_t to);
int64_t count_different(std::span<const float> a, std::span<const float> b, int64_t from,
                        int64_t to);

// What float arithmetic may do to a sum of n squares, in any order. Differences that need all bits
// are rounded, as their squares are. An addition misses by no more than the smaller of its numbers,
// so what comes to the loud ones misses by no more than all others, and these by their own; the
// loud ones are few.
double tolerance_of(const Steps& steps, double sum, double loud, int64_t n, int64_t not_zero);

}  // namespace lockstep
