// SPDX-License-Identifier: Apache-2.0
// What runs a sitting's tasks on other machines. Slurm does (slurm.h); tests have one of their own.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::grader {

struct ClusterTask {
  std::string id;   // as Holder::task, "12_3"
  std::string job;  // "12"
  // "waiting": it is no process now, and may be one again; "working": it may be one; "cancelled":
  // somebody ended it; "ended".
  enum class State { kWaiting, kWorking, kCancelled, kEnded } state = State::kEnded;
  bool is_active() const { return state == State::kWaiting || state == State::kWorking; }
};

class Cluster {
 public:
  virtual ~Cluster() = default;
  // Starts so many tasks, on no node of `without`; gives the job's id. Throws Error with what the
  // cluster says against it.
  virtual std::string submit(int tasks, const std::set<std::string>& without) = 0;
  // The sitting's tasks, as far as the cluster still knows them; nothing: it does not answer.
  virtual std::optional<std::vector<ClusterTask>> tasks() = 0;
  // Ends all tasks of the sitting.
  virtual void cancel() = 0;
  // What a person types for it.
  virtual std::string how_to_cancel() const = 0;
};

}  // namespace lockstep::grader
