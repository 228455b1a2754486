// SPDX-License-Identifier: Apache-2.0
// Resource limits, user and system-call filter. The filter is a list of what is refused, not of
// what is allowed: a new driver or compiler keeps working, and none of the calls on the list has
// a use in a compiler or a runner.
#include "runner/jail.h"

#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <vector>

#include "common/error.h"

namespace lockstep {
namespace {

struct Field {
  const char* name;
  int64_t Jail::*value;
};
constexpr Field kFields[] = {{"cpu", &Jail::cpu_s},         {"as", &Jail::address_bytes},
                             {"fsize", &Jail::file_bytes},  {"nproc", &Jail::processes},
                             {"nofile", &Jail::open_files}, {"uid", &Jail::uid}};

void limit(decltype(RLIMIT_CPU) what, int64_t soft, int64_t hard, const char* name) {
  rlimit value{static_cast<rlim_t>(soft), static_cast<rlim_t>(hard)};
  if (setrlimit(what, &value) != 0)
    throw Error(std::string("cannot limit ") + name + ": " + strerror(errno), kExitCannotRun);
}

void become(int64_t id) {
  auto uid = static_cast<uid_t>(id);
  if (setgroups(0, nullptr) != 0 || setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0)
    throw Error("cannot become user " + std::to_string(id) + ": " + strerror(errno),
                kExitCannotRun);
}

constexpr int kRefused[] = {SYS_ptrace,
                            SYS_process_vm_readv,
                            SYS_process_vm_writev,
                            SYS_keyctl,
                            SYS_add_key,
                            SYS_request_key,
                            SYS_bpf,
                            SYS_perf_event_open,
                            SYS_userfaultfd,
                            SYS_mount,
                            SYS_umount2,
                            SYS_pivot_root,
                            SYS_chroot,
                            SYS_setns,
                            SYS_unshare,
                            SYS_kexec_load,
                            SYS_kexec_file_load,
                            SYS_init_module,
                            SYS_finit_module,
                            SYS_delete_module,
                            SYS_reboot,
                            SYS_swapon,
                            SYS_swapoff,
                            SYS_acct,
                            SYS_quotactl,
                            SYS_settimeofday,
                            SYS_clock_settime,
                            SYS_clock_adjtime,
                            SYS_open_by_handle_at,
                            SYS_io_uring_setup,
                            SYS_io_uring_enter,
                            SYS_io_uring_register,
                            SYS_move_mount,
                            SYS_open_tree,
                            SYS_fsopen,
                            SYS_fsconfig,
                            SYS_fsmount,
                            SYS_pidfd_getfd};

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

void refuse_system_calls() {
  auto statement = [](uint16_t code, uint32_t k) { return sock_filter{code, 0, 0, k}; };
  auto jump = [](uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
    return sock_filter{code, yes, no, k};
  };
  constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
  std::vector<sock_filter> program = {
    statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
    jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
    statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
#if defined(__x86_64__)
    // The x32 numbers are another way to the same calls.
    jump(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    statement(BPF_RET | BPF_K, kRefuse),
#endif
  };
  // Whoever makes a user namespace is root in it. The flags of clone3 are out of a filter's sight,
  // so it is said not to exist, and the C library uses clone instead.
  constexpr uint32_t kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID;
  program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])));
  program.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, kNamespaces, 0, 1));
  program.push_back(statement(BPF_RET | BPF_K, kRefuse));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  for (int call : kRefused) {
    program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    program.push_back(statement(BPF_RET | BPF_K, kRefuse));
  }
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    throw Error(std::string("cannot filter system calls: ") + strerror(errno), kExitCannotRun);
}

}  // namespace

Jail parse_jail(const std::string& text) {
  Jail jail;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find(',', at);
    if (end == std::string::npos) end = text.size();
    std::string item = text.substr(at, end - at);
    at = end + 1;
    size_t equals = item.find('=');
    int64_t value = -1;
    if (equals != std::string::npos)
      std::from_chars(item.data() + equals + 1, item.data() + item.size(), value);
    if (value < 0) throw Error("--jail: expected NAME=NUMBER, got '" + item + "'");
    std::string name = item.substr(0, equals);
    if (name == "seccomp") {
      jail.seccomp = value != 0;
      continue;
    }
    const Field* found = nullptr;
    for (const Field& field : kFields)
      if (name == field.name) found = &field;
    if (found == nullptr) throw Error("--jail: unknown limit '" + name + "'");
    jail.*(found->value) = value;
  }
  return jail;
}

std::string to_string(const Jail& jail) {
  std::string text;
  for (const Field& field : kFields)
    if (jail.*(field.value) != 0)
      text += std::string(field.name) + "=" + std::to_string(jail.*(field.value)) + ",";
  return text + "seccomp=" + (jail.seccomp ? "1" : "0");
}

void enter_jail(const Jail& jail) {
  limit(RLIMIT_CORE, 0, 0, "core dumps");
  if (jail.file_bytes > 0) limit(RLIMIT_FSIZE, jail.file_bytes, jail.file_bytes, "file size");
  if (jail.open_files > 0) limit(RLIMIT_NOFILE, jail.open_files, jail.open_files, "open files");
  if (jail.address_bytes > 0) limit(RLIMIT_AS, jail.address_bytes, jail.address_bytes, "memory");
  // The soft limit ends the process with SIGXCPU, which tells why; the hard one is behind it.
  if (jail.cpu_s > 0) limit(RLIMIT_CPU, jail.cpu_s, jail.cpu_s + 2, "processor time");
  if (jail.uid > 0 && geteuid() == 0) become(jail.uid);
  if (jail.processes > 0) limit(RLIMIT_NPROC, jail.processes, jail.processes, "processes");
  if (jail.seccomp) refuse_system_calls();
}

}  // namespace lockstep
