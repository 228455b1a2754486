// SPDX-License-Identifier: Apache-2.0
// Approximate functions give the same bits in PTX and in the machine code that ptxas makes of it: a
// kernel cannot tell by them which of the two is executed.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kThreads = 256, kBlocks = 64, kNumbers = kThreads * kBlocks;

// Bits of two numbers from the thread's, of every exponent.
const char* const kOperands =
    "mul.lo.u32 r1, %t, 2654435761;\nxor.b32 r1, r1, 1779033703;\nmul.lo.u32 r1, r1, 2246822519;\n"
    "shr.u32 r2, r1, 15;\nxor.b32 r1, r1, r2;\nmul.lo.u32 r3, r1, 3266489917;\n"
    "shr.u32 r2, r3, 13;\nxor.b32 r3, r3, r2;\nmov.b32 f1, r1;\nmov.b32 f2, r3;\n";

class Approximate : public testing::TestWithParam<const char*> {};

TEST_P(Approximate, IsTheSameInMachineCode) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(kOperands + std::string(GetParam()) +
                              " f3, f1, f2;\nmov.b32 r4, f3;\n" + store_result("r4")),
                   {}, true);
  Backend& backend = runner.backend();
  const BufferId out = backend.allocate({"out", kNumbers * 4}), in = backend.allocate({"in", 128});
  const Launch launch{
      "k",
      {kBlocks},
      {kThreads},
      0,
      {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0u)}};
  std::vector<uint32_t> ptx(kNumbers), code(kNumbers);
  const auto read = [&](std::vector<uint32_t>* to) {
    backend.read(out, 0, to->data(), to->size() * 4);
  };
  backend.launch(launch);
  read(&ptx);
  const Counts counts =
      backend.count(launch, {metric::kGlobalStoreRequests}, {nullptr, [&] { read(&code); }});
  ASSERT_NE(counts.find(metric::kGlobalStoreRequests), nullptr);
  size_t different = 0;
  for (size_t i = 0; i < kNumbers; ++i) {
    const auto is_nan = [](uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; };
    if (ptx[i] == code[i] || (is_nan(ptx[i]) && is_nan(code[i]))) continue;
    if (++different <= 3)
      ADD_FAILURE() << i << std::hex << ": " << ptx[i] << " in PTX, " << code[i] << " in code";
  }
  EXPECT_EQ(different, 0u);
}

INSTANTIATE_TEST_SUITE_P(Divisions, Approximate,
                         testing::Values("div.approx.f32", "div.full.f32", "div.approx.ftz.f32",
                                         "div.full.ftz.f32"));

}  // namespace
}  // namespace lockstep::emulator
