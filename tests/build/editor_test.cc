// SPDX-License-Identifier: Apache-2.0
// F9 in Emacs: it builds the folder of the file at hand, and next-error goes to the line at fault.
#include <gtest/gtest.h>

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

TEST(Editors, FilesForVsCodeAreJson) {
  // The comments in them are VS Code's own dialect.
  for (const char* file : {"tasks", "launch", "extensions"}) {
    const Outcome outcome =
        run(top(), "command -v python3 >/dev/null || exit 77; sed 's|^ *//.*||' .vscode/" +
                       std::string(file) +
                       ".json | python3 -c 'import json,sys; json.load(sys.stdin)'");
    if (outcome.status == 77) GTEST_SKIP() << "no python3 to read JSON with";
    EXPECT_EQ(outcome.status, 0) << file << ": " << outcome.output;
  }
}

}  // namespace
}  // namespace lockstep::build_test
