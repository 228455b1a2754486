// SPDX-License-Identifier: Apache-2.0
#include "common/backend/machine_code.h"

#include <nlohmann/json.hpp>

#include "common/base/error.h"

namespace lockstep {
namespace {

using nlohmann::json;

json places_json(const std::vector<MachineFunction::Place>& places) {
  json runs = json::array();
  for (size_t i = 0; i < places.size();) {
    size_t end = i;
    while (end < places.size() && places[end].file == places[i].file &&
           places[end].line == places[i].line)
      ++end;
    runs.push_back({places[i].file, places[i].line, end - i});
    i = end;
  }
  return runs;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

MachineFunction function_of(const json& value, size_t files) {
  MachineFunction function;
  function.name = value.at("name").get<std::string>();
  function.first = value.at("first").get<uint64_t>();
  function.code = lines_of(value.at("code").get_ref<const std::string&>());
  for (const json& run : value.at("places")) {
    const MachineFunction::Place place{run.at(0).get<size_t>(), run.at(1).get<uint32_t>()};
    const size_t count = run.at(2).get<size_t>();
    if ((place.line != 0 && place.file >= files) ||
        count > function.code.size() - function.places.size())
      throw Error("machine code with places that are none");
    function.places.insert(function.places.end(), count, place);
  }
  if (function.places.size() != function.code.size())
    throw Error("machine code with instructions that have no place");
  return function;
}

}  // namespace

std::string to_json(const MachineCode& code) {
  json functions = json::array();
  for (const MachineFunction& function : code.functions) {
    std::string text;
    for (const std::string& instruction : function.code) text += instruction + "\n";
    functions.push_back({{"name", function.name},
                         {"first", function.first},
                         {"code", text},
                         {"places", places_json(function.places)}});
  }
  const json all = {{"sm", code.sm}, {"files", code.files}, {"functions", functions}};
  return all.dump(-1, ' ', true, json::error_handler_t::replace);
}

MachineCode machine_code_from_json(const std::string& text) {
  try {
    const json all = json::parse(text);
    MachineCode code;
    code.sm = all.at("sm").get<int>();
    code.files = all.at("files").get<std::vector<std::string>>();
    for (const json& function : all.at("functions"))
      code.functions.push_back(function_of(function, code.files.size()));
    return code;
  } catch (const json::exception& e) {
    throw Error(std::string("machine code that cannot be read: ") + e.what());
  }
}

}  // namespace lockstep
