// SPDX-License-Identifier: Apache-2.0
// The parts and their hashes. See configuration.h.
#include "grader/configuration.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/harness/record.h"
#include "grader/plan.h"
#include "grader/run.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

std::string limits_text(const Limits& l) {
  return json({l.compile_s, l.launch_s, l.run_s, l.memory_mib, l.step_budget, l.total_steps})
      .dump();
}

std::string policy_text(const Policy& p) {
  return json({p.inline_asm, p.headers, p.forbidden, p.machine_registers, p.global_bytes}).dump();
}

}  // namespace

std::string file_or_nothing(const std::string& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::is_regular_file(path, error)) {
    // What is hidden from this user is not what is not there: a solution decides which draws count.
    if (error == std::errc::permission_denied)
      throw Error(path + ": this user may not read it; grade as one who may", kExitCannotRun);
    return {};
  }
  return read_file(path, 4 << 20);
}

ExecutionParts execution_parts(const Rubric& rubric, const Toolchain& tools,
                               const std::string& cage) {
  const std::string folder = tools.top + "/" + rubric.homework;
  const auto hash_of_program = [](const std::string& path) { return sha256(read_file(path)); };
  const std::string solution =
      file_or_nothing(rubric.solution.empty() ? "" : tools.top + "/" + rubric.solution);
  return {{"instances.cu", sha256(file_or_nothing(folder + "/instances.cu"))},
          {"the solution", sha256(solution)},
          {"the solution's flags", json(rubric.solution_flags).dump()},
          {"the form of records", std::to_string(kRecordVersion)},
          {"the architecture", tools.arch},
          {"the compiler", tools.nvcc_version},
          {"the cage", cage},
          {"the grader", hash_of_program("/proc/self/exe")},
          {"the runner", hash_of_program(tools.runner)},
          {"the homework's program", hash_of_program(folder + "/" + rubric.homework)},
          {"the rubric's file", rubric.file},
          {"the rubric's [limits]", limits_text(rubric.limits)},
          {"the rubric's [policy]", policy_text(rubric.policy)},
          {"the kernels that the rubric names", sha256(json(launched_kernels(rubric)).dump())},
          {"whether times are taken", needs_times(rubric) ? "yes" : "no"}};
}

std::string execution_hash(const ExecutionParts& parts) { return sha256(parts_to_json(parts)); }

std::string config_hash(const Rubric& rubric, const ExecutionParts& parts) {
  return sha256(rubric.text_hash + execution_hash(parts));
}

std::string parts_to_json(const ExecutionParts& parts) {
  return json(parts).dump(-1, ' ', true, json::error_handler_t::replace);
}

ExecutionParts parts_from_json(const std::string& text) {
  try {
    return json::parse(text).get<ExecutionParts>();
  } catch (const json::exception& e) {
    throw Error(std::string("the results do not tell what a grading was executed with: ") +
                e.what());
  }
}

std::string differing_parts(const ExecutionParts& before, const ExecutionParts& now) {
  std::set<std::string> names;
  for (const ExecutionParts* parts : {&before, &now})
    for (const auto& [name, value] : *parts) names.insert(name);
  std::string text;
  for (const std::string& name : names) {
    const auto a = before.find(name), b = now.find(name);
    if (a != before.end() && b != now.end() && a->second == b->second) continue;
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace lockstep::grader
