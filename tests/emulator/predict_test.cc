// SPDX-License-Identifier: Apache-2.0
// Prediction from profiles that stand in for execution: what it says where something is missing,
// and that its tiers and lines are right.
#include "emulator/predict.h"

#include <gtest/gtest.h>

#include <sstream>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

InstructionProfile load(int line, uint64_t warps) {
  InstructionProfile p;
  p.ptx_line = line;
  p.source_line = 7;
  p.source_file = 1;
  p.op = OpClass::kGlobalLoad;
  p.opcode = "ld.global.f32";
  p.warps = p.warps_guard_on = p.requests = warps;
  p.lanes = p.lanes_guard_on = 32 * warps;
  p.sectors = 4 * warps;
  return p;
}

KernelProfile profile_of(const std::string& kernel) {
  KernelProfile profile;
  profile.kernel = kernel;
  profile.warps_launched = 10;
  profile.files = {"", "a.cu"};
  profile.instructions = {load(4, 10)};
  BlockProfile block;
  block.last = 1;
  profile.blocks = {block};
  return profile;
}

TEST(Predict, WithoutACubinInstructionsAreUnavailableAndMemoryIsOnlyPredicted) {
  const Counts counts = predict_counts(profile_of("k"), nullptr, device_profile(""));
  EXPECT_EQ(counts.find(metric::kWarpInstructions), nullptr);
  EXPECT_NE(counts.unavailable.at(metric::kWarpInstructions).find("no cubin"), std::string::npos);
  const Count* requests = counts.find(metric::kGlobalLoadRequests);
  ASSERT_NE(requests, nullptr);
  EXPECT_EQ(requests->value, 10);
  EXPECT_EQ(requests->tier, Tier::kPredicted);
}

// h_atomic_cas swaps in a loop until no other thread was first.
TEST(Predict, WhereWarpsRaceToSwapThereIsNoCountOfAccesses) {
  LOCKSTEP_NEEDS_MODULE("h200_more/held");
  BackendOptions options;
  options.threads = 1;
  const auto backend = make_emulator_backend(options);
  backend->load_module(find_module_files(test_module("h200_more/held", ".ptx")));
  const BufferId out = backend->allocate({"out", 4096}), in = backend->allocate({"in", 4096});
  backend->fill(out, 0, 4096, 0);
  backend->fill(in, 0, 4096, 0);
  const auto loads_of = [&](const char* kernel) {
    const Launch launch{
        kernel, {4}, {64}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(1)}};
    const Counts counts = backend->count(launch, {metric::kGlobalLoadRequests}, {});
    const auto why = counts.unavailable.find(metric::kGlobalLoadRequests);
    if (why != counts.unavailable.end()) return why->second;
    return std::string(to_string(counts.find(metric::kGlobalLoadRequests)->tier));
  };
  EXPECT_NE(loads_of("h_atomic_cas").find("held.cu:"), std::string::npos);
  EXPECT_EQ(loads_of("h_quadratic"), to_string(Tier::kExact));
}

// Lanes that drop out of loops: counted, but never marked exact; whole warps' turns are.
TEST(Predict, SharedAccessesAreExactOnlyWhereTheSassHasThemOneForOne) {
  const std::string stem = "build/modules/tests/emulator/kernels/cholesky";
  if (file_bytes(stem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  BackendOptions options;
  options.threads = 1;
  const auto backend = make_emulator_backend(options);
  backend->load_module({stem + ".ptx", stem + ".cubin"});
  const BufferId out = backend->allocate({"out", 16384}), in = backend->allocate({"in", 16384});
  backend->fill(out, 0, 16384, 0);
  backend->fill(in, 0, 16384, 0x3f800000);
  for (const KernelInfo& kernel : backend->kernels()) {
    const Launch launch{
        kernel.mangled, {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in)}};
    const Counts counts = backend->count(launch, {}, {});
    const Tier expected = kernel.name == "whole_warps" ? Tier::kExact : Tier::kPredicted;
    for (const char* metric : {metric::kSharedRequests, metric::kSharedWavefronts}) {
      ASSERT_NE(counts.find(metric), nullptr) << kernel.name;
      EXPECT_EQ(counts.find(metric)->tier, expected) << kernel.name << " " << metric;
    }
  }
}

// Lane 0 reads a word of global memory, the others words of shared memory in one bank.
TEST(Predict, OneInstructionThatReachesTwoSpacesIsCountedInBoth) {
  PtxRunner runner(
      ptx_kernel(".shared .align 4 .b8 s[4096];\nmov.u64 d1, s;\nmul.wide.u32 d0, %t, 128;\n"
                 "add.u64 d1, d1, d0;\nst.shared.u32 [d1], %t;\ncvta.shared.u64 d1, d1;\n"
                 "setp.eq.u32 p0, %t, 0;\ncvta.global.u64 d2, %in;\nselp.b64 d1, d2, d1, p0;\n"
                 "ld.u32 r1, [d1];\n" +
                 store_result("r1")));
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 128}), out = backend.allocate({"out", 128});
  backend.fill(in, 0, 128, 0);
  const Counts counts = backend.count(
      {"k", {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0)}}, {},
      {});
  const std::pair<const char*, double> expected[] = {{metric::kGlobalLoadRequests, 1},
                                                     {metric::kGlobalLoadSectors, 1},
                                                     {metric::kSharedRequests, 2},
                                                     {metric::kSharedWavefronts, 32 + 31}};
  for (const auto& [name, value] : expected) {
    ASSERT_NE(counts.find(name), nullptr) << name;
    EXPECT_EQ(counts.find(name)->value, value) << name;
    EXPECT_EQ(counts.find(name)->tier, Tier::kPredicted) << name;
  }
}

TEST(Predict, AtomicsOnSharedMemoryByGenericAddressesHaveNoWavefronts) {
  const auto counts_of = [](const std::string& atomic) {
    PtxRunner runner(
        ptx_kernel(".shared .align 4 .u32 s[32];\nmov.u64 d1, s;\nst.shared.u32 [d1], 0;\n"
                   "bar.warp.sync -1;\ncvta.shared.u64 d2, d1;\n" +
                   atomic));
    const BufferId buffer = runner.backend().allocate({"out", 128});
    const Argument out = Argument::of_buffer(buffer);
    return runner.backend().count({"k", {1}, {32}, 0, {out, out, Argument::of(0)}}, {}, {});
  };
  const Counts shared = counts_of("atom.shared.max.u32 r1, [d1], 1;\n");
  ASSERT_NE(shared.find(metric::kSharedWavefronts), nullptr);
  EXPECT_EQ(shared.find(metric::kSharedWavefronts)->value, 1 + 32);  // a turn for each lane
  const Counts generic = counts_of("atom.max.u32 r1, [d2], 1;\n");
  for (const char* name : {metric::kSharedWavefronts, metric::kSharedWavefrontsIdeal}) {
    EXPECT_EQ(generic.find(name), nullptr) << name;
    EXPECT_NE(generic.unavailable.at(name).find("generic address"), std::string::npos) << name;
  }
  EXPECT_EQ(generic.find(metric::kSharedRequests)->value, 1);  // the store
}

TEST(Predict, WhatNeedsACardIsNamedAndNeverZero) {
  const Counts counts = predict_counts(profile_of("k"), nullptr, device_profile(""));
  for (const char* metric : {metric::kDramBytes, metric::kActiveWarpsPercent, metric::kTimeUs}) {
    EXPECT_EQ(counts.find(metric), nullptr) << metric;
    EXPECT_TRUE(counts.unavailable.count(metric)) << metric;
  }
}

TEST(Predict, ACubinOfAnotherModuleIsToldApart) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const Cubin cubin = Cubin::read(test_module("h200/kernels", ".cubin"));
  const Counts other = predict_counts(profile_of("nowhere"), &cubin, device_profile(""));
  EXPECT_NE(other.unavailable.at(metric::kWarpInstructions).find("lacks the kernel"),
            std::string::npos);
  // Line 4 of the PTX belongs to no instruction of k_copy.
  const Counts stale = predict_counts(profile_of("k_copy"), &cubin, device_profile(""));
  EXPECT_NE(stale.unavailable.at(metric::kWarpInstructions).find("different builds"),
            std::string::npos);
}

TEST(Predict, CountsBySourceLineAddUpToTheWhole) {
  const Counts counts = predict_counts(profile_of("k"), nullptr, device_profile(""));
  ASSERT_EQ(counts.lines.size(), 1u);
  EXPECT_EQ(counts.lines[0].file, "a.cu");
  EXPECT_EQ(counts.lines[0].line, 7);
  EXPECT_EQ(counts.lines[0].counts.at(metric::kGlobalLoadSectors).value, 40);
  const Counts without = predict_counts(profile_of("k"), nullptr, device_profile(""), {false});
  EXPECT_TRUE(without.lines.empty());
}

// Lines of the PTX with this text in the kernel's body.
std::vector<int> lines_with(const std::string& ptx, const std::string& kernel,
                            const std::string& text) {
  std::vector<int> found;
  std::istringstream lines(ptx);
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find(".entry " + kernel + "(") != std::string::npos) inside = true;
    if (inside && line == "}") break;
    if (inside && line.find(text) != std::string::npos) found.push_back(number);
  }
  return found;
}

TEST(Predict, AFunctionThatNobodyKnowsIsNoRoutineIfItHasLinesOrAccesses) {
  const std::string module = "build/modules/tests/emulator/kernels/calls";
  const std::string ptx = file_bytes(module + ".ptx");
  if (file_bytes(module + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
  const Cubin cubin = Cubin::read(module + ".cubin");
  KernelProfile profile = profile_of("calls_a_function");
  const std::vector<int> stores = lines_with(ptx, "calls_a_function", "st.global");
  ASSERT_EQ(stores.size(), 1u);
  profile.instructions[0].ptx_line = stores[0];
  profile.instructions[0].op = OpClass::kGlobalStore;
  const Counts unknown = predict_counts(profile, &cubin, device_profile(""));
  ASSERT_TRUE(unknown.unavailable.count(metric::kWarpInstructions));
  EXPECT_NE(unknown.unavailable.at(metric::kWarpInstructions).find("neither in the PTX"),
            std::string::npos);
  EXPECT_EQ(unknown.find(metric::kGlobalStoreSectors)->value, 40);  // as executed
  profile.instructions.push_back(load(0, 0));
  profile.instructions.back().function = "_Z12sum_of_threePKf";
  const Counts known = predict_counts(profile, &cubin, device_profile(""));
  const auto why = known.unavailable.find(metric::kWarpInstructions);
  EXPECT_TRUE(why == known.unavailable.end() ||
              why->second.find("neither in the PTX") == std::string::npos);
}

// Execution saw accesses on a line of which the SASS has none, though it has such accesses.
TEST(Predict, AccessesThatTheSassHasElsewhereAreNotZero) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const Cubin cubin = Cubin::read(test_module("h200/kernels", ".cubin"));
  const std::string ptx = file_bytes(test_module("h200/kernels", ".ptx"));
  const std::vector<int> stores = lines_with(ptx, "k_copy", "st.global");
  ASSERT_FALSE(stores.empty());
  KernelProfile profile = profile_of("k_copy");
  profile.instructions[0].ptx_line = stores[0];  // of a load, by the profile
  const Counts loads = predict_counts(profile, &cubin, device_profile(""));
  EXPECT_EQ(loads.find(metric::kGlobalLoadSectors), nullptr);
  EXPECT_TRUE(loads.unavailable.count(metric::kGlobalLoadSectors));
  EXPECT_TRUE(loads.unavailable.count(metric::kL2ToL1Bytes));
  ASSERT_NE(loads.find(metric::kGlobalStoreSectors), nullptr);
  profile.instructions[0].op = OpClass::kGlobalStore;
  const Counts right = predict_counts(profile, &cubin, device_profile(""));
  ASSERT_NE(right.find(metric::kGlobalStoreSectors), nullptr);
  EXPECT_EQ(right.find(metric::kGlobalStoreSectors)->value, 40);
}

TEST(Predict, AProfileThatPointsNowhereIsRefused) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const Cubin cubin = Cubin::read(test_module("h200/kernels", ".cubin"));
  KernelProfile profile = profile_of("k_copy");
  profile.instructions[0].block = 99;
  const Counts counts = predict_counts(profile, &cubin, device_profile(""));
  EXPECT_TRUE(counts.unavailable.count(metric::kWarpInstructions));
}

}  // namespace
}  // namespace lockstep::emulator
