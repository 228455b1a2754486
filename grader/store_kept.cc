// SPDX-License-Identifier: Apache-2.0
// What the store keeps for pages: source, machine code and what was given.
#include "common/base/error.h"
#include "grader/packed.h"
#include "grader/sqlite_statement.h"
#include "grader/store.h"

namespace lockstep::grader {
namespace {

std::optional<std::string> maybe_unpacked(Statement& s) {
  if (!s.step()) return std::nullopt;
  const int64_t size = s.integer();
  return unpacked(s.bytes(), size);
}

}  // namespace

void Store::add_code(const std::string& module_hash, const std::string& code) {
  if (module_hash.empty() || code.empty()) return;
  Statement s(db_, "INSERT OR IGNORE INTO code VALUES (?, ?, ?)");
  s.bind(module_hash).bind(static_cast<int64_t>(code.size())).bind_bytes(packed(code)).step();
}

std::optional<std::string> Store::source_of(const Graded& graded) {
  Statement s(db_, "SELECT text FROM source WHERE content_hash = ?");
  s.bind(graded.content_hash);
  if (!s.step()) return std::nullopt;
  return s.bytes();
}

std::optional<std::string> Store::code_of(const std::string& module_hash) {
  Statement s(db_, "SELECT size, json FROM code WHERE module_hash = ?");
  s.bind(module_hash);
  return maybe_unpacked(s);
}

void Store::add_given(const std::string& config_hash, const std::string& module_hash,
                      const std::string& code) {
  in_transaction([&] {
    add_code(module_hash, code);
    Statement s(db_, "INSERT OR REPLACE INTO given VALUES (?, ?)");
    s.bind(config_hash).bind(module_hash).step();
  });
}

void Store::copy_given(const Graded& graded) {
  Statement s(db_,
              "INSERT OR IGNORE INTO given SELECT ?, given.module_hash FROM given JOIN grading "
              "USING (config_hash) WHERE grading.id = ?");
  s.bind(graded.config_hash).bind(graded.judged_from).step();
}

std::optional<std::string> Store::given_of(const std::string& config_hash) {
  Statement s(db_, "SELECT module_hash FROM given WHERE config_hash = ?");
  s.bind(config_hash);
  if (!s.step()) return std::nullopt;
  return s.text();
}

}  // namespace lockstep::grader
