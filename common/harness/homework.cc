// SPDX-License-Identifier: Apache-2.0
// The steps of a homework program. See homework.h.
#include "common/harness/homework.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>

#include "common/backend/fault_words.h"
#include "common/backend/module_files.h"
#include "common/base/debugger.h"
#include "common/base/error.h"
#include "common/base/processors.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
#include "common/harness/columns.h"
#include "common/harness/device_lines.h"
#include "common/harness/history.h"
#include "common/harness/large_launches.h"
#include "common/harness/launch_plan.h"
#include "common/harness/measure.h"
#include "common/harness/own_kernels.h"
#include "common/harness/plan_file.h"
#include "common/harness/run_page.h"
#include "common/harness/search_runs.h"
#include "common/harness/small_checks.h"
#include "common/harness/text_report.h"
#include "common/harness/trace.h"

namespace lockstep {
namespace {

// One run of the program: what is known about it so far.
struct Run {
  const HomeworkEnvironment& environment;
  const Assignment& assignment;
  const Options options;
  std::unique_ptr<Backend> backend;
  ModuleFiles module;

  std::ostream& out() const { return *environment.out; }
  // Remarks are no part of the records.
  std::ostream& remarks() const { return options.json ? *environment.err : *environment.out; }
  bool emulated() const { return backend->kind() == "emulator"; }
};

void print_devices(const Run& run) {
  for (const DeviceInfo& device : run.backend->devices()) {
    if (run.options.json)
      run.out() << device_json(device) << "\n";
    else
      run.out() << device_lines(device);
  }
}

void print_introduction(const Run& run, int64_t blocks, int max_threads) {
  const DeviceInfo& device = run.backend->device();
  print_devices(run);
  if (run.emulated())
    run.out() << wrapped(fmt::format("Using GPU {}, emulated. Figures with ~ are predicted, others "
                                     "exact; - needs a GPU.",
                                     device.index),
                         run.environment.width, 0);
  else
    run.out() << fmt::format("Using GPU {}.\n", device.index);
  std::string shape = fmt::format("with {} blocks of up to {} threads", blocks, max_threads);
  if (run.assignment.shape_from() != ShapeFrom::kCommandLine)
    shape = run.assignment.shape_from() == ShapeFrom::kStudent
                ? "as " + run.assignment.student_file() + " says"
                : "as the homework says";
  run.out() << fmt::format("Launching {}. Seed {}.\n", shape, run.options.seed) << std::flush;
}

// What a command that repeats a launch needs besides the launch.
MeasureOptions measure_options(const Run& run, const Options& o, bool emulated) {
  MeasureOptions result;
  result.repetitions = o.repetitions;
  result.module = run.module;
  result.module_hash = module_hash(run.module);
  result.goals = Goals::of_file(goals_file(run.environment.executable));
  if (emulated && o.runner.empty() && run.environment.open_checker) {
    result.debug_ptx = debug_ptx_beside(run.module, run.assignment.student_file());
    result.open_debug = [&run, options = o]() mutable {
      options.threads = 1;
      return run.environment.open_checker(options);
    };
  }
  result.command = run.environment.program;
  if (o.size != 0) result.size_argument = fmt::format("{}", o.size);
  std::string& suffix = result.command_suffix;
  if (o.vectors) suffix += fmt::format(" --vectors {}", *o.vectors);
  if (!o.module.empty()) suffix += " --module " + shell_quoted(o.module);
  if (o.backend != "auto") suffix += " --backend " + o.backend;
  if (!o.profile.empty()) suffix += " --profile " + shell_quoted(o.profile);
  if (o.device >= 0) suffix += fmt::format(" --device {}", o.device);
  if (o.step_budget != 0) suffix += fmt::format(" --step-budget {}", o.step_budget);
  if (o.time_limit_s > 0) suffix += fmt::format(" --time-limit {}", o.time_limit_s);
  if (o.lane_order != 0) suffix += fmt::format(" --lane-order {}", o.lane_order);
  return result;
}

MeasureOptions measure_options(const Run& run) {
  return measure_options(run, run.options, run.emulated());
}

// Those of a library are left out where they cannot be run, if there are others.
std::vector<Case> possible_cases(const Run& run, const ProblemSize& size) {
  std::vector<Case> cases;
  std::string left_out;
  for (const Case& c : select_cases(run.options, run.assignment.cases(size))) {
    if (c.library && !run.backend->has_library())
      left_out = c.kernel;
    else
      cases.push_back(c);
  }
  if (cases.empty())
    throw Error(fmt::format("--kernel: {} is a library's: a GPU is needed, the library, and "
                            "{}/library.so, which make builds where a GPU is",
                            left_out, run.assignment.name()),
                kExitCannotRun);
  return cases;
}

Job job_of(const Run& run, const LaunchPlan& plan, const Case& c, int warps) {
  Job job;
  job.c = c;
  job.blocks = plan.blocks;
  job.warps = warps;
  job.seed = run.options.seed;
  job.counters = run.options.counters;
  job.times = run.options.times;
  return job;
}

std::vector<Job> jobs_of_plan(const Run& run, const LaunchPlan& plan) {
  std::vector<Job> jobs;
  for (const Case& c : possible_cases(run, plan.size))
    for (const int warps : plan.warps) jobs.push_back(job_of(run, plan, c, warps));
  return jobs;
}

// One of each case that is measured only where --kernel names it: a grading checks these, too.
std::vector<Job> jobs_not_shown(const Run& run, const LaunchPlan& plan) {
  std::vector<Job> jobs;
  if (!run.options.kernels.empty() || plan.warps.empty()) return jobs;
  for (const Case& c : run.assignment.cases(plan.size))
    if (!c.by_default && !c.library)
      jobs.push_back(job_of(run, plan, c, plan.warps[plan.warps.size() / 2]));
  return jobs;
}

// A launch of --plan FILE is planned as if its numbers stood on the command line.
Job job_of_planned(const Run& run, const PlannedLaunch& planned) {
  Options options;
  options.blocks = planned.blocks;
  options.warps = planned.warps;
  options.vectors = planned.vectors;
  const bool shaped = run.assignment.shape_from() == ShapeFrom::kCommandLine;
  if (planned.vectors < 1 || (shaped && planned.warps < 1))
    throw Error("--plan: vectors and warps must be at least 1");
  const LaunchPlan plan =
      plan_launches(options, run.backend->device(), run.assignment, run.emulated());
  for (const Case& c : run.assignment.cases(plan.size)) {
    if (c.kernel != planned.kernel || c.library) continue;
    Job job;
    job.c = c;
    job.blocks = plan.blocks;
    job.warps = planned.warps;
    job.seed = planned.seed;
    job.counters = planned.counters && run.options.counters;
    job.times = run.options.times;
    job.as_shown = planned.as_shown;
    job.opposed = planned.opposed;
    job.drawn = planned.drawn;
    job.fresh_inputs = !planned.as_shown;
    job.vectors = planned.vectors;
    return job;
  }
  throw Error(fmt::format("--plan: {} has no kernel '{}'", run.assignment.name(),
                          printable(planned.kernel)));
}

// Before anything is printed.
void check_memory_of(const Run& run, const std::vector<Job>& jobs) {
  const std::optional<int64_t> free = run.backend->free_bytes();
  for (const Job& job : jobs)
    check_memory(run.assignment.arrays(job.c), job.c.kernel, free, run.emulated());
}

// A module that cannot be loaded is the student's fault: as records, that of every launch.
bool load(const Run& run, const std::vector<Job>& jobs, Report* report) {
  try {
    run.backend->load_module(run.module);
    return true;
  } catch (const KernelFault& fault) {
    if (!run.options.json) throw;
    Measurement(*run.backend, run.assignment, measure_options(run), *report)
        .report_fault(jobs, fault);
    return false;
  }
}

bool run_planned(const Run& run) {
  const Plan plan = read_plan(run.options.plan);
  std::vector<Job> jobs;
  for (const PlannedLaunch& planned : plan.launches) jobs.push_back(job_of_planned(run, planned));
  MeasureOptions options = measure_options(run);
  options.most_timeouts = 3;
  options.turn = run.options.turn;
  const std::unique_ptr<Report> report = make_record_report(run.out());
  Measurement measurement(*run.backend, run.assignment, options, *report);
  measurement.prepare(jobs);
  const bool loaded = load(run, jobs, report.get());
  if (loaded) measurement.run(jobs);
  if (loaded && !plan.searches.empty() && !measurement.ended_early())
    run_searches({*run.backend, run.assignment, plan,
                  [&](const PlannedLaunch& one) { return job_of_planned(run, one); },
                  [&](const FoundElsewhere& one) { run.out() << to_json_line(one) << "\n"; }},
                 &measurement);
  run.out() << kEndOfPlan << "\n";
  return loaded && measurement.all_correct();
}

// The emulator checks before, also where a card is to measure: it sees more than wrong results.
Checked check_before(const Run& run, const std::vector<Job>& checks, Report* report) {
  constexpr int kMostAtOnce = 8;
  Options options = run.options;
  if (!run.emulated()) {
    options.backend = "emulator";
    options.device = -1;
    options.profile.clear();
  }
  const MeasureOptions of_checks = measure_options(run, options, true);
  CheckLanes lanes;
  lanes.most = std::min(options.threads > 0 ? options.threads : processors(), kMostAtOnce);
  if (run.emulated()) lanes.first = run.backend.get();
  options.threads = 1;
  if (run.environment.open_checker && options.runner.empty())
    lanes.open = [&] { return run.environment.open_checker(options); };
  if (lanes.first == nullptr && (!lanes.open || under_a_debugger())) return {};
  return run_checks(run.assignment, checks, lanes, of_checks, report);
}

// What the tables are held against: nothing where that could differ from run to run.
History earlier_run(const Run& run, const std::string& last_run) {
  if (!run.options.compare.empty()) return History::of_file(run.options.compare);
  return run.environment.terminal ? History::of_last_run(last_run) : History();
}

bool run_tables(const Run& run) {
  const DeviceInfo& device = run.backend->device();
  const LaunchPlan plan = plan_launches(run.options, device, run.assignment, run.emulated());
  const std::vector<Job> jobs = jobs_of_plan(run, plan);
  check_memory_of(run, jobs);
  std::vector<Job> to_check = jobs;
  for (Job& job : jobs_not_shown(run, plan)) to_check.push_back(std::move(job));
  const std::vector<Job> checks = checks_before(run.assignment, run.options, to_check);
  std::unique_ptr<Report> report;
  const std::string last_run = last_run_file(run.environment.executable);
  const History before = earlier_run(run, last_run);
  History kept = History::of_last_run(last_run);
  if (run.options.json) {
    report = make_record_report(run.out());
  } else {
    print_introduction(run, plan.blocks, plan.max_threads());
    TextReportOptions text;
    text.table.columns = run.assignment.columns();
    text.table.resident = plan.shows_resident;
    text.table.times = run.options.times;
    text.table.counters = run.options.counters;
    text.table.marks = run.emulated();
    text.table.bars = !run.emulated();
    text.table.width = run.environment.width;
    text.emulated = run.emulated();
    text.lines = run.options.lines;
    if (run.options.annotate) text.annotate = run.assignment.student_file();
    text.terminal = run.environment.terminal;
    text.device = device;
    text.before = &before;
    text.since = run.options.compare.empty() ? "the last run" : printable(run.options.compare);
    report = std::make_unique<TextReport>(run.out(), text);
  }
  CollectingReport all(*report);
  bool correct = load(run, jobs, &all);
  if (correct) {
    MeasureOptions options = measure_options(run);
    if (run.emulated()) options.most_timeouts = 2;  // others would take their minutes, too
    Measurement measurement(*run.backend, run.assignment, options, all);
    measurement.prepare(jobs);
    const Checked checked = check_before(run, checks, &all);
    measurement.take(checked);
    measurement.run(jobs);
    correct = measurement.all_correct() && checked.wrong.empty();
  }
  if (!run.options.html.empty())
    write_run_page({run.environment, run.assignment, run.options, *run.backend, run.module,
                    run.options.compare.empty() ? kept : before},
                   all.rows());
  const bool own_kernels = run.options.module.empty() && run.options.runner.empty();
  for (const Row& row : all.rows()) kept.keep(row.record);
  if (!run.options.json && own_kernels) kept.write(last_run);
  return correct;
}

// hwNN/library.so, where it has been built.
std::string find_library(const HomeworkEnvironment& environment) {
  const std::filesystem::path path =
      std::filesystem::path(environment.executable).parent_path() / "library.so";
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) ? path.string() : std::string();
}

void print_default_sizes(const Run& run) {
  for (const auto& [kernel, vectors] :
       default_sizes(run.assignment, run.backend->device(), run.emulated()))
    run.out() << fmt::format("{{\"kernel\": \"{}\", \"vectors\": {}}}\n", kernel, vectors);
}

void print_large_launches(const Run& run) {
  const Plan plan = read_plan(run.options.large_launches);
  for (const FoundElsewhere& one : draw_large(run.backend->device(), run.assignment, plan.searches))
    run.out() << to_json_line(one) << "\n";
}

int run_with_options(Options options, const Assignment& assignment,
                     const HomeworkEnvironment& environment) {
  if (options.help) {
    *environment.out << usage(environment.program) << "Columns:\n"
                     << explain_columns(assignment.columns());
    return kExitGood;
  }
  if (options.columns) {
    for (const std::string& metric : assignment.columns()) *environment.out << metric << "\n";
    return kExitGood;
  }
  if (options.trace) return run_trace(options, assignment, environment);
  options.library = find_library(environment);
  Run run{environment, assignment, options, nullptr, {}};
  // The module is looked for first: opening a GPU takes longer than saying that it is not there.
  const bool is_asked = options.default_sizes || !options.large_launches.empty();
  if (!options.device_info && !is_asked)
    run.module = kernels_to_run(options.module, environment.executable, assignment.student_file());
  std::string note;
  run.backend = environment.open_backend(options, &note);
  if (!note.empty()) run.remarks() << wrapped(note, environment.width, 4);
  if (options.device_info) {
    print_devices(run);
    return kExitGood;
  }
  if (options.default_sizes) {
    print_default_sizes(run);
    return kExitGood;
  }
  if (!options.large_launches.empty()) {
    print_large_launches(run);
    return kExitGood;
  }
  const bool correct = options.plan.empty() ? run_tables(run) : run_planned(run);
  return correct ? kExitGood : kExitWrong;
}

}  // namespace

int run_homework(const std::vector<std::string>& arguments, const Assignment& assignment,
                 const HomeworkEnvironment& environment) {
  const std::string name = assignment.name();
  const auto fail = [&](const std::string& message, int code, const Quoted& said = {}) {
    *environment.out << std::flush;
    *environment.err << wrapped(message, environment.width, 4) << said.marked(environment.width)
                     << std::flush;
    return code;
  };
  try {
    const Options options = parse_command_line(arguments);
    return run_with_options(options, assignment, environment);
  } catch (const KernelFault& fault) {
    // Of loading the module: what the kernels do is caught launch by launch.
    const std::string place =
        fault_place(fault.place().file, fault.place().line, assignment.student_file());
    return fail((place.empty() ? name + ": " : place) +
                    "the module cannot be loaded: " + fault_words(fault.kind()),
                kExitWrong, Quoted(fault.what()));
  } catch (const Error& error) {
    const bool usage = error.code() == kExitUsage;
    return fail(name + ": " + printable(error.what(), true) +
                    (usage ? " (" + environment.program + " --help tells more)" : ""),
                error.code());
  } catch (const std::bad_alloc&) {
    return fail(name + ": not enough memory on this machine; give a smaller SIZE", kExitUsage);
  } catch (const std::exception& error) {
    return fail(name + ": " + printable(error.what(), true), kExitCuda);
  }
}

}  // namespace lockstep
