// SPDX-License-Identifier: Apache-2.0
// Records to JSON lines and back. See record.h and docs/records.md. Reading is strict: every field
// must be there with its type, and there must be no other; what reads it decides about points.
#include "common/harness/record.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxLine = size_t{16} << 20;
constexpr size_t kMaxMismatches = 5;

// JSON has no NaN and no infinity; they travel as text.
Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json count_map(const std::map<std::string, Count>& counts) {
  Json object = Json::object();
  for (const auto& [name, count] : counts)
    object[name] = {{"value", number(count.value)}, {"tier", to_string(count.tier)}};
  return object;
}

template <typename T>
Json or_null(T value) {
  return value < 0 ? Json(nullptr) : Json(value);
}

Json check_object(const CheckResult& check) {
  Json first = Json::array();
  for (const Mismatch& m : check.first)
    first.push_back({{"array", m.array},
                     {"index", m.index},
                     {"expected", number(m.expected)},
                     {"got", number(m.got)}});
  return {{"status", check.status},
          {"checked", check.checked},
          {"errors", check.errors},
          {"first", first},
          {"message", check.message},
          {"quoted", check.quoted.raw()},
          {"seed", check.seed},
          {"repeat", check.repeat},
          {"fault_kind", check.fault_kind},
          {"fault_file", check.fault_file},
          {"fault_line", check.fault_line}};
}

Json launches_array(const std::vector<LaunchShape>& launches) {
  Json array = Json::array();
  for (const LaunchShape& l : launches)
    array.push_back({{"kernel", l.kernel},
                     {"grid", {l.grid.x, l.grid.y, l.grid.z}},
                     {"block", {l.block.x, l.block.y, l.block.z}}});
  return array;
}

Json lines_array(const std::vector<LineCounts>& lines) {
  Json array = Json::array();
  for (const LineCounts& line : lines)
    array.push_back({{"file", line.file}, {"line", line.line}, {"counts", count_map(line.counts)}});
  return array;
}

// Reading. Every accessor names the field in its message.
[[noreturn]] void malformed(const std::string& what) {
  throw Error("not a record: " + printable(what));
}

// An object whose fields are taken one by one; done() objects to those that were not.
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) malformed(where_ + " must be an object");
  }

  const Json& take(const char* name) {
    taken_.insert(name);
    const auto found = object_.find(name);
    if (found == object_.end()) malformed(path(name) + " is missing");
    return *found;
  }
  std::string text(const char* name) {
    const Json& value = take(name);
    if (!value.is_string()) malformed(path(name) + " must be text");
    return value.get<std::string>();
  }
  template <typename T>
  T whole(const char* name) {
    return as_whole<T>(take(name), path(name));
  }
  // -1 stands for null: not known.
  int64_t whole_or_unknown(const char* name, int64_t most) {
    const Json& value = take(name);
    if (value.is_null()) return -1;
    const int64_t known = as_whole<int64_t>(value, path(name));
    if (known < 0 || known > most) malformed(path(name) + " is out of range");
    return known;
  }
  double real(const char* name) { return as_real(take(name), path(name)); }
  Reader object(const char* name) { return Reader(take(name), path(name)); }
  const Json& array(const char* name) {
    const Json& value = take(name);
    if (!value.is_array()) malformed(path(name) + " must be an array");
    return value;
  }
  void done() const {
    for (const auto& [name, value] : object_.items())
      if (!taken_.count(name))
        malformed(path(name) + " is not a field of version " + std::to_string(kRecordVersion));
  }
  const Json& json() const { return object_; }
  std::string path(const std::string& name) const {
    return where_.empty() ? name : where_ + "." + name;
  }

  template <typename T>
  static T as_whole(const Json& value, const std::string& path) {
    if (!value.is_number_integer()) malformed(path + " must be a whole number");
    if (value.is_number_unsigned()) {
      const uint64_t v = value.get<uint64_t>();
      if (v > static_cast<uint64_t>(std::numeric_limits<T>::max()))
        malformed(path + " is too large");
      return static_cast<T>(v);
    }
    const int64_t v = value.get<int64_t>();
    if (std::is_unsigned_v<T> || v < static_cast<int64_t>(std::numeric_limits<T>::min()))
      malformed(path + " is too small");
    return static_cast<T>(v);
  }
  static double as_real(const Json& value, const std::string& path) {
    if (value.is_number()) return value.get<double>();
    if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    malformed(path + " must be a number");
  }

 private:
  const Json& object_;
  std::string where_;
  std::set<std::string> taken_;
};

Tier read_tier(const std::string& text, const std::string& path) {
  for (const Tier tier : {Tier::kMeasured, Tier::kExact, Tier::kPredicted})
    if (text == to_string(tier)) return tier;
  malformed(path + " must be measured, exact or predicted");
}

std::map<std::string, Count> read_counts(const Reader& object) {
  std::map<std::string, Count> counts;
  for (const auto& [name, value] : object.json().items()) {
    Reader entry(value, object.path(name));
    Count count;
    count.value = entry.real("value");
    count.tier = read_tier(entry.text("tier"), entry.path("tier"));
    entry.done();
    counts[name] = count;
  }
  return counts;
}

CheckResult read_check(Reader object) {
  static const std::set<std::string> kStatuses = {
      "correct",        "wrong",         "fault",        "guard",  "input_changed",
      "missing_kernel", "bad_signature", "bad_constant", "not_run"};
  CheckResult check;
  check.status = object.text("status");
  if (!kStatuses.count(check.status)) malformed(object.path("status") + " is none that there is");
  check.checked = object.whole<int64_t>("checked");
  check.errors = object.whole<int64_t>("errors");
  for (const Json& item : object.array("first")) {
    Reader entry(item, object.path("first"));
    Mismatch mismatch;
    mismatch.array = entry.text("array");
    mismatch.index = entry.whole<int64_t>("index");
    mismatch.expected = entry.real("expected");
    mismatch.got = entry.real("got");
    entry.done();
    check.first.push_back(mismatch);
  }
  if (check.first.size() > kMaxMismatches) malformed(object.path("first") + " is too long");
  check.message = object.text("message");
  check.quoted = Quoted(object.text("quoted"));
  check.seed = object.whole<uint64_t>("seed");
  check.repeat = object.text("repeat");
  check.fault_kind = object.text("fault_kind");
  check.fault_file = object.text("fault_file");
  check.fault_line = object.whole<int>("fault_line");
  object.done();
  return check;
}

Dim3 read_dim(Reader* object, const char* name) {
  const Json& array = object->array(name);
  if (array.size() != 3) malformed(object->path(name) + " must have three numbers");
  const auto at = [&](size_t i) {
    return Reader::as_whole<uint32_t>(array[i], object->path(name));
  };
  return Dim3{at(0), at(1), at(2)};
}

void read_identity(Reader* in, Record* record) {
  record->homework = in->text("homework");
  record->kernel = in->text("kernel");
  Reader parameters = in->object("parameters");
  for (const auto& [name, value] : parameters.json().items())
    record->parameters[name] = Reader::as_whole<int64_t>(value, parameters.path(name));
  record->backend = in->text("backend");
  record->device = in->text("device");
  record->driver = in->text("driver");
  record->module_hash = in->text("module_hash");
  record->seed = in->whole<uint64_t>("seed");
  record->input_bytes = in->whole<int64_t>("input_bytes");
  record->elements = in->whole<int64_t>("elements");
  record->grid = read_dim(in, "grid");
  record->block = read_dim(in, "block");
  for (const Json& item : in->array("launches")) {
    Reader entry(item, "launches");
    LaunchShape launch;
    launch.kernel = entry.text("kernel");
    launch.grid = read_dim(&entry, "grid");
    launch.block = read_dim(&entry, "block");
    entry.done();
    record->launches.push_back(std::move(launch));
  }
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  record->registers = static_cast<int>(in->whole_or_unknown("registers", 65536));
  record->shared_bytes = in->whole_or_unknown("shared_bytes", kMost);
  record->local_bytes = in->whole_or_unknown("local_bytes", kMost);
  record->spill_bytes = in->whole_or_unknown("spill_bytes", kMost);
}

void read_counts_of_record(Reader* in, Record* record) {
  record->counts.values = read_counts(in->object("counts"));
  Reader unavailable = in->object("unavailable");
  for (const auto& [name, reason] : unavailable.json().items()) {
    if (!reason.is_string()) malformed(unavailable.path(name) + " must be text");
    record->counts.unavailable[name] = reason.get<std::string>();
  }
  for (const Json& item : in->array("lines")) {
    Reader entry(item, "lines");
    LineCounts line;
    line.file = entry.text("file");
    line.line = entry.whole<int>("line");
    line.counts = read_counts(entry.object("counts"));
    entry.done();
    record->counts.lines.push_back(line);
  }
  record->derived = read_counts(in->object("derived"));
}

}  // namespace

std::string to_json_line(const Record& r) {
  Json parameters = Json::object();
  for (const auto& [name, value] : r.parameters) parameters[name] = value;
  Json unavailable = Json::object();
  for (const auto& [name, reason] : r.counts.unavailable) unavailable[name] = reason;
  const Json object = {
      {"record", kRecordVersion},
      {"homework", r.homework},
      {"kernel", r.kernel},
      {"parameters", parameters},
      {"backend", r.backend},
      {"device", r.device},
      {"driver", r.driver},
      {"module_hash", r.module_hash},
      {"seed", r.seed},
      {"input_bytes", r.input_bytes},
      {"elements", r.elements},
      {"grid", {r.grid.x, r.grid.y, r.grid.z}},
      {"block", {r.block.x, r.block.y, r.block.z}},
      {"launches", launches_array(r.launches)},
      {"registers", or_null(r.registers)},
      {"shared_bytes", or_null(r.shared_bytes)},
      {"local_bytes", or_null(r.local_bytes)},
      {"spill_bytes", or_null(r.spill_bytes)},
      {"check", check_object(r.check)},
      {"time_us", r.time_us ? number(*r.time_us) : Json(nullptr)},
      {"counts", count_map(r.counts.values)},
      {"unavailable", unavailable},
      {"lines", lines_array(r.counts.lines)},
      {"derived", count_map(r.derived)},
  };
  // Text of other people may hold bytes that are no UTF-8.
  return object.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Record record_from_json_line(const std::string& line) {
  if (line.size() > kMaxLine) malformed("the line is longer than 16 MiB");
  Json json;
  try {
    json = Json::parse(line);
  } catch (const Json::exception& error) {
    malformed(error.what());
  }
  Reader in(json, "");
  const int version = in.whole<int>("record");
  if (version != kRecordVersion)
    malformed(fmt::format("version {} instead of {}", version, kRecordVersion));
  Record record;
  read_identity(&in, &record);
  record.check = read_check(in.object("check"));
  const Json& time = in.take("time_us");
  if (!time.is_null()) record.time_us = Reader::as_real(time, "time_us");
  read_counts_of_record(&in, &record);
  in.done();
  return record;
}

}  // namespace lockstep
