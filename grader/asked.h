// SPDX-License-Identifier: Apache-2.0
// Which files the preprocessor asked for while it read a submission, as runner/preload/asked.cc
// lists them, and which of these questions (__has_include, in any spelling) tell one machine from
// another. An answer may follow from the compiler's own folders alone: "yes" by a file in them, or
// "no" after nothing else was looked at.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace lockstep::grader {

class Asked {
 public:
  // `nowhere`: a header that is in no folder, and was asked for as <nowhere>: where that was looked
  // for are the compiler's folders. `instances` and `student`: our two files, as found from the top
  // folder. Throws Error where the list shows neither them nor those folders: it is not whole then.
  Asked(const std::string& list, const std::string& nowhere, const std::string& instances,
        const std::string& student);

  // What else was asked for, as a text would write it, each once.
  std::vector<std::string> foreign();

 private:
  struct File {
    bool found;
    std::string name;
  };
  void read(const std::string& list);
  bool is_ours(const std::string& name) const { return name == instances_ || name == student_; }
  bool is_compilers(const std::string& name) const;
  bool is_foreign(const File& file);
  bool has_compiler(const std::string& operand) const;
  bool stands_in_header(const std::string& operand);
  std::string operand(const std::string& name) const;

  std::vector<File> files_;
  std::set<std::string> found_;
  std::string instances_, student_, beside_;  // as the preprocessor calls them
  std::vector<std::string> folders_;  // the compiler's, as it calls them, with '/' at the end
  size_t quoted_asked_ = 0;
};

}  // namespace lockstep::grader
