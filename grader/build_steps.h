// SPDX-License-Identifier: Apache-2.0
// The steps of one build: what the tools do in the cage, all within one limit of processor time,
// and what they leave there. The folder that they see has the layout of the repository, so that
// messages name files as the student's own make does: hwNN/hwNN.cu.
#pragma once

#include <string>
#include <vector>

#include "grader/build.h"
#include "grader/nvcc_steps.h"
#include "grader/sandbox.h"

namespace lockstep::grader {

// Makes a file with a time that is the same for all; throws Error where it cannot.
void write_file(const std::string& path, const std::string& contents);

// What a compiler that has no room to write to says is no refusal of the text. Why a folder's disk
// has less than one file of a build may take; "" where it has.
std::string room_problem(const std::string& folder, int64_t bytes = Sandbox::Build().file_bytes);

class BuildSteps {
 public:
  BuildSteps(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
             const Sandbox& sandbox);

  // "hw02/hw02.cu"; the instructor's file that includes it.
  const std::string& shown_file() const { return shown_file_; }
  const std::string& instances() const { return instances_; }
  std::string name() const { return rubric_.homework; }
  // Where the toolkit's headers are, by canonical paths.
  const std::vector<std::string>& toolkit_folders() const { return toolkit_folders_; }
  // A name that a tool said, as a path without "." and ".." of what is seen in the cage.
  std::string seen(const std::string& file) const;
  // A header of the toolkit, the compiler or the system, by its canonical path; empty: it is none.
  std::string system_header(const std::string& file) const;

  // Writes the sources and asks nvcc for its steps. False: stopped.
  bool lay_out();
  // The preprocessor on the submission; `more`: its options besides. With another source it reads
  // that in the submission's place, from then on: output says no other names.
  CageResult preprocess(const std::string& more = "");
  CageResult preprocess_instead(const std::string& source, const std::string& more = "");
  // The preprocessor's list of files alone, with missing ones taken as there.
  CageResult list_files();
  // The compiler, on these very bytes.
  CageResult compile(const std::string& text);
  // The survey of PTX, and ptxas on it, which the cage can only read.
  CageResult survey(const std::string& ptx);
  CageResult assemble(const std::string& ptx);

  // What the steps left.
  bool take_dependencies(std::string* into) { return take("dependencies", into); }
  bool take_preprocessed(std::string* into);
  bool take_ptx(std::string* into) { return take(name() + ".ptx", into); }
  // The part of the PTX that the survey was made of, where that is not the whole.
  bool take_launched(std::string* into) { return take(launched_name(), into); }
  bool take_cubin(std::string* into) { return take(name() + ".cubin", into); }

  // Whether a step went well; `said` is given its messages then. Else stopped, with why it did not.
  bool ended(const CageResult& result, const char* program, std::string* said = nullptr);
  // The build ends with this problem. False.
  bool stop(const char* problem, const std::string& log);
  std::string messages(const CageResult& result) const;
  BuildResult& result() { return result_; }

 private:
  std::string out_view(const std::string& file) const;
  std::string launched_name() const { return name() + ".launched.ptx"; }
  std::string put_ptx(const std::string& text) const;
  void write_sources() const;
  CageResult run(const std::vector<std::string>& command, size_t output_bytes = 16 << 10);
  bool take(const std::string& file, std::string* into);

  const BuildRequest& request_;
  const Rubric& rubric_;
  const Toolchain& tools_;
  const Sandbox& sandbox_;
  Sandbox::Build cage_;
  NvccSteps nvcc_;
  std::string shown_file_, instances_;
  std::vector<std::string> toolkit_folders_;
  BuildResult result_;
};

}  // namespace lockstep::grader
