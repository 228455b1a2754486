// SPDX-License-Identifier: Apache-2.0
// Secrets, the keyed choice, and the file of recorded values. See draws.h.
#include "grader/draws.h"

#include <sys/random.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "common/base/error.h"
#include "common/harness/metrics.h"
#include "grader/cost_table.h"
#include "grader/judge.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

void fill_secretly(void* to, size_t bytes) {
  if (getrandom(to, bytes, 0) != static_cast<ssize_t>(bytes))
    throw Error("the system gives no random numbers", kExitCannotRun);
}

json parse_file(const std::string& text, const std::string& path) {
  if (text.empty()) return {{"draws", json::array()}};
  json file = json::parse(text, nullptr, false);
  if (!file.is_object() || !file.contains("draws") || !file["draws"].is_array())
    throw Error(path +
                ": expected a JSON object with a list \"draws\", as grader selfcheck --record " +
                "writes it");
  return file;
}

bool is_of(const json& draw, const std::string& backend, const std::string& arch) {
  return draw.value("backend", "") == backend && draw.value("arch", "") == arch;
}

std::set<std::string> recorded_metrics(const Rubric& rubric) {
  std::set<std::string> names;
  for (const CheckRule& check : rubric.checks)
    for (const std::string& metric : metrics_of(check)) names.insert(metric);
  if (rubric.own_shapes) names.insert({metric::kBlocks, metric::kWarpsPerBlock});
  return names;
}

// Whether a recorded launch is the one that the rubric plans there.
bool fits(const json& launch, const GradedLaunch& planned) {
  const PlannedLaunch& p = planned.launch;
  return launch.value("run", "") == planned.run && launch.value("kernel", "") == p.kernel &&
         launch.value("vectors", int64_t{-1}) == p.vectors &&
         launch.value("blocks", int64_t{-1}) == p.blocks && launch.value("warps", -1) == p.warps;
}

// False where the draw is of another rubric.
bool read_draw(const json& draw, const Rubric& rubric, Reference* reference) {
  reference->seed = draw.at("seed").get<uint64_t>();
  reference->known = true;
  reference->plan = plan_solution(rubric, reference->seed);
  const json& launches = draw.at("launches");
  if (launches.size() != reference->plan.size()) return false;
  for (size_t i = 0; i < launches.size(); ++i) {
    if (!fits(launches[i], reference->plan[i])) return false;
    Record record;
    record.kernel = reference->plan[i].launch.kernel;
    record.check.status = "correct";
    for (const auto& [metric, value] : launches[i].at("values").items())
      record.derived[metric] = {value.get<double>(), Tier::kPredicted};
    reference->records.push_back(std::move(record));
  }
  return true;
}

json written_draw(const Rubric& rubric, const std::string& backend, const std::string& arch,
                  const Reference& reference) {
  json launches = json::array();
  for (size_t i = 0; i < reference.plan.size() && i < reference.records.size(); ++i) {
    const PlannedLaunch& p = reference.plan[i].launch;
    json values = json::object();
    std::string why;
    for (const std::string& metric : recorded_metrics(rubric))
      if (auto value = metric_value(reference.records[i], metric, &why))
        values[metric] = std::strtod(format_number(value->value).c_str(), nullptr);
    launches.push_back({{"run", reference.plan[i].run},
                        {"kernel", p.kernel},
                        {"vectors", p.vectors},
                        {"blocks", p.blocks},
                        {"warps", p.warps},
                        {"values", values}});
  }
  return {{"backend", backend}, {"arch", arch}, {"seed", reference.seed}, {"launches", launches}};
}

}  // namespace

std::vector<uint64_t> secret_seeds(size_t count) {
  std::vector<uint64_t> seeds(count);
  fill_secretly(seeds.data(), count * sizeof(uint64_t));
  for (uint64_t& seed : seeds) seed >>= 11;  // 53 bits, which every reader of JSON keeps
  return seeds;
}

std::string secret_key() {
  std::string key(32, '\0');
  fill_secretly(key.data(), key.size());
  return key;
}

size_t draw_of(const std::string& key, const std::string& content_hash, size_t count) {
  std::string digits = hmac_sha256(key, content_hash).substr(0, 15);
  return count == 0 ? 0 : std::strtoull(digits.c_str(), nullptr, 16) % count;
}

std::vector<Reference> read_recorded(const std::string& text, const std::string& path,
                                     const Rubric& rubric, const std::string& backend,
                                     const std::string& arch) {
  std::vector<Reference> references;
  try {
    const json file = parse_file(text, path);
    for (const json& draw : file["draws"]) {
      Reference reference;
      if (is_of(draw, backend, arch) && read_draw(draw, rubric, &reference))
        references.push_back(std::move(reference));
    }
  } catch (const json::exception& e) {
    throw Error(path + ": " + e.what());
  }
  return references;
}

std::string write_recorded(const std::string& text, const std::string& path, const Rubric& rubric,
                           const std::string& backend, const std::string& arch,
                           const std::vector<Reference>& references) {
  json file = parse_file(text, path), draws = json::array();
  for (const json& draw : file["draws"])
    if (!is_of(draw, backend, arch)) draws.push_back(draw);
  for (const Reference& reference : references)
    draws.push_back(written_draw(rubric, backend, arch, reference));
  // A line a launch, so that a change can be read.
  std::string out = "{\"draws\": [";
  const char* comma = "";
  for (json draw : draws) {
    json launches = std::move(draw["launches"]);
    draw.erase("launches");
    std::string head = draw.dump();
    head.pop_back();
    out += std::string(comma) + "\n" + head + ", \"launches\": [";
    const char* between = "";
    for (const json& launch : launches) {
      out += std::string(between) + "\n  " + launch.dump();
      between = ",";
    }
    out += "]}";
    comma = ",";
  }
  return out + "\n]}\n";
}

}  // namespace lockstep::grader
