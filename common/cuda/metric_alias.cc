// SPDX-License-Identifier: Apache-2.0
// The table of metrics and counters: see metric_alias.h. Counters of the kind smsp__sass_* come
// from patched code: integers that repeat, all of them in one pass, and their requests leave out
// instructions that no lane executes. Hardware counters cost a pass each few.
#include "common/cuda/metric_alias.h"

#include <algorithm>
#include <cmath>

#include "common/backend/metric_names.h"

namespace lockstep::cuda {
namespace {

CounterRecipe sum(std::vector<CounterTerm> terms, std::vector<std::vector<CounterTerm>> zero = {}) {
  return {std::move(terms), std::move(zero)};
}

CounterTerm one(const char* counter) { return {counter, 1}; }

// The hardware's counts, which ncu prints too: they repeat as exactly as those of patched code,
// and those are up to some percent lower where a warp's lanes part (seen on an H200).
std::vector<MetricAlias> instruction_aliases() {
  return {
      {metric::kWarpInstructions,
       {sum({one("smsp__inst_executed.sum")}), sum({one("smsp__sass_inst_executed.sum")})},
       ""},
      {metric::kThreadInstructions,
       {sum({one("smsp__thread_inst_executed_pred_on.sum")}),
        sum({one("smsp__sass_thread_inst_executed_pred_on.sum")})},
       ""},
      {metric::kBranches, {sum({one("smsp__sass_branch_targets.sum")})}, ""},
      {metric::kDivergentBranches,
       {sum({one("smsp__sass_branch_targets_threads_divergent.sum")})},
       ""},
      {metric::kBarriers, {}, "a GPU has no counter of barriers; the emulator counts them"},
      {metric::kDoubleInstructions, {}, "a GPU counts no conversions; the emulator counts them"},
  };
}

// The ideal is a counter of the SASS Metrics API alone (sass_counter.h). It can be inferred where
// nothing went to shared memory, and where all that did were plain loads and stores of at most
// 32 bits: then each request has an ideal of one wavefront.
MetricAlias ideal_alias() {
  constexpr char kWavefronts[] = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
  constexpr char kLoads[] = "smsp__sass_inst_executed_op_shared_ld.sum";
  constexpr char kStores[] = "smsp__sass_inst_executed_op_shared_st.sum";
  return {metric::kSharedWavefrontsIdeal,
          {sum({}, {{one(kWavefronts)}}),
           sum({one(kLoads), one(kStores)},
               {{one("smsp__sass_inst_executed_op_memory_64b.sum")},
                {one("smsp__sass_inst_executed_op_memory_128b.sum")},
                {one("smsp__sass_inst_executed_op_ldgsts.sum")},
                {one("smsp__sass_inst_executed_op_shared.sum"), {kLoads, -1}, {kStores, -1}}})},
          "for a kernel with 64- or 128-bit accesses or shared atomics it is counted for the first "
          "launch of a process only; use run-kernel, or one process a launch"};
}

// An asynchronous copy (LDGSTS) is a load of global memory and a store to shared memory; the
// wavefronts of shared memory hold its own already.
std::vector<MetricAlias> memory_aliases() {
  constexpr char kCopies[] = "smsp__sass_inst_executed_op_ldgsts.sum";
  const std::vector<std::vector<CounterTerm>> no_copies = {
      {one("smsp__inst_executed_op_ldgsts.sum")}};
  return {
      {metric::kSharedRequests,
       {sum({one("smsp__sass_inst_executed_op_shared_ld.sum"),
             one("smsp__sass_inst_executed_op_shared_st.sum"), one(kCopies)})},
       ""},
      {metric::kSharedWavefronts,
       {sum({one("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum")})},
       ""},
      ideal_alias(),
      {metric::kGlobalLoadRequests,
       {sum({one("smsp__sass_inst_executed_op_global_ld.sum"), one(kCopies)}),
        sum({one("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")}, no_copies)},
       ""},
      {metric::kGlobalLoadSectors,
       {sum({one("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"),
             one("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum")}),
        sum({one("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")}, no_copies)},
       ""},
      {metric::kGlobalStoreRequests,
       {sum({one("smsp__sass_inst_executed_op_global_st.sum")}),
        sum({one("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum")})},
       ""},
      {metric::kGlobalStoreSectors,
       {sum({one("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum")}),
        sum({one("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")})},
       ""},
      {metric::kLocalSectors,
       {sum({one("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum"),
             one("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum")}),
        sum({one("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"),
             one("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum")})},
       ""},
      {metric::kAtomicRequests,
       {sum({one("smsp__sass_inst_executed_op_global_atom.sum"),
             one("smsp__sass_inst_executed_op_global_red.sum")})},
       ""},
      {metric::kAtomicTurns, {}, "a GPU has no counter of them; the emulator counts them"},
      {metric::kFences, {}, "a GPU has no counter of fences; the emulator counts them"},
      {metric::kPrefetchSectors, {}, "a GPU has no counter of them; the emulator counts them"},
      {metric::kCriticalPath, {}, "a GPU counts sums over warps; the emulator counts each"},
      {metric::kConstantWavefronts, {}, "a GPU has no counter of them; the emulator counts them"},
  };
}

// Hardware counters: on every chip two passes together. Global accesses share the data stage with
// shared ones from 9.0 on ("gds"). dram__bytes_read is missing on GB202, fbpa__ is portable.
std::vector<MetricAlias> hardware_aliases() {
  return {
      {metric::kGlobalBankConflicts,
       {sum({one("l1tex__data_bank_conflicts_pipe_lsu_mem_global_op_ld.sum"),
             one("l1tex__data_bank_conflicts_pipe_lsu_mem_global_op_st.sum")}),
        sum({one("l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_ld.sum"),
             one("l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_st.sum")})},
       ""},
      {metric::kL2ToL1Bytes, {sum({one("l1tex__m_xbar2l1tex_read_bytes.sum")})}, ""},
      {metric::kL1ToL2Bytes, {sum({{"lts__t_sectors_srcunit_tex_op_write.sum", 32}})}, ""},
      {metric::kDramBytes,
       {sum({one("dram__bytes.sum")}),
        sum({one("fbpa__dram_read_bytes.sum"), one("fbpa__dram_write_bytes.sum")})},
       ""},
      {metric::kActiveWarpsPercent,
       {sum({one("sm__warps_active.avg.pct_of_peak_sustained_active")})},
       ""},
      {metric::kSmActivePercent,
       {sum({one("sm__cycles_active.avg.pct_of_peak_sustained_elapsed")})},
       ""},
  };
}

// Terms with a value each; false where one has none.
bool add_up(const std::vector<CounterTerm>& terms, const CounterValues& values, double* total) {
  *total = 0;
  for (const CounterTerm& term : terms) {
    auto found = values.find(term.counter);
    if (found == values.end() || !std::isfinite(found->second)) return false;
    *total += term.factor * found->second;
  }
  return true;
}

bool holds(const CounterRecipe& recipe, const CounterValues& values) {
  return std::all_of(recipe.zero.begin(), recipe.zero.end(), [&](const auto& terms) {
    double total = 0;
    return add_up(terms, values, &total) && total == 0;
  });
}

}  // namespace

std::vector<std::string> CounterRecipe::counters() const {
  std::vector<std::string> all;
  auto add = [&](const std::vector<CounterTerm>& some) {
    for (const CounterTerm& term : some) {
      if (std::find(all.begin(), all.end(), term.counter) == all.end()) all.push_back(term.counter);
    }
  };
  add(terms);
  for (const auto& condition : zero) add(condition);
  return all;
}

const std::vector<MetricAlias>& metric_aliases() {
  static const std::vector<MetricAlias> table = [] {
    std::vector<MetricAlias> all;
    for (const auto& part : {instruction_aliases(), memory_aliases(), hardware_aliases()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return table;
}

const MetricAlias* find_alias(const std::string& metric) {
  for (const MetricAlias& alias : metric_aliases()) {
    if (alias.metric == metric) return &alias;
  }
  return nullptr;
}

RecipeResult evaluate(const std::vector<CounterRecipe>& recipes, const CounterValues& values,
                      const std::string& otherwise) {
  bool blank = false;  // a recipe whose counters gave no number
  for (const CounterRecipe& recipe : recipes) {
    RecipeResult result;
    if (!add_up(recipe.terms, values, &result.value)) {
      blank = true;
      continue;
    }
    if (!holds(recipe, values)) continue;
    result.ok = true;
    return result;
  }
  if (blank || otherwise.empty()) return {false, 0, "its counter gave no number"};
  return {false, 0, otherwise};
}

}  // namespace lockstep::cuda
