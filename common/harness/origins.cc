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

std::string words_of_divisions(const Assignment& assignment, const Computed& computed, int line,
                               int64_t elements) {
  constexpr double kOften = 0.2;  // times an element
  std::string words;
  for (const auto& [at, here] : computed.lines) {
    const double an_element = double(here.divisions) / double(std::max<int64_t>(elements, 1));
    if (!is_students_line(assignment, at) || an_element < kOften) continue;
    words += fmt::format(
        "{}{} divides (/ or %) by a whole number that the compiler does not know, {:.1f} times an "
        "element",
        words.empty() ? "" : "; ", at.line == line ? "it" : fmt::format("line {}", at.line),
        an_element);
  }
  return words;
}

// Not of values that no thread uses: the compiler computes none of these.
std::string words_of_unused(const Assignment& assignment, const Computed& computed, int line,
                            int64_t elements) {
  constexpr double kShare = 0.25, kMost = 0.95, kOften = 0.5;  // of the values; times an element
  std::vector<ValueStory::Line> lines;
  Computed::Line sum;
  for (const auto& [at, here] : computed.lines) {
    if (!is_students_line(assignment, at)) continue;
    const double all = double(here.all), unused = double(here.unused);
    if (unused < kShare * all || unused > kMost * all || unused < kOften * double(elements))
      continue;
    lines.push_back(at);
    sum.all += here.all;
    sum.unused += here.unused;
  }
  if (std::none_of(lines.begin(), lines.end(),
                   [&](const ValueStory::Line& at) { return at.line == line; }))
    return {};
  return fmt::format(
      "nothing uses {:.0f} % of the values that {} {}", 100 * double(sum.unused) / double(sum.all),
      lines_of_student(assignment, lines), lines.size() > 1 ? "compute" : "computes");
}

// "62 % of what the threads exchange in line 21 they have exchanged before (called in line 73)"
std::string words_of_exchanges(const Assignment& assignment, const Computed& computed,
                               int64_t elements) {
  constexpr double kShare = 0.25, kOften = 0.2;  // of what is exchanged; times an element
  std::string words;
  for (const auto& [at, here] : computed.lines) {
    const double all = double(here.exchanged), again = double(here.again);
    if (!is_students_line(assignment, at) || again < kShare * all ||
        again < kOften * double(elements))
      continue;
    std::vector<ValueStory::Line> callers;
    for (const int line : here.callers) callers.push_back({at.file, line});
    words += fmt::format(
        "{}{:.0f} % of what the threads exchange in line {} they have exchanged "
        "before, the same values{}",
        words.empty() ? "" : "; ", 100 * again / all, at.line,
        callers.empty() ? ""
                        : fmt::format(" (called in {})", lines_of_student(assignment, callers)));
  }
  return words;
}

std::string words_of_computed(const Assignment& assignment, const Computed& computed, int line,
                              int64_t elements) {
  std::string words;
  for (const std::string& more : {words_of_exchanges(assignment, computed, elements),
                                  words_of_unused(assignment, computed, line, elements),
                                  words_of_divisions(assignment, computed, line, elements)})
    words += words.empty() || more.empty() ? more : "; " + more;
  return words;
}

// "`tile` is declared in line 90"
std::string words_of_arrays(const LineOrigins& origins) {
  std::string words;
  for (const LineOrigins::Array& array : origins.shared_arrays)
    if (array.line > 0)
      words += fmt::format("{}`{}` is declared in line {}", words.empty() ? "" : ", ", array.name,
                           array.line);
  return words;
}

// "its address is made in lines 85 and 91", or where the threads of a warp part before the line; ""
// where none of these is the student's, or it is the line alone.
std::string words_of_origins(const Assignment& assignment, const LineOrigins& origins, int line,
                             Finding::Asks asks) {
  using Asks = Finding::Asks;
  const bool banks = asks == Asks::kBanks;
  const bool spread = (banks || asks == Asks::kSpread) && !origins.spread_lines.empty();
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
  if (asks == Asks::kDoubles) {
    std::vector<ValueStory::Line> others = origins.double_lines;
    std::erase_if(others, [&](const ValueStory::Line& l) { return l.line == line; });
    const std::string from = lines_of_student(assignment, others);
    return from.empty() ? "" : "the doubles come about in " + from;
  }
  if (asks == Asks::kTwice && origins.same_element.size() == 2)
    return fmt::format("{} and {} come to one element, whose address is made in {}",
                       thread_words(origins.same_element[0]), thread_words(origins.same_element[1]),
                       made);
  const std::string arrays = banks ? words_of_arrays(origins) : "";
  const bool here = made == fmt::format("line {}", line);
  if (made.empty() || (here && !spread)) return arrays;
  return fmt::format("{}{}{} is made in {}", arrays, arrays.empty() ? "" : "; ",
                     spread ? "how far apart" : "its address", here ? "the line itself" : made);
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

// What is asked of all that is computed is asked of smaller problems where a larger one is more
// than can be noted. Where it cannot be watched, nothing is added.
void Origins::watch(const Job& job, std::vector<Question> questions) {
  constexpr int64_t kSmaller = 8;
  try {
    Backend* const debug = debug_.backend();
    if (debug == nullptr) return;
    const int64_t most = assignment_.work(job.c).elements / kMuchSmaller;
    for (int64_t elements = std::min(kElements, most); elements >= 1; elements /= kSmaller) {
      const bool whole = watch(*debug, job, elements, questions);
      std::erase_if(questions, [](const Question& q) { return q.second != Finding::Asks::kDear; });
      if (whole || questions.empty()) return;
    }
  } catch (const Error&) {
    return;
  }
}

// Whether all was noted that is asked for.
bool Origins::watch(Backend& debug, const Job& job, int64_t elements,
                    const std::vector<Question>& questions) {
  Sizes sizes(assignment_);
  const std::optional<Job> small =
      check_of(assignment_, job, sizes.least(job.c.kernel, elements), kBlocks, job.warps);
  if (!small) return true;
  Session session(debug, assignment_, small->c, small->seed, nullptr);
  const Sequence launches = session.launches_of(
      small->c,
      launch_context(debug, small->blocks, small->warps, read_constants(debug, assignment_)));
  bool whole = true;
  session.watched(launches, kSteps, [&](Backend& backend) {
    for (const auto& [line, asks] : questions) {
      std::string& words = known_[{job.c.kernel, {line, asks}}];
      if (asks == Finding::Asks::kDear) {
        const Computed computed = backend.computed();
        whole = computed.whole;
        words = words_of_computed(assignment_, computed, line, assignment_.work(small->c).elements);
      } else {
        words = words_of_origins(assignment_, backend.origins_of(assignment_.student_file(), line),
                                 line, asks);
      }
    }
  });
  return whole;
}

}  // namespace lockstep
