// SPDX-License-Identifier: Apache-2.0
// A whole class on a cluster: the front publishes what has to be graded, sees to it that tasks are
// at work, and merges their results into the one store as they come. Killed at any moment, it goes
// on with what is there; the tasks go on without it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "grader/class_run.h"
#include "grader/cluster/cluster.h"
#include "grader/cluster/sitting.h"

namespace lockstep::grader {

struct FrontOptions {
  std::string shared;  // the folder that this machine and the nodes share
  int tasks = 4;
  int jobs = 1;                         // submissions at one time in each
  double poll_s = 0.5, question_s = 3;  // how often the folder and the cluster are asked
  // The cluster for a sitting.
  std::function<std::unique_ptr<Cluster>(const Sitting&)> cluster;
};

// Grades what has to be, with the events of run_class. Throws Error: kExitCannotRun where no node
// is fit, tasks end without results, or somebody has cancelled the job.
ClassProgress run_on_cluster(const ClassOptions& options, const FrontOptions& front,
                             GradingSession& session, Store& store, const ClassEvents& events);

// What the times that tasks have written come to, in a sentence; empty where there are none.
// `submitted`: when the job was, in seconds since 1970.
std::string times_in_words(const std::vector<std::string>& times, double submitted);

}  // namespace lockstep::grader
