// SPDX-License-Identifier: Apache-2.0
// The two cages: one to compile a submission in, one to execute its kernels in. bubblewrap makes
// the namespaces and the view of the file system; lockstep-runner, inside, adds the limits
// (runner/jail.h). Where namespaces are refused there are weaker cages, to be asked for, and said
// in every report: a middle one, in which Landlock says which files are reached, and a weak one, of
// limits and another user only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runner/jail.h"

namespace lockstep::grader {

class TemporaryWork;

enum class Strength {
  kFull,    // namespaces: no network, no files but those needed, own processes
  kMiddle,  // the same files and no network, by Landlock and seccomp; other processes are seen
  kWeak,    // limits alone
};
const char* to_string(Strength strength);

struct SandboxPaths {
  std::string bwrap;          // empty: not found
  std::string runner;         // lockstep-runner
  std::string toolkit;        // CUDA, real path
  std::string asked() const;  // the library of runner/preload/, beside the runner
};

// How a command in the build cage ended, by exit statuses and by the doorkeeper's report: nothing
// that the command prints is read.
enum class Ending {
  kGood,
  kRefused,  // it ended by itself, or was stopped for what it printed: the command says no
  kTime,     // it used up its processor time, or slept through the wall time
  kMemory,   // it reached the limit of memory
  kSize,     // it reached the limit of a file's size
  kCrashed,  // it died by a signal that a program's own fault raises
  kKilled,   // it died by one that comes from elsewhere, as where a machine has no memory left
  kCage,     // the cage did not come up, its doorkeeper was lost, or the command was never started
};

struct CageResult {
  Ending ending = Ending::kCage;
  int exit_code = -1;  // -1: died by `signal`
  int signal = 0;
  bool flooded = false;
  double spent_s = 0;    // of the processor time allowed: what it used, or a quarter of wall time
  std::string out, err;  // head and tail
};

class Sandbox {
 public:
  // Tries what this machine allows, the strongest first. Throws Error (kExitCannotRun), with the
  // remedy, where none that is at least so strong works.
  Sandbox(SandboxPaths paths, Strength least);
  // A card's driver reaches more files than a middle cage has: it becomes a weak one. Throws Error
  // where that is too weak.
  void prepare_for_gpu();

  Strength strength() const { return strength_; }
  // Why the cage is weak, in one line; empty where it is full.
  const std::string& weakness() const { return weakness_; }

  struct Build {
    std::string source_folder;  // seen, read-only, as /src, the working folder
    std::string output_folder;  // seen as /out, writable
    double cpu_s = 60;          // of one command
    int64_t memory_bytes = int64_t{4} << 30;
    int64_t file_bytes = 64 << 20;
    int slot = 0;  // builds at one time have different slots
  };
  // The command that runs `command` (paths as seen inside) in the cage.
  std::vector<std::string> build_command(const Build& build,
                                         const std::vector<std::string>& command) const;
  // Runs it to its end. Wall time is bounded by four times the processor time.
  CageResult run_build(const Build& build, const std::vector<std::string>& command,
                       size_t output_bytes = 16 << 10) const;
  // Where the cage shows these folders, lockstep-runner and the library of runner/preload/.
  std::string source_view(const Build& build) const;
  std::string output_view(const Build& build) const;
  std::string runner_view() const;
  std::string asked_view() const;

  struct Run {
    bool gpu = false;
    // DeviceInfo::uuid of the GPU that it sees, which is its first one then: a driver that sees
    // others opens them as well, 0.2 s each. Empty: all that the grader itself may see.
    std::string visible;
    double cpu_s = 120;
    int64_t memory_bytes = int64_t{4} << 30;
    int64_t file_bytes = 64 << 20;
    int slot = 0;
  };
  // The command that is a lockstep-runner in the cage, served on its standard input.
  std::vector<std::string> runner_command(const Run& run) const;

  // The user that caged processes run as; 0: the one who runs the grader.
  int64_t user_of_slot(int slot) const;
  // Whether these reach a cage's folders by their names here, not as what is bound into it.
  bool is_passed_by_others() const { return root_ && strength_ != Strength::kFull; }

 private:
  std::vector<std::string> build_part(const Build& build) const;
  std::vector<std::string> common_part() const;
  void bind(std::vector<std::string>* command, const std::string& path, bool must_exist) const;
  std::vector<std::string> smallest_cage() const;  // the runner in a full one
  static void add_jail(std::vector<std::string>* command, const Jail& jail);
  std::string scratch_of(int slot) const;
  std::string probe(Strength strength) const;  // empty: works
  std::string trial(const Jail& jail, std::vector<std::string> command,
                    const std::vector<std::string>& what) const;
  Reach reach_of(const std::string& read, const std::string& write) const;

  SandboxPaths paths_;
  bool root_;
  Strength least_, strength_ = Strength::kWeak;
  std::string weakness_;
  // Of a middle cage: where runners keep what they are sent, a folder for each slot.
  std::shared_ptr<const TemporaryWork> scratch_;
};

}  // namespace lockstep::grader
