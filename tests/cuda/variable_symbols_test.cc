// SPDX-License-Identifier: Apache-2.0
// A cubin's variables, as its symbol table has them. Needs no GPU.
#include "common/cuda/variable_symbols.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/backend/module_files.h"
#include "common/base/error.h"

namespace lockstep::cuda {
namespace {

constexpr char kProbe[] = "build/modules/tests/cuda/kernels/probe.cubin";
constexpr size_t kMost = 64 << 20;

std::string probe() { return read_file(kProbe, kMost); }

const VariableSymbol* find(const std::vector<VariableSymbol>& all, const std::string& part) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const VariableSymbol& v) {
    return v.name.find(part) != std::string::npos;
  });
  return at == all.end() ? nullptr : &*at;
}

TEST(VariableSymbolsTest, OfEveryKindAreFound) {
  const std::vector<VariableSymbol> all = variable_symbols(probe(), kProbe);
  for (const char* name : {"state", "launch_shape", "internal_state", "function_state",
                           "hidden_state", "constant_state"})
    EXPECT_NE(find(all, name), nullptr) << name;
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const VariableSymbol& v) {
    return v.name.find("state") == std::string::npos && v.bytes > 10 && !v.zero;
  })) << "texts of assertions";
}

TEST(VariableSymbolsTest, TellSizeAndWhetherTheyBeginWithZeros) {
  const std::vector<VariableSymbol> all = variable_symbols(probe(), kProbe);
  ASSERT_NE(find(all, "launch_shape"), nullptr);
  EXPECT_EQ(find(all, "launch_shape")->bytes, 8u);
  EXPECT_FALSE(find(all, "launch_shape")->zero);
  ASSERT_NE(find(all, "internal_state"), nullptr);
  EXPECT_EQ(find(all, "internal_state")->bytes, 4u);
  EXPECT_TRUE(find(all, "internal_state")->zero);
  ASSERT_NE(find(all, "constant_state"), nullptr);
  EXPECT_EQ(find(all, "constant_state")->section, ".nv.constant3");
}

TEST(VariableSymbolsTest, LeaveOutSharedMemory) {
  for (const VariableSymbol& v : variable_symbols(probe(), kProbe))
    EXPECT_EQ(v.section.find("shared"), std::string::npos) << v.name;
}

TEST(VariableSymbolsTest, RefuseWhatIsBrokenWhereverItIsCut) {
  const std::string whole = probe();
  for (size_t bytes = 0; bytes < whole.size(); bytes += 1 + bytes / 50) {
    try {
      variable_symbols(whole.substr(0, bytes), "cut.cubin");
      EXPECT_GT(bytes, 1000u);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("cut.cubin: ", 0), 0u);
    }
  }
  EXPECT_THROW(variable_symbols(std::string(4096, '\xff'), "x"), Error);
}

}  // namespace
}  // namespace lockstep::cuda
