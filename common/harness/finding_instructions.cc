// SPDX-License-Identifier: Apache-2.0
// Which instructions there are more of than are enough.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/backend/metric_names.h"
#include "common/harness/finding_counts.h"

namespace lockstep {

// What instructions are for, as students call it, and whether it takes them to find an element
// among registers.
struct Purpose {
  const char* metric;
  const char* words;
  bool picks = false;
};

namespace {

constexpr Purpose kPurposes[] = {
    {metric::kIntegerInstructions, "reckon with whole numbers, such as indices", true},
    {metric::kComparisonInstructions, "compare, or choose by what was compared", true},
    {metric::kFloatInstructions, "reckon with floats"},
    {metric::kConversionInstructions, "make a number one of another type"},
    {metric::kMoveInstructions, "copy values", true},
    {metric::kExchangeInstructions, "exchange values between threads (shuffles, votes)"},
    {metric::kMemoryInstructions, "load or store"},
    {metric::kControlInstructions, "are branches, calls or barriers"}};
static_assert(std::size(kPurposes) == std::size(metric::kByPurpose));

}  // namespace

void FoundInstructions::instructions() {
  const double all = whole(metric::kWarpInstructions);
  const double excess = beyond_goal(metric::kWarpInstructions);
  if (excess < kShareOfAGoal * all) return;
  const Purpose* const purpose = purpose_of(excess);
  const std::string words = fmt::format(
      "{:.1f} instructions an element, where {:.1f} are enough{}", kWarp * an_element(all),
      kWarp * an_element(needed(metric::kWarpInstructions)), purpose_text(purpose));
  constexpr double kOfATest = 2;  // instructions, at least
  const double settled = beyond_goal(metric::kSettledBranches);
  line_ = most_of(metric::kSettledBranches);
  if (line_ != nullptr && kOfATest * settled >= 0.3 * excess)
    return tell(metric::kSettledBranches, excess, all,
                fmt::format("tests what came out the same way each time{}; the kernel executes {}",
                            turns(), words));
  if (is_explained(excess / all)) return;
  if (dearer_than_beside(excess))
    return tell(metric::kWarpInstructions, excess, all, "the kernel executes " + words, Asks::kDear,
                fmt::format("; {:.1f} of them here, where {} has {:.1f}{}", in_line(*line_),
                            in_.beside->kernel, beside(line_->line), turns()));
  const bool may_pick = purpose == nullptr || purpose->picks;
  line_ = may_pick && kept_loop(excess) == nullptr ? line_of_an_array(excess) : nullptr;
  if (line_ != nullptr)
    return tell(metric::kWarpInstructions, excess, all, "the kernel executes " + words,
                Asks::kNothing,
                fmt::format("; it has arrays of {} bytes whose index here the compiler does not "
                            "know: registers have no index, so it compares to find an element",
                            in_.kernel.array_bytes));
  line_ = kept_loop(excess);
  if (line_ == nullptr && purpose != nullptr) line_ = most_of(purpose->metric);
  if (line_ == nullptr) line_ = most_of(metric::kWarpInstructions);
  if (line_ == nullptr) return;
  tell(metric::kWarpInstructions, excess, all, "the kernel executes " + words, Asks::kDear,
       fmt::format("; this line has {}{:.0f} % of all{}{}",
                   line_ == most_of(metric::kWarpInstructions) ? "the most instructions, " : "",
                   100 * here(metric::kWarpInstructions) / all, turns(), narrow_loads()));
}

// What most of the instructions are for of which there are more than needed; null: of no kind.
const Purpose* FoundInstructions::purpose_of(double excess) const {
  const Purpose* const most =
      &*std::max_element(std::begin(kPurposes), std::end(kPurposes),
                         [&](const Purpose& a, const Purpose& b) { return more(a) < more(b); });
  const bool known = std::any_of(std::begin(kPurposes), std::end(kPurposes), [&](const Purpose& p) {
    return in_.goal->counts.contains(p.metric);
  });
  return known && more(*most) >= excess / 2 ? most : nullptr;
}

double FoundInstructions::more(const Purpose& purpose) const {
  return total(purpose.metric) - needed(purpose.metric);
}

std::string FoundInstructions::purpose_text(const Purpose* purpose) const {
  if (purpose == nullptr) return {};
  return fmt::format("; {:.1f} of them {}, where {:.1f} are enough",
                     kWarp * an_element(total(purpose->metric)), purpose->words,
                     kWarp * an_element(needed(purpose->metric)));
}

// Where the compiler left arrays in local memory and the assembler found registers for them, it
// picks an element by comparing. Of the lines that reach them, if they do a good part of what is
// too much, the one that compares most.
const LineCounts* FoundInstructions::line_of_an_array(double excess) const {
  constexpr double kPart = 0.25;
  if (in_.kernel.array_bytes <= 0 || whole(metric::kLocalSectors) > 0) return nullptr;
  const auto picks = [](const LineCounts& line) {
    double sum = 0;
    for (const Purpose& p : kPurposes) sum += p.picks ? line.of(p.metric) : 0;
    return sum;
  };
  const std::vector<int>& lines = in_.kernel.array_lines;
  const LineCounts* most = nullptr;
  double all = 0;
  for (const LineCounts* line : own_) {
    if (std::find(lines.begin(), lines.end(), line->line) == lines.end()) continue;
    all += picks(*line);
    if (most == nullptr || picks(*line) > picks(*most)) most = line;
  }
  return all >= kPart * excess ? most : nullptr;
}

double FoundInstructions::in_line(const LineCounts& line) const {
  return kWarp * an_element(line.of(metric::kWarpInstructions));
}

double FoundInstructions::beside(int line) const {
  const auto at = in_.beside->instructions.find(line);
  return at == in_.beside->instructions.end() ? 0 : at->second;
}

// The line that makes up for more of the excess than any other, beside another kernel of the
// template.
bool FoundInstructions::dearer_than_beside(double excess) {
  if (!in_.beside) return false;
  double most = 0.25 * kWarp * an_element(excess);
  line_ = nullptr;
  for (const LineCounts* line : own_)
    if (const double more = in_line(*line) - beside(line->line); more > most)
      line_ = line, most = more;
  return line_ != nullptr;
}

double FoundInstructions::loaded_at_once(const LineCounts& line) {
  const double requests = line.of(metric::kGlobalLoadRequests);
  const double lanes =
      line.of(metric::kThreadInstructions) / std::max(1.0, line.of(metric::kWarpInstructions));
  return requests > 0 && lanes > 0 ? line.of(metric::kLoadedSectors) / requests * kWarp / lanes : 0;
}

// What is read by many loads, the line's own or most of the kernel's, where another line reads by
// fewer.
std::string FoundInstructions::narrow_loads() const {
  constexpr double kWider = 2;
  const LineCounts* const own =
      loaded_at_once(*line_) > 0 ? line_ : most_of(metric::kGlobalLoadRequests);
  if (own == nullptr) return {};
  const LineCounts* widest = own;
  for (const LineCounts* line : own_)
    if (loaded_at_once(*line) > loaded_at_once(*widest)) widest = line;
  const std::string part = part_of(*own, "reads", metric::kLoadedSectors);
  if (part.empty() || loaded_at_once(*widest) < kWider * loaded_at_once(*own)) return {};
  return fmt::format("{}, {:.0f} bytes a thread at once, where line {} reads {:.0f}", part,
                     loaded_at_once(*own), widest->line, loaded_at_once(*widest));
}

// A loop within another one with few turns each time, and as many instructions in its line: one
// that could be written out.
const LineCounts* FoundInstructions::kept_loop(double excess) const {
  constexpr double kOfExcess = 0.25, kInner = 1.5;  // entries a thread
  const LineCounts* most = nullptr;
  double most_executed = kOfExcess * excess;
  for (const LineCounts* line : own_) {
    const double executed = line->of(metric::kWarpInstructions);
    const double entries = line->of(metric::kLoopEntries);
    if (executed < most_executed || entries < kInner * static_cast<double>(in_.threads)) continue;
    if (!has_few_turns(entries, line->of(metric::kLoopTurns))) continue;
    most = line, most_executed = executed;
  }
  return most;
}

// Few turns are a loop of the machine code only where the compiler cannot tell how many there
// are, or is told to keep it: else it writes them one after the other.
bool FoundInstructions::has_few_turns(double entries, double all) {
  constexpr double kFew = 32;
  return entries > 0 && all >= 1.5 * entries && all <= kFew * entries;
}

std::string FoundInstructions::turns() const {
  const double entries = here(metric::kLoopEntries), all = here(metric::kLoopTurns);
  if (entries <= 0 || all < 1.5 * entries) return {};
  return fmt::format("; it is in a loop that takes {:.1f} turns each time{}", all / entries,
                     has_few_turns(entries, all)
                         ? ", and the compiler does not know how many, or was told to keep it"
                         : "");
}

}  // namespace lockstep
