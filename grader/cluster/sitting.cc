// SPDX-License-Identifier: Apache-2.0
// See sitting.h. Files: terms.json; items/ID; claims/ID.NUMBER and claims/ID.NUMBER.free;
// results/ID; references/DRAW; nodes/TASK.LIFE; times/TASK.LIFE; log/, which Slurm writes.
#include "grader/cluster/sitting.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

constexpr char kFree[] = ".free";

std::string with_life(const Holder& holder) {
  return holder.task + "." + std::to_string(holder.life);
}

json::binary_t binary(const std::string& bytes) {
  return json::binary_t(std::vector<uint8_t>(bytes.begin(), bytes.end()));
}

std::string bytes_of(const json& value) {
  const auto& bytes = value.get_binary();
  return {bytes.begin(), bytes.end()};
}

json to_json(const Terms& t) {
  return {{"homework", t.homework},
          {"rubric", t.rubric},
          {"backend", t.backend},
          {"profile", t.profile},
          {"compiler", t.compiler},
          {"arch", t.arch},
          {"config_hash", t.config_hash},
          {"results", t.results},
          {"weak_sandbox", t.weak_sandbox},
          {"middle_sandbox", t.middle_sandbox},
          {"jobs", t.jobs},
          {"key", std::vector<uint8_t>(t.draws.key.begin(), t.draws.key.end())},
          {"seeds", t.draws.seeds}};
}

Terms terms_from(const json& j) {
  Terms t;
  j.at("homework").get_to(t.homework);
  j.at("rubric").get_to(t.rubric);
  j.at("backend").get_to(t.backend);
  j.at("profile").get_to(t.profile);
  j.at("compiler").get_to(t.compiler);
  j.at("arch").get_to(t.arch);
  j.at("config_hash").get_to(t.config_hash);
  j.at("results").get_to(t.results);
  j.at("weak_sandbox").get_to(t.weak_sandbox);
  j.at("middle_sandbox").get_to(t.middle_sandbox);
  j.at("jobs").get_to(t.jobs);
  const auto key = j.at("key").get<std::vector<uint8_t>>();
  t.draws.key.assign(key.begin(), key.end());
  j.at("seeds").get_to(t.draws.seeds);
  return t;
}

StagedSubmission staged_from(const std::string& bytes) {
  const json j = json::from_cbor(bytes);
  StagedSubmission staged;
  staged.name = bytes_of(j.at("name"));
  staged.path = bytes_of(j.at("path"));
  staged.contents = bytes_of(j.at("contents"));
  staged.hash = bytes_of(j.at("hash"));
  staged.problem = bytes_of(j.at("problem"));
  staged.identity = bytes_of(j.at("identity"));
  staged.file = bytes_of(j.at("file"));
  return staged;
}

// A claim's name, "ID.NUMBER".
std::string name_of(const Claim& claim) {
  return "claims/" + claim.item + "." + std::to_string(claim.number);
}

// The solution's launches and records as lines, each behind its launch.
std::string to_text(const Reference& reference) {
  std::string text;
  for (size_t i = 0; i < reference.records.size(); ++i) {
    const GradedLaunch& one = reference.plan.at(i);
    text += to_json_line(FoundElsewhere{one.run, one.launch}) + "\n" +
            to_json_line(reference.records[i]) + "\n";
  }
  return text;
}

std::optional<Reference> reference_from(const std::string& text, uint64_t seed) {
  Reference reference{seed, true, {}, {}};
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (const auto launch = found_elsewhere(line))
      reference.plan.push_back({launch->name, launch->launch});
    else
      reference.records.push_back(record_from_json_line(line));
  }
  if (reference.records.size() != reference.plan.size()) return std::nullopt;
  return reference;
}

}  // namespace

Sitting Sitting::make(const std::string& shared, const Terms& terms) {
  const SharedFolder above(shared, true);
  const std::string name = terms.homework + "-" + sha256(secret_key()).substr(0, 12);
  const SharedFolder folder(shared + "/" + name, true);
  for (const char* part : {"items", "claims", "results", "references", "nodes", "times", "log"})
    folder.make_folder(part);
  folder.put("terms.json", to_json(terms).dump());
  return Sitting(shared + "/" + name);
}

std::vector<std::string> Sitting::find(const std::string& shared, const Terms& like) {
  std::vector<std::string> found;
  std::error_code error;
  if (!std::filesystem::exists(shared, error)) return found;
  const SharedFolder above(shared, false);
  for (const std::string& name : above.list(".")) {
    try {
      const Terms there = Sitting(shared + "/" + name).terms();
      if (there.homework == like.homework && there.backend == like.backend &&
          there.results == like.results)
        found.push_back(shared + "/" + name);
    } catch (const Error&) {
    }
  }
  return found;
}

std::string Sitting::name() const {
  return std::filesystem::path(folder_.shown()).filename().string();
}

Terms Sitting::terms() const {
  const std::optional<std::string> text = folder_.get("terms.json");
  if (!text) throw Error(folder_.shown() + ": is no sitting of a grader", kExitCannotRun);
  try {
    return terms_from(json::parse(*text));
  } catch (const json::exception&) {
    throw Error(folder_.shown() + "/terms.json: is not as a grader writes it", kExitCannotRun);
  }
}

std::string Sitting::id_of(const StagedSubmission& staged) {
  return sha256(sha256(staged.identity) + sha256(staged.hash)).substr(0, 32);
}

void Sitting::publish(const StagedSubmission& staged) const {
  const json item = {{"name", binary(staged.name)},         {"path", binary(staged.path)},
                     {"contents", binary(staged.contents)}, {"hash", binary(staged.hash)},
                     {"problem", binary(staged.problem)},   {"identity", binary(staged.identity)},
                     {"file", binary(staged.file)}};
  const std::vector<uint8_t> bytes = json::to_cbor(item);
  folder_.put("items/" + id_of(staged), std::string(bytes.begin(), bytes.end()));
}

std::set<std::string> Sitting::items() const {
  const std::vector<std::string> names = folder_.list("items");
  return {names.begin(), names.end()};
}

std::map<std::string, Claim> Sitting::claims() const {
  std::map<std::string, Claim> last;
  std::set<std::string> freed;
  for (const std::string& name : folder_.list("claims")) {
    if (name.ends_with(kFree)) {
      freed.insert(name.substr(0, name.size() - std::string(kFree).size()));
      continue;
    }
    const size_t dot = name.find('.');
    if (dot == std::string::npos) continue;
    const std::string item = name.substr(0, dot);
    const int number = std::atoi(name.c_str() + dot + 1);
    Claim& claim = last[item];
    if (!claim.item.empty() && claim.number > number) continue;
    claim.item = item;
    claim.number = number;
  }
  for (auto& [item, claim] : last) {
    claim.released = freed.contains(item + "." + std::to_string(claim.number));
    const json j = json::parse(folder_.get(name_of(claim)).value_or(""), nullptr, false);
    if (!j.is_object()) continue;
    claim.holder = {j.value("task", ""), j.value("life", 0), j.value("node", "")};
  }
  return last;
}

std::optional<WorkItem> Sitting::claim(const Holder& holder, size_t turn) const {
  const std::vector<std::string> all = folder_.list("items");
  const std::map<std::string, Claim> taken = claims();
  const std::set<std::string> done = results();
  const std::string who =
      json({{"task", holder.task}, {"life", holder.life}, {"node", holder.node}}).dump();
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string& id = all[(i + turn) % all.size()];
    if (done.contains(id)) continue;
    const auto before = taken.find(id);
    if (before != taken.end() && !before->second.released) continue;
    const Claim mine{id, before == taken.end() ? 1 : before->second.number + 1, holder, false};
    if (!folder_.put(name_of(mine), who)) continue;
    // It may have been taken away, or ended, since the folders were read.
    const std::optional<std::string> bytes = folder_.get("items/" + id);
    if (bytes && !folder_.has("results/" + id)) return WorkItem{id, staged_from(*bytes)};
    release(mine);
  }
  return std::nullopt;
}

void Sitting::release(const Claim& claim) const { folder_.put(name_of(claim) + kFree, ""); }

bool Sitting::put_result(const std::string& id, const std::string& bytes) const {
  return folder_.put("results/" + id, bytes);
}

std::set<std::string> Sitting::results() const {
  const std::vector<std::string> names = folder_.list("results");
  return {names.begin(), names.end()};
}

std::optional<std::string> Sitting::result(const std::string& id) const {
  return folder_.get("results/" + id);
}

// The result last: without the item nobody begins it again.
void Sitting::withdraw(const std::string& id) const {
  folder_.remove("items/" + id);
  for (const std::string& name : folder_.list("claims"))
    if (name.rfind(id + ".", 0) == 0) folder_.remove("claims/" + name);
  folder_.remove("results/" + id);
}

Reference Sitting::reference(size_t draw, uint64_t seed,
                             const std::function<Reference()>& measure) const {
  const std::string name = "references/" + std::to_string(draw);
  if (!folder_.has(name)) folder_.put(name, to_text(measure()));
  // What others measured may differ from ours by what a card's counters leave open.
  const std::optional<std::string> text = folder_.get(name);
  const std::optional<Reference> there = text ? reference_from(*text, seed) : std::nullopt;
  if (!there)
    throw Error(folder_.shown() + "/" + name + ": cannot be read as the solution's records",
                kExitCannotRun);
  return *there;
}

void Sitting::report(const NodeReport& r, const Holder& holder) const {
  const json j = {{"node", r.node},       {"task", r.task},     {"fit", r.fit},
                  {"problem", r.problem}, {"device", r.device}, {"driver", r.driver}};
  folder_.replace("nodes/" + with_life(holder),
                  j.dump(-1, ' ', true, json::error_handler_t::replace));
}

std::vector<NodeReport> Sitting::reports() const {
  std::vector<NodeReport> all;
  for (const std::string& name : folder_.list("nodes")) {
    const json j = json::parse(folder_.get("nodes/" + name).value_or(""), nullptr, false);
    if (!j.is_object()) continue;
    all.push_back({j.value("node", ""), j.value("task", ""), j.value("fit", false),
                   j.value("problem", ""), j.value("device", ""), j.value("driver", "")});
  }
  return all;
}

void Sitting::put_times(const Holder& holder, const std::string& text) const {
  folder_.replace("times/" + with_life(holder), text);
}

std::vector<std::string> Sitting::times() const {
  std::vector<std::string> all;
  for (const std::string& name : folder_.list("times"))
    if (const auto text = folder_.get("times/" + name)) all.push_back(*text);
  return all;
}

Terms terms_of(const GradingSession& session, const std::string& results, int jobs) {
  std::error_code error;
  Terms t;
  t.homework = session.rubric().homework;
  t.rubric = std::filesystem::canonical(session.rubric().path, error).string();
  t.backend = session.machine().backend;
  t.profile = session.machine().profile;
  t.compiler = session.tools().nvcc_version;
  t.arch = session.tools().arch;
  t.config_hash = session.config_hash();
  t.results = std::filesystem::canonical(results, error).string();
  t.weak_sandbox = session.sandbox().strength() == Strength::kWeak;
  t.middle_sandbox = session.sandbox().strength() == Strength::kMiddle;
  t.jobs = jobs;
  t.draws = session.secrets();
  return t;
}

SessionOptions session_options(const Terms& terms) {
  SessionOptions options;
  options.homework = terms.homework;
  options.rubric = terms.rubric;
  options.backend = terms.backend;
  options.profile = terms.profile;
  options.weak_sandbox = terms.weak_sandbox;
  options.middle_sandbox = terms.middle_sandbox;
  options.shared = terms.draws;
  return options;
}

}  // namespace lockstep::grader
