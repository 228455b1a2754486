// SPDX-License-Identifier: Apache-2.0
// What lies in the shared folder of a class that a cluster grades: terms, submissions, who works on
// which, results, and what nodes say of themselves. docs/slurm.md describes the files. Nothing in
// it is changed once it is there, but what the front takes away.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/cluster/shared_folder.h"
#include "grader/session.h"

namespace lockstep::grader {

// How all nodes are to grade; the same for all of a sitting.
struct Terms {
  std::string homework, rubric;  // the rubric's real path; empty: the homework's
  std::string backend, profile;
  std::string compiler, arch;  // "13.0.88", "sm_90"
  std::string config_hash;     // what a node's session must come to
  std::string results;         // the results folder's real path: whose sitting it is
  bool weak_sandbox = false, middle_sandbox = false;
  int jobs = 1;  // submissions at one time in a task
  SharedDraws draws;
};

// One task of a job array, in one of its lives: Slurm may start it anew on another node.
struct Holder {
  std::string task;  // "12_3": array and index
  int life = 0;      // how often it was started anew
  std::string node;
};

// That somebody works on a submission. What ends without a result is released, and the next claim
// has the next number: claims are only added, so nobody can take away another's.
struct Claim {
  std::string item;
  int number = 1;
  Holder holder;
  bool released = false;
};

struct WorkItem {
  std::string id;
  StagedSubmission staged;
};

// What a task found where it was started.
struct NodeReport {
  std::string node, task;
  bool fit = false;
  std::string problem;  // of one that is not, a line or more
  std::string device, driver;
};

class Sitting {
 public:
  explicit Sitting(const std::string& path) : folder_(path, false) {}
  // A new one below `shared`, which is made if need be.
  static Sitting make(const std::string& shared, const Terms& terms);
  // Those below `shared` of a homework, backend and results folder; what is no sitting is passed
  // over.
  static std::vector<std::string> find(const std::string& shared, const Terms& like);

  const std::string& path() const { return folder_.shown(); }
  std::string name() const;  // "hw02-3f0c..."
  Terms terms() const;       // throws Error where there are none

  static std::string id_of(const StagedSubmission& staged);
  void publish(const StagedSubmission& staged) const;
  std::set<std::string> items() const;
  // The last of each submission's claims, by its id.
  std::map<std::string, Claim> claims() const;
  // One that nobody works on and that has no result, now this holder's; nothing where there is
  // none. `turn`: where to begin to look.
  std::optional<WorkItem> claim(const Holder& holder, size_t turn) const;
  void release(const Claim& claim) const;
  // False: there is one already.
  bool put_result(const std::string& id, const std::string& bytes) const;
  std::set<std::string> results() const;
  std::optional<std::string> result(const std::string& id) const;
  // Takes a submission and all about it away.
  void withdraw(const std::string& id) const;

  // The solution on a draw: the first that is there counts.
  Reference reference(size_t draw, uint64_t seed, const std::function<Reference()>& measure) const;

  void report(const NodeReport& report, const Holder& holder) const;
  std::vector<NodeReport> reports() const;
  // Times of a task as it tells them, by task and life.
  void put_times(const Holder& holder, const std::string& json) const;
  std::vector<std::string> times() const;

 private:
  SharedFolder folder_;
};

// What a session of the front grades by, with results in a folder that is there.
Terms terms_of(const GradingSession& session, const std::string& results, int jobs);
// The session of a node, which is to come to the same.
SessionOptions session_options(const Terms& terms);

}  // namespace lockstep::grader
