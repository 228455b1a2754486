// SPDX-License-Identifier: Apache-2.0
#include "common/harness/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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

std::string words_of_divisions(const Assignment& assignment, const LineOrigins& origins, int line,
                               int64_t elements) {
  constexpr double kOften = 0.2;  // times an element
  std::string words;
  for (const auto& [at, times] : origins.divisions) {
    const double an_element = double(times) / double(std::max<int64_t>(elements, 1));
    if (!is_students_line(assignment, at) || an_element < kOften) continue;
    words += fmt::format(
        "{}{} divides (/ or %) by a whole number that the compiler does not know, {:.1f} times an "
        "element",
        words.empty() ? "" : "; ", at.line == line ? "it" : fmt::format("line {}", at.line),
        an_element);
  }
  return words;
}

// "its address is made in lines 85 and 91", or where the threads of a warp part before the line; ""
// where none of these is the student's, or it is the line alone.
std::string words_of_origins(const Assignment& assignment, const LineOrigins& origins, int line,
                             Finding::Asks asks, int64_t elements) {
  using Asks = Finding::Asks;
  if (asks == Asks::kDear) return words_of_divisions(assignment, origins, line, elements);
  const bool spread = asks == Asks::kSpread && !origins.spread_lines.empty();
  const std::string made =
      lines_of_student(assignment, asks == Asks::kParting ? origins.parting_made_of
                                   : spread               ? origins.spread_lines
                                                          : origins.index_lines);
  if (asks == Asks::kParting) {
    const std::string part = lines_of_student(assignment, origins.parting_lines);
    return part.empty() || made.empty()
               ? ""
               : fmt::format("they part in {}, by what is made in {}", part, made);
  }
  if (asks == Asks::kTwice && origins.same_element.size() == 2)
    return fmt::format("{} and {} come to one element, whose address is made in {}",
                       thread_words(origins.same_element[0]), thread_words(origins.same_element[1]),
                       made);
  if (made.empty() || made == fmt::format("line {}", line)) return {};
  return (spread ? "how far apart is made in " : "its address is made in ") + made;
}

// Behind a question that is a sentence they begin another one.
void append(const std::string& more, std::string* words) {
  if (more.empty()) return;
  if (words->ends_with('?'))
    *words += fmt::format(" {}{}", char(std::toupper(static_cast<unsigned char>(more[0]))),
                          more.substr(1));
  else
    *words += "; " + more;
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
            question.first, question.second, assignment_.work(small->c).elements);
    });
  } catch (const Error&) {
    return;
  }
}

}  // namespace lockstep
