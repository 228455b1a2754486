// SPDX-License-Identifier: Apache-2.0
// See build_steps.h. What comes out of the cage is read as what it is: bytes of bounded size, of
// regular files alone.
#include "grader/build_steps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/plan.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostModuleBytes = 32 << 20;
constexpr size_t kMostSurveyBytes = 1 << 20;
constexpr char kListOption[] = " -MD ";  // of the preprocessor, as nvcc hands it on

// The command with the option for the list replaced.
std::vector<std::string> with_option(std::vector<std::string> command, const std::string& option) {
  const size_t at = command.back().find(kListOption);
  if (at == std::string::npos) throw Error("nvcc hands no -MD to the preprocessor");
  command.back().replace(at, sizeof kListOption - 1, option);
  return command;
}

CageResult out_of_time() {
  CageResult result;
  result.ending = Ending::kTime;
  return result;
}

}  // namespace

void write_file(const std::string& path, const std::string& contents) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (fd.get() < 0) throw Error("cannot write " + path + ": " + strerror(errno), kExitCannotRun);
  for (size_t done = 0; done < contents.size();) {
    ssize_t put = write(fd.get(), contents.data() + done, contents.size() - done);
    if (put <= 0) throw Error("cannot write " + path + ": " + strerror(errno), kExitCannotRun);
    done += static_cast<size_t>(put);
  }
  fchmod(fd.get(), 0644);
  // Every step of a build has the same time (__TIMESTAMP__; the cage sets it for __TIME__).
  const timespec times[2] = {{kSourceTime, 0}, {kSourceTime, 0}};
  futimens(fd.get(), times);
}

std::string room_problem(const std::string& folder, int64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error || space.available >= static_cast<uintmax_t>(bytes)) return {};
  return "the disk of " + folder + " has less than " + std::to_string(bytes >> 20) + " MiB left";
}

BuildSteps::BuildSteps(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
                       const Sandbox& sandbox)
    : request_(request), rubric_(rubric), tools_(tools), sandbox_(sandbox) {
  cage_.source_folder = request.folder + "/src";
  cage_.output_folder = request.folder + "/out";
  cage_.cpu_s = ask_s_ = rubric.limits.compile_s;
  cage_.memory_bytes = rubric.limits.memory_mib << 20;
  cage_.slot = request.slot;
  shown_file_ = rubric.homework + "/" + rubric.file;
  instances_ = rubric.homework + "/instances.cu";
}

std::string BuildSteps::out_view(const std::string& file) const {
  return sandbox_.output_view(cage_) + "/" + file;
}

std::string BuildSteps::seen(const std::string& file) const {
  return (fs::path(sandbox_.source_view(cage_)) / file).lexically_normal().string();
}

std::string BuildSteps::system_header(const std::string& file) const {
  std::error_code error;
  const std::string real = fs::canonical(seen(file), error).string();
  if (error) return "";
  std::vector<std::string> folders = {real_path("/usr/include"), real_path("/usr/lib/gcc")};
  folders.insert(folders.end(), toolkit_folders_.begin(), toolkit_folders_.end());
  for (const std::string& folder : folders)
    if (real.rfind(folder + "/", 0) == 0) return real;
  return "";
}

void BuildSteps::write_sources() const {
  const std::string& folder = cage_.source_folder;
  fs::create_directories(folder + "/" + rubric_.homework);
  for (const std::string& f : {folder, folder + "/" + rubric_.homework}) chmod(f.c_str(), 0755);
  write_file(folder + "/" + instances_, read_file(tools_.top + "/" + instances_, 1 << 20));
  write_file(folder + "/" + shown_file_, request_.contents);
}

bool BuildSteps::lay_out() {
  fs::create_directories(cage_.output_folder);
  for (const std::string& f : {request_.folder, cage_.output_folder}) chmod(f.c_str(), 0755);
  write_sources();
  if (int64_t user = sandbox_.user_of_slot(request_.slot); user > 0)
    if (chown(cage_.output_folder.c_str(), static_cast<uid_t>(user), static_cast<gid_t>(user)))
      return stop("infrastructure", "cannot give " + cage_.output_folder + " to the cage's user");
  std::vector<std::string> arguments = {
      "-std=c++20",
      "-I.",
      "-arch=compute_" + tools_.arch.substr(tools_.arch.find('_') + 1),
      "-lineinfo",
      "-DSTUDENT_FILE=\"" + shown_file_ + "\"",
      "-Xcompiler",
      "-MD,-MF," + out_view("dependencies")};
  arguments.insert(arguments.end(), request_.flags.begin(), request_.flags.end());
  nvcc_ = find_nvcc_steps(tools_, sandbox_, cage_, arguments, instances_, name() + ".ptx");
  toolkit_folders_ = {real_path(tools_.cuda + "/include")};
  for (const std::string& folder : nvcc_.include_folders)
    toolkit_folders_.push_back(real_path(folder));
  return true;
}

CageResult BuildSteps::run(const std::vector<std::string>& command, size_t output_bytes) {
  if (cage_.cpu_s <= 0) return out_of_time();
  CageResult result = sandbox_.run_build(cage_, command, output_bytes);
  cage_.cpu_s -= result.spent_s;
  return result;
}

// A question is about the text that the preprocessor read, or wrote: it takes no more than twice
// the time, but for what each start of a program takes.
CageResult BuildSteps::ask(const std::vector<std::string>& command) {
  Sandbox::Build cage = cage_;
  asked_s_ = cage.cpu_s = std::min(ask_s_, 2 * preprocess_s_ + 1);
  if (asked_s_ <= 0) return out_of_time();
  CageResult result = sandbox_.run_build(cage, command, 16 << 10);
  ask_s_ -= result.spent_s;
  return result;
}

CageResult BuildSteps::preprocess() {
  CageResult result = run(nvcc_.preprocess);
  preprocess_s_ = result.spent_s;
  return result;
}

CageResult BuildSteps::preprocess_instead(const std::string& source, const std::string& more) {
  const std::string path = cage_.source_folder + "/" + shown_file_;
  fs::remove(path);
  write_file(path, source);
  return ask(with_option(nvcc_.preprocess, kListOption + more + " "));
}

CageResult BuildSteps::preprocess_again(const std::string& text, const std::string& more) {
  put_preprocessed(text);
  std::vector<std::string> command = nvcc_.compile;
  command.back() += " " + more + " > '" + out_view(kReadAgain) + "'";
  return ask(command);
}

CageResult BuildSteps::list_files() {
  std::error_code error;
  fs::remove(cage_.output_folder + "/dependencies", error);
  return run(with_option(nvcc_.preprocess, " -M -MG "));
}

void BuildSteps::put_preprocessed(const std::string& text) const {
  const std::string path = cage_.output_folder + "/" + preprocessed_name(instances_);
  fs::remove(path);
  write_file(path, text);
}

CageResult BuildSteps::compile(const std::string& text) {
  put_preprocessed(text);
  return run(nvcc_.compile);
}

// The text where the cage can only read it; the name there.
std::string BuildSteps::put_ptx(const std::string& text) const {
  const std::string path = cage_.source_folder + "/" + name() + ".ptx";
  fs::remove(path);
  write_file(path, text);
  return sandbox_.source_view(cage_) + "/" + name() + ".ptx";
}

CageResult BuildSteps::survey(const std::string& ptx) {
  std::vector<std::string> command = {sandbox_.runner_view(), "survey", put_ptx(ptx),
                                      out_view(launched_name())};
  const std::set<std::string> kernels = launched_kernels(rubric_);
  command.insert(command.end(), kernels.begin(), kernels.end());
  command.push_back("--");
  command.insert(command.end(), rubric_.policy.forbidden.begin(), rubric_.policy.forbidden.end());
  return run(command, kMostSurveyBytes);
}

CageResult BuildSteps::assemble(const std::string& ptx) {
  return run({tools_.ptxas(), "-arch=" + tools_.arch, "-v", "-lineinfo", "-o",
              out_view(name() + ".cubin"), put_ptx(ptx)});
}

bool BuildSteps::take_preprocessed(std::string* into) {
  return take(preprocessed_name(instances_), into);
}

// A regular file that the cage has written, of bounded size.
bool BuildSteps::take(const std::string& file, std::string* into) {
  std::string path = cage_.output_folder + "/" + file;
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info {};
  if (fd.get() < 0 || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return stop("infrastructure", "the compiler left no " + file);
  std::string& text = *into;
  text.resize(kMostModuleBytes + 1);
  size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < text.size(); size += static_cast<size_t>(got))
    got = std::max<ssize_t>(0, read(fd.get(), text.data() + size, text.size() - size));
  if (size > kMostModuleBytes)
    return stop("compile_memory", shown_file_ + ": the compiled code is larger than " +
                                      std::to_string(kMostModuleBytes >> 20) + " MiB");
  text.resize(size);
  text.shrink_to_fit();
  return true;
}

bool BuildSteps::stop(const char* problem, const std::string& log) {
  result_.problem = problem;
  result_.log = log;
  return false;
}

bool BuildSteps::ended(const CageResult& result, const char* program, std::string* said) {
  const std::string text = messages(result);
  switch (result.ending) {
    case Ending::kGood:
      if (said != nullptr) *said = text;
      return true;
    case Ending::kTime:
      return stop("compile_timeout", shown_file_ + ": compiling takes more than " +
                                         std::to_string(int(rubric_.limits.compile_s)) + " s\n" +
                                         text);
    case Ending::kMemory:
      return stop("compile_memory", shown_file_ + ": compiling takes more than " +
                                        std::to_string(rubric_.limits.memory_mib) +
                                        " MiB of memory\n" + text);
    case Ending::kCage:
      return stop("infrastructure",
                  std::string("the cage of ") + program + " was lost or did not come up\n" + text);
    case Ending::kRefused:
      break;
  }
  if (!has_room()) return false;
  if (result.flooded)
    return stop("compile", shown_file_ + ": the compiler's messages were cut off\n" + text);
  if (!text.empty()) return stop("compile", text);
  return stop("compile",
              std::string(program) + " ended with code " + std::to_string(result.exit_code) + "\n");
}

bool BuildSteps::has_room() {
  const std::string why = room_problem(cage_.output_folder);
  return why.empty() || stop("infrastructure", why);
}

bool BuildSteps::answered(const CageResult& result, const std::string& reason) {
  if (result.ending == Ending::kRefused) return has_room();
  if (result.ending != Ending::kTime) return ended(result, "the preprocessor");
  return stop("compile_timeout",
              reason + " has the preprocessor asked once more, and it takes more than " +
                  std::to_string(int(std::ceil(asked_s_))) + " s\n");
}

// "-I." makes the compiler say ./hw02/hw02.cu for what everybody else calls hw02/hw02.cu.
std::string BuildSteps::messages(const CageResult& result) const {
  std::string said = result.out + result.err;
  std::string found = "./" + shown_file_;
  for (size_t at = said.find(found); at != std::string::npos; at = said.find(found, at))
    said.erase(at, 2);
  return said;
}

}  // namespace lockstep::grader
