// SPDX-License-Identifier: Apache-2.0
// Results on disk: one SQLite file in the results folder, written a submission at a time, so that
// a crash loses nothing that was done. docs/store.md describes the tables, which a version guards.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/harness/record.h"
#include "grader/judge.h"
#include "grader/plan.h"

struct sqlite3;

namespace lockstep::grader {

inline constexpr int kStoreVersion = 10;

// When a submission was handed in, by one who can be believed; all empty where nobody tells.
struct Submitted {
  std::string at;       // "2025-01-31T12:00:00Z"
  std::string told_by;  // "gradescope", "git" ...
  std::string commit;   // of a clone, 40 digits or 64
};

// One grading of one submission.
struct Graded {
  int64_t id = 0;  // set by the store
  std::string homework;
  std::string submission;      // as shown
  std::string identity;        // the bytes of the file's or folder's name: whose it is
  std::string path;            // as shown
  std::string file;            // of the folder or archive there, the one graded, as shown; or empty
  std::string content_hash;    // SHA-256 of the student's file
  std::string source;          // its text, for add() alone: it is not given back
  std::string config_hash;     // what else decides the verdict (configuration.h)
  std::string execution_hash;  // of that, what execution depends on; empty: not known
  std::string execution;       // its parts as JSON, for add() alone
  std::string backend, device, driver, arch;
  std::string compiler;     // "nvcc 13.0.88"
  std::string sandbox;      // "full", "middle", "weak"
  std::string node;         // of a cluster, by the name that Slurm gives it; empty: none
  std::string module_hash;  // SHA-256; empty: no module
  std::string code;         // its machine code (BuildResult::code), for add() alone
  uint64_t seed = 0;
  int64_t draw = 0;  // which of the session's secret draws
  int attempts = 1;
  double build_seconds = 0, run_seconds = 0;
  std::string ended;        // JudgeInput::ended
  int64_t judged_from = 0;  // id of the grading whose launches this one was judged by; 0: its own
  std::string finished_at;  // "2025-01-31T12:00:00Z"
  Submitted submitted;      // of the last run, for its homework and identity; set by the store
  Verdict verdict;
};

// A text of so many bytes as it is kept (packed.h).
struct PackedText {
  int64_t size = 0;
  std::string bytes;
  std::string text() const;
};

// What was launched for a grading, or of the solution for its draw (packed_records.h).
struct StoredLaunches {
  std::string plan;  // hash
  PackedText records, lines;
};

class Store {
 public:
  // Opens or makes FOLDER/results.db; brings one of an earlier version up to this one, in one
  // transaction. Throws Error where it is not ours, of a later version, holds what we did not make,
  // or is in use by another grader; no link of the folder is followed.
  explicit Store(const std::string& folder);
  ~Store();
  Store(const Store&) = delete;

  // The last grading of a submission on a backend.
  std::optional<Graded> latest(const std::string& homework, const std::string& identity,
                               const std::string& backend);
  // The last of every submission, by name as shown.
  std::vector<Graded> all_latest(const std::string& homework, const std::string& backend);
  // Whoever has a grading of a homework: the bytes of their names.
  std::vector<std::string> identities(const std::string& homework);
  // By identity: how all gradings of it are shown from now on. In one transaction.
  void show_as(const std::string& homework, const std::map<std::string, std::string>& names);
  // Who is in the class, graded or not: names as shown, by identity. In one transaction.
  void set_members(const std::string& homework, const std::map<std::string, std::string>& names);
  // nullopt where no class was told of.
  std::optional<std::map<std::string, std::string>> members(const std::string& homework);
  // When those of the class that is there handed in, by identity; the others are as they were.
  void set_submitted(const std::string& homework, const std::map<std::string, Submitted>& when);
  // The backends that a homework has gradings of.
  std::vector<std::string> backends(const std::string& homework);
  // In one transaction; sets graded->id. `solution`: on the same draw, where it has records; kept
  // once a draw.
  void add(Graded* graded, const std::vector<GradedLaunch>& plan,
           const std::vector<Record>& records, const Reference& solution = {});
  // All of them in one transaction: gradings that were judged anew from the launches of others.
  void add_judged(std::vector<Graded>* gradings);
  // All of it to a file of its own, which must not be there: whole once this has returned.
  void write_copy(const std::string& file);
  // Adds the grading that such a file holds, in one transaction, as if it had been made here.
  // `wanted`: homework, identity, backend and hashes that it must have, and the name to be shown.
  // Throws Error where it has others, or is no file of results.
  Graded take_over(const std::string& file, const Graded& wanted);
  std::string path() const { return path_; }

  // What it was judged by (store_launches.cc); nothing where there were no launches.
  std::optional<StoredLaunches> launches_of(const Graded& graded);
  std::optional<StoredLaunches> solution_launches(const Graded& graded);
  // Throws Error where there is no plan of this hash, or it has no launches to compare.
  std::vector<GradedLaunch> plan_of(const std::string& hash);
  // The parts of an execution_hash, as JSON; nothing where it is not known.
  std::optional<std::string> execution_of(const std::string& hash);

  // What pages show besides (store_kept.cc).
  // The text that was graded; nothing where none was kept.
  std::optional<std::string> source_of(const Graded& graded);
  // Its machine code as JSON (common/backend/machine_code.h); likewise.
  std::optional<std::string> code_of(const std::string& module_hash);
  // The counts by line of its launches, by kernel, as JSON: docs/store.md; likewise.
  std::optional<std::string> by_line_of(const Graded& graded);
  // The records that it was judged by, without lines; those of another version are left out.
  std::vector<Record> records_of(const Graded& graded);
  // Of the solution, on the same draw.
  std::vector<Record> solution_of(const Graded& graded);
  // What students of that configuration are given: its module and code.
  void add_given(const std::string& config_hash, const std::string& module_hash,
                 const std::string& code);
  // Its module_hash.
  std::optional<std::string> given_of(const std::string& config_hash);

 private:
  void open_database(const std::string& real_path);
  void close_all();
  void execute(const char* sql);
  void create_or_migrate();
  void in_transaction(const std::function<void()>& change);
  void load_checks(Graded* graded);
  void load_submitted(Graded* graded);
  bool has_incoming(int64_t id);
  void copy_incoming(const Graded& wanted);
  int64_t add_row(const Graded& graded);
  void add_source(const Graded& graded);
  void add_code(const std::string& module_hash, const std::string& code);
  void add_execution(const Graded& graded);
  std::string add_plan(const std::vector<GradedLaunch>& plan);
  void add_launches(const Graded& graded, const std::vector<GradedLaunch>& plan,
                    const std::vector<Record>& records);
  void add_solution(const Graded& graded, const Reference& solution);
  void add_checks(const Graded& graded);
  void copy_given(const Graded& graded);
  void make_small();

  std::string path_;
  int lock_ = -1;
  sqlite3* db_ = nullptr;
};

std::string utc_now();

}  // namespace lockstep::grader
