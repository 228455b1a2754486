// SPDX-License-Identifier: Apache-2.0
// Where `make` puts the modules of tests/data, and how tests that need one are skipped where no
// toolkit could build it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace lockstep::emulator {

inline std::string test_module(const std::string& name, const std::string& ending) {
  return "build/modules/tests/data/" + name + ending;
}

inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

#define LOCKSTEP_NEEDS_MODULE(name)                                              \
  if (file_bytes(test_module(name, ".cubin")).empty()) {                         \
    GTEST_SKIP() << "no " << test_module(name, ".cubin") << ": no CUDA toolkit"; \
  }

}  // namespace lockstep::emulator
