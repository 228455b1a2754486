// SPDX-License-Identifier: Apache-2.0
// Who is in a class, what they are called, and when they handed in.
#include "grader/sqlite_statement.h"
#include "grader/store.h"

namespace lockstep::grader {

void Store::load_submitted(Graded* graded) {
  Statement s(db_,
              "SELECT at, told_by, commit_hash FROM submitted WHERE homework = ? AND identity = ?");
  s.bind(graded->homework).bind_bytes(graded->identity);
  if (!s.step()) return;
  graded->submitted.at = s.text();
  graded->submitted.told_by = s.text();
  graded->submitted.commit = s.text();
}

void Store::set_submitted(const std::string& homework,
                          const std::map<std::string, Submitted>& when) {
  in_transaction([&] {
    Statement s(db_, "INSERT OR REPLACE INTO submitted VALUES (?, ?, ?, ?, ?)");
    for (const auto& [identity, one] : when) {
      s.restart();
      s.bind(homework).bind_bytes(identity).bind(one.at).bind(one.told_by).bind(one.commit).step();
    }
  });
}

std::vector<std::string> Store::identities(const std::string& homework) {
  Statement s(db_, "SELECT DISTINCT identity FROM grading WHERE homework = ?");
  s.bind(homework);
  std::vector<std::string> all;
  while (s.step()) all.push_back(s.bytes());
  return all;
}

void Store::show_as(const std::string& homework, const std::map<std::string, std::string>& names) {
  in_transaction([&] {
    Statement s(db_, "UPDATE grading SET submission = ? WHERE homework = ? AND identity = ?");
    for (const auto& [identity, name] : names) {
      s.restart();
      s.bind(name).bind(homework).bind_bytes(identity).step();
    }
  });
}

void Store::set_members(const std::string& homework,
                        const std::map<std::string, std::string>& names) {
  in_transaction([&] {
    Statement(db_, "DELETE FROM member WHERE homework = ?").bind(homework).step();
    Statement s(db_, "INSERT INTO member VALUES (?, ?, ?)");
    for (const auto& [identity, name] : names) {
      s.restart();
      s.bind(homework).bind_bytes(identity).bind(name).step();
    }
  });
}

std::optional<std::map<std::string, std::string>> Store::members(const std::string& homework) {
  Statement s(db_, "SELECT identity, name FROM member WHERE homework = ?");
  s.bind(homework);
  std::map<std::string, std::string> all;
  while (s.step()) {
    std::string identity = s.bytes();
    all[identity] = s.text();
  }
  return all.empty() ? std::nullopt : std::optional(std::move(all));
}

}  // namespace lockstep::grader
