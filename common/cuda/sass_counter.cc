// SPDX-License-Identifier: Apache-2.0
// Collecting counts an instruction at a time: see sass_counter.h.
#include "common/cuda/sass_counter.h"

#if LOCKSTEP_HAS_CUDA

#include <atomic>
#include <map>

namespace lockstep::cuda {
namespace {

// On every chip from 8.0 on. With smsp__sass_branch_targets besides, a kernel with shared memory
// stores nothing on an H200 (CUPTI 13.0). Names without a rollup, unlike the Range Profiler's.
constexpr const char* kCounters[] = {
    "smsp__sass_inst_executed",
    "smsp__sass_thread_inst_executed_pred_on",
    "smsp__sass_branch_targets_threads_divergent",
    "smsp__sass_inst_executed_op_shared_ld",
    "smsp__sass_inst_executed_op_shared_st",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
    "smsp__sass_inst_executed_op_global_ld",
    "smsp__sass_inst_executed_op_global_st",
    "smsp__sass_sectors_mem_global",
    "smsp__sass_sectors_mem_local",
};

std::atomic<bool> used{false};

// Takes the collector apart again, in whatever state an error left it.
class Armed {
 public:
  Armed(const Cupti& cupti, CUcontext context, int device_index,
        std::vector<CUpti_SassMetrics_Config>* configs)
      : cupti_(cupti), context_(context), device_index_(device_index) {
    auto config = LOCKSTEP_CUPTI_PARAMS(CUpti_SassMetricsSetConfig);
    config.numOfMetricConfig = configs->size();
    config.pConfigs = configs->data();
    config.deviceIndex = static_cast<uint32_t>(device_index);
    LOCKSTEP_CUPTI(cupti_, cuptiSassMetricsSetConfig, config);
    auto enable = LOCKSTEP_CUPTI_PARAMS(CUpti_SassMetricsEnable);
    enable.ctx = context;
    enable.enableLazyPatching = 1;  // with 0, CUPTI 13.0 collects nothing
    CUptiResult result = cupti_.cuptiSassMetricsEnable(&enable);
    if (result != CUPTI_SUCCESS) {
      unset();
      throw_cupti(cupti_, result, "cuptiSassMetricsEnable");
    }
  }
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;
  ~Armed() {
    auto disable = LOCKSTEP_CUPTI_PARAMS(CUpti_SassMetricsDisable);
    disable.ctx = context_;
    (void)cupti_.cuptiSassMetricsDisable(&disable);
    unset();
  }

 private:
  void unset() {
    auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_SassMetricsUnsetConfig);
    params.deviceIndex = static_cast<uint32_t>(device_index_);
    (void)cupti_.cuptiSassMetricsUnsetConfig(&params);
  }

  const Cupti& cupti_;
  CUcontext context_;
  int device_index_;
};

std::vector<SassCount> flush(const Cupti& cupti, CUcontext context,
                             const std::map<uint64_t, std::string>& names) {
  auto size = LOCKSTEP_CUPTI_PARAMS(CUpti_SassMetricsGetDataProperties);
  size.ctx = context;
  LOCKSTEP_CUPTI(cupti, cuptiSassMetricsGetDataProperties, size);
  const size_t records = size.numOfPatchedInstructionRecords;
  // A record has a value for each metric that its instruction takes part in, at most all.
  const size_t values = size.numOfInstances * names.size();
  std::vector<CUpti_SassMetrics_InstanceValue> instances(records * values);
  std::vector<CUpti_SassMetrics_Data> data(records);
  for (size_t i = 0; i < records; ++i) {
    data[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
    data[i].pInstanceValues = instances.data() + i * values;
  }
  std::vector<SassCount> counts;
  if (records == 0) return counts;
  auto params = LOCKSTEP_CUPTI_PARAMS(CUpti_SassMetricsFlushData);
  params.ctx = context;
  params.numOfPatchedInstructionRecords = records;
  params.numOfInstances = size.numOfInstances;
  params.pMetricsData = data.data();
  LOCKSTEP_CUPTI(cupti, cuptiSassMetricsFlushData, params);
  for (const CUpti_SassMetrics_Data& record : data) {
    for (size_t i = 0; i < values; ++i) {
      auto name = names.find(record.pInstanceValues[i].metricId);
      if (name == names.end()) continue;  // not filled in
      counts.push_back({record.functionName != nullptr ? record.functionName : "", record.pcOffset,
                        name->second, record.pInstanceValues[i].value});
    }
  }
  return counts;
}

}  // namespace

bool sass_counter_unused() { return !used; }

std::vector<SassCount> collect_sass(const Cupti& cupti, CUcontext context, int device_index,
                                    const std::string& chip, const std::function<void()>& launch) {
  used = true;
  std::vector<CUpti_SassMetrics_Config> configs;
  std::map<uint64_t, std::string> names;
  for (const char* counter : kCounters) {
    auto params = cupti_params<CUpti_SassMetrics_GetProperties_Params>(
        CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE);
    params.pChipName = chip.c_str();
    params.pMetricName = counter;
    LOCKSTEP_CUPTI(cupti, cuptiSassMetricsGetProperties, params);
    configs.push_back({params.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    names[params.metric.metricId] = counter;
  }
  Armed armed(cupti, context, device_index, &configs);
  launch();
  return flush(cupti, context, names);
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
