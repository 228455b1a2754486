// SPDX-License-Identifier: Apache-2.0
// The plan file as JSON. See plan_file.h.
#include "common/harness/plan_file.h"

#include <nlohmann/json.hpp>

#include "common/backend/module_files.h"
#include "common/base/error.h"

namespace lockstep {

using nlohmann::json;

std::vector<PlannedLaunch> read_plan(const std::string& path) {
  constexpr size_t kMostBytes = 64 << 20;
  json file = json::parse(read_file(path, kMostBytes), nullptr, false);
  if (file.is_discarded()) throw Error(path + ": this is not JSON");
  std::vector<PlannedLaunch> launches;
  try {
    for (const json& item : file.at("launches")) {
      PlannedLaunch launch;
      launch.kernel = item.at("kernel").get<std::string>();
      launch.vectors = item.at("vectors").get<int64_t>();
      launch.blocks = item.at("blocks").get<int64_t>();
      launch.warps = item.at("warps").get<int>();
      launch.seed = item.at("seed").get<uint64_t>();
      launch.counters = item.at("counters").get<bool>();
      launches.push_back(launch);
    }
  } catch (const json::exception& e) {
    throw Error(path + ": launch " + std::to_string(launches.size()) + ": " + e.what());
  }
  return launches;
}

std::string plan_to_json(const std::vector<PlannedLaunch>& launches) {
  json list = json::array();
  for (const PlannedLaunch& launch : launches)
    list.push_back({{"kernel", launch.kernel},
                    {"vectors", launch.vectors},
                    {"blocks", launch.blocks},
                    {"warps", launch.warps},
                    {"seed", launch.seed},
                    {"counters", launch.counters}});
  return json{{"launches", list}}.dump();
}

uint64_t seed_of_pass(uint64_t seed, uint64_t pass) {
  if (pass == 0) return seed;
  // splitmix64's finisher: neighbours in, unrelated numbers out.
  uint64_t z = seed + pass * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

uint64_t seed_of_text(uint64_t seed, const std::string& text) {
  for (const char c : text) seed = seed_of_pass(seed + static_cast<uint8_t>(c), 1);
  return seed;
}

}  // namespace lockstep
