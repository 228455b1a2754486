// SPDX-License-Identifier: Apache-2.0
// See elsewhere.h.
#include "common/harness/elsewhere.h"

#include <algorithm>
#include <map>

#include "common/base/error.h"
#include "common/harness/draw.h"
#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

constexpr int kWarp = 32;
constexpr size_t kTries = 64;       // for a kernel
constexpr size_t kMostLaunches = 2;  // that are made of what is found for a kernel
constexpr size_t kMostInAll = 6;
constexpr size_t kMostBytes = size_t{256} << 20;  // of a problem

// Numbers that somebody may have had in mind.
class Numbers {
 public:
  Numbers(const std::vector<int64_t>& of_code, const std::vector<int64_t>& own_sizes, int64_t sms)
      : of_code_(of_code), own_sizes_(own_sizes), sms_(sms) {}

  int64_t vectors(Draw* draw, Range range) const {
    switch (draw->between({0, 7})) {
      case 0:
        return near(draw, int64_t{1} << draw->between({0, 30}), range);
      case 1:
        if (!own_sizes_.empty()) return near(draw, one_of(draw, own_sizes_), range);
        [[fallthrough]];
      case 2:
      case 3:
        if (!of_code_.empty()) return near(draw, of_code(draw), range);
        [[fallthrough]];
      default:
        return draw->size(range);
    }
  }
  int64_t blocks(Draw* draw, Range range) const {
    switch (draw->between({0, 3})) {
      case 0:
        return near(draw, sms_ * draw->between({1, 8}), range);
      case 1:
        if (!of_code_.empty()) return near(draw, one_of(draw, of_code_), range);
        [[fallthrough]];
      default:
        return draw->between(range);
    }
  }

 private:
  static int64_t one_of(Draw* draw, const std::vector<int64_t>& all) {
    return all[static_cast<size_t>(draw->between({0, static_cast<int64_t>(all.size()) - 1}))];
  }
  // A kernel counts in elements, words or rows what the problem counts in its own unit.
  int64_t of_code(Draw* draw) const {
    const int64_t number = one_of(draw, of_code_);
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
  const std::vector<int64_t>& own_sizes_;
  const int64_t sms_;
};

// Arrays in which nothing stands, large enough for every launch that is tried.
class Arrays {
 public:
  explicit Arrays(Backend& backend) : backend_(backend) {}
  ~Arrays() {
    for (const BufferId id : ids_) backend_.release(id);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  bool can_hold(const std::vector<ArraySpec>& arrays) {
    size_t all = 0;
    for (const ArraySpec& array : arrays) all += array.bytes();
    if (all > kMostBytes) return false;
    bytes_.resize(std::max(bytes_.size(), arrays.size()));
    for (size_t i = 0; i < arrays.size(); i++) bytes_[i] = std::max(bytes_[i], arrays[i].bytes());
    return true;
  }
  const std::vector<BufferId>& buffers() {
    for (size_t i = ids_.size(); i < bytes_.size(); i++)
      ids_.push_back(backend_.allocate({"", bytes_[i]}));
    return ids_;
  }

 private:
  Backend& backend_;
  std::vector<size_t> bytes_;
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

void keep_most(std::vector<Found>* found, size_t most) {
  std::stable_sort(found->begin(), found->end(),
                   [](const Found& a, const Found& b) { return a.instructions > b.instructions; });
  if (found->size() > most) found->resize(most);
}

class Search {
 public:
  Search(Backend& backend, const Assignment& assignment)
      : backend_(backend),
        assignment_(assignment),
        constants_(read_constants(backend, assignment)),
        sms_(std::max(backend.device().sm_count, 1)) {}

  std::vector<Found> of_kernel(const std::vector<PlannedSearch>& searches) {
    const std::optional<Case> any = case_of(searches[0].kernel, searches[0].vectors.from);
    if (!any || any->library) return {};
    Backend::Unreached unreached;
    for (const std::string& name : assignment_.launched_kernels(*any)) {
      const Backend::Unreached of_one = backend_.unreached(name);
      unreached.instructions += of_one.instructions;
      unreached.numbers.insert(unreached.numbers.end(), of_one.numbers.begin(),
                               of_one.numbers.end());
    }
    if (unreached.instructions == 0) return {};
    const Numbers numbers(unreached.numbers, own_sizes(searches[0].kernel), sms_);
    Arrays arrays(backend_);
    std::vector<Try> tries;
    for (size_t i = 0; i < kTries; i++) {
      std::optional<Try> one = drawn(searches[i % searches.size()], i, numbers);
      if (one && arrays.can_hold(assignment_.arrays(one->c))) tries.push_back(std::move(*one));
    }
    std::vector<Sequence> sequences;
    for (const Try& one : tries) sequences.push_back(launches_of(one, arrays.buffers()));
    const std::vector<size_t> instructions = backend_.scout(sequences);
    std::vector<Found> found;
    for (size_t i = 0; i < tries.size(); i++)
      if (instructions.at(i) > 0) found.push_back({tries[i].as, instructions[i]});
    keep_most(&found, kMostLaunches);
    return found;
  }

 private:
  std::optional<Case> case_of(const std::string& kernel, int64_t vectors) const {
    ProblemSize size;
    size.vectors = vectors;
    for (Case& c : assignment_.cases(size))
      if (c.kernel == kernel) return std::move(c);
    return std::nullopt;
  }

  std::optional<Try> drawn(const PlannedSearch& search, size_t i, const Numbers& numbers) const {
    PlannedLaunch launch;
    launch.seed = seed_of_pass(search.seed, i + 1);
    Draw draw(launch.seed);
    launch.kernel = search.kernel;
    launch.vectors = numbers.vectors(&draw, search.vectors);
    launch.blocks = search.blocks.to > 0 ? numbers.blocks(&draw, search.blocks) : 0;
    launch.warps = static_cast<int>(draw.between(search.warps));
    std::optional<Case> c = case_of(search.kernel, launch.vectors);
    if (!c) return std::nullopt;
    return Try{{search.name, launch}, std::move(*c)};
  }

  Sequence launches_of(const Try& one, const std::vector<BufferId>& buffers) {
    LaunchContext context{
        backend_.device(), one.as.launch.blocks, one.as.launch.warps * kWarp, constants_, {}};
    context.blocks_per_sm = [&](const Launch& l) { return backend_.max_blocks_per_sm(l); };
    Sequence sequence = assignment_.launches(one.c, context, buffers);
    for (Launch& launch : sequence) launch.continues = &launch != &sequence.front();
    return sequence;
  }

  const std::vector<int64_t>& own_sizes(const std::string& kernel) {
    if (own_sizes_.empty())
      for (const bool emulated : {true, false})
        for (const auto& [name, vectors] :
             default_sizes(assignment_, backend_.device(), emulated))
          own_sizes_[name].push_back(vectors);
    return own_sizes_[kernel];
  }

  Backend& backend_;
  const Assignment& assignment_;
  const std::map<std::string, int64_t> constants_;
  const int64_t sms_;
  std::map<std::string, std::vector<int64_t>> own_sizes_;  // by case, once they are asked for
};

}  // namespace

std::vector<FoundElsewhere> look_elsewhere(Backend& backend, const Assignment& assignment,
                                           const std::vector<PlannedSearch>& searches,
                                           const std::set<std::string>& passed_over) {
  std::map<std::string, std::vector<PlannedSearch>> by_kernel;
  for (const PlannedSearch& search : searches)
    if (passed_over.count(search.kernel) == 0) by_kernel[search.kernel].push_back(search);
  std::vector<Found> all;
  try {
    Search search(backend, assignment);
    for (const auto& [kernel, of_kernel] : by_kernel)
      for (Found& found : search.of_kernel(of_kernel)) all.push_back(std::move(found));
  } catch (const ConstantFault&) {
    return {};
  }
  keep_most(&all, kMostInAll);
  std::vector<FoundElsewhere> out;
  for (Found& found : all) out.push_back(std::move(found.as));
  return out;
}

}  // namespace lockstep
