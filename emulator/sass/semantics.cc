// SPDX-License-Identifier: Apache-2.0
// All opcodes that are executed, by name.
#include "emulator/sass/semantics.h"

#include <map>

namespace lockstep::emulator::sass {
namespace {

struct Known {
  Prepare prepare = nullptr;
  Subject subject = Subject::kMove;
  bool steers = false;
};

// Comparisons among the operations of other subjects.
constexpr std::string_view kComparisons[] = {"FSETP",  "FSET",   "FMNMX", "FMNMX3",
                                             "DSETP",  "HSETP2", "HSET2", "HMNMX2",
                                             "VHMNMX", "PLOP3",  "UPLOP3"};

// What waits, orders or does nothing.
constexpr std::string_view kWaits[] = {"NOP",    "DEPBAR",    "ERRBAR", "CGAERRBAR",
                                       "MEMBAR", "LDGDEPBAR", "CCTL"};

std::map<std::string_view, Known> all_known() {
  std::map<std::string_view, Known> map;
  const auto add = [&](const std::vector<Semantics>& all, Subject subject, bool steers = false) {
    for (const Semantics& s : all) map[s.name] = {s.prepare, subject, steers};
  };
  add(integer_semantics(), Subject::kInteger);
  add(packed_semantics(), Subject::kInteger);
  add(bit_semantics(), Subject::kInteger);
  add(comparison_semantics(), Subject::kComparison);
  add(float_semantics(), Subject::kFloat);
  add(special_semantics(), Subject::kFloat);
  add(half_semantics(), Subject::kFloat);
  add(conversion_semantics(), Subject::kConversion);
  add(move_semantics(), Subject::kMove);
  add(exchange_semantics(), Subject::kExchange);
  add(memory_semantics(), Subject::kMemory);
  add(copy_semantics(), Subject::kMemory);
  add(constant_semantics(), Subject::kMemory);
  add(atomic_semantics(), Subject::kMemory);
  add(control_semantics(), Subject::kControl, true);
  add(convergence_semantics(), Subject::kControl, true);
  add(barrier_semantics(), Subject::kControl, true);
  for (const std::string_view name : kComparisons)
    if (const auto at = map.find(name); at != map.end()) at->second.subject = Subject::kComparison;
  for (const std::string_view name : kWaits)
    if (const auto at = map.find(name); at != map.end()) at->second.subject = Subject::kControl;
  return map;
}

const Known& find(std::string_view name) {
  static const std::map<std::string_view, Known> all = all_known();
  static const Known none;
  const auto at = all.find(name);
  return at == all.end() ? none : at->second;
}

}  // namespace

Prepare find_semantics(std::string_view name) { return find(name).prepare; }
Subject subject_of(const Instruction& in) {
  const bool moves = in.name == "IMAD" && in.has("MOV");
  return moves ? Subject::kMove : find(in.name).subject;
}
bool steers(std::string_view name) { return find(name).steers; }

}  // namespace lockstep::emulator::sass
