// SPDX-License-Identifier: Apache-2.0
// grader check: one submission, verdict on the terminal.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/harness/page_parts.h"
#include "common/page/page.h"
#include "grader/commands.h"
#include "grader/pages.h"
#include "grader/platform_check.h"
#include "grader/report.h"
#include "grader/whole_file.h"
#include "runner/undertaker.h"

namespace lockstep::grader {

TemporaryWork::TemporaryWork() {
  const char* base = std::getenv("TMPDIR");
  path_ =
      (base != nullptr && base[0] == '/' ? std::string(base) : "/tmp") + "/lockstep-grader-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr)
    throw Error("cannot make a folder like " + path_, kExitCannotRun);
  undertaker_watch_folder(undertaker_socket(), path_.c_str());
}

TemporaryWork::~TemporaryWork() {
  remove_tree(path_);
  undertaker_forget_folder(undertaker_socket(), path_.c_str());
}

void TemporaryWork::open_for(const Sandbox& sandbox) const {
  if (sandbox.is_passed_by_others()) chmod(path_.c_str(), 0711);
}

constexpr size_t kMostTold = 3;

namespace {

void write_html(const std::string& path, const GradingSession& session,
                const StagedSubmission& staged, const GradeResult& result) {
  const Rubric& rubric = session.rubric();
  const StudentParts parts = {
      result.graded,      staged.contents, kernels_part(result.records, rubric.file),
      result.graded.code, result.records,  result.solution.records};
  write_whole(path, page::student_page(student_data(parts, {rubric.title, rubric.file}, "")),
              false);
}

}  // namespace

int check_command(const CommandOptions& asked) {
  CommandOptions options = asked;
  const Submitted submitted = prepare_platform_check(&options);
  SessionOptions settings = options.session;
  if (settings.threads <= 1) settings.threads = 0;  // all processors for the one submission
  settings.view = options.view.empty()        ? View::kByRole
                  : options.view == "student" ? View::kStudent
                                              : View::kInstructor;
  SubmissionEntry entry = single_submission(options.path);
  std::error_code error;
  if (!std::filesystem::exists(options.path, error))
    throw Error(options.path + ": there is no such file");
  TemporaryWork work;
  GradingSession session(settings, work.path() + "/work");
  work.open_for(session.sandbox());
  StagedSubmission staged = stage_submission(entry, session.rubric().file);
  std::string folder;
  auto build = std::async(std::launch::async, [&] { return session.build(staged, 1, &folder); });
  session.build_reference();
  // The solution is measured beside the compiler and beside the submission; at a card they take
  // turns.
  auto reference =
      std::async(std::launch::async, [&] { session.reference(session.draw_of(staged)); });
  BuildResult built = build.get();
  const bool is_held_to_it = built.good() || built.unanswered();
  if (!is_held_to_it) session.stop_measuring();
  GradeResult result = session.finish(staged, built, folder, 1, 0);
  try {
    reference.get();
  } catch (const MachineUnwell&) {
    if (is_held_to_it) throw;
  }
  result.graded.submitted = submitted;
  if (!options.format.empty())
    return write_platform_result(options, session.rubric(), result.graded);
  if (options.json) {
    std::fputs(json_line(report_json(result.graded)).c_str(), stdout);
  } else {
    ReportOptions report;
    report.color = is_terminal(STDOUT_FILENO);
    report.brief = options.brief;
    report.width = terminal_width(STDOUT_FILENO);
    if (session.is_for_student()) report.most_told = kMostTold;
    std::fputs(report_text(result.graded, report).c_str(), stdout);
  }
  if (!options.html.empty()) write_html(options.html, session, staged, result);
  switch (result.graded.verdict.kind) {
    case VerdictKind::kPass:
      return kExitGood;
    case VerdictKind::kInfraError:
    case VerdictKind::kNotMeasured:
    case VerdictKind::kReview:
      return kExitCannotRun;
    default:
      return kExitWrong;
  }
}

}  // namespace lockstep::grader
