// SPDX-License-Identifier: Apache-2.0
#include "common/harness/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <thread>

#include "common/base/error.h"
#include "common/harness/trial_search.h"

namespace lockstep {
namespace {

constexpr size_t kMostLines = 3;

// Numbers, which differ from one instance of a template to the other, are all one.
std::string without_numbers(const std::string& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool digit = words[i] >= '0' && words[i] <= '9';
    const bool of_a_name = i > 0 && (std::isalnum(static_cast<unsigned char>(words[i - 1])) != 0 ||
                                     words[i - 1] == '_');
    if (!digit || (of_a_name && out.back() != '#'))
      out += words[i];
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
  return out;
}

// Whether the two are one change of a template's line, as two of its instances tell it.
bool alike(const CodeMutation& a, const CodeMutation& b) {
  if (place_of(a) != place_of(b)) return false;
  return without_numbers(a.instead) == without_numbers(b.instead) &&
         without_numbers(a.phrase) == without_numbers(b.phrase);
}

std::string words_of(const CodeMutation& change) {
  if (!change.phrase.empty()) return change.phrase;
  if (change.instead.empty()) return fmt::format("without `{}` in line {}", change.is, change.line);
  return fmt::format("with `{}` in place of `{}` in line {}", change.instead, change.is,
                     change.line);
}

}  // namespace

Trials::Trials(const Assignment& assignment, TrialOptions options)
    : assignment_(assignment), options_(std::move(options)) {
  for (int i = 0; i < std::max(options_.threads, 1); i++)
    builds_.push_back(std::make_unique<DebugBuild>(options_.debug_ptx, options_.open));
}

Trials::~Trials() = default;

std::vector<Mend> Trials::search(const WrongKernel& wrong, std::chrono::milliseconds time,
                                 const std::set<ChangePlace>& places, bool* ended) {
  Search search(assignment_, wrong, time, builds_.size(), places);
  const auto run_on = [&](DebugBuild& build) {
    try {
      if (Backend* const debug = build.backend()) search.run_on(*debug);
    } catch (const Error&) {
      return;  // what was found otherwise stands
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < builds_.size(); i++) threads.emplace_back([&, i] { run_on(*builds_[i]); });
  run_on(*builds_[0]);
  for (std::thread& thread : threads) thread.join();
  *ended = search.ended();
  return search.found();
}

std::vector<Mend> Trials::find(const WrongKernel& wrong, const std::vector<WrongKernel>& instances,
                               std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kForInstance{1000};
  bool ended = false;
  std::vector<Mend> mends = search(wrong, time, {}, &ended);
  std::set<ChangePlace> places;
  for (const Mend& mend : mends) places.insert(place_of(mend.change));
  if (places.empty()) return mends;
  // Of the other instances: how many it is seen to help, and whether one that it does not.
  std::vector<size_t> helps(mends.size());
  std::vector<bool> fails(mends.size());
  for (const WrongKernel& instance : instances) {
    const std::vector<Mend> theirs = search(instance, kForInstance, places, &ended);
    if (theirs.empty()) continue;  // something else is wrong there
    for (size_t i = 0; i < mends.size(); ++i) {
      const bool found = std::any_of(theirs.begin(), theirs.end(), [&](const Mend& other) {
        return alike(mends[i].change, other.change);
      });
      helps[i] += found;
      if (!found && ended) fails[i] = true;  // else it may not have been tried
    }
  }
  const bool all_fail = std::find(fails.begin(), fails.end(), false) == fails.end();
  std::vector<size_t> order;
  for (size_t i = 0; i < mends.size(); ++i)
    if (all_fail || !fails[i]) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return helps[x] > helps[y]; });
  std::vector<Mend> best;
  places.clear();
  for (const size_t i : order)
    if (places.insert(place_of(mends[i].change)).second) best.push_back(std::move(mends[i]));
  if (best[0].change.orders) best.resize(1);  // the others have threads wait more often
  std::erase_if(best, [&](const Mend& mend) {
    return std::bit_width(mend.storing_threads) < std::bit_width(best[0].storing_threads);
  });
  return best;
}

std::string words_of_mends(const std::vector<Mend>& mends) {
  if (mends.empty()) return {};
  std::string words = "All is right " + words_of(mends[0].change);
  for (size_t i = 1; i < std::min(mends.size(), kMostLines); i++)
    words += ", or " + words_of(mends[i].change);
  return words + ".";
}

}  // namespace lockstep
