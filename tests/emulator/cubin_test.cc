// SPDX-License-Identifier: Apache-2.0
#include "emulator/cubin/cubin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "common/backend/backend.h"
#include "common/base/error.h"
#include "emulator/cubin/line_table.h"
#include "emulator/sass/code.h"
#include "emulator/sass/listing.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

constexpr char kKernels[] = "h200/kernels", kFit[] = "h200_more/fit";

TEST(Cubin, KernelsWithTheirResourcesAsPtxasReportsThem) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const Cubin cubin = Cubin::read(test_module(kKernels, ".cubin"));
  EXPECT_EQ(cubin.sm(), 90);
  EXPECT_EQ(cubin.kernels().size(), 32u);
  const CubinKernel* kernel = cubin.find_kernel("norm_base_32");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->registers, 30);
  EXPECT_EQ(kernel->shared_bytes, 0);
  EXPECT_EQ(kernel->local_bytes, 0);
  EXPECT_EQ(kernel->parameter_bytes, (std::vector<uint32_t>{8, 8, 4}));
  EXPECT_EQ(kernel->parameter_bytes_total, 20);
  EXPECT_EQ(kernel->code.size() % 16, 0u);
  EXPECT_EQ(cubin.find_kernel("k_red0")->shared_bytes, 1024);
  EXPECT_EQ(cubin.find_kernel("k_sh128")->shared_bytes, 4096);
  EXPECT_EQ(cubin.find_kernel("no_such_kernel"), nullptr);
  EXPECT_TRUE(cubin.code("no_such_kernel").empty());
}

TEST(Cubin, SpillsAreCountedWithoutTheProgramsOwnArrays) {
  LOCKSTEP_NEEDS_MODULE(kFit);
  const auto backend = make_emulator_backend({});
  backend->load_module({test_module(kFit, ".ptx"), test_module(kFit, ".cubin")});
  const auto spilled = [&](const std::string& kernel) {
    for (const KernelInfo& info : backend->kernels())
      if (info.mangled == kernel) return info.spill_bytes;
    return int64_t{-2};
  };
  EXPECT_EQ(spilled("f_spill"), 496 + 584);  // what ptxas -v says
  EXPECT_EQ(spilled("f_local_array"), 0);
  const Cubin cubin = Cubin::read(test_module(kFit, ".cubin"));
  EXPECT_GT(cubin.find_kernel("f_local_array")->local_bytes, 0);
  EXPECT_EQ(spilled("f_saxpy"), 0);
}

TEST(Cubin, TargetsOfIndirectBranches) {
  LOCKSTEP_NEEDS_MODULE(kFit);
  const Cubin cubin = Cubin::read(test_module(kFit, ".cubin"));
  const CubinKernel* kernel = cubin.find_kernel("f_switch");
  ASSERT_NE(kernel, nullptr);
  ASSERT_FALSE(kernel->indirect.empty());
  const int count = int(kernel->code.size() / 16);
  for (const auto& [branch, target] : kernel->indirect) {
    EXPECT_LT(branch, count);
    EXPECT_LT(target, count);
  }
}

TEST(Cubin, AFileThatIsNoCubinIsNamed) {
  try {
    Cubin("thing.cubin", "hello");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("thing.cubin"), std::string::npos);
    EXPECT_EQ(e.code(), kExitUsage);
  }
  EXPECT_THROW(Cubin("empty", ""), Error);
  EXPECT_THROW(Cubin::read("build/no/such.cubin"), Error);
  EXPECT_THROW(Cubin::read("tests"), Error);
}

// Reads all there is to read; broken files may throw Error and nothing else.
void read_everything(std::string bytes) {
  try {
    const Cubin cubin("broken", std::move(bytes));
    for (const CubinKernel& kernel : cubin.kernels())
      sass::make_code(cubin, kernel.name, [](const std::string&) { return std::nullopt; });
    sass::listing(cubin);
  } catch (const Error&) {
  }
}

TEST(Cubin, ATruncatedFileIsRefusedOrReadNeverWorse) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const std::string bytes = file_bytes(test_module(kKernels, ".cubin"));
  for (size_t size = 0; size < bytes.size(); size += 4093) read_everything(bytes.substr(0, size));
}

TEST(Cubin, FlippedBytesAreRefusedOrReadNeverWorse) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const std::string bytes = file_bytes(test_module(kKernels, ".cubin"));
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string broken = bytes;
    for (int i = 0; i < 40; ++i) {
      // Half of the flips in what describes the file: headers, symbols, tables.
      const size_t end = i % 2 ? broken.size() : 0x9000;
      const size_t start = i % 4 == 0 ? broken.size() - 130 * 64 : 0;
      broken[std::min(broken.size() - 1, start + random() % (end > start ? end - start : 64))] =
          char(random());
    }
    broken.replace(0, 6, bytes, 0, 6);
    broken.replace(18, 2, bytes, 18, 2);
    read_everything(std::move(broken));
  }
}

TEST(Cubin, SizesNearTheLimitOfTheirTypeDoNotWrap) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const std::string bytes = file_bytes(test_module(kKernels, ".cubin"));
  uint64_t table = 0;
  std::memcpy(&table, bytes.data() + 40, 8);
  for (size_t field : {size_t{24}, size_t{32}, size_t{40}, size_t{56}}) {
    for (uint64_t value : {~uint64_t{0}, ~uint64_t{0} - 16, uint64_t{1} << 63, uint64_t{1} << 32}) {
      for (size_t section = 1; section < 130; section += 43) {
        std::string broken = bytes;
        std::memcpy(broken.data() + table + section * 64 + field, &value, field == 40 ? 4 : 8);
        read_everything(std::move(broken));
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::emulator
