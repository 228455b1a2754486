// SPDX-License-Identifier: Apache-2.0
// grader doctor: what of this machine works, and what to do about what does not.
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>

#include "common/base/error.h"
#include "common/base/processors.h"
#include "common/harness/metrics.h"
#include "grader/commands.h"
#include "grader/report.h"
#include "grader/trial.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

enum class Health { kGood, kWarning, kFault };

struct Finding {
  Health health;
  std::string subject, text, remedy;
};

class Doctor {
 public:
  explicit Doctor(const CommandOptions& options) : options_(options) {}

  std::vector<Finding> run() {
    examine("compiler", [this] { compiler(); });
    if (!tools_.cuda.empty()) examine("sandbox", [this] { sandbox(); });
    if (sandbox_) {
      examine("gpu", [this] { gpu(); });
      examine("emulator", [this] { emulator(); });
    }
    examine("machine", [this] { machine(); });
    return findings_;
  }

 private:
  void note(Health health, const std::string& subject, const std::string& text,
            const std::string& remedy = "") {
    findings_.push_back({health, subject, text, remedy});
  }

  // An Error's first line is the fault, the rest the remedy.
  void examine(const char* subject, const std::function<void()>& examination) {
    try {
      examination();
    } catch (const Error& e) {
      std::string text = e.what();
      size_t end = text.find('\n');
      note(Health::kFault, subject, text.substr(0, end),
           end == std::string::npos ? "" : text.substr(end + 1));
    }
  }

  void compiler() {
    tools_ = find_toolchain(find_top());
    note(Health::kGood, "compiler", "nvcc " + tools_.nvcc_version + " in " + tools_.cuda);
    if (find_program("gcc").empty())
      note(Health::kFault, "compiler", "gcc is not on the PATH, and nvcc needs it",
           "apt-get install g++");
  }

  void sandbox() {
    sandbox_.emplace(SandboxPaths{tools_.bwrap, tools_.runner, tools_.cuda},
                     options_.session.least_strength());
    if (sandbox_->strength() == Strength::kFull)
      note(Health::kGood, "sandbox",
           std::string("full: bubblewrap with ") +
               (geteuid() == 0 ? "another user" : "a user namespace") +
               ", no network, no files but compiler and source");
    else
      note(Health::kWarning, "sandbox", sandbox_->weakness(),
           "use a machine that allows namespaces, and keep no secrets on this one");
  }

  void gpu() {
    Machine found;
    try {
      found = probe_machine("gpu", "", options_.session.devices, *sandbox_);
    } catch (const Error& e) {
      std::string text = e.what();
      for (char& c : text)
        if (c == '\n') c = ' ';
      return note(Health::kWarning, "gpu", "none to be used: " + text,
                  "without a GPU, submissions are graded on the emulator");
    }
    for (const DeviceInfo& d : found.devices)
      note(Health::kGood, "gpu",
           d.name + " (" + std::to_string(d.index) + "), CC " + std::to_string(d.cc_major) + "." +
               std::to_string(d.cc_minor) + ", driver " + found.driver);
    counter_permission();
    if (found.devices[0].pageable_memory_access)
      note(Health::kWarning, "gpu",
           "kernels can reach pageable host memory, so a hostile kernel can forge the counts of "
           "its own runner (never a result's verdict)",
           "load the nvidia-uvm module with uvm_disable_hmm=1");
    else
      note(Health::kGood, "gpu", "kernels cannot reach pageable host memory");
    examine("counters", [&] { trial(found); });
  }

  // As a submission is built, executed and counted.
  void trial(const Machine& machine) {
    tools_.arch = machine.arch();
    TemporaryWork work;
    work.open_for(*sandbox_);
    note(Health::kGood, machine.backend == "gpu" ? "counters" : "emulator",
         "a small kernel of 8 warps: " + try_counting(machine, tools_, *sandbox_, work.path()));
  }

  void counter_permission() {
    std::ifstream parameters("/proc/driver/nvidia/params");
    std::string line;
    bool admin_only = false;
    while (std::getline(parameters, line))
      if (line.rfind("RmProfilingAdminOnly: 1", 0) == 0) admin_only = true;
    if (admin_only)
      note(Health::kFault, "counters", "the driver gives counters to administrators only",
           "put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into "
           "/etc/modprobe.d/nvidia-profiling.conf and restart");
    else
      note(Health::kGood, "counters", "the driver gives them to every user");
  }

  void emulator() {
    Machine found = probe_machine("emulator", options_.session.profile, {}, *sandbox_);
    note(Health::kGood, "emulator", "works, standing in for an " + found.devices[0].name);
    trial(found);
  }

  void machine() {
    note(Health::kGood, "machine", std::to_string(processors()) + " processors");
    struct statvfs disk {};
    if (statvfs(".", &disk) == 0) {
      double gib = double(disk.f_bavail) * double(disk.f_frsize) / (1 << 30);
      note(gib < 1 ? Health::kFault : Health::kGood, "machine",
           format_number(gib) + " GiB free in this folder",
           gib < 1 ? "make room for at least 1 GiB of results" : "");
    }
  }

  const CommandOptions& options_;
  Toolchain tools_;
  std::optional<Sandbox> sandbox_;
  std::vector<Finding> findings_;
};

const char* word(Health health) {
  return health == Health::kGood ? "good" : health == Health::kWarning ? "note" : "FAULT";
}

}  // namespace

int doctor_command(const CommandOptions& options) {
  bool good = true;
  nlohmann::json list = nlohmann::json::array();
  for (const Finding& f : Doctor(options).run()) {
    good = good && f.health != Health::kFault;
    list.push_back({{"health", word(f.health)},
                    {"subject", f.subject},
                    {"text", f.text},
                    {"remedy", f.remedy}});
    if (options.json) continue;
    std::printf("  [%s] %s: %s\n", word(f.health), f.subject.c_str(), f.text.c_str());
    if (!f.remedy.empty()) std::printf("         remedy: %s\n", f.remedy.c_str());
  }
  if (options.json) std::fputs(json_line({{"good", good}, {"findings", list}}).c_str(), stdout);
  return good ? kExitGood : kExitCannotRun;
}

}  // namespace lockstep::grader
