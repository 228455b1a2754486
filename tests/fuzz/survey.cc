// SPDX-License-Identifier: Apache-2.0
// Fuzzes the survey of PTX: whatever the module is, what comes is one line of JSON of the form that
// the grader reads, of bounded size. The first byte says which names are looked for.
#include "runner/survey.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

constexpr size_t kMostUses = 4;      // of a name
constexpr size_t kMostPlaces = 32;   // of a use: what was inlined where
constexpr size_t kMostFiles = 2000;  // of a module

const std::vector<std::string> kKernels = {"a", "c", "features", "k"};  // of the corpus
const std::vector<std::string> kNames = {"cp", "tex", "ld.const", "vprintf", "x", ".f"};

// The survey reads a file: one in memory, rewritten for every input.
const std::string& module_path() {
  static const std::string kPath = "/dev/shm/lockstep-survey-" + std::to_string(getpid()) + ".ptx";
  static const bool kRemovedAtExit = std::atexit([] {
                                       unlink(module_path().c_str());
                                       unlink((module_path() + ".part").c_str());
                                     }) == 0;
  (void)kRemovedAtExit;
  return kPath;
}

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void check(const nlohmann::json& said, size_t names) {
  if (said.contains("error")) return require(said.at("error").is_string() && said.size() == 1);
  require(said.at("whole").is_boolean());
  require(said.at("bytes").is_number_integer() && said.at("bytes").get<int64_t>() >= 0);
  require(said.at("files").is_array() && said.at("files").size() <= kMostFiles);
  for (const auto& file : said.at("files")) require(file.is_string());
  require(said.at("uses").is_array());
  size_t of_names = 0;  // besides registers
  for (const auto& use : said.at("uses")) {
    require(use.at("name").is_string() && use.at("at").size() <= kMostPlaces);
    of_names += !use.at("name").get<std::string>().starts_with('%');
    for (const auto& place : use.at("at"))
      require(place.size() == 2 && place[0].is_string() && place[1].is_number_integer());
  }
  require(of_names <= kMostUses * names);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::ofstream(module_path(), std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  std::vector<std::string> names;
  for (size_t i = 0; i < kNames.size(); ++i)
    if ((data[0] >> i & 1) != 0) names.push_back(kNames[i]);
  const std::string part = module_path() + ".part";
  const std::string text = lockstep::survey_ptx(module_path(), kKernels, names, part);
  require(text.find('\n') == std::string::npos);
  const nlohmann::json said = nlohmann::json::parse(text);
  check(said, names.size());
  if (!said.contains("error") && !said.at("whole")) {  // the part is the whole of itself
    nlohmann::json again = nlohmann::json::parse(lockstep::survey_ptx(part, kKernels, names, "/"));
    again["whole"] = false;
    require(again == said);
  }
  return 0;
}
