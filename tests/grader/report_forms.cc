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
    const std::string metric = "[a-z_0-9]+( \\([A-Za-z*/% ]+\\))?";  // with its column's heading
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
        "[0-9]+ of [0-9]+ elements? of [a-z_]+ (is|are) wrong(, [0-9]+ (was|were) not written)?"
        "(; the first:)?",
        "  What is wrong is [^|]*\\.",
        "  Besides, threads race for the same memory:",
        "its counts are worth nothing, because the result is not right",
        kernel + " went wrong, as told above: its counts are worth nothing",
        "[0-9]+ of [0-9]+ kernels are wrong(: " + kernel + "(, " + kernel + ")*( \\.\\.\\.)?)?",
        "  [a-z_]+\\[[0-9]+\\]( \\([a-z0-9, ]+\\))?: expected [-0-9.e+naif]+, got "
        "([-0-9.e+naif]+|nothing, it was not written)",
        "hw[0-9]+\\.cu: (there is no kernel|kernel) [^|]*",
        kernel + ": " + metric + " is " + n + ", expected at (most|least) " + n + "( \\(.*\\))?",
        kernel + ": " + metric + ": not measured",
        "the solution's can be told here(: a person has to decide|, so this counts as not reached: "
        "write it in a way that can be told, too)",
        "the solution takes " + n + " warp instructions there",
        "counts only as far as this passes: .*",
        "(hw[0-9]+\\.cu:[0-9]+: )?what is compared here had the same answer in every launch; with "
        "the "
        "other answer the result is right, too, but",
        kernel +
            ": what it does where its comparisons come out the other way than in all launches "
            "cannot be looked at: a person has to decide",
        kernel +
            ": what it does in a launch as large as a card's \\([0-9]+ vectors\\) cannot be told "
            "by "
            "some of its blocks(, which do less than the solution's)?: a person has to decide",
        "(hw[0-9]+\\.cu:[0-9]+: )?with the other answer, as above,",
        "which of the two ways is taken elsewhere is not known: a person has to decide",
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
  static const std::regex kStart(R"(  \[(pass|part|FAIL| \?  | -  )\] ([0-9.]+ / [0-9.]+|gate) +)");
  static const std::regex kGate(
      R"(( \(blocks [0-9.]+ points\)| \([0-9.]+ points count as far as it passes\))?)");
  std::smatch match;
  if (!std::regex_search(line, match, kStart, std::regex_constants::match_continuous)) return false;
  const std::string rest = match.suffix();
  return rest.rfind(check.title, 0) == 0 &&
         std::regex_match(rest.substr(check.title.size()), kGate);
}

// Passing gates and checks that wait for others have no line of their own.
bool is_folded(const CheckOutcome& c) {
  return !c.waits_for.empty() ||
         (c.max_points == 0 && c.blocks > 0 && c.status == CheckStatus::kPass);
}

// A report's own lines; those that were broken between words are joined again.
std::vector<std::string> own_lines(const std::string& report) {
  static const std::regex kContinues("(      |        |             +)([^ ].*)");
  std::vector<std::string> own;
  std::istringstream text(report);
  bool after_own = false;
  for (std::string line; std::getline(text, line);) {
    const bool is_own = line.rfind(kQuoteMark, 0) != 0;
    std::smatch match;
    if (is_own && after_own && std::regex_match(line, match, kContinues)) {
      std::string& before = own.back();
      if (before.ends_with(" \\")) before.resize(before.size() - 2);
      before += " " + match[2].str();
    } else if (is_own) {
      own.push_back(line);
    }
    after_own = is_own;
  }
  return own;
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
  static const std::regex kOpen("  \\[pass\\] gates     [-a-z0-9_, ]+");
  static const std::regex kWaiting(
      "  \\[ -- \\] [0-9.]+ points \\([-a-z0-9_, ]+\\) wait for (what fails above|this: .*)");
  static const std::regex kFirstStep("  Do this first: .*");
  std::vector<std::string> forged;
  const std::vector<std::string> own = own_lines(report);
  const auto& checks = graded.verdict.checks;
  size_t check = 0, hints = 0, lasts = 0, open = 0, waiting = 0, steps = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    const std::string& line = own[i];
    bool good = i == 0 ? std::regex_match(line, kFirst) : false;
    const auto once = [&](const std::regex& form, size_t* times) {
      if (std::regex_match(line, form)) good = ++*times == 1;
    };
    if (i + 2 >= own.size()) once(kLast, &lasts);
    if (i + 1 == own.size()) once(kFirstStep, &steps);
    once(kOpen, &open);
    once(kWaiting, &waiting);
    if (i == 1 && graded.sandbox == "weak") good = line.rfind("  !! WEAK SANDBOX", 0) == 0;
    if (i == 1 && graded.sandbox == "middle") good = line.rfind("  Sandbox without", 0) == 0;
    if (i == 1 && staging) good = good || std::regex_match(line, kStaging);
    while (check < checks.size() && is_folded(checks[check])) ++check;
    if (check < checks.size() && is_check_line(line, checks[check])) {
      good = true;
      ++check;
    }
    hints += line.rfind("         Hint: ", 0) == 0 ? 1 : 0;
    for (const std::regex& form : forms()) good = good || std::regex_match(line, form);
    bool named = i == 0 || staging;  // a submission's name is shown there
    if (!good || (!named && line.find(canary) != std::string::npos)) forged.push_back(line);
  }
  if (hints + steps > check) forged.push_back("more hints than checks");
  if (lasts != 1) forged.push_back("not one last line");
  return forged;
}

}  // namespace lockstep::grader
