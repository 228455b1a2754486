// SPDX-License-Identifier: Apache-2.0
// Resource limits, user and system-call filter. The filter is a list of what is refused, not of
// what is allowed: a new driver or compiler keeps working, and none of the calls on the list has
// a use in a compiler or a runner.
#include "runner/jail.h"

#include <grp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

#include "common/base/error.h"

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

constexpr int kRefused[] = {SCMP_SYS(ptrace),
                            SCMP_SYS(process_vm_readv),
                            SCMP_SYS(process_vm_writev),
                            SCMP_SYS(kcmp),
                            SCMP_SYS(keyctl),
                            SCMP_SYS(add_key),
                            SCMP_SYS(request_key),
                            SCMP_SYS(bpf),
                            SCMP_SYS(perf_event_open),
                            SCMP_SYS(userfaultfd),
                            SCMP_SYS(mount),
                            SCMP_SYS(umount2),
                            SCMP_SYS(mount_setattr),
                            SCMP_SYS(pivot_root),
                            SCMP_SYS(chroot),
                            SCMP_SYS(setns),
                            SCMP_SYS(unshare),
                            SCMP_SYS(kexec_load),
                            SCMP_SYS(kexec_file_load),
                            SCMP_SYS(init_module),
                            SCMP_SYS(finit_module),
                            SCMP_SYS(delete_module),
                            SCMP_SYS(reboot),
                            SCMP_SYS(swapon),
                            SCMP_SYS(swapoff),
                            SCMP_SYS(acct),
                            SCMP_SYS(quotactl),
                            SCMP_SYS(settimeofday),
                            SCMP_SYS(clock_settime),
                            SCMP_SYS(clock_adjtime),
                            SCMP_SYS(open_by_handle_at),
                            SCMP_SYS(io_uring_setup),
                            SCMP_SYS(io_uring_enter),
                            SCMP_SYS(io_uring_register),
                            SCMP_SYS(move_mount),
                            SCMP_SYS(open_tree),
                            SCMP_SYS(fsopen),
                            SCMP_SYS(fspick),
                            SCMP_SYS(fsconfig),
                            SCMP_SYS(fsmount),
                            SCMP_SYS(pidfd_getfd),
                            SCMP_SYS(ioperm),
                            SCMP_SYS(iopl)};

// Whoever makes a user namespace is root in it.
constexpr scmp_datum_t kNamespaces[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWNET,   CLONE_NEWPID,
                                        CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};

// Calls by another architecture's numbers (32-bit, x32) end the process: libseccomp's default for
// one that is not in the filter is made explicit.
void refuse_system_calls(bool offline) {
  auto check = [](int result) {
    if (result < 0)
      throw Error(std::string("cannot filter system calls: ") + strerror(-result), kExitCannotRun);
  };
  const std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                &seccomp_release);
  if (!filter) throw Error("cannot filter system calls: no memory", kExitCannotRun);
  check(seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  for (int call : kRefused) check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 0));
  for (scmp_datum_t flag : kNamespaces)
    check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                           SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)));
  // The flags of clone3 are out of a filter's sight, so it is said not to exist, and the C library
  // uses clone instead.
  check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
  if (offline)
    check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                           SCMP_A0(SCMP_CMP_NE, AF_UNIX)));
  check(seccomp_load(filter.get()));  // sets no_new_privs, too
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
    if (name == "offline") {
      jail.offline = value != 0;
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
  if (jail.offline) text += "offline=1,";
  return text + "seccomp=" + (jail.seccomp ? "1" : "0");
}

void enter_jail(const Jail& jail) {
  limit(RLIMIT_CORE, 0, 0, "core dumps");
  if (jail.file_bytes > 0) limit(RLIMIT_FSIZE, jail.file_bytes, jail.file_bytes, "file size");
  if (jail.open_files > 0) limit(RLIMIT_NOFILE, jail.open_files, jail.open_files, "open files");
  if (jail.address_bytes > 0) limit(RLIMIT_AS, jail.address_bytes, jail.address_bytes, "memory");
  std::optional<Confinement> confinement;
  if (!jail.reach.empty()) confinement.emplace(jail.reach);
  // The soft limit ends the process with SIGXCPU, which tells why; the hard one is behind it.
  if (jail.cpu_s > 0) limit(RLIMIT_CPU, jail.cpu_s, jail.cpu_s + 2, "processor time");
  if (jail.uid > 0 && geteuid() == 0) become(jail.uid);
  if (jail.processes > 0) limit(RLIMIT_NPROC, jail.processes, jail.processes, "processes");
  if (confinement) confinement->enter();
  if (jail.seccomp) refuse_system_calls(jail.offline);
}

}  // namespace lockstep
