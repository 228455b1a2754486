// SPDX-License-Identifier: Apache-2.0
#include "common/harness/origins.h"

#include <algorithm>

#include "common/base/error.h"
#include "common/harness/explain.h"
#include "common/harness/launch_plan.h"
#include "common/harness/session.h"
#include "common/harness/small_checks.h"

namespace lockstep {
namespace {

constexpr int64_t kElements = 4000;  // of the problem that is watched
constexpr int64_t kBlocks = 2;
constexpr uint64_t kSteps = 20'000'000;

// Behind a question that is a sentence.
void append(std::string more, std::string* words) {
  if (!more.empty() && words->ends_with('?')) more.replace(0, 3, " I");
  *words += more;
}

}  // namespace

void Origins::add(const Job& job, std::vector<Finding>* findings) {
  std::vector<Question> open;
  for (const Finding& finding : *findings)
    if (finding.asks != Finding::Asks::kNothing &&
        known_.emplace(std::pair(job.c.kernel, Question(finding.line, finding.asks)), "").second)
      open.emplace_back(finding.line, finding.asks);
  if (!open.empty()) watch(job, open);
  for (Finding& finding : *findings)
    if (finding.asks != Finding::Asks::kNothing)
      append(known_.at({job.c.kernel, {finding.line, finding.asks}}), &finding.words);
}

// Where that cannot be watched, nothing is added.
void Origins::watch(const Job& job, const std::vector<Question>& questions) {
  try {
    Backend* const debug = debug_.backend();
    if (debug == nullptr) return;
    Sizes sizes(assignment_);
    const int64_t elements = std::min(kElements, assignment_.work(job.c).elements / kMuchSmaller);
    if (elements < 1) return;
    const std::optional<Job> small =
        check_of(assignment_, job, sizes.least(job.c.kernel, elements), kBlocks, job.warps);
    if (!small) return;
    Session session(*debug, assignment_, small->c, small->seed, nullptr);
    const Sequence launches = session.launches_of(
        small->c,
        launch_context(*debug, small->blocks, small->warps, read_constants(*debug, assignment_)));
    session.watched(launches, kSteps, [&](Backend& backend) {
      for (const Question& question : questions)
        known_[{job.c.kernel, question}] = words_of_origins(
            assignment_, backend.origins_of(assignment_.student_file(), question.first),
            question.first, question.second == Finding::Asks::kParting);
    });
  } catch (const Error&) {
    return;
  }
}

}  // namespace lockstep
