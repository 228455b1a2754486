// SPDX-License-Identifier: Apache-2.0
// What explain() does, step by step. Private to explain.cc, explain_stores.cc and
// explain_sources.cc.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/harness/dependence.h"
#include "common/harness/explain.h"

namespace lockstep {

class Explainer {
 public:
  using Array = WrongResult::Array;
  using Line = ValueStory::Line;

  explicit Explainer(const WrongResult& wrong) : w_(wrong) {}
  Explanation run();

 private:
  // Elements of results and their names.
  bool is_right(const Array& a, int64_t i) const;
  bool is_unwritten(const Array& a, int64_t i) const;
  int64_t size_of(const Array& a) const;
  std::string name(const Array& a, int64_t i) const;
  ValueStory story(const Array& a, int64_t i) const;
  // What is told, and the line to look at first.
  void say(const std::string& sentence) { result_.words += "\n  " + sentence; }
  void look_at(const Line& line);
  std::string lines(const std::vector<Line>& all) const;
  bool is_students(const Line& line) const;
  std::string line_words(const Line& line) const;
  std::string place_words(const FaultPlace& place) const;

  void tell_which(const Array& a);
  bool pick(const Array& a);
  void pick_students();
  // explain_stores.cc: who stored it.
  ValueStory next_stored(int64_t* index) const;
  std::string words_of_last_test() const;
  void tell_unwritten();
  void tell_gap(int64_t behind);
  void tell_turns(int64_t behind);
  void tell_written();
  void tell_raced();
  void tell_colliding();
  std::string between(const std::map<Line, int>& one, const std::map<Line, int>& other);
  void tell_unset();
  void tell_absent();
  bool tell_another_element();
  bool tell_store_index();
  bool is_read_for(int64_t index);
  bool is_made_for_another();
  std::vector<Line> only_of_store() const;
  // explain_sources.cc: what it was made of.
  const Array* array_of_input(size_t input) const;
  std::string elements(const SomeElements& some) const;
  std::string elements_of(const Array& a, const std::set<int64_t>& indices) const;
  const ValueStory::Read* read_of(const Dependence::Element& e) const;
  std::vector<Dependence::Element> read_of(const std::vector<ValueStory::Read>& reads) const;
  std::vector<Dependence::Element> unread_of(const std::vector<ValueStory::Read>& reads) const;
  std::optional<bool> needs_any(int64_t index, const std::vector<Dependence::Element>& among) const;
  Dependence reference_of(int64_t index) const;
  void tell_sources();
  double expected() const;
  double off() const;
  bool explains(const ValueStory::Loss& loss) const;
  bool tell_losses();
  bool tell_rounding();
  bool tell_repeated(const std::vector<Dependence::Element>& read);
  bool tell_multiple(const std::vector<Dependence::Element>& read);
  bool is_weighed(const Dependence::Element& e, const std::vector<Dependence::Element>& others,
                  double ratio) const;
  bool tell_doubled(const Dependence::Element& e);
  bool tell_taken(const SomeElements& idle);
  void tell_idle(const SomeElements& idle);
  void tell_missing(const SomeElements& missing);

  const WrongResult& w_;
  Explanation result_;
  const Array* array_ = nullptr;  // the element that is explained
  int64_t index_ = 0;
  ValueStory story_;
};

}  // namespace lockstep
