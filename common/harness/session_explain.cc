// SPDX-License-Identifier: Apache-2.0
// What an execution that is watched tells of a result that is wrong, or of a fault. See session.h.
#include <map>

#include "common/harness/explain.h"
#include "common/harness/session_arrays.h"

namespace lockstep {
namespace {

// Before the elements that are listed, behind what is wrong as a whole.
void insert_explanation(std::string words, std::string* message) {
  if (words.empty()) return;
  if (const size_t whole = message->find(kWhatIsWrong); whole != std::string::npos) {
    words = message->substr(whole) + words;
    message->erase(whole);
  }
  const std::string list = "; the first:";
  const size_t at = message->find(list);
  if (at == std::string::npos)
    *message += words;
  else
    message->replace(at, list.size(), words + "\n  The first:");
}

bool is_of_an_access(const std::string& kind) {
  for (const char* one :
       {"out_of_bounds", "null_pointer", "misaligned", "read_only", "uninitialized", "race"})
    if (kind == one) return true;
  return false;
}

// Whether it is a condition by which the thread came to the access.
bool tells_of_access(const std::string& kind,
                     const std::optional<ValueStory::Comparison>& compared) {
  return kind == "out_of_bounds" || (kind == "uninitialized" && compared && !compared->of_ended);
}

}  // namespace

// A race stops the execution. What comes out without that stop tells more where it is wrong, too:
// who takes a wrong index is told that, not that others store there.
bool Session::is_wrong_besides(Sequence sequence, const KernelFault& race, CheckResult* check) {
  if (race.kind() != "race" || !sequence[0].finds_races) return false;
  restore();
  for (Launch& launch : sequence) launch.finds_races = false;
  try {
    for (const Launch& launch : sequence) backend_.launch(launch);
  } catch (const KernelFault&) {
    return false;  // the first one stands
  }
  after_execution(check);
  if (check->status != "wrong") return false;
  explain_wrong(sequence, check);
  check->message += "\n  Besides, threads race for the same memory:";
  check->quoted = Quoted(race.what());
  return true;
}

// What the arrays held before the execution.
void Session::restore() {
  for (Array& a : arrays_) {
    if (!a.spec.has_input())
      backend_.poison(a.buffer, 0, a.bytes(), a.poison);
    else if (!keeps_inputs_ || a.spec.role != Role::kInput)
      backend_.write(a.buffer, 0, problem_->inputs.at(a.input).data(), a.bytes());
  }
}

// Once more, with the same inputs and in the same order, and watched: of a small problem, since all
// that a thread does is remembered. KernelFault passes through.
bool Session::watch_again(const Sequence& sequence) {
  if (assignment_.work(case_).elements > kMostFollowed) return false;
  restore();
  return backend_.watch(sequence);
}

bool Session::watched(Sequence sequence, uint64_t step_budget,
                      const std::function<void(Backend&)>& ask) {
  for (Launch& launch : sequence) launch.step_budget = step_budget;
  try {
    if (!watch_again(sequence)) return false;
  } catch (const KernelFault&) {
    // What was done before counts.
  }
  ask(backend_);
  backend_.forget_watched();
  return true;
}

WatchedWork Session::work_of(Sequence sequence, uint64_t step_budget, const std::string& file) {
  WatchedWork work;
  watched(std::move(sequence), step_budget,
          [&](Backend& backend) { work = backend.watched_work(file); });
  return work;
}

void Session::explain_fault(Sequence sequence, const KernelFault& fault) {
  constexpr uint64_t kTurnsSeen = 100'000;  // steps after which a loop that does not end has turned
  constexpr uint64_t kStepsOfDebug = 20'000'000;
  fault_words_.clear();
  fault_line_ = {};
  const bool endless = fault.kind() == "too_slow";
  if (endless && sequence[0].step_budget == 0) return;
  for (Launch& launch : sequence)
    if (endless) launch.step_budget = kTurnsSeen;
  try {
    watch_again(sequence);
  } catch (const KernelFault& again) {
    if (again.kind() == fault.kind()) {
      SeenFault seen{backend_.last_comparison(), backend_.lines_of_fault()};
      backend_.forget_watched();
      if (fault.kind() == "uninitialized") {
        restore();
        seen.late = backend_.late_store(sequence);
        backend_.forget_watched();
      }
      // That module is not asked of races: its accesses come in another order.
      if (endless || (is_of_an_access(fault.kind()) && fault.kind() != "race"))
        if (auto exact = fault_debug(sequence, endless ? kTurnsSeen : kStepsOfDebug, fault)) {
          if (exact->compared) seen.compared = std::move(exact->compared);
          if (!exact->address_lines.empty()) seen.address_lines = std::move(exact->address_lines);
        }
      tell_fault(fault.kind(), seen);
    }
  }
  backend_.forget_watched();
}

void Session::tell_fault(const std::string& kind, const SeenFault& seen) {
  const std::optional<ValueStory::Comparison>& compared = seen.compared;
  if (kind == "too_slow") {
    if (compared) fault_line_ = compared->line;
    fault_words_ = words_of_loop(assignment_, compared);
    return;
  }
  if (is_of_an_access(kind))
    fault_words_ = words_of_index(assignment_, seen.address_lines,
                                  tells_of_access(kind, compared) ? compared : std::nullopt);
  if (kind != "uninitialized") return;
  const bool of_ended = compared && compared->of_ended;
  const std::string end = of_ended ? words_of_end(assignment_, *compared) : "";
  const std::string first = end.empty() ? words_of_late_store(assignment_, seen.late) : end;
  fault_words_ =
      fault_words_.empty() || first.empty() ? fault_words_ + first : first + " " + fault_words_;
  if (!end.empty())
    fault_line_ = compared->line;
  else if (seen.late.beside && is_students_line(assignment_, *seen.late.beside))
    fault_line_ = *seen.late.beside;
}

void Session::explain_wrong(const Sequence& sequence, CheckResult* check) {
  try {
    if (!watch_again(sequence)) return;
  } catch (const KernelFault&) {
    return;  // what was found before stands
  }
  read_outputs();
  Explanation why = explain(wrong_result(backend_));
  backend_.forget_watched();
  if (std::optional<Explanation> exact = explain_debug(sequence)) why = std::move(*exact);
  insert_explanation(why.words, &check->message);
  check->fault_file = why.file;
  check->fault_line = why.line;
  check->settled = why.settled;
}

// Executions of the module built with -G, on a backend and with arrays of its own. Where there is
// none, done() is not called; what it throws is dropped.
void Session::with_debug(Sequence sequence, uint64_t steps, const DebugDone& done) {
  Backend* debug = debug_ == nullptr ? nullptr : debug_->backend();
  if (debug == nullptr) return;
  std::map<BufferId, BufferId> there;
  WrongResult wrong = wrong_result(*debug);
  try {
    for (size_t i = 0; i < arrays_.size(); i++) {
      const Array& a = arrays_[i];
      BufferSpec spec;
      spec.name = a.spec.name;
      spec.bytes = a.bytes();
      spec.read_only = a.spec.role == Role::kInput;
      const BufferId id = there[a.buffer] = wrong.arrays[i].buffer = debug->allocate(spec);
      if (a.spec.has_input())
        debug->write(id, 0, problem_->inputs.at(a.input).data(), a.bytes());
      else
        debug->poison(id, 0, a.bytes(), a.poison);
    }
    for (Launch& launch : sequence) {
      for (Argument& argument : launch.arguments)
        if (argument.is_buffer) argument.buffer = there.at(argument.buffer);
      launch.step_budget = steps;
      launch.finds_races = false;
    }
    done(*debug, sequence, &wrong);
  } catch (const Error&) {
    // KernelFault, too: what the optimised module told stands.
  }
  debug->forget_watched();
  for (const auto& [here, id] : there) debug->release(id);
}

// The same from that module: nullopt where what it computes is not wrong in the same elements.
std::optional<Explanation> Session::explain_debug(const Sequence& sequence) {
  constexpr uint64_t kSteps = 20'000'000;
  std::optional<Explanation> why;
  with_debug(sequence, kSteps, [&](Backend& debug, const Sequence& there, WrongResult* wrong) {
    if (!debug.watch(there)) return;
    std::vector<HostArray> got(arrays_.size());
    for (size_t i = 0; i < arrays_.size(); i++) {
      if (!arrays_[i].spec.is_checked()) continue;
      got[i] = arrays_[i].got;
      debug.read(wrong->arrays[i].buffer, 0, got[i].data(), arrays_[i].bytes());
    }
    if (!is_wrong_alike(*wrong, got)) return;
    for (size_t i = 0; i < arrays_.size(); i++) wrong->arrays[i].got = &got[i];
    Explanation exact = explain(*wrong);
    if (exact.whole) why = std::move(exact);
  });
  return why;
}

// The same fault in that module, where each line has its own instructions.
std::optional<Session::SeenFault> Session::fault_debug(const Sequence& sequence, uint64_t steps,
                                                       const KernelFault& fault) {
  std::optional<SeenFault> seen;
  with_debug(sequence, steps, [&](Backend& debug, const Sequence& there, WrongResult*) {
    try {
      debug.watch(there);
    } catch (const KernelFault& again) {
      const bool same_line = again.place().line == fault.place().line;
      if (again.kind() == fault.kind() && (same_line || fault.kind() == "too_slow"))
        seen = {debug.last_comparison(), debug.lines_of_fault()};
    }
  });
  return seen;
}

// After the outputs have been read.
WrongResult Session::wrong_result(Backend& backend) const {
  WrongResult wrong{backend,          assignment_,          case_, current_seed_,
                    problem_->inputs, problem_->expected(), {}};
  for (const Array& a : arrays_) {
    WrongResult::Array array;
    array.spec = &a.spec;
    array.buffer = a.buffer;
    if (a.spec.has_input()) array.input = static_cast<int>(a.input);
    if (a.spec.is_checked()) array.output = static_cast<int>(a.output);
    array.got = &a.got;
    if (!a.spec.has_input()) array.poison = a.poison;
    wrong.arrays.push_back(array);
  }
  return wrong;
}

}  // namespace lockstep
