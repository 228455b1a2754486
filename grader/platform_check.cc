// SPDX-License-Identifier: Apache-2.0
// See platform_check.h.
#include "grader/platform_check.h"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/export/files.h"
#include "grader/export/format.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostMetadata = 64 << 20;  // it holds all earlier results

std::string time_of_metadata(const std::string& path) {
  const auto file = nlohmann::json::parse(read_file(path, kMostMetadata), nullptr, false);
  if (!file.is_object() || !file.contains("created_at") || !file["created_at"].is_string())
    throw Error(shown_word(path, 200) +
                ": expected Gradescope's submission_metadata.json, with \"created_at\"");
  return file["created_at"].get<std::string>();
}

}  // namespace

Submitted prepare_platform_check(CommandOptions* options) {
  Submitted submitted;
  if (options->format.empty()) {
    if (!options->out.empty() || !options->submitted.empty() || !options->metadata.empty())
      throw Error("--out, --submitted and --metadata are for a check with --format");
    return submitted;
  }
  const Format& format = find_format(options->format);
  if (!format.for_each_student)
    throw Error(options->format + " is for a whole class: grader export");
  if (options->out.empty())
    throw Error("--format: expected --out FILE with it, or --out - for standard output");
  // What was there before is no result of this submission.
  if (options->out != "-") {
    require_replaceable(options->out);
    unlink(options->out.c_str());
  }
  if (options->view.empty() && format.seen_at_once) options->view = "student";
  std::string text = options->submitted;
  if (!options->metadata.empty()) text = time_of_metadata(options->metadata);
  if (text.empty()) return submitted;
  const std::optional<int64_t> at = parse_time(text);
  if (!at)
    throw Error((options->metadata.empty() ? "--submitted" : shown_word(options->metadata, 200)) +
                ": " + shown_word(text) +
                " is no time; expected one like 2026-11-20T23:59:00Z or 2026-11-20T23:59:00-05:00");
  submitted.at = utc_text(*at);
  submitted.told_by = options->metadata.empty() ? "command line" : "gradescope";
  return submitted;
}

int write_platform_result(const CommandOptions& options, const Rubric& rubric,
                          const Graded& graded) {
  FormatSettings settings;
  settings.environment = platform_environment();
  const Sheet sheet = make_sheet(rubric, {graded}, {});
  const Exported exported = find_format(options.format).make(sheet, settings);
  if (exported.files.empty()) {
    std::fprintf(stderr, "grader: no result for %s: %s\n", options.format.c_str(),
                 exported.left_out.at(0).why.c_str());
    return kExitCannotRun;
  }
  if (options.out == "-")
    std::fputs(exported.files[0].contents.c_str(), stdout);
  else
    write_export(options.out, exported.files[0].contents);
  return kExitGood;
}

}  // namespace lockstep::grader
