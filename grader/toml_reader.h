// SPDX-License-Identifier: Apache-2.0
// A TOML table read strictly: every value has the type asked for, every key is asked for, and
// what is wrong is an Error that begins with "FILE:LINE: ".
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::grader {

class TomlTable {
 public:
  TomlTable(const std::string& path, const std::string& where, const toml::table& table)
      : path_(path), where_(where), table_(table) {}

  int line() const { return static_cast<int>(table_.source().begin.line); }
  bool has(const char* key) const { return table_.contains(key); }

  std::string text(const char* key);  // required, and not empty
  std::string text(const char* key, const std::string& otherwise);
  double number(const char* key);
  std::optional<double> maybe_number(const char* key);
  double number(const char* key, double otherwise) { return maybe_number(key).value_or(otherwise); }
  int64_t integer(const char* key, int64_t otherwise, int64_t least, int64_t most);
  bool flag(const char* key, bool otherwise);
  // One of a few words; `otherwise` null: required.
  std::string word(const char* key, const std::vector<std::string>& words, const char* otherwise);
  // A list of texts, or one text.
  std::vector<std::string> texts(const char* key);
  std::vector<int64_t> integers(const char* key, int64_t least, int64_t most);
  // A table of numbers, by any names.
  std::map<std::string, double> numbers(const char* key);
  std::optional<TomlTable> table(const char* key);
  std::vector<TomlTable> tables(const char* key);

  // To be called last: a key that nobody asked for is an error.
  void finish() const;
  [[noreturn]] void fail(const char* key, const std::string& message) const;
  [[noreturn]] void fail(const std::string& message) const;

 private:
  const toml::node* find(const char* key);
  [[noreturn]] void fail_at(const toml::node* node, const std::string& message) const;

  std::string path_;
  std::string where_;
  const toml::table& table_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace lockstep::grader
