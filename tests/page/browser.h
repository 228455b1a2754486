// SPDX-License-Identifier: Apache-2.0
// A real browser without a screen (browser.mjs), for tests of pages.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace lockstep {

inline bool has_browser() {
  static const bool found =
      std::system("command -v chromium >/dev/null 2>&1 && command -v node >/dev/null 2>&1") == 0;
  return found;
}

#define LOCKSTEP_NEEDS_BROWSER() \
  if (!has_browser()) GTEST_SKIP() << "no chromium and node: make/packages.sh ci installs them"

// Where pictures of pages are left, to be looked at.
inline std::string picture(const std::string& name) {
  std::filesystem::create_directories("build/pages");
  return "build/pages/" + name + ".png";
}

struct Browsed {
  nlohmann::json values, console;
};

inline Browsed browse(const std::string& folder, const nlohmann::json& steps) {
  std::ofstream(folder + "/steps.json") << steps.dump();
  FILE* pipe =
      popen(("node tests/page/browser.mjs < '" + folder + "/steps.json' 2>&1").c_str(), "r");
  std::string said;
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) said.append(buffer, n);
  EXPECT_EQ(pclose(pipe), 0) << said;
  const nlohmann::json all = nlohmann::json::parse(said, nullptr, false);
  if (all.is_discarded()) {
    ADD_FAILURE() << said;
    return {};
  }
  return {all.at("values"), all.at("console")};
}

}  // namespace lockstep
