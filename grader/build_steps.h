// SPDX-License-Identifier: Apache-2.0
// The steps of one build: what the tools do in the cage, all within one limit of processor time,
// and what they are asked besides, within another; and what they leave there. The folder that they
// see has the layout of the repository, so that messages name files as the student's own make does:
// hwNN/hwNN.cu.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/build.h"
#include "grader/nvcc_steps.h"
#include "grader/sandbox.h"

namespace lockstep::grader {

// What a tool that ended by itself makes of a text.
struct Answer {
  bool accepted = false;  // its exit status is 0
  bool flooded = false;   // it was stopped for what it printed
  int exit_code = 0;
  std::string out, messages;  // messages: both streams, as shown
};
// There is none of a tool that did not run to its end by itself. Then the build is stopped, and its
// result says why.
using MaybeAnswer = std::optional<Answer>;

struct Tool;

class BuildSteps {
 public:
  BuildSteps(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
             const Sandbox& sandbox);

  // "hw02/hw02.cu"; the instructor's file that includes it.
  const std::string& shown_file() const { return shown_file_; }
  const std::string& instances() const { return instances_; }
  std::string name() const { return rubric_.homework; }
  // A name that no submission can know; one of a header that is in no folder, for which the
  // preprocessor is asked after it has read the submission (asked.h).
  static std::string secret_word();
  const std::string& nowhere() const { return nowhere_; }
  // Where the toolkit's headers are, by canonical paths.
  const std::vector<std::string>& toolkit_folders() const { return toolkit_folders_; }
  // A name that a tool said, as a path without "." and ".." of what is seen in the cage.
  std::string seen(const std::string& file) const;
  // A header of the toolkit, the compiler or the system, by its canonical path; empty: it is none.
  std::string system_header(const std::string& file) const;

  // Writes the sources and asks nvcc for its steps. False: stopped.
  bool lay_out();
  // The preprocessor on the submission.
  MaybeAnswer preprocess();
  // It is asked about another source, in the submission's place from then on: output says no other
  // names. `reason`: why, "hw02/hw02.cu:7: text that ..."; `more`: options besides.
  MaybeAnswer preprocess_instead(const std::string& source, const std::string& reason,
                                 const std::string& more = "");
  // The compiler's own preprocessor is asked about a text; `more`: by which option. It has made no
  // module, so that its answer is a refusal, which says nothing.
  MaybeAnswer preprocess_again(const std::string& text, const std::string& reason,
                               const std::string& more);
  // The preprocessor's list of files alone, with missing ones taken as there.
  MaybeAnswer list_files();
  // The compiler, on these very bytes.
  MaybeAnswer compile(const std::string& text);
  // The survey of PTX, and ptxas on it, which the cage can only read.
  // whole: of all that is there, launched or not.
  MaybeAnswer survey(const std::string& ptx, bool whole = false);
  MaybeAnswer assemble(const std::string& ptx);
  // Whether the part's functions are the same in both cubins: *name is one that is not.
  bool compare_code(const std::string& whole, const std::string& part, std::string* name);
  // The machine code of a cubin as JSON (common/backend/machine_code.h), within a limit of its own;
  // "" where it cannot be had, which stops nothing.
  std::string listing(const std::string& cubin) const;

  // What the steps left.
  bool take_dependencies(std::string* into) { return take("dependencies", into); }
  bool take_asked(std::string* into) { return take(kAsked, into); }
  bool take_preprocessed(std::string* into);
  bool take_read_again(std::string* into) { return take(kReadAgain, into); }
  bool take_ptx(std::string* into) { return take(name() + ".ptx", into); }
  // The part of the PTX that the survey was made of, where that is not the whole.
  bool take_launched(std::string* into) { return take(launched_name(), into); }
  bool take_cubin(std::string* into) { return take(name() + ".cubin", into); }

  // Whether a step's program accepts the text. Else stopped, with what it says.
  bool accepted(const MaybeAnswer& answer, const char* program);
  // The build ends with this problem. False.
  bool stop(const char* problem, const std::string& log);
  BuildResult& result() { return result_; }

 private:
  std::string out_view(const std::string& file) const;
  std::string launched_name() const { return name() + ".launched.ptx"; }
  std::string put_ptx(const std::string& text) const;
  void write_sources() const;
  void empty_output() const;
  void put_preprocessed(const std::string& text) const;
  // For the cage's user to read, where that is another one, and for nobody else.
  void put(const std::string& path, const std::string& text) const;
  void share(const std::string& path, bool folder) const;
  MaybeAnswer run(const Tool& tool, const std::vector<std::string>& command,
                  size_t output_bytes = 16 << 10);
  MaybeAnswer ask(const Tool& tool, const std::string& reason,
                  const std::vector<std::string>& command);
  MaybeAnswer ask_within(double limit_s, const Tool& tool, const std::string& reason,
                         const std::vector<std::string>& command);
  MaybeAnswer answer(const CageResult& result, const Tool& tool, const std::string& too_slow);
  std::string messages(const CageResult& result) const;
  bool take(const std::string& file, std::string* into);

  const BuildRequest& request_;
  const Rubric& rubric_;
  const Toolchain& tools_;
  const Sandbox& sandbox_;
  static constexpr char kReadAgain[] = "read-again", kAsked[] = "asked";
  Sandbox::Build cage_;      // cpu_s: what is left
  double ask_s_ = 0;         // for all questions together: what is left
  double spent_s_ = 0;       // by the last step
  double preprocess_s_ = 0;  // spent on the submission itself
  NvccSteps nvcc_;
  std::string shown_file_, instances_;
  const std::string nowhere_;
  std::vector<std::string> toolkit_folders_;
  BuildResult result_;
};

}  // namespace lockstep::grader
