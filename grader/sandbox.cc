// SPDX-License-Identifier: Apache-2.0
// Command lines of the cages. What is not named here is not seen inside: no home folders, no
// /etc, no solutions, rubrics, results or other submissions. See docs/security.md.
#include "grader/sandbox.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "common/base/error.h"
#include "grader/commands.h"
#include "runner/doorkeeper.h"
#include "runner/jail.h"
#include "runner/process.h"

namespace lockstep::grader {

namespace {

namespace fs = std::filesystem;

// systemd's dynamic range, in which there are no real accounts.
constexpr int64_t kFirstUser = 61184, kUsers = 4336;
constexpr int64_t kTemporaryBytes = 256 << 20;
constexpr double kWallPerCpu = 4;
constexpr char kRunnerInside[] = "/lockstep-runner", kAskedInside[] = "/lockstep-asked.so";

void add(std::vector<std::string>* command, std::initializer_list<std::string> words) {
  command->insert(command->end(), words);
}

// "/opt", "/opt/nvidia" of "/opt/nvidia/cuda".
std::vector<std::string> parents(const std::string& path) {
  std::vector<std::string> out;
  for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    out.push_back(path.substr(0, at));
  return out;
}

// The kernel ends it by its ticks, which may differ from what it accounts by a tenth: so a second
// later than what is allowed.
int64_t cpu_limit_s(const Sandbox::Build& build) { return static_cast<int64_t>(build.cpu_s) + 1; }

// Those that the kernel raises for what a program does, and abort().
Ending ending_by(int signal) {
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
    if (signal == own) return Ending::kCrashed;
  return signal == SIGXFSZ ? Ending::kSize : Ending::kKilled;
}

// What we stopped it for is known to us; else the doorkeeper tells.
Ending ending_of(const Sandbox::Build& build, const ProcessResult& process,
                 const DoorReport& report) {
  if (!report.entered) return Ending::kCage;
  if (process.out_of_memory) return Ending::kMemory;
  if (process.timed_out) return Ending::kTime;
  if (process.flooded) return Ending::kRefused;
  if (!report.ended) return Ending::kCage;
  if (report.exit_code == 0) return Ending::kGood;
  // A compiler may wait for the process that was stopped, and end by itself.
  if (report.signal == SIGXCPU || report.cpu_s >= build.cpu_s) return Ending::kTime;
  if (report.peak_memory_bytes >= build.memory_bytes) return Ending::kMemory;
  if (report.signal != 0) return ending_by(report.signal);
  // As a shell says that it could not become the command.
  return report.exit_code == 126 || report.exit_code == 127 ? Ending::kCage : Ending::kRefused;
}

}  // namespace

std::string SandboxPaths::asked() const {
  return fs::path(runner).replace_filename("asked.so").string();
}

const char* to_string(Strength strength) {
  return strength == Strength::kFull ? "full" : strength == Strength::kMiddle ? "middle" : "weak";
}

// A command's beginning: the runner, with its limits and with what it may reach.
void Sandbox::add_jail(std::vector<std::string>* command, const Jail& jail) {
  add(command, {"--jail", lockstep::to_string(jail)});
  for (const std::string& path : jail.reach.read) add(command, {"--see", path});
  for (const std::string& path : jail.reach.write) add(command, {"--write", path});
}

std::vector<std::string> Sandbox::smallest_cage() const {
  std::vector<std::string> command = common_part();
  bind(&command, "/usr/bin", true);
  add(&command, {"--", kRunnerInside});
  return command;
}

// The kernel counts a user's processes over the whole machine, so graders that work at one time
// should not share their users: each begins somewhere.
int64_t Sandbox::user_of_slot(int slot) const {
  static const int64_t begin = std::random_device()() % kUsers;
  return root_ ? kFirstUser + (begin + slot) % kUsers : 0;
}

std::vector<std::string> Sandbox::common_part() const {
  std::vector<std::string> c = {paths_.bwrap};
  // As root no user namespace is needed: the jail inside becomes another user instead, for which
  // a limit on processes holds.
  if (root_)
    add(&c, {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
             "--unshare-cgroup-try"});
  else
    add(&c, {"--unshare-all"});
  add(&c, {"--die-with-parent", "--new-session", "--hostname", "lockstep", "--clearenv"});
  add(&c, {"--setenv", "PATH", "/usr/bin", "--setenv", "LC_ALL", "C", "--setenv", "HOME", "/tmp",
           "--setenv", "TMPDIR", "/tmp"});
  add(&c, {"--perms", "1777", "--size", std::to_string(kTemporaryBytes), "--tmpfs", "/tmp"});
  // Folders that only lead to others would be readable by root alone.
  for (const char* folder : {"/usr", "/dev"}) add(&c, {"--perms", "0755", "--dir", folder});
  for (const std::string& up : parents(paths_.toolkit)) add(&c, {"--perms", "0755", "--dir", up});
  for (const char* folder : {"/usr/lib", "/usr/lib64", "/usr/lib32"}) bind(&c, folder, false);
  for (const char* name : {"lib", "lib64", "bin"}) {
    std::error_code error;
    if (fs::is_symlink(std::string("/") + name, error))
      add(&c, {"--symlink", std::string("usr/") + name, std::string("/") + name});
    else
      bind(&c, std::string("/") + name, false);
  }
  add(&c, {"--ro-bind", paths_.runner, kRunnerInside});
  add(&c, {"--dev-bind", "/dev/null", "/dev/null"});
  return c;
}

void Sandbox::bind(std::vector<std::string>* command, const std::string& path,
                   bool must_exist) const {
  add(command, {must_exist ? "--ro-bind" : "--ro-bind-try", path, path});
}

// What the full cage shows: compilers, libraries and toolkit, and no device but /dev/null.
Reach Sandbox::reach_of(const std::string& read, const std::string& write) const {
  Reach reach;
  reach.read = {"/usr/bin",     "/usr/lib",         "/usr/lib64",   "/usr/lib32",
                "/usr/include", "/usr/libexec",     "/lib",         "/lib64",
                "/bin",         "/etc/ld.so.cache", paths_.toolkit, paths_.runner};
  reach.read.push_back(paths_.asked());
  if (!read.empty()) reach.read.push_back(read);
  reach.write = {"/dev/null"};
  if (!write.empty()) reach.write.push_back(write);
  return reach;
}

std::string Sandbox::scratch_of(int slot) const {
  const std::string path = scratch_->path() + "/" + std::to_string(slot);
  const auto user = static_cast<uid_t>(user_of_slot(slot));
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(path + ": " + strerror(errno), kExitCannotRun);
  if (root_ && chown(path.c_str(), user, static_cast<gid_t>(user)) != 0)
    throw Error(path + ": " + strerror(errno), kExitCannotRun);
  return path;
}

std::string Sandbox::source_view(const Build& build) const {
  return strength_ == Strength::kFull ? "/src" : build.source_folder;
}

std::string Sandbox::output_view(const Build& build) const {
  return strength_ == Strength::kFull ? "/out" : build.output_folder;
}

std::string Sandbox::runner_view() const {
  return strength_ == Strength::kFull ? kRunnerInside : paths_.runner;
}

std::string Sandbox::asked_view() const {
  return strength_ == Strength::kFull ? kAskedInside : paths_.asked();
}

std::vector<std::string> Sandbox::build_part(const Build& build) const {
  Jail jail;
  jail.cpu_s = cpu_limit_s(build);
  // Resident memory is what is limited, from outside. This ends what grows too fast to be watched.
  jail.address_bytes = 2 * build.memory_bytes;
  jail.file_bytes = build.file_bytes;
  jail.processes = 48;
  jail.open_files = 256;
  jail.uid = user_of_slot(build.slot);
  jail.seccomp = true;
  std::vector<std::string> c;
  if (strength_ == Strength::kFull) {
    c = common_part();
    for (const char* folder : {"/usr/bin", "/usr/include"}) bind(&c, folder, true);
    bind(&c, "/usr/libexec", false);
    if (paths_.toolkit.rfind("/usr/lib/", 0) != 0) bind(&c, paths_.toolkit, true);
    add(&c, {"--ro-bind", paths_.asked(), kAskedInside});
    add(&c, {"--ro-bind", build.source_folder, "/src", "--bind", build.output_folder, "/out",
             "--chdir", "/src", "--remount-ro", "/", "--", kRunnerInside});
  } else {
    c = {"/usr/bin/env",
         "-C",
         build.source_folder,
         "-i",
         "PATH=/usr/bin:/bin",
         "LC_ALL=C",
         "TMPDIR=" + build.output_folder,
         paths_.runner};
  }
  if (strength_ == Strength::kMiddle) {
    jail.offline = true;
    jail.reach = reach_of(build.source_folder, build.output_folder);
  }
  add_jail(&c, jail);
  return c;
}

std::vector<std::string> Sandbox::build_command(const Build& build,
                                                const std::vector<std::string>& command) const {
  std::vector<std::string> c = build_part(build);
  add(&c, {"exec"});
  c.insert(c.end(), command.begin(), command.end());
  return c;
}

CageResult Sandbox::run_build(const Build& build, const std::vector<std::string>& command,
                              size_t output_bytes) const {
  std::vector<std::string> c = build_part(build);
  add(&c, {"report", std::to_string(kReportFd)});
  c.insert(c.end(), command.begin(), command.end());
  ProcessLimits limits;
  // Processor time is what counts; the wall clock only ends what sleeps.
  limits.wall_s = kWallPerCpu * build.cpu_s;
  limits.memory_bytes = build.memory_bytes;
  limits.output_bytes = output_bytes;
  limits.output_kill_bytes = 4 << 20;
  limits.wants_report = true;
  ProcessResult process = run_process(c, clean_environment(), limits);
  const DoorReport report = parse_door_report(process.report);
  CageResult result;
  result.ending = ending_of(build, process, report);
  result.exit_code = report.exit_code;
  result.signal = report.signal;
  result.flooded = process.flooded;
  result.spent_s = std::max(report.cpu_s, process.wall_s / kWallPerCpu);
  result.out = std::move(process.out);
  result.err = std::move(process.err);
  return result;
}

namespace {

// Which GPUs the driver shows: names of variables and their values.
std::vector<std::pair<std::string, std::string>> visible_devices(const Sandbox::Run& run) {
  if (!run.gpu) return {};
  if (!run.visible.empty()) return {{"CUDA_VISIBLE_DEVICES", run.visible}};
  std::vector<std::pair<std::string, std::string>> own;  // a batch system's, say
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"})
    if (const char* value = std::getenv(name)) own.emplace_back(name, value);
  return own;
}

}  // namespace

std::vector<std::string> Sandbox::runner_command(const Run& run) const {
  Jail jail;
  jail.cpu_s = static_cast<int64_t>(run.cpu_s) + 1;
  // CUDA reserves far more address space than it uses; its memory is watched from outside.
  jail.address_bytes = run.gpu ? 0 : run.memory_bytes;
  jail.file_bytes = run.file_bytes;
  jail.processes = 256;
  jail.open_files = 1024;
  jail.uid = user_of_slot(run.slot);
  jail.seccomp = true;
  std::vector<std::string> c;
  if (strength_ == Strength::kFull) {
    c = common_part();
    add(&c, {"--proc", "/proc"});
    if (run.gpu) {
      add(&c, {"--ro-bind", "/sys", "/sys", "--setenv", "CUDA_CACHE_DISABLE", "1"});
      // CUPTI is the toolkit's, and the cage has no link /usr/local/cuda and no nvcc to find it by.
      add(&c, {"--setenv", "CUDA_HOME", paths_.toolkit});
      for (const auto& [name, value] : visible_devices(run)) add(&c, {"--setenv", name, value});
      for (const auto& node : fs::directory_iterator("/dev")) {
        std::string path = node.path();
        if (path.rfind("/dev/nvidia", 0) == 0) add(&c, {"--dev-bind", path, path});
      }
      bind(&c, "/etc/ld.so.cache", false);
      bind(&c, paths_.toolkit, false);
      // Where a container keeps the driver's libraries.
      const char* search = std::getenv("LD_LIBRARY_PATH");
      std::string folders = search == nullptr ? "" : search;
      for (size_t at = 0; at < folders.size();) {
        size_t end = std::min(folders.find(':', at), folders.size());
        std::string folder = folders.substr(at, end - at);
        at = end + 1;
        if (!folder.empty() && folder[0] == '/' && folder != "/") bind(&c, folder, false);
      }
      bind(&c, "/usr/local/nvidia", false);
      if (!folders.empty()) add(&c, {"--setenv", "LD_LIBRARY_PATH", folders});
    }
    add(&c, {"--remount-ro", "/", "--", kRunnerInside});
  } else {
    c = {"/usr/bin/env", "CUDA_HOME=" + paths_.toolkit};
    for (const auto& [name, value] : visible_devices(run)) add(&c, {name + "=" + value});
    if (strength_ == Strength::kMiddle) add(&c, {"TMPDIR=" + scratch_of(run.slot)});
    add(&c, {paths_.runner});
  }
  if (strength_ == Strength::kMiddle) {
    jail.offline = true;
    jail.reach = reach_of("", scratch_of(run.slot));
  }
  add_jail(&c, jail);
  add(&c, {"serve"});
  return c;
}

}  // namespace lockstep::grader
