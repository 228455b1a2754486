// SPDX-License-Identifier: Apache-2.0
// See elsewhere.h.
#include "common/harness/elsewhere.h"

#include <algorithm>
#include <map>

#include "common/base/error.h"
#include "common/harness/draw.h"
#include "common/harness/launch_plan.h"
#include "common/harness/opposed.h"

namespace lockstep {
namespace {

constexpr size_t kTries =
    64;  // for a kernel, where it is counted, and half as many where it is not
constexpr size_t kMostCounted = 6, kMostChecked = 6;  // launches that are made of what is found
constexpr int64_t kMostWarps = 1 << 17;  // of a launch: one without work takes some steps, too
constexpr size_t kMostBytes = size_t{256} << 20;  // of a problem

// What `./hwNN` launches of a kernel by itself.
struct OwnLaunches {
  std::vector<int64_t> sizes;
  std::vector<int> warps;
  int64_t sms = 1;

  // One of them, or with as many blocks an SM as it may be asked for; false: not in these ranges.
  bool draw(Draw* draw, const PlannedSearch& in, int64_t most_blocks_an_sm,
            PlannedLaunch* launch) const {
    if (sizes.empty()) return false;
    const auto within = [](int64_t n, Range range) { return n >= range.from && n <= range.to; };
    launch->vectors = draw->one_of(sizes);
    launch->blocks = in.blocks.to == 0 ? 0 : sms * draw->between({1, most_blocks_an_sm});
    launch->warps = in.warps.to == 0 ? 0 : draw->one_of(warps);
    return within(launch->vectors, in.vectors) && within(launch->blocks, in.blocks) &&
           within(launch->warps, in.warps);
  }
};

// Numbers that somebody may have had in mind.
class Numbers {
 public:
  Numbers(const std::vector<int64_t>& of_code, int64_t sms) : of_code_(of_code), sms_(sms) {}

  int64_t whole_sms(Draw* draw, Range range) const {
    return near(draw, sms_ * draw->between({1, 8}), range);
  }
  int64_t vectors(Draw* draw, Range range) const {
    if (!of_code_.empty() && draw->between({0, 2}) == 0) return near(draw, of_code(draw), range);
    const int64_t drawn = draw->size_as_used(range);
    return draw->between({0, 7}) == 0 ? of_few_digits(drawn, range) : drawn;
  }
  int64_t blocks(Draw* draw, Range range) const {
    if (draw->between({0, 3}) == 0) return whole_sms(draw, range);
    if (!of_code_.empty() && draw->between({0, 3}) == 0)
      return near(draw, draw->one_of(of_code_), range);
    return draw->between({0, 1}) == 0 ? draw->size(range) : draw->between(range);
  }

 private:
  // As people type them: 10000, 250000.
  static int64_t of_few_digits(int64_t number, Range range) {
    int64_t unit = 1;
    while (unit <= number / 100) unit *= 10;
    const int64_t round = number / unit * unit;
    return round >= range.from ? round : number;
  }
  // A kernel counts in elements, words or rows what the problem counts in its own unit.
  int64_t of_code(Draw* draw) const {
    const int64_t number = draw->one_of(of_code_);
    const int64_t unit = int64_t{1} << draw->between({0, 5});
    return draw->between({0, 1}) == 0 ? number / unit : number * unit;
  }
  // It, the one before or the one behind, twice as often itself; where it is not in the range, one
  // that is.
  static int64_t near(Draw* draw, int64_t number, Range range) {
    constexpr int64_t kSteps[] = {-1, 0, 0, 1};
    number += kSteps[draw->between({0, 3})];
    return number >= range.from && number <= range.to ? number : draw->size(range);
  }

  const std::vector<int64_t>& of_code_;
  const int64_t sms_;
};

// Large enough for every launch that is tried. What is computed with is one number, drawn; what are
// places, or whole numbers, are 0.
class Arrays {
 public:
  Arrays(Backend& backend, uint64_t seed)
      : backend_(backend), number_(0x3f800000 | (static_cast<uint32_t>(seed >> 32) & 0x80ffffff)) {}
  ~Arrays() {
    for (const BufferId id : ids_) backend_.release(id);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  bool can_hold(const std::vector<ArraySpec>& arrays) {
    if (bytes_of(arrays) > kMostBytes) return false;
    specs_.resize(std::max(specs_.size(), arrays.size()));
    for (size_t i = 0; i < arrays.size(); i++)
      if (specs_[i].bytes() <= arrays[i].bytes()) specs_[i] = arrays[i];
    return true;
  }
  const std::vector<BufferId>& buffers() {
    for (size_t i = ids_.size(); i < specs_.size(); i++) {
      const size_t bytes = specs_[i].bytes();
      ids_.push_back(backend_.allocate({"", bytes}));
      // Twice in eight bytes it is a number as well, for one in double precision.
      if (specs_[i].type == ElementType::kF32 || specs_[i].type == ElementType::kF64)
        backend_.fill(ids_.back(), 0, bytes, number_);
    }
    return ids_;
  }

 private:
  Backend& backend_;
  const uint32_t number_;  // 1 to 8, or below zero
  std::vector<ArraySpec> specs_;
  std::vector<BufferId> ids_;
};

struct Try {
  FoundElsewhere as;
  Case c;
};

struct Found {
  FoundElsewhere as;
  size_t instructions = 0;  // that it was first to come to
};

// So many of them, drawn: what is much code is likelier, but nobody knows which it is.
void keep_drawn(std::vector<Found>* found, size_t most, uint64_t seed) {
  Draw draw(seed);
  std::vector<Found> kept;
  while (!found->empty() && kept.size() < most) {
    int64_t all = 0;
    for (const Found& one : *found) all += static_cast<int64_t>(one.instructions);
    int64_t left = draw.between({1, all});
    auto at = found->begin();
    while ((left -= static_cast<int64_t>(at->instructions)) > 0) ++at;
    kept.push_back(std::move(*at));
    found->erase(at);
  }
  *found = std::move(kept);
}

using ByKernel = std::map<std::string, std::vector<PlannedSearch>>;

class Search {
 public:
  Search(Backend& backend, const Assignment& assignment)
      : backend_(backend),
        assignment_(assignment),
        constants_(read_constants(backend, assignment)),
        sms_(std::max(backend.device().sm_count, 1)) {}

  // Searches of one kernel, either all counted or none.
  std::vector<Found> of_kernel(const std::vector<PlannedSearch>& searches) {
    const std::optional<Case> any =
        find_case(assignment_, searches[0].kernel, searches[0].vectors.from);
    if (!any || any->library) return {};
    Backend::Unreached unreached;
    for (const std::string& name : assignment_.launched_kernels(*any)) {
      const KernelInfo* const kernel =
          kernel_with(backend_, name, assignment_.signature(*any, name));
      if (kernel == nullptr) return {};  // the plan's launches tell
      const Backend::Unreached of_one = backend_.unreached(kernel->mangled);
      unreached.instructions += of_one.instructions;
      unreached.one_sided.insert(unreached.one_sided.end(), of_one.one_sided.begin(),
                                 of_one.one_sided.end());
      unreached.numbers.insert(unreached.numbers.end(), of_one.numbers.begin(),
                               of_one.numbers.end());
    }
    if (unreached.instructions == 0 && unreached.one_sided.empty()) return {};
    const Numbers numbers(unreached.numbers, sms_);
    Arrays arrays(backend_, seed_of_pass(searches[0].seed, 0x100000000));
    std::vector<Try> tries;
    for (size_t i = 0; i < (searches[0].counters ? kTries : kTries / 2); i++) {
      std::optional<Try> one = drawn(searches[i % searches.size()], i, numbers);
      if (one && arrays.can_hold(assignment_.arrays(one->c))) tries.push_back(std::move(*one));
    }
    std::vector<Sequence> sequences;
    for (const Try& one : tries) sequences.push_back(launches_of(one, arrays.buffers()));
    const std::vector<size_t> instructions = backend_.scout(sequences);
    std::vector<Found> found;
    for (size_t i = 0; i < tries.size(); i++)
      if (instructions.at(i) > 0) found.push_back({tries[i].as, instructions[i]});
    return found;
  }

  // Some of what the program launches by itself, on its own inputs: what the handout's tables are
  // made of. Whoever knows what is drawn can do good work there alone, and nobody reads it.
  std::vector<FoundElsewhere> own(const ByKernel& counted) {
    constexpr size_t kMost = 4;
    std::vector<FoundElsewhere> can, found;
    if (counted.empty()) return found;
    Draw draw(seed_of_pass(counted.begin()->second[0].seed, 0x200000000));
    for (const auto& [kernel, searches] : counted)
      for (const PlannedSearch& in : searches) {
        PlannedLaunch launch;
        launch.kernel = kernel;
        launch.seed = Options().seed;
        launch.as_shown = true;
        if (own_launches(kernel).draw(&draw, in, 1, &launch) &&
            find_case(assignment_, kernel, launch.vectors))
          can.push_back({in.name, launch});
      }
    while (!can.empty() && found.size() < kMost) {
      found.push_back(draw.one_of(can));
      std::erase_if(can, [&](const FoundElsewhere& other) {
        return other.launch.kernel == found.back().launch.kernel;
      });
    }
    return found;
  }

 private:
  std::optional<Try> drawn(const PlannedSearch& search, size_t i, const Numbers& numbers) {
    PlannedLaunch launch;
    launch.seed = seed_of_pass(search.seed, i + 1);
    Draw draw(launch.seed);
    launch.kernel = search.kernel;
    launch.counters = search.counters;
    if (draw.between({0, 7}) != 0 || !own_launches(search.kernel).draw(&draw, search, 2, &launch)) {
      launch.vectors = numbers.vectors(&draw, search.vectors);
      launch.blocks = search.blocks.to == 0 ? 0 : numbers.blocks(&draw, search.blocks);
      launch.warps = static_cast<int>(draw.between(search.warps));
    }
    if (launch.blocks * launch.warps > kMostWarps) return std::nullopt;
    std::optional<Case> c = find_case(assignment_, search.kernel, launch.vectors);
    if (!c) return std::nullopt;
    return Try{{search.name, launch}, std::move(*c)};
  }

  Sequence launches_of(const Try& one, const std::vector<BufferId>& buffers) {
    return lockstep::launches_of(
        backend_, assignment_, one.c,
        launch_context(backend_, one.as.launch.blocks, one.as.launch.warps, constants_), buffers);
  }

  const OwnLaunches& own_launches(const std::string& kernel) {
    if (own_launches_.empty())
      for (const bool emulated : {true, false})
        for (const auto& [name, vectors] : default_sizes(assignment_, backend_.device(), emulated))
          own_launches_.try_emplace(name, OwnLaunches{{}, assignment_.warp_sweep(), sms_})
              .first->second.sizes.push_back(vectors);
    return own_launches_[kernel];
  }

  Backend& backend_;
  const Assignment& assignment_;
  const std::map<std::string, int64_t> constants_;
  const int64_t sms_;
  std::map<std::string, OwnLaunches> own_launches_;  // by case, once they are asked for
};

}  // namespace

FoundElsewhere first_of(const PlannedSearch& search) {
  PlannedLaunch launch;
  launch.kernel = search.kernel;
  launch.seed = search.seed;
  launch.counters = search.counters;
  launch.vectors = search.vectors.from;
  launch.blocks = search.blocks.from;
  launch.warps = static_cast<int>(search.warps.from);
  return {search.name, launch};
}

FoundElsewhere not_opposed(const PlannedSearch& search) {
  FoundElsewhere found = first_of(search);
  found.launch.opposed = PlannedLaunch::Opposed{search.kernel, {}, 0};
  return found;
}

Elsewhere look_elsewhere(Backend& backend, const Assignment& assignment,
                         const std::vector<PlannedSearch>& searches,
                         const std::set<std::string>& passed_over, Opposing* opposing) {
  if (searches.empty()) return {};
  Elsewhere out;
  std::optional<Search> search;
  // told_of: gives the launch of which what cannot be looked at is told.
  const auto look = [&](const PlannedSearch& in, const auto& told_of, const auto& action) {
    try {
      if (!search) search.emplace(backend, assignment);
      action();
    } catch (const KernelFault& fault) {
      out.failed.emplace_back(first_of(in), fault);
    } catch (const Error& error) {
      out.failed.emplace_back(told_of(in), KernelFault("unsupported", FaultPlace(), error.what()));
    }
  };
  for (const bool counted : {true, false}) {
    ByKernel by_kernel;
    for (const PlannedSearch& one : searches)
      if (one.counters == counted && passed_over.count(one.kernel) == 0)
        by_kernel[one.kernel].push_back(one);
    std::vector<Found> all;
    for (const auto& [kernel, of_kernel] : by_kernel)
      look(of_kernel[0], first_of, [&] {
        for (Found& found : search->of_kernel(of_kernel)) all.push_back(std::move(found));
      });
    // Before launches that nothing counts are tried: what decides in these alone is not seen.
    for (const auto& [kernel, of_kernel] : by_kernel)
      if (counted)
        look(of_kernel[0], not_opposed, [&] {
          for (OpposedLaunch& one : opposing->of_case(kernel))
            out.opposed.push_back(std::move(one));
        });
    if (counted && search) out.found = search->own(by_kernel);
    keep_drawn(&all, counted ? kMostCounted : kMostChecked, searches[0].seed);
    for (Found& found : all) out.found.push_back(std::move(found.as));
  }
  return out;
}

}  // namespace lockstep
