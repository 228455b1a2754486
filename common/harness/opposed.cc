// SPDX-License-Identifier: Apache-2.0
// See opposed.h.
#include "common/harness/opposed.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

// Of one kernel, and of all: hw06's solution has up to 157 and some 400, as sizes are drawn. Who
// asks more than that cannot be looked at; what it takes is bounded besides.
constexpr size_t kMostOfKernel = 384, kMostInAll = 1024;
// Behind others, in all launches together; mostly there are none.
constexpr size_t kMostBehind = 128;

OpposedLaunch opposing(PlannedLaunch::Opposed opposed) {
  OpposedLaunch one;
  one.launch.opposed = std::move(opposed);
  return one;
}

}  // namespace

Opposing::Opposing(Backend& backend, const Assignment& assignment,
                   const std::vector<PlannedLaunch>& planned, const Cost& cost, Try try_once,
                   InSmall in_small)
    : backend_(backend),
      assignment_(assignment),
      try_(std::move(try_once)),
      in_small_(std::move(in_small)) {
  for (const PlannedLaunch& launch : planned) {
    if (!launch.counters) continue;
    const std::optional<Case> c = find_case(assignment, launch.kernel, launch.vectors);
    if (c && !c->library) add(cost(launch), launch);
  }
}

// In which the comparisons of a case may be asked: of the cheap launches the dearest, since each is
// executed once more for each comparison (where none is cheap, the cheapest); the dearest; and
// those that are as large as a card's, for what is asked there alone.
void Opposing::add(double cost, const PlannedLaunch& launch) {
  constexpr double kCheap = 100'000;
  if (cost <= 0) return;
  auto& [cheap, dearest, large] = chosen_[launch.kernel];
  if (launch.drawn) {
    large.push_back({cost, launch});
    return;
  }
  const bool suits =
      !cheap || (cost <= kCheap ? cheap->cost > kCheap || cost > cheap->cost : cost < cheap->cost);
  if (suits) cheap = Chosen{cost, launch};
  if (!dearest || cost > dearest->cost) dearest = Chosen{cost, launch};
}

std::vector<const Opposing::Chosen*> Opposing::Candidates::all() const {
  std::vector<const Chosen*> all;
  if (cheap) all.push_back(&*cheap);
  if (dearest) all.push_back(&*dearest);
  for (const Chosen& one : large) all.push_back(&one);
  return all;
}

std::vector<OpposedLaunch> Opposing::of_case(const std::string& kernel) {
  std::vector<OpposedLaunch> all;
  const auto chosen = chosen_.find(kernel);
  if (chosen == chosen_.end()) return all;
  const Case any = case_of(chosen->second.all()[0]->launch);
  for (const std::string& name : assignment_.launched_kernels(any)) {
    const KernelInfo* const info = kernel_with(backend_, name, assignment_.signature(any, name));
    if (info == nullptr) continue;
    const std::vector<Comparison> one_sided = backend_.unreached(info->mangled).one_sided;
    compared_ += one_sided.size();
    if (one_sided.size() > kMostOfKernel || compared_ > kMostInAll)
      throw Error(
          fmt::format("{} has {} comparisons that had the same answer in every launch, which are "
                      "too many",
                      name, one_sided.size()));
    for (const Comparison& c : one_sided)
      all.push_back(opposing({info->mangled, {c.instruction}, c.line}));
  }
  choose_launches(kernel, &all);
  return all;
}

std::vector<OpposedLaunch> Opposing::behind(const std::vector<OpposedLaunch>& right) {
  std::map<std::string, std::vector<OpposedLaunch>> by_case;
  std::set<std::pair<std::string, uint32_t>> seen;  // kernel, instruction
  for (const OpposedLaunch& one : right)
    for (const Comparison& c : one.more) {
      if (!seen.emplace(one.launch.opposed->kernel, c.instruction).second) continue;
      if (seen.size() > kMostBehind) throw Error("too much is compared behind its comparisons");
      PlannedLaunch::Opposed opposed = *one.launch.opposed;
      opposed.instructions.push_back(c.instruction);
      opposed.line = c.line;
      by_case[one.launch.kernel].push_back(opposing(opposed));
    }
  std::vector<OpposedLaunch> all;
  for (auto& [kernel, launches] : by_case) {
    choose_launches(kernel, &launches);
    std::move(launches.begin(), launches.end(), std::back_inserter(all));
  }
  return all;
}

bool Opposing::oppose_once(OpposedLaunch* one) {
  uint32_t& last = one->launch.opposed->instructions.back();
  const bool so_already = (last & Launch::kOnce) != 0;
  last |= Launch::kOnce;
  return !so_already;
}

// The one with little work, but where a try asks them in a larger one alone.
void Opposing::choose_launches(const std::string& kernel, std::vector<OpposedLaunch>* all) {
  std::vector<bool> asked(all->size());
  for (const Chosen* chosen : chosen_.at(kernel).all()) {
    for (size_t i = 0; i < all->size(); ++i) {
      if (asked[i]) continue;
      const PlannedLaunch::Opposed& opposed = *(*all)[i].launch.opposed;
      if (chosen->launch.drawn && in_small_(opposed.kernel, opposed.instructions[0])) continue;
      OpposedLaunch one;
      one.launch = chosen->launch;
      one.launch.opposed = opposed;
      Backend::Opposed seen = try_(one.launch);
      asked[i] = seen.asked;
      one.more = std::move(seen.more);
      if (seen.asked || (*all)[i].launch.kernel.empty()) (*all)[i] = std::move(one);
    }
  }
  // Of what is asked in launches alone that could not be counted.
  std::erase_if(*all, [](const OpposedLaunch& one) { return one.launch.kernel.empty(); });
}

Case Opposing::case_of(const PlannedLaunch& launch) const {
  return find_case(assignment_, launch.kernel, launch.vectors).value();
}

void oppose(Backend& backend, const PlannedLaunch::Opposed& opposed, Sequence* sequence) {
  for (Launch& launch : *sequence)
    for (const KernelInfo& kernel : backend.kernels())
      if (kernel.mangled == opposed.kernel &&
          (launch.kernel == kernel.name || launch.kernel == kernel.mangled))
        launch.opposed = opposed.instructions;
}

}  // namespace lockstep
