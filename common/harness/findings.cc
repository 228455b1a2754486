// SPDX-License-Identifier: Apache-2.0
#include "common/harness/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/backend/metric_names.h"
#include "common/harness/cycles.h"
#include "common/harness/finding_counts.h"

namespace lockstep {
namespace {

class Finder : FoundInstructions {
 public:
  using FoundInstructions::FoundInstructions;

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
    few_registers();
    repeated_stores();
    if (in_.goal) beside_goal();
    const Cycles cycles = cycles_of(totals_);
    for (Finding& f : found_) f.share *= cycles.part_of(f.kind);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Finding& a, const Finding& b) { return a.share > b.share; });
    return std::move(found_);
  }

 private:
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
    if (is_bounded()) return;
    const double sectors =
        std::min(here(metric::kLocalSectors), beyond_goal(metric::kLocalSectors));
    tell(metric::kLocalSectors, sectors, beside_others(sectors),
         "uses local memory: " + why_local());
  }
  double beside_others(double local) const {
    return local + total(metric::kGlobalLoadSectors) + total(metric::kGlobalStoreSectors);
  }
  // The compiler puts arrays there, the assembler what does not fit into registers.
  std::string why_local() const {
    const KernelInfo& kernel = in_.kernel;
    const bool arrays = kernel.array_bytes > 0, spills = kernel.spill_bytes > 0;
    if (kernel.array_bytes == 0 && spills)
      return fmt::format("{} registers do not suffice a thread", kernel.registers);
    if (arrays && kernel.spill_bytes == 0)
      return fmt::format("arrays, {} bytes, with an index that the compiler does not know",
                         kernel.array_bytes);
    return "an array whose index the compiler does not know, or registers that did not suffice";
  }
  // That the kernel's own bounds leave a thread; 0: they leave all that a card has.
  int registers_left() const {
    constexpr int kOfAnSm = 65536, kStep = 8, kMost = 255;
    const KernelInfo& kernel = in_.kernel;
    if (kernel.wanted_blocks <= 0 || kernel.max_threads_per_block <= 0) return 0;
    const int left =
        kOfAnSm / (kernel.wanted_blocks * kernel.max_threads_per_block) / kStep * kStep;
    return left < kMost && kernel.registers > left - kStep && kernel.registers <= left ? left : 0;
  }
  // Whether it is registers alone that do not suffice, since the bounds leave no more.
  bool is_bounded() const {
    const KernelInfo& kernel = in_.kernel;
    return kernel.array_bytes == 0 && kernel.spill_bytes > 0 && registers_left() > 0 &&
           in_.is_students(kernel.place.file);
  }
  void few_registers() {
    line_ = most_of(metric::kLocalSectors);
    if (!is_bounded() || line_ == nullptr) return;
    const int blocks = in_.kernel.wanted_blocks;
    const double sectors = beyond_goal(metric::kLocalSectors);
    tell(metric::kLocalSectors, sectors, beside_others(sectors),
         fmt::format("`__launch_bounds__` wants {} block{} of {} threads on an SM at once, which "
                     "leaves {} registers a thread: too few, and the rest is in local memory, most "
                     "of it in line {}",
                     blocks, blocks > 1 ? "s" : "", in_.kernel.max_threads_per_block,
                     registers_left(), line_->line),
         Asks::kNothing, "", in_.kernel.place.line);
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
