// SPDX-License-Identifier: Apache-2.0
#include "common/harness/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/backend/metric_names.h"
#include "common/base/quoted.h"

namespace lockstep {
namespace {

// Told from so large a share of the launch's on: of its sectors, wavefronts, instructions.
constexpr double kShare = 0.05;
constexpr double kWarp = 32;

double value_of(const std::map<std::string, Count>& counts, const char* name) {
  const auto at = counts.find(name);
  return at == counts.end() ? 0 : at->second.value;
}

struct Finding {
  double share = 0;  // of what it makes dearer, that it costs needlessly
  std::string words;
};

class Finder {
 public:
  Finder(const Counts& counts, int64_t writable, bool doubles, const std::string& file)
      : counts_(counts), writable_(writable), doubles_(doubles), file_(file) {
    for (const LineCounts& line : counts.lines)
      for (const auto& [name, count] : line.counts) totals_[name] += count.value;
  }

  std::vector<Finding> run() {
    for (const LineCounts& line : counts_.lines) {
      line_ = &line;
      place_ = fmt::format("{}:{}", file_, line.line);
      const size_t slash = line.file.rfind('/');
      if (line.file.substr(slash == std::string::npos ? 0 : slash + 1) != file_) continue;
      sectors("reads", metric::kGlobalLoadSectors, metric::kLoadedSectors,
              metric::kGlobalLoadRequests);
      sectors("writes", metric::kGlobalStoreSectors, metric::kStoredSectors,
              metric::kGlobalStoreRequests);
      conflicts();
      local_memory();
      arithmetic();
      few_threads();
    }
    repeated_stores();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Finding& a, const Finding& b) { return a.share > b.share; });
    return std::move(found_);
  }

 private:
  double here(const char* name) const { return value_of(line_->counts, name); }
  double total(const char* name) const {
    const auto at = totals_.find(name);
    return at == totals_.end() ? 0 : at->second;
  }
  void tell(double needless, double all, const std::string& words) {
    if (all > 0 && needless / all >= kShare)
      found_.push_back({needless / all, place_ + ": " + words});
  }

  void sectors(const char* verb, const char* moved, const char* wanted, const char* requests) {
    // A request moves one at least.
    const double least = std::max(here(wanted), here(requests));
    const double excess = here(moved) - least;
    if (excess <= 0.25 * least || here(requests) <= 0) return;
    tell(excess, total(metric::kGlobalLoadSectors) + total(metric::kGlobalStoreSectors),
         fmt::format("{} {:.1f} sectors of 32 bytes a request where {:.1f} would hold what is "
                     "asked for: threads side by side touch places that are not",
                     verb, here(moved) / here(requests), least / here(requests)));
  }

  void conflicts() {
    const double passes = here(metric::kSharedWavefronts);
    const double ideal = here(metric::kSharedWavefrontsIdeal);
    if (passes <= 1.1 * ideal || ideal <= 0) return;
    tell(passes - ideal, total(metric::kSharedWavefronts),
         fmt::format("takes {:.1f} passes of shared memory where 1 would do: bank conflicts",
                     passes / ideal));
  }

  void local_memory() {
    const double sectors = here(metric::kLocalSectors);
    tell(sectors, sectors + total(metric::kGlobalLoadSectors) + total(metric::kGlobalStoreSectors),
         "uses local memory: an array whose index the compiler does not know, or registers that "
         "did not suffice");
  }

  void arithmetic() {
    const double all = total(metric::kWarpInstructions);
    // Always a slip, however few there are: told from a part in 200 on.
    if (!doubles_)
      tell(10 * here(metric::kDoubleInstructions), all,
           "computes in double precision, though no array has it: a constant without f, or a "
           "double among the operands");
    constexpr double kOfADivision = 15;  // instructions, at least
    tell(kOfADivision * here(metric::kIntegerDivisions), all,
         "divides by a whole number (/ or %) that the compiler does not know, some 20 instructions "
         "each time");
  }

  void few_threads() {
    const double warps = here(metric::kWarpInstructions);
    const double threads = here(metric::kThreadInstructions);
    if (warps <= 0 || threads > kWarp / 2 * warps) return;
    constexpr double kMuch = 3;  // instructions that run so cost more than their share
    if (warps < kMuch * kShare * total(metric::kWarpInstructions)) return;
    tell(warps - threads / kWarp, total(metric::kWarpInstructions),
         fmt::format("is executed with {:.1f} of a warp's 32 threads on average", threads / warps));
  }

  void repeated_stores() {
    const double useful = static_cast<double>(writable_) / 32;
    const double stored = total(metric::kStoredSectors);
    if (useful <= 0 || stored < 1.5 * useful) return;
    const LineCounts* most = nullptr;
    for (const LineCounts& line : counts_.lines)
      if (most == nullptr || value_of(line.counts, metric::kStoredSectors) >
                                 value_of(most->counts, metric::kStoredSectors))
        most = &line;
    place_ = fmt::format("{}:{}", file_, most->line);
    tell(stored - useful, stored,
         fmt::format("stores {:.1f} times what there is to be written: is work done twice?",
                     stored / useful));
  }

  const Counts& counts_;
  const int64_t writable_;
  const bool doubles_;
  const std::string file_;
  std::map<std::string, double> totals_;
  const LineCounts* line_ = nullptr;
  std::string place_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<std::string> findings(const Counts& counts, int64_t writable, bool doubles,
                                  const std::string& student_file, size_t most) {
  std::vector<std::string> words;
  for (const Finding& finding : Finder(counts, writable, doubles, student_file).run())
    if (words.size() < most) words.push_back(finding.words);
  return words;
}

}  // namespace lockstep
