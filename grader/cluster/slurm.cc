// SPDX-License-Identifier: Apache-2.0
// See slurm.h.
#include "grader/cluster/slurm.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/toolchain.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

// Slurm's own commands, with this process's environment: tasks inherit it.
ProcessResult call(const std::vector<std::string>& command, double wall_s) {
  std::vector<std::string> environment;
  for (char** one = environ; *one != nullptr; ++one) environment.emplace_back(*one);
  ProcessLimits limits;
  limits.wall_s = wall_s;
  limits.output_bytes = 16 << 20;
  return run_process(command, environment, limits);
}

std::string what_it_says(const ProcessResult& result) {
  const std::string text = result.timed_out ? "no answer" : result.err + result.out;
  std::string line = text.substr(0, std::min(text.find_last_not_of("\n") + 1, size_t{500}));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return printable(line);
}

std::vector<std::string> options_of(const SlurmOptions& o) {
  std::vector<std::string> words = {"--ntasks=1",
                                    "--cpus-per-task=" + std::to_string(o.processors)};
  if (!o.partition.empty()) words.push_back("--partition=" + o.partition);
  if (!o.gres.empty()) words.push_back("--gres=" + o.gres);
  words.insert(words.end(), o.more.begin(), o.more.end());
  return words;
}

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

// In a file's name sbatch takes '%' for the beginning of something.
std::string as_pattern(const std::string& path) {
  std::string text;
  for (char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

ClusterTask::State state_of(const std::string& word) {
  using State = ClusterTask::State;
  for (const char* waiting : {"PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT"})
    if (word == waiting) return State::kWaiting;
  if (word.rfind("CANCELLED", 0) == 0) return State::kCancelled;
  for (const char* ended : {"COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "BOOT_FAIL", "DEADLINE",
                            "OUT_OF_MEMORY", "PREEMPTED", "REVOKED"})
    if (word == ended) return State::kEnded;
  return State::kWorking;  // RUNNING, COMPLETING, SUSPENDED and what else may be a process
}

}  // namespace

void Slurm::require() {
  for (const char* program : {"sbatch", "squeue", "scancel", "srun"})
    if (find_program(program).empty())
      throw Error(std::string("--slurm: ") + program +
                      " is not on the PATH: this machine is no client of a Slurm cluster; without "
                      "--slurm the class is graded here",
                  kExitCannotRun);
  const ProcessResult answer = call({"squeue", "--noheader", "--me"}, 60);
  if (!answer.good())
    throw Error("--slurm: Slurm does not answer (" + what_it_says(answer) +
                    "); ask sinfo, or leave --slurm out to grade here",
                kExitCannotRun);
}

Slurm::Slurm(SlurmOptions options, std::string name, std::string folder)
    : options_(std::move(options)), name_("lockstep-" + name), folder_(std::move(folder)) {}

std::string Slurm::submit(int tasks, const std::set<std::string>& without) {
  std::vector<std::string> command = {"sbatch",
                                      "--parsable",
                                      "--requeue",
                                      "--array=1-" + std::to_string(tasks),
                                      "--job-name=" + name_,
                                      "--open-mode=append",
                                      "--chdir=/",
                                      "--output=" + as_pattern(folder_) + "/log/%A_%a.txt"};
  for (const std::string& word : options_of(options_)) command.push_back(word);
  std::string nodes;
  for (const std::string& node : without) nodes += (nodes.empty() ? "" : ",") + node;
  if (!nodes.empty()) command.push_back("--exclude=" + nodes);
  // The shell becomes the grader, so that what Slurm does to the script is done to it.
  command.push_back("--wrap=exec " + shell_quoted(this_program()) + " task " +
                    shell_quoted(folder_));
  const ProcessResult result = call(command, 120);
  if (!result.good()) throw Error("sbatch takes no job: " + what_it_says(result), kExitCannotRun);
  return result.out.substr(0, result.out.find_first_of(";\n"));
}

std::optional<std::vector<ClusterTask>> Slurm::tasks() {
  const ProcessResult result = call(
      {"squeue", "--noheader", "--array", "--states=all", "--user=" + std::to_string(geteuid()),
       "--name=" + name_, "--Format=ArrayJobID:40,ArrayTaskID:40,State:40"},
      60);
  if (!result.good()) return std::nullopt;
  std::vector<ClusterTask> all;
  std::istringstream lines(result.out);
  for (std::string job, index, state; lines >> job >> index >> state;)
    all.push_back({job + "_" + index, job, state_of(state)});
  return all;
}

void Slurm::cancel() {
  call({"scancel", "--user=" + std::to_string(geteuid()), "--name=" + name_}, 60);
}

std::string Slurm::run_one(const SlurmOptions& options, const std::vector<std::string>& command) {
  std::vector<std::string> words = {"srun", "--quiet", "--chdir=/", "--job-name=lockstep-question"};
  for (const std::string& word : options_of(options)) words.push_back(word);
  words.push_back(this_program());
  words.insert(words.end(), command.begin(), command.end());
  constexpr double kPatience_s = 24 * 3600;  // a queue may be long
  const ProcessResult result = call(words, kPatience_s);
  if (!result.good())
    throw Error("a node of the cluster cannot grade: " + what_it_says(result) +
                    "; choose others, say with --slurm-option=--exclude=NODE",
                kExitCannotRun);
  return result.out;
}

}  // namespace lockstep::grader
