// SPDX-License-Identifier: Apache-2.0
// The plan file as JSON. See plan_file.h.
#include "common/harness/plan_file.h"

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/harness/plan_json.h"

namespace lockstep {

using nlohmann::json;

json json_of(const PlannedLaunch& launch) {
  json item = {{"kernel", launch.kernel}, {"vectors", launch.vectors},
               {"blocks", launch.blocks}, {"warps", launch.warps},
               {"seed", launch.seed},     {"counters", launch.counters}};
  if (launch.as_shown) item["as_shown"] = true;
  if (const auto& o = launch.opposed) item["opposed"] = {o->kernel, o->instructions, o->line};
  if (const auto& d = launch.drawn) item["drawn"] = {d->blocks, d->from};
  return item;
}

PlannedLaunch planned_launch(const json& item) {
  PlannedLaunch launch = {item.at("kernel").get<std::string>(), item.at("vectors").get<int64_t>(),
                          item.at("blocks").get<int64_t>(),     item.at("warps").get<int>(),
                          item.at("seed").get<uint64_t>(),      item.at("counters").get<bool>(),
                          item.value("as_shown", false)};
  if (const auto o = item.find("opposed"); o != item.end())
    launch.opposed = {o->at(0).get<std::string>(), o->at(1).get<std::vector<uint32_t>>(),
                      o->at(2).get<int>()};
  if (const auto d = item.find("drawn"); d != item.end())
    launch.drawn = {d->at(0).get<uint32_t>(), d->at(1).get<uint64_t>()};
  return launch;
}

namespace {

json json_of(Range range) { return {range.from, range.to}; }
Range range_of(const json& item) { return {item.at(0).get<int64_t>(), item.at(1).get<int64_t>()}; }

PlannedSearch search_of(const json& item) {
  return {item.at("name").get<std::string>(), item.at("kernel").get<std::string>(),
          range_of(item.at("vectors")),       range_of(item.at("blocks")),
          range_of(item.at("warps")),         item.at("seed").get<uint64_t>(),
          item.at("counters").get<bool>()};
}

}  // namespace

Plan read_plan(const std::string& path) {
  constexpr size_t kMostBytes = 64 << 20;
  json file = json::parse(read_file(path, kMostBytes), nullptr, false);
  if (file.is_discarded()) throw Error(path + ": this is not JSON");
  Plan plan;
  try {
    for (const json& item : file.at("launches")) plan.launches.push_back(planned_launch(item));
  } catch (const json::exception& e) {
    throw Error(path + ": launch " + std::to_string(plan.launches.size()) + ": " + e.what());
  }
  try {
    if (file.contains("searches"))
      for (const json& item : file.at("searches")) plan.searches.push_back(search_of(item));
  } catch (const json::exception& e) {
    throw Error(path + ": search " + std::to_string(plan.searches.size()) + ": " + e.what());
  }
  return plan;
}

std::string plan_to_json(const Plan& plan) {
  json launches = json::array(), searches = json::array();
  for (const PlannedLaunch& launch : plan.launches) launches.push_back(json_of(launch));
  for (const PlannedSearch& search : plan.searches)
    searches.push_back({{"name", search.name},
                        {"kernel", search.kernel},
                        {"vectors", json_of(search.vectors)},
                        {"blocks", json_of(search.blocks)},
                        {"warps", json_of(search.warps)},
                        {"seed", search.seed},
                        {"counters", search.counters}});
  return json{{"launches", launches}, {"searches", searches}}.dump();
}

std::string to_json_line(const FoundElsewhere& found) {
  json item = json_of(found.launch);
  item["name"] = found.name;
  return json{{"elsewhere", item}}.dump();
}

std::optional<FoundElsewhere> found_elsewhere(const std::string& line) {
  if (!line.starts_with("{\"elsewhere\":")) return std::nullopt;
  try {
    const json item = json::parse(line).at("elsewhere");
    return FoundElsewhere{item.at("name").get<std::string>(), planned_launch(item)};
  } catch (const json::exception& e) {
    throw Error(std::string("what was found elsewhere: ") + e.what());
  }
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
