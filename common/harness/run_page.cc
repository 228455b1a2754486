// SPDX-License-Identifier: Apache-2.0
#include "common/harness/run_page.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/harness/page_parts.h"
#include "common/page/page.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMostSource = 1 << 20;

std::string start_of(const std::string& path, size_t bytes) {
  std::ifstream in(path, std::ios::binary);
  std::string text(bytes, 0);
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

// The compiler says what it is at the head of its PTX.
std::string compiler_of(const ModuleFiles& module) {
  const std::string head = start_of(module.ptx, 4096), words = "// Cuda compilation tools, ";
  const size_t at = head.find(words);
  if (at == std::string::npos) return "not known";
  const size_t begin = at + words.size();
  return "nvcc, " + printable(head.substr(begin, head.find('\n', begin) - begin));
}

// The file that lines are counted of, else the one beside the program.
std::string source_path(const RunPage& run, const std::vector<Row>& rows) {
  const std::string student_file = run.assignment.student_file();
  std::error_code error;
  for (const Row& row : rows)
    for (const LineCounts& line : row.record.counts.lines)
      if (file_name(line.file) == student_file && fs::is_regular_file(line.file, error))
        return line.file;
  return (fs::path(run.environment.executable).parent_path() / student_file).string();
}

bool is_right(const Row& row) { return row.record.check.status == "correct"; }

json problem_json(const Row& row) {
  const CheckResult& check = row.record.check;
  return {{"id", ""},
          {"title", row.record.kernel},
          {"status", check.status == "not_run" ? "not_measured" : "fail"},
          {"points", 0},
          {"max", 0},
          {"hidden", false},
          {"blocks", 0},
          {"waits_for", ""},
          {"kernel", ""},
          {"tier", ""},
          {"measured", nullptr},
          {"threshold", nullptr},
          {"message", check.message},
          {"quoted", check.quoted.lines()},
          {"costs", json::array()},
          {"hint", ""},
          {"reproduce", check.repeat}};
}

// What is wrong with a kernel is told once.
json problems_json(const std::vector<Row>& rows) {
  json problems = json::array();
  std::set<std::string> told;
  for (const Row& row : rows)
    if (!is_right(row) && told.insert(row.record.kernel).second)
      problems.push_back(problem_json(row));
  return problems;
}

// Of several launches and kernels the same is found in one line, with other figures: the first
// tells it, with the kernel's name.
json notes_json(const std::vector<Row>& rows, const std::string& student_file) {
  json notes = json::array();
  std::set<std::string> told;
  for (const Row& row : rows)
    for (const Finding& finding : row.findings) {
      json note = note_of(finding.place + ": " + finding.words, student_file);
      if (note.is_null() || !told.insert(finding.place + finding.kind).second) continue;
      note["words"] = row.record.kernel + ": " + note["words"].get<std::string>();
      notes.push_back(std::move(note));
    }
  return notes;
}

void add_verdict(const std::vector<Row>& rows, json* page) {
  std::set<std::string> kernels, wrong;
  std::string first;
  for (const Row& row : rows) {
    kernels.insert(row.record.kernel);
    if (is_right(row)) continue;
    wrong.insert(row.record.kernel);
    if (first.empty() && row.record.check.status != "not_run") first = row.record.check.message;
  }
  const auto count = [](size_t n) { return fmt::format("{} kernel{}", n, n == 1 ? "" : "s"); };
  (*page)["verdict"] = rows.empty() || !wrong.empty() ? "fail" : "pass";
  (*page)["words"] = rows.empty() ? std::string("nothing was run")
                     : wrong.empty()
                         ? "right: " + count(kernels.size())
                         : fmt::format("wrong: {} of {}", wrong.size(), count(kernels.size()));
  (*page)["first"] = first.substr(0, first.find('\n'));
  (*page)["checks_title"] = "What is wrong";
  (*page)["checks"] = problems_json(rows);
}

void add_code(const RunPage& run, json* page) {
  (*page)["code"] = nullptr;
  (*page)["no_code"] = "there is no cubin.";
  if (!run.environment.list_code || run.module.cubin.empty()) return;
  try {
    (*page)["code"] =
        code_part(run.environment.list_code(run.module.cubin), run.assignment.student_file());
  } catch (const Error& error) {
    (*page)["no_code"] = error.what();
  }
}

json run_json(const RunPage& run, const std::vector<Row>& rows) {
  std::vector<Record> records, before;
  for (const Row& row : rows) {
    records.push_back(row.record);
    if (const Record* earlier = run.before.same_launch(row.record)) before.push_back(*earlier);
  }
  const std::string file = run.assignment.student_file();
  json page = {{"homework", run.assignment.name()},
               {"name", "your run"},
               {"message", ""},
               {"quoted", json::array()}};
  add_verdict(rows, &page);
  add_code(run, &page);
  const std::string source = start_of(source_path(run, rows), kMostSource);
  page["notes"] = notes_json(rows, file);
  page["kernels"] = kernels_part(records, file);
  page["source"] =
      source.empty()
          ? json()
          : source_part(file, source,
                        "Counts are sums over all launches that were counted by line. Sectors are "
                        "32 bytes of global memory; ideal is what the bytes asked for would fill.");
  const std::string since =
      run.options.compare.empty() ? "the last run" : printable(run.options.compare);
  page["plots"] = plots_part(records, before, {"this run", since, true});
  const bool emulated = run.backend.kind() == "emulator";
  const std::string driver = run.backend.driver_version();
  page["facts"] =
      facts_json({{"Device", run.backend.device().name +
                                 (emulated ? ", emulated: counts are exact or predicted" : "")},
                  {"Driver", driver.empty() ? "none" : driver},
                  {"Compiler", compiler_of(run.module)},
                  {"Seed", std::to_string(run.options.seed)},
                  {"Module (FNV-1a)", rows.empty() ? "" : rows[0].record.module_hash}});
  return page;
}

}  // namespace

void write_run_page(const RunPage& run, const std::vector<Row>& rows) {
  const std::string path =
      run.options.html == kOwnPage ? run.assignment.name() + ".html" : run.options.html;
  const std::string whole = fmt::format("{}.{}", path, getpid());
  const std::string text = page::student_page(run_json(run, rows));
  errno = 0;
  std::ofstream out(whole, std::ios::binary);
  out << text;
  out.close();
  const std::string why = errno != 0 ? strerror(errno) : "something is in the way";
  std::error_code error;
  if (out) fs::rename(whole, path, error);
  const bool placed = out && !error;
  fs::remove(whole, error);
  if (!placed)
    throw Error(fmt::format("--html: cannot write {}: {}", printable(path), why), kExitCannotRun);
  *run.environment.out << wrapped("A page of this run: " + printable(path) + "\n",
                                  run.environment.width, 4);
}

}  // namespace lockstep
