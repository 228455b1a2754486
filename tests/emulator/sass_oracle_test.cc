// SPDX-License-Identifier: Apache-2.0
// The machine code against the PTX that it was made of: the same outputs to the bit. Launches that
// were measured, kernels for other architectures, random kernels compiled here.
#include "tests/emulator/sass_oracle.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "common/base/error.h"
#include "tests/emulator/random_ptx.h"
#include "tests/emulator/test_modules.h"
#include "tools/compare_h200/truth.h"

namespace lockstep::emulator {
namespace {

using compare_h200::MeasuredLaunch;

// Kernels whose PTX is computed by other steps than a card's: MUFU's approximations, to so many
// units of the last place. 0: not compared; a sum of floats by atomics has no order, nor have
// places that an atomic gives; what is left of a last place when nearly all of a number is
// subtracted is no measure; of halves ptxas fuses products and sums, too.
const std::map<std::string, uint64_t> kInexact = {
    {"fast_intrinsics", 3}, {"bilateral5", 4},  {"fast_math_mix", 0},
    {"k_atomic_all", 0},    {"pivot_solve", 0}, {"close_pairs_fa", 0},
    {"append_hits_fa", 0},  {"hash_cas_fa", 0}, {"ray_exit", 8}};

std::string device_compiler(const std::string& name) {
  for (const std::string folder : {"/usr/local/cuda/bin/", "/usr/bin/"})
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  return "";
}

std::vector<uint32_t> measured_input() {
  std::vector<uint32_t> words(size_t{1} << 20);
  std::srand(1);
  for (uint32_t& word : words) {
    const float x = float(std::rand()) / float(RAND_MAX);
    std::memcpy(&word, &x, sizeof word);
  }
  return words;
}

// A folder that is gone after the test.
class Folder {
 public:
  Folder() : path_(testing::TempDir() + "lockstep-oracle-" + std::to_string(getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// folder: of the modules; empty: those that `make` has built.
int compare_measured(Oracle& oracle, const std::string& folder, const std::string& only) {
  oracle.set_input(measured_input());
  oracle.set_output_words(size_t{1} << 20);
  std::string loaded;
  int launches = 0;
  for (const MeasuredLaunch& m : compare_h200::read_truth("tests/data")) {
    const std::string name = m.module.substr(m.module.rfind('/') + 1);
    if (!only.empty() && name != only) continue;
    const std::string module = folder.empty() ? m.module : folder + name;
    if (module != loaded) oracle.load(module + ".ptx", module + ".cubin");
    loaded = module;
    Launch launch;
    launch.kernel = m.kernel;
    launch.grid = m.grid;
    launch.block = m.block;
    launch.dynamic_shared_bytes = m.shared_bytes;
    const Verdict verdict = oracle.compare(launch, m.argument);
    ++launches;
    EXPECT_EQ(verdict.why_not, "") << m.kernel;
    const auto inexact = kInexact.find(m.kernel);
    if (inexact == kInexact.end()) {
      EXPECT_TRUE(verdict.differences.empty())
          << m.kernel << " " << m.argument << ": " << verdict.differences.size()
          << " words differ, first word " << verdict.differences[0].word << ": " << std::hex
          << verdict.differences[0].of_ptx << " of PTX, " << verdict.differences[0].of_code;
    } else if (inexact->second != 0) {
      for (const Difference& d : verdict.differences)
        EXPECT_LE(ulps(d.of_ptx, d.of_code), inexact->second) << m.kernel;
    }
  }
  return launches;
}

TEST(SassOracle, OfMeasuredLaunchesOutputsAreThoseOfPtx) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  Oracle oracle;
  EXPECT_GE(compare_measured(oracle, "", ""), 900);
}

TEST(SassOracle, OfOtherArchitecturesToo) {
  const std::string nvcc = device_compiler("nvcc"), ptxas = device_compiler("ptxas");
  if (nvcc.empty() || ptxas.empty()) GTEST_SKIP() << "no CUDA toolkit";
  const Folder folder;
  for (const std::string sm : {"80", "86", "89"}) {
    for (const std::string module : {"h200_exam/exam", "h200_unseen/unseen"}) {
      const std::string name = module.substr(module.find('/') + 1), to = folder / name;
      const std::string compile = nvcc + " -std=c++20 -I. -ptx -lineinfo -arch=compute_" + sm +
                                  " -o " + to + ".ptx tests/data/" + module + ".cu && " + ptxas +
                                  " -lineinfo -arch=sm_" + sm + " -o " + to + ".cubin " + to +
                                  ".ptx";
      ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
      Oracle oracle;
      EXPECT_GE(compare_measured(oracle, folder / "", name), 90) << sm;
    }
  }
}

// Of the random kernels one in sixty has an instruction that is not known; that is said, and is no
// disagreement.
constexpr int kRandomKernels = 200;
constexpr uint64_t kFirstSeed = 1;

TEST(SassOracle, RandomKernels) {
  const std::string ptxas = device_compiler("ptxas");
  if (ptxas.empty()) GTEST_SKIP() << "no CUDA toolkit";
  const Folder folder;
  constexpr uint32_t kThreads = 64, kBlocks = 2;
  int unknown = 0;
  for (uint64_t first = kFirstSeed; first < kFirstSeed + kRandomKernels; first += 50) {
    std::vector<RandomKernel> kernels;
    for (uint64_t i = 0; i < 50; ++i) kernels.push_back({first + i});
    const std::string module = folder / "random";
    std::ofstream(module + ".ptx") << random_module(kernels, "sm_90");
    ASSERT_EQ(
        std::system((ptxas + " -arch=sm_90 -o " + module + ".cubin " + module + ".ptx").c_str()),
        0);
    Oracle oracle;
    oracle.load(module + ".ptx", module + ".cubin");
    oracle.set_input(random_input(first, size_t{kThreads} * kBlocks * kRandomWordsIn + 64));
    oracle.set_output_words(size_t{kThreads} * kBlocks * kRandomWordsOut);
    for (size_t i = 0; i < kernels.size(); ++i) {
      Launch launch;
      launch.kernel = "k" + std::to_string(i);
      launch.grid.x = kBlocks;
      launch.block.x = kThreads;
      const Verdict verdict = oracle.compare(launch, static_cast<int32_t>(kernels[i].seed % 9));
      const bool not_known = verdict.why_not.find("not known") != std::string::npos;
      unknown += not_known;
      if (not_known) continue;
      EXPECT_EQ(verdict.why_not, "") << "seed " << kernels[i].seed;
      EXPECT_TRUE(verdict.differences.empty()) << "seed " << kernels[i].seed;
    }
  }
  EXPECT_LE(unknown, kRandomKernels / 40);
}

}  // namespace
}  // namespace lockstep::emulator
