// SPDX-License-Identifier: Apache-2.0
// How strong a cage this machine allows, found out by trying. See sandbox.h.
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/error.h"
#include "grader/commands.h"
#include "grader/sandbox.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

std::string bubblewrap_remedy(const std::string& why) {
  return "the sandbox does not work here: " + why +
         "\n  install it (apt-get install bubblewrap) and allow user namespaces "
         "(sysctl kernel.unprivileged_userns_clone=1; in a container: --security-opt "
         "seccomp=unconfined, or run as root with CAP_SYS_ADMIN);\n  or go on without them where "
         "files can be confined all the same: --middle-sandbox;\n  or accept limits alone, on a "
         "machine with nothing to lose: --weak-sandbox";
}

}  // namespace

Sandbox::Sandbox(SandboxPaths paths, Strength least)
    : paths_(std::move(paths)), root_(geteuid() == 0), least_(least) {
  const std::string why = paths_.bwrap.empty() ? "bwrap is not installed" : probe(Strength::kFull);
  if (why.empty()) {
    strength_ = Strength::kFull;
    return;
  }
  if (least_ == Strength::kFull) throw Error(bubblewrap_remedy(why), kExitCannotRun);
  const std::string middle_why = probe(Strength::kMiddle);
  if (middle_why.empty()) {
    strength_ = Strength::kMiddle;
    auto scratch = std::make_shared<TemporaryWork>();
    scratch->open_for(*this);
    scratch_ = scratch;
    weakness_ = "MIDDLE SANDBOX: no namespaces (" + why + "), but files confined by Landlock";
    return;
  }
  if (least_ == Strength::kMiddle)
    throw Error(bubblewrap_remedy(why) + "\n  a middle one does not work either: " + middle_why,
                kExitCannotRun);
  weakness_ = "WEAK SANDBOX: submissions are compiled and run without namespaces (" + why + ")";
  std::string weak_why = probe(Strength::kWeak);
  if (!weak_why.empty())
    throw Error("not even the weak sandbox works here: " + weak_why, kExitCannotRun);
}

void Sandbox::prepare_for_gpu() {
  if (strength_ != Strength::kMiddle) return;
  const std::string why = "no namespaces, and the middle sandbox is for the emulator alone";
  if (least_ == Strength::kMiddle) throw Error(bubblewrap_remedy(why), kExitCannotRun);
  strength_ = Strength::kWeak;
  weakness_ = "WEAK SANDBOX: submissions are compiled and run without namespaces (" + why + ")";
}

std::string Sandbox::trial(const Jail& jail, std::vector<std::string> command,
                           const std::vector<std::string>& what) const {
  add_jail(&command, jail);
  command.push_back("exec");
  command.insert(command.end(), what.begin(), what.end());
  ProcessLimits limits;
  limits.wall_s = 10;
  ProcessResult result = run_process(command, clean_environment(), limits);
  if (result.good()) return {};
  std::string text = result.err.substr(0, result.err.find('\n'));
  return text.empty() ? "a first trial ended with code " + std::to_string(result.exit_code) : text;
}

std::string Sandbox::probe(Strength strength) const {
  for (const std::string& file : {paths_.runner, paths_.asked()})
    if (access(file.c_str(), X_OK) != 0) return file + " is missing: run make";
  std::vector<std::string> command;
  Jail jail;
  jail.uid = user_of_slot(0);
  jail.seccomp = true;
  if (strength == Strength::kFull) {
    command = smallest_cage();
  } else {
    command = {paths_.runner};
  }
  if (strength == Strength::kMiddle) {
    jail.offline = true;
    jail.reach = reach_of("", "");
  }
  std::string why = trial(jail, command, {"/usr/bin/true"});
  // A kernel that says yes and confines nothing is none.
  if (why.empty() && strength == Strength::kMiddle &&
      trial(jail, command, {"/usr/bin/head", "-c1", "/etc/passwd"}).empty())
    why = "Landlock lets /etc/passwd be read";
  return why;
}

}  // namespace lockstep::grader
