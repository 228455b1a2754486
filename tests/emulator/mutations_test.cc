// SPDX-License-Identifier: Apache-2.0
// Small changes of a kernel: which there are, what is said of them, and that they are executed and
// gone afterwards.
#include "emulator/mutate/mutations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "common/backend/backend.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

constexpr char kModule[] = "build/modules/tests/emulator/kernels/mutate_debug.ptx";
constexpr char kFile[] = "mutate_debug.cu";
constexpr uint32_t kThreads = 32;
constexpr int kElements = 96;

class Mutating : public testing::Test {
 protected:
  void SetUp() override {
    if (file_bytes(kModule).empty()) GTEST_SKIP() << "no CUDA toolkit";
    backend_->load_module({kModule, ""});
    out_ = backend_->allocate({"out", kElements * 4});
    in_ = backend_->allocate({"in", kElements * 4, 4096, true});
    std::vector<float> numbers(kElements);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) + 1;
    backend_->write(in_, 0, numbers.data(), numbers.size() * 4);
  }

  void find(const std::string& kernel) {
    kernel_ = kernel;
    count_ = backend_->find_mutations(kernel, kFile);
  }
  // The number of the first that says so; -1: none does.
  int number_of(const std::string& is, const std::string& instead) const {
    for (size_t i = 0; i < count_; ++i) {
      const CodeMutation m = backend_->mutation(i);
      if (m.is == is && m.instead == instead) return static_cast<int>(i);
    }
    return -1;
  }
  int number_of_phrase(const std::string& phrase) const {
    for (size_t i = 0; i < count_; ++i)
      if (backend_->mutation(i).phrase == phrase) return static_cast<int>(i);
    return -1;
  }
  // What a launch of two blocks stores with the change, NaN where nothing.
  std::vector<float> results(std::optional<int> change) {
    backend_->mutate(kernel_, change ? std::optional<size_t>(*change) : std::nullopt);
    std::vector<float> out(kElements, std::numeric_limits<float>::quiet_NaN());
    backend_->write(out_, 0, out.data(), out.size() * 4);
    Launch launch{kernel_, {2}, {kThreads}, 0, {}};
    launch.arguments = {Argument::of_buffer(out_), Argument::of_buffer(in_),
                        Argument::of<int32_t>(kElements)};
    launch.step_budget = 100'000;
    launch.first_block = first_block_;
    backend_->launch(launch);
    backend_->read(out_, 0, out.data(), out.size() * 4);
    return out;
  }

  std::unique_ptr<Backend> backend_ = make_emulator_backend({});
  BufferId out_ = 0, in_ = 0;
  std::string kernel_;
  size_t count_ = 0;
  uint64_t first_block_ = 0;
};

float given(int i) { return 2.0f * (float(i) + 1) - (float(i / 4) + 1); }

TEST_F(Mutating, SaysWhatLinesSayInTheirOwnNames) {
  find("mutated");
  ASSERT_GT(count_, 100u);
  for (const auto& [is, instead] :
       {std::pair("i < n", "i <= n"),
        {"at = i / 4", "at = i / 8"},
        {"at = i / 4", "at = i * 4"},
        {"at = i / 4", "at = i / 4 + tid"},
        {"i = i + n_threads", "i = i + n_threads * 4"},
        {"tid = threadIdx.x + blockIdx.x * blockDim.x", "tid = threadIdx.x + blockIdx.x * n"},
        {"out[i] = twice(in[i]) - in[at]", "out[i] = twice(in[i]) + in[at]"},
        {"x * 2", "x * 4"},
        {"i < n", "true"}})
    EXPECT_GE(number_of(is, instead), 0) << is << " -> " << instead;
}

TEST_F(Mutating, ExecutesAChangeAndNothingOfItAfterwards) {
  find("mutated");
  const std::vector<float> before = results(std::nullopt);
  for (int i = 0; i < kElements; ++i) ASSERT_EQ(before[i], given(i)) << i;
  const std::vector<float> quarters = results(number_of("at = i / 4", "at = i / 8"));
  for (int i = 0; i < kElements; ++i)
    ASSERT_EQ(quarters[i], 2.0f * (float(i) + 1) - (float(i / 8) + 1)) << i;
  EXPECT_EQ(results(std::nullopt), before);
}

TEST_F(Mutating, ChangesFunctionsThatTheKernelCalls) {
  find("mutated");
  const std::vector<float> fourfold = results(number_of("x * 2", "x * 4"));
  for (int i = 0; i < kElements; ++i)
    ASSERT_EQ(fourfold[i], 4.0f * (float(i) + 1) - (float(i / 4) + 1)) << i;
}

TEST_F(Mutating, AddsWhatIsMissing) {
  find("mutated");
  const std::vector<float> further = results(number_of("at = i / 4", "at = i / 4 + 1"));
  for (int i = 0; i < kElements - 4; ++i)
    ASSERT_EQ(further[i], 2.0f * (float(i) + 1) - (float(i / 4) + 2)) << i;
}

TEST_F(Mutating, ChangesLinesThatReadAlikeTogether) {
  find("copied_line");
  int together = 0;
  for (size_t i = 0; i < count_; ++i) {
    const CodeMutation m = backend_->mutation(i);
    if (m.is != "at = i + j" || m.instead != "at = i * j") continue;
    const std::vector<float> out = results(static_cast<int>(i));
    // With both: at is 0 and i, so each thread adds up in[0] and in[i], and stores there.
    together += out[5] == 1 + 6 && std::isnan(out[40]);
  }
  EXPECT_EQ(together, 1);
}

// Of a change that a phrase tells: with it, out[i] is right(i) for the first 32.
#define EXPECT_MENDED(kernel, phrase, right)                                       \
  do {                                                                             \
    find(kernel);                                                                  \
    const int change = number_of_phrase(phrase);                                   \
    ASSERT_GE(change, 0) << kernel;                                                \
    const std::vector<float> out = results(change);                                \
    for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], (right)) << kernel << " " << i; \
  } while (false)

TEST_F(Mutating, UsesAResultThatIsDropped) {
  EXPECT_MENDED("dropped",
                "with `x = twice(x)` in place of `twice(x)` in line 32, whose result nothing uses",
                2.0f * (float(i) + 1));
}

TEST_F(Mutating, SetsAVariableInEachTurn) {
  find("never_reset");
  const int change = number_of_phrase(
      "with `sum = 0` in each turn of the loop in line 39, not only before it in line 38");
  ASSERT_GE(change, 0);
  const std::vector<float> out = results(change);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 2 * float(i % 32) + 3) << i;
}

TEST_F(Mutating, GivesEachTurnAVariableOfItsOwn) {
  find("one_for_all");
  const int change = number_of_phrase(
      "with an array `one[j]` in place of the one variable `one` that is set in line 48");
  ASSERT_GE(change, 0);
  const std::vector<float> out = results(change);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], float(i) + 1) << i;
}

TEST_F(Mutating, GivesEachTurnAnArrayOfItsOwn) {
  find("array_for_all");
  const int change = number_of_phrase(
      "with `two[...][j]` in place of `two[...]`, which line 122 sets in each turn");
  ASSERT_GE(change, 0);
  const std::vector<float> out = results(change);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], float(i) + 1) << i;
}

TEST_F(Mutating, PutsABreakWhereACaseGoesOn) {
  EXPECT_MENDED("falls_through", "with `break` behind line 60",
                float(i) + 1 + 100 * float(i % 3 + 1));
}

TEST_F(Mutating, DoesAgainWhatIsDoneOnce) {
  EXPECT_MENDED("once", "with a loop in place of `if` in line 71, with `i += step` in each turn",
                3 * (float(i) + 33));
}

TEST_F(Mutating, EnlargesSharedArrays) {
  find("small");
  EXPECT_THROW(results(std::nullopt), KernelFault);
  EXPECT_MENDED("small", "with `tile` 2 times as large as it is declared in line 78",
                32 - float(i));
  EXPECT_THROW(results(std::nullopt), KernelFault);
}

TEST_F(Mutating, PutsConditionsBeforeStores) {
  find("unguarded");
  const std::vector<float> out = results(number_of_phrase("with `if (i < most)` before line 87"));
  for (int i = 0; i < 32; ++i) EXPECT_EQ(std::isnan(out[i]), i >= 24) << i;
}

TEST_F(Mutating, PutsBarriersBeforeLines) {
  find("no_barrier");
  EXPECT_THROW(results(std::nullopt), KernelFault);
  EXPECT_MENDED("no_barrier", "with `__syncthreads()` before line 94", float((i + 31) % 32) + 1);
}

TEST_F(Mutating, ExecutesStatementsElsewhere) {
  EXPECT_MENDED("too_early",
                "with line 101 executed at the end of each turn of the loop in line 100",
                float(i) + 1);
  EXPECT_MENDED("too_early", "with line 102 executed before line 101", float(i) + 1);
  const std::vector<float> out =
      results(number_of_phrase("with line 102 executed before line 101"));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], float(i) + 1) << i;
  EXPECT_MENDED("too_late", "with line 110 executed before line 109", 3 * float(i) + 6);
  EXPECT_EQ(number_of_phrase("with line 109 executed before line 110"), -1);
}

TEST_F(Mutating, ExchangesTwoValuesOfALine) {
  EXPECT_MENDED("exchanged", "with `column` and `row` exchanged in line 115", float(i) + 1);
}

TEST_F(Mutating, TakesOtherElementsAndMembers) {
  find("parts");
  const float right = 4 + 5 * 100 + 6 * 10000;  // of thread 1, with row[2]
  EXPECT_EQ(results(number_of("four.z = row[1]", "four.z = row[2]"))[1], right);
  EXPECT_EQ(results(number_of("four.z = row[1]", "four.z = *row"))[1], right - 20000);
  EXPECT_GE(number_of("four.z = row[1]", "four.w = row[1]"), 0);
  EXPECT_EQ(results(std::nullopt)[1], right - 10000);
}

TEST_F(Mutating, TellsOfEachStoreAndEndsWhereOneIsRefused) {
  find("mutated");
  size_t bytes = 0, first = ~size_t{0};
  backend_->check_stores([&](BufferId buffer, size_t offset, size_t more) {
    EXPECT_EQ(buffer, out_);
    if (bytes == 0) first = offset;
    bytes += more;
    return true;
  });
  results(std::nullopt);
  EXPECT_EQ(bytes, kElements * 4u);
  EXPECT_EQ(first, 0u);
  bytes = 0;
  first_block_ = 1;
  results(std::nullopt);
  EXPECT_EQ(bytes, kElements * 4u);
  EXPECT_EQ(first, kThreads * 4u);
  backend_->check_stores([&](BufferId, size_t offset, size_t) { return offset < 40; });
  try {
    results(std::nullopt);
    ADD_FAILURE() << "not ended";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), "stored");
    EXPECT_EQ(fault.place().block[0], 1u);
  }
  backend_->check_stores(nullptr);
  EXPECT_EQ(results(std::nullopt)[95], given(95));
}

// Whatever is changed, it is executed or refused, or a fault; and the kernel is as it was after it.
TEST_F(Mutating, NoChangeDoesMoreThanAKernelCan) {
  for (const char* kernel : {"mutated", "copied_line", "falls_through", "one_for_all", "once",
                             "too_early", "too_late", "exchanged", "array_for_all"}) {
    find(kernel);
    const std::vector<float> before = results(std::nullopt);
    int different = 0;
    for (size_t i = 0; i < count_; ++i) {
      try {
        const std::vector<float> out = results(static_cast<int>(i));
        different += std::memcmp(out.data(), before.data(), out.size() * 4) != 0;
      } catch (const KernelFault&) {
        ++different;
      }
    }
    EXPECT_GT(different, static_cast<int>(count_ / 2)) << kernel;
    const std::vector<float> after = results(std::nullopt);
    EXPECT_EQ(std::memcmp(after.data(), before.data(), after.size() * 4), 0);
  }
}

}  // namespace
}  // namespace lockstep::emulator
