// SPDX-License-Identifier: Apache-2.0
// Headings and widths. See columns.h. docs/metrics.md tells a reader more of what they mean.
#include "common/harness/columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "common/harness/metrics.h"

namespace lockstep {
namespace {

const std::vector<Column>& declared() {
  using C = Column;
  using D = Digits;
  static const std::vector<Column> columns = {
      {metric::kWarpsPerBlock, "wp", "", 2, D::kWhole},
      {metric::kThreadsPerBlock, "thr", "", 4, D::kWhole},
      {metric::kBlocks, "blocks", "", 6, D::kWhole},
      {metric::kResidentWarps, "ac", "", 2, D::kWhole, C::kResident},
      {metric::kTheoreticalOccupancy, "occ", "Occup. %", 4, D::kWhole},
      {metric::kActiveWarpsPercent, "ach", "Occup. %", 4, D::kTenths, C::kCounter},
      {metric::kSmActivePercent, "SM%", "", 4, D::kTenths, C::kCounter},
      {metric::kWaves, "waves", "", 5, D::kHundredths},
      {metric::kTailPercent, "tail", "", 4, D::kWhole},
      {metric::kUtilization, "Utl", "", 4, D::kHundredths},
      {metric::kTimeUs, "t/\xC2\xB5s", "", 4, D::kTime, C::kTime},
      {metric::kInstPerElement, "I/el", "", 5, D::kTenths, C::kCounter, true},
      {metric::kWarpEfficiency, "eff%", "", 4, D::kWhole, C::kCounter, true},
      {metric::kBranchUniformity, "uni%", "", 4, D::kWhole, C::kCounter, true},
      {metric::kDivergentBranches, "parted", "", 6, D::kWhole, C::kCounter, true},
      {metric::kConflictsPerGlobalRequest, "BXW", "", 4, D::kTenths, C::kCounter, true},
      {metric::kLoadSectorsPerRequest, "ld", "Sect/req", 4, D::kTenths, C::kCounter},
      {metric::kStoreSectorsPerRequest, "st", "Sect/req", 4, D::kTenths, C::kCounter},
      {metric::kSharedConflictsPerRequest, "SBX", "", 4, D::kTenths, C::kCounter},
      {metric::kSharedRequests, "shared", "Requests", 8, D::kWhole, C::kCounter},
      {metric::kGlobalLoadRequests, "loads", "Requests", 7, D::kWhole, C::kCounter},
      {metric::kAtomicRequests, "atomic", "Requests", 7, D::kWhole, C::kCounter, true},
      {metric::kLocalSectors, "local", "", 6, D::kWhole, C::kCounter, true},
      {metric::kRegisters, "regs", "", 4, D::kWhole},
      {metric::kSpillBytes, "spill", "", 5, D::kWhole},
      {metric::kBarriers, "barriers", "", 8, D::kWhole, C::kCounter},
      {metric::kL2ReadRatio, "N*R", "L2-Cache", 4, D::kTenths, C::kCounter, true},
      {metric::kL2WriteRatio, "N*W", "L2-Cache", 4, D::kTenths, C::kCounter, true},
      {metric::kL2PeakPercent, "%pk", "L2-Cache", 3, D::kWhole, C::kTimedCounter},
      {metric::kL2Gbps, "GB/s", "L2-Cache", 4, D::kWhole, C::kTimedCounter},
      {metric::kDramGbps, "GB/s", "DRAM", 4, D::kWhole, C::kTimedCounter},
      {metric::kUsefulGbps, "GB/s", "Useful", 6, D::kWhole, C::kTime},
      {metric::kFpGflops, "FP \xCE\xB8", "", 4, D::kWhole, C::kTime},
  };
  return columns;
}

}  // namespace

Column column_of(const std::string& metric) {
  for (const Column& column : declared())
    if (column.metric == metric) return column;
  Column column;
  column.metric = column.heading = metric;
  column.width = std::max<int>(6, static_cast<int>(metric.size()));
  column.digits = Digits::kTenths;
  column.needs = Column::kCounter;
  column.predicted = true;
  return column;
}

std::string shown_figure(Digits digits, double value) {
  const bool tenths = digits == Digits::kTenths || (digits == Digits::kTime && value < 99.95);
  const int places = digits == Digits::kHundredths ? 2 : tenths ? 1 : 0;
  return fmt::format("{:.{}f}", value, places);
}

std::vector<std::string> standard_columns() {
  return {metric::kWarpsPerBlock, metric::kResidentWarps,  metric::kUtilization,
          metric::kTimeUs,        metric::kInstPerElement, metric::kConflictsPerGlobalRequest,
          metric::kL2ReadRatio,   metric::kL2WriteRatio,   metric::kL2PeakPercent,
          metric::kL2Gbps,        metric::kDramGbps,       metric::kFpGflops};
}

std::string explain_columns(const std::vector<std::string>& metrics) {
  std::string text;
  for (const std::string& name : metrics) {
    const Column column = column_of(name);
    std::string meaning = name;
    for (const MetricInfo& info : all_metrics())
      if (info.name == name) meaning = info.meaning;
    const std::string own = column.heading + ": ";  // some begin with it
    if (meaning.starts_with(own)) meaning = meaning.substr(own.size());
    const std::string heading =
        column.group.empty() ? column.heading : column.group + " " + column.heading;
    const int room = std::max(1, 16 - display_width(heading));
    text += "  " + heading + std::string(room, ' ') + meaning + "\n";
  }
  return text;
}

}  // namespace lockstep
