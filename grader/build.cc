// SPDX-License-Identifier: Apache-2.0
// Compiling in the cage. The folder that the compiler sees has the layout of the repository, so
// its messages name files as the student's own make does: hwNN/hwNN.cu.
#include "grader/build.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/error.h"
#include "common/module_files.h"
#include "grader/inspect.h"
#include "grader/sha256.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostModuleBytes = 32 << 20;

void write_file(const std::string& path, const std::string& contents) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (fd.get() < 0) throw Error("cannot write " + path + ": " + strerror(errno), kExitCannotRun);
  for (size_t done = 0; done < contents.size();) {
    ssize_t put = write(fd.get(), contents.data() + done, contents.size() - done);
    if (put <= 0) throw Error("cannot write " + path + ": " + strerror(errno), kExitCannotRun);
    done += static_cast<size_t>(put);
  }
  fchmod(fd.get(), 0644);
}

std::string shown_lines(const std::vector<Breach>& breaches, const std::string& file) {
  std::string text;
  for (const Breach& b : breaches)
    text +=
        file + (b.line > 0 ? ":" + std::to_string(b.line) : "") + ": not allowed: " + b.what + "\n";
  return text;
}

// One submission's way through the compiler.
class Build {
 public:
  Build(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
        const Sandbox& sandbox)
      : request_(request), rubric_(rubric), tools_(tools), sandbox_(sandbox) {
    cage_.source_folder = request.folder + "/src";
    cage_.output_folder = request.folder + "/out";
    cage_.cpu_s = rubric.limits.compile_s;
    cage_.memory_bytes = rubric.limits.memory_mib << 20;
    cage_.slot = request.slot;
    shown_file_ = rubric.homework + "/" + rubric.file;
  }

  BuildResult run() {
    double start = monotonic_seconds();
    bool good = lay_out() && source_allowed() && compile() && assembly_allowed() && ptx_allowed() &&
                assemble();
    if (good) finish();
    result_.seconds = monotonic_seconds() - start;
    return result_;
  }

 private:
  bool stop(const char* problem, const std::string& log) {
    result_.problem = problem;
    result_.log = log;
    return false;
  }

  bool lay_out() {
    std::string homework = "/" + rubric_.homework;
    fs::create_directories(cage_.source_folder + homework);
    fs::create_directories(cage_.output_folder);
    for (const std::string& folder : {request_.folder, cage_.source_folder,
                                      cage_.source_folder + homework, cage_.output_folder})
      chmod(folder.c_str(), 0755);
    if (int64_t user = sandbox_.user_of_slot(request_.slot); user > 0)
      if (chown(cage_.output_folder.c_str(), static_cast<uid_t>(user), static_cast<gid_t>(user)))
        return stop("infrastructure", "cannot give " + cage_.output_folder + " to the cage's user");
    write_file(cage_.source_folder + homework + "/instances.cu",
               read_file(tools_.top + homework + "/instances.cu", 1 << 20));
    write_file(cage_.source_folder + homework + "/" + rubric_.file, request_.contents);
    return true;
  }

  bool source_allowed() {
    if (request_.trusted) return true;
    auto breaches = inspect_source(request_.contents);
    return breaches.empty() || stop("forbidden", shown_lines(breaches, shown_file_));
  }

  bool compile() {
    std::string arch = "-arch=compute_" + tools_.arch.substr(tools_.arch.find('_') + 1);
    std::vector<std::string> command = {tools_.nvcc(),
                                        "-std=c++20",
                                        "-I.",
                                        "-ptx",
                                        arch,
                                        "-lineinfo",
                                        "-DSTUDENT_FILE=\"" + shown_file_ + "\""};
    command.insert(command.end(), request_.flags.begin(), request_.flags.end());
    // What the preprocessor made of it is kept, to be looked at.
    if (looks_for_assembly())
      command.insert(command.end(), {"-keep", "-keep-dir", sandbox_.output_view(cage_)});
    command.insert(command.end(), {"-o", sandbox_.output_view(cage_) + "/" + name() + ".ptx",
                                   rubric_.homework + "/instances.cu"});
    return execute(command, "nvcc") && take(name() + ".ptx", &ptx_);
  }

  bool looks_for_assembly() const { return !request_.trusted && !rubric_.policy.inline_asm; }

  bool assembly_allowed() {
    if (!looks_for_assembly()) return true;
    std::string text;
    if (!take("instances.cpp1.ii", &text)) return false;
    auto breaches = inspect_preprocessed(text, shown_file_, tools_.cuda);
    return breaches.empty() || stop("forbidden", shown_lines(breaches, shown_file_));
  }

  bool ptx_allowed() {
    if (request_.trusted) return true;
    auto breaches = inspect_ptx(ptx_, rubric_.policy, shown_file_);
    return breaches.empty() || stop("forbidden", shown_lines(breaches, shown_file_));
  }

  bool assemble() {
    std::string out = sandbox_.output_view(cage_) + "/" + name();
    return execute({tools_.ptxas(), "-arch=" + tools_.arch, "-v", "-lineinfo", "-o", out + ".cubin",
                    out + ".ptx"},
                   "ptxas") &&
           take(name() + ".cubin", &cubin_);
  }

  // The module that is run is what was looked at: our copy, not the cage's file.
  void finish() {
    std::string base = request_.folder + "/" + name();
    write_file(base + ".ptx", ptx_);
    write_file(base + ".cubin", cubin_);
    result_.module = base + ".ptx";
    result_.module_hash = sha256(sha256(ptx_) + sha256(cubin_));
  }

  // A regular file that the cage has written, of bounded size.
  bool take(const std::string& file, std::string* into) {
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

  bool execute(const std::vector<std::string>& command, const std::string& program) {
    ProcessLimits limits;
    // Processor time is what counts; the wall clock only ends what sleeps.
    limits.wall_s = 4 * rubric_.limits.compile_s;
    limits.memory_bytes = rubric_.limits.memory_mib << 20;
    limits.output_bytes = 16 << 10;
    limits.output_kill_bytes = 4 << 20;
    ProcessResult result =
        run_process(sandbox_.build_command(cage_, command), clean_environment(), limits);
    std::string said = as_typed(result.out + result.err);
    if (result.good()) {
      if (program == "nvcc") result_.log = said;
      return true;
    }
    return stop(problem_of(result, said), explain(result, said, program));
  }

  // "-I." makes the compiler say ./hw02/hw02.cu for what everybody else calls hw02/hw02.cu.
  std::string as_typed(std::string said) const {
    std::string found = "./" + shown_file_;
    for (size_t at = said.find(found); at != std::string::npos; at = said.find(found, at))
      said.erase(at, 2);
    return said;
  }

  const char* problem_of(const ProcessResult& result, const std::string& said) const {
    // A program that the cage's user cannot even start is no student's fault.
    if (said.find("lockstep-runner: ") == 0 || said.find("bwrap: ") == 0) return "infrastructure";
    // nvcc says of cicc that it "died due to signal 24", SIGXCPU.
    bool cpu = said.find("signal 24") != std::string::npos || result.exit_code == 128 + 24;
    if (result.timed_out || cpu) return "compile_timeout";
    bool memory = said.find("out of memory") != std::string::npos ||
                  said.find("bad_alloc") != std::string::npos ||
                  said.find("Insufficient memory") != std::string::npos ||
                  said.find("signal 9") != std::string::npos;
    if (result.out_of_memory || memory) return "compile_memory";
    return "compile";
  }

  std::string explain(const ProcessResult& result, const std::string& said,
                      const std::string& program) const {
    std::string problem = problem_of(result, said);
    std::string text;
    if (problem == "compile_timeout")
      text = shown_file_ + ": compiling takes more than " +
             std::to_string(static_cast<int>(rubric_.limits.compile_s)) + " s\n";
    else if (problem == "compile_memory")
      text = shown_file_ + ": compiling takes more than " +
             std::to_string(rubric_.limits.memory_mib) + " MiB of memory\n";
    else if (result.flooded)
      text = shown_file_ + ": the compiler's messages were cut off\n";
    else if (said.empty())
      text = program + " ended with code " + std::to_string(result.exit_code) + "\n";
    return text + said;
  }

  std::string name() const { return rubric_.homework; }

  const BuildRequest& request_;
  const Rubric& rubric_;
  const Toolchain& tools_;
  const Sandbox& sandbox_;
  Sandbox::Build cage_;
  std::string shown_file_, ptx_, cubin_;
  BuildResult result_;
};

}  // namespace

BuildResult build_module(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
                         const Sandbox& sandbox) {
  try {
    return Build(request, rubric, tools, sandbox).run();
  } catch (const std::exception& e) {
    BuildResult result;
    result.problem = "infrastructure";
    result.log = e.what();
    return result;
  }
}

}  // namespace lockstep::grader
