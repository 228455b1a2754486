// SPDX-License-Identifier: Apache-2.0
// Tables fit the terminal, whatever columns a homework has.
#include "common/harness/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "common/base/text.h"

namespace lockstep {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TableStyle wide(int width) {
  TableStyle style;
  style.columns = {metric::kThreadsPerBlock,      metric::kBlocks,
                   metric::kTheoreticalOccupancy, metric::kActiveWarpsPercent,
                   metric::kAtomicRequests,       metric::kSharedRequests,
                   metric::kGlobalLoadRequests,   metric::kLoadSectorsPerRequest};
  style.width = width;
  style.label_width = 10;
  return style;
}

const std::map<std::string, Count> kFigures = {
    {metric::kThreadsPerBlock, {256, Tier::kExact}},
    {metric::kGlobalLoadRequests, {12345, Tier::kExact}},
    {metric::kLoadSectorsPerRequest, {4.5, Tier::kExact}}};

TEST(Table, HasAllColumnsSideBySideWhereThereIsRoom) {
  const Table table(wide(100));
  EXPECT_EQ(lines_of(table.heading()).size(), 2u) << "groups, columns";
  const std::vector<std::string> row = lines_of(table.row(kFigures, {}, "first"));
  ASSERT_EQ(row.size(), 1u);
  EXPECT_EQ(row[0].substr(0, 15), "first       256");
  EXPECT_NE(row[0].find("12345  4.5"), std::string::npos) << row[0];
}

TEST(Table, BreaksItsRowsBetweenGroupsWhereThereIsNot) {
  for (int width = 46; width < 57; width++) {
    const Table table(wide(width));
    const std::vector<std::string> heading = lines_of(table.heading());
    const std::vector<std::string> row = lines_of(table.row(kFigures, {}, "first"));
    ASSERT_EQ(row.size(), 2u) << width;
    ASSERT_EQ(heading.size(), 4u) << table.heading();
    for (const auto& part : {heading, row})
      for (const std::string& line : part) EXPECT_LE(display_width(line), width) << line;
    EXPECT_EQ(row[1].substr(0, 11), std::string(11, ' ')) << "the label stands once";
    EXPECT_NE(heading[3].find("atomic   shared   loads"), std::string::npos) << heading[3];
    // A figure stands below its heading.
    const size_t end = heading[3].find("loads") + 5;
    EXPECT_EQ(row[1].substr(end - 5, 5), "12345") << table.heading() << row[1];
  }
}

}  // namespace
}  // namespace lockstep
