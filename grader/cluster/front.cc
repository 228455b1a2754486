// SPDX-License-Identifier: Apache-2.0
// See front.h. Who is dead, Slurm says: a claim is released when its task is none that may be a
// process now, as asked after the claim was read.
#include "grader/cluster/front.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
#include "grader/whole_file.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

constexpr int kMostLives = 3;   // of a submission whose tasks die
constexpr int kMostRounds = 5;  // of submitting without any result

double now_s() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

std::string plural(size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

class Front {
 public:
  Front(const ClassOptions& options, const FrontOptions& front, GradingSession& session,
        Store& store, const ClassEvents& events)
      : options_(options), front_(front), session_(session), store_(store), events_(events) {}

  ClassProgress run() {
    start_ = monotonic_seconds();
    const std::vector<SubmissionEntry> entries =
        list_class(options_, session_.rubric(), store_, events_);
    progress_.total = entries.size();
    for (const SubmissionEntry& entry : entries) progress_.identities.insert(entry.identity);
    open_sitting();
    for (const SubmissionEntry& entry : entries) publish(entry);
    remove_tree(options_.results + "/unpacked");
    drop_what_is_not_wanted();
    if (!wanted_.empty()) {
      begin();
      while (!wanted_.empty()) step();
      cluster_->cancel();
      note(times_in_words(sitting_->times(), submitted_));
    }
    close_sitting();
    progress_.seconds = monotonic_seconds() - start_;
    return progress_;
  }

 private:
  // What has to be graded: the entry, what it was before, and how many of its claims were known
  // when this front began.
  struct Wanted {
    SubmissionEntry entry;
    std::string content_hash;
    std::optional<Graded> before;
    int claims_before = 0;
  };

  void note(const std::string& text) const {
    if (!text.empty() && events_.note) events_.note(text);
  }

  // The sitting that goes on, or a new one. What was begun under other terms is of no use.
  void open_sitting() {
    const Terms now = terms_of(session_, options_.results, front_.jobs);
    for (const std::string& path : Sitting::find(front_.shared, now)) {
      Sitting found(path);
      const Terms then = found.terms();
      if (!sitting_ && then.config_hash == now.config_hash) {
        sitting_.emplace(std::move(found));
      } else {
        front_.cluster(found)->cancel();
        remove_tree(path);
      }
    }
    if (!sitting_) sitting_.emplace(Sitting::make(front_.shared, now));
    cluster_ = front_.cluster(*sitting_);
    there_ = sitting_->items();
    claims_ = sitting_->claims();
  }

  void close_sitting() {
    const std::string path = sitting_->path();
    sitting_.reset();
    remove_tree(path);
  }

  void publish(const SubmissionEntry& entry) {
    StagedSubmission staged;
    try {
      if (std::string why = unreadable(entry, session_.rubric().file, &staged); !why.empty())
        return keep_ungraded(entry, why, std::nullopt);
    } catch (const std::bad_alloc&) {
      return keep_ungraded(entry, "there is not enough memory here to grade it", std::nullopt);
    }
    std::optional<Graded> before =
        store_.latest(session_.rubric().homework, staged.identity, session_.machine().backend);
    if (before && !options_.regrade && is_unchanged(*before, staged, session_)) {
      ++progress_.unchanged;
      --progress_.total;
      if (events_.unchanged) events_.unchanged(*before);
      return;
    }
    const std::string id = Sitting::id_of(staged);
    if (!there_.contains(id)) sitting_->publish(staged);
    const auto claim = claims_.find(id);
    wanted_[id] = {entry, staged.hash, std::move(before),
                   claim == claims_.end() ? 0 : claim->second.number};
  }

  void drop_what_is_not_wanted() const {
    for (const std::string& id : there_)
      if (!wanted_.contains(id)) sitting_->withdraw(id);
  }

  // Tasks that are at work already go on.
  void begin() {
    merge();
    if (wanted_.empty()) return;
    size_t active = 0;
    for (const ClusterTask& task : ask()) {
      if (task.is_active())
        ++active;
      else
        old_.insert(task.id);
    }
    if (active > 0)
      note(plural(active, "task") + " of before at work (" + cluster_->how_to_cancel() +
           " ends them)");
    else
      submit(front_.tasks);
  }

  void submit(int tasks) {
    const int most = static_cast<int>(std::min(wanted_.size(), size_t{1000}));
    tasks = std::min(tasks, (most + front_.jobs - 1) / front_.jobs);
    submitted_ = now_s();
    const std::string job = cluster_->submit(tasks, bad_);
    note("job " + job + " of " + plural(static_cast<size_t>(tasks), "task") +
         "; it goes on when this command is stopped, and the same command with it; " +
         cluster_->how_to_cancel() + " ends it");
  }

  void step() {
    std::this_thread::sleep_for(std::chrono::duration<double>(front_.poll_s));
    merge();
    tell_bad_nodes();
    if (wanted_.empty() || monotonic_seconds() < next_question_) return;
    next_question_ = monotonic_seconds() + front_.question_s;
    // In this order: who has a claim was alive then, and what is none now is dead.
    const std::map<std::string, Claim> claims = sitting_->claims();
    const std::vector<ClusterTask> tasks = ask();
    release_claims_of_the_dead(claims, tasks);
    see_to_tasks(tasks);
  }

  std::vector<ClusterTask> ask() {
    for (int attempt = 1;; ++attempt) {
      if (auto tasks = cluster_->tasks()) return *tasks;
      if (attempt == 1) note("the cluster does not answer; it is asked again every few seconds");
      std::this_thread::sleep_for(std::chrono::duration<double>(front_.question_s));
      merge();
    }
  }

  void release_claims_of_the_dead(const std::map<std::string, Claim>& claims,
                                  const std::vector<ClusterTask>& tasks) {
    std::set<std::string> working;
    for (const ClusterTask& task : tasks)
      if (task.state == ClusterTask::State::kWorking) working.insert(task.id);
    // A task that has ended since may have ended well.
    const std::set<std::string> done = sitting_->results();
    for (const auto& [item, claim] : claims) {
      const auto found = wanted_.find(item);
      if (found == wanted_.end() || done.contains(item)) continue;
      if (!claim.released) {
        if (working.contains(claim.holder.task)) continue;
        sitting_->release(claim);
        ++dead_;
      }
      if (claim.number - found->second.claims_before < kMostLives) continue;
      const Wanted lost = std::move(found->second);
      wanted_.erase(found);
      sitting_->withdraw(item);
      keep_ungraded(lost.entry,
                    plural(kMostLives, "task") + " ended while grading it, the last on " +
                        shown_word(claim.holder.node),
                    lost.before);
    }
  }

  // As many tasks as were asked for, while there is work; but not against somebody's will, and not
  // for ever.
  void see_to_tasks(const std::vector<ClusterTask>& tasks) {
    size_t active = 0, working = 0;
    bool cancelled = false;
    for (const ClusterTask& task : tasks) {
      active += task.is_active();
      working += task.state == ClusterTask::State::kWorking;
      cancelled |= task.state == ClusterTask::State::kCancelled && !old_.contains(task.id);
    }
    if (active > 0) return cancelled ? void() : replace_the_lost(working);
    merge();
    if (wanted_.empty()) return;
    if (cancelled)
      throw Error("the job was cancelled; " + plural(wanted_.size(), "submission") +
                      " to be graded, and the same command goes on with them",
                  kExitCannotRun);
    if (++rounds_ > kMostRounds) give_up();
    for (const ClusterTask& task : tasks) old_.insert(task.id);
    try {
      submit(front_.tasks);
    } catch (const Error& e) {
      if (bad_.empty()) throw;
      give_up(e.what());
    }
  }

  // A bad node ends one task after another; as many are started elsewhere. One that was lost with
  // its node may have to wait long in the queue again, and nobody be left to take over its work.
  void replace_the_lost(size_t working) {
    int lost = std::exchange(lost_, 0);
    if (working == 0) lost += std::exchange(dead_, 0);
    if (lost == 0) return;
    try {
      submit(lost);
    } catch (const Error&) {
      // There is no other node; those that are at work, or will be, do it all.
    }
  }

  [[noreturn]] void give_up(const std::string& why = "") const {
    std::string text =
        plural(wanted_.size(), "submission") + " to be graded, and no task does it: ";
    if (!bad_.empty()) text += "no node is fit that Slurm gives";
    if (bad_.empty())
      text += "tasks end without a word; see what they say in " + sitting_->path() +
              "/log, and whether the nodes see that folder and this program";
    if (!why.empty()) text += " (" + why + ")";
    throw Error(text, kExitCannotRun);
  }

  void tell_bad_nodes() {
    for (const NodeReport& report : sitting_->reports()) {
      if (report.fit || !told_.insert(report.task + " " + report.node).second) continue;
      ++lost_;
      if (bad_.insert(report.node).second)
        note("node " + shown_word(report.node) +
             " is not fit, nothing is graded on it: " + first_line(report.problem));
    }
  }

  static std::string first_line(const std::string& text) {
    return printable(text.substr(0, text.find('\n')).substr(0, 300));
  }

  void merge() {
    for (const std::string& id : sitting_->results()) {
      const auto found = wanted_.find(id);
      if (found == wanted_.end()) continue;
      const std::optional<std::string> bytes = sitting_->result(id);
      if (!bytes) continue;
      const Wanted wanted = std::move(found->second);
      wanted_.erase(found);
      try {
        tell(take_over(wanted, *bytes), wanted.before);
      } catch (const Error& e) {
        keep_ungraded(wanted.entry, std::string("its result cannot be read: ") + e.what(),
                      wanted.before);
      }
      sitting_->withdraw(id);
      rounds_ = 0;
    }
  }

  // By way of a file of this machine's: no database is opened on a network.
  Graded take_over(const Wanted& wanted, const std::string& bytes) {
    const std::string folder = options_.results + "/work", file = folder + "/incoming.db";
    std::filesystem::create_directories(folder);
    write_whole(file, bytes, false);
    Graded like;
    like.homework = session_.rubric().homework;
    like.identity = wanted.entry.identity;
    like.submission = wanted.entry.name;
    like.backend = session_.machine().backend;
    like.content_hash = wanted.content_hash;
    like.config_hash = session_.config_hash();
    const Graded graded = store_.take_over(file, like);
    unlink(file.c_str());
    rmdir(folder.c_str());  // where it is not the session's
    return graded;
  }

  void keep_ungraded(const SubmissionEntry& entry, const std::string& why,
                     const std::optional<Graded>& before) {
    GradeResult result = session_.not_graded(entry, why);
    store_.add(&result.graded, result.plan, result.records);
    tell(result.graded, before);
  }

  void tell(const Graded& graded, const std::optional<Graded>& before) {
    ++progress_.done;
    progress_.seconds = monotonic_seconds() - start_;
    progress_.eta_seconds =
        progress_.seconds / double(progress_.done) * double(progress_.total - progress_.done);
    if (events_.graded) events_.graded(graded, before ? &*before : nullptr, progress_);
  }

  const ClassOptions& options_;
  const FrontOptions& front_;
  GradingSession& session_;
  Store& store_;
  const ClassEvents& events_;
  double start_ = 0, submitted_ = 0, next_question_ = 0;
  std::optional<Sitting> sitting_;
  std::unique_ptr<Cluster> cluster_;
  std::set<std::string> there_;          // items that were there when this front began
  std::map<std::string, Claim> claims_;  // and claims
  std::map<std::string, Wanted> wanted_;
  std::set<std::string> bad_, told_, old_;
  int lost_ = 0;  // tasks that ended on bad nodes, and were not replaced
  int dead_ = 0;  // claims that were released, since tasks were submitted for them
  int rounds_ = 0;
  ClassProgress progress_;
};

}  // namespace

ClassProgress run_on_cluster(const ClassOptions& options, const FrontOptions& front,
                             GradingSession& session, Store& store, const ClassEvents& events) {
  return Front(options, front, session, store, events).run();
}

}  // namespace lockstep::grader
