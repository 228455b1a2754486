// SPDX-License-Identifier: Apache-2.0
// See large_launches.h.
#include "common/harness/large_launches.h"

#include <algorithm>
#include <map>

#include "common/harness/draw.h"
#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

constexpr uint32_t kDrawnBlocks = 16;
constexpr int64_t kMiB = 1 << 20;

template <typename T>
const T& one_of(Draw* draw, const std::vector<T>& all) {
  return all[static_cast<size_t>(draw->between({0, static_cast<int64_t>(all.size()) - 1}))];
}

// What launches have in common, so that kernels share their problems.
struct Scale {
  double of_card = 1;  // of what a card is given by default
  uint64_t seed = Options().seed;
  bool as_shown = true;
  int64_t most_bytes = 256 * kMiB;  // of a problem
};

// As a plain `./hwNN` launches them, on its own inputs, and as somebody else may.
std::vector<Scale> scales(Draw* draw) {
  constexpr int64_t kWhole = 1 << 13;
  const int64_t part = draw->size_as_used({kWhole / 8, 2 * kWhole});
  return {
      Scale(),
      {static_cast<double>(part) / static_cast<double>(kWhole), draw->next(), false, 64 * kMiB}};
}

int64_t bytes_of(const Assignment& assignment, const Case& c) {
  int64_t bytes = 0;
  for (const ArraySpec& array : assignment.arrays(c)) bytes += static_cast<int64_t>(array.bytes());
  return bytes;
}

PlannedLaunch launch_of(const std::string& kernel, const Scale& scale, const DeviceInfo& device,
                        const Assignment& assignment, Draw* draw) {
  PlannedLaunch launch;
  launch.kernel = kernel;
  launch.seed = scale.seed;
  launch.as_shown = scale.as_shown;
  launch.drawn_blocks = kDrawnBlocks;
  const bool shaped = assignment.shape_from() == ShapeFrom::kCommandLine;
  launch.blocks = shaped ? std::max(device.sm_count, 1) * draw->size({1, 4}) : 0;
  launch.warps = shaped ? one_of(draw, assignment.warp_sweep()) : 0;
  return launch;
}

// So many vectors, or half of them, or a quarter ..., up to what there is room for; nothing where
// that is no more than is launched in any case.
std::optional<Case> largest_case(const Assignment& assignment, const PlannedSearch& in,
                                 const Scale& scale, int64_t of_card, PlannedLaunch* launch) {
  auto vectors = static_cast<int64_t>(static_cast<double>(of_card) * scale.of_card);
  for (; vectors > in.vectors.to; vectors /= 2) {
    std::optional<Case> c = find_case(assignment, in.kernel, vectors);
    if (!c || c->library) break;
    launch->vectors = vectors;
    if (bytes_of(assignment, *c) <= scale.most_bytes) return c;
  }
  return std::nullopt;
}

}  // namespace

std::vector<FoundElsewhere> draw_large(const DeviceInfo& device, const Assignment& assignment,
                                       const std::vector<PlannedSearch>& searches,
                                       const std::set<std::string>& passed_over) {
  std::map<std::string, PlannedSearch> largest;  // by kernel
  for (const PlannedSearch& one : searches) {
    if (!one.counters || passed_over.count(one.kernel) > 0) continue;
    PlannedSearch& kept = largest.try_emplace(one.kernel, one).first->second;
    if (one.vectors.to > kept.vectors.to) kept = one;
  }
  if (largest.empty()) return {};
  Draw draw(seed_of_pass(largest.begin()->second.seed, 0x300000000));
  const std::map<std::string, int64_t> of_card = default_sizes(assignment, device, false);
  std::vector<FoundElsewhere> all;
  for (const Scale& scale : scales(&draw)) {
    const auto before = std::ssize(all);
    std::multimap<std::string, FoundElsewhere> by_problem;
    for (const auto& [kernel, in] : largest) {
      PlannedLaunch launch = launch_of(kernel, scale, device, assignment, &draw);
      if (const auto c = largest_case(assignment, in, scale, of_card.at(kernel), &launch))
        by_problem.emplace(assignment.problem_key(*c), FoundElsewhere{in.name, launch});
    }
    // What few blocks do, a few drawn ones seldom tell.
    const auto whole = by_problem.empty() ? 0 : draw.between({1, std::ssize(by_problem)});
    for (auto& [problem, found] : by_problem) {
      all.push_back(std::move(found));
      all.back().launch.all_blocks = whole == std::ssize(all) - before;
    }
  }
  return all;
}

}  // namespace lockstep
