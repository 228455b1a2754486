// SPDX-License-Identifier: Apache-2.0
// Both executors on one launch.
#include "tests/emulator/sass_oracle.h"

#include <algorithm>

#include "common/base/error.h"

namespace lockstep::emulator {
namespace {

BackendOptions options_of(const std::string& profile) {
  BackendOptions options;
  options.profile = profile;
  options.threads = 1;
  return options;
}

}  // namespace

Oracle::Oracle(const std::string& profile) : backend_(options_of(profile)) {}

void Oracle::load(const std::string& ptx, const std::string& cubin) {
  backend_.load_module({ptx, cubin});
}

std::vector<uint32_t> Oracle::prepare_and_run(bool code, const Launch& launch,
                                              std::string* why_not) {
  const BufferId out = launch.arguments[0].buffer, in = launch.arguments[1].buffer;
  backend_.write(in, 0, input_.data(), input_.size() * 4);
  backend_.fill(out, 0, output_words_ * 4, 0);
  std::vector<uint32_t> words(output_words_);
  try {
    Counts counts;
    if (!code)
      backend_.launch(launch);
    else if (const auto why = backend_.execute_code(launch, &counts))
      *why_not = why->empty() ? "not executed" : *why;
  } catch (const Error& error) {
    *why_not = std::string(code ? "machine code: " : "PTX: ") + error.what();
  }
  backend_.read(out, 0, words.data(), words.size() * 4);
  backend_.take_output();
  return words;
}

Verdict Oracle::compare(Launch launch, int32_t argument) {
  const BufferId out = backend_.allocate({"out", output_words_ * 4});
  const BufferId in = backend_.allocate({"in", std::max<size_t>(input_.size(), 1) * 4});
  launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(argument)};
  Verdict verdict;
  const std::vector<uint32_t> of_ptx = prepare_and_run(false, launch, &verdict.why_not);
  std::vector<uint32_t> of_code;
  if (verdict.why_not.empty()) of_code = prepare_and_run(true, launch, &verdict.why_not);
  backend_.release(in);
  backend_.release(out);
  if (!verdict.why_not.empty()) return verdict;
  for (size_t i = 0; i < of_ptx.size(); ++i)
    if (of_ptx[i] != of_code[i]) verdict.differences.push_back({i, of_ptx[i], of_code[i]});
  return verdict;
}

uint64_t ulps(uint32_t a, uint32_t b) {
  const auto is_number = [](uint32_t x) { return (x & 0x7fffffff) <= 0x7f800000; };
  if (!is_number(a) || !is_number(b)) return is_number(a) == is_number(b) ? 0 : ~uint64_t{0};
  const auto place = [](uint32_t x) {
    const auto size = int64_t{x & 0x7fffffff};
    return x >> 31 != 0 ? -size : size;
  };
  return static_cast<uint64_t>(std::abs(place(a) - place(b)));
}

}  // namespace lockstep::emulator
