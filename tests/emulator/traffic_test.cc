// SPDX-License-Identifier: Apache-2.0
// Traffic between L1 and L2 of kernels whose local arrays and waits decide it.
#include <gtest/gtest.h>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "emulator/l1/l1_model.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

const std::string kStem = "build/modules/tests/emulator/kernels/traffic";
constexpr double kLine = 128;

class Traffic : public testing::Test {
 protected:
  Traffic() {
    BackendOptions options;
    options.threads = 1;
    backend_ = make_emulator_backend(options);
  }
  void SetUp() override {
    if (file_bytes(kStem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
    backend_->load_module({kStem + ".ptx", kStem + ".cubin"});
    out_ = backend_->allocate({"out", 65536});
    in_ = backend_->allocate({"in", 65536});
    backend_->fill(out_, 0, 65536, 0);
    backend_->fill(in_, 0, 65536, 0);
  }
  double count(const char* metric, const std::string& kernel, unsigned block,
               const std::vector<Argument>& arguments) {
    const Counts counts = backend_->count({kernel, {1}, {block}, 0, arguments},
                                          {metric::kL2ToL1Bytes, metric::kL1ToL2Bytes}, {});
    const Count* found = counts.find(metric);
    return found ? found->value : -1;
  }
  double reads(unsigned block, int rounds) {
    return count(metric::kL2ToL1Bytes, "reads_local", block,
                 {Argument::of_buffer(out_), Argument::of(0), Argument::of(rounds)});
  }
  double pushed(unsigned block, int words) {
    return count(metric::kL2ToL1Bytes, "pushes_out", block,
                 {Argument::of_buffer(out_), Argument::of_buffer(in_), Argument::of(words),
                  Argument::of(4)});
  }
  std::unique_ptr<Backend> backend_;
  BufferId out_{}, in_{};
};

// Two words of each of 576 elements: 144 KiB a warp, and of four warps more than L1 holds.
TEST_F(Traffic, LocalMemoryThatNothingWroteComesFromL2) {
  const double once = 2 * 576 * kLine;
  EXPECT_EQ(reads(32, 1), once);
  EXPECT_EQ(reads(128, 1), 4 * once);
  EXPECT_GT(reads(128, 3), 2 * 4 * once);
  EXPECT_LE(reads(128, 3), 3 * 4 * once);
}

// `in` is 4 KiB: of 16 warps, 1000 words each of local memory push it out, 8 do not.
TEST_F(Traffic, LocalStoresPushGlobalLinesOut) {
  EXPECT_LE(pushed(512, 8), 16 * 1024);
  EXPECT_GT(pushed(512, 1000), 4 * pushed(512, 8));
}

// 64 lanes, eight sectors; merge_share lets some sectors of stores far apart meet, but few.
TEST_F(Traffic, StoresMeetOnlyWhereNothingWaitsBetweenThem) {
  const auto written = [&](const char* kernel) {
    return count(metric::kL1ToL2Bytes, kernel, 64, {Argument::of_buffer(out_), Argument::of(1.0f)});
  };
  EXPECT_EQ(written("stores_twice"), 256);
  for (const char* kernel : {"stores_after_a_nap", "stores_after_a_barrier",
                             "stores_after_a_shuffle", "stores_after_a_root"})
    EXPECT_EQ(written(kernel), 512) << kernel;
}

TEST(L1Model, WarpsHaveLocalLinesOfTheirOwn) {
  const L1Piece piece = 5 | kL1Sectors;
  const auto fetched = [&](auto access) {
    L1Model m({}, 2);
    m.begin_block(2);
    access(m);
    m.end_block();
    m.finish();
    return m.traffic()[0].fill_bytes;
  };
  EXPECT_EQ(fetched([&](L1Model& m) { m.local(0, 0, L1Access::kLocalLoad, &piece, 1); }), 128u);
  EXPECT_EQ(fetched([&](L1Model& m) {
              m.local(0, 0, L1Access::kLocalLoad, &piece, 1);
              m.local(0, 0, L1Access::kLocalLoad, &piece, 1);
              m.local(1, 0, L1Access::kLocalLoad, &piece, 1);
            }),
            256u);
  EXPECT_EQ(fetched([&](L1Model& m) {
              m.local(0, 1, L1Access::kLocalStore, &piece, 1);
              m.local(0, 0, L1Access::kLocalLoad, &piece, 1);
            }),
            0u);
  EXPECT_EQ(fetched([&](L1Model& m) {
              m.local(0, 1, L1Access::kLocalStorePart, &piece, 1);
              m.local(0, 0, L1Access::kLocalLoad, &piece, 1);
              m.local(0, 1, L1Access::kLocalStorePart, &piece, 1);
              m.local(0, 0, L1Access::kLocalLoad, &piece, 1);
            }),
            128u);
}

// N*W of local stores is counted by their sectors (sass/counts.cc), with write-back, too.
TEST(L1Model, LocalStoresAreNotWrittenTwice) {
  for (const bool write_through : {true, false}) {
    L1Config config;
    config.write_through = write_through;
    L1Model m(config, 1);
    m.begin_block(1);
    const L1Piece piece = 5 | kL1Sectors;
    m.local(0, 0, L1Access::kLocalStore, &piece, 1);
    m.local(0, 0, L1Access::kLocalStorePart, &piece, 1);
    m.end_block();
    m.finish();
    EXPECT_EQ(m.traffic()[0].write_bytes, 0u);
  }
}

}  // namespace
}  // namespace lockstep::emulator
