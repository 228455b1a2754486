// SPDX-License-Identifier: Apache-2.0
// grader export: the results of a class in a platform's own form. See docs/platforms/.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/commands.h"
#include "grader/export/files.h"
#include "grader/export/format.h"
#include "grader/last_class.h"
#include "grader/pseudonyms.h"
#include "grader/store.h"
#include "grader/toolchain.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostTable = 16 << 20;

void tell(const Exported& exported, const Sheet& sheet, const Rubric& rubric, size_t absent,
          const Format& format) {
  for (const SheetRow& row : sheet.rows)
    if (!format.needs_identity && !row.why_nobodys.empty())
      std::fprintf(stderr, "%s is given no student: %s\n", shown_word(row.name).c_str(),
                   row.why_nobodys.c_str());
  for (const LeftOut& one : exported.left_out)
    std::fprintf(stderr, "left out: %s: %s\n", shown_word(one.name).c_str(), one.why.c_str());
  if (absent > 0)
    std::fprintf(stderr, "left out: %zu who were not in the class of the last run\n", absent);
  size_t timeless = 0;
  for (const SheetRow& row : sheet.rows) timeless += rubric.late && !row.late ? 1 : 0;
  if (timeless > 0)
    std::fprintf(stderr,
                 "%zu without a time of submission that can be believed: nothing was taken off for "
                 "lateness (docs/platforms/README.md)\n",
                 timeless);
}

}  // namespace

std::map<std::string, std::string> platform_environment() {
  std::map<std::string, std::string> known;
  for (const char* key : {"CLASSROOM", "ASSIGNMENT", "ASSIGNMENT_TYPE", "OWNER", "SUBMISSION_TAG",
                          "COMMIT_URL", "RELEASE_URL", "REVIEW_URL", "CHECK50_SLUG"})
    if (const char* value = std::getenv(key)) known[key] = printable(value);
  return known;
}

std::optional<StudentTable> read_students(const CommandOptions& options) {
  if (options.students.empty()) return std::nullopt;
  return StudentTable::read(read_file(options.students, kMostTable), options.students);
}

int export_command(const CommandOptions& options) {
  const Format& format = find_format(options.format);
  if (options.pseudonyms && format.needs_identity)
    throw Error(options.format + " knows students by names of its own: no --pseudonyms with it");
  require_results(options.results);
  const Rubric rubric = rubric_of(options.session, find_top());
  const std::optional<StudentTable> table = read_students(options);
  SheetOptions sheet_options;
  sheet_options.table = table ? &*table : nullptr;
  LastClass counting;
  {
    Store store(options.results);
    counting = last_class(store, rubric, options.session.backend);
    if (options.pseudonyms) sheet_options.pseudonym_key = pseudonym_key(options.results);
  }
  const Sheet sheet = make_sheet(rubric, counting.gradings, sheet_options);
  FormatSettings settings;
  settings.assignment = options.assignment;
  settings.environment = platform_environment();
  const Exported exported = format.make(sheet, settings);
  std::string out = options.out;
  if (out.empty()) out = options.session.homework + "-" + format.name;
  if (out == options.session.homework + "-" + format.name && !format.for_each_student)
    out += std::filesystem::path(format.file).extension();
  if (format.for_each_student)
    write_folder(out, exported.files);
  else if (out == "-")
    std::fputs(exported.files.at(0).contents.c_str(), stdout);
  else
    write_export(out, exported.files.at(0).contents);
  tell(exported, sheet, rubric, counting.absent, format);
  if (out == "-") return kExitGood;
  std::printf("%zu of %zu submissions in %s\n", sheet.rows.size() - exported.left_out.size(),
              sheet.rows.size(), shown_word(out, 200).c_str());
  const auto doubtful = std::count_if(exported.left_out.begin(), exported.left_out.end(),
                                      [](const LeftOut& one) { return one.doubtful; });
  if (doubtful > 0)
    std::printf("%td of them have no row, and no 0: more than one would be one student's\n",
                doubtful);
  return kExitGood;
}

}  // namespace lockstep::grader
