// SPDX-License-Identifier: Apache-2.0
// See report_forms.h. A form is a pattern of a whole line.
#include "tests/grader/report_forms.h"

#include <regex>
#include <sstream>

#include "common/base/quoted.h"

namespace lockstep::grader {
namespace {

constexpr char kNumber[] = R"(-?[0-9.]+(e[-+]?[0-9]+)?)";

// The first line, each check's, and the last stand for themselves; the others may repeat.
const std::vector<std::regex>& forms() {
  static const std::vector<std::regex> all = [] {
    const std::string n = kNumber;
    const std::string kernel = R"([a-z_0-9]+(<[a-z0-9,]+>)?)";
    const std::string launch = " [0-9x]+ blocks of [0-9x]+ (warps|threads)";
    const std::string asked = "(," + launch + ")?";  // not where the homework has its own
    const std::string fault =
        "((an?|the|threads|some|it) [a-zA-Z ]+|a block does not fit on an SM with [0-9]+ registers "
        "a "
        "thread and [0-9]+ bytes of shared memory; use less of them, or let "
        "__launch_bounds__\\(1024\\) make the compiler do so)";
    std::vector<std::string> texts = {
        // A check's own, and a verdict's, with nine blanks or two.
        "nothing was run",
        "it could not be (compiled|executed) here",
        "all launches together passed the limit of this homework",
        "(hw[0-9]+\\.cu:[0-9]+: )?" + kernel + " with" + launch + ": (" + fault + "|[0-9]+ .*)",
        kernel + ": the launch fails",  // before there was a shape
        kernel + "," + " [0-9]+ vectors" + asked + ": .*",
        "\\(" + kernel + ", [0-9]+ vectors" + asked + ": [a-z_]+\\)",
        "\\([0-9]+ vectors\\)",
        "[0-9]+ of [0-9]+ elements of [a-z_]+ are wrong(, [0-9]+ were not written)?; the first:",
        "  What is wrong is [^|]*\\.",
        "its counts are worth nothing, because the result is not right",
        "[0-9]+ of [0-9]+ kernels are wrong",
        "  [a-z_]+\\[[0-9]+\\]( \\([a-z0-9, ]+\\))?: expected [-0-9.e+naif]+, got "
        "([-0-9.e+naif]+|nothing, it was not written)",
        "hw[0-9]+\\.cu: (there is no kernel|kernel) [^|]*",
        kernel + ": [a-z_0-9]+ is " + n + ", expected at (most|least) " + n + "( \\(.*\\))?",
        kernel + ": [a-z_0-9]+: not measured",
        "the solution's can be told here(: a person has to decide|, so this counts as not reached: "
        "write it in a way that can be told, too)",
        "the solution takes " + n + " warp instructions there: this is more than " + n +
            " times as many",
        "counts only where this passes: .*",
        "counts only as far as this passes: .*",
        "not decided on the (emulator|gpu)",
        "  hw[0-9]+\\.cu:[0-9]+: " + n + " of " + n + " [a-zA-Z0-9 ]+ \\([0-9]+ %\\)",
        "  the budget of the whole kernel is " + n + " [a-zA-Z0-9 ]+",
        "Hint: .*",
        "Repeat: \\./hw[0-9]+ ([-0-9]+ [0-9]+ )?--vectors .*"};
    std::vector<std::regex> made;
    for (const std::string& text : texts) made.emplace_back("(         |  )" + text);
    return made;
  }();
  return all;
}

bool is_check_line(const std::string& line, const CheckOutcome& check) {
  static const std::regex kStart(R"(  \[(pass|part|FAIL| \?  | -  )\] [0-9.]+ / [0-9.]+ +)");
  std::smatch match;
  return std::regex_search(line, match, kStart, std::regex_constants::match_continuous) &&
         match.suffix() == check.title;
}

}  // namespace

std::vector<std::string> forged_lines(const Graded& graded, const std::string& report,
                                      const std::string& canary) {
  static const std::regex kLast(
      R"(  (gpu|emulator) \([^()]+\), nvcc [0-9.]+, seed [0-9]+, compiled in [0-9.]+ s, run in [0-9.]+ s)");
  static const std::regex kFirst(
      R"(hw[0-9]+  .*: (pass|partial|fail|student error|infra error|not measured|review)( \([-a-z0-9:, ]+\))?, .*)");
  static const std::regex kStaging(R"(  [^|]+)");
  const bool staging = graded.verdict.reason == "staging";
  std::vector<std::string> own, forged;
  std::istringstream text(report);
  for (std::string line; std::getline(text, line);)
    if (line.rfind(kQuoteMark, 0) != 0) own.push_back(line);
  size_t check = 0, hints = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    const std::string& line = own[i];
    bool good = i == 0 ? std::regex_match(line, kFirst) : false;
    if (i + 1 == own.size()) good = std::regex_match(line, kLast);
    if (i == 1 && graded.sandbox == "weak") good = line.rfind("  !! WEAK SANDBOX", 0) == 0;
    if (i == 1 && staging) good = good || std::regex_match(line, kStaging);
    const auto& checks = graded.verdict.checks;
    if (check < checks.size() && is_check_line(line, checks[check])) {
      good = true;
      ++check;
    }
    hints += line.rfind("         Hint: ", 0) == 0 ? 1 : 0;
    for (const std::regex& form : forms()) good = good || std::regex_match(line, form);
    bool named = i == 0 || staging;  // a submission's name is shown there
    if (!good || (!named && line.find(canary) != std::string::npos)) forged.push_back(line);
  }
  if (hints > check) forged.push_back("more hints than checks");
  return forged;
}

}  // namespace lockstep::grader
