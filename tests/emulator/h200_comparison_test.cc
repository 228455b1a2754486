// SPDX-License-Identifier: Apache-2.0
// Holds what docs/counting.md promises: the emulator's counts against an H200's, launch by launch,
// in the table that tools/compare-h200 prints.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

using Row = std::map<std::string, std::string>;  // by column

// What depends on timing: the card's counts of these differ from run to run, or hang on which warp
// came first.
const std::map<std::string, std::string> kTiming = {
    {"h_atomic_cas", "swaps in a loop until nobody was first"},
    {"h_shared_float_atomic", "floats added to shared memory: a loop of compare and swap"},
    {"shared_atomics", "the same, of floats and of 64 bits"},
    {"union_find_cas", "swaps in a loop until nobody was first"},
    {"hash_probe", "the place in the table goes to who comes first"},
    {"bfs_levels", "who comes first at a node appends it"},
    {"recursion", "lanes meet at barriers that an inner call takes away"},
    {"quick_sort_recursive", "the same"},
    {"grid_paths", "the same"},
    {"tree_recurse", "the same"},
    {"weighted_bins_fa", "floats added to shared memory"},
    {"atomic_mix", "swaps of 64 bits in shared memory"},
    {"float_bins_fa", "floats added to shared memory"},
    {"cic_deposit_fa", "the same"},
    {"atom_bits", "swaps in a loop until nobody was first"},
    {"hash_count", "the place in the table goes to who comes first"},
    {"hash_cas_fa", "the same"},
    {"simpson_rec", "branches of a recursion are moved by the code that the profiler puts in"},
    {"simpson_recursive", "the same"},
    {"adaptiveSimpson", "the same"},
    {"queens_recursive", "the same"},
    {"atomic_zoo_shared", "swaps in a loop until nobody was first"},
    {"bloom_sketch", "the same"},
    {"last_block_sum", "which block is the last"},
};
// Those that are wrong, or not counted.
const std::map<std::string, std::string> kWrong = {
    {"atom_add64", "the order in which lanes swap"},
    {"utf8_scan", "where lanes meet is moved by the code that the profiler puts in"},
};
// Those of which instructions are almost the card's.
const std::map<std::string, std::string> kAlmost = {
    {"quick_rec_local", "lanes meet at barriers that an inner call takes away"},
    {"expr_recursive", "the same"},
    {"ttt_minimax", "the same"},
    {"shape_virtual", "the same, in calls through a table"},
    {"collatz_nested", "the same"},
};
// Metrics of some launches.
const std::map<std::string, std::map<std::string, std::string>> kParts = {
    {"shared_wavefronts",
     {{"merge128_one_hole", "a hole in a merged load, marked predicted"},
      {"atom_double", "ATOMS.CAST.SPIN"},
      {"bfs_pull", "where lanes meet is moved by the profiler's code"}}},
    {"branches",
     {{"hull_monotone", "where lanes meet is moved by the profiler's code"},
      {"bloom_murmur", "the same"},
      {"bfs_pull", "the same"}}},
    {"global_store_sectors",
     {{"f_compact", "places by an atomic's order"},
      {"close_pairs_fa", "the same"},
      {"append_hits_fa", "the same"}}},
};

constexpr const char* kExact[] = {
    "warp_instructions",     "thread_instructions",  "branches",
    "divergent_branches",    "global_load_requests", "global_load_sectors",
    "global_store_requests", "global_store_sectors", "shared_wavefronts",
    "local_sectors",
};

bool is_excepted(const std::string& kernel, const std::string& metric) {
  if (kTiming.contains(kernel) || kWrong.contains(kernel) || kAlmost.contains(kernel)) return true;
  const auto part = kParts.find(metric);
  return part != kParts.end() && part->second.contains(kernel);
}

// A row a line, tab-separated, below a heading and above an empty line or the end.
std::vector<Row> table_of(std::istream& lines) {
  std::vector<Row> out;
  std::vector<std::string> heading;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    std::vector<std::string> row;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find('\t', begin), line.size());
      row.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (heading.empty()) {
      heading = row;
      continue;
    }
    EXPECT_EQ(row.size(), heading.size()) << line;
    for (size_t i = 0; i < std::min(row.size(), heading.size()); ++i)
      (i == 0 ? out.emplace_back() : out.back())[heading[i]] = row[i];
  }
  return out;
}
std::vector<Row> table(const std::string& path) {
  std::ifstream lines(path);
  return table_of(lines);
}
// What the emulator counts of the launches in a folder of tests/data.
std::vector<Row> counted(const std::string& name) {
  const std::string out = testing::TempDir() + "lockstep-" + name + std::to_string(getpid());
  std::filesystem::create_directories(out);
  const std::string command = "tools/measure-launches emulator tests/data/" + name +
                              "/launches.tsv build/modules/tests/data/" + name + " " + out;
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::vector<Row> rows = table(out + "/counters.tsv");
  std::filesystem::remove_all(out);
  return rows;
}
// One run of the tool.
const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    FILE* pipe = popen("tools/compare-h200 --threads 1 2>&1", "r");
    std::string text;
    std::vector<char> part(1 << 16);
    for (size_t n = 0; pipe && (n = fread(part.data(), 1, part.size(), pipe)) > 0;)
      text.append(part.data(), n);
    EXPECT_EQ(pipe ? pclose(pipe) : -1, 0);
    std::istringstream lines(text);
    return table_of(lines);
  }();
  return all;
}
bool is_equal(const std::string& cell) { return cell == "-" || cell.ends_with('='); }
// "CARD:OURS(...)"; 0 where they are equal or the card's is missing.
double error_of(const std::string& cell) {
  const size_t at = cell.find(':');
  if (is_equal(cell) || at == std::string::npos) return 0;
  const double card = std::atof(cell.c_str()), ours = std::atof(cell.c_str() + at + 1);
  return card == 0 ? 1 : std::abs(ours - card) / card;
}

class H200 : public testing::Test {
 protected:
  void SetUp() override {
    if (file_bytes("tools/compare-h200").empty()) GTEST_SKIP() << "no tools/compare-h200";
    for (const char* module :
         {"h200/kernels",         "h200_more/held",           "h200_fresh/fresh",
          "h200_unseen/unseen",   "h200_exam/exam",           "h200_clean/clean",
          "h200_afresh/dawn",     "h200_afresh/dusk",         "h200_third/noon",
          "h200_third/tide",      "h200_fourth/frost",        "h200_fourth/ember",
          "h200_fifth/gale",      "h200_sixth/squall",        "h200_sixth/swell",
          "h200_seventh/drizzle", "h200_seventh/hail",        "h200_parting/parting",
          "h200_recursion/calls", "h200_recursion/recursions"})
      LOCKSTEP_NEEDS_MODULE(module);
  }
};

void expect_counts_of_the_card() {
  std::map<std::string, int> known;
  int other_code = 0;
  for (const Row& row : rows()) {
    other_code += row.at("warp_instructions") == "-";
    for (const char* metric : kExact) {
      const std::string& cell = row.at(metric);
      known[metric] += cell != "-";
      if (!is_excepted(row.at("kernel"), metric)) {
        EXPECT_TRUE(is_equal(cell))
            << row.at("set") << " " << row.at("kernel") << " " << row.at("grid") << " "
            << row.at("block") << " " << row.at("n") << ": " << metric << " " << cell;
      }
    }
  }
  for (const Row& row : rows())
    if (kAlmost.contains(row.at("kernel")))
      for (const char* metric : {"warp_instructions", "thread_instructions"})
        EXPECT_LE(error_of(row.at(metric)), 0.002) << row.at("kernel") << " " << row.at(metric);
  EXPECT_EQ(rows().size(), 2127u);
  EXPECT_LE(other_code, 40);
  for (const char* metric : kExact) EXPECT_GT(known[metric], 100) << metric;
}

void expect_exceptions_measured() {
  std::set<std::string> kernels;
  for (const Row& row : rows()) kernels.insert(row.at("kernel"));
  for (const auto* list : {&kTiming, &kWrong, &kAlmost})
    for (const auto& [kernel, why] : *list) EXPECT_TRUE(kernels.contains(kernel)) << kernel;
  for (const auto& [metric, list] : kParts)
    for (const auto& [kernel, why] : list) EXPECT_TRUE(kernels.contains(kernel)) << kernel;
}

// Where the lanes of a warp part and meet.
TEST_F(H200, PartedLanesAreCountedAsOnTheCard) {
  const std::vector<Row> card = table("tests/data/h200_parting/counters.tsv"),
                         ours = counted("h200_parting");
  ASSERT_EQ(card.size(), 1166u);
  ASSERT_EQ(ours.size(), card.size());
  for (size_t i = 0; i < card.size(); ++i)
    for (const auto& [column, value] : card[i])
      EXPECT_EQ(ours[i].at(column), value)
          << card[i].at("kernel") << " " << card[i].at("arg") << ": " << column;
}

// Where they meet that have called themselves.
TEST_F(H200, RecursionsAreCountedAlmostAsOnTheCard) {
  const std::vector<Row> card = table("tests/data/h200_recursion/counters.tsv"),
                         ours = counted("h200_recursion");
  ASSERT_EQ(card.size(), 184u);
  ASSERT_EQ(ours.size(), card.size());
  int equal = 0;
  for (size_t i = 0; i < card.size(); ++i)
    for (const char* metric : {"warp_instructions", "thread_instructions"}) {
      const double a = std::atof(card[i].at(metric).c_str()),
                   b = std::atof(ours[i].at(metric).c_str());
      equal += a == b;
      EXPECT_NEAR(b / a, 1, 0.005)
          << card[i].at("kernel") << " " << card[i].at("arg") << ": " << metric;
    }
  EXPECT_GE(equal, 165);
}

// Those that differ add floats atomically, or place by an atomic's order.
void expect_outputs_of_the_card() {
  const std::map<std::string, int> most = {
      {"h200", 2}, {"fit", 2}, {"held", 2}, {"squall", 2}, {"swell", 1}};
  std::map<std::string, int> different;
  int equal = 0;
  for (const Row& row : rows()) {
    different[row.at("set")] += row.at("output") == "differs";
    equal += row.at("output") == "=";
  }
  for (const auto& [set, count] : different)
    EXPECT_LE(count, most.contains(set) ? most.at(set) : 0) << set;
  EXPECT_GE(equal, 2080);
}

// A model: off in some launches.
void expect_close_traffic() {
  const auto within = [](const std::string& set, const char* metric, double most) {
    std::vector<double> errors;
    for (const Row& row : rows())
      if (row.at("set") == set) errors.push_back(error_of(row.at(metric)));
    ASSERT_FALSE(errors.empty());
    std::sort(errors.begin(), errors.end());
    EXPECT_LE(errors[errors.size() / 2], 0.01) << set << " " << metric;
    EXPECT_LE(errors.back(), most) << set << " " << metric;
  };
  within("h200", "l2_to_l1_bytes", 0.2);
  within("h200", "l1_to_l2_bytes", 0.2);
  // An atomic's result comes from L2 once a lane of its address; words of local memory that were
  // written in part, too.
  for (const Row& row : rows())
    for (const char* kernel :
         {"atomics_tickets", "atomic_sums_fa", "reduce_last_block", "local_mode"})
      if (row.at("kernel") == kernel) {
        EXPECT_TRUE(is_equal(row.at("l2_to_l1_bytes"))) << kernel << row.at("l2_to_l1_bytes");
      }
}

// One test, so that all launches are executed once.
TEST_F(H200, LaunchesAreAsOnTheCard) {
  expect_counts_of_the_card();
  expect_exceptions_measured();
  expect_outputs_of_the_card();
  expect_close_traffic();
}

}  // namespace
}  // namespace lockstep::emulator
