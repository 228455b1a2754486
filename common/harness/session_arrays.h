// SPDX-License-Identifier: Apache-2.0
// What a session knows of its arrays. Private to session.cc and session_explain.cc.
#pragma once

#include <optional>

#include "common/harness/session.h"

namespace lockstep {

// Of elements, of a launch in which it is followed who accesses what: races, how values come about.
inline constexpr int64_t kMostFollowed = 1 << 17;

// Before what a result as a whole is taken for, in a message.
inline constexpr char kWhatIsWrong[] = "\n  What is wrong ";

struct Session::Array {
  ArraySpec spec;
  BufferId buffer = 0;
  BufferId pristine = 0;  // of an input: what it is before every execution
  bool allocated = false, has_pristine = false;
  size_t input = 0;                   // where it has one: index into Problem::inputs
  size_t output = 0;                  // where it is checked: index into Problem::expected
  uint32_t poison = 0;                // without an input: what it held before the execution
  HostArray got;                      // as last read
  std::optional<HostArray> verified;  // a result that was found right
  size_t bytes() const { return spec.bytes(); }
};

}  // namespace lockstep
