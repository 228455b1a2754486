// SPDX-License-Identifier: Apache-2.0
// Which module built with -G is taken for explanations.
#include "common/harness/debug_build.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class DebugBuildFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "lockstep-debug-build-" + std::to_string(getpid());
    fs::create_directories(folder_);
    module_.ptx = folder_ + "/hw99.ptx";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string make(const std::string& name, int seconds_ago) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << "text";
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
    return path;
  }
  std::string folder_;
  ModuleFiles module_;
};

TEST_F(DebugBuildFile, IsTheOneBesideTheModuleAndNoneThatIsOlderThanTheSource) {
  EXPECT_EQ(debug_ptx_beside(module_, "hw99.cu"), "");
  make("hw99.ptx", 50);
  const std::string path = make("hw99-cuda-debug.ptx", 60);
  EXPECT_EQ(debug_ptx_beside(module_, "hw99.cu"), "");  // no source: not older than the module
  make("hw99.cu", 100);
  EXPECT_EQ(debug_ptx_beside(module_, "hw99.cu"), path);
  make("hw99.cu", 10);
  EXPECT_EQ(debug_ptx_beside(module_, "hw99.cu"), "");
  module_.ptx = path;
  EXPECT_EQ(debug_ptx_beside(module_, "hw99.cu"), path);
  module_.ptx.clear();
  EXPECT_EQ(debug_ptx_beside(module_, "hw99.cu"), "");
}

TEST_F(DebugBuildFile, ThatCannotBeLoadedIsNone) {
  EXPECT_EQ(DebugBuild("", nullptr).backend(), nullptr);
  int opened = 0;
  DebugBuild build(make("hw99-cuda-debug.ptx", 0), [&]() -> std::unique_ptr<Backend> {
    opened++;
    throw Error("no emulator");
  });
  EXPECT_EQ(build.backend(), nullptr);
  EXPECT_EQ(build.backend(), nullptr);
  EXPECT_EQ(opened, 1);
}

}  // namespace
}  // namespace lockstep
