// SPDX-License-Identifier: Apache-2.0
// Slurm by its commands sbatch, squeue, scancel and srun. Tasks are found by the job's name, which
// is the sitting's: so a front that was killed right after sbatch finds them, too.
#pragma once

#include "grader/cluster/cluster.h"

namespace lockstep::grader {

struct SlurmOptions {
  std::string partition, gres;
  std::vector<std::string> more;  // options of sbatch as they are
  int processors = 1;             // of a task
};

class Slurm : public Cluster {
 public:
  // Throws Error (kExitCannotRun), one line, where there is no Slurm.
  static void require();

  // `name`: the sitting's; `folder`: its path, as the nodes see it, too.
  Slurm(SlurmOptions options, std::string name, std::string folder);
  std::string submit(int tasks, const std::set<std::string>& without) override;
  std::optional<std::vector<ClusterTask>> tasks() override;
  void cancel() override;
  std::string how_to_cancel() const override { return "scancel -n " + name_; }

  // Runs one task at once and waits for it: its standard output. Throws Error.
  static std::string run_one(const SlurmOptions& options, const std::vector<std::string>& command);

 private:
  SlurmOptions options_;
  std::string name_, folder_;
};

}  // namespace lockstep::grader
