// SPDX-License-Identifier: Apache-2.0
#include "common/harness/dependence.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lockstep {
namespace {

constexpr uint64_t kSeeds = 6;  // of inputs that show how large and small elements can be
constexpr int64_t kMostWork = 30'000'000;  // elements, over all evaluations

void put(HostArray* to, size_t i, const HostArray& from, size_t j) {
  const size_t size = element_bytes(to->type());
  std::memcpy(static_cast<uint8_t*>(to->data()) + i * size,
              static_cast<const uint8_t*>(from.data()) + j * size, size);
}

// Every element the largest (or smallest) that any of these has.
HostArray extreme(const std::vector<const HostArray*>& all, bool largest) {
  const HostArray* from = all[0];
  size_t at = 0;
  for (const HostArray* a : all)
    for (size_t i = 0; i < a->size(); i++)
      if (largest ? a->value(i) > from->value(at) : a->value(i) < from->value(at)) from = a, at = i;
  HostArray out = *all[0];
  for (size_t i = 0; i < out.size(); i++) put(&out, i, *from, at);
  return out;
}

}  // namespace

Dependence::Dependence(const Assignment& assignment, const Case& c, uint64_t seed,
                       const std::vector<HostArray>& inputs, size_t output, size_t index)
    : assignment_(assignment), case_(c), inputs_(inputs), output_(output), index_(index) {
  int64_t work = 1;
  for (const HostArray& a : inputs) work += static_cast<int64_t>(a.size());
  most_evaluations_ = kMostWork / work;
  std::vector<std::vector<HostArray>> drawn;
  for (uint64_t k = 1; k <= kSeeds; k++) drawn.push_back(assignment.make_inputs(c, seed + k));
  others_.push_back(drawn[0]);
  for (const bool largest : {true, false}) {
    others_.emplace_back();
    for (size_t a = 0; a < inputs.size(); a++) {
      std::vector<const HostArray*> all{&inputs[a]};
      for (const std::vector<HostArray>& d : drawn) all.push_back(&d[a]);
      others_.back().push_back(inputs[a].size() == 0 ? inputs[a] : extreme(all, largest));
    }
  }
  bases_.push_back({inputs, value_of(inputs)});
  std::vector<HostArray> more = std::move(drawn[1]);
  size_t at = 0;
  for (const ArraySpec& spec : assignment.arrays(c)) {
    if (!spec.has_input()) continue;
    if (spec.places) more[at] = inputs[at];
    at++;
  }
  const double value = value_of(more);
  bases_.push_back({std::move(more), value});
}

double Dependence::value_of(const std::vector<HostArray>& inputs) const {
  return assignment_.reference(case_, inputs).at(output_).values.at(index_);
}

std::vector<size_t> Dependence::dependent_on(const Element& element, size_t most) const {
  std::vector<bool> changed;
  for (const Base& base : bases_) {
    const std::vector<double> before = assignment_.reference(case_, base.inputs).at(output_).values;
    changed.resize(before.size(), false);
    for (const std::vector<HostArray>& other : others_) {
      std::vector<HostArray> inputs = base.inputs;
      put(&inputs[element.first], element.second, other[element.first], element.second);
      const std::vector<double> now = assignment_.reference(case_, inputs).at(output_).values;
      for (size_t i = 0; i < before.size(); i++)
        if (!(now[i] == before[i]) && !(std::isnan(now[i]) && std::isnan(before[i])))
          changed[i] = true;
    }
  }
  std::vector<size_t> found;
  for (size_t i = 0; i < changed.size() && found.size() < most; i++)
    if (changed[i]) found.push_back(i);
  return found;
}

double Dependence::weight(const Element& element) const {
  constexpr uint32_t kMostWhole = 16;
  const HostArray& array = inputs_[element.first];
  std::vector<HostArray> inputs = inputs_;
  const double before = array.value(element.second);
  for (const std::vector<HostArray>& other : others_)  // the one that differs most
    if (const HostArray& o = other[element.first];
        std::fabs(o.value(element.second) - before) >
        std::fabs(inputs[element.first].value(element.second) - before))
      put(&inputs[element.first], element.second, o, element.second);
  const double step = inputs[element.first].value(element.second) - before;
  const double change = value_of(inputs) - bases_[0].value;
  if (step == 0) return 0;
  if (is_floating(array.type())) return change / step;
  const auto wrapped = [](double x) { return static_cast<uint32_t>(static_cast<int64_t>(x)); };
  for (uint32_t k = 1; k <= kMostWhole; k++)
    if (wrapped(step) * k == wrapped(change)) return k;
  return 0;
}

bool Dependence::changes(const Element* first, size_t count) {
  for (const Base& base : bases_)
    for (const std::vector<HostArray>& other : others_) {
      if (++evaluations_ > most_evaluations_) return false;
      std::vector<HostArray> inputs = base.inputs;
      for (size_t i = 0; i < count; i++)
        put(&inputs[first[i].first], first[i].second, other[first[i].first], first[i].second);
      const double value = value_of(inputs);
      if (!(value == base.value) && !(std::isnan(value) && std::isnan(base.value))) return true;
    }
  return false;
}

// wanted: those that change it, else those that do not, group by group.
void Dependence::find(const Element* first, size_t count, bool wanted, size_t most,
                      std::vector<Element>* found) {
  if (count == 0 || found->size() >= most || gave_up()) return;
  const bool changed = changes(first, count);
  if (gave_up()) return;
  if (!changed) {
    for (size_t i = 0; i < count && !wanted && found->size() < most; i++)
      found->push_back(first[i]);
    return;
  }
  if (count == 1) {
    if (wanted) found->push_back(*first);
    return;
  }
  find(first, count / 2, wanted, most, found);
  find(first + count / 2, count - count / 2, wanted, most, found);
}

std::vector<Dependence::Element> Dependence::needed(const std::vector<Element>& among,
                                                    size_t most) {
  std::vector<Element> found;
  find(among.data(), among.size(), true, most, &found);
  return found;
}

std::vector<Dependence::Element> Dependence::idle(const std::vector<Element>& among, size_t most) {
  std::vector<Element> found;
  find(among.data(), among.size(), false, most, &found);
  return found;
}

namespace {

// Of many some: each is asked for by itself.
std::vector<Dependence::Element> sample_of(const std::vector<Dependence::Element>& all) {
  constexpr size_t kMost = 128;
  if (all.size() <= kMost) return all;
  std::vector<Dependence::Element> some;
  for (size_t i = 0; i < kMost; i++) some.push_back(all[i * all.size() / kMost]);
  some.push_back(all.back());
  return some;
}

// What find() finds.
template <typename Find>
std::optional<SomeElements> some_of(const Dependence& reference, const Find& find) {
  constexpr size_t kFew = 16, kMany = 1024;
  Dependence few = reference, many = reference;
  SomeElements some{find(&few, kFew), false};
  if (few.gave_up()) return std::nullopt;
  if (some.all.size() < kFew) return some;
  std::vector<Dependence::Element> more = find(&many, kMany);
  some.others = many.gave_up() || more.size() == kMany;
  if (!some.others) some.all = std::move(more);
  return some;
}

}  // namespace

std::optional<SomeElements> some_needed(const Dependence& reference,
                                        const std::vector<Dependence::Element>& among) {
  return some_of(reference, [&](Dependence* r, size_t most) { return r->needed(among, most); });
}

std::optional<SomeElements> some_idle(const Dependence& reference,
                                      const std::vector<Dependence::Element>& among) {
  const std::vector<Dependence::Element> sample = sample_of(among);
  std::optional<SomeElements> some =
      some_of(reference, [&](Dependence* r, size_t most) { return r->idle(sample, most); });
  if (some && some->all.size() > 1 && sample.size() < among.size()) some->others = true;
  return some;
}

}  // namespace lockstep
