// SPDX-License-Identifier: Apache-2.0
// Drawing bars. See bars.h.
#include "common/harness/bars.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep {
namespace {

struct Bar {
  double length = 0;
  char mark = ' ';
};

}  // namespace

std::string draw_bars(const Busy& busy, int width) {
  if (width <= 0) return {};
  std::array<Bar, 3> bars;
  size_t n = 0;
  const auto add = [&](const std::optional<double>& fraction, char mark) {
    if (fraction && *fraction > 0) bars[n++] = Bar{std::floor(*fraction * width + 0.5), mark};
  };
  add(busy.fp, '+');
  add(busy.instructions, '-');
  add(busy.data, '*');
  std::stable_sort(bars.begin(), bars.begin() + n,
                   [](const Bar& a, const Bar& b) { return a.length < b.length; });

  std::string out;
  for (size_t i = 0; i < n; i++) {
    const size_t end = static_cast<size_t>(std::min<double>(bars[i].length, width));
    if (end > out.size()) out.resize(end, bars[i].mark);
    if (bars[i].length > width) out.back() = '>';
  }
  return out;
}

std::string bars_heading(int width, bool data_is_in_memory) {
  const std::string what =
      std::string("Util: FP++ Insn-- ") + (data_is_in_memory ? "Mem**" : "L2**");
  const int rest = width - static_cast<int>(what.size()) - 2;
  if (rest < 2) return {};
  const int left = std::min(rest / 2, 3);
  return std::string(left, '=') + " " + what + " " + std::string(rest - left, '=');
}

}  // namespace lockstep
