// SPDX-License-Identifier: Apache-2.0
// Compiling in the cage. The folder that the compiler sees has the layout of the repository, so
// its messages name files as the student's own make does: hwNN/hwNN.cu.
#include "grader/build.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <future>
#include <optional>
#include <set>

#include "common/error.h"
#include "common/module_files.h"
#include "grader/headers.h"
#include "grader/inspect.h"
#include "grader/nvcc_steps.h"
#include "grader/sha256.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostModuleBytes = 32 << 20;
constexpr size_t kMostSurveyBytes = 1 << 20;
constexpr char kDependencies[] = "dependencies";

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
    instances_ = rubric.homework + "/instances.cu";
  }

  BuildResult run() {
    double start = monotonic_seconds();
    bool good = lay_out() && preprocess() && includes_allowed() && lines_true() && compile() &&
                directives_true() && survey_and_assemble();
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
  bool forbid(const std::vector<Breach>& breaches, const std::string& log = "") {
    return breaches.empty() || stop("forbidden", shown_lines(breaches, shown_file_) + log);
  }

  void write_sources(const std::string& folder, const std::string& contents) const {
    fs::create_directories(folder + "/" + rubric_.homework);
    for (const std::string& f : {folder, folder + "/" + rubric_.homework}) chmod(f.c_str(), 0755);
    write_file(folder + "/" + instances_, read_file(tools_.top + "/" + instances_, 1 << 20));
    write_file(folder + "/" + shown_file_, contents);
  }

  bool lay_out() {
    fs::create_directories(cage_.output_folder);
    for (const std::string& f : {request_.folder, cage_.output_folder}) chmod(f.c_str(), 0755);
    write_sources(cage_.source_folder, request_.contents);
    if (int64_t user = sandbox_.user_of_slot(request_.slot); user > 0)
      if (chown(cage_.output_folder.c_str(), static_cast<uid_t>(user), static_cast<gid_t>(user)))
        return stop("infrastructure", "cannot give " + cage_.output_folder + " to the cage's user");
    return true;
  }

  std::string out_view(const std::string& file) const {
    return sandbox_.output_view(cage_) + "/" + file;
  }

  bool preprocess() {
    std::vector<std::string> arguments = {
        "-std=c++20",
        "-I.",
        "-arch=compute_" + tools_.arch.substr(tools_.arch.find('_') + 1),
        "-lineinfo",
        "-DSTUDENT_FILE=\"" + shown_file_ + "\"",
        "-Xcompiler",
        "-MD,-MF," + out_view(kDependencies)};
    arguments.insert(arguments.end(), request_.flags.begin(), request_.flags.end());
    steps_ = find_nvcc_steps(tools_, sandbox_, cage_, arguments, instances_, name() + ".ptx");
    const std::vector<std::string> first = headers_to_read_first();
    for (const std::string& header : first) arguments.insert(arguments.end(), {"-include", header});
    if (!first.empty())
      steps_ = find_nvcc_steps(tools_, sandbox_, cage_, arguments, instances_, name() + ".ptx");
    const CageResult result = run_step(steps_.preprocess);
    if (result.ending == Ending::kRefused && !missing_allowed()) return false;
    return ended(result, "the preprocessor", &result_.log) && take(kDependencies, &dependencies_) &&
           take(preprocessed_name(instances_), &preprocessed_);
  }

  // Those permitted headers that the text seems to include, where they are there.
  std::vector<std::string> headers_to_read_first() const {
    if (!refuses_assembly()) return {};
    auto headers = grader::headers_to_read_first(request_.contents, rubric_.policy.headers);
    std::erase_if(headers, [this](const std::string& header) {
      return header.find('/') != std::string::npos &&
             std::none_of(steps_.include_folders.begin(), steps_.include_folders.end(),
                          [&](const std::string& folder) {
                            return access((folder + "/" + header).c_str(), R_OK) == 0;
                          });
    });
    return headers;
  }

  // After an error the preprocessor has no list. It is asked once more, with missing files taken as
  // empty (-MG): one out of the folder is no mere mistake.
  bool missing_allowed() {
    std::vector<std::string> command = steps_.preprocess;
    const size_t option = command.back().find(" -MD ");
    if (option == std::string::npos) return true;
    command.back().replace(option, 5, " -M -MG ");
    std::error_code error;
    fs::remove(cage_.output_folder + "/" + kDependencies, error);
    if (request_.trusted || run_step(command).ending != Ending::kGood) return true;
    if (!take(kDependencies, &dependencies_)) return false;
    std::vector<Breach> breaches;
    for (const std::string& file : parse_dependencies(dependencies_))
      if ((file[0] == '/' || seen(file).rfind(sandbox_.source_view(cage_) + "/", 0) != 0) &&
          !is_system_header(file))
        breaches.push_back(foreign(file));
    return forbid(breaches);
  }

  static Breach foreign(const std::string& file) {
    return {0, "#include of a file that is not yours: " + file.substr(0, 80)};
  }

  // A name that a tool said, as a path without "." and ".." of what is seen in the cage.
  std::string seen(const std::string& file) const {
    return (fs::path(sandbox_.source_view(cage_)) / file).lexically_normal().string();
  }
  bool is_student(const std::string& file) const { return seen(file) == seen(shown_file_); }
  bool is_ours(const std::string& file) const {
    return is_student(file) || seen(file) == seen(instances_);
  }

  // What was included is what the preprocessor's own list says.
  bool includes_allowed() {
    std::vector<Breach> breaches;
    for (const std::string& file : parse_dependencies(dependencies_)) {
      known_files_.insert(seen(file));
      if (!is_ours(file) && !is_system_header(file)) breaches.push_back(foreign(file));
    }
    auto ours = [this](const std::string& file) { return is_ours(file); };
    text_.emplace(preprocessed_, [this](const std::string& file) { return is_student(file); });
    if (breaches.empty() && text_->enters_again(ours))
      breaches.push_back({0, "#include of the submission by itself"});
    return request_.trusted || forbid(breaches);
  }

  bool is_system_header(const std::string& file) const {
    std::error_code error;
    const std::string real = fs::canonical(seen(file), error).string();
    if (error) return false;
    std::vector<std::string> folders = {tools_.cuda + "/include", "/usr/include", "/usr/lib/gcc"};
    folders.insert(folders.end(), steps_.include_folders.begin(), steps_.include_folders.end());
    for (const std::string& folder : folders)
      if (real.rfind(real_path(folder) + "/", 0) == 0) return true;
    return false;
  }

  // A step in the cage. All steps together may take the time of one build.
  CageResult run_step(const std::vector<std::string>& command) {
    if (cage_.cpu_s <= 0) return out_of_time();
    CageResult result = sandbox_.run_build(cage_, command);
    cage_.cpu_s -= result.spent_s;
    return result;
  }
  static CageResult out_of_time() {
    CageResult result;
    result.ending = Ending::kTime;
    return result;
  }

  // A directive that lies about lines is an error once its name is spoilt; in a comment or a
  // literal, where a name may look the same, nothing happens. A trial that reads anything else
  // than the true text shows nothing.
  bool lines_true() {
    if (request_.trusted) return true;
    std::vector<LinePlace> places = find_line_places(request_.contents);
    if (places.empty()) return true;
    const CageResult result = preprocess_spoilt(places);
    if (result.ending == Ending::kRefused)
      return forbid({{guilty_line(std::move(places)), "a directive that changes line numbers"}});
    std::string spoilt;
    if (!ended(result, "the preprocessor") || !take(preprocessed_name(instances_), &spoilt))
      return false;
    if (text_->is_but_for_line_places(spoilt,
                                      [this](const std::string& file) { return is_known(file); }))
      return true;
    return forbid({{0,
                    "text that means something else once names of directives that change line "
                    "numbers (#line) are other names: it cannot be told whether it holds one"}});
  }

  // The line of the directive, by halves, as far as a few trials tell; 0: unknown.
  int guilty_line(std::vector<LinePlace> places) {
    constexpr int kMostTrials = 3;
    for (int i = 0; i < kMostTrials && places.size() > 1; ++i) {
      const auto middle = places.begin() + static_cast<std::ptrdiff_t>(places.size() / 2);
      const CageResult result = preprocess_spoilt({places.begin(), middle});
      if (result.ending == Ending::kRefused)
        places.erase(middle, places.end());
      else if (result.ending == Ending::kGood)
        places.erase(places.begin(), middle);
      else
        return 0;
    }
    return places.size() == 1 ? places[0].line : 0;
  }

  // In the place of the true file, which was read: output says no other names then.
  CageResult preprocess_spoilt(const std::vector<LinePlace>& places) {
    const std::string path = cage_.source_folder + "/" + shown_file_;
    fs::remove(path);
    write_file(path, spoil_line_places(request_.contents, places));
    return run_step(steps_.preprocess);
  }

  bool refuses_assembly() const { return !request_.trusted && !rubric_.policy.inline_asm; }

  bool compile() {
    if (refuses_assembly()) text_->refuse_assembly();
    CageResult result = compile_text(text_->text());
    if (result.ending == Ending::kRefused && refuses_assembly() &&
        compile_text(preprocessed_).ending == Ending::kGood)
      return forbid({{0, "inline assembly"}}, messages(result));
    std::string said;
    bool good = ended(result, "the compiler", &said) && take(name() + ".ptx", &ptx_);
    if (good) result_.log += said;
    return good;
  }

  // The compiler reads the very bytes that were looked at.
  CageResult compile_text(const std::string& text) {
    const std::string path = cage_.output_folder + "/" + preprocessed_name(instances_);
    fs::remove(path);
    write_file(path, text);
    return run_step(steps_.compile);
  }

  // The compiler would heed a directive that macros made, which the preprocessor does not. What
  // looks like one, in a raw string for instance, must compile where hashes are spoilt.
  bool directives_true() {
    if (request_.trusted) return true;
    const std::string spoilt =
        text_->spoil_directives([this](const std::string& file) { return is_known(file); });
    if (spoilt.empty()) return true;
    CageResult result = compile_text(spoilt);
    if (result.ending != Ending::kRefused) return ended(result, "the compiler");
    return forbid({{0, "a directive that is made by macros"}});
  }

  bool is_known(const std::string& file) const { return known_files_.count(seen(file)) > 0; }

  // From here on PTX is our copy, which the cage can only read.
  bool survey_and_assemble() {
    write_file(cage_.source_folder + "/" + name() + ".ptx", ptx_);
    const std::string ptx = sandbox_.source_view(cage_) + "/" + name() + ".ptx";
    std::vector<std::string> command = {sandbox_.runner_view(), "survey", ptx};
    command.insert(command.end(), rubric_.policy.forbidden.begin(), rubric_.policy.forbidden.end());
    if (cage_.cpu_s <= 0) return ended(out_of_time(), "ptxas");
    auto survey = std::async(std::launch::async, [&, cage = cage_] {
      return sandbox_.run_build(cage, command, kMostSurveyBytes);
    });
    CageResult assembled = run_step({tools_.ptxas(), "-arch=" + tools_.arch, "-v", "-lineinfo",
                                     "-o", out_view(name() + ".cubin"), ptx});
    return ptx_allowed(survey.get()) && ended(assembled, "ptxas") &&
           take(name() + ".cubin", &cubin_);
  }

  bool ptx_allowed(const CageResult& result) {
    if (!ended(result, "the survey of the PTX")) return false;
    const Survey survey = parse_survey(result.out);
    if (request_.trusted)
      return survey.error.empty() || stop("infrastructure", "PTX cannot be read: " + survey.error);
    return forbid(inspect_survey(
        survey, rubric_.policy, [this](const std::string& file) { return is_student(file); },
        [this](const std::string& file) { return is_known(file); }));
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

  // Whether a step went well; `said` is given its messages then. Else why it did not.
  bool ended(const CageResult& result, const char* program, std::string* said = nullptr) {
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
        return stop("infrastructure", std::string("the cage of ") + program +
                                          " was lost or did not come up\n" + text);
      case Ending::kRefused:
        break;
    }
    if (result.flooded)
      return stop("compile", shown_file_ + ": the compiler's messages were cut off\n" + text);
    if (!text.empty()) return stop("compile", text);
    return stop("compile", std::string(program) + " ended with code " +
                               std::to_string(result.exit_code) + "\n");
  }

  // "-I." makes the compiler say ./hw02/hw02.cu for what everybody else calls hw02/hw02.cu.
  std::string messages(const CageResult& result) const {
    std::string said = result.out + result.err;
    std::string found = "./" + shown_file_;
    for (size_t at = said.find(found); at != std::string::npos; at = said.find(found, at))
      said.erase(at, 2);
    return said;
  }

  std::string name() const { return rubric_.homework; }

  const BuildRequest& request_;
  const Rubric& rubric_;
  const Toolchain& tools_;
  const Sandbox& sandbox_;
  Sandbox::Build cage_;
  NvccSteps steps_;
  std::string shown_file_, instances_;  // "hw02/hw02.cu"; the instructor's that includes it
  std::string dependencies_, preprocessed_, ptx_, cubin_;
  std::set<std::string> known_files_;
  std::optional<Preprocessed> text_;
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
