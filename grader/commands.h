// SPDX-License-Identifier: Apache-2.0
// The grader's commands, each with its options as given. They print to standard output, and
// return an exit code of common/base/error.h; what is wrong is thrown as Error.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/cluster/slurm.h"
#include "grader/new_homework.h"
#include "grader/session.h"
#include "grader/students.h"

namespace lockstep::grader {

struct CommandOptions {
  SessionOptions session;
  std::string path;  // check: the file; run: the submissions
  std::string results = "results";
  std::string view;  // "student", "instructor"; empty: as fits
  int jobs = 0;
  bool regrade = false;
  bool dry_run = false;  // regrade: tell, and store nothing
  bool json = false;
  bool brief = false;
  bool record = false;     // selfcheck: write recorded.json instead
  int draws = 20;          // selfcheck: on so many
  std::string format;      // export, check: a platform's (grader/export/format.h)
  std::string out;         // where to; export: empty for a name of its own, "-" for standard output
  std::string students;    // CSV file (grader/students.h)
  std::string assignment;  // export canvas: the column's heading
  std::string platform;    // run: whose naming the submissions have
  std::string submitted;   // check: when it was handed in
  std::string metadata;    // check: Gradescope's file, which tells that, too
  std::string html;        // check: a page, too, in this file
  bool pseudonyms = false;
  bool slurm = false;  // run: on a cluster
  SlurmOptions cluster;
  std::string
      shared;     // run --slurm: a folder that the nodes see, too; empty: in the results folder
  int tasks = 4;  // run --slurm
  NewHomework new_homework;
};

int check_command(const CommandOptions& options);
int run_command(const CommandOptions& options);
int export_command(const CommandOptions& options);
int regrade_command(const CommandOptions& options);
int backup_command(const CommandOptions& options);
int report_command(const CommandOptions& options);
int doctor_command(const CommandOptions& options);
int selfcheck_command(const CommandOptions& options);
int new_command(const CommandOptions& options);
// What run --slurm starts on nodes; `path` is the sitting's folder.
int task_command(const CommandOptions& options);

// The table of --students; nothing where none is given. Throws Error.
std::optional<StudentTable> read_students(const CommandOptions& options);
// What platforms tell of a submission by environment variables, fit for a line.
std::map<std::string, std::string> platform_environment();

// A folder of this process's own below the system's temporary one, which no other user can look
// into; gone with the object, and with the process, however that ends.
class TemporaryWork {
 public:
  TemporaryWork();
  ~TemporaryWork();
  TemporaryWork(const TemporaryWork&) = delete;
  const std::string& path() const { return path_; }
  // A weak cage's user passes through it.
  void open_for(const Sandbox& sandbox) const;

 private:
  std::string path_;
};

}  // namespace lockstep::grader
