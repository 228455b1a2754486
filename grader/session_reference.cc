// SPDX-License-Identifier: Apache-2.0
// What a sitting holds submissions against: its draws, the solution on each, and whether that
// passes here and now. See session.h.
#include <algorithm>
#include <chrono>
#include <thread>

#include "common/backend/module_files.h"
#include "grader/build_files.h"
#include "grader/kept.h"
#include "grader/session.h"

namespace lockstep::grader {

std::string GradingSession::recorded_path() const {
  return tools_.top + "/" + options_.homework + "/recorded.json";
}

std::vector<Reference> GradingSession::recorded() const {
  return read_recorded(file_or_nothing(recorded_path()), recorded_path(), whole_rubric_,
                       machine_.backend, tools_.arch);
}

// A seed that was asked for, what is recorded where there is no solution, or secrets.
void GradingSession::choose_draws() {
  auto add = [this](Reference reference) {
    draws_.push_back(std::make_unique<Draw>());
    draws_.back()->reference = std::move(reference);
  };
  std::vector<uint64_t> seeds = options_.shared ? options_.shared->seeds
                                : options_.seed ? std::vector<uint64_t>{*options_.seed}
                                                : secret_seeds(options_.draws);
  if (!has_solution()) {
    const bool all = !options_.seed && !options_.shared;
    for (Reference& one : recorded())
      if (all || std::find(seeds.begin(), seeds.end(), one.seed) != seeds.end())
        add(std::move(one));
  } else {
    draw_key_ = options_.shared ? options_.shared->key : secret_key();
  }
  if (draws_.empty())
    for (uint64_t seed : seeds) add({seed, false, {}, {}});
}

SharedDraws GradingSession::secrets() const {
  SharedDraws shared{draw_key_, {}};
  for (const auto& draw : draws_) shared.seeds.push_back(draw->reference.seed);
  return shared;
}

size_t GradingSession::draw_of(const StagedSubmission& staged) const {
  return grader::draw_of(draw_key_, staged.hash, draws_.size());
}

void GradingSession::prepare_reference(size_t draw) {
  build_reference();
  reference(draw);
}

// What this grader makes of this solution is kept from sitting to sitting.
void GradingSession::build_reference() {
  if (!has_solution() || !solution_module_.empty()) return;
  std::string from = config_hash_;
  for (const std::string& flag : rubric_.solution_flags) from += "\n" + flag;
  const std::string kept = kept_path(tools_, rubric_.homework, from);
  if (const auto module = kept_module(kept, rubric_.homework)) {
    solution_module_ = *module;
    return;
  }
  std::string folder;
  BuildResult build = build_trusted(solution_source_, rubric_.solution_flags, 0, &folder);
  if (!build.good())
    throw Error("the solution cannot be compiled: " + build.problem + "\n" + build.log,
                kExitCannotRun);
  solution_module_ = build.module;
  keep_module(find_module_files(build.module), kept, rubric_.homework);
}

const Reference& GradingSession::reference(size_t draw, int slot, int device) {
  Draw& one = *draws_.at(draw);
  std::call_once(one.measured, [&] {
    if (one.reference.known || solution_module_.empty()) return;
    const auto measure = [&] {
      return measure_solution(one.reference.seed, slot, device, large_launches(draw));
    };
    one.reference = options_.shared && options_.shared->reference
                        ? options_.shared->reference(draw, measure)
                        : measure();
  });
  return one.reference;
}

// Only where the solution is at hand is anything launched besides.
const std::vector<GradedLaunch>& GradingSession::large_launches(size_t draw) {
  Draw& one = *draws_.at(draw);
  std::call_once(one.drawn, [&] {
    if (solution_module_.empty()) return;
    const std::string folder = new_folder("large");
    one.large = ask_large_launches(rubric_.homework, plan_searches(rubric_, one.reference.seed),
                                   folder, machine_, tools_);
    remove_tree(folder);
  });
  return one.large;
}

Reference GradingSession::measure_solution(uint64_t seed, int slot, int device,
                                           const std::vector<GradedLaunch>& also) {
  Reference reference{seed, true, {}, {}};
  std::vector<GradedLaunch> launches = plan_submission(rubric_, seed);
  launches.insert(launches.end(), also.begin(), also.end());
  measure_also(plan_solution_of(rubric_, launches), slot, device, &reference);
  if (!reference.plan.empty()) return reference;
  // Where nothing is compared with it, it still is the known-good submission.
  Reference ignored;
  measure_also({plan_submission(rubric_, seed).back()}, slot, device, &ignored);
  return reference;
}

void GradingSession::measure_also(const std::vector<GradedLaunch>& launches, int slot, int device,
                                  Reference* reference) {
  if (launches.empty()) return;
  std::string folder = new_folder("solution");
  RunResult result = execute(launches, solution_module_, folder, slot, device);
  remove_tree(folder);
  if (!result.problem.empty())
    throw MachineUnwell("the solution cannot be run: " + result.problem + "\n" + result.log);
  for (size_t i = 0; i < result.records.size(); ++i) {
    const Record& record = result.records[i];
    // Where some blocks of the solution tell nothing of it, nothing is asked of a submission.
    if (record.check.status != "correct" && !launches.at(i).launch.drawn)
      throw MachineUnwell("the solution is not right on it: " + record.kernel + ": " +
                          record.check.message);
  }
  reference->plan.insert(reference->plan.end(), launches.begin(), launches.end());
  for (Record& record : result.records) reference->records.push_back(std::move(record));
}

std::string GradingSession::known_good_problem(int slot, int device) {
  if (solution_module_.empty()) return "there is no solution here to try the machine with";
  std::vector<GradedLaunch> all = plan_submission(rubric_, secret_seeds(1).front());
  std::vector<GradedLaunch> plan = {all.front(), all.back()};
  std::string folder = new_folder("known-good");
  const RunResult result = execute(plan, solution_module_, folder, slot, device);
  remove_tree(folder);
  if (!result.problem.empty()) return result.problem + ": " + result.log;
  for (const Record& record : result.records)
    if (record.check.status != "correct") return record.check.message;
  return {};
}

// The same steps in the same cage, by the same user, in a folder of the same disk.
std::string GradingSession::known_good_build_problem(int slot) {
  std::string folder;
  const BuildResult result = build_trusted(solution_source_, rubric_.solution_flags, slot, &folder);
  std::string problem;
  if (!result.good())
    problem = "the solution cannot be compiled: " + result.problem + ": " + result.log;
  if (problem.empty()) problem = room_problem(folder);
  remove_tree(folder);
  return problem;
}

void GradingSession::require_known_good(bool to_compile, int slot, int device) {
  std::string problem;
  for (int wait_s : {0, 1, 4, 15}) {
    std::this_thread::sleep_for(std::chrono::seconds(wait_s));
    problem = to_compile ? known_good_build_problem(slot) : known_good_problem(slot, device);
    if (problem.empty()) return;
  }
  throw MachineUnwell(problem);
}

}  // namespace lockstep::grader
