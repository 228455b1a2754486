// SPDX-License-Identifier: Apache-2.0
// What a class's archive holds, by the names of its members alone, and which folder of it is the
// class's own.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/stage.h"
#include "grader/unpacked_file.h"

namespace lockstep::grader {

struct ClassMember {
  std::string path;  // empty where it is not known, or leads out of the archive
  std::string raw;
  size_t number = 0;
  size_t size = 0;
  bool source = false, packed = false;  // by its name; neither: nothing that can be taken
  bool folder = false, hidden = false;  // as in Member
  bool gives_names = false;             // renaming_list.h
  std::string also = {};
  std::string head_problem = {};  // Member's own
  std::string problem = {};       // why it cannot be unpacked
};

// All but what programs leave beside a file that is there, of which the paths are kept.
struct ClassMembers {
  std::vector<ClassMember> all;
  std::set<std::string> companions;
  bool macintosh = false;  // a folder __MACOSX is left out
};
ClassMembers members_of(const std::string& path, const std::string& file_name,
                        const StageLimits& limits, const UnpackBudget& budget);

// "class/" where all lies in one folder that is the class's own: the instructor called the archive
// so, or it has several things with several files to be graded in it. With the file in it that the
// rubric asks for and nothing else, or else, it is somebody's submission. With both it may be
// either, and one who calls a file so decides nothing. Throws Error then.
std::string only_folder(const std::vector<ClassMember>& members, const std::string& archive,
                        const std::string& file_name);

}  // namespace lockstep::grader
