// SPDX-License-Identifier: Apache-2.0
#include "common/harness/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/backend/metric_names.h"
#include "common/harness/cycles.h"

namespace lockstep {
namespace {

// Told from so large a share of the launch's on: of its sectors, wavefronts, instructions.
constexpr double kShare = 0.05;
// Of what the solution does with less: the compiler's version makes smaller differences.
constexpr double kShareOfAGoal = 0.1;
constexpr double kLikeness = 1.5;  // of a goal that is scaled: so much more is not worth a word
constexpr double kWarp = 32;

// What instructions are for, as students call it.
struct Purpose {
  const char* metric;
  const char* words;
};
constexpr Purpose kPurposes[] = {
    {metric::kIntegerInstructions, "reckon with whole numbers, such as indices"},
    {metric::kComparisonInstructions, "compare, or choose by what was compared"},
    {metric::kFloatInstructions, "reckon with floats"},
    {metric::kConversionInstructions, "make a number one of another type"},
    {metric::kMoveInstructions, "copy values"},
    {metric::kExchangeInstructions, "exchange values between threads (shuffles, votes)"},
    {metric::kMemoryInstructions, "load or store"},
    {metric::kControlInstructions, "are branches, calls or barriers"}};

class Finder {
 public:
  Finder(const Counts& counts, const FoundIn& in) : counts_(counts), in_(in) {
    for (const LineCounts& line : counts.lines) {
      for (const auto& [name, count] : line.counts) totals_[name] += count.value;
      if (in.is_students(line.file)) own_.push_back(&line);
    }
  }

  std::vector<Finding> run() {
    for (const LineCounts* line : own_) {
      line_ = line;
      sectors("reads", metric::kGlobalLoadSectors, metric::kLoadedSectors,
              metric::kGlobalLoadRequests);
      sectors("writes", metric::kGlobalStoreSectors, metric::kStoredSectors,
              metric::kGlobalStoreRequests);
      shared_conflicts();
      local_memory();
      arithmetic();
      few_threads();
    }
    repeated_stores();
    if (in_.goal) beside_goal();
    const Cycles cycles = cycles_of(totals_);
    for (Finding& f : found_) f.share *= cycles.part_of(f.kind);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Finding& a, const Finding& b) { return a.share > b.share; });
    return std::move(found_);
  }

 private:
  double here(const char* name) const { return line_->of(name); }
  double total(const char* name) const {
    const auto at = totals_.find(name);
    return at == totals_.end() ? 0 : at->second;
  }
  using Asks = Finding::Asks;
  void tell(const char* kind, double needless, double all, const std::string& words,
            Asks asks = Asks::kNothing, const std::string& of_line = "") {
    if (line_ != nullptr && all > 0 && needless / all >= kShare)
      found_.push_back({needless / all, fmt::format("{}:{}", in_.student_file, line_->line), kind,
                        words, of_line, line_->line, asks});
  }

  // Also of instructions whose line is not known, where that is counted.
  double whole(const char* name) const {
    const Count* count = counts_.find(name);
    return count == nullptr ? total(name) : count->value;
  }
  double needed(const char* name) const {
    return in_.goal ? in_.goal->of(name) * (in_.goal->same_problem ? 1 : kLikeness) : 0;
  }
  // How much more there is of it than the solution needs; without a goal, all.
  double beyond_goal(const char* name) const { return std::max(0.0, whole(name) - needed(name)); }
  bool told(const char* kind) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Finding& f) { return f.kind == kind; });
  }
  const LineCounts* most_of(const char* name) const {
    const LineCounts* most = nullptr;
    for (const LineCounts* line : own_)
      if (line->of(name) > (most == nullptr ? 0 : most->of(name))) most = line;
    return most;
  }

  void sectors(const char* verb, const char* moved, const char* wanted, const char* requests) {
    // A request moves one at least.
    const double least = std::max(here(wanted), here(requests));
    const double excess = std::min(here(moved) - least, beyond_goal(moved));
    if (excess <= 0.25 * least || here(requests) <= 0) return;
    tell(moved, excess, total(metric::kGlobalLoadSectors) + total(metric::kGlobalStoreSectors),
         fmt::format("{} {:.1f} sectors of 32 bytes a request where {:.1f} would hold what is "
                     "asked for: threads side by side touch places that are not{}",
                     verb, here(moved) / here(requests), least / here(requests),
                     part_of(*line_, verb, wanted)),
         is_so_elsewhere(moved, here(moved) / here(requests)) ? Asks::kCalled : Asks::kSpread);
  }
  bool is_so_elsewhere(const char* moved, double sectors) const {
    constexpr double kAsMuch = 0.9;
    const auto at = in_.elsewhere.find({line_->line, moved});
    return at != in_.elsewhere.end() && at->second >= kAsMuch * sectors;
  }
  // What little is left over may be done anyhow; it should be little.
  std::string part_of(const LineCounts& line, const char* verb, const char* wanted) const {
    constexpr double kLeast = 0.02, kMost = 0.9;
    const double share = line.of(wanted) / std::max(total(wanted), 1.0);
    if (share < kLeast || share > kMost) return {};
    return fmt::format("; {:.0f} % of what the kernel {} it {} {}", 100 * share, verb, verb,
                       &line == line_ ? "here" : fmt::format("in line {}", line.line));
  }

  void shared_conflicts() {
    const double passes = here(metric::kSharedWavefronts);
    const double ideal = here(metric::kSharedWavefrontsIdeal);
    if (passes <= 1.1 * ideal || ideal <= 0) return;
    // Where many threads read few words, one pass would do and fewer accesses would not.
    const double conflicts = passes - ideal;
    tell(metric::kSharedWavefronts,
         std::min(conflicts, in_.goal ? conflicts_beyond_goal() : conflicts),
         total(metric::kSharedWavefronts),
         fmt::format("takes {:.1f} passes of shared memory where 1 would do: bank conflicts",
                     passes / ideal),
         Asks::kBanks);
  }
  double conflicts_beyond_goal() const {
    const double all = whole(metric::kSharedWavefronts) - whole(metric::kSharedWavefrontsIdeal);
    return all - needed(metric::kSharedWavefronts) + needed(metric::kSharedWavefrontsIdeal);
  }

  void local_memory() {
    const double sectors =
        std::min(here(metric::kLocalSectors), beyond_goal(metric::kLocalSectors));
    tell(metric::kLocalSectors, sectors,
         sectors + total(metric::kGlobalLoadSectors) + total(metric::kGlobalStoreSectors),
         "uses local memory: an array whose index the compiler does not know, or registers that "
         "did not suffice");
  }

  void arithmetic() {
    const double all = total(metric::kWarpInstructions);
    // Always a slip, however few there are: told from a part in 200 on.
    if (!in_.doubles)
      tell(metric::kDoubleInstructions,
           10 * std::min(here(metric::kDoubleInstructions),
                         beyond_goal(metric::kDoubleInstructions)),
           all,
           "computes in double precision, though no array has it: a constant without f, or a "
           "double among the operands",
           Asks::kDoubles);
    constexpr double kOfADivision = 15;  // instructions, at least
    tell(metric::kIntegerDivisions,
         kOfADivision *
             std::min(here(metric::kIntegerDivisions), beyond_goal(metric::kIntegerDivisions)),
         all,
         "divides by a whole number (/ or %) that the compiler does not know, some 20 instructions "
         "each time");
  }

  static double idle(double warps, double threads) {
    return std::max(0.0, warps - threads / kWarp);
  }
  void few_threads() {
    const double warps = here(metric::kWarpInstructions);
    const double threads = here(metric::kThreadInstructions);
    if (warps <= 0 || threads > kWarp / 2 * warps) return;
    constexpr double kMuch = 3;  // instructions that run so cost more than their share
    if (warps < kMuch * kShare * total(metric::kWarpInstructions)) return;
    double needless = idle(warps, threads);
    if (in_.goal) {
      const double all = idle(whole(metric::kWarpInstructions), whole(metric::kThreadInstructions));
      needless = std::min(needless, all - idle(needed(metric::kWarpInstructions),
                                               needed(metric::kThreadInstructions)));
    }
    tell(metric::kThreadInstructions, needless, total(metric::kWarpInstructions),
         fmt::format("is executed with {:.1f} of a warp's 32 threads on average", threads / warps),
         Asks::kParting);
  }

  void repeated_stores() {
    const double useful = static_cast<double>(in_.writable) / 32;
    const double stored = total(metric::kStoredSectors);
    if (useful <= 0 || stored < 1.5 * useful) return;
    if (in_.goal && beyond_goal(metric::kGlobalStoreSectors) < 0.5 * useful) return;
    line_ = most_of(metric::kStoredSectors);
    tell(metric::kStoredSectors, stored - useful, stored,
         fmt::format("stores {:.1f} times what there is to be written: is work done twice?",
                     stored / useful),
         Asks::kTwice);
  }

  // What lines do not show by themselves, since nothing is wrong with each: there is more of it
  // than the solution has. The line with most of it is named.
  void beside_goal() {
    more_sectors(metric::kGlobalLoadSectors, "loads", "is something read twice?");
    if (!told(metric::kStoredSectors))
      more_sectors(metric::kGlobalStoreSectors, "stores", "is something stored twice?");
    more_conflicts();
    if (!in_.goal->same_problem) return;
    more_of(metric::kAtomicRequests, 0.2, "atomic operations on global memory", Asks::kAdding);
    more_of(metric::kBarriers, 0.2, "barriers", Asks::kDear);
    more_of(metric::kSharedWavefrontsIdeal, 0.25, "accesses to shared memory", Asks::kDear);
    instructions();
  }

  void more_sectors(const char* name, const char* verb, const char* question) {
    const double all = whole(name), excess = beyond_goal(name);
    if (told(name) || excess < 0.25 * needed(name) || needed(name) <= 0) return;
    line_ = most_of(name);
    tell(name, excess, total(metric::kGlobalLoadSectors) + total(metric::kGlobalStoreSectors),
         fmt::format("{} most of the {:.2f} sectors of 32 bytes an element; {:.2f} are enough: {}",
                     verb, an_element(all), an_element(in_.goal->of(name)), question),
         Asks::kTwice);
  }

  // Accesses of global memory whose lines lie in one bank of L1, BXW.
  void more_conflicts() {
    const double requests =
        whole(metric::kGlobalLoadRequests) + whole(metric::kGlobalStoreRequests);
    const double excess = beyond_goal(metric::kGlobalBankConflicts);
    line_ = most_of(metric::kGlobalBankConflicts);
    if (line_ == nullptr || excess < 0.5 * requests || told(metric::kGlobalLoadSectors) ||
        told(metric::kGlobalStoreSectors))
      return;
    const double own = here(metric::kGlobalLoadRequests) + here(metric::kGlobalStoreRequests);
    tell(metric::kGlobalBankConflicts, excess, requests + whole(metric::kGlobalBankConflicts),
         fmt::format("waits {:.1f} turns more a request (BXW) since what a warp touches at once "
                     "lies far apart; side by side it would not",
                     here(metric::kGlobalBankConflicts) / std::max(own, 1.0)),
         Asks::kSpread);
  }

  void more_of(const char* name, double share, const char* what, Asks asks) {
    const double all = whole(name), excess = beyond_goal(name);
    line_ = most_of(name);
    if (line_ == nullptr || excess < share * all || excess < 32) return;
    // How dear that is hangs on the card, but one is no less than so many instructions: what there
    // is little of comes after what is known.
    constexpr double kOfOne = 16;
    const double instructions = std::max(1.0, whole(metric::kWarpInstructions));
    tell(name,
         std::max(kShare * excess / all / share, std::min(1.0, kOfOne * excess / instructions)), 1,
         fmt::format("the kernel makes {:.0f} {} (a warp's count as one), where {:.0f} are enough",
                     all, what, needed(name)),
         asks, "; this line has the most of them");
  }

  double an_element(double count) const {
    return count / std::max(1.0, static_cast<double>(in_.elements));
  }

  void instructions() {
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
      return tell(
          metric::kSettledBranches, excess, all,
          fmt::format("tests what came out the same way each time{}; the kernel executes {}",
                      turns(), words));
    if (is_explained(excess / all)) return;
    if (dearer_than_beside(excess))
      return tell(metric::kWarpInstructions, excess, all, "the kernel executes " + words,
                  Asks::kDear,
                  fmt::format("; {:.1f} of them here, where {} has {:.1f}{}", in_line(*line_),
                              in_.beside->kernel, beside(line_->line), turns()));
    line_ = kept_loop(excess);
    if (line_ == nullptr && purpose != nullptr) line_ = most_of(purpose->metric);
    if (line_ == nullptr) line_ = most_of(metric::kWarpInstructions);
    if (line_ == nullptr) return;
    tell(metric::kWarpInstructions, excess, all, "the kernel executes " + words, Asks::kDear,
         fmt::format("; this line has {}{:.0f} %{}{}",
                     line_ == most_of(metric::kWarpInstructions) ? "the most of them, " : "",
                     100 * here(metric::kWarpInstructions) / all, turns(), narrow_loads()));
  }
  // What most of the instructions are for of which there are more than needed; null: of no kind.
  const Purpose* purpose_of(double excess) const {
    const Purpose* const most =
        &*std::max_element(std::begin(kPurposes), std::end(kPurposes),
                           [&](const Purpose& a, const Purpose& b) { return more(a) < more(b); });
    const bool known =
        std::any_of(std::begin(kPurposes), std::end(kPurposes),
                    [&](const Purpose& p) { return in_.goal->counts.contains(p.metric); });
    return known && more(*most) >= excess / 2 ? most : nullptr;
  }
  double more(const Purpose& purpose) const {
    return total(purpose.metric) - needed(purpose.metric);
  }
  std::string purpose_text(const Purpose* purpose) const {
    if (purpose == nullptr) return {};
    return fmt::format("; {:.1f} of them {}, where {:.1f} are enough",
                       kWarp * an_element(total(purpose->metric)), purpose->words,
                       kWarp * an_element(needed(purpose->metric)));
  }
  double in_line(const LineCounts& line) const {
    return kWarp * an_element(line.of(metric::kWarpInstructions));
  }
  double beside(int line) const {
    const auto at = in_.beside->instructions.find(line);
    return at == in_.beside->instructions.end() ? 0 : at->second;
  }
  // The line that makes up for more of the excess than any other, beside another kernel of the
  // template.
  bool dearer_than_beside(double excess) {
    if (!in_.beside) return false;
    double most = 0.25 * kWarp * an_element(excess);
    line_ = nullptr;
    for (const LineCounts* line : own_)
      if (const double more = in_line(*line) - beside(line->line); more > most)
        line_ = line, most = more;
    return line_ != nullptr;
  }
  static double loaded_at_once(const LineCounts& line) {  // bytes of a thread
    const double requests = line.of(metric::kGlobalLoadRequests);
    const double lanes =
        line.of(metric::kThreadInstructions) / std::max(1.0, line.of(metric::kWarpInstructions));
    return requests > 0 && lanes > 0 ? line.of(metric::kLoadedSectors) / requests * kWarp / lanes
                                     : 0;
  }
  // What is read by many loads, the line's own or most of the kernel's, where another line reads by
  // fewer.
  std::string narrow_loads() const {
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
  // By what was found, unless that is much the smaller part of what there is.
  bool is_explained(double share) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Finding& f) { return f.share >= share / 2; });
  }
  // A loop within another one with few turns each time, and as many instructions in its line: one
  // that could be written out.
  const LineCounts* kept_loop(double excess) const {
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
  static bool has_few_turns(double entries, double all) {
    constexpr double kFew = 32;
    return entries > 0 && all >= 1.5 * entries && all <= kFew * entries;
  }
  std::string turns() const {
    const double entries = here(metric::kLoopEntries), all = here(metric::kLoopTurns);
    if (entries <= 0 || all < 1.5 * entries) return {};
    return fmt::format("; it is in a loop that takes {:.1f} turns each time{}", all / entries,
                       has_few_turns(entries, all)
                           ? ", and the compiler does not know how many, or was told to keep it"
                           : "");
  }

  const Counts& counts_;
  const FoundIn& in_;
  std::map<std::string, double> totals_;
  std::vector<const LineCounts*> own_;  // of the student's file
  const LineCounts* line_ = nullptr;
  std::vector<Finding> found_;
};

}  // namespace

bool FoundIn::is_students(const std::string& file) const {
  const size_t slash = file.rfind('/');
  return file.substr(slash == std::string::npos ? 0 : slash + 1) == student_file;
}

std::vector<Finding> findings(const Counts& counts, const FoundIn& in) {
  return Finder(counts, in).run();
}

}  // namespace lockstep
