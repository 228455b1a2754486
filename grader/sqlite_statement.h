// SPDX-License-Identifier: Apache-2.0
// A statement of SQLite's as a C++ object, for the store alone.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/error.h"

namespace lockstep::grader {

// A prepared statement; values are bound and columns read in order.
class Statement {
 public:
  Statement(sqlite3* db, const char* sql) : db_(db) {
    if (sqlite3_prepare_v2(db, sql, -1, &s_, nullptr) != SQLITE_OK) fail();
  }
  ~Statement() { sqlite3_finalize(s_); }
  Statement(const Statement&) = delete;

  Statement& bind(const std::string& v) {
    check(sqlite3_bind_text(s_, ++bound_, v.data(), static_cast<int>(v.size()), SQLITE_TRANSIENT));
    return *this;
  }
  Statement& bind_bytes(const std::string& v) {
    check(sqlite3_bind_blob64(s_, ++bound_, v.data(), v.size(), SQLITE_TRANSIENT));
    return *this;
  }
  Statement& bind(int64_t v) {
    check(sqlite3_bind_int64(s_, ++bound_, v));
    return *this;
  }
  Statement& bind(double v) {
    check(sqlite3_bind_double(s_, ++bound_, v));
    return *this;
  }
  Statement& bind(const std::optional<double>& v) {
    if (v) return bind(*v);
    check(sqlite3_bind_null(s_, ++bound_));
    return *this;
  }
  bool step() {
    column_ = 0;
    int got = sqlite3_step(s_);
    if (got == SQLITE_ROW) return true;
    if (got != SQLITE_DONE) fail();
    return false;
  }
  void restart() {
    sqlite3_reset(s_);
    bound_ = 0;
  }
  std::string text() {
    int bytes = sqlite3_column_bytes(s_, column_);
    const auto* p = reinterpret_cast<const char*>(sqlite3_column_text(s_, column_++));
    return p == nullptr ? "" : std::string(p, static_cast<size_t>(bytes));
  }
  std::string bytes() {
    const auto* p = static_cast<const char*>(sqlite3_column_blob(s_, column_));
    const int size = sqlite3_column_bytes(s_, column_++);
    return p == nullptr ? "" : std::string(p, static_cast<size_t>(size));
  }
  int64_t integer() { return sqlite3_column_int64(s_, column_++); }
  double real() { return sqlite3_column_double(s_, column_++); }
  std::optional<double> maybe_real() {
    if (sqlite3_column_type(s_, column_) == SQLITE_NULL) return ++column_, std::nullopt;
    return real();
  }

 private:
  void check(int code) {
    if (code != SQLITE_OK) fail();
  }
  [[noreturn]] void fail() {
    throw Error(std::string("the results cannot be read or written: ") + sqlite3_errmsg(db_),
                kExitCannotRun);
  }
  sqlite3* db_;
  sqlite3_stmt* s_ = nullptr;
  int bound_ = 0, column_ = 0;
};

}  // namespace lockstep::grader
