// SPDX-License-Identifier: Apache-2.0
// grader run: a class. Progress on a terminal, one line a submission elsewhere.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <future>
#include <memory>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/class_run.h"
#include "grader/cluster/front.h"
#include "grader/commands.h"
#include "grader/report.h"
#include "grader/results_folder.h"

namespace lockstep::grader {
namespace {

std::string duration(double seconds) {
  char text[40];
  if (seconds < 90)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  return text;
}

class Printer {
 public:
  Printer(bool json, bool terminal) : json_(json), terminal_(terminal) {}

  void graded(const Graded& g, const Graded* before, const ClassProgress& progress) {
    if (json_) {
      nlohmann::json line = report_json(g);
      if (before != nullptr) line["changes"] = changes_text(*before, g);
      return print(json_line(line));
    }
    clear();
    std::string text = report_line(g, kNameWidth);
    if (before != nullptr) {
      std::string changes = changes_text(*before, g);
      text += "\n" + std::string(kNameWidth + 2, ' ') +
              "was: " + (changes.empty() ? "the same" : changes);
    }
    print(text + "\n");
    if (!terminal_ || progress.done == progress.total) return;
    std::string status = std::to_string(progress.done) + " of " + std::to_string(progress.total) +
                         ", about " + duration(progress.eta_seconds) + " left";
    std::fputs(status.c_str(), stdout);
    std::fflush(stdout);
  }
  void unchanged(const Graded& g) {
    if (!json_) return;
    nlohmann::json line = report_json(g);
    line["unchanged"] = true;
    print(json_line(line));
  }
  void clear() const {
    if (terminal_) std::fputs("\r\x1b[K", stdout);
  }

 private:
  static constexpr int kNameWidth = 24;
  void print(const std::string& text) const {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }
  bool json_, terminal_;
};

// What the nodes have, where this machine cannot know: it may have no card, or another.
std::optional<Machine> machine_of_nodes(const CommandOptions& options) {
  const SessionOptions& session = options.session;
  if (session.backend == "emulator") return std::nullopt;
  std::vector<std::string> command = {"task", "machine", "--backend", session.backend};
  if (session.weak_sandbox) command.push_back("--weak-sandbox");
  if (session.middle_sandbox) command.push_back("--middle-sandbox");
  if (!session.profile.empty()) command.insert(command.end(), {"--profile", session.profile});
  const auto told = nlohmann::json::parse(Slurm::run_one(options.cluster, command), nullptr, false);
  if (!told.is_object())
    throw Error("--slurm: a node does not tell what card it has; try srun with the same options",
                kExitCannotRun);
  Machine machine;
  machine.backend = told.value("backend", "");
  machine.profile = session.profile;
  machine.driver = told.value("driver", "");
  machine.devices.resize(1);
  machine.devices[0].name = told.value("device", "");
  machine.devices[0].cc_major = told.value("cc_major", 0);
  machine.devices[0].cc_minor = told.value("cc_minor", 0);
  return machine;
}

FrontOptions front_options(const CommandOptions& options) {
  FrontOptions front;
  std::error_code error;
  const std::string shared = options.shared.empty() ? options.results + "/slurm" : options.shared;
  front.shared = std::filesystem::absolute(shared, error).lexically_normal().string();
  front.tasks = options.tasks;
  front.jobs = std::max(1, options.jobs);
  SlurmOptions slurm = options.cluster;
  slurm.processors = front.jobs;
  front.cluster = [slurm](const Sitting& sitting) {
    return std::make_unique<Slurm>(slurm, sitting.name(), sitting.path());
  };
  return front;
}

// What submissions are held against, and, compiled beside it, what was given: that is alike in all
// of a class, and `grader report` takes it away.
void prepare(GradingSession& session, Store& store, bool nodes_measure) {
  const bool is_there = store.given_of(session.config_hash()).has_value();
  std::future<BuildResult> building;
  if (!is_there)
    building = std::async(std::launch::async, [&session] { return session.build_given(1); });
  if (nodes_measure)
    session.build_reference();
  else
    session.prepare_reference();
  if (is_there) return;
  const BuildResult given = building.get();
  if (given.good()) store.add_given(session.config_hash(), given.module_hash, given.code);
}

}  // namespace

int run_command(const CommandOptions& options) {
  require_apart(options.results, options.path);
  const std::optional<StudentTable> table = read_students(options);
  if (options.slurm) {
    if (!options.shared.empty()) require_apart(options.shared, options.path);
    Slurm::require();
  }
  Store store(options.results);
  // A weak cage's user may not reach the results folder; what a killed grader leaves there, the
  // next one removes.
  TemporaryWork elsewhere;
  std::string work =
      options.session.least_strength() != Strength::kFull ? elsewhere.path() : options.results;
  SessionOptions session_settings = options.session;
  if (options.slurm) session_settings.elsewhere = machine_of_nodes(options);
  GradingSession session(session_settings, work + "/work");
  elsewhere.open_for(session.sandbox());
  bool terminal = !options.json && is_terminal(STDOUT_FILENO);
  Printer printer(options.json, terminal);
  if (!session.sandbox().weakness().empty())
    std::fprintf(stderr, "!! %s !!\n", session.sandbox().weakness().c_str());
  prepare(session, store, options.slurm);
  ClassOptions settings{
      options.path,     options.results,    options.regrade,          options.jobs,
      options.platform, options.assignment, table ? &*table : nullptr};
  ClassEvents events;
  events.graded = [&](const Graded& g, const Graded* before, const ClassProgress& progress) {
    printer.graded(g, before, progress);
  };
  events.note = [](const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); };
  events.unchanged = [&](const Graded& g) { printer.unchanged(g); };
  ClassProgress progress =
      options.slurm ? run_on_cluster(settings, front_options(options), session, store, events)
                    : run_class(settings, session, store, events);
  printer.clear();
  if (options.json) return kExitGood;
  if (progress.unchanged > 0)
    std::printf("%zu unchanged since they were graded (--regrade grades them again)\n",
                progress.unchanged);
  std::fputs(summary_text(store.all_latest(session.rubric().homework, session.machine().backend),
                          progress.identities)
                 .c_str(),
             stdout);
  std::printf("%s on the %s (%s), %s; results in %s\n", duration(progress.seconds).c_str(),
              session.machine().backend.c_str(), session.machine().devices[0].name.c_str(),
              ("nvcc " + session.tools().nvcc_version).c_str(), store.path().c_str());
  return kExitGood;
}

}  // namespace lockstep::grader
