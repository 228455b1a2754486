// SPDX-License-Identifier: Apache-2.0
// A loop over a range of numbers, shared by the CPU's cores where that is worth it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "common/base/processors.h"

namespace lockstep {

// Calls body(begin, end) for consecutive chunks of [0, n), each from one thread. The bounds of the
// chunks are multiples of `unit`. The body must not throw.
template <typename Body>
void parallel_chunks(int64_t n, int64_t unit, const Body& body) {
  constexpr int64_t kWorthAThread = 1 << 16;
  const int64_t most = std::min(processors(), 16);
  const int64_t chunks = std::clamp<int64_t>(n / kWorthAThread, 1, most);
  const int64_t units = (n + unit - 1) / unit;
  const int64_t length = (units + chunks - 1) / chunks * unit;
  std::vector<std::thread> threads;
  for (int64_t begin = length; begin < n; begin += length)
    threads.emplace_back([&body, begin, end = std::min(begin + length, n)] { body(begin, end); });
  body(0, std::min(length, n));
  for (std::thread& thread : threads) thread.join();
}

// Makes it n zeros. The first touch of a page takes longer than all else, so several threads do it.
inline void resize_by_all(std::vector<double>* values, int64_t n) {
  values->reserve(static_cast<size_t>(n));
  auto* const raw = reinterpret_cast<unsigned char*>(values->data());
  parallel_chunks(n * static_cast<int64_t>(sizeof(double)), 4096,
                  [raw](int64_t begin, int64_t end) { std::fill(raw + begin, raw + end, 0); });
  values->resize(static_cast<size_t>(n));
}

}  // namespace lockstep
