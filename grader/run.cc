// SPDX-License-Identifier: Apache-2.0
// Calling the homework's program and reading its records. See run.h.
#include "grader/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/harness/metrics.h"
#include "runner/process.h"
#include "runner/remote_backend.h"

namespace lockstep::grader {
namespace {

// Bytes of all records of a submission. Costs of its lines are most of them: a thousand lines in
// some hundred launches are a tenth of this.
constexpr size_t kMostRecords = 256 << 20;

const DeviceInfo& device_of(const RunRequest& request, const Machine& machine) {
  return machine.devices.at(static_cast<size_t>(request.device));
}

Sandbox::Run cage_of(const Rubric& rubric, const Machine& machine, const RunRequest& request) {
  Sandbox::Run cage;
  cage.gpu = machine.backend == "gpu";
  cage.cpu_s = rubric.limits.run_s;
  cage.memory_bytes = rubric.limits.memory_mib << 20;
  cage.slot = request.slot;
  if (cage.gpu) cage.visible = device_of(request, machine).uuid;
  return cage;
}

std::string joined(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

void save(const std::string& path, const std::string& text) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (fd.get() < 0 ||
      write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw Error("cannot write " + path, kExitCannotRun);
}

std::vector<PlannedLaunch> launches_of(const std::vector<GradedLaunch>& plan) {
  std::vector<PlannedLaunch> launches;
  for (const GradedLaunch& graded : plan) launches.push_back(graded.launch);
  return launches;
}

std::vector<std::string> program_command(const RunRequest& request, const std::string& plan_file,
                                         const Rubric& rubric, const Machine& machine,
                                         const Toolchain& tools, const Sandbox& sandbox) {
  std::vector<std::string> command = {
      tools.top + "/" + rubric.homework + "/" + rubric.homework,
      "--json",
      "--plan",
      plan_file,
      "--module",
      request.module,
      "--backend",
      machine.backend,
      "--runner",
      joined(sandbox.runner_command(cage_of(rubric, machine, request)))};
  auto add = [&](const char* option, const std::string& value) {
    command.push_back(option);
    command.push_back(value);
  };
  if (!needs_times(rubric)) command.push_back("--no-times");
  add("--time-limit", std::to_string(rubric.limits.launch_s));
  if (machine.backend == "gpu") {
    const DeviceInfo& device = device_of(request, machine);
    add("--device", std::to_string(device.uuid.empty() ? device.index : 0));
    if (!request.turn.empty()) add("--turn", request.turn);
  } else {
    if (!machine.profile.empty()) add("--profile", machine.profile);
    add("--threads", std::to_string(request.threads));
    add("--step-budget", std::to_string(rubric.limits.step_budget));
    if (rubric.limits.total_steps > 0)
      add("--total-step-budget", std::to_string(rubric.limits.total_steps));
  }
  return command;
}

// One in which a comparison says the opposite is of the run that has it as it is written.
std::string run_of(const FoundElsewhere& found, const std::vector<GradedLaunch>& plan) {
  PlannedLaunch as_written = found.launch;
  as_written.opposed.reset();
  for (const GradedLaunch& one : plan)
    if (found.launch.opposed && one.launch == as_written) return one.run;
  return found.name;
}

void read_records(const std::string& text, const std::vector<GradedLaunch>& plan,
                  RunResult* result) {
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    if (result->ended) throw Error("something behind the end of the plan");
    if (line == kEndOfPlan) {
      result->ended = true;
      continue;
    }
    if (const auto found = found_elsewhere(line)) {
      result->elsewhere.push_back({run_of(*found, plan), found->launch});
      continue;
    }
    if (result->records.size() >= plan.size() + result->elsewhere.size())
      throw Error("more records than launches");
    result->records.push_back(record_from_json_line(line));
  }
}

}  // namespace

std::string Machine::arch() const {
  if (devices.empty() || devices[0].cc_major == 0) return "sm_90";
  return "sm_" + std::to_string(devices[0].cc_major) + std::to_string(devices[0].cc_minor);
}

Machine probe_machine(const std::string& kind, const std::string& profile,
                      const std::vector<int>& chosen, const Sandbox& sandbox) {
  Machine machine;
  machine.profile = profile;
  BackendOptions options;
  options.profile = profile;
  if (!chosen.empty()) options.device = chosen[0];
  std::unique_ptr<Backend> backend;
  std::string why;
  for (const char* one : {"gpu", "emulator"}) {
    if (backend || (kind != "auto" && kind != one)) continue;
    Sandbox::Run cage;
    cage.gpu = std::string(one) == "gpu";
    try {
      backend = make_remote_backend(sandbox.runner_command(cage), options, one);
    } catch (const Error& e) {
      why = e.what();
    }
  }
  if (!backend) throw Error(why, kExitCannotRun);
  machine.backend = backend->kind();
  machine.driver = backend->driver_version();
  machine.devices = {backend->device()};
  for (const DeviceInfo& device : backend->devices()) {
    const DeviceInfo& first = machine.devices[0];
    bool wanted = chosen.empty()
                      ? device.name == first.name
                      : std::find(chosen.begin(), chosen.end(), device.index) != chosen.end();
    if (machine.backend == "gpu" && wanted && device.index != first.index)
      machine.devices.push_back(device);
  }
  return machine;
}

namespace {

// What a homework's program says of itself.
std::string ask_program(const std::string& homework, const Toolchain& tools,
                        const std::vector<std::string>& options) {
  std::vector<std::string> command = {tools.top + "/" + homework + "/" + homework, "--backend",
                                      "emulator"};
  command.insert(command.end(), options.begin(), options.end());
  ProcessLimits limits;
  limits.wall_s = 60;
  const ProcessResult process = run_process(command, clean_environment(), limits);
  if (!process.exited || process.exit_code != 0)
    throw Error(command[0] + " " + options[0] + ": " + process.err.substr(0, 400), kExitCannotRun);
  return process.out;
}

}  // namespace

std::vector<std::string> ask_columns(const std::string& homework, const Toolchain& tools) {
  std::vector<std::string> metrics;
  std::istringstream lines(ask_program(homework, tools, {"--columns"}));
  for (std::string line; std::getline(lines, line);) metrics.push_back(line);
  return metrics;
}

std::map<std::string, int64_t> ask_default_sizes(const std::string& homework,
                                                 const Toolchain& tools) {
  std::map<std::string, int64_t> sizes;
  std::istringstream lines(ask_program(homework, tools, {"--default-sizes"}));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json size = nlohmann::json::parse(line);
    sizes[size.at("kernel")] = size.at("vectors");
  }
  return sizes;
}

std::vector<GradedLaunch> ask_large_launches(const std::string& homework,
                                             const std::vector<PlannedSearch>& searches,
                                             const std::string& folder, const Machine& machine,
                                             const Toolchain& tools) {
  std::vector<GradedLaunch> launches;
  if (machine.backend != "emulator") return launches;
  const std::string file = folder + "/searches.json";
  save(file, plan_to_json({{}, searches}));
  std::vector<std::string> options = {"--large-launches", file};
  if (!machine.profile.empty()) options.insert(options.end(), {"--profile", machine.profile});
  std::istringstream lines(ask_program(homework, tools, options));
  for (std::string line; std::getline(lines, line);)
    if (const auto one = found_elsewhere(line)) launches.push_back({one->name, one->launch});
  return launches;
}

bool needs_times(const Rubric& rubric) {
  for (const CheckRule& check : rubric.checks)
    for (const char* name : {metric::kTimeUs, metric::kL2Gbps, metric::kL2PeakPercent,
                             metric::kDramGbps, metric::kFpGflops})
      if (check.metric == name) return true;
  return false;
}

RunResult run_plan(const RunRequest& request, const Rubric& rubric, const Machine& machine,
                   const Toolchain& tools, const Sandbox& sandbox) {
  RunResult result;
  double start = monotonic_seconds();
  try {
    std::string plan_file = request.folder + "/plan.json";
    save(plan_file, plan_to_json({launches_of(*request.plan), request.searches}));
    ProcessLimits limits;
    limits.wall_s = 2 * rubric.limits.run_s;
    if (!request.turn.empty()) limits.wall_s *= kAtOnce;
    if (machine.backend == "emulator") limits.wall_s *= kBusyMachine;
    limits.memory_bytes = (rubric.limits.memory_mib + 2048) << 20;
    limits.output_bytes = limits.output_kill_bytes = kMostRecords;
    limits.stop = request.stop;
    ProcessResult process =
        run_process(program_command(request, plan_file, rubric, machine, tools, sandbox),
                    clean_environment(), limits);
    result.peak_memory_bytes = process.peak_memory_bytes;
    result.log = process.err.substr(0, 4096);
    if (!process.flooded) read_records(process.out, *request.plan, &result);
    const bool complete =
        result.ended && result.records.size() == request.plan->size() + result.elsewhere.size();
    if (process.timed_out)
      result.problem = "timeout";
    else if (process.out_of_memory || process.flooded)
      result.problem = "out_of_memory";
    else if (!complete)
      result.problem = "infrastructure";
    if (result.problem == "infrastructure" && result.log.empty())
      result.log = rubric.homework + " ended early, with " +
                   (process.exited ? "code " + std::to_string(process.exit_code)
                                   : "signal " + std::to_string(process.signal));
  } catch (const std::exception& e) {
    result.problem = "infrastructure";
    result.log = e.what();
  }
  result.seconds = monotonic_seconds() - start;
  return result;
}

}  // namespace lockstep::grader
