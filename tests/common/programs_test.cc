// SPDX-License-Identifier: Apache-2.0
// The homework programs as built, starters and solutions, on whatever backend is here: every kernel
// is right on sizes that divide by nothing, and the lists of kernels agree.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/module_files.h"
#include "common/harness/record.h"
#include "tests/homeworks.h"

namespace lockstep {
namespace {

struct Output {
  int code = -1;
  std::string text;
};

Output run(const std::string& command) {
  Output output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 65536> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) output.code = WEXITSTATUS(status);
  return output;
}

std::vector<Record> records_of(const std::string& text) {
  std::vector<Record> records;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("{", 0) == 0) records.push_back(record_from_json_line(line));
  return records;
}

// The parameter is a program without its folder's module: "hw02/hw02".
class Programs : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GetParam() + std::string(".ptx")))
      GTEST_SKIP() << "device code cannot be compiled here";
    ASSERT_TRUE(std::filesystem::exists(GetParam())) << "run make first";
  }
  std::string program() const { return std::string("./") + GetParam(); }
  // NBLOCKS and WARPS as given; where they are the homework's or the student's, 0 0.
  std::string shape(const std::string& wanted) const {
    const Output output = run(program() + " 1 1 --vectors 1 --no-counters");
    return output.text.find("give 0 0") == std::string::npos ? wanted : "0 0";
  }
};

TEST_P(Programs, EveryKernelIsRightForOddSizesAndShapes) {
  for (const std::string& launch :
       {shape("1 1") + " --vectors 1", shape("3 5") + " --vectors 37",
        shape("1 2") + " --vectors 1000", shape("40 3") + " --vectors 259 --seed 77"}) {
    const Output output =
        run(program() + " " + launch + " --kernel '*' --no-counters --no-times --json");
    EXPECT_EQ(output.code, 0) << launch << "\n" << output.text.substr(0, 2000);
    EXPECT_FALSE(records_of(output.text).empty()) << launch;
    for (const Record& record : records_of(output.text))
      EXPECT_EQ(record.check.status, "correct") << record.kernel << " " << record.check.message;
  }
}

// instances.cu and assignment.cc name the kernels once each; neither may have one more.
TEST_P(Programs, ModuleAndAssignmentHaveTheSameKernels) {
  std::set<std::string> in_module, in_assignment;
  std::istringstream ptx(read_file(GetParam() + std::string(".ptx")));
  const std::string entry = ".entry ";
  for (std::string line; std::getline(ptx, line);) {
    const size_t start = line.find(entry);
    if (line.rfind("//", 0) == 0 || start == std::string::npos) continue;
    const size_t name = start + entry.size();
    in_module.insert(kernel_name(line.substr(name, line.find('(') - name)));
  }
  const Output output =
      run(program() + " " + shape("1 1") + " --vectors 1 --kernel '*' --no-counters --json");
  for (const Record& record : records_of(output.text))
    for (const LaunchShape& launch : record.launches) in_assignment.insert(launch.kernel);
  EXPECT_EQ(in_module, in_assignment);
}

TEST_P(Programs, TextWithoutTimesRepeats) {
  const std::string command =
      program() + " " + shape("2 4") + " --vectors 640 --no-times --no-counters";
  const Output first = run(command), second = run(command);
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_EQ(first.text, second.text);
}

// "hw02/hw02" and "solutions/hw02/hw02-sol" of every homework.
std::vector<std::string> programs() {
  std::vector<std::string> all;
  for (const std::string& homework : homeworks()) all.push_back(homework + "/" + homework);
  for (const std::string& homework : homeworks())
    if (std::filesystem::exists("solutions/" + homework))
      all.push_back("solutions/" + homework + "/" + homework + "-sol");
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Programs, ::testing::ValuesIn(programs()), [](const auto& info) {
  std::string name = std::filesystem::path(info.param).filename();
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace lockstep
