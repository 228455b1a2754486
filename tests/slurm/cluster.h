// SPDX-License-Identifier: Apache-2.0
// A Slurm of a test's own: slurmctld and four slurmd on this machine, each node with process
// numbers and mounts of its own, so that one can be lost with all that runs on it, or have other
// files. All its files lie in a temporary folder; no service of the system is touched.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runner/process.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {

class SlurmCluster {
 public:
  static constexpr int kNodes = 4;
  // Why there can be none here; empty: there can.
  static std::string missing();

  // `timeout_s`: a node that is silent for so long is taken for lost.
  explicit SlurmCluster(int timeout_s);
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;

  // A node and all that runs on it are gone at once.
  void lose_node(int node);
  // It comes up, with `mounts` (shell commands) in its own view of the files.
  void start_node(int node, const std::string& mounts = "true");
  // Waits until Slurm gives this node work, or so many nodes.
  bool wait_for_node(int node);
  bool wait_for_nodes(int count);

  std::vector<std::string> environment() const;
  // A command to its end, with this cluster's Slurm.
  ProcessResult run(const std::vector<std::string>& command, double wall_s = 240) const;
  // By the shell.
  std::string ask(const std::string& command) const;
  // What its programs say, and how nodes and jobs are.
  std::string log_of_all() const;

 private:
  std::string configuration() const;
  void wait_for_controller() const;

  const int timeout_s_;
  TemporaryFolder folder_;
  std::unique_ptr<ChildProcess> controller_;
  std::map<int, std::unique_ptr<ChildProcess>> nodes_;
};

}  // namespace lockstep::grader
