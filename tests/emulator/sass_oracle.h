// SPDX-License-Identifier: Apache-2.0
// Runs a launch twice, its PTX and its machine code, on the same memory, and says where the outputs
// differ.
#pragma once

#include <string>
#include <vector>

#include "common/backend/counts.h"
#include "emulator/emulator_backend.h"

namespace lockstep::emulator {

struct Difference {
  size_t word = 0;
  uint32_t of_ptx = 0, of_code = 0;
};

struct Verdict {
  std::string why_not;  // the machine code was not executed; or a fault of either
  std::vector<Difference> differences;
  bool agree() const { return why_not.empty() && differences.empty(); }
};

class Oracle {
 public:
  explicit Oracle(const std::string& profile = "h200");

  void load(const std::string& ptx, const std::string& cubin);
  // What lies in `in` and `out` before each run; `out` has as many words as are given.
  void set_input(const std::vector<uint32_t>& words) { input_ = words; }
  void set_output_words(size_t words) { output_words_ = words; }
  // launch: all but its arguments, which are out, in and `argument`.
  Verdict compare(Launch launch, int32_t argument);

 private:
  std::vector<uint32_t> prepare_and_run(bool code, const Launch& launch, std::string* why_not);

  EmulatorBackend backend_;
  std::vector<uint32_t> input_;
  size_t output_words_ = 0;
};

// Distance in units of the last place of two f32; what is no number is far from all else.
uint64_t ulps(uint32_t a, uint32_t b);

}  // namespace lockstep::emulator
