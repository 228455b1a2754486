// SPDX-License-Identifier: Apache-2.0
// Which of a submission's files is meant, by their names alone: of a folder and of an archive by
// the same rule. Names that some machine takes for each other are one name: what a person is shown
// there must be what is graded.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "grader/file_names.h"

namespace lockstep::grader {

// By its ending, or by its whole name, or by what either is to some other machine (file_names.h).
bool is_source_name(const std::string& path, const std::string& file_name);

// Why a file that is neither that nor an archive cannot be taken, and what to do; "neither ...".
std::string neither_source_nor_archive(const std::string& file_name);

// A file that could be the one, or be taken for it.
struct FoundFile {
  std::string path;            // from the top
  std::string problem = {};    // why it cannot be taken
  std::string elsewhere = {};  // why some machine would put it elsewhere (problem_of_name)
  std::string also = {};       // another path of it, by which a person may see it
  std::string contents = {};   // where they are kept
  size_t rank = 0;             // the less, the rather; set by FileChoice
};

class FileChoice {
 public:
  explicit FileChoice(std::string file_name);
  // Any file that is not is_hidden(). Null, or the file, if it is a source and none before goes
  // before it: its contents alone may be wanted then, and those that an earlier one held are gone.
  // Valid until the next call.
  FoundFile* add(FoundFile file);
  // A file or folder, added or not, that a person is not shown once it is unpacked.
  void hide(const std::string& path) { hidden_.insert(folded_path(path)); }
  // A list of what desktops do not show of its folder (file_names.h); what it names is not read.
  void add_hiding_list(const std::string& path);
  // A list by which a desktop shows other names than there are (renaming_list.h).
  void add_renaming_list(const std::string& path) { renaming_list_ = path; }
  // The one file of the right name nearest the top, or the only source. Null: *problem says why
  // there is none, or why a person could find another.
  FoundFile* meant(std::string* problem);
  // Where meant() found nothing: the archive that is the submission, being the only one, with no
  // source beside it or what may be taken for one; *problem is empty then. Null: *problem is left
  // as it was, or says why none can be chosen.
  const FoundFile* only_archive(std::string* problem) const;
  // Archives lie in it, and no source or what may be taken for one.
  bool holds_archives_alone() const;

 private:
  bool looks_like_it(const std::string& name) const;
  bool is_shown_like_it(const std::string& name) const;
  // The files that go before all others; more than one: which is meant?
  std::vector<FoundFile*> nearest();
  bool is_alone(const FoundFile& file) const;
  std::string problem_of(const FoundFile& file) const;
  std::string problem_beside(const FoundFile* chosen) const;
  std::string problem_of_shown(const FoundFile& other, const char* where,
                               const FoundFile& chosen) const;
  std::string problem_of_changes(const FoundFile& chosen) const;
  std::string problem_of_hiding(const FoundFile& chosen) const;
  size_t common_beginning(const std::string& folded) const;

  std::string file_name_, look_;
  std::vector<FoundFile> files_, streams_, lookalikes_, archives_;
  std::vector<FoundFile> shown_alike_;    // those that a desktop may show as the one
  std::vector<FoundFile> changeable_;     // whose names not all programs keep, and may be sources
  std::set<std::string> hidden_, lists_;  // folded paths, of the second without the file's name
  size_t best_ = 0;                       // of files_
  std::string renaming_list_;             // the path of one, if any
  size_t others_ = 0;                     // files that are none
};

}  // namespace lockstep::grader
