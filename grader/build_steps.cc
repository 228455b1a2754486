// SPDX-License-Identifier: Apache-2.0
// See build_steps.h. What comes out of the cage is read as what it is: bytes of bounded size, of
// regular files alone.
#include "grader/build_steps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "common/backend/machine_code.h"
#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/build_files.h"
#include "grader/draws.h"
#include "grader/plan.h"
#include "runner/doorkeeper.h"
#include "runner/process.h"

namespace lockstep::grader {

// witnessed: started by gcc's driver through `lockstep-runner witness`.
struct Tool {
  const char* name;
  bool witnessed = false;
};

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostModuleBytes = 32 << 20;
constexpr size_t kMostSurveyBytes = 1 << 20;
constexpr Tool kPreprocessor{"the preprocessor", true}, kOwnPreprocessor{"the preprocessor"},
    kCompiler{"the compiler"}, kSurvey{"the survey of the PTX"}, kAssembler{"ptxas"},
    kComparison{"the comparison of machine code"};
// Compilers tell one time, to make (make/modules.mk) as to us: so what is graded is what anybody
// builds, whenever that is.
constexpr const char* kOneTime[] = {"-D__DATE__=\"Feb  3 2001\"", "-D__TIME__=\"12:34:56\"",
                                    "-D__TIMESTAMP__=\"Sat Jan  1 10:20:30 2000\"", "-Xcompiler",
                                    "-Wno-builtin-macro-redefined"};
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

BuildSteps::BuildSteps(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
                       const Sandbox& sandbox)
    : request_(request),
      rubric_(rubric),
      tools_(tools),
      sandbox_(sandbox),
      nowhere_(secret_word()) {
  cage_.source_folder = request.folder + "/src";
  cage_.output_folder = request.folder + "/out";
  cage_.cpu_s = ask_s_ = rubric.limits.compile_s;
  cage_.memory_bytes = rubric.limits.memory_mib << 20;
  cage_.slot = request.slot;
  shown_file_ = rubric.homework + "/" + rubric.file;
  instances_ = rubric.homework + "/instances.cu";
}

std::string BuildSteps::secret_word() {
  return "lockstep_" + std::to_string(secret_seeds(1).front());
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
  for (const std::string& f : {folder, folder + "/" + rubric_.homework}) share(f, true);
  put(folder + "/" + instances_, read_file(tools_.top + "/" + instances_, 1 << 20) +
                                     "\n#if __has_include(<" + nowhere_ + ">)\n#endif\n");
  put(folder + "/" + shown_file_, request_.contents);
}

void BuildSteps::put(const std::string& path, const std::string& text) const {
  std::error_code error;
  fs::remove(path, error);
  write_file(path, text);
  share(path, false);
}

// Without such a user all are the same one.
void BuildSteps::share(const std::string& path, bool folder) const {
  const int64_t user = sandbox_.user_of_slot(request_.slot);
  const mode_t mode = folder ? 0700 : 0600, of_group = folder ? 0050 : 0040;
  if (user > 0 && lchown(path.c_str(), geteuid(), static_cast<gid_t>(user)) != 0)
    throw Error("cannot give " + path + " to the cage's user", kExitCannotRun);
  if (chmod(path.c_str(), user > 0 ? mode | of_group : mode) != 0)
    throw Error("cannot set the rights of " + path, kExitCannotRun);
}

bool BuildSteps::lay_out() {
  fs::create_directories(cage_.output_folder);
  // One passes through the first where the cage is weak; the second becomes its user's own.
  chmod(request_.folder.c_str(), sandbox_.is_passed_by_others() ? 0711 : 0700);
  chmod(cage_.output_folder.c_str(), 0700);
  write_sources();
  if (int64_t user = sandbox_.user_of_slot(request_.slot); user > 0)
    if (chown(cage_.output_folder.c_str(), static_cast<uid_t>(user), static_cast<gid_t>(user)))
      return stop("infrastructure", "cannot give " + cage_.output_folder + " to the cage's user");
  std::vector<std::string> arguments = {
      "-std=c++20", "-arch=compute_" + tools_.arch.substr(tools_.arch.find('_') + 1),
      "-lineinfo",  "-DSTUDENT_FILE=\"" + shown_file_ + "\"",
      "-Xcompiler", "-iquote,.",
      "-Xcompiler", "-MD,-MF," + out_view("dependencies")};
  arguments.insert(arguments.end(), std::begin(kOneTime), std::end(kOneTime));
  arguments.insert(arguments.end(), request_.flags.begin(), request_.flags.end());
  nvcc_ = find_nvcc_steps(tools_, sandbox_, cage_, arguments, instances_, name() + ".ptx");
  nvcc_.preprocess =
      with_option(nvcc_.preprocess, " -pass-exit-codes -wrapper '" + sandbox_.runner_view() +
                                        "',witness,--asked,'" + sandbox_.asked_view() + "','" +
                                        out_view(kAsked) + "'" + kListOption);
  toolkit_folders_ = {real_path(tools_.cuda + "/include")};
  for (const std::string& folder : nvcc_.include_folders)
    toolkit_folders_.push_back(real_path(folder));
  return true;
}

MaybeAnswer BuildSteps::run(const Tool& tool, const std::vector<std::string>& command,
                            size_t output_bytes) {
  const CageResult result =
      cage_.cpu_s > 0 ? sandbox_.run_build(cage_, command, output_bytes) : out_of_time();
  spent_s_ = result.spent_s;
  cage_.cpu_s -= spent_s_;
  return answer(result, tool,
                shown_file_ + ": compiling takes more than " +
                    std::to_string(int(rubric_.limits.compile_s)) + " s\n" + messages(result));
}

// A question is about the text that the preprocessor read, or wrote: it takes no more than twice
// the time, but for what each start of a program takes.
MaybeAnswer BuildSteps::ask(const Tool& tool, const std::string& reason,
                            const std::vector<std::string>& command) {
  return ask_within(std::min(ask_s_, 2 * preprocess_s_ + 1), tool, reason, command);
}

MaybeAnswer BuildSteps::ask_within(double limit_s, const Tool& tool, const std::string& reason,
                                   const std::vector<std::string>& command) {
  Sandbox::Build cage = cage_;
  cage.cpu_s = limit_s;
  const CageResult result =
      limit_s > 0 ? sandbox_.run_build(cage, command, 16 << 10) : out_of_time();
  ask_s_ -= result.spent_s;
  return answer(result, tool,
                reason + " has " + tool.name + " asked once more, and it takes more than " +
                    std::to_string(int(std::ceil(limit_s))) + " s\n");
}

// A text may ask which files there are: each time that it is read they are the same ones.
void BuildSteps::empty_output() const {
  std::error_code error;
  for (const auto& item : fs::directory_iterator(cage_.output_folder, error))
    fs::remove_all(item.path(), error);
}

MaybeAnswer BuildSteps::preprocess() {
  empty_output();
  MaybeAnswer said = run(kPreprocessor, nvcc_.preprocess);
  preprocess_s_ = spent_s_;
  return said;
}

MaybeAnswer BuildSteps::preprocess_instead(const std::string& source, const std::string& reason,
                                           const std::string& more) {
  put(cage_.source_folder + "/" + shown_file_, source);
  empty_output();
  return ask(kPreprocessor, reason, with_option(nvcc_.preprocess, kListOption + more + " "));
}

MaybeAnswer BuildSteps::preprocess_again(const std::string& text, const std::string& reason,
                                         const std::string& more) {
  put_preprocessed(text);
  std::vector<std::string> command = nvcc_.compile;
  command.back() += " " + more + " > '" + out_view(kReadAgain) + "'";
  return ask(kOwnPreprocessor, reason, command);
}

MaybeAnswer BuildSteps::list_files() {
  empty_output();
  return run(kPreprocessor, with_option(nvcc_.preprocess, " -M -MG "));
}

void BuildSteps::put_preprocessed(const std::string& text) const {
  put(cage_.output_folder + "/" + preprocessed_name(instances_), text);
}

MaybeAnswer BuildSteps::compile(const std::string& text) {
  put_preprocessed(text);
  return run(kCompiler, nvcc_.compile);
}

// The text where the cage can only read it; the name there.
std::string BuildSteps::put_ptx(const std::string& text) const {
  put(cage_.source_folder + "/" + name() + ".ptx", text);
  return sandbox_.source_view(cage_) + "/" + name() + ".ptx";
}

MaybeAnswer BuildSteps::survey(const std::string& ptx, bool whole) {
  std::vector<std::string> command = {sandbox_.runner_view(), "survey", put_ptx(ptx),
                                      out_view(launched_name())};
  const std::set<std::string> kernels = whole ? std::set<std::string>() : launched_kernels(rubric_);
  command.insert(command.end(), kernels.begin(), kernels.end());
  command.push_back("--");
  command.insert(command.end(), rubric_.policy.forbidden.begin(), rubric_.policy.forbidden.end());
  return run(kSurvey, command, kMostSurveyBytes);
}

MaybeAnswer BuildSteps::assemble(const std::string& ptx) {
  return run(kAssembler, {tools_.ptxas(), "-arch=" + tools_.arch, "-v", "-lineinfo", "-o",
                          out_view(name() + ".cubin"), put_ptx(ptx)});
}

bool BuildSteps::compare_code(const std::string& whole, const std::string& part,
                              std::string* name) {
  const std::string whole_name = this->name() + ".whole.cubin",
                    part_name = this->name() + ".part.cubin";
  put(cage_.source_folder + "/" + whole_name, whole);
  put(cage_.source_folder + "/" + part_name, part);
  const std::string view = sandbox_.source_view(cage_) + "/";
  const MaybeAnswer answer =
      run(kComparison, {sandbox_.runner_view(), "other-code", view + whole_name, view + part_name});
  if (!accepted(answer, kComparison.name)) return false;
  *name = answer->out.substr(0, answer->out.find('\n'));
  return true;
}

std::string BuildSteps::listing(const std::string& cubin) const {
  constexpr size_t kMostBytes = 8 << 20;
  Sandbox::Build cage = cage_;
  cage.cpu_s = 10;
  const std::string file = name() + ".listed.cubin";
  put(cage_.source_folder + "/" + file, cubin);
  const std::vector<std::string> command = {sandbox_.runner_view(), "listing",
                                            sandbox_.source_view(cage_) + "/" + file};
  const CageResult result = sandbox_.run_build(cage, command, kMostBytes);
  if (result.ending != Ending::kGood || result.flooded) return {};
  try {
    return to_json(machine_code_from_json(result.out));
  } catch (const Error&) {
    return {};
  }
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

// Only what ended by itself has answered.
MaybeAnswer BuildSteps::answer(const CageResult& result, const Tool& tool,
                               const std::string& too_slow) {
  Answer answer{result.ending == Ending::kGood, result.flooded, result.exit_code, result.out,
                messages(result)};
  const std::string by_signal = std::string(tool.name) + " was ended by signal " +
                                std::to_string(result.signal) + "\n" + answer.messages;
  switch (result.ending) {
    case Ending::kGood:
      return answer;
    case Ending::kTime:
      stop("compile_timeout", too_slow);
      return {};
    case Ending::kMemory:
      stop("compile_memory", shown_file_ + ": compiling takes more than " +
                                 std::to_string(rubric_.limits.memory_mib) + " MiB of memory\n" +
                                 answer.messages);
      return {};
    case Ending::kSize:
      stop("compile_memory", shown_file_ + ": compiling writes a file of more than " +
                                 std::to_string(cage_.file_bytes >> 20) + " MiB\n" +
                                 answer.messages);
      return {};
    case Ending::kCrashed:
      stop("infrastructure", by_signal);
      return {};
    case Ending::kKilled:
      stop("killed", by_signal);
      return {};
    case Ending::kCage:
      stop("infrastructure", std::string("the cage of ") + tool.name +
                                 " was lost or did not come up\n" + answer.messages);
      return {};
    case Ending::kRefused:
      break;
  }
  if (tool.witnessed && !result.flooded && result.exit_code != kWitnessed) {
    stop("infrastructure", std::string(tool.name) + " could not be started\n" + answer.messages);
    return {};
  }
  if (const std::string why = room_problem(cage_.output_folder); !why.empty()) {
    stop("infrastructure", why);
    return {};
  }
  return answer;
}

bool BuildSteps::accepted(const MaybeAnswer& answer, const char* program) {
  if (!answer || answer->accepted) return answer.has_value();
  if (answer->flooded)
    return stop("compile",
                shown_file_ + ": the compiler's messages were cut off\n" + answer->messages);
  if (!answer->messages.empty()) return stop("compile", answer->messages);
  return stop("compile", std::string(program) + " ended with code " +
                             std::to_string(answer->exit_code) + "\n");
}

// "-iquote ." makes the compiler say ./hw02/hw02.cu for what everybody else calls hw02/hw02.cu.
std::string BuildSteps::messages(const CageResult& result) const {
  std::string said = result.out + result.err;
  std::string found = "./" + shown_file_;
  for (size_t at = said.find(found); at != std::string::npos; at = said.find(found, at))
    said.erase(at, 2);
  return said;
}

}  // namespace lockstep::grader
