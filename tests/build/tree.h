// SPDX-License-Identifier: Apache-2.0
// For the tests of the build: commands run by a shell, and a small tree with the real build rules,
// student's files and solutions but a host program of a few lines, in a folder whose name has a
// space, where a test may touch and break what it likes.
#pragma once

#include <string>

namespace lockstep::build_test {

struct Outcome {
  int status = -1;     // exit status; 128 + signal
  std::string output;  // standard output and error together
  double seconds = 0;
  bool has(const std::string& text) const { return output.find(text) != std::string::npos; }
  // Lines that contain the text.
  int lines_with(const std::string& text) const;
};

// Runs a command in a folder; the make that runs these tests is not passed on to it.
Outcome run(const std::string& folder, const std::string& command);

// The tree under test: where the tests are run.
std::string top();

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Nothing in it is built yet. common/part.h is included by both homeworks' assignment.cc.
class SmallTree {
 public:
  SmallTree();
  std::string path(const std::string& file = "") const;
  Outcome make(const std::string& arguments) const { return run(path(), "make " + arguments); }
  Outcome make_in(const std::string& folder, const std::string& arguments) const {
    return run(path(folder), "make " + arguments);
  }

 private:
  TemporaryFolder folder_;
};

// A copy of this tree, with what is built in it but for tests and debuggers.
class WholeTree {
 public:
  WholeTree();
  std::string path(const std::string& file) const { return folder_.path() + "/" + file; }
  Outcome in(const std::string& command) const { return run(folder_.path(), command); }

 private:
  TemporaryFolder folder_;
};

// Whether the toolkit that compiles device code is on this machine.
bool has_nvcc();

}  // namespace lockstep::build_test
