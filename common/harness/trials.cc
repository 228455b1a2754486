// SPDX-License-Identifier: Apache-2.0
#include "common/harness/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>
#include <thread>

#include "common/base/error.h"
#include "common/harness/trial_search.h"

namespace lockstep {
namespace {

constexpr size_t kMostLines = 3;

// Words and the numbers in them, which may differ from one instance of a template to the other.
struct Worded {
  std::string words;  // "#" for each number
  std::vector<std::string> numbers;
};

Worded worded(const std::string& text) {
  Worded out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    const bool of_a_name =
        i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
    if (!digit || (of_a_name && out.words.back() != '#')) {
      out.words += text[i];
    } else {
      if (out.words.empty() || out.words.back() != '#')
        out.words += '#', out.numbers.emplace_back();
      out.numbers.back() += text[i];
    }
  }
  return out;
}

// Numbers that are the same, or the same argument of the two instances of a template.
bool same_numbers(const Worded& a, const Worded& b, const std::string& kernel_a,
                  const std::string& kernel_b) {
  const std::vector<std::string> arguments_a = worded(kernel_a).numbers,
                                 arguments_b = worded(kernel_b).numbers;
  const auto same_argument = [&](const std::string& x, const std::string& y) {
    for (size_t i = 0; i < std::min(arguments_a.size(), arguments_b.size()); ++i)
      if (arguments_a[i] == x && arguments_b[i] == y) return true;
    return false;
  };
  for (size_t i = 0; i < std::min(a.numbers.size(), b.numbers.size()); ++i)
    if (a.numbers[i] != b.numbers[i] && !same_argument(a.numbers[i], b.numbers[i])) return false;
  return true;
}

std::string words_of(const CodeMutation& change) {
  if (!change.phrase.empty()) return change.phrase;
  if (change.instead.empty()) return fmt::format("without `{}` in line {}", change.is, change.line);
  return fmt::format("with `{}` in place of `{}` in line {}", change.instead, change.is,
                     change.line);
}

}  // namespace

bool alike(const CodeMutation& a, const CodeMutation& b) {
  if (place_of(a) != place_of(b)) return false;
  const Worded instead_a = worded(a.instead), instead_b = worded(b.instead);
  if (instead_a.words != instead_b.words || worded(a.phrase).words != worded(b.phrase).words)
    return false;
  // A number that is the same in both instances is of neither, and so is the one in its place.
  const bool of_numbers = !a.is.empty() && worded(a.is).words == instead_a.words;
  return !of_numbers || a.is != b.is || same_numbers(instead_a, instead_b, a.kernel, b.kernel);
}

Trials::Trials(const Assignment& assignment, TrialOptions options)
    : assignment_(assignment), options_(std::move(options)) {
  for (int i = 0; i < std::max(options_.threads, 1); i++)
    builds_.push_back(std::make_unique<DebugBuild>(options_.debug_ptx, options_.open));
}

Trials::~Trials() = default;

std::vector<Mend> Trials::run(Search& search) {
  search.go_on();
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
  return search.found();
}

// Those with which the other instances are right, too, and stay so: what helps one alone fits its
// numbers, and not the mistake.
std::vector<Mend> Trials::helping(const std::vector<Mend>& mends,
                                  const std::vector<WrongKernel>& instances,
                                  std::vector<CodeMutation>* harmful) {
  constexpr std::chrono::milliseconds kForInstance{1000};
  std::vector<CodeMutation> changes;
  for (const Mend& mend : mends) changes.push_back(mend.change);
  // Of the other instances: how many it is seen to help, and whether one that it does not.
  std::vector<size_t> helps(mends.size());
  std::vector<bool> fails(mends.size());
  for (const WrongKernel& instance : instances) {
    Search search(assignment_, instance, kForInstance, builds_.size(), changes);
    const std::vector<Mend> theirs = run(search);
    for (size_t i = 0; i < mends.size(); ++i) {
      const bool found = std::any_of(theirs.begin(), theirs.end(), [&](const Mend& other) {
        return alike(mends[i].change, other.change);
      });
      helps[i] += found;
      // Else it may not have been tried; and what is right may not have what would be changed.
      const bool harms = !found && instance.is_right && search.is_refused(mends[i].change);
      if (harms) harmful->push_back(mends[i].change);
      if (harms || (!found && !instance.is_right && search.ended())) fails[i] = true;
    }
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < mends.size(); ++i)
    if (!fails[i]) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return helps[x] > helps[y]; });
  std::vector<Mend> sorted;
  for (const size_t i : order) sorted.push_back(mends[i]);
  return sorted;
}

std::vector<Mend> Trials::find(const WrongKernel& wrong, const std::vector<WrongKernel>& instances,
                               std::chrono::milliseconds time) {
  Search search(assignment_, wrong, time, builds_.size(), {});
  std::vector<Mend> first, mends;
  do {
    std::vector<Mend> found = run(search);
    if (found.empty()) break;
    std::vector<CodeMutation> harmful;
    mends = helping(found, instances, &harmful);
    std::erase_if(found, [&](const Mend& mend) {
      return std::any_of(harmful.begin(), harmful.end(),
                         [&](const CodeMutation& one) { return alike(one, mend.change); });
    });
    if (first.empty()) first = std::move(found);
  } while (mends.empty() && !search.ended() && !search.is_late());
  if (mends.empty()) {  // there may be another mistake besides
    mends = std::move(first);
    for (Mend& mend : mends) mend.alone = true;
  }
  std::vector<Mend> best;
  std::set<ChangePlace> places;
  for (Mend& mend : mends)
    if (places.insert(place_of(mend.change)).second) best.push_back(std::move(mend));
  if (best.empty()) return best;
  if (best[0].change.orders) best.resize(1);  // the others have threads wait more often
  std::erase_if(best, [&](const Mend& mend) {
    return std::bit_width(mend.storing_threads) < std::bit_width(best[0].storing_threads);
  });
  return best;
}

std::string words_of_mends(const std::vector<Mend>& mends) {
  if (mends.empty()) return {};
  std::string words = (mends[0].alone ? "By itself this kernel is right " : "All is right ") +
                      words_of(mends[0].change);
  for (size_t i = 1; i < std::min(mends.size(), kMostLines); i++)
    words += ", or " + words_of(mends[i].change);
  return words + ".";
}

}  // namespace lockstep
