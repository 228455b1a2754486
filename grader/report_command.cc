// SPDX-License-Identifier: Apache-2.0
// grader report: HTML pages of a class, from the results folder alone. They come into their place
// when all are whole, in a folder of their own that is replaced.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "common/base/error.h"
#include "common/page/page.h"
#include "grader/commands.h"
#include "grader/last_class.h"
#include "grader/pages.h"
#include "grader/pseudonyms.h"
#include "grader/whole_file.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr char kIndex[] = "index.html";

class Report {
 public:
  Report(const CommandOptions& options)
      : options_(options), store_(options.results), folder_(options.results + "/report") {
    rubric_ = rubric_of(options.session, find_top());
    names_ = {rubric_.title, rubric_.file};
  }

  void write() {
    load();
    const std::string fresh = folder_ + ".new", old = folder_ + ".old";
    for (const std::string& path : {fresh, old}) fs::remove_all(path);
    if (mkdir(fresh.c_str(), 0700) != 0)
      throw Error("cannot make " + fresh + ": " + strerror(errno), kExitCannotRun);
    std::vector<Fingerprint> codes;
    for (size_t i = 0; i < students_.size(); ++i) {
      codes.push_back(code_of(students_[i]));
      write_whole(fresh + "/" + files_[i],
                  page::student_page(student_data(store_, shown(i), names_, kIndex)), false);
    }
    std::vector<Graded> all;
    for (size_t i = 0; i < students_.size(); ++i) all.push_back(shown(i));
    write_whole(fresh + "/" + kIndex,
                page::class_page(class_data(all, files_, codes, absent_, names_)), false);
    std::error_code none;
    fs::rename(folder_, old, none);
    fs::rename(fresh, folder_);
    fs::remove_all(old);
    std::printf("%zu submissions: open %s/%s\n", students_.size(), folder_.c_str(), kIndex);
  }

 private:
  void load() {
    LastClass counting = last_class(store_, rubric_, options_.session.backend);
    students_ = std::move(counting.gradings);
    absent_ = counting.absent;
    if (options_.pseudonyms) {
      std::set<std::string> identities;
      for (const std::string& one : store_.identities(options_.session.homework))
        identities.insert(one);
      for (const Graded& one : students_) identities.insert(one.identity);
      pseudonyms_ = grader::pseudonyms(pseudonym_key(options_.results), identities);
      // Their order tells nothing of names, either.
      std::sort(students_.begin(), students_.end(), [&](const Graded& a, const Graded& b) {
        return pseudonyms_.at(a.identity) < pseudonyms_.at(b.identity);
      });
    }
    for (const Graded& g : students_)
      files_.push_back(options_.pseudonyms ? pseudonyms_.at(g.identity) + ".html"
                                           : page_file(g.submission, g.identity));
  }

  // The one place that decides what a submission is called.
  Graded shown(size_t i) const {
    if (!options_.pseudonyms) return students_[i];
    return under_pseudonym(students_[i], pseudonyms_.at(students_[i].identity));
  }

  Fingerprint code_of(const Graded& g) {
    const auto own = store_.code_of(g.module_hash);
    const auto given = store_.given_of(g.config_hash);
    if (!own || !given) return {};
    if (!given_.contains(*given))
      given_[*given] =
          fingerprint(machine_code_from_json(store_.code_of(*given).value_or(kNoCode)));
    return without(fingerprint(machine_code_from_json(*own)), given_[*given]);
  }
  static constexpr char kNoCode[] = R"({"sm": 0, "files": [], "functions": []})";

  const CommandOptions& options_;
  Store store_;
  const std::string folder_;
  Rubric rubric_;
  PageNames names_;
  std::vector<Graded> students_;
  std::vector<std::string> files_;
  std::map<std::string, std::string> pseudonyms_;
  std::map<std::string, Fingerprint> given_;  // by module
  size_t absent_ = 0;
};

}  // namespace

int report_command(const CommandOptions& options) {
  require_results(options.results);
  Report(options).write();
  return kExitGood;
}

}  // namespace lockstep::grader
