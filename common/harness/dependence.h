// SPDX-License-Identifier: Apache-2.0
// Which elements of the inputs an element of the reference's result depends on: asked of the
// reference, with other inputs. Not of inputs that are places in arrays (ArraySpec::places): with
// others there the reference may reach outside.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/harness/assignment.h"

namespace lockstep {

class Dependence {
 public:
  using Element = std::pair<size_t, size_t>;  // index of the input, of its element

  // Of element `index` of result `output`. Arguments must outlive it.
  Dependence(const Assignment& assignment, const Case& c, uint64_t seed,
             const std::vector<HostArray>& inputs, size_t output, size_t index);

  // Those among the elements that it depends on; at most `most`. Where that would take too long,
  // gave_up() says so from then on, and nothing follows from the answer.
  std::vector<Element> needed(const std::vector<Element>& among, size_t most);
  // Those among them that it does not depend on.
  std::vector<Element> idle(const std::vector<Element>& among, size_t most);
  // Elements of the same result that depend on an element of an input; at most `most`.
  std::vector<size_t> dependent_on(const Element& element, size_t most) const;
  // How much it changes with an element, as a multiple of that: 2 where it is added twice. Of whole
  // numbers, which wrap around, 1 to 16; 0: none of these.
  double weight(const Element& element) const;
  bool gave_up() const { return evaluations_ > most_evaluations_; }

 private:
  bool changes(const Element* first, size_t count);
  void find(const Element* first, size_t count, bool wanted, size_t most,
            std::vector<Element>* found);
  double value_of(const std::vector<HostArray>& inputs) const;

  const Assignment& assignment_;
  const Case& case_;
  const std::vector<HostArray>& inputs_;
  const size_t output_, index_;
  // Inputs of the same kind, to take elements from.
  std::vector<std::vector<HostArray>> others_;
  // Where an element is changed, and the result there: a product does not hang on one factor where
  // the other is 0.
  struct Base {
    std::vector<HostArray> inputs;
    double value = 0;
  };
  std::vector<Base> bases_;  // the first is inputs_
  int64_t evaluations_ = 0, most_evaluations_ = 0;
};

// Elements of the inputs, and whether there may be others besides.
struct SomeElements {
  std::vector<Dependence::Element> all;
  bool others = false;
};

// All of these that are needed, or idle; where there are many, or to find them takes long, a few of
// them. nullopt: it gave up before there was any answer.
std::optional<SomeElements> some_needed(const Dependence& reference,
                                        const std::vector<Dependence::Element>& among);
std::optional<SomeElements> some_idle(const Dependence& reference,
                                      const std::vector<Dependence::Element>& among);

}  // namespace lockstep
