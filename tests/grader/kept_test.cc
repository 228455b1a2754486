// SPDX-License-Identifier: Apache-2.0
// What is kept comes back as it was, or is not kept: damaged, grown, cut or unreadable files of
// build/reference/ cost a compilation and nothing else.
#include "grader/kept.h"

#include <gtest/gtest.h>

#include "common/backend/module_files.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

TEST(Kept, ATextComesBackOrIsNotKept) {
  TemporaryFolder t;
  const std::string path = t.path("a/nvcc-1");
  EXPECT_FALSE(kept_text(path).has_value());
  keep_text(path, "#$ cicc\nmore");
  EXPECT_EQ(kept_text(path), "#$ cicc\nmore");
  const std::string whole = read_file(path);
  for (const std::string& other :
       {whole + "x", whole.substr(0, whole.size() - 1), std::string(), std::string("\n"),
        whole.substr(0, 64), whole + std::string(2 << 20, 'x'), std::string(3 << 20, '\0')}) {
    t.write("a/nvcc-1", other);
    EXPECT_FALSE(kept_text(path).has_value()) << other.size();
  }
  keep_text(path, "new");
  EXPECT_EQ(kept_text(path), "new");
}

TEST(Kept, WhatCannotBeReadIsNotKept) {
  TemporaryFolder t;
  std::filesystem::create_directories(t.path("folder"));
  std::filesystem::create_symlink("itself", t.path("itself"));
  EXPECT_FALSE(kept_text(t.path("folder")).has_value());
  EXPECT_FALSE(kept_text(t.path("itself")).has_value());
  // Too large to be read again: it is made anew each time.
  keep_text(t.path("large"), std::string(2 << 20, 'x'));
  EXPECT_FALSE(kept_text(t.path("large")).has_value());
  // No place to keep anything.
  t.write("file", "");
  keep_text(t.path("file/nvcc"), "text");
  EXPECT_FALSE(kept_text(t.path("file/nvcc")).has_value());
}

TEST(Kept, AModuleIsWholeOrNotKept) {
  TemporaryFolder t;
  t.write("made/hw02.ptx", "ptx");
  t.write("made/hw02.cubin", "cubin");
  const ModuleFiles made{t.path("made/hw02.ptx"), t.path("made/hw02.cubin")};
  const std::string folder = t.path("reference/hw02-1");
  for (const char* file : {"hw02.ptx", "hw02.cubin", "hash"}) {
    const std::string path = "reference/hw02-1/" + std::string(file);
    for (const size_t size : {size_t{0}, size_t{3}, size_t{2} << 20, size_t{65} << 20}) {
      keep_module(made, folder, "hw02");
      EXPECT_EQ(kept_module(folder, "hw02"), folder + "/hw02.ptx");
      std::filesystem::resize_file(t.path(path), size == 3 ? 1 : size);
      EXPECT_FALSE(kept_module(folder, "hw02").has_value()) << file << size;
    }
    std::filesystem::remove(t.path(path));
    EXPECT_FALSE(kept_module(folder, "hw02").has_value()) << file;
  }
  keep_module({t.path("made/none.ptx"), made.cubin}, folder, "hw02");
  EXPECT_FALSE(kept_module(folder, "hw02").has_value());
}

}  // namespace
}  // namespace lockstep::grader
