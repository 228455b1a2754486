// SPDX-License-Identifier: Apache-2.0
// Strict reading of TOML, with the line of whatever is wrong. See toml_reader.h.
#include "grader/toml_reader.h"

#include <cmath>

#include "common/base/error.h"

namespace lockstep::grader {

void TomlTable::fail_at(const toml::node* node, const std::string& message) const {
  uint32_t line = node != nullptr ? node->source().begin.line : table_.source().begin.line;
  throw Error(path_ + ":" + std::to_string(std::max<uint32_t>(line, 1)) + ": " + where_ + message);
}

void TomlTable::fail(const char* key, const std::string& message) const {
  fail_at(table_.get(key), message);
}

void TomlTable::fail(const std::string& message) const { fail_at(nullptr, message); }

const toml::node* TomlTable::find(const char* key) {
  known_.insert(key);
  return table_.get(key);
}

std::string TomlTable::text(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) fail(std::string("'") + key + "' is missing; expected a text");
  return text(key, "");
}

std::string TomlTable::text(const char* key, const std::string& otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  auto value = node->value_exact<std::string>();
  if (!value || value->empty()) fail_at(node, std::string("'") + key + "': expected a text");
  return *value;
}

std::optional<double> TomlTable::maybe_number(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  auto value = node->is_number() ? node->value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value))
    fail_at(node, std::string("'") + key + "': expected a number");
  return *value;
}

double TomlTable::number(const char* key) {
  auto value = maybe_number(key);
  if (!value) fail(std::string("'") + key + "' is missing; expected a number");
  return *value;
}

int64_t TomlTable::integer(const char* key, int64_t otherwise, int64_t least, int64_t most) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  auto value = node->value_exact<int64_t>();
  if (!value || *value < least || *value > most)
    fail_at(node, std::string("'") + key + "': expected a whole number from " +
                      std::to_string(least) + " to " + std::to_string(most));
  return *value;
}

bool TomlTable::flag(const char* key, bool otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  auto value = node->value_exact<bool>();
  if (!value) fail_at(node, std::string("'") + key + "': expected true or false");
  return *value;
}

std::string TomlTable::word(const char* key, const std::vector<std::string>& words,
                            const char* otherwise) {
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "\"" : ", \"") + w + "\"";
  const toml::node* node = find(key);
  if (node == nullptr && otherwise == nullptr)
    fail(std::string("'") + key + "' is missing; expected one of " + all);
  if (node == nullptr) return otherwise;
  auto value = node->value_exact<std::string>();
  for (const std::string& w : words)
    if (value == w) return w;
  fail_at(node, std::string("'") + key + "': expected one of " + all);
}

std::vector<std::string> TomlTable::texts(const char* key) {
  const toml::node* node = find(key);
  std::vector<std::string> list;
  if (node == nullptr) return list;
  std::string expected = std::string("'") + key + "': expected a text or a list of texts";
  if (auto one = node->value_exact<std::string>()) return {*one};
  if (!node->is_array()) fail_at(node, expected);
  for (const toml::node& item : *node->as_array()) {
    auto value = item.value_exact<std::string>();
    if (!value || value->empty()) fail_at(&item, expected);
    list.push_back(*value);
  }
  return list;
}

std::vector<int64_t> TomlTable::integers(const char* key, int64_t least, int64_t most) {
  const toml::node* node = find(key);
  std::vector<int64_t> list;
  if (node == nullptr) return list;
  std::string expected = std::string("'") + key + "': expected whole numbers from " +
                         std::to_string(least) + " to " + std::to_string(most);
  auto add = [&](const toml::node& item) {
    auto value = item.value_exact<int64_t>();
    if (!value || *value < least || *value > most) fail_at(&item, expected);
    list.push_back(*value);
  };
  if (!node->is_array()) {
    add(*node);
  } else {
    for (const toml::node& item : *node->as_array()) add(item);
  }
  return list;
}

std::map<std::string, double> TomlTable::numbers(const char* key) {
  const toml::node* node = find(key);
  std::string expected = std::string("'") + key + "': expected a table { \"name\" = number, ... }";
  if (node == nullptr) fail(expected);
  if (!node->is_table()) fail_at(node, expected);
  std::map<std::string, double> out;
  for (const auto& [name, item] : *node->as_table()) {
    auto value = item.is_number() ? item.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) fail_at(&item, expected);
    out[std::string(name.str())] = *value;
  }
  return out;
}

std::optional<TomlTable> TomlTable::table(const char* key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail_at(node, std::string("'") + key + "': expected a table");
  return TomlTable(path_, std::string("[") + key + "] ", *node->as_table());
}

std::vector<TomlTable> TomlTable::tables(const char* key) {
  const toml::node* node = find(key);
  std::vector<TomlTable> list;
  if (node == nullptr) return list;
  std::string expected =
      std::string("'") + key + "': expected tables, each begun by [[" + key + "]]";
  if (!node->is_array()) fail_at(node, expected);
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_table()) fail_at(&item, expected);
    list.emplace_back(path_, std::string("[[") + key + "]] ", *item.as_table());
  }
  return list;
}

void TomlTable::finish() const {
  for (const auto& [key, node] : table_) {
    if (known_.count(key.str()) > 0) continue;
    std::string all;
    for (const std::string& name : known_) all += (all.empty() ? "" : ", ") + name;
    fail_at(&node, "unknown key '" + std::string(key.str()) + "'; expected one of: " + all);
  }
}

}  // namespace lockstep::grader
