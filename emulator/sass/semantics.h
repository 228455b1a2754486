// SPDX-License-Identifier: Apache-2.0
// What opcodes do, by subject.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/sass/builder.h"

namespace lockstep::emulator::sass {

struct Semantics {
  std::string_view name;
  Prepare prepare = nullptr;
};

// What an opcode is for.
enum class Subject : uint8_t {
  kInteger,     // arithmetic of whole numbers and bits
  kComparison,  // and what picks one of two values by one, or joins predicates
  kFloat,
  kConversion,
  kMove,
  kExchange,  // between lanes
  kMemory,
  kControl,  // where lanes go on, and what they wait for
};
inline constexpr int kSubjects = 8;

// By the opcode, and by what the disassembler calls it: a product that only moves is a move. kMove
// of what is not executed.
Subject subject_of(const Instruction& in);
// Whether such an instruction may change which lanes go on, or where.
bool steers(std::string_view name);

const std::vector<Semantics>& integer_semantics();
const std::vector<Semantics>& packed_semantics();
const std::vector<Semantics>& bit_semantics();
const std::vector<Semantics>& comparison_semantics();
const std::vector<Semantics>& float_semantics();
const std::vector<Semantics>& special_semantics();
const std::vector<Semantics>& half_semantics();
const std::vector<Semantics>& conversion_semantics();
const std::vector<Semantics>& move_semantics();
const std::vector<Semantics>& exchange_semantics();
const std::vector<Semantics>& memory_semantics();
const std::vector<Semantics>& copy_semantics();
const std::vector<Semantics>& constant_semantics();
const std::vector<Semantics>& atomic_semantics();
const std::vector<Semantics>& control_semantics();
const std::vector<Semantics>& convergence_semantics();
const std::vector<Semantics>& barrier_semantics();

}  // namespace lockstep::emulator::sass
