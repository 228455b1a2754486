// SPDX-License-Identifier: Apache-2.0
// Gradings as the store has them, for pages.
#pragma once

#include <string>
#include <vector>

#include "common/page/page.h"
#include "grader/pages.h"
#include "grader/sha256.h"
#include "grader/store.h"

namespace lockstep::grader {

// Text that a page must show and never obey: ends of scripts, tags, entities, line separators,
// characters that turn the direction of writing, bytes that are no UTF-8.
inline const std::string kHostile =
    "</script><script>window.owned=1</script><img src=x onerror=\"window.owned=2\">&lt;b&gt; "
    "<!-- \xE2\x80\xA8 \xE2\x80\xAE <svg onload=window.owned=3> ${window.owned=4} \xFF \\u003c";

inline CheckOutcome sample_check(size_t number, CheckStatus status, double most) {
  CheckOutcome c;
  c.id = "check-" + std::to_string(number);
  c.title = "the instructions of check " + std::to_string(number) + " at each unroll degree";
  c.status = status;
  c.points = status == CheckStatus::kPass ? most : 0;
  c.max_points = most;
  c.kernel = "norm_group_u<8,4,8>";
  c.measured = 41326;
  c.threshold = 48786;
  c.tier = "exact";
  c.message = "norm_group_u<8,4,8>: warp_instructions (I/el) is 41326, expected at most 48786";
  c.hint = "Copies should share what does not change.";
  c.reproduce = "./hw02 3 10 --vectors 18476 --kernel 'norm_group_u<8,4,8>' --seed 1 --lines";
  return c;
}

// `right`: of ten checks, each of ten points, so many are passed.
inline Graded sample_grading(const std::string& identity, size_t right) {
  Graded g;
  g.homework = "hw02";
  g.submission = shown_name(identity);
  g.identity = identity;
  g.content_hash = sha256("content of " + identity);
  g.config_hash = "config";
  g.backend = "emulator";
  g.device = "NVIDIA H200";
  g.arch = "sm_90";
  g.compiler = "nvcc 13.0.88";
  g.sandbox = "full";
  g.module_hash = sha256("module of " + identity);
  g.seed = 77;
  g.finished_at = "2026-01-31T12:00:00Z";
  for (size_t i = 0; i < 10; ++i)
    g.verdict.checks.push_back(
        sample_check(i, i < right ? CheckStatus::kPass : CheckStatus::kFail, 10));
  g.verdict.kind = right == 10 ? VerdictKind::kPass
                   : right > 0 ? VerdictKind::kPartial
                               : VerdictKind::kFail;
  g.verdict.points = 10 * double(right);
  g.verdict.max_points = 100;
  return g;
}

inline const PageNames kNames = {"Keep more loads in flight", "hw02.cu"};

inline std::string class_page_of(const std::vector<Graded>& students,
                                 const std::vector<Fingerprint>& codes) {
  std::vector<std::string> files;
  for (const Graded& g : students) files.push_back(page_file(g.submission, g.identity));
  return page::class_page(class_data(students, files, codes, 2, kNames));
}

// Ada passes, Bob some, Eve none, Zoe is an infrastructure error.
inline std::vector<Graded> small_class() {
  std::vector<Graded> students = {sample_grading("Zoe", 0), sample_grading("Eve", 0),
                                  sample_grading("Bob", 4), sample_grading("Ada", 10)};
  students[0].verdict.kind = VerdictKind::kInfraError;
  students[0].verdict.reason = "it could not be executed here";
  return students;
}

}  // namespace lockstep::grader
