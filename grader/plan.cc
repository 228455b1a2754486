// SPDX-License-Identifier: Apache-2.0
// Expansion of a rubric's runs. See plan.h.
#include "grader/plan.h"

#include <algorithm>
#include <map>

#include "common/harness/draw.h"

namespace lockstep::grader {
namespace {

// Of the device that `./hwNN` stands in for without a GPU: a grid is often so many blocks, or a
// multiple. The same on every device, as draws are.
constexpr int64_t kSms = 132;

struct Shape {
  int64_t blocks;
  int warps;
};

std::vector<Shape> shapes_of(const RunRule& run, Draw* draw) {
  std::vector<Shape> shapes;
  for (int64_t blocks : run.blocks)
    for (int warps : run.warps) shapes.push_back({blocks, warps});
  for (int i = 0; i < run.drawn_shapes; ++i) {
    int64_t blocks = draw->between_or_multiple(run.shape_blocks, kSms);
    shapes.push_back({blocks, static_cast<int>(draw->between(run.shape_warps))});
  }
  return shapes;
}

std::vector<std::string> kernels_of(const RunRule& run, Draw* draw) {
  if (run.drawn_kernels == 0) return run.kernels;
  // In their order, in which kernels of one problem lie side by side.
  std::vector<std::string> drawn = run.kernels;
  while (drawn.size() > static_cast<size_t>(run.drawn_kernels))
    drawn.erase(drawn.begin() + draw->between({0, static_cast<int64_t>(drawn.size()) - 1}));
  return drawn;
}

void add_run(const RunRule& run, Draw* draw, std::vector<GradedLaunch>* plan) {
  std::vector<int64_t> sizes = run.vectors;
  for (int i = 0; i < run.drawn_sizes; ++i) sizes.push_back(draw->size_as_used(run.sizes));
  for (int input = 0; input < run.inputs; ++input)
    for (int64_t vectors : sizes) {
      // Kernels of one size share a seed, so that the harness makes inputs and reference once, and
      // shapes, so that they can be compared.
      uint64_t seed = draw->next();
      std::vector<Shape> shapes = shapes_of(run, draw);
      const std::vector<std::string> kernels = kernels_of(run, draw);
      for (const std::string& kernel : kernels)
        for (const Shape& shape : shapes)
          if (!run.unseen)
            plan->push_back(
                {run.id, {kernel, vectors, shape.blocks, shape.warps, seed, run.counters}});
    }
}

}  // namespace

std::vector<GradedLaunch> plan_submission(const Rubric& rubric, uint64_t seed) {
  Draw draw(seed);
  std::vector<GradedLaunch> plan;
  for (bool counted : {false, true})
    for (const RunRule& run : rubric.runs)
      if (run.counters == counted) add_run(run, &draw, &plan);
  return plan;
}

namespace {

bool can_search(const RunRule& run) {
  return !run.unseen && run.drawn_sizes > 0 && (run.own_shape || run.drawn_shapes > 0);
}

PlannedSearch search_in(const RunRule& run, const std::string& kernel, uint64_t seed) {
  const Range none{0, 0};
  return {run.id,
          kernel,
          run.sizes,
          run.own_shape ? none : run.shape_blocks,
          run.own_shape ? none : run.shape_warps,
          seed_of_text(seed_of_text(seed, run.id), kernel),
          run.counters};
}

}  // namespace

std::vector<PlannedSearch> plan_searches(const Rubric& rubric, uint64_t seed) {
  std::vector<PlannedSearch> searches;
  std::map<std::string, PlannedSearch> whole;  // by kernel: from its smallest size to its largest
  for (const RunRule& run : rubric.runs) {
    if (!can_search(run)) continue;
    for (const std::string& kernel : run.kernels) {
      const PlannedSearch one = search_in(run, kernel, seed);
      if (run.counters) searches.push_back(one);
      const auto [at, is_first] = whole.try_emplace(kernel, one);
      if (is_first) continue;
      PlannedSearch& all = at->second;
      all.vectors = around(all.vectors, one.vectors);
      all.blocks = around(all.blocks, one.blocks);
      all.warps = around(all.warps, one.warps);
      if (all.counters && !run.counters) all.name = run.id, all.counters = false;
    }
  }
  for (auto& [kernel, all] : whole)
    if (!all.counters) searches.push_back(std::move(all));
  return searches;
}

std::set<std::string> launched_kernels(const Rubric& rubric) {
  std::set<std::string> kernels(rubric.given_kernels.begin(), rubric.given_kernels.end());
  for (const RunRule& run : rubric.runs) kernels.insert(run.kernels.begin(), run.kernels.end());
  for (const CheckRule& check : rubric.checks)
    for (const std::string& kernel : rubric.kernels_of(check))
      kernels.insert(base_kernel_of(check.base_kernel, kernel));
  return kernels;
}

std::vector<GradedLaunch> plan_solution(const Rubric& rubric, uint64_t seed) {
  return plan_solution_of(rubric, plan_submission(rubric, seed));
}

std::vector<GradedLaunch> plan_solution_of(const Rubric& rubric,
                                           const std::vector<GradedLaunch>& launches) {
  std::vector<GradedLaunch> plan;
  auto add = [&](const GradedLaunch& launch) {
    if (std::none_of(plan.begin(), plan.end(), [&](const GradedLaunch& other) {
          return same_problem(launch, other, launch.launch.kernel);
        }))
      plan.push_back(launch);
  };
  for (const GradedLaunch& graded : launches)
    for (const CheckRule& check : rubric.checks) {
      // That a large launch can be right at all is known by the solution's.
      const bool needed = check.kind != CheckKind::kCorrect || graded.launch.drawn;
      if (graded.launch.opposed || !needed || !looks_at(rubric, check, graded)) continue;
      add(graded);
      GradedLaunch base = graded;
      base.launch.kernel = base_kernel_of(check.base_kernel, graded.launch.kernel);
      add(base);
    }
  return plan;
}

namespace {

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// What is as large as on a card is in no run: it is looked at wherever the kernel is counted on
// sizes that are drawn, and it is to be right wherever such a size is launched.
bool looks_at_large(const Rubric& rubric, const CheckRule& check, const std::string& kernel) {
  if (check.relative_to == RelativeTo::kKernel) return false;
  return std::any_of(rubric.runs.begin(), rubric.runs.end(), [&](const RunRule& run) {
    return (run.counters || check.kind == CheckKind::kCorrect) && can_search(run) &&
           has(run.kernels, kernel) && has(check.runs, run.id);
  });
}

}  // namespace

bool looks_at(const Rubric& rubric, const CheckRule& check, const GradedLaunch& graded) {
  const std::string& kernel = graded.launch.kernel;
  if (!has(rubric.kernels_of(check), kernel)) return false;
  return graded.launch.drawn ? looks_at_large(rubric, check, kernel) : has(check.runs, graded.run);
}

bool same_problem(const GradedLaunch& a, const GradedLaunch& b, const std::string& kernel_of_b) {
  return a.launch.seed == b.launch.seed && a.run == b.run && b.launch.kernel == kernel_of_b &&
         a.launch.vectors == b.launch.vectors && a.launch.blocks == b.launch.blocks &&
         a.launch.warps == b.launch.warps &&
         a.launch.drawn.has_value() == b.launch.drawn.has_value();
}

}  // namespace lockstep::grader
