// SPDX-License-Identifier: Apache-2.0
// See trace.h.
#include "common/harness/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/backend/fault_words.h"
#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
#include "common/harness/launch_plan.h"
#include "common/harness/session.h"
#include "common/harness/source_names.h"
#include "common/harness/trace_table.h"

namespace lockstep {
namespace {

constexpr int kWarp = 32;
constexpr int kFewBlocks = 2, kFewWarps = 4;
constexpr int64_t kOfAWarp = 600;  // elements of a small problem, by a warp of each block
// Of a launch, where none is given: a loop without an end is told soon.
constexpr uint64_t kSteps = 20'000'000, kStepsAnElement = 3000;

std::string triple(const uint32_t index[3]) {
  return fmt::format("({},{},{})", index[0], index[1], index[2]);
}

bool holds(const Dim3& size, const uint32_t index[3]) {
  return index[0] < size.x && index[1] < size.y && index[2] < size.z;
}

std::string folder_of(const HomeworkEnvironment& environment) {
  return std::filesystem::path(environment.executable).parent_path().string();
}

// The student's file, beside the program or here.
std::filesystem::path source_path(const Assignment& assignment,
                                  const HomeworkEnvironment& environment) {
  const std::filesystem::path beside =
      std::filesystem::path(folder_of(environment)) / assignment.student_file();
  std::error_code ignored;
  return std::filesystem::exists(beside, ignored)
             ? beside
             : std::filesystem::path(assignment.student_file());
}

// hwNN-cuda-debug.ptx, whichever program of the homework this is. The PTX alone: of machine code
// nothing is executed.
ModuleFiles find_debug_module(const Options& options, const HomeworkEnvironment& environment) {
  ModuleFiles files;
  if (!options.module.empty()) {
    files = find_module_files(options.module);
    if (files.ptx.empty())
      throw Error(fmt::format("--trace needs the module's PTX beside {}", files.cubin));
    files.cubin.clear();
    return files;
  }
  constexpr std::string_view kEnd = "-cuda-debug";
  files.ptx = own_module(environment.executable);
  if (!files.ptx.ends_with(kEnd)) files.ptx += kEnd;
  files.ptx += ".ptx";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(files.ptx, ignored))
    throw Error(fmt::format("{} is not there: type make first", files.ptx), kExitCannotRun);
  return files;
}

// One run of it.
class Tracing {
 public:
  Tracing(const Options& options, const Assignment& assignment,
          const HomeworkEnvironment& environment)
      : options_(options),
        asked_(*options.trace),
        assignment_(assignment),
        environment_(environment),
        file_(assignment.student_file()) {}

  int run() {
    const ModuleFiles module = find_debug_module(options_, environment_);
    read_source(module);
    if (!environment_.open_checker) throw Error("--trace needs the emulator", kExitCannotRun);
    backend_ = environment_.open_checker(options_);
    backend_->load_module(module);
    const LaunchPlan plan = plan_launches(options_, backend_->device(), assignment_, true);
    const Case c = small(find_case(plan), plan);
    Session session(*backend_, assignment_, c, options_.seed, nullptr);
    const Sequence launches = launches_of(session, c, plan);
    label_ = c.label;
    return trace(session, launches);
  }

 private:
  void read_source(const ModuleFiles& module) {
    const std::filesystem::path path = source_path(assignment_, environment_);
    const std::string source = read_file(path.string(), size_t{4} << 20);
    const int lines = count_lines(source);
    if (asked_.line > lines)
      throw Error(fmt::format("--trace {}: {} has {} lines", asked_.line, file_, lines));
    names_ = names_of_line(source, asked_.line);
    text_ = source_line(source, asked_.line);
    std::error_code ignored;
    if (std::filesystem::last_write_time(path, ignored) >
        std::filesystem::last_write_time(module.ptx, ignored))
      *environment_.out << fmt::format("{} is newer than {}: type make, or the lines may differ.\n",
                                       file_, module.ptx);
  }

  bool has_kernel(const std::string& name) const {
    const std::vector<KernelInfo>& all = backend_->kernels();
    return std::any_of(all.begin(), all.end(), [&](const auto& k) { return k.name == name; });
  }

  // The first case that is asked for whose kernels have code in the line.
  Case find_case(const LaunchPlan& plan) const {
    std::set<int> lines;
    std::string kernels;
    for (const Case& c : select_cases(options_, assignment_.cases(plan.size))) {
      if (c.library) continue;
      bool in_line = false;
      for (const std::string& kernel : assignment_.launched_kernels(c)) {
        if (!has_kernel(kernel)) continue;
        const std::vector<int> own = backend_->lines_with_code(kernel, file_);
        // One that is refused has none: it says so when it is launched.
        in_line |= own.empty() || std::find(own.begin(), own.end(), asked_.line) != own.end();
        lines.insert(own.begin(), own.end());
      }
      if (in_line) return c;
      constexpr size_t kLong = 40;
      if (kernels.size() < kLong)
        kernels += (kernels.empty() ? "" : ", ") + c.kernel;
      else if (!kernels.ends_with("others"))
        kernels += " and others";
    }
    if (kernels.empty()) throw Error("--trace: the module has none of these kernels");
    throw Error(fmt::format("--trace {}: no code of {} in this line of {}{}", asked_.line, kernels,
                            file_, nearest(lines)));
  }

  std::string nearest(const std::set<int>& lines) const {
    const auto after = lines.upper_bound(asked_.line);
    std::string out;
    if (after != lines.begin()) out = std::to_string(*std::prev(after));
    if (after != lines.end()) out += (out.empty() ? "" : " and ") + std::to_string(*after);
    return out.empty() ? "" : "; the nearest with code: " + out;
  }

  bool shaped() const { return assignment_.shape_from() == ShapeFrom::kCommandLine; }

  int warps(const LaunchPlan& plan) const {
    if (!shaped() || options_.warps != 0) return plan.warps.front();
    const int needed = static_cast<int>(asked_.thread[0] / kWarp + 1);
    return needed > kWarp ? plan.warps.front() : std::max(plan.warps.front(), needed);
  }

  int64_t blocks(const LaunchPlan& plan) const {
    if (!shaped() || options_.blocks != 0) return plan.blocks;
    return std::clamp<int64_t>(int64_t{asked_.block[0]} + 1, kFewBlocks,
                               std::max<int64_t>(plan.blocks, kFewBlocks));
  }

  // The same kernel on little work, unless a size is given.
  Case small(const Case& c, const LaunchPlan& plan) const {
    if (options_.vectors || options_.size != 0) return c;
    const int64_t elements =
        kOfAWarp * std::max<int64_t>(blocks(plan), kFewBlocks) * std::max(warps(plan), kFewWarps);
    if (elements >= assignment_.work(c).elements) return c;
    try {
      const int64_t vectors = Sizes(assignment_).least(c.kernel, elements);
      for (const Case& other : assignment_.cases({0, vectors}))
        if (other.kernel == c.kernel && !other.library) return other;
    } catch (const Error&) {
      return c;  // a size that the homework refuses
    }
    return c;
  }

  Sequence launches_of(const Session& session, const Case& c, const LaunchPlan& plan) const {
    Sequence launches = session.launches_of(
        c, launch_context(*backend_, shaped() ? blocks(plan) : 0, shaped() ? warps(plan) : 0,
                          read_constants(*backend_, assignment_)));
    const auto elements = static_cast<uint64_t>(assignment_.work(c).elements);
    for (Launch& launch : launches)
      if (options_.step_budget == 0) launch.step_budget = kSteps + kStepsAnElement * elements;
    const bool launched = std::any_of(launches.begin(), launches.end(), [&](const Launch& l) {
      return holds(l.grid, asked_.block) && holds(l.block, asked_.thread);
    });
    if (!launched)
      throw Error(fmt::format(
          "--trace: there is no thread {} of a block {}: {} is launched with {}",
          triple(asked_.thread), triple(asked_.block), c.kernel, shape_words(launches.front())));
    return launches;
  }

  int trace(Session& session, const Sequence& launches) {
    TraceRequest request;
    request.file = file_;
    request.line = asked_.line;
    std::copy_n(asked_.thread, 3, request.thread);
    std::copy_n(asked_.block, 3, request.block);
    request.expressions = names_;
    LineTrace found;
    try {
      if (!session.trace(launches, request, &found))
        throw Error("--trace needs the emulator", kExitCannotRun);
    } catch (const KernelFault& fault) {
      print(found, launches);
      const std::string place = fault_place(fault.place().file, fault.place().line, file_);
      *environment_.out << fmt::format("Then the kernel failed: {}{}\n", place,
                                       fault_words(fault.kind()))
                        << Quoted(fault.what()).marked(environment_.width);
      return kExitWrong;
    }
    print(found, launches);
    return kExitGood;
  }

  void print(const LineTrace& found, const Sequence& launches) const {
    std::ostream& out = *environment_.out;
    const auto launch = std::find_if(launches.begin(), launches.end(), [&](const Launch& l) {
      return kernel_name(l.kernel) == found.kernel;
    });
    const std::string shape = shape_words(launch == launches.end() ? launches.front() : *launch);
    out << fmt::format("{}:{}, thread {} of block {}, {}\n", file_, asked_.line,
                       triple(asked_.thread), triple(asked_.block), printable(found.kernel))
        << Quoted(text_).marked(environment_.width)
        << wrapped(
               fmt::format("With {}{}. Executed was the module built with -G: it means the same "
                           "as the optimised one, in other instructions.\n\n",
                           label_.empty() ? "" : label_ + ", ", shape),
               environment_.width, 0);
    if (found.all > 0) {
      out << trace_table(found, environment_.width);
      return;
    }
    out << "The thread did not come to this line.";
    std::string lines;
    for (const int line : found.last_lines)
      lines += (lines.empty() ? " " : ", ") + std::to_string(line);
    if (!lines.empty()) out << " The lines where it was last:" << lines << ".";
    out << "\n";
  }

  const Options& options_;
  const TraceOptions asked_;
  const Assignment& assignment_;
  const HomeworkEnvironment& environment_;
  const std::string file_;
  std::vector<std::string> names_;
  std::string text_;   // of the line
  std::string label_;  // of the case
  std::unique_ptr<Backend> backend_;
};

}  // namespace

int run_trace(const Options& options, const Assignment& assignment,
              const HomeworkEnvironment& environment) {
  return Tracing(options, assignment, environment).run();
}

}  // namespace lockstep
