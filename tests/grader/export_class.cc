// SPDX-License-Identifier: Apache-2.0
// See export_class.h.
#include "tests/grader/export_class.h"

#include <cmath>

namespace lockstep::grader {
namespace {

struct Shape {
  const char* id;
  double points;
  bool hidden;
};
constexpr Shape kChecks[] = {{"right", 0, false},
                             {"instructions-8", 40, false},
                             {"sectors", 30, false},
                             {"conflicts", 20, false},
                             {"hidden-size", 10, true}};

CheckOutcome outcome(const Shape& shape, double share) {
  CheckOutcome c;
  c.id = shape.id;
  c.title = std::string("the ") + shape.id + " are few: at most 13.2";
  c.max_points = shape.points;
  c.points = shape.points * share;
  c.hidden = shape.hidden;
  c.status = share == 1   ? CheckStatus::kPass
             : share == 0 ? CheckStatus::kFail
                          : CheckStatus::kPartial;
  c.message = share == 1 ? "" : "hw02.cu:77: 23.1, but at most 13.2";
  c.quoted = Quoted(share == 1 ? "" : "  d = x[i]; // <b>\n");
  c.hint = share == 1 ? "" : "unroll by four";
  c.reproduce = share == 1 ? "" : "cd hw02; ./hw02 3 8 --vectors 33";
  c.measured = 23.1;
  c.threshold = 13.2;
  c.tier = "exact";
  if (share < 1) c.costs = {{"9 of 23 a line, hw02.cu:77", Quoted("y += x[i];")}};
  return c;
}

// With `shares` of the checks' points.
Graded graded(const std::string& name, const std::vector<double>& shares) {
  Graded g;
  g.homework = "hw02";
  g.submission = name;
  g.identity = name + ".cu";
  g.path = "class/" + name + ".cu";
  g.content_hash = "h" + name;
  g.backend = "emulator";
  g.device = "NVIDIA H200";
  g.arch = "sm_90";
  g.compiler = "nvcc 13.0.88";
  g.sandbox = "full";
  g.module_hash = "m";
  g.seed = (uint64_t{1} << 53) - 1;
  g.build_seconds = 2.5;
  g.run_seconds = 1.25;
  g.finished_at = "2026-11-23T12:00:00Z";
  Verdict& v = g.verdict;
  for (size_t i = 0; i < std::size(kChecks); ++i) {
    v.checks.push_back(outcome(kChecks[i], shares[i]));
    v.points += v.checks.back().points;
    v.max_points += v.checks.back().max_points;
  }
  v.kind = v.points == v.max_points ? VerdictKind::kPass
           : v.points == 0          ? VerdictKind::kFail
                                    : VerdictKind::kPartial;
  return g;
}

void unmeasured(Graded* g, size_t check, CheckStatus status) {
  CheckOutcome& c = g->verdict.checks[check];
  g->verdict.points -= c.points;
  c.points = 0;
  c.status = status;
  c.measured.reset();
  c.message = "this device does not tell it";
  (status == CheckStatus::kReview ? g->verdict.review_points : g->verdict.undecided_points) +=
      c.max_points;
  g->verdict.kind =
      status == CheckStatus::kReview ? VerdictKind::kReview : VerdictKind::kNotMeasured;
}

Graded infra(const std::string& name) {
  Graded g = graded(name, {0, 0, 0, 0, 0});
  g.verdict.checks.clear();
  g.verdict.kind = VerdictKind::kInfraError;
  g.verdict.reason = g.verdict.message = "the compiler was killed";
  g.verdict.undecided_points = g.verdict.max_points;
  return g;
}

Graded compile_error(const std::string& name) {
  Graded g = graded(name, {0, 0, 0, 0, 0});
  g.module_hash.clear();
  g.verdict.kind = VerdictKind::kStudentError;
  g.verdict.reason = "compile";
  g.verdict.message = "it does not compile";
  g.verdict.quoted = Quoted("hw02.cu(3): error: expected a \";\"\n");
  for (CheckOutcome& c : g.verdict.checks) c.message = "nothing was run";
  return g;
}

Graded hostile() {
  Graded g = graded("mallory", {0, 0.5, 0, 0, 0});
  g.submission = kHostile;
  g.identity = kHostile;
  g.verdict.reason = kHostile;
  g.verdict.message = kHostile;
  g.verdict.quoted = Quoted(kHostile);
  for (CheckOutcome& c : g.verdict.checks) {
    c.title = c.message = c.hint = c.reproduce = kHostile;
    c.quoted = Quoted(kHostile);
    c.costs = {{kHostile, Quoted(kHostile)}};
  }
  return g;
}

}  // namespace

Rubric class_rubric() {
  Rubric rubric;
  rubric.homework = "hw02";
  rubric.title = "Keep more loads in flight";
  rubric.points = 100;
  return rubric;
}

std::vector<Graded> export_class() {
  std::vector<Graded> all = {graded("mary", {1, 1, 1, 1, 1}),
                             graded("dennis", {1, 0.8125, 0.5, 0, 1}),
                             graded("nearly", {1, 0.99999, 1, 1, 1}),
                             graded("hardly", {1, 0.00001, 0, 0, 0}),
                             graded("ivan", {0, 0, 0, 0, 0}),
                             compile_error("hedy"),
                             infra("linus"),
                             graded("grace", {1, 1, 1, 1, 1}),
                             graded("alan", {1, 1, 1, 1, 1}),
                             graded("Ada", {1, 1, 1, 1, 0}),
                             hostile()};
  unmeasured(&all[7], 2, CheckStatus::kNotMeasured);
  unmeasured(&all[8], 1, CheckStatus::kReview);
  all[4].verdict.checks[1].waits_for = "right";
  // A check without points that this device does not offer stops no grade.
  all[9].verdict.checks[0].status = CheckStatus::kNotMeasured;
  return all;
}

std::vector<Graded> large_class(int students) {
  std::vector<Graded> all;
  for (int i = 0; i < students; ++i) {
    const double share = (i % 7) / 6.0;
    all.push_back(graded("student" + std::to_string(i), {1, share, share, 1, share}));
    // As many checks, with as much text, as a real homework has.
    for (int more = 0; more < 12; ++more) {
      all.back().verdict.checks.push_back(outcome({"more", 0, false}, more % 2));
      all.back().verdict.checks.back().id += std::to_string(more);
    }
    all.back().identity = "canvas//" + std::to_string(1000 + i);
    all.back().submitted.at = "2026-11-20T12:00:00Z";
  }
  return all;
}

}  // namespace lockstep::grader
