// SPDX-License-Identifier: Apache-2.0
// Reading the submissions and their expectations. See corpus.h.
#include "tests/grader/corpus.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/judge.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

// One file, with the .cuh file that it includes in place (tests/hostile/assemble does the same).
std::string assembled(const fs::path& path) {
  std::istringstream lines(read_file(path));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    size_t quote = line.find('"', 10);
    bool include = line.rfind("#include \"", 0) == 0 && quote != std::string::npos &&
                   line.compare(quote - 4, 4, ".cuh") == 0;
    text += include ? read_file(path.parent_path() / line.substr(10, quote - 10)) : line + "\n";
  }
  return text;
}

Expectation expectation_of(const std::string& name, const std::string& text,
                           const std::string& backend) {
  std::string line;
  for (const std::string& key : {"// Expect " + backend + ": ", std::string("// Expect: ")}) {
    size_t at = text.find(key);
    if (at == std::string::npos || !line.empty()) continue;
    line = text.substr(at + key.size(), text.find('\n', at) - at - key.size());
  }
  Expectation e;
  e.of_backend = text.find("// Expect " + backend + ": ") != std::string::npos;
  e.name = name;
  size_t blank = line.find(' '), dots = line.find("..");
  if (blank == std::string::npos || dots == std::string::npos)
    throw Error(name + ": expected a line '// Expect: KIND MIN..MAX', found '" + line + "'");
  e.kinds = line.substr(0, blank);
  e.least = std::stod(line.substr(blank, dots - blank));
  e.most = std::stod(line.substr(dots + 2));
  return e;
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void write_archive(const fs::path& path, const std::string& inside, const std::string& contents,
                   const char* link) {
  archive* a = archive_write_new();
  archive_write_set_format_pax_restricted(a);
  archive_write_add_filter_gzip(a);
  archive_write_open_filename(a, path.c_str());
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, inside.c_str());
  archive_entry_set_filetype(entry, link != nullptr ? AE_IFLNK : AE_IFREG);
  if (link != nullptr) archive_entry_set_symlink(entry, link);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, link != nullptr ? 0 : static_cast<la_int64_t>(contents.size()));
  archive_write_header(a, entry);
  if (link == nullptr) archive_write_data(a, contents.data(), contents.size());
  archive_entry_free(entry);
  archive_write_close(a);
  archive_write_free(a);
}

// Attacks that are no text file.
void add_oddities(const fs::path& folder, const std::string& homework,
                  std::vector<Expectation>* list) {
  std::string file = homework + ".cu";
  auto staged = [&](const char* name) {
    list->push_back({name, "student_error:staging", 0, 0});
    return folder / name;
  };
  fs::create_symlink("/etc/passwd", staged("hostile-link"));
  fs::create_directories(staged("hostile-link-inside"));
  fs::create_symlink("/etc/passwd", folder / "hostile-link-inside" / file);
  fs::create_directory_symlink("/etc", staged("hostile-link-to-folder"));
  fs::create_directories(staged("hostile-pipe"));
  mkfifo((folder / "hostile-pipe" / file).c_str(), 0600);
  write(staged("hostile-empty-file").string() + ".cu", "");
  write(staged("hostile-large-file").string() + ".cu", std::string(3 << 20, ' '));
  write_archive(staged("hostile-bomb").string() + ".tar.gz", file, std::string(140 << 20, '\0'),
                nullptr);
  write_archive(staged("hostile-escape").string() + ".tar.gz", "../../" + file, "x", nullptr);
  write_archive(staged("hostile-archived-link").string() + ".tar.gz", file, "", "/etc/passwd");
  write(staged("hostile-damaged").string() + ".zip", "PK\x03\x04 damaged");
}

}  // namespace

bool CorpusPart::has(const std::string& name) const {
  return std::stoull(sha256(name).substr(0, 8), nullptr, 16) % of == index;
}

CorpusPart corpus_part() {
  const char* text = std::getenv("CORPUS_PART");
  if (text == nullptr || *text == 0) return {};
  CorpusPart part;
  char slash = 0, more = 0;
  std::istringstream words(text);
  if (!(words >> part.index >> slash >> part.of) || words >> more || slash != '/' ||
      part.index < 1 || part.index > part.of)
    throw Error(std::string("CORPUS_PART=") + text + " is no part such as 1/3", kExitUsage);
  --part.index;
  return part;
}

std::vector<Expectation> make_corpus(const std::string& homework, const std::string& folder,
                                     const std::string& backend, const CorpusPart& part) {
  std::vector<Expectation> list;
  fs::create_directories(folder);
  for (const char* kind : {"hostile", "honest", "naive"}) {
    fs::path from = fs::path("tests") / kind / homework;
    if (!fs::exists(from)) continue;
    for (const auto& item : fs::directory_iterator(from)) {
      std::string name = std::string(kind) + "-" + item.path().stem().string();
      if (!part.has(name)) continue;
      std::string text = assembled(item.path());
      list.push_back(expectation_of(name, text, backend));
      write(fs::path(folder) / (name + ".cu"), text);
    }
  }
  if (homework == "hw02") add_oddities(folder, homework, &list);
  std::sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return list;
}

std::string compare(const Expectation& expected, const Graded& got) {
  std::string kind = to_string(got.verdict.kind);
  std::string exact = kind + ":" + got.verdict.reason;
  std::istringstream words(expected.kinds);
  bool found = false;
  for (std::string word; std::getline(words, word, '|');)
    found = found || word == kind || word == exact;
  bool points =
      got.verdict.points >= expected.least - 1e-9 && got.verdict.points <= expected.most + 1e-9;
  if (found && points) return {};
  return expected.name + ": expected " + expected.kinds + " with " + format_number(expected.least) +
         " to " + format_number(expected.most) + " points, got " + exact + " with " +
         format_number(got.verdict.points) + "; " + got.verdict.message + "\n" +
         got.verdict.quoted.marked();
}

}  // namespace lockstep::grader
