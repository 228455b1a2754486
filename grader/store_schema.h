// SPDX-License-Identifier: Apache-2.0
// The tables of results.db, and how an earlier version becomes the present one. docs/store.md
// describes them. A new version is one more step in store_schema.cc.
#pragma once

#include <string>

struct sqlite3;

namespace lockstep::grader {

// What is wrong with the file, which may be of an earlier version than `version`; "" where nothing
// is.
std::string problem_with(sqlite3* db, int version);
// Makes the tables where there are none, or takes the steps that they lack, inside of the caller's
// transaction. What is wrong with the file; "" where nothing is. Throws Error on a failure.
std::string bring_to_version(sqlite3* db, int version);

}  // namespace lockstep::grader
