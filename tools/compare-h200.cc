// SPDX-License-Identifier: Apache-2.0
// compare-h200: runs every launch of tests/data in the emulator and holds its counts against those
// of an H200. Prints a table of all launches and a summary, tab-separated or as Markdown for docs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <set>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "tools/compare_h200/truth.h"

namespace {

using namespace lockstep;
using compare_h200::MeasuredLaunch;

constexpr char kUsage[] =
    "usage: compare-h200 [--set NAME]... [--kernel TEXT] [--threads N] [--markdown] [--brief]\n"
    "       compare-h200 --codes    tests/data/codes.tsv of this build\n"
    "       compare-h200 --races [--set NAME]... [--kernel TEXT]    which kernels race for global "
    "memory\n"
    "Sets: h200 (104 launches), sweeps, fit, held, merge, fresh, unseen, exam; all of them when "
    "none is named.\n"
    "Run in the top folder after `make`.\n";

struct Options {
  std::set<std::string> sets;
  std::string kernel;
  int threads = 0;
  bool markdown = false, brief = false, codes = false, races = false;
};

struct Outcome {
  const MeasuredLaunch* launch = nullptr;
  std::string failure;
  std::map<std::string, double> counts;
  std::string output;  // hash
  std::map<std::string, std::string> unavailable;
  double seconds = 0;
};

// Metrics in the order of the columns; exact ones first.
const std::vector<const char*>& metrics() {
  static const std::vector<const char*> all = {
      metric::kWarpInstructions,   metric::kThreadInstructions,
      metric::kSharedWavefronts,   metric::kGlobalLoadRequests,
      metric::kGlobalLoadSectors,  metric::kGlobalStoreRequests,
      metric::kGlobalStoreSectors, metric::kL2ToL1Bytes,
      metric::kL1ToL2Bytes,        metric::kGlobalBankConflicts,
      metric::kLocalSectors,       metric::kDivergentBranches,
      metric::kBranches,
  };
  return all;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i >= argc) throw Error(word + " needs a value\n" + kUsage);
      return argv[i];
    };
    if (word == "--set") {
      options.sets.insert(value());
    } else if (word == "--kernel") {
      options.kernel = value();
    } else if (word == "--threads") {
      options.threads = std::atoi(value().c_str());
    } else if (word == "--markdown") {
      options.markdown = true;
    } else if (word == "--brief") {
      options.brief = true;
    } else if (word == "--races") {
      options.races = true;
    } else if (word == "--codes") {
      options.codes = true;
    } else {
      throw Error(word + ": unknown\n" + kUsage);
    }
  }
  return options;
}

class Runner {
 public:
  explicit Runner(const Options& options) {
    BackendOptions backend;
    backend.profile = "h200";
    backend.threads = options.threads;
    backend_ = make_emulator_backend(backend);
    input_.resize(size_t{1} << 20);
    std::srand(1);
    for (float& x : input_) x = float(std::rand()) / float(RAND_MAX);
    out_ = backend_->allocate({"out", input_.size() * 4, 4096, false});
    in_ = backend_->allocate({"in", input_.size() * 4, 4096, options.races});
  }

  // What stops the launch whose races are looked for; "" where nothing does.
  std::string stopped_by(const MeasuredLaunch& measured) {
    try {
      Launch launch = prepare(measured);
      launch.finds_races = true;
      backend_->launch(launch);
      return "";
    } catch (const Error& error) {
      module_.clear();
      return error.what();
    }
  }

  Outcome run(const MeasuredLaunch& measured) {
    Outcome outcome;
    outcome.launch = &measured;
    const auto start = std::chrono::steady_clock::now();
    try {
      const Launch launch = prepare(measured);
      std::vector<std::string> wanted;
      for (const char* name : metrics()) wanted.push_back(name);
      const Counts counts = backend_->count(launch, wanted, {});
      for (const auto& [name, count] : counts.values) outcome.counts[name] = count.value;
      outcome.unavailable = counts.unavailable;
      std::vector<uint8_t> bytes(input_.size() * 4);
      backend_->read(out_, 0, bytes.data(), bytes.size());
      outcome.output = output_hash(bytes, measured.output_rule);
    } catch (const Error& error) {
      outcome.failure = error.what();
      module_.clear();
    }
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
  }

 private:
  Launch prepare(const MeasuredLaunch& measured) {
    if (measured.module != module_) {
      backend_->load_module({measured.module + ".ptx", measured.module + ".cubin"});
      module_ = measured.module;
    }
    backend_->write(in_, 0, input_.data(), input_.size() * 4);
    backend_->fill(out_, 0, input_.size() * 4, 0);
    Launch launch;
    launch.kernel = measured.kernel;
    launch.grid = measured.grid;
    launch.block = measured.block;
    launch.dynamic_shared_bytes = measured.shared_bytes;
    launch.arguments = {Argument::of_buffer(out_), Argument::of_buffer(in_),
                        Argument::of(measured.argument)};
    return launch;
  }

  std::unique_ptr<Backend> backend_;
  std::vector<float> input_;
  BufferId out_ = 0, in_ = 0;
  std::string module_;
};

// Relative error; a difference from zero counts as 1.
double error_of(double ours, double truth) {
  if (ours == truth) return 0;
  return truth != 0 ? (ours - truth) / truth : 1;
}

std::string shape(const Dim3& d) {
  const std::string plane = std::to_string(d.x) + "x" + std::to_string(d.y);
  return d.z == 1 ? plane : plane + "x" + std::to_string(d.z);
}

void print_row(const Outcome& o, const Options& options) {
  const MeasuredLaunch& m = *o.launch;
  const char* bar = options.markdown ? " | " : "\t";
  std::printf("%s%s%s%s%s%s%s%s%s%d", options.markdown ? "| " : "", m.set.c_str(), bar,
              m.kernel.c_str(), bar, shape(m.grid).c_str(), bar, shape(m.block).c_str(), bar,
              m.argument);
  for (const char* name : metrics()) {
    std::printf("%s", bar);
    const auto truth = m.counts.find(name), ours = o.counts.find(name);
    if (truth == m.counts.end()) {
      std::printf("-");
    } else if (ours == o.counts.end()) {
      std::printf("%.0f:n/a", truth->second);
    } else if (ours->second == truth->second) {
      std::printf("%.0f=", truth->second);
    } else {
      std::printf("%.0f:%.0f(%+.1f%%)", truth->second, ours->second,
                  100 * error_of(ours->second, truth->second));
    }
  }
  std::printf("%s%s%s\n", bar,
              m.output.empty()       ? "-"
              : m.output == o.output ? "="
                                     : "differs",
              options.markdown ? " |" : "");
}

void print_heading(const Options& options) {
  const char* bar = options.markdown ? " | " : "\t";
  std::printf("%sset%skernel%sgrid%sblock%sn", options.markdown ? "| " : "", bar, bar, bar, bar);
  for (const char* name : metrics()) std::printf("%s%s", bar, name);
  std::printf("%soutput%s\n", bar, options.markdown ? " |" : "");
  if (!options.markdown) return;
  std::printf("|");
  for (size_t i = 0; i < metrics().size() + 6; ++i) std::printf(" --- |");
  std::printf("\n");
}

// Errors of one column over a set, with the kernel of the worst.
struct Errors {
  std::vector<double> all;
  double worst = -1;
  std::string where;

  void add(double error, const std::string& kernel) {
    all.push_back(std::abs(error));
    if (all.back() > worst) worst = all.back(), where = kernel;
  }
};

void print_summary_line(const std::string& set, const char* name, Errors errors,
                        const Options& options) {
  if (errors.all.empty()) return;
  std::sort(errors.all.begin(), errors.all.end());
  const char* bar = options.markdown ? " | " : "\t";
  std::printf("%s%s%s%s%s%zu%s%zd%s%.3f%s%.3f%s%s%s\n", options.markdown ? "| " : "", set.c_str(),
              bar, name, bar, errors.all.size(), bar,
              std::count(errors.all.begin(), errors.all.end(), 0.0), bar,
              100 * errors.all[errors.all.size() / 2], bar, 100 * errors.worst, bar,
              errors.where.c_str(), options.markdown ? " |" : "");
}

// One line a set and metric: launches, equal ones, median and worst absolute error, where. Outputs
// are equal to the bit or not: 0 or 100 %.
void print_summary(const std::vector<Outcome>& outcomes, const Options& options) {
  std::set<std::string> sets;
  for (const Outcome& o : outcomes) sets.insert(o.launch->set);
  const char* bar = options.markdown ? " | " : "\t";
  std::printf("\n%ssummary%smetric%slaunches%sequal%smedian_pct%sworst_pct%sworst_kernel%s\n",
              options.markdown ? "| " : "", bar, bar, bar, bar, bar, bar,
              options.markdown ? " |" : "");
  if (options.markdown) std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const std::string& set : sets) {
    for (const char* name : metrics()) {
      Errors errors;
      for (const Outcome& o : outcomes) {
        const auto truth = o.launch->counts.find(name), ours = o.counts.find(name);
        if (o.launch->set == set && truth != o.launch->counts.end() && ours != o.counts.end())
          errors.add(error_of(ours->second, truth->second), o.launch->kernel);
      }
      print_summary_line(set, name, std::move(errors), options);
    }
    Errors outputs;
    for (const Outcome& o : outcomes)
      if (o.launch->set == set && !o.launch->output.empty())
        outputs.add(o.output == o.launch->output ? 0 : 1, o.launch->kernel);
    print_summary_line(set, "output", std::move(outputs), options);
  }
}

// Which machine code the kernels have here, as read_truth reads it.
bool is_chosen(const MeasuredLaunch& launch, const Options& options) {
  return (options.sets.empty() || options.sets.count(launch.set) != 0) &&
         launch.kernel.find(options.kernel) != std::string::npos;
}

// Once for each kernel, of the launches that are small enough to be followed soon.
int print_races(const std::vector<MeasuredLaunch>& launches, const Options& options) {
  constexpr uint64_t kMostThreads = 1 << 16;
  Runner runner(options);
  std::set<std::string> told;
  int followed = 0;
  for (const MeasuredLaunch& m : launches) {
    const std::string name = m.set + "\t" + m.kernel;
    if (!is_chosen(m, options) || m.grid.count() * m.block.count() > kMostThreads) continue;
    ++followed;
    const std::string why = runner.stopped_by(m);
    if (why.empty() || !told.insert(name).second) continue;
    std::cout << name << "\t" << why << std::endl;
  }
  std::cerr << followed << " launches, " << told.size() << " kernels stopped\n";
  return 0;
}

int print_codes(const std::vector<MeasuredLaunch>& launches) {
  std::set<std::pair<std::string, std::string>> kernels;
  for (const MeasuredLaunch& m : launches) kernels.emplace(m.module, m.kernel);
  std::printf("module\tkernel\tcode\n");
  for (const auto& [module, kernel] : kernels)
    std::printf("%s\t%s\t%s\n", module.c_str(), kernel.c_str(),
                compare_h200::code_hash(module, kernel).c_str());
  return kExitGood;
}

int run(const Options& options) {
  const std::vector<MeasuredLaunch> launches = compare_h200::read_truth("tests/data");
  if (options.codes) return print_codes(launches);
  if (options.races) return print_races(launches, options);
  Runner runner(options);
  std::vector<Outcome> outcomes;
  if (!options.brief) print_heading(options);
  for (const MeasuredLaunch& launch : launches) {
    if (!is_chosen(launch, options)) continue;
    outcomes.push_back(runner.run(launch));
    if (!options.brief) print_row(outcomes.back(), options);
  }
  print_summary(outcomes, options);
  int failures = 0;
  double seconds = 0;
  for (const Outcome& o : outcomes) {
    seconds += o.seconds;
    if (o.failure.empty()) continue;
    ++failures;
    std::cerr << o.launch->kernel << ": " << o.failure << "\n";
  }
  std::cerr << outcomes.size() << " launches, " << failures << " failed, " << seconds << " s\n";
  return failures ? kExitWrong : kExitGood;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const Error& error) {
    std::cerr << "compare-h200: " << error.what() << "\n";
    return error.code();
  }
}
