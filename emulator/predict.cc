// SPDX-License-Identifier: Apache-2.0
// Puts the counts together: instructions from the SASS blocks' executions, memory counts from the
// PTX operations that still are in the SASS, all of it once more by source line.

#include "emulator/predict.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "common/backend/metric_names.h"
#include "emulator/code/opcode.h"
#include "emulator/contention.h"
#include "emulator/one_to_one.h"
#include "emulator/sass_flow.h"
#include "emulator/sass_guards.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {
namespace {

// More of the instructions than this in blocks that nothing vouches for: no prediction.
constexpr double kMostUnsure = 0.5;

bool is_memory(OpClass op) {
  return (op >= OpClass::kGlobalLoad && op <= OpClass::kGenericAtomic) || op == OpClass::kAsyncCopy;
}

// Waits for memory beyond the SM. ptxas makes MEMBAR of fences and of operations that release, too;
// one of the block waits for nothing.
bool is_fence(const std::string& opcode) {
  const Opcode op(opcode);
  if (op.has("cta")) return false;
  return op.root == "membar" || op.root == "fence" || op.has("release") || op.has("acq_rel");
}

bool reads_constants(OpClass op) { return op == OpClass::kConstLoad || op == OpClass::kParamLoad; }

bool is_atomic(OpClass op) { return op == OpClass::kGlobalAtomic || op == OpClass::kGenericAtomic; }

class Predictor {
 public:
  Predictor(const KernelProfile& profile, const Cubin* cubin, const DeviceProfile& device,
            const PredictOptions& options)
      : p_(profile), device_(device), options_(options) {
    why_ = cubin ? map_sass(*cubin, profile, &map_) : "no cubin beside the PTX";
    if (why_.empty()) {
      flow_ = solve_flow(map_, profile);
      guards_.emplace(map_, flow_, profile);
      find_kept();
    }
  }

  Counts run() {
    instructions();
    memory();
    if (mapped()) withdraw_lost();
    control();
    if (p_.recursive_partings > 0) withdraw_groups();
    if (mapped()) withdraw_loops();
    if (!p_.waits.empty()) withdraw_all();
    collect_lines();
    not_offered();
    return std::move(counts_);
  }

 private:
  using Place = std::pair<int, int>;  // source file, line

  bool mapped() const { return why_.empty(); }

  // How many SASS operations each PTX memory operation, barrier, ... became.
  void find_kept() {
    kept_.assign(p_.instructions.size(), 0);
    for (size_t i = 0; i < map_.ptx.size(); ++i) {
      const int p = map_.ptx[i], b = map_.graph.block_of[i];
      if (p < 0 || map_.cold[b]) continue;
      if (map_.graph.functions[map_.graph.blocks[b].function].internal) continue;
      if (same_operation(map_.graph.code[i].kind, p_.instructions[p].op)) ++kept_[p];
    }
  }

  Place place_of(int p) const {
    return {p_.instructions[p].source_file, p_.instructions[p].source_line};
  }

  std::string student_place(int p) const {
    const InstructionProfile& ptx = p_.instructions[p];
    const bool named = ptx.student_file > 0 && ptx.student_file < int(p_.files.size());
    if (!named) return "line " + std::to_string(ptx.ptx_line) + " of the PTX";
    return std::filesystem::path(p_.files[size_t(ptx.student_file)]).filename().string() + ":" +
           std::to_string(ptx.student_line);
  }

  void add(const char* metric, int p, double value) {
    totals_[metric] += value;
    if (options_.lines && p >= 0 && value != 0) by_line_[place_of(p)][metric] += value;
  }

  void finish(const char* metric, Tier tier) {
    counts_.values[metric] = Count{totals_[metric], tier};
    tiers_[metric] = tier;
  }

  void instructions() {
    const std::string reason = why_no_instructions();
    if (!reason.empty()) {
      counts_.unavailable[metric::kWarpInstructions] = reason;
      counts_.unavailable[metric::kThreadInstructions] = reason;
      return;
    }
    const SassGraph& g = map_.graph;
    for (int b = 0; b < int(g.blocks.size()); ++b) {
      const SassFlow::Count& count = flow_.blocks[b];
      if (count.warps <= 0) continue;
      double apart = 0;  // groups that name other masks, from an exclusive warp sync on
      for (int i = g.blocks[b].first; i < g.blocks[b].last; ++i) {
        const int p = line_owner(i, b);
        apart += other_masks(i, &InstructionProfile::slow_path);
        if (const auto met = flow_.met.find(i); met != flow_.met.end()) {
          add(metric::kWarpInstructions, p, met->second.warps);
          add(metric::kThreadInstructions, p, met->second.lanes);
          continue;
        }
        add(metric::kWarpInstructions, p, issues(i, b) + apart);
        add(metric::kThreadInstructions, p,
            guards_->lanes_on(i, b) + other_masks(i, &InstructionProfile::slow_path_lanes));
        if (g.code[i].kind != SassKind::kSync) continue;
        add(metric::kWarpInstructions, p, flow_.again[b].warps);
        add(metric::kThreadInstructions, p, flow_.again[b].lanes);
      }
    }
    round(metric::kWarpInstructions);
    round(metric::kThreadInstructions);
    finish(metric::kWarpInstructions, Tier::kPredicted);
    finish(metric::kThreadInstructions, Tier::kPredicted);
  }

  std::string why_no_instructions() const {
    if (!mapped()) return why_;
    if (calls_system()) return "it calls printf or the like, whose instructions are in no cubin";
    if (flow_.unsure > kMostUnsure)
      return "the SASS line table does not tell how often the code ran";
    if (!flow_.not_known.empty()) return flow_.not_known;
    return contention(map_, flow_, p_);
  }

  bool calls_system() const {
    return std::any_of(p_.instructions.begin(), p_.instructions.end(), [](const auto& ptx) {
      return ptx.op == OpClass::kSystemCall && ptx.warps_guard_on > 0;
    });
  }

  // An exclusive warp sync is issued for all lanes, then for those left, mask by mask.
  double other_masks(int i, uint64_t InstructionProfile::*count) const {
    const int p = map_.ptx[i];
    if (!map_.graph.code[i].exclusive || p < 0 || p_.instructions[p].op != OpClass::kVote) return 0;
    return double(p_.instructions[p].*count) / std::max(1, kept_[p]);
  }

  // An indirect branch is issued once for every target that the warp's lanes go to.
  double issues(int i, int b) const {
    double out = 0;
    if (map_.graph.code[i].kind == SassKind::kBranchIndirect) {
      for (int e : map_.graph.blocks[b].out) out += flow_.edges[e].warps;
    }
    return std::max(out, flow_.blocks[b].warps);
  }

  void round(const char* metric) { totals_[metric] = std::floor(totals_[metric] + 0.5); }

  // The PTX instruction to whose line an instruction's cost goes: its own, else its block's.
  int line_owner(int i, int b) const {
    const SassBlock& block = map_.graph.blocks[b];
    if (map_.graph.functions[block.function].internal) return caller_of(block.function);
    return map_.ptx[i] >= 0 ? map_.ptx[i] : map_.stands_for[b];
  }

  int caller_of(int function) const {
    int best = -1;
    double most = -1;
    for (int b = 0; b < int(map_.graph.blocks.size()); ++b) {
      const SassBlock& block = map_.graph.blocks[b];
      if (block.call != function || flow_.blocks[b].warps <= most) continue;
      most = flow_.blocks[b].warps;
      best = map_.ptx[block.last - 1];
    }
    return best;
  }

  void memory() {
    const Tier tier = mapped() ? Tier::kExact : Tier::kPredicted;
    double eighths = 0;
    bool doubtful = false;
    bool split = mapped() && (flow_.meets_sooner || calls_system() || p_.partings > 0 ||
                              loops_of_swaps(map_, p_));
    for (int p = 0; p < int(p_.instructions.size()); ++p) {
      const InstructionProfile& ptx = p_.instructions[p];
      if (reads_constants(ptx.op)) add(metric::kConstantWavefronts, p, constant_passes(p));
      if (!is_memory(ptx.op)) continue;
      if (mapped() && kept_[p] == 0) continue;  // ptxas removed it, or made it part of a wider one
      const double requests = requests_of(p);
      split |= requests != double(ptx.requests) || both_spaces(ptx) ||
               (mapped() && (map_.parted[p] || is_apart(p))) || parts(p) > 1;
      eighths += global_access(p, requests);
      shared_access(p, requests, &doubtful);
      add(metric::kL2ToL1Bytes, p, double(ptx.fills_bytes) + 32 * returned(p));
      add(metric::kL1ToL2Bytes, p, double(ptx.writes_bytes));
      if (!is_atomic(ptx.op)) continue;
      add(metric::kAtomicRequests, p, double(ptx.requests - ptx.shared_requests));
      if (ptx.sectors > 0)
        add(metric::kAtomicTurns, p, double(for_all(p) ? ptx.sectors : turns(ptx)));
    }
    finish(metric::kConstantWavefronts, Tier::kPredicted);
    finish(metric::kAtomicRequests, Tier::kPredicted);
    finish(metric::kAtomicTurns, Tier::kPredicted);
    for (const char* metric : {metric::kGlobalLoadRequests, metric::kGlobalLoadSectors,
                               metric::kGlobalStoreRequests, metric::kGlobalStoreSectors}) {
      round(metric);
      finish(metric, split ? Tier::kPredicted : tier);
    }
    split |= mapped() && !shared_one_to_one(map_, flow_, *guards_, p_);
    round(metric::kSharedRequests);
    finish(metric::kSharedRequests, split ? Tier::kPredicted : tier);
    const Tier shared = doubtful || split ? Tier::kPredicted : tier;
    const std::string timing = why_no_wavefronts(doubtful);
    if (timing.empty()) {
      finish(metric::kSharedWavefronts, shared);
      finish(metric::kSharedWavefrontsIdeal, shared);
    } else {
      counts_.unavailable[metric::kSharedWavefronts] = timing;
      counts_.unavailable[metric::kSharedWavefrontsIdeal] = timing;
    }
    totals_[metric::kGlobalBankConflicts] = std::floor(eighths / 8 + 0.5);
    finish(metric::kGlobalBankConflicts, Tier::kPredicted);
    local_memory();
    round(metric::kL1ToL2Bytes);
    finish(metric::kL2ToL1Bytes, Tier::kPredicted);
    finish(metric::kL1ToL2Bytes, Tier::kPredicted);
  }

  // ptxas makes an operand of what it knows the address of, which costs nothing.
  double constant_passes(int p) const {
    const InstructionProfile& ptx = p_.instructions[p];
    const bool same_for_all = ptx.wavefronts == ptx.warps_guard_on;
    const bool loads =
        !mapped() || std::any_of(map_.sass[p].begin(), map_.sass[p].end(), [&](int i) {
          return map_.graph.code[i].kind == SassKind::kConstLoad;
        });
    return loads || !same_for_all ? double(ptx.wavefronts) : 0;
  }

  // Lanes of one instruction went to global memory and lanes to shared memory, perhaps at once: an
  // access to each, as executed. So does a copy from one to the other.
  static bool both_spaces(const InstructionProfile& ptx) {
    return (ptx.sectors > 0 || ptx.op == OpClass::kAsyncCopy) && ptx.shared_requests > 0;
  }

  // Parts that ptxas made of one access; each touches the sectors of the whole: no wide access
  // reaches into a second one.
  double parts(int p) const {
    if (!mapped() || kept_[p] == 0) return 1;
    const auto further = std::count_if(map_.sass[p].begin(), map_.sass[p].end(), [this](int i) {
      return map_.continues[i] && !map_.cold[map_.graph.block_of[i]];
    });
    return further < kept_[p] ? kept_[p] / double(kept_[p] - further) : 1;
  }

  // Returns its bank conflicts, in eighths.
  double global_access(int p, double requests) {
    const InstructionProfile& ptx = p_.instructions[p];
    const bool copy = ptx.op == OpClass::kAsyncCopy;
    const bool load = copy || ptx.op == OpClass::kGlobalLoad || ptx.op == OpClass::kGenericLoad;
    const bool store = ptx.op == OpClass::kGlobalStore || ptx.op == OpClass::kGenericStore;
    if ((ptx.sectors == 0 && !copy) || (!load && !store)) return 0;
    if (both_spaces(ptx)) requests -= double(ptx.shared_requests);
    add(load ? metric::kGlobalLoadRequests : metric::kGlobalStoreRequests, p, requests);
    add(load ? metric::kGlobalLoadSectors : metric::kGlobalStoreSectors, p,
        double(ptx.sectors) * parts(p));
    return double(ptx.bank_conflicts);
  }

  void shared_access(int p, double requests, bool* doubtful) {
    const InstructionProfile& ptx = p_.instructions[p];
    if (ptx.shared_requests == 0) return;
    double wavefronts = double(ptx.wavefronts);
    if (ptx.op == OpClass::kSharedAtomic || ptx.op == OpClass::kGenericAtomic) {
      wavefronts = mapped() ? atomic_wavefronts(map_, p_, p, doubtful) : double(ptx.slow_path);
    } else {
      add(metric::kSharedRequests, p, both_spaces(ptx) ? double(ptx.shared_requests) : requests);
      *doubtful |= ptx.merge_eligible > 0;
    }
    add(metric::kSharedWavefronts, p, wavefronts * parts(p));
    add(metric::kSharedWavefrontsIdeal, p, double(ptx.wavefronts_ideal) * parts(p));
  }

  std::string why_no_wavefronts(bool doubtful) const {
    const int p = generic_atomic_on_shared(mapped() ? &map_ : nullptr, p_);
    if (p >= 0)
      return "what an atomic operation by a generic address costs on shared memory was never "
             "measured (" +
             student_place(p) + "); use the shared array itself";
    return doubtful && mapped() ? contention(map_, flow_, p_) : "";
  }

  // ptxas lets one lane do it for all of the same address, under a guard of its own.
  bool for_all(int p) const {
    if (!mapped() || p_.instructions[p].warps_guard_on != p_.instructions[p].warps) return false;
    return std::any_of(map_.sass[p].begin(), map_.sass[p].end(), [&](int i) {
      const SassInstruction& in = map_.graph.code[i];
      return same_operation(in.kind, p_.instructions[p].op) && in.guarded;
    });
  }

  // Shared memory's wavefronts are in the same sum where one instruction reached both.
  static uint64_t turns(const InstructionProfile& ptx) {
    return both_spaces(ptx) ? ptx.sectors : ptx.wavefronts;
  }

  // Sectors that an atomic operation's result brings. ptxas makes RED of one whose result nobody
  // reads.
  double returned(int p) const {
    const InstructionProfile& ptx = p_.instructions[p];
    if (ptx.returned_sectors == 0 || !is_atomic(ptx.op)) return 0;
    if (!mapped()) return double(ptx.returned_sectors);
    for (int i : map_.sass[p]) {
      const SassInstruction& in = map_.graph.code[i];
      if (!same_operation(in.kind, ptx.op) || in.reduces) continue;
      return double(for_all(p) ? ptx.sectors : ptx.returned_sectors);
    }
    return 0;
  }

  // Groups that execution joined are requests of their own on the card.
  bool is_apart(int p) const {
    return std::any_of(map_.sass[p].begin(), map_.sass[p].end(), [this, p](int i) {
      return flow_.apart[map_.graph.block_of[i]] &&
             same_operation(map_.graph.code[i].kind, p_.instructions[p].op);
    });
  }

  // In an unrolled loop, lanes that leave at different turns take different parts of it, and what
  // was one request may be two; where lanes meet sooner, two may be one.
  double requests_of(int p) const {
    const InstructionProfile& ptx = p_.instructions[p];
    const bool apart = mapped() && is_apart(p);
    const bool asks = mapped() && (kept_[p] > 1 || flow_.meets_sooner || apart);
    if (!asks || both_spaces(ptx) || ptx.requests != ptx.warps) return double(ptx.requests);
    double sum = 0;
    for (int i : map_.sass[p]) {
      const int b = map_.graph.block_of[i];
      if (!same_operation(map_.graph.code[i].kind, ptx.op)) continue;
      if (map_.graph.code[i].guarded) return double(ptx.requests);
      sum += flow_.blocks[b].warps;
    }
    sum = std::floor(sum + 0.5);
    return kept_[p] > 1 || apart ? std::max(sum, double(ptx.requests))
                                 : std::min(sum, double(ptx.requests));
  }

  // Local memory is interleaved by lane: a word of all lanes lies in four sectors. What ptxas
  // spilled is in the SASS only; the program's own arrays come from execution.
  void local_memory() {
    for (int p = 0; p < int(p_.instructions.size()); ++p) {
      const InstructionProfile& ptx = p_.instructions[p];
      if (ptx.local_sectors == 0 || (mapped() && kept_[p] == 0)) continue;
      const bool store = ptx.op == OpClass::kLocalStore || ptx.op == OpClass::kGenericStore;
      add(metric::kLocalSectors, p, double(ptx.local_sectors));
      if (store) add(metric::kL1ToL2Bytes, p, 32 * double(ptx.local_sectors));
    }
    if (mapped()) {
      const SassGraph& g = map_.graph;
      for (size_t i = 0; i < g.code.size(); ++i) {
        const SassKind kind = g.code[i].kind;
        if (kind != SassKind::kLocalLoad && kind != SassKind::kLocalStore) continue;
        const int p = map_.ptx[i], b = g.block_of[i];
        if (p >= 0 && same_operation(kind, p_.instructions[p].op)) continue;
        const SassFlow::Count& count = flow_.blocks[b];
        const double lanes = count.warps > 0 ? guards_->lanes_on(int(i), b) / count.warps : 0;
        const double words = std::max<double>(g.code[i].bytes, 4) / 4;
        const double sectors = count.warps * std::ceil(lanes / 8) * words;
        add(metric::kLocalSectors, p, sectors);
        if (kind == SassKind::kLocalStore) add(metric::kL1ToL2Bytes, p, 32 * sectors);
      }
    } else {
      counts_.unavailable[metric::kLocalSectors] = why_;
      return;
    }
    round(metric::kLocalSectors);
    finish(metric::kLocalSectors, Tier::kPredicted);
  }

  void control() {
    for (int p = 0; p < int(p_.instructions.size()); ++p) {
      const InstructionProfile& ptx = p_.instructions[p];
      if (ptx.op == OpClass::kBarrier) add(metric::kBarriers, p, double(ptx.warps));
      if (is_fence(ptx.opcode)) add(metric::kFences, p, double(ptx.warps_guard_on));
      if (ptx.op == OpClass::kPrefetch) add(metric::kPrefetchSectors, p, double(ptx.sectors));
    }
    totals_[metric::kBusiestWarp] = double(p_.busiest_warp);
    finish(metric::kBusiestWarp, Tier::kPredicted);
    finish(metric::kPrefetchSectors, Tier::kPredicted);
    finish(metric::kBarriers, Tier::kExact);
    finish(metric::kFences, Tier::kPredicted);
    divergence();
  }

  // What the hardware counts as a branch: calls, and the ways around a collective operation, too.
  static bool leads_elsewhere(SassKind kind) {
    return kind == SassKind::kBranch || kind == SassKind::kBranchIndirect ||
           kind == SassKind::kBranchDivergent || kind == SassKind::kCall ||
           kind == SassKind::kReturn;
  }

  // A branch diverges where its warps leave it by more than one edge. Counted on SASS branches, as
  // ptxas makes guards of many PTX branches; without SASS, on those of the PTX.
  void divergence() {
    if (!mapped()) {
      totals_[metric::kDivergentBranches] = double(p_.divergent_branches);
      finish(metric::kDivergentBranches, Tier::kPredicted);
      counts_.unavailable[metric::kBranches] = "needs the module's machine code (a cubin)";
      return;
    }
    const SassGraph& g = map_.graph;
    for (int i = 0; i < int(g.code.size()); ++i) {
      const int b = g.block_of[i];
      if (flow_.blocks[b].warps <= 0) continue;
      const double parted = other_masks(i, &InstructionProfile::slow_path);
      if (parted > 0) add(metric::kDivergentBranches, line_owner(i, b), parted);
    }
    for (int b = 0; b < int(g.blocks.size()); ++b) {
      const SassBlock& block = g.blocks[b];
      const SassKind kind = g.code[block.last - 1].kind;
      if (!leads_elsewhere(kind)) continue;
      add(metric::kBranches, line_owner(block.last - 1, b), flow_.blocks[b].warps);
      if (kind != SassKind::kBranch && kind != SassKind::kBranchIndirect) continue;
      double out = 0;
      for (int e : block.out) out += flow_.edges[e].warps;
      const double parted = out - flow_.blocks[b].warps;
      if (parted > 0.5) add(metric::kDivergentBranches, line_owner(block.last - 1, b), parted);
    }
    round(metric::kDivergentBranches);
    finish(metric::kDivergentBranches, Tier::kPredicted);
    round(metric::kBranches);
    finish(metric::kBranches, Tier::kPredicted);
  }

  // Execution's order alone told how often these loops turn.
  void withdraw_all() {
    const std::string reason =
        "how often this loop turns hangs on when other warps write what it "
        "reads, or on the clock, which is timing (" +
        student_place(p_.waits.front()) + ")";
    for (const auto& [name, count] : counts_.values) counts_.unavailable[name] = reason;
    counts_.values.clear();
    tiers_.clear();
  }

  // Who returned from a recursive function apart accesses memory apart; a few more instructions
  // come of it, but many more requests.
  void withdraw_groups() {
    for (auto value = counts_.values.begin(); value != counts_.values.end();) {
      const std::string& name = value->first;
      if (name == metric::kWarpInstructions || name == metric::kThreadInstructions ||
          name == metric::kBarriers) {
        ++value;
        continue;
      }
      counts_.unavailable[name] = "where lanes meet that part in a recursive function is not known";
      tiers_.erase(name);
      value = counts_.values.erase(value);
    }
  }

  // What execution saw is in the SASS under lines that are not its own: no count of it is known.
  void withdraw_lost() {
    const std::pair<OpClass, std::vector<const char*>> counts[] = {
        {OpClass::kGlobalLoad,
         {metric::kGlobalLoadRequests, metric::kGlobalLoadSectors, metric::kL2ToL1Bytes,
          metric::kGlobalBankConflicts}},
        {OpClass::kGlobalStore,
         {metric::kGlobalStoreRequests, metric::kGlobalStoreSectors, metric::kL1ToL2Bytes,
          metric::kGlobalBankConflicts}},
        {OpClass::kSharedLoad,
         {metric::kSharedRequests, metric::kSharedWavefronts, metric::kSharedWavefrontsIdeal}},
        {OpClass::kSharedStore,
         {metric::kSharedRequests, metric::kSharedWavefronts, metric::kSharedWavefrontsIdeal}},
        {OpClass::kAsyncCopy,
         {metric::kGlobalLoadRequests, metric::kGlobalLoadSectors, metric::kL2ToL1Bytes,
          metric::kSharedRequests, metric::kSharedWavefronts, metric::kSharedWavefrontsIdeal}}};
    for (const auto& [kind, metrics] : counts) {
      if (!lost_accesses(map_, p_, kind)) continue;
      for (const char* name : metrics) {
        counts_.values.erase(name);
        tiers_.erase(name);
        counts_.unavailable[name] = "the SASS line table does not tell which accesses are executed";
      }
    }
  }

  // A loop of ptxas's own loads and swaps in every turn; its lanes leave it one by one.
  void withdraw_loops() {
    const std::string reason = loop_of_ptxas(map_, flow_, p_);
    if (reason.empty()) return;
    for (const char* metric :
         {metric::kGlobalLoadRequests, metric::kGlobalLoadSectors, metric::kL2ToL1Bytes,
          metric::kL1ToL2Bytes, metric::kSharedRequests, metric::kSharedWavefronts,
          metric::kSharedWavefrontsIdeal, metric::kDivergentBranches, metric::kAtomicRequests}) {
      counts_.values.erase(metric);
      tiers_.erase(metric);
      counts_.unavailable[metric] = reason;
    }
  }

  void collect_lines() {
    for (const auto& [place, values] : by_line_) {
      if (place.second <= 0) continue;
      LineCounts line;
      const bool named = place.first >= 0 && place.first < int(p_.files.size());
      line.file = named ? p_.files[size_t(place.first)] : "";
      line.line = place.second;
      for (const auto& [metric, value] : values) {
        const auto tier = tiers_.find(metric);
        if (tier == tiers_.end()) continue;
        line.counts[metric] = Count{std::floor(value + 0.5), tier->second};
      }
      if (!line.counts.empty()) counts_.lines.push_back(std::move(line));
    }
  }

  void not_offered() {
    counts_.unavailable[metric::kDramBytes] = "needs a GPU";
    counts_.unavailable[metric::kActiveWarpsPercent] = "needs a GPU";
    counts_.unavailable[metric::kSmActivePercent] = "needs a GPU";
    counts_.unavailable[metric::kTimeUs] = "needs a GPU";
  }

  const KernelProfile& p_;
  const DeviceProfile& device_;
  PredictOptions options_;
  SassMap map_;
  SassFlow flow_;
  std::optional<SassGuards> guards_;
  std::string why_;
  std::vector<int> kept_;
  Counts counts_;
  std::map<std::string, double> totals_;
  std::map<std::string, Tier> tiers_;
  std::map<Place, std::map<std::string, double>> by_line_;
};

}  // namespace

Counts predict_counts(const KernelProfile& profile, const Cubin* cubin, const DeviceProfile& device,
                      const PredictOptions& options) {
  return Predictor(profile, cubin, device, options).run();
}

}  // namespace lockstep::emulator
