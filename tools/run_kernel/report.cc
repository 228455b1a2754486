// SPDX-License-Identifier: Apache-2.0
// Printing a run: see report.h.
#include "tools/run_kernel/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/backend/metric_names.h"
#include "common/base/text.h"

namespace lockstep::run_kernel {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownElements = 8;

std::string shape(const Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

// Counts are whole numbers but for percentages.
std::string value_text(double value) {
  if (value == static_cast<double>(static_cast<int64_t>(value))) {
    return fmt::format("{}", static_cast<int64_t>(value));
  }
  return fmt::format("{:.2f}", value);
}

Json value_json(double value) {
  if (value == static_cast<double>(static_cast<int64_t>(value))) {
    return static_cast<int64_t>(value);
  }
  return value;
}

Json counts_json(const std::map<std::string, Count>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) {
    json[name] = {{"value", value_json(count.value)}, {"tier", to_string(count.tier)}};
  }
  return json;
}

Json dimensions(const Dim3& d) { return Json::array({d.x, d.y, d.z}); }

// Metrics that any line has, in the order of the standard ones.
std::vector<std::string> line_columns(const std::vector<LineCounts>& lines) {
  std::vector<std::string> columns;
  for (const std::string& metric : standard_metrics()) {
    if (std::any_of(lines.begin(), lines.end(), [&](const LineCounts& line) {
          auto found = line.counts.find(metric);
          return found != line.counts.end() && found->second.value != 0;
        })) {
      columns.push_back(metric);
    }
  }
  return columns;
}

std::string lines_text(const std::vector<LineCounts>& lines) {
  if (lines.empty()) return {};
  std::string text = "\ncounts by source line\n";
  const std::vector<std::string> columns = line_columns(lines);
  for (const LineCounts& line : lines) {
    text += fmt::format("  {}:{}\n", printable(line.file), line.line);
    for (const std::string& metric : columns) {
      auto found = line.counts.find(metric);
      if (found == line.counts.end() || found->second.value == 0) continue;
      text += fmt::format("    {:<26} {:>14}\n", metric, value_text(found->second.value));
    }
  }
  return text;
}

std::string outputs_text(const std::vector<Output>& outputs) {
  std::string text;
  for (const Output& output : outputs) {
    text += fmt::format("  argument {}: {} bytes, hash {}, {}:", output.position,
                        output.bytes.size(), hash_text(output.bytes), output.type.name);
    const size_t elements = output.bytes.size() / output.type.bytes;
    for (size_t i = 0; i < std::min(elements, kShownElements); ++i) {
      text += " " + element_text(output.type, output.bytes.data() + i * output.type.bytes);
    }
    text += elements > kShownElements ? " ...\n" : "\n";
  }
  return text.empty() ? text : "\noutputs\n" + text;
}

}  // namespace

std::string hash_text(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
  return fmt::format("{:016x}", hash);
}

std::string text_report(const Options& options, const Result& result) {
  std::string text =
      fmt::format("{}, grid {}, block {}, on {} ({})\n", result.kernel.name, shape(options.grid),
                  shape(options.block), result.device, result.backend);
  if (result.kernel.registers >= 0) {
    text += fmt::format("{} registers a thread, {} bytes of static shared memory a block\n",
                        result.kernel.registers, std::max<int64_t>(result.kernel.shared_bytes, 0));
  }
  if (result.time_us) text += fmt::format("{:.2f} us\n", *result.time_us);
  text += outputs_text(result.outputs) + "\ncounts\n";
  for (const auto& [name, count] : result.counts.values) {
    text +=
        fmt::format("  {:<28} {:>14}  {}\n", name, value_text(count.value), to_string(count.tier));
  }
  if (!result.counts.unavailable.empty()) text += "\nnot available\n";
  for (const auto& [name, reason] : result.counts.unavailable) {
    text += fmt::format("  {}: {}\n", name, reason);
  }
  return text + lines_text(result.counts.lines);
}

std::string json_report(const Options& options, const Result& result) {
  Json json;
  json["kernel"] = result.kernel.name;
  json["backend"] = result.backend;
  json["device"] = result.device;
  json["grid"] = dimensions(options.grid);
  json["block"] = dimensions(options.block);
  if (result.time_us) json["time_us"] = *result.time_us;
  json["counts"] = counts_json(result.counts.values);
  json["unavailable"] = result.counts.unavailable;
  json["lines"] = Json::array();
  for (const LineCounts& line : result.counts.lines) {
    json["lines"].push_back(
        {{"file", line.file}, {"line", line.line}, {"counts", counts_json(line.counts)}});
  }
  json["outputs"] = Json::array();
  for (const Output& output : result.outputs) {
    json["outputs"].push_back({{"argument", output.position},
                               {"bytes", output.bytes.size()},
                               {"fnv1a", hash_text(output.bytes)}});
  }
  json["violations"] = result.violations;
  json["printed"] = result.printed;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_fault(const Options& options, const Backend& backend, const KernelFault& fault,
                       const std::string& printed) {
  Json json;
  json["kernel"] = options.kernel;
  json["backend"] = backend.kind();
  json["device"] = backend.device().name;
  Json& details = json["fault"];
  const FaultPlace& place = fault.place();
  details["kind"] = fault.kind();
  details["message"] = fault.what();
  details["file"] = place.file;
  details["line"] = place.line;
  if (place.has_thread) {
    details["block"] = place.block;
    details["thread"] = place.thread;
  }
  json["printed"] = printed;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::run_kernel
