// SPDX-License-Identifier: Apache-2.0
// F9 in Emacs: it builds the folder of the file at hand, and next-error goes to the line at fault.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

constexpr char kScript[] = R"(
(load (expand-file-name "editors/lockstep.el"))
(find-file "hw02/hw02.cu")
(goto-char (point-max))
(insert "__device__ int f() { return oops; }\n")
(message "edited line %d in %s" (1- (line-number-at-pos)) major-mode)
(execute-kbd-macro (kbd "<f9>"))
(while (get-buffer-process "*compilation*") (accept-process-output nil 0.1))
(with-current-buffer "*compilation*" (message "%s" (buffer-string)))
(next-error)
(with-current-buffer (window-buffer)
  (message "went to line %d of %s" (line-number-at-pos) (file-name-nondirectory buffer-file-name)))
)";

TEST(Emacs, F9BuildsAndNextErrorGoesToTheLine) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc";
  if (run(top(), "command -v emacs").status != 0) GTEST_SKIP() << "no Emacs (emacs-nox)";
  SmallTree tree;
  write_file(tree.path("f9.el"), kScript);
  const Outcome outcome = run(tree.path(), "timeout 120 emacs -Q --batch -l f9.el");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const size_t edited = outcome.output.find("edited line ");
  ASSERT_NE(edited, std::string::npos) << outcome.output;
  const int line = std::stoi(outcome.output.substr(edited + 12));
  EXPECT_TRUE(outcome.has("in c++-mode")) << outcome.output;
  EXPECT_TRUE(outcome.has("went to line " + std::to_string(line) + " of hw02.cu"))
      << outcome.output;
}

// Comments are part of VS Code's own dialect of JSON.
TEST(Editors, TasksAndDebuggersForVsCode) {
  auto labels = [](const std::string& file, const char* list, const char* key) {
    const auto json = nlohmann::json::parse(read_file(file), nullptr, true, true);
    std::set<std::string> names;
    for (const auto& item : json.at(list)) names.insert(item.at(key));
    return names;
  };
  EXPECT_EQ(labels(".vscode/tasks.json", "tasks", "label"),
            (std::set<std::string>{"build", "run", "grade"}));
  EXPECT_EQ(labels(".vscode/launch.json", "configurations", "name"),
            (std::set<std::string>{"gdb", "cuda-gdb"}));
}

}  // namespace
}  // namespace lockstep::build_test
