// SPDX-License-Identifier: Apache-2.0
#include "common/harness/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <utility>

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

// Where most warps do what others do, too, and nothing is made of theirs.
std::optional<std::pair<int, Computed::Line>> idle_warps(const Assignment& assignment,
                                                         const Computed& computed) {
  constexpr double kShare = 0.5;
  std::optional<std::pair<int, Computed::Line>> most;
  for (const auto& [at, here] : computed.lines)
    if (is_students_line(assignment, at) && here.idle > 0 &&
        double(here.idle) >= kShare * double(here.warps) &&
        (!most || here.idle > most->second.idle))
      most.emplace(at.line, here);
  return most;
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

// The line of the student's file that does most of it.
std::optional<std::pair<int, uint64_t>> most_of(const Assignment& assignment,
                                                const Computed& computed,
                                                uint64_t Computed::Line::*what) {
  std::optional<std::pair<int, uint64_t>> most;
  for (const auto& [at, here] : computed.lines)
    if (is_students_line(assignment, at) && here.*what > (most ? most->second : 0))
      most.emplace(at.line, here.*what);
  return most;
}

// Of a line, where threads take one by one what others have. By sums, each exchange would bring
// what twice as many threads have.
std::string words_of_others(const Assignment& assignment, const Computed& computed, int line) {
  constexpr uint64_t kMany = 6;
  const auto most = most_of(assignment, computed, &Computed::Line::adds_others);
  if (!most || most->first != line || most->second < kMany) return {};
  return fmt::format(
      "a thread adds up one by one what {} others have: where they exchange sums, each exchange "
      "brings what twice as many have, so {} would do",
      most->second, std::bit_width(most->second));
}

std::string joined(std::string words, const std::string& more) {
  return words + (words.empty() || more.empty() ? "" : "; ") + more;
}

std::string words_of_computed(const Assignment& assignment, const Computed& computed, int line,
                              int64_t elements) {
  std::string words;
  for (const std::string& more : {words_of_exchanges(assignment, computed, elements),
                                  words_of_others(assignment, computed, line),
                                  words_of_unused(assignment, computed, line, elements),
                                  words_of_divisions(assignment, computed, line, elements)})
    words = joined(std::move(words), more);
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

// "threads 0, 8, 16 and 24", "threads 0, 2, 4 ... 30": the numbers are in order, and two at least.
std::string words_of_threads(const std::vector<int>& threads) {
  constexpr size_t kListed = 4;
  const size_t n = threads.size();
  std::string words = "threads ";
  for (size_t i = 0; i < std::min(n, n > kListed ? size_t{3} : n - 1); i++)
    words += fmt::format("{}{}", i > 0 ? ", " : "", threads[i]);
  return words + fmt::format("{}{}", n > kListed ? " ... " : " and ", threads.back());
}

// Of threads 0, 8, 16 and 24 of a warp, say, and that 8 of the 32 banks are used.
std::string words_of_banks(const LineOrigins& origins) {
  if (origins.one_bank.size() < 2) return {};
  return fmt::format("{} of a warp come to different words of one bank; {} of the 32 banks {} used",
                     words_of_threads(origins.one_bank), origins.banks,
                     origins.banks == 1 ? "is" : "are");
}

// Who adds to one element, where one thread of a block could. Other launches have other numbers of
// warps.
std::string words_of_adding(const LineOrigins::Adding& adding) {
  if (adding.warps * adding.threads * adding.times <= 1) return {};
  const std::string threads =
      adding.threads > 1 ? fmt::format("{} threads", adding.threads) : "one thread";
  const char* const often = adding.times > 1 ? ", several times" : "";
  const std::string who =
      adding.warps > 1 ? fmt::format("warps of a block do it for one element, {} of each", threads)
                       : fmt::format("{} of a block {} it for one element", threads,
                                     adding.threads > 1 ? "do" : "does");
  return fmt::format("{}{}: where the block adds up before, once is enough", who, often);
}

// "lines 80 and 89", in which came about what is handed to the function.
std::string lines_called_with(const Assignment& assignment, const LineOrigins& origins) {
  constexpr size_t kMost = 4;
  std::vector<ValueStory::Line> with = origins.called_with;
  std::erase_if(with, [&](const ValueStory::Line& line) {
    return !is_students_line(assignment, line) ||
           std::any_of(origins.callers.begin(), origins.callers.end(),
                       [&](const ValueStory::Line& caller) { return caller.line == line.line; });
  });
  if (with.size() > kMost) with.erase(with.begin(), with.end() - kMost);  // those made last
  return lines_of_student(assignment, with);
}

// "called in line 111, by what is made in lines 80 and 89"
std::string words_of_callers(const Assignment& assignment, const LineOrigins& origins) {
  const std::string callers = lines_of_student(assignment, origins.callers);
  if (callers.empty()) return {};
  const std::string made = lines_called_with(assignment, origins);
  return fmt::format("called in {}{}", callers, made.empty() ? "" : ", by what is made in " + made);
}

// "its address is made in lines 85 and 91", or where the threads of a warp part before the line; ""
// where none of these is the student's, or it is the line alone.
std::string words_of_origins(const Assignment& assignment, const LineOrigins& origins, int line,
                             Finding::Asks asks) {
  using Asks = Finding::Asks;
  const bool banks = asks == Asks::kBanks;
  const bool spread =
      (banks || asks == Asks::kSpread || asks == Asks::kCalled) && !origins.spread_lines.empty();
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
  if (asks == Asks::kAdding) return words_of_adding(origins.adding);
  if (asks == Asks::kTwice && origins.same_element.size() == 2)
    return fmt::format("{} and {} come to one element, whose address is made in {}",
                       thread_words(origins.same_element[0]), thread_words(origins.same_element[1]),
                       made);
  const std::string threads = banks ? words_of_banks(origins) : "";
  const std::string arrays = banks ? joined(threads, words_of_arrays(origins)) : "";
  const bool here = made == fmt::format("line {}", line);
  if (made.empty() || (here && !spread)) return arrays;
  const std::string from = spread ? lines_of_student(assignment, origins.differing_lines) : "";
  return fmt::format(
      "{}{}{} is made in {}{}", arrays, arrays.empty() ? "" : "; ",
      spread ? "how far apart" : "its address", here ? "the line itself" : made,
      from.empty() ? "" : ", of what differs between threads side by side by " + from);
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
        known_.emplace(std::pair(job.c.kernel, Question(finding.line, finding.asks)), Answer())
            .second)
      open.emplace_back(finding.line, finding.asks);
  if (!open.empty()) watch(job, open);
  std::set<std::string> told;  // of what costs several things it is said once
  for (Finding& finding : *findings) {
    const auto known = known_.find({job.c.kernel, {finding.line, finding.asks}});
    const Answer answer = known == known_.end() ? Answer() : known->second;
    if (answer.line > 0 && answer.line != finding.line) {
      finding.line = answer.line;
      finding.place = fmt::format("{}:{}", assignment_.student_file(), answer.line);
      finding.of_line.clear();
    }
    finding.words += std::exchange(finding.of_line, {});
    if (told.insert(finding.place + answer.words).second) append(answer.words, &finding.words);
  }
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

Origins::Answer Origins::answer_of(const Computed& computed, int line, int64_t elements) const {
  Answer answer;
  if (const auto idle = idle_warps(assignment_, computed)) {
    answer.line = idle->first;
    answer.words = fmt::format(
        "of {} warps that load in this line {} do it for nothing: what they have is not used",
        idle->second.warps, idle->second.idle);
  } else if (const auto sums = most_of(assignment_, computed, &Computed::Line::adds_sums)) {
    answer.line = sums->first;
    answer.words =
        "turn by turn, sums over threads are made here that are only added up: let each thread add "
        "up its own values first, and the threads theirs once";
  }
  const int about = answer.line > 0 ? answer.line : line;
  answer.words =
      joined(std::move(answer.words), words_of_computed(assignment_, computed, about, elements));
  return answer;
}

// A function that does the same in other kernels, which lose nothing by it, is called too often.
Origins::Answer Origins::answer_of_call(const LineOrigins& origins, int line) const {
  const std::string made = lines_called_with(assignment_, origins);
  return {fmt::format("that is in line {}, as in other kernels, which lose nothing by it{}", line,
                      made.empty() ? "" : "; how much is done here hangs on " + made),
          origins.most_called};
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
      Answer& answer = known_[{job.c.kernel, {line, asks}}];
      if (asks == Finding::Asks::kDear) {
        const Computed computed = backend.computed();
        whole = computed.whole;
        answer = answer_of(computed, line, assignment_.work(small->c).elements);
      } else {
        const LineOrigins origins = backend.origins_of(assignment_.student_file(), line);
        answer = asks == Finding::Asks::kCalled && origins.most_called > 0
                     ? answer_of_call(origins, line)
                     : Answer{joined(words_of_origins(assignment_, origins, line, asks),
                                     words_of_callers(assignment_, origins)),
                              0};
      }
    }
  });
  return whole;
}

}  // namespace lockstep
