// SPDX-License-Identifier: Apache-2.0
// What a line of source names and can be looked up without executing anything: "h", "thd_sum[j]",
// "tile[threadIdx.y][i + 1]", "p.x", "team->count". Operators that have no effect, and casts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/debug/debug_info.h"
#include "emulator/debug/lane_view.h"

namespace lockstep::emulator {

struct Expression {
  enum class Kind : uint8_t { kNumber, kName, kIndex, kMember, kMinus, kCast, kBinary };
  Kind kind = Kind::kNumber;
  int64_t number = 0;
  std::string name;  // kName, kMember; kBinary: the operator
  std::vector<Expression> parts;
};

// False where the text is no such expression, or a long one.
bool parse_expression(std::string_view text, Expression* out);

// Where an expression is looked at: an instruction, for a lane that is about to execute it.
struct Scene {
  const DebugInfo& info;
  const LaneView& lane;
  uint32_t function = 0, instruction = 0;  // of the module
};

// The names of variables in it. Built-in ones of CUDA are none.
std::vector<std::string> names_in(const Expression& e);
// What an expression is: a number, or something that lies somewhere.
struct Found {
  std::optional<int64_t> number;
  uint32_t type = kNoEntry;
  size_t dimension = 0;  // of an array (values.h)
  Spot at;
  uint32_t variable = kNoEntry;  // the entry of the one that the expression begins with
};
Found evaluate(const Expression& e, const Scene& scene);
// Its value (values.h), as it is now.
std::string text_of(const Found& found, const Scene& scene);

}  // namespace lockstep::emulator
