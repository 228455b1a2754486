// SPDX-License-Identifier: Apache-2.0
// What a thread's variables are told to hold in a line, out of what nvcc -G says of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/backend/backend.h"
#include "common/base/error.h"
#include "tests/emulator/test_modules.h"
#include "tests/emulator/traced_source.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kThreads = 64;

class LineTracing : public testing::Test {
 protected:
  void SetUp() override {
    if (file_bytes(kTracedModule).empty()) GTEST_SKIP() << "no CUDA toolkit";
    backend_->load_module({kTracedModule, ""});
    out_ = backend_->allocate({"out", kThreads * 4});
    in_ = backend_->allocate({"in", (kThreads + 8) * 4});
    std::vector<float> numbers(kThreads + 8);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) + 0.25f;
    backend_->write(in_, 0, numbers.data(), numbers.size() * 4);
  }

  LineTrace trace(int line, const std::vector<std::string>& expressions, uint32_t thread = 1,
                  int32_t n = 3) {
    TraceRequest request;
    request.file = kTracedFile;
    request.line = line;
    request.thread[0] = thread;
    request.expressions = expressions;
    const Launch launch{"lines",
                        {1},
                        {kThreads},
                        0,
                        {Argument::of_buffer(out_), Argument::of_buffer(in_), Argument::of(n)}};
    LineTrace found;
    try {
      EXPECT_TRUE(backend_->trace({launch}, request, &found));
    } catch (const KernelFault& fault) {
      fault_ = fault.kind();
    }
    return found;
  }
  // The values after each turn of the only column.
  std::vector<std::string> after(const std::string& words, const std::string& expression) {
    const LineTrace found = trace(traced_line(words), {expression});
    EXPECT_EQ(found.columns, std::vector<std::string>{expression});
    std::vector<std::string> values;
    for (const LineTrace::Turn& turn : found.turns) values.push_back(turn.values.at(0).after);
    return values;
  }

  std::unique_ptr<Backend> backend_ = make_emulator_backend({});
  BufferId out_ = 0, in_ = 0;
  std::string fault_;
};

using Texts = std::vector<std::string>;

TEST_F(LineTracing, ShowsScalarsByTheirTypes) {
  EXPECT_EQ(after("unsigned", "flags"), Texts{"4294967294"});
  EXPECT_EQ(after("unsigned", "tid"), Texts{"1"});
  EXPECT_EQ(after("enumeration", "odd"), Texts{"true"});
  EXPECT_EQ(after("enumeration", "colour"), Texts{"kGreen"});
  EXPECT_EQ(after("in a function", "y"), Texts{"0.625"});
  EXPECT_EQ(after("two dimensions", "pair"), Texts{"{first: 1, second: 3.5}"});
  EXPECT_EQ(after("two dimensions", "pair.second"), Texts{"3.5"});
}

TEST_F(LineTracing, ShowsWhatIsIndexed) {
  EXPECT_EQ(after("array", "sums[i % 3]"), (Texts{"1.25", "2.25", "3.25"}));
  EXPECT_EQ(after("array", "in[tid + i]"), (Texts{"1.25", "2.25", "3.25"}));
  EXPECT_EQ(after("array", "sums"),
            (Texts{"{1.25, 0, 0}", "{1.25, 2.25, 0}", "{1.25, 2.25, 3.25}"}));
  EXPECT_EQ(after("array", "in"), (Texts{"&in[0]", "&in[0]", "&in[0]"}));
  EXPECT_EQ(after("array", "table[i + 1]"), (Texts{"6", "7", "8"}));
  EXPECT_EQ(after("two dimensions", "grid"), Texts{"{{4, 7}, {-, 6}}"});
  EXPECT_EQ(after("two dimensions", "grid[1]"), Texts{"{-, 6}"});
  EXPECT_EQ(after("shared", "s[threadIdx.x]"), Texts{"0.625"});
  EXPECT_EQ(after("array", "sums[i + 3]"), (Texts{"?", "?", "?"}));
  EXPECT_EQ(after("array", "in[i * 1000000]"), (Texts{"0.25", "?", "?"}));
  EXPECT_EQ(after("end", "out[tid]"), Texts{"4970.625"});
}

TEST_F(LineTracing, TellsWhatALineChanges) {
  const LineTrace found = trace(traced_line("member"), {"pair.second", "i"});
  ASSERT_EQ(found.turns.size(), 3u);
  EXPECT_EQ(found.turns[2].values[0].before, "1.5");
  EXPECT_EQ(found.turns[2].values[0].after, "3.5");
  EXPECT_EQ(found.turns[2].values[1].before, found.turns[2].values[1].after);
  const LineTrace loop = trace(traced_line("an index that goes on"), {"sums[k]", "k"});
  EXPECT_EQ(loop.turns.at(1).values.at(0).before, "2.25");
  EXPECT_EQ(loop.turns[1].values[0].after, "2.25");
  EXPECT_EQ(loop.turns[1].values[1].before, "1");
  EXPECT_EQ(loop.turns[1].values[1].after, "2");
  const LineTrace declared = trace(traced_line("unsigned"), {"flags"});
  EXPECT_EQ(declared.turns.at(0).values.at(0).before, "-");
}

TEST_F(LineTracing, ShowsAllVariablesWhereTheLineNamesNone) {
  const LineTrace found = trace(traced_line("enumeration"), {"nobody"});
  EXPECT_EQ(found.columns, (Texts{"out", "in", "n", "tid", "flags", "odd", "colour", "s"}));
  EXPECT_EQ(trace(traced_line("array"), {"sums[nobody]", "sums[half]", "i"}).columns,
            (Texts{"sums", "i"}));
}

TEST_F(LineTracing, KeepsTheFirstTurnsAndTheLast) {
  const LineTrace found = trace(traced_line("often"), {"k"});
  EXPECT_EQ(found.all, 101u);
  ASSERT_EQ(found.turns.size(), 21u);
  EXPECT_EQ(found.turns[19].number, 20u);
  EXPECT_EQ(found.turns[20].number, 101u);
  EXPECT_EQ(found.turns[20].values.at(0).after, "100");
}

TEST_F(LineTracing, TellsWhereTheThreadWasLast) {
  const LineTrace found = trace(traced_line("never"), {"n"});
  EXPECT_EQ(found.all, 1u);  // the test of n stands there, too
  const std::vector<int> lines = backend_->lines_with_code("lines", kTracedFile);
  EXPECT_TRUE(std::find(lines.begin(), lines.end(), traced_line("shared")) != lines.end());
  EXPECT_TRUE(std::find(lines.begin(), lines.end(), traced_line("in a function")) != lines.end());
  EXPECT_TRUE(std::find(lines.begin(), lines.end(), traced_line("never") + 1) == lines.end());
  const LineTrace none = trace(traced_line("array"), {"i"}, 1, 0);
  EXPECT_EQ(none.all, 0u);
  EXPECT_EQ(none.kernel, "lines");
  ASSERT_FALSE(none.last_lines.empty());
  EXPECT_GT(none.last_lines.back(), traced_line("end"));
}

TEST_F(LineTracing, HasWhatWasFoundBeforeAFault) {
  const LineTrace found = trace(traced_line("fault"), {"tid", "n"}, 1, 7);
  EXPECT_EQ(fault_, "out_of_bounds");
  ASSERT_EQ(found.turns.size(), 1u);
  EXPECT_EQ(found.turns[0].values[1].after, "7");
  const LineTrace other = trace(traced_line("fault"), {"tid"}, 40, 3);
  EXPECT_EQ(other.turns.at(0).values.at(0).after, "40");
}

TEST_F(LineTracing, NeedsDebugInformation) {
  const std::string plain = "build/modules/tests/emulator/kernels/calls.ptx";
  backend_->load_module({plain, ""});
  LineTrace found;
  EXPECT_THROW(backend_->trace({}, {}, &found), Error);
}

}  // namespace
}  // namespace lockstep::emulator
