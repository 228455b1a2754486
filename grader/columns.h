// SPDX-License-Identifier: Apache-2.0
// A list of JSON objects that are much alike, kept as columns: a tenth of the bytes, and who reads
// some fields of all passes over the others. docs/store.md describes the text.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::grader {

// Nothing is lost: from_columns() gives equal values. What is no object is kept, too.
std::string to_columns(const std::vector<nlohmann::json>& values);
// Throws Error where the text is none of to_columns(), or would be of more than `most` values.
std::vector<nlohmann::json> from_columns(const std::string& text, size_t most);

// One field of a group of values: its JSON pointer as JSON has it in quotes, the places of the
// values in the list, and their cells as JSON text; one cell where all have the same.
struct JsonColumn {
  std::string_view path;
  const std::vector<size_t>& at;
  const std::vector<std::string_view>& cells;
  std::string_view cell(size_t i) const { return cells[cells.size() == 1 ? 0 : i]; }
};
// Calls `use` with each column whose path is `wanted`; gives the number of values. Throws likewise,
// but does not look into what it passes over.
size_t read_columns(const std::string& text, size_t most,
                    const std::function<bool(std::string_view path)>& wanted,
                    const std::function<void(const JsonColumn&)>& use);

}  // namespace lockstep::grader
