// SPDX-License-Identifier: Apache-2.0
// From what was handed in to one file's contents: a plain file, a folder, a zip or tar archive,
// or a folder or archive full of those. Only regular files of the right name are taken, nothing
// is followed, and size, count and expansion are bounded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/left_behind.h"

namespace lockstep::grader {

struct StageLimits {
  size_t file_bytes = 1 << 20;        // of the student's file
  size_t archive_bytes = 64 << 20;    // an archive, packed
  size_t expanded_bytes = 128 << 20;  // what may be unpacked to look through a submission
  double unpack_s = 20;               // of a processor, for one submission
  // Of a class's archive: what it may put on the disk, shared fairly, and what it may cost to read.
  size_t class_bytes = size_t{2} << 30;
  size_t class_expanded_bytes = size_t{64} << 30;
  double class_unpack_s = 900;
  size_t entries = 2000;          // files and folders of one submission that are not hidden
  size_t class_entries = 100000;  // submissions of a class
};

// One submission before it is looked into. Who it is of is told by the bytes of its file's or
// folder's name alone; what is shown is made of them, and no two of a class are shown alike.
// Where several of an archive have one name, or a member has none, "/#" and the number of the
// member follow: no name holds a slash.
struct SubmissionEntry {
  std::string name;  // as shown: "alice" of alice.cu where no other could be meant
  std::string path;
  std::string identity = {};  // the bytes: "alice.cu"
  std::string problem = {};   // why it cannot be taken; empty: nothing is known yet
  bool other = false;         // a file that is neither a source nor an archive, by its name
};

struct StagedSubmission {
  std::string name;
  std::string path;
  std::string contents;
  std::string hash;           // SHA-256 of the contents; "problem " and that of the problem
  std::string problem;        // why it cannot be taken, for the student; empty: it can
  std::string identity = {};  // as in the entry
  // Where in the folder or archive it lay; empty: the submission is the file itself. In an archive
  // that lies in a folder, "packed.zip/src/hw02.cu".
  std::string file = {};
};

// The submission that one file or folder is.
SubmissionEntry single_submission(const std::string& path);

// The submissions in a folder or archive, by name. An archive of a class is unpacked below
// `work_folder`; a member that cannot be unpacked, and a file that is nothing that can be taken, is
// a submission with a problem. What is none is told in *left, if that is given. Throws Error where
// `path` is neither, or there are too many.
std::vector<SubmissionEntry> list_submissions(const std::string& path, const std::string& file_name,
                                              const std::string& work_folder,
                                              const StageLimits& limits = {},
                                              LeftBehind* left = nullptr);

// Takes the file out of one submission. What is wrong with the submission comes back as
// `problem`; Error is thrown only for what is wrong with this machine.
StagedSubmission stage_submission(const SubmissionEntry& entry, const std::string& file_name,
                                  const StageLimits& limits = {});

struct FoundText {
  std::string contents;
  std::string path;  // from the archive's top
};

// The file of an archive that is the one asked for. Sets *problem where there is none, or several,
// or the archive cannot be read or passes a limit.
FoundText read_from_archive(const std::string& path, const std::string& file_name,
                            const StageLimits& limits, std::string* problem);

// The submissions of a class's archive, unpacked below `folder`, whatever bytes their names are;
// each goes to a place of its own. Throws Error where the archive itself cannot be read on.
std::vector<SubmissionEntry> list_class_archive(const std::string& path,
                                                const std::string& file_name,
                                                const std::string& folder,
                                                const StageLimits& limits, LeftBehind* left);

// The folder of that archive whose members are the submissions, "class/"; empty: they lie at its
// top. Throws Error as list_class_archive() does.
std::string class_top(const std::string& path, const std::string& file_name,
                      const StageLimits& limits = {});

}  // namespace lockstep::grader
