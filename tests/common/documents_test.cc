// SPDX-License-Identifier: Apache-2.0
// The documents against the program: every metric, field and status is described.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/backend/module_files.h"
#include "common/harness/metrics.h"
#include "common/harness/record.h"

namespace lockstep {
namespace {

TEST(Documents, MetricsPageNamesEveryMetric) {
  const std::string page = read_file("docs/metrics.md");
  for (const MetricInfo& metric : all_metrics())
    EXPECT_NE(page.find("| `" + metric.name + "` |"), std::string::npos) << metric.name;
}

TEST(Documents, MetricsPageHasTheTierOfEveryCount) {
  const std::string page = read_file("docs/metrics.md");
  for (const std::string& name : standard_metrics())
    for (const MetricInfo& metric : all_metrics()) {
      if (metric.name != name) continue;
      const size_t start = page.find("| `" + name + "` |");
      ASSERT_NE(start, std::string::npos) << name;
      const std::string row = page.substr(start, page.find('\n', start) - start);
      EXPECT_NE(row.find("| " + metric.emulator + " |"), std::string::npos) << row;
    }
}

TEST(Documents, RecordsPageNamesEveryField) {
  const std::string page = read_file("docs/records.md");
  const auto record = nlohmann::json::parse(to_json_line(Record()));
  for (const auto& [field, value] : record.items())
    EXPECT_NE(page.find("`" + field + "`"), std::string::npos) << field;
  for (const auto& [field, value] : record["check"].items())
    EXPECT_NE(page.find("`" + field + "`"), std::string::npos) << field;
}

}  // namespace
}  // namespace lockstep
