// SPDX-License-Identifier: Apache-2.0
// From counts of instructions to metrics by source line: see sass_counter.h.
#include "common/cuda/sass_counter.h"

#if LOCKSTEP_HAS_CUDA

#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "common/backend/metric_names.h"

namespace lockstep::cuda {
namespace {

using Metrics = std::map<std::string, double>;
using Place = std::pair<std::string, int>;  // file and line; line 0: unknown

// The line of one instruction, from the cubin's line table.
Place place_of(const Cupti& cupti, const std::string& cubin, const std::string& function,
               uint32_t pc) {
  CUpti_GetSassToSourceCorrelationParams params{};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin.data();
  params.functionName = function.c_str();
  params.cubinSize = cubin.size();
  params.pcOffset = pc;
  if (cupti.cuptiGetSassToSourceCorrelation(&params) != CUPTI_SUCCESS) return {};
  Place place;
  if (params.fileName != nullptr && params.lineNumber != 0) {
    std::string file = params.fileName;
    const bool absolute = !file.empty() && file[0] == '/';
    if (!absolute && params.dirName != nullptr && *params.dirName != '\0') {
      file = std::string(params.dirName) + "/" + file;
    }
    place = {file, static_cast<int>(params.lineNumber)};
  }
  std::free(params.fileName);
  std::free(params.dirName);
  return place;
}

// The metrics of one instruction from its counters. An instruction is a load or a store, so its
// sectors belong to the one that it is.
Metrics metrics_of(const std::map<std::string, double>& counters) {
  auto get = [&](const char* name) {
    auto found = counters.find(name);
    return found == counters.end() ? 0.0 : found->second;
  };
  const double loads = get("smsp__sass_inst_executed_op_global_ld");
  const double stores = get("smsp__sass_inst_executed_op_global_st");
  const double sectors = get("smsp__sass_sectors_mem_global");
  return {
      {metric::kWarpInstructions, get("smsp__sass_inst_executed")},
      {metric::kThreadInstructions, get("smsp__sass_thread_inst_executed_pred_on")},
      {metric::kDivergentBranches, get("smsp__sass_branch_targets_threads_divergent")},
      {metric::kSharedRequests,
       get("smsp__sass_inst_executed_op_shared_ld") + get("smsp__sass_inst_executed_op_shared_st")},
      {metric::kSharedWavefronts, get("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared")},
      {metric::kSharedWavefrontsIdeal,
       get("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal")},
      {metric::kGlobalLoadRequests, loads},
      {metric::kGlobalLoadSectors, loads > 0 ? sectors : 0},
      {metric::kGlobalStoreRequests, stores},
      {metric::kGlobalStoreSectors, stores > 0 ? sectors : 0},
      {metric::kLocalSectors, get("smsp__sass_sectors_mem_local")},
  };
}

void add(const Metrics& metrics, bool keep_zeros, std::map<std::string, Count>* to) {
  for (const auto& [name, value] : metrics) {
    if (value != 0 || keep_zeros) (*to)[name].value += value;
  }
}

}  // namespace

SassReport report_sass(const Cupti& cupti, const std::vector<SassCount>& counts,
                       const std::string& cubin) {
  std::map<std::pair<std::string, uint32_t>, std::map<std::string, double>> instructions;
  for (const SassCount& count : counts) {
    instructions[{count.function, count.pc}][count.counter] += static_cast<double>(count.value);
  }
  SassReport report;
  std::map<Place, LineCounts> lines;
  for (const auto& [instruction, counters] : instructions) {
    const Metrics metrics = metrics_of(counters);
    add(metrics, true, &report.totals);
    if (cubin.empty()) continue;
    const Place place = place_of(cupti, cubin, instruction.first, instruction.second);
    if (place.second == 0) continue;
    LineCounts& line = lines[place];
    std::tie(line.file, line.line) = place;
    add(metrics, false, &line.counts);
  }
  for (auto& [place, line] : lines) {
    if (!line.counts.empty()) report.lines.push_back(std::move(line));
  }
  return report;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
