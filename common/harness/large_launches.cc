// SPDX-License-Identifier: Apache-2.0
// See large_launches.h.
#include "common/harness/large_launches.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "common/harness/draw.h"
#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

constexpr uint32_t kDrawnBlocks = 16;
constexpr int64_t kMostASm = 32;                         // blocks
constexpr int64_t kMostBlocks = 1 << 17, kOfSoMany = 3;  // of one launch, and warps
constexpr size_t kMiB = 1 << 20;
// Of a problem, in bytes: as on a card, mostly, and where each kernel has one of its own.
constexpr size_t kMostBytes = 256 * kMiB, kUsualBytes = 64 * kMiB, kOwnBytes = 8 * kMiB;

class LargeLaunches {
 public:
  LargeLaunches(const DeviceInfo& device, const Assignment& assignment,
                const std::map<std::string, PlannedSearch>& kernels)
      : assignment_(assignment),
        kernels_(kernels),
        shaped_(assignment.shape_from() == ShapeFrom::kCommandLine),
        sms_(std::max(device.sm_count, 1)),
        of_card_(default_sizes(assignment, device, false)),
        draw_(seed_of_pass(kernels.begin()->second.seed, 0x300000000)) {
    share_out();
  }

  // As a plain `./hwNN` launches them, on its own inputs.
  void add_shown() {
    all_.emplace_back();
    for (const std::string& kernel : kinds_[kShown]) {
      PlannedLaunch launch = launch_of(kernel, Options().seed);
      launch.as_shown = true;
      launch.vectors = of_card_.at(kernel);
      if (shaped_) launch.blocks = sms_;
      add(kernel, kMostBytes, launch);
    }
  }
  // As somebody else may, up to twice as large, or where the grid follows from that: all of one
  // seed, and those of one range as large, so that kernels share their problems.
  void add_scaled() {
    std::map<std::pair<int64_t, int64_t>, int64_t> drawn;  // by range
    const size_t most = draw_.between({0, 3}) == 0 ? kMostBytes : kUsualBytes;
    const bool twice = draw_.between({0, 3}) == 0, vast = draw_.between({0, 1}) == 0;
    const uint64_t seed = draw_.next();
    all_.emplace_back();
    for (const std::string& kernel : kinds_[kScaled]) {
      PlannedLaunch launch = launch_of(kernel, seed);
      const int64_t of_card = of_card_.at(kernel);
      const int64_t least = std::max(of_card / 8, kernels_.at(kernel).vectors.to);
      int64_t times = twice || least >= of_card ? 2 : 1;
      if (vast) times = std::max(times, times_of_vast(kernel));
      const std::pair range(least, times * of_card);
      const auto [at, is_new] = drawn.try_emplace(range);
      if (is_new) at->second = draw_.size_as_used({range.first, range.second});
      launch.vectors = at->second;
      if (shaped_ && draw_.between({0, 1}) == 0) launch.warps = any_warps(kernel);
      add(kernel, most, launch);
    }
  }
  // Anything between the smallest that is counted and what a card is given, in any shape; now and
  // then in more blocks than a card has at once, small ones.
  void add_between() {
    all_.emplace_back();
    for (const std::string& kernel : kinds_[kBetween]) {
      const PlannedSearch& in = kernels_.at(kernel);
      PlannedLaunch launch = launch_of(kernel, draw_.next());
      launch.vectors =
          draw_.size_as_used(around(in.vectors, {in.vectors.from, of_card_.at(kernel)}));
      if (shaped_) {
        launch.warps = any_warps(kernel);
        launch.blocks = draw_.size(around(in.blocks, {1, kMostASm * sms_}));
        if (draw_.between({1, kOfSoMany}) == 1) {
          launch.blocks = draw_.size({kMostASm * sms_, kMostBlocks});
          const int64_t most = std::max(kMostBlocks / launch.blocks, in.warps.from);
          launch.warps =
              static_cast<int>(draw_.between({in.warps.from, std::min(most, in.warps.to)}));
        }
      }
      add(kernel, kOwnBytes, launch);
    }
  }
  // Those that share a problem side by side, from any of them on.
  std::vector<FoundElsewhere> take() {
    std::vector<FoundElsewhere> taken;
    for (auto& kind : all_) {
      if (kind.empty()) continue;
      const int64_t first = draw_.between({0, std::ssize(kind) - 1});
      const auto from = kind.lower_bound(std::next(kind.begin(), first)->first);
      const auto take = [&](auto begin, auto end) {
        for (auto at = begin; at != end; ++at) taken.push_back(std::move(at->second));
      };
      take(from, kind.end());
      take(kind.begin(), from);
    }
    return taken;
  }

 private:
  static constexpr size_t kShown = 0, kScaled = 1, kBetween = 2, kKinds = 3;

  // Instances of one template are one text, and so are cases that launch the same kernel: they are
  // dealt out among the kinds, as others' are, so that those of one kind share problems; a text has
  // one in each kind. What is no larger on a card has launches between alone. What is never counted
  // is to be right there, too: each has one launch, where no other of its text is counted.
  void share_out() {
    std::map<std::string, std::vector<std::string>> texts, not_counted;
    std::set<std::string> counted;
    for (const auto& [kernel, in] : kernels_) {
      if (!of_card_.contains(kernel)) continue;  // a library's, or no row
      const std::string text = text_of(kernel);
      if (in.counters) counted.insert(text);
      if (is_larger(kernel))
        (in.counters ? texts : not_counted)[text].push_back(kernel);
      else if (in.counters)
        kinds_[kBetween].insert(kernel);
    }
    const auto first = static_cast<size_t>(draw_.between({0, kKinds - 1}));
    for (const auto& [text, instances] : texts)
      deal_out(instances, first, std::max(instances.size(), kKinds));
    for (const auto& [text, instances] : not_counted)
      if (!counted.contains(text)) deal_out(instances, first, instances.size());
  }
  void deal_out(const std::vector<std::string>& instances, size_t first, size_t launches) {
    for (size_t i = 0; i < launches; i++)
      kinds_[(first + i) % kKinds].insert(instances[i % instances.size()]);
  }
  std::string text_of(const std::string& kernel) const {
    const std::optional<Case> c = find_case(assignment_, kernel, of_card_.at(kernel));
    return base_name(c ? assignment_.launched_kernels(*c).at(0) : kernel);
  }
  // On a card than in its searches, or may be.
  bool is_larger(const std::string& kernel) const {
    return 2 * of_card_.at(kernel) > kernels_.at(kernel).vectors.to;
  }
  // Where the grid follows from the size, so many times as large as on a card: more blocks than 16
  // bits number, where there is still little to do.
  int64_t times_of_vast(const std::string& kernel) const {
    constexpr int64_t kMostWork = 1 << 24;  // elements
    const std::optional<Case> c = find_case(assignment_, kernel, of_card_.at(kernel));
    if (shaped_ || !c) return 1;
    return kMostWork / std::max<int64_t>(assignment_.work(*c).elements, 1);
  }
  int any_warps(const std::string& kernel) {
    return static_cast<int>(draw_.between(kernels_.at(kernel).warps));
  }
  PlannedLaunch launch_of(const std::string& kernel, uint64_t seed) {
    PlannedLaunch launch;
    launch.kernel = kernel;
    launch.seed = seed;
    launch.drawn = {kDrawnBlocks, draw_.next()};
    launch.blocks = launch.warps = 0;
    if (!shaped_) return launch;
    launch.warps = draw_.one_of(assignment_.warp_sweep());
    launch.blocks = draw_.between({0, 1}) == 0 ? sms_ * draw_.size({1, 4})
                                               : draw_.size({sms_, kMostASm * sms_});
    return launch;
  }
  // Smaller, where there is no room for so many vectors.
  void add(const std::string& kernel, size_t most_bytes, PlannedLaunch launch) {
    const PlannedSearch& in = kernels_.at(kernel);
    for (;; launch.vectors -= (launch.vectors + 15) / 16) {
      if (launch.vectors < 1) return;
      const std::optional<Case> c = find_case(assignment_, kernel, launch.vectors);
      if (!c || c->library) return;
      if (bytes_of(assignment_.arrays(*c)) > most_bytes) continue;
      all_.back().emplace(assignment_.problem_key(*c), FoundElsewhere{in.name, launch});
      return;
    }
  }

  const Assignment& assignment_;
  const std::map<std::string, PlannedSearch>& kernels_;
  const bool shaped_;
  const int64_t sms_;
  const std::map<std::string, int64_t> of_card_;
  Draw draw_;
  std::array<std::set<std::string>, kKinds> kinds_;              // the kernels of each kind
  std::vector<std::multimap<std::string, FoundElsewhere>> all_;  // by problem, of each kind
};

}  // namespace

std::vector<FoundElsewhere> draw_large(const DeviceInfo& device, const Assignment& assignment,
                                       const std::vector<PlannedSearch>& searches) {
  std::map<std::string, PlannedSearch> kernels;  // around all of their counted searches, if any
  for (const bool counted : {true, false})
    for (const PlannedSearch& one : searches) {
      if (one.counters != counted) continue;
      const auto [at, is_first] = kernels.try_emplace(one.kernel, one);
      if (is_first || !counted) continue;
      at->second.vectors = around(at->second.vectors, one.vectors);
      at->second.blocks = around(at->second.blocks, one.blocks);
      at->second.warps = around(at->second.warps, one.warps);
    }
  if (kernels.empty()) return {};
  LargeLaunches launches(device, assignment, kernels);
  launches.add_shown();
  launches.add_scaled();
  launches.add_between();
  return launches.take();
}

}  // namespace lockstep
