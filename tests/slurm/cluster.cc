// SPDX-License-Identifier: Apache-2.0
// See cluster.h.
#include "tests/slurm/cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "common/base/error.h"
#include "grader/toolchain.h"

namespace lockstep::grader {
namespace {

bool is_free(int port) {
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  const int yes = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Of some that nobody uses; shards of the tests, which run side by side, look at different ones.
int first_port() {
  const char* shard = std::getenv("GTEST_SHARD_INDEX");
  for (int port = 17800 + 10 * (shard != nullptr ? std::atoi(shard) : 0); port < 30000;
       port += 160) {
    bool all = true;
    for (int i = 0; i <= SlurmCluster::kNodes; ++i) all = all && is_free(port + i);
    if (all) return port;
  }
  throw Error("no free ports", kExitCannotRun);
}

std::string host_name() {
  char host[65] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

std::string node_name(int node) { return "node" + std::to_string(node); }

}  // namespace

std::string SlurmCluster::missing() {
  for (const char* program : {"slurmctld", "slurmd", "sbatch", "unshare"})
    if (find_program(program).empty() &&
        access((std::string("/usr/sbin/") + program).c_str(), X_OK))
      return std::string(program) + " is not installed (make/packages.sh ci)";
  if (geteuid() != 0) return "slurmd gives nodes of their own to root only";
  const ProcessResult own = run_process(
      {"unshare", "-m", "-p", "-f", "--mount-proc", "mount", "-t", "tmpfs", "none", "/mnt"},
      clean_environment(), {});
  return own.good() ? "" : "there are no namespaces here: " + own.err;
}

SlurmCluster::SlurmCluster(int timeout_s) : timeout_s_(timeout_s) {
  for (const char* name : {"state", "spool", "log"})
    std::filesystem::create_directories(folder_.path(name));
  folder_.write("slurm.conf", configuration());
  const UniqueFd log(open(folder_.path("log/slurmctld").c_str(), O_WRONLY | O_CREAT, 0600));
  controller_ = std::make_unique<ChildProcess>(
      std::vector<std::string>{"/usr/sbin/slurmctld", "-D", "-f", folder_.path("slurm.conf")},
      environment(), -1, log.get(), log.get());
  wait_for_controller();
  for (int node = 1; node <= kNodes; ++node) start_node(node);
  EXPECT_TRUE(wait_for_nodes(kNodes)) << log_of_all();
}

// With their children, which die with the namespaces that they are in.
SlurmCluster::~SlurmCluster() {
  nodes_.clear();
  controller_.reset();
}

std::string SlurmCluster::configuration() const {
  const int port = first_port();
  std::string text =
      "ClusterName=lockstep\nSlurmctldHost=" + host_name() +
      "(127.0.0.1)\nSlurmctldPort=" + std::to_string(port) +
      "\n"
      "AuthType=auth/none\nCredType=cred/none\nSlurmUser=root\nSlurmdUser=root\n"
      "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\n"
      "MpiDefault=none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
      "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
      "ReturnToService=2\nJobRequeue=1\nKillWait=2\nSlurmdTimeout=" +
      std::to_string(timeout_s_) +
      "\n"
      "SchedulerParameters=batch_sched_delay=1,sched_interval=2\n"
      "SlurmdParameters=config_overrides\n";
  text += "StateSaveLocation=" + folder_.path("state") + "\n";
  text += "SlurmdSpoolDir=" + folder_.path("spool") + "/%n\n";
  text += "SlurmctldPidFile=" + folder_.path("slurmctld.pid") + "\n";
  text += "SlurmdPidFile=" + folder_.path("slurmd-%n.pid") + "\n";
  for (int node = 1; node <= kNodes; ++node)
    text += "NodeName=" + node_name(node) + " NodeHostname=" + host_name() +
            " NodeAddr=127.0.0.1 Port=" + std::to_string(port + node) + " CPUs=1 State=UNKNOWN\n";
  return text + "PartitionName=class Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
}

std::vector<std::string> SlurmCluster::environment() const {
  std::vector<std::string> all = clean_environment();
  all.push_back("SLURM_CONF=" + folder_.path("slurm.conf"));
  all.push_back("TMPDIR=/tmp");
  return all;
}

void SlurmCluster::wait_for_controller() const {
  for (int i = 0; i < 100 && !run({"scontrol", "ping"}).good(); ++i) usleep(100000);
}

void SlurmCluster::start_node(int node, const std::string& mounts) {
  std::filesystem::create_directories(folder_.path("spool/" + node_name(node)));
  const UniqueFd log(
      open(folder_.path("log/" + node_name(node)).c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
  nodes_[node] = std::make_unique<ChildProcess>(
      std::vector<std::string>{"unshare", "-m", "-p", "-f", "--mount-proc", "--kill-child", "sh",
                               "-c",
                               mounts + " && exec /usr/sbin/slurmd -D -N " + node_name(node) +
                                   " -f " + folder_.path("slurm.conf")},
      environment(), -1, log.get(), log.get());
}

void SlurmCluster::lose_node(int node) { nodes_.erase(node); }

bool SlurmCluster::wait_for_node(int node) {
  for (int i = 0; i < 300; ++i, usleep(100000))
    if (ask("sinfo -h -N -n " + node_name(node) + " -o %T") == "idle\n") return true;
  return false;
}

bool SlurmCluster::wait_for_nodes(int count) {
  for (int i = 0; i < 300; ++i, usleep(100000))
    if (ask("sinfo -h -N -t idle -o %N | sort -u | wc -l") == std::to_string(count) + "\n")
      return true;
  return false;
}

ProcessResult SlurmCluster::run(const std::vector<std::string>& command, double wall_s) const {
  ProcessLimits limits;
  limits.wall_s = wall_s;
  return run_process(command, environment(), limits);
}

std::string SlurmCluster::ask(const std::string& command) const {
  return run({"/bin/sh", "-c", command}, 30).out;
}

std::string SlurmCluster::log_of_all() const {
  return ask("tail -n 20 " + folder_.path("log") + "/*; sinfo -N -l; squeue -t all");
}

}  // namespace lockstep::grader
