// SPDX-License-Identifier: Apache-2.0
#include "problems/square_sums.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/parallel.h"
#include "common/harness/random_input.h"

namespace lockstep {
namespace {

// Batches have stretches of their own, some of which are quiet: no part of one tells of the rest.
class Stretches {
 public:
  Stretches(uint64_t seed, int64_t n)
      : seed_(seed), length_(std::max<int64_t>(n / (5 + random_bits(seed, 3, 0) % 20), 1)) {}
  int64_t end_of(int64_t i) const { return (i / length_ + 1) * length_; }
  bool is_quiet(int64_t i) const {
    return (random_bits(seed_, 4, static_cast<uint64_t>(i / length_)) & 1) != 0;
  }

 private:
  const uint64_t seed_;
  const int64_t length_;
};

// many: steps that they differ by. The smaller one is a multiple of 2^-25, the distance of floats
// from 1/4 to 1/2, within half a step around 0; so the larger one, which stays below 1/2, is a
// float. Without branches, which no processor would foretell.
inline void put_pair(const Steps& steps, uint64_t bits, int32_t many, float* a, float* b) {
  constexpr double kSign[] = {-1, 1};
  const auto places = static_cast<uint64_t>(steps.step * 0x1p25);
  const auto place = static_cast<int64_t>(bits >> 40 & (places - 1));
  const double small = static_cast<double>(place) * 0x1p-25 - steps.step / 2;
  const double large = small + kSign[bits & 1] * many * steps.step;
  const float pair[] = {static_cast<float>(steps.scale * large),
                        static_cast<float>(steps.scale * small)};
  const size_t first = bits >> 1 & 1;
  *a = pair[first];
  *b = pair[1 - first];
}

// One of so many pairs differs, by any number.
void fill_apart(const Steps& steps, uint64_t seed, std::span<float> a, std::span<float> b) {
  parallel_chunks(static_cast<int64_t>(a.size()), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<uint64_t>(begin); i < static_cast<uint64_t>(end); i++) {
      const bool same = random_bits(seed, 0, i) % static_cast<uint64_t>(steps.apart) != 0;
      const float value = random_float(seed, 1, i);
      const float other = same ? value : random_float(seed, 2, i);
      a[i] = static_cast<float>(steps.scale * value);
      b[i] = static_cast<float>(steps.scale * other);
    }
  });
}

void fill_steps(const Steps& steps, uint64_t seed, std::span<float> a, std::span<float> b) {
  const Stretches stretches(seed, static_cast<int64_t>(a.size()));
  const auto most = static_cast<uint32_t>(steps.most);
  parallel_chunks(static_cast<int64_t>(a.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t from = begin; from < end;) {
      const int64_t to = std::min(end, stretches.end_of(from));
      const bool quiet = stretches.is_quiet(from);
      for (auto i = static_cast<uint64_t>(from); i < static_cast<uint64_t>(to); i++) {
        const uint64_t bits = random_bits(seed, 0, i);
        const uint32_t many = quiet ? 1 : (static_cast<uint32_t>(bits >> 16) & 0xffff) % most + 1;
        put_pair(steps, bits, static_cast<int32_t>(many), &a[i], &b[i]);
      }
      from = to;
    }
  });
}

// Where they are in a batch of so many elements. Some are as often among its last two or first two
// elements as among twice as many, four times as many and so on.
std::vector<int64_t> loud_places(uint64_t seed, uint64_t batch, int64_t elements) {
  constexpr uint64_t kAnywhere = 6, kAtEachEnd = 5;
  std::vector<int64_t> places;
  for (uint64_t j = 0; j < kAnywhere + 2 * kAtEachEnd; j++) {
    const uint64_t bits = random_bits(seed, 5 + j, batch);
    const int64_t from_end = random_magnitude(bits, 1, elements) - 1;
    places.push_back(j < kAnywhere ? static_cast<int64_t>(bits % static_cast<uint64_t>(elements))
                     : j < kAnywhere + kAtEachEnd ? from_end
                                                  : elements - 1 - from_end);
  }
  return places;
}

double square(float a, float b) {
  const double difference = double{a} - double{b};
  return difference * difference;
}

}  // namespace

int64_t exact_most(int64_t elements) {
  return static_cast<int64_t>(std::sqrt(3 * 0x1p23 / static_cast<double>(elements)));
}

void fill_pairs(const Steps& steps, uint64_t seed, std::span<float> a, std::span<float> b) {
  if (steps.apart > 0)
    fill_apart(steps, seed, a, b);
  else
    fill_steps(steps, seed, a, b);
}

void put_loud_ones(const Steps& steps, uint64_t seed, int64_t batches,
                   const std::function<int64_t(int64_t batch)>& length_of,
                   const std::function<int64_t(int64_t batch, int64_t element)>& place_of,
                   std::span<float> a, std::span<float> b) {
  for (int64_t k = 0; k < batches; k++) {
    const int64_t length = length_of(k);
    if (exact_most(length) >= kFewestSteps) continue;
    for (const int64_t at : loud_places(seed, static_cast<uint64_t>(k), length)) {
      const auto i = static_cast<size_t>(place_of(k, at));
      put_pair(steps, random_bits(seed, 0, i), static_cast<int32_t>(steps.loud), &a[i], &b[i]);
    }
  }
}

void add_squares(std::span<const float> a, std::span<const float> b, int64_t from, int64_t to,
                 Squares* squares) {
  for (int64_t i = from; i < to; i++) {
    const double one = square(a[i], b[i]);
    squares->sum += one;
    squares->loud += one >= squares->quiet ? one : 0;
  }
}

double sum_of_squares(std::span<const float> a, std::span<const float> b, int64_t from,
                      int64_t to) {
  Squares squares;
  add_squares(a, b, from, to, &squares);
  return squares.sum;
}

int64_t count_different(std::span<const float> a, std::span<const float> b, int64_t from,
                        int64_t to) {
  int64_t count = 0;
  for (int64_t i = from; i < to; i++) count += a[i] != b[i];
  return count;
}

double tolerance_of(const Steps& steps, double sum, double loud, int64_t n, int64_t not_zero) {
  constexpr double kOfLoud = 64 * 0x1p-24;
  if (steps.apart > 0) return 1.1 * 0x1p-24 * static_cast<double>(not_zero + 4) * sum;
  if (sum < 0x1p24 * steps.unit()) return 0;
  const double roundings = std::min(0x1p-24 * static_cast<double>(n), 1.0);
  return std::min(roundings * sum, (1 + roundings) * (sum - loud) + kOfLoud * loud);
}

}  // namespace lockstep
