// SPDX-License-Identifier: Apache-2.0
// JUnit XML: a suite for each student, a case for each check. An infrastructure error is an error,
// what was not measured is skipped, and partial points are a failure that says how many.
#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

struct Counts {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }
};

std::string attribute(const char* name, const std::string& text) {
  return std::string(" ") + name + "=\"" + xml_text(text) + "\"";
}

std::string counted(const Counts& counts) {
  return attribute("tests", std::to_string(counts.tests)) +
         attribute("failures", std::to_string(counts.failures)) +
         attribute("errors", std::to_string(counts.errors)) +
         attribute("skipped", std::to_string(counts.skipped));
}

std::string case_of(const std::string& student, const std::string& name, const std::string& inner,
                    Counts* counts) {
  ++counts->tests;
  return "  <testcase" + attribute("classname", student) + attribute("name", name) +
         attribute("time", "0") + (inner.empty() ? "/>\n" : ">" + inner + "</testcase>\n");
}

std::string check_case(const std::string& student, const SheetCheck& c, Counts* counts) {
  std::string inner;
  const std::string points =
      c.points ? plain_number(*c.points) + " of " + plain_number(c.max_points) + " points" : "";
  if (c.status == CheckStatus::kReview || c.status == CheckStatus::kNotMeasured) {
    ++counts->skipped;
    inner = "<skipped" +
            attribute("message",
                      c.status == CheckStatus::kReview ? "left to a person" : "not measured") +
            "/>";
  } else if (c.status != CheckStatus::kPass) {
    ++counts->failures;
    const char* how = c.status == CheckStatus::kPartial ? "partial" : "fail";
    inner = "<failure" + attribute("type", how) +
            attribute("message", std::string(how) + ": " + points) + ">" + xml_text(c.text) +
            "</failure>";
  }
  return case_of(student, c.hidden ? c.title + " (" + c.id + ")" : c.id + ": " + c.title, inner,
                 counts);
}

std::string suite_of(const SheetRow& row, Counts* all) {
  Counts counts;
  std::string cases;
  if (row.kind == VerdictKind::kInfraError) {
    ++counts.errors;
    cases = case_of(row.name, "grading",
                    "<error" + attribute("type", "infrastructure") +
                        attribute("message", row.why_no_points) + "/>",
                    &counts);
  } else {
    for (const SheetCheck& c : row.checks) cases += check_case(row.name, c, &counts);
  }
  all->add(counts);
  std::string properties = "  <properties>\n";
  const auto property = [&](const char* name, const std::string& value) {
    properties +=
        std::string("   <property") + attribute("name", name) + attribute("value", value) + "/>\n";
  };
  property("verdict", row.verdict);
  if (row.points) property("points", plain_number(*row.points));
  property("max_points", plain_number(row.max_points));
  if (!row.why_no_points.empty()) property("why_no_points", row.why_no_points);
  if (row.late && !row.late->words.empty()) property("late", row.late->words);
  return " <testsuite" + attribute("name", row.name) + counted(counts) +
         attribute("time", plain_number(row.graded.build_seconds + row.graded.run_seconds)) +
         ">\n" + properties + "  </properties>\n" + cases +
         (row.message.empty() ? "" : "  <system-out>" + xml_text(row.message) + "</system-out>\n") +
         " </testsuite>\n";
}

}  // namespace

Exported export_junit(const Sheet& sheet, const FormatSettings&) {
  Counts all;
  std::string suites;
  double seconds = 0;
  for (const SheetRow& row : sheet.rows) {
    suites += suite_of(row, &all);
    seconds += row.graded.build_seconds + row.graded.run_seconds;
  }
  return {{{"results.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                               attribute("name", sheet.homework) + counted(all) +
                               attribute("time", plain_number(seconds)) + ">\n" + suites +
                               "</testsuites>\n"}},
          {}};
}

}  // namespace lockstep::grader
