// SPDX-License-Identifier: Apache-2.0
// grader task: what a cluster starts on its nodes. It looks whether the node is fit, and then
// grades one submission after another that nobody else works on, each with a result of its own.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/cluster/sitting.h"
#include "grader/commands.h"
#include "grader/executor.h"
#include "grader/report.h"
#include "grader/trial.h"

namespace lockstep::grader {
namespace {

double now_s() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

Holder this_holder() {
  const std::string job = environment("SLURM_ARRAY_JOB_ID");
  const std::string index = environment("SLURM_ARRAY_TASK_ID");
  if (job.empty() || index.empty())
    throw Error("grader task is what grader run --slurm starts on the nodes of a cluster");
  return {job + "_" + index, std::atoi(environment("SLURM_RESTART_COUNT").c_str()),
          environment("SLURMD_NODENAME")};
}

class Task {
 public:
  explicit Task(const std::string& folder)
      : sitting_(folder), terms_(sitting_.terms()), holder_(this_holder()) {
    times_ = {{"node", holder_.node}, {"start", now_s()}, {"items", nlohmann::json::array()}};
  }

  int run() {
    release_of_earlier_lives();
    TemporaryWork work;
    NodeReport report{holder_.node, holder_.task, false, "", "", ""};
    try {
      open_session(work);
      report.fit = true;
      report.device = session_->machine().devices.at(0).name;
      report.driver = session_->machine().driver;
      sitting_.report(report, holder_);
      grade_all(work.path());
    } catch (const Error& e) {
      report.fit = false;
      report.problem = e.what();
      sitting_.report(report, holder_);
      throw;
    }
    return kExitGood;
  }

 private:
  // Slurm starts a task anew when what it was before is gone.
  void release_of_earlier_lives() {
    if (holder_.life == 0) return;
    for (const auto& [item, claim] : sitting_.claims())
      if (!claim.released && claim.holder.task == holder_.task && claim.holder.life < holder_.life)
        sitting_.release(claim);
  }

  // The session that one machine would have, and a small kernel through all of it. Throws Error
  // where the node is not fit.
  void open_session(const TemporaryWork& work) {
    SessionOptions options = session_options(terms_);
    options.shared->reference = [this](size_t draw, const std::function<Reference()>& measure) {
      return sitting_.reference(draw, terms_.draws.seeds.at(draw), measure);
    };
    session_.emplace(options, work.path() + "/work");
    work.open_for(session_->sandbox());
    require_terms();
    try_counting(session_->machine(), session_->tools(), session_->sandbox(),
                 work.path() + "/trial");
    session_->build_reference();
    times_["fit"] = now_s();
  }

  void require_terms() const {
    auto require = [](const char* what, const std::string& here, const std::string& wanted) {
      if (here != wanted)
        throw Error(std::string(what) + " is " + here + " here, and " + wanted +
                        " is what the class is graded with",
                    kExitCannotRun);
    };
    require("the compiler", session_->tools().nvcc_version, terms_.compiler);
    require("the GPU's architecture", session_->tools().arch, terms_.arch);
    if (session_->config_hash() != terms_.config_hash)
      throw Error(
          "the homework's files, the cage or the grader's programs differ from those that "
          "the class is graded with",
          kExitCannotRun);
  }

  void grade_all(const std::string& work) {
    Executor executor(*session_, terms_.jobs);
    std::vector<std::thread> workers;
    for (int worker = 1; worker < terms_.jobs; ++worker)
      workers.emplace_back([&, worker] { grade_some(executor, work, worker); });
    grade_some(executor, work, 0);
    for (std::thread& worker : workers) worker.join();
    if (failure_) std::rethrow_exception(failure_);
  }

  void grade_some(Executor& executor, const std::string& work, int worker) {
    try {
      while (!has_failed()) {
        const double asked = now_s();
        const std::optional<WorkItem> item = sitting_.claim(holder_, turn());
        if (!item) return;
        const double had = now_s();
        const double graded =
            grade_one(executor, *item, work + "/result-" + std::to_string(worker), worker);
        note_times({asked, had, graded, now_s()});
      }
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  // When it was graded.
  double grade_one(Executor& executor, const WorkItem& item, const std::string& folder,
                   int worker) {
    try {
      GradeResult result = executor.grade(item.staged, worker);
      const double graded = now_s();
      result.graded.node = holder_.node;
      sitting_.put_result(item.id, file_of(&result, folder));
      return graded;
    } catch (...) {
      release(item.id);
      throw;
    }
  }

  void release(const std::string& id) {
    const auto claims = sitting_.claims();
    const auto last = claims.find(id);
    if (last != claims.end() && last->second.holder.task == holder_.task &&
        last->second.holder.life == holder_.life)
      sitting_.release(last->second);
  }

  // A file of results with this one in it.
  static std::string file_of(GradeResult* result, const std::string& folder) {
    {
      Store store(folder);
      store.add(&result->graded, result->plan, result->records, result->solution);
      store.write_copy(folder + "/copy.db");
    }
    std::string bytes = read_file(folder + "/copy.db");
    remove_tree(folder);
    return bytes;
  }

  // Tasks begin at different submissions, so that they seldom want the same one.
  size_t turn() const {
    return static_cast<size_t>(std::atoi(environment("SLURM_ARRAY_TASK_ID").c_str())) * 7919;
  }
  bool has_failed() {
    std::lock_guard lock(mutex_);
    return failure_ != nullptr;
  }

  void note_times(const std::vector<double>& times) {
    std::lock_guard lock(mutex_);
    times_["items"].push_back(times);
    sitting_.put_times(holder_, times_.dump());
  }

  const Sitting sitting_;
  const Terms terms_;
  const Holder holder_;
  std::optional<GradingSession> session_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  nlohmann::json times_;
};

// What a node is, for a front that has no card of its own.
int tell_machine(const CommandOptions& options) {
  const Toolchain tools = find_toolchain(find_top());
  const Sandbox sandbox({tools.bwrap, tools.runner, tools.cuda}, options.session.least_strength());
  const Machine found =
      probe_machine(options.session.backend, options.session.profile, {}, sandbox);
  const DeviceInfo& device = found.devices.at(0);
  std::fputs(json_line({{"backend", found.backend},
                        {"device", device.name},
                        {"cc_major", device.cc_major},
                        {"cc_minor", device.cc_minor},
                        {"driver", found.driver}})
                 .c_str(),
             stdout);
  return kExitGood;
}

}  // namespace

int task_command(const CommandOptions& options) {
  if (options.path == "machine") return tell_machine(options);
  return Task(options.path).run();
}

}  // namespace lockstep::grader
