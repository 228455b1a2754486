// SPDX-License-Identifier: Apache-2.0
// Sums over instructions, by what they are.
#include "emulator/sass/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "common/backend/metric_names.h"
#include "emulator/sass/order.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> all) {
  for (const std::string_view one : all)
    if (name == one) return true;
  return false;
}
bool has_word(const Instruction& in, std::string_view word) {
  for (int k = 0; k < in.modifier_count; ++k)
    if (in.modifiers[static_cast<size_t>(k)].find(word) != std::string_view::npos) return true;
  return false;
}

// Of a lane.
int bytes_of_access(const Instruction& in) {
  if (has_word(in, "128")) return 16;
  if (has_word(in, "64")) return 8;
  if (has_word(in, "16")) return 2;
  return has_word(in, "U8") || has_word(in, "S8") ? 1 : 4;
}

// That have nothing but what lanes access in them.
double sectors_of(const Instruction& in, const Executions& e) {
  return double(e.lanes) * bytes_of_access(in) / 32;
}

constexpr const char* kOfACard[] = {metric::kDramBytes, metric::kActiveWarpsPercent,
                                    metric::kSmActivePercent, metric::kTimeUs};
constexpr const char* kNeedsACard = "needs a GPU";

// What two orders may differ by, as a part: less than thresholds leave.
constexpr double kOfOrder = 0.05;

class Counter {
 public:
  Counter(const Code& code, const Profile& profile, bool lines)
      : code_(code), p_(profile), lines_(lines) {}

  Counts run(bool* hangs_on_order) {
    for (size_t i = 0; i < code_.instructions.size(); ++i) {
      if (p_.executions[i].warps == 0) continue;
      at_ = i;
      depends_ |= code_.dependence[i];
      instruction(code_.instructions[i], p_.executions[i]);
      if (code_.ops[i].access != kNoAccess)
        memory(code_.instructions[i].name, p_.accesses[code_.ops[i].access],
               p_.traffic[code_.ops[i].access]);
      if (is_one_of(code_.instructions[i].name, {"STG", "ST"}))
        add(metric::kStoredSectors, sectors_of(code_.instructions[i], p_.executions[i]));
      if (is_one_of(code_.instructions[i].name, {"LDG", "LD", "LDGSTS"}))
        add(metric::kLoadedSectors, sectors_of(code_.instructions[i], p_.executions[i]));
      if (lines_) only_by_line(code_.instructions[i], p_.executions[i]);
    }
    if (p_.warps > 1) follow_changed_arrays();
    finish();
    *hangs_on_order = p_.warps > 1 && (depends_ & kWhether) != 0;
    return std::move(counts_);
  }

 private:
  void add(const char* metric, double value) {
    if (value == 0) return;
    totals_[metric] += value;
    if (lines_ && at_ < code_.lines.size() && code_.lines[at_].line > 0)
      by_line_[{code_.lines[at_].file, code_.lines[at_].line}][metric] += value;
  }

  // What warps read from arrays that others of the launch write to.
  void follow_changed_arrays() {
    for (size_t i = 0; i < code_.instructions.size() && (depends_ & kWhether) == 0; ++i) {
      const Instruction& in = code_.instructions[i];
      const uint32_t access = code_.ops[i].access;
      if (access == kNoAccess || !p_.accesses[access].from_changed ||
          !is_one_of(in.name, {"LDG", "LD"}))
        continue;
      const std::vector<uint8_t> dependence = find_dependence(code_, static_cast<int>(i));
      for (size_t k = 0; k < dependence.size(); ++k)
        if (p_.executions[k].warps > 0) depends_ |= dependence[k];
    }
  }

  // ptxas divides whole numbers by way of a reciprocal, of a number rounded up.
  void only_by_line(const Instruction& in, const Executions& e) {
    static_assert(std::size(metric::kByPurpose) == kSubjects);
    add(metric::kByPurpose[static_cast<size_t>(subject_of(in))], double(e.warps));
    if (in.name == "I2F" && has_word(in, "RP")) add(metric::kIntegerDivisions, double(e.warps));
    const bool leaves = is_one_of(in.name, {"BRA", "EXIT", "RET"}) && !has_word(in, "CONV");
    const bool same_way = e.lanes == 0 || e.lanes == 32 * e.warps;
    const Op& op = code_.ops[at_];
    const bool guarded = op.guard.index != kTruePredicate8 && op.in[0].index == kTruePredicate8;
    if (leaves && guarded && same_way) add(metric::kSettledBranches, double(e.warps));
    if (is_back_edge(at_)) loop(static_cast<size_t>(op.target));
  }

  bool is_back_edge(size_t i) const {
    const int32_t target = code_.ops[i].target;
    return code_.instructions[i].name == "BRA" && target >= 0 && static_cast<size_t>(target) <= i;
  }
  // Whoever is there has come to it or come back. Told at the last of the branches that go back.
  void loop(size_t first) {
    double back = 0;
    for (size_t i = first; i < code_.instructions.size(); ++i) {
      if (!is_back_edge(i) || static_cast<size_t>(code_.ops[i].target) != first) continue;
      if (i > at_ && p_.executions[i].warps > 0) return;
      back += double(p_.executions[i].lanes);
    }
    size_t unguarded = first;
    while (unguarded < at_ && code_.flows[unguarded].guard != Flow::kNone) ++unguarded;
    const double turns = double(p_.executions[unguarded].lanes);
    if (turns <= back) return;
    add(metric::kLoopEntries, turns - back);
    add(metric::kLoopTurns, turns);
  }

  // Of a load or an atomic operation that acquires; behind a fence it is part of that.
  bool is_acquisition(const Instruction& in) const {
    if (in.name != "CCTL" || !has_word(in, "IVALL")) return false;
    for (size_t i = at_; i-- > 0;) {
      const std::string_view name = code_.instructions[i].name;
      if (name == "MEMBAR") return false;
      if (is_one_of(name, {"LD", "LDG", "ATOM", "ATOMG", "BRA", "BAR"})) return true;
    }
    return true;
  }

  void instruction(const Instruction& in, const Executions& e) {
    add(metric::kWarpInstructions, double(e.warps));
    add(metric::kThreadInstructions, double(e.lanes));
    add(metric::kDivergentBranches, double(e.divergent));
    swaps_ |= in.name == "ATOMS" && has_word(in, "CAST");
    const bool conv = in.name == "BRA" && has_word(in, "CONV");
    const bool jumps = is_one_of(in.name, {"BRA", "BRX", "JMP", "JMX", "CALL", "RET"}) && !conv;
    if (jumps || (in.name == "WARPSYNC" && has_word(in, "EXCLUSIVE")))
      add(metric::kBranches, double(e.warps - e.again));
    const bool converts = is_one_of(in.name, {"F2F", "F2I", "I2F", "FRND"}) && has_word(in, "F64");
    if (converts || is_one_of(in.name, {"DADD", "DMUL", "DFMA", "DSETP", "DMNMX"}))
      add(metric::kDoubleInstructions, double(e.warps));
    if (in.name == "BAR") add(metric::kBarriers, double(e.warps));
    const bool fence = in.name == "MEMBAR" && !has_word(in, "CTA");
    if (fence || is_acquisition(in)) add(metric::kFences, double(e.warps));
  }

  void memory(std::string_view name, const Accesses& a, const L1Traffic& t) {
    const bool copy = name == "LDGSTS";  // a load from global memory and a store to shared memory
    const bool load = copy || is_one_of(name, {"LDG", "LD"}),
               store = is_one_of(name, {"STG", "ST"});
    const bool atomic = is_one_of(name, {"ATOM", "ATOMG", "RED", "REDG"});
    add(metric::kL2ToL1Bytes, double(t.fill_bytes) + 32 * double(a.returned_sectors));
    add(metric::kL1ToL2Bytes, double(t.write_bytes));
    add(metric::kLocalSectors, double(a.local_sectors));
    if (store || name == "STL") add(metric::kL1ToL2Bytes, 32 * double(a.local_sectors));
    add(metric::kSharedWavefronts, double(a.wavefronts) * (name != "LDC"));
    add(metric::kConstantWavefronts, double(a.wavefronts) * (name == "LDC"));
    add(metric::kSharedWavefrontsIdeal, double(a.wavefronts_ideal));
    if (name != "ATOMS" && !atomic) add(metric::kSharedRequests, double(a.shared_requests));
    if (atomic) {
      add(metric::kAtomicRequests, double(a.requests));
      add(metric::kAtomicTurns, double(a.turns));
    }
    if (name == "CCTL") add(metric::kPrefetchSectors, double(a.sectors));
    if (load || store) {
      add(load ? metric::kGlobalLoadRequests : metric::kGlobalStoreRequests, double(a.requests));
      add(load ? metric::kGlobalLoadSectors : metric::kGlobalStoreSectors, double(a.sectors));
      eighths_ += double(a.conflict_eighths);
      if (lines_) add(metric::kGlobalBankConflicts, double(a.conflict_eighths) / 8);
    }
    copies_ |= copy;
  }

  void finish() {
    // With one warp there is one order.
    const bool several = p_.warps > 1;
    const bool timing = swaps_ || (several && (depends_ & kWhether) != 0) || p_.meets_by_chance;
    const Tier whether = timing ? Tier::kPredicted : Tier::kExact;
    const Tier where =
        timing || (several && (depends_ & kWhere) != 0) ? Tier::kPredicted : Tier::kExact;
    totals_[metric::kCriticalPath] = double(p_.critical_path);
    totals_[metric::kGlobalBankConflicts] = std::floor(eighths_ / 8 + 0.5);
    for (const char* name :
         {metric::kWarpInstructions, metric::kThreadInstructions, metric::kDivergentBranches,
          metric::kBranches, metric::kBarriers, metric::kFences, metric::kCriticalPath,
          metric::kDoubleInstructions, metric::kGlobalLoadRequests, metric::kGlobalStoreRequests,
          metric::kSharedRequests, metric::kAtomicRequests})
      counts_.values[name] = {totals_[name], whether};
    for (const char* name : {metric::kGlobalLoadSectors, metric::kGlobalStoreSectors,
                             metric::kLocalSectors, metric::kPrefetchSectors})
      counts_.values[name] = {totals_[name], copies_ ? Tier::kPredicted : where};
    for (const char* name : {metric::kSharedWavefronts, metric::kSharedWavefrontsIdeal})
      counts_.values[name] = {totals_[name], where};
    for (const char* name :
         {metric::kAtomicTurns, metric::kConstantWavefronts, metric::kGlobalBankConflicts,
          metric::kL2ToL1Bytes, metric::kL1ToL2Bytes})
      counts_.values[name] = {std::floor(totals_[name] + 0.5), Tier::kPredicted};
    for (const char* name : {metric::kStoredSectors, metric::kLoadedSectors})
      counts_.values[name] = {totals_[name], where};
    for (const char* name : kOfACard) counts_.unavailable[name] = kNeedsACard;
    for (const auto& [place, values] : by_line_) {
      LineCounts line;
      line.file = place.first;
      line.line = place.second;
      for (const auto& [metric, value] : values) {
        const auto total = counts_.values.find(metric);
        const bool counted = total != counts_.values.end();
        line.counts[metric] = {std::floor(value + 0.5), counted ? total->second.tier : whether};
      }
      counts_.lines.push_back(std::move(line));
    }
  }

  const Code& code_;
  const Profile& p_;
  const bool lines_;
  size_t at_ = 0;
  double eighths_ = 0;
  bool copies_ = false;
  uint8_t depends_ = kNothing;
  bool swaps_ = false;  // ATOMS.CAST.SPIN: how often it is tried is timing, even in one warp
  Counts counts_;
  std::map<std::string, double> totals_;
  std::map<std::pair<std::string, int>, std::map<std::string, double>> by_line_;
};

}  // namespace

Counts not_counted(const std::vector<std::string>& metrics, const std::string& why) {
  Counts none;
  for (const std::string& name : metrics) none.unavailable[name] = why;
  for (const char* name : kOfACard)
    if (const auto asked = none.unavailable.find(name); asked != none.unavailable.end())
      asked->second = kNeedsACard;
  return none;
}

Counts counts_of(const Code& code, const Profile& profile, bool lines, bool* hangs_on_order) {
  return Counter(code, profile, lines).run(hangs_on_order);
}

void keep_what_agrees(Counts* of, const Counts& other, const Counts& first) {
  constexpr const char* kTraffic[] = {metric::kL2ToL1Bytes, metric::kL1ToL2Bytes};
  std::map<std::string, std::string> different;
  for (const auto& [name, count] : of->values) {
    const double a = count.value, b = other.values.at(name).value;
    if (std::fabs(a - b) > kOfOrder * std::max(a, b))
      different[name] = fmt::format(
          "depends on the order in which warps go on: {:.0f} in one, {:.0f} in another", a, b);
  }
  const bool accesses_differ = different.contains(metric::kGlobalLoadSectors) ||
                               different.contains(metric::kLocalSectors) ||
                               different.contains(metric::kGlobalStoreSectors) ||
                               different.contains(metric::kAtomicRequests);
  if (!accesses_differ)
    for (const char* name : kTraffic) {
      of->values[name] = first.values.at(name);
      different.erase(name);
    }
  // Of a greatest share the greater one: what is left for each is order, too.
  Count& path = of->values.at(metric::kCriticalPath);
  path.value = std::max(path.value, other.values.at(metric::kCriticalPath).value);
  different.erase(metric::kCriticalPath);
  for (const auto& [name, why] : different) {
    of->values.erase(name);
    of->unavailable[name] = why;
    for (LineCounts& line : of->lines) line.counts.erase(name);
  }
}

}  // namespace lockstep::emulator::sass
