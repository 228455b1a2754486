// SPDX-License-Identifier: Apache-2.0
// The documents against the program: every metric, field and status is described.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "common/backend/fault_words.h"
#include "common/backend/module_files.h"
#include "common/harness/columns.h"
#include "common/harness/metrics.h"
#include "common/harness/record.h"
#include "tests/homeworks.h"

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

// The metrics of a homework's columns, as its program tells.
std::vector<std::string> columns_of(const std::string& homework) {
  std::vector<std::string> metrics;
  FILE* pipe = popen((homework + "/" + homework + " --columns").c_str(), "r");
  char line[256];
  while (pipe != nullptr && fgets(line, sizeof line, pipe) != nullptr)
    metrics.push_back(std::string(line, strcspn(line, "\n")));
  if (pipe != nullptr) pclose(pipe);
  return metrics;
}

TEST(Documents, StudentGuideExplainsEveryColumnOfEveryHomework) {
  const std::string page = read_file("docs/student-guide.md");
  for (const std::string& homework : homeworks()) {
    const std::vector<std::string> metrics = columns_of(homework);
    EXPECT_FALSE(metrics.empty()) << homework << ": run make first";
    for (const std::string& metric : metrics) {
      const Column column = column_of(metric);
      const std::string group = column.group.empty() ? "" : column.group + " ";
      EXPECT_NE(page.find("| `" + column.heading + "` | " + group + "| "), std::string::npos)
          << homework << ": '" << column.heading << "' below '" << column.group << "'";
    }
  }
}

TEST(Documents, StudentGuideExplainsEveryKindOfFault) {
  const std::string page = read_file("docs/student-guide.md");
  const std::vector<std::string> kinds = fault_kinds();
  EXPECT_GT(kinds.size(), 10u);
  for (const std::string& kind : kinds) {
    const bool in_row = page.find("| `" + kind + "` | ") != std::string::npos;
    const bool shares_row = page.find("`, `" + kind + "` | ") != std::string::npos;
    EXPECT_TRUE(in_row || shares_row || page.find("| `" + kind + "`, ") != std::string::npos)
        << kind;
  }
}

}  // namespace
}  // namespace lockstep
