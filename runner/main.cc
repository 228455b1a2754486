// SPDX-License-Identifier: Apache-2.0
// lockstep-runner: the process that executes a submission's kernels and is not believed, and the
// doorkeeper of the build sandbox. Started inside bubblewrap by the grader, or where that cannot
// be, with `--see PATH` and `--write PATH` behind LIMITS, as often as needed (confine.h):
//   lockstep-runner [--jail LIMITS] serve                   serves a backend on standard input
//   lockstep-runner [--jail LIMITS] exec COMMAND...         becomes COMMAND
//   lockstep-runner [--jail LIMITS] report FD COMMAND...    runs it, reports on FD (doorkeeper.h)
//   lockstep-runner witness [--asked LIBRARY LIST] COMMAND...   runs it, for gcc (doorkeeper.h)
//   lockstep-runner survey FILE.ptx LAUNCHED.ptx KERNEL... -- NAME...   what it holds (survey.h)
//   lockstep-runner other-code WHOLE.cubin PART.cubin       what the part has otherwise (survey.h)
//   lockstep-runner listing FILE.cubin                      its code
//   (common/backend/machine_code.h)
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "common/backend/machine_code.h"
#include "common/base/error.h"
#include "runner/doorkeeper.h"
#include "runner/jail.h"
#include "runner/server.h"
#include "runner/survey.h"

namespace lockstep {
namespace {

constexpr char kUsage[] =
    "usage: lockstep-runner [--jail LIMITS] serve\n"
    "       lockstep-runner [--jail LIMITS] exec COMMAND...\n"
    "       lockstep-runner [--jail LIMITS] report FD COMMAND...\n"
    "       lockstep-runner witness [--asked LIBRARY LIST] COMMAND...\n"
    "       lockstep-runner survey FILE.ptx LAUNCHED.ptx KERNEL... -- NAME...\n"
    "       lockstep-runner other-code WHOLE.cubin PART.cubin\n"
    "       lockstep-runner listing FILE.cubin\n";

std::unique_ptr<Backend> open_backend(const std::string& kind, const BackendOptions& options) {
  std::string why = "no GPU was asked for";
  if (kind == "gpu" || kind == "auto") {
    if (auto gpu = make_cuda_backend(options, &why)) return gpu;
    if (kind == "gpu") throw Error("no GPU: " + why, kExitCannotRun);
  } else if (kind != "emulator") {
    throw Error("unknown kind of backend: " + kind);
  }
  return make_emulator_backend(options);
}

// Standard output as a file in memory: a GPU's printf goes there, and take_output() reads it.
class CapturedOutput {
 public:
  CapturedOutput() : fd_(memfd_create("kernel-output", MFD_CLOEXEC)) {
    if (fd_.get() >= 0) dup2(fd_.get(), STDOUT_FILENO);
  }
  std::string take() {
    std::fflush(stdout);
    off_t end = lseek(fd_.get(), 0, SEEK_END);
    std::string text(static_cast<size_t>(std::clamp<off_t>(end, 0, 64 << 10)), 0);
    ssize_t got = pread(fd_.get(), text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    if (ftruncate(fd_.get(), 0) == 0) lseek(fd_.get(), 0, SEEK_SET);
    return text;
  }

 private:
  UniqueFd fd_;
};

int serve_standard_input() {
  // Arrays come and go with every launch: their memory is kept, not given back and cleared anew.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  // The socket moves away from 0 so that nothing reads it by accident.
  UniqueFd socket(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10));
  UniqueFd null_fd(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (socket.get() < 0 || null_fd.get() < 0) throw Error("standard input is not a socket");
  dup2(null_fd.get(), STDIN_FILENO);
  // Writing beyond the file limit is an error to report, not a reason to die.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  CapturedOutput output;
  return serve(std::move(socket), open_backend, [&output] { return output.take(); });
}

int run(const std::vector<std::string>& arguments) {
  size_t at = 0;
  Jail jail;
  if (arguments.size() >= 2 && arguments[0] == "--jail") {
    jail = parse_jail(arguments[1]);
    at = 2;
  }
  for (; at + 1 < arguments.size(); at += 2) {
    if (arguments[at] == "--see")
      jail.reach.read.push_back(arguments[at + 1]);
    else if (arguments[at] == "--write")
      jail.reach.write.push_back(arguments[at + 1]);
    else
      break;
  }
  std::string verb = at < arguments.size() ? arguments[at] : "";
  if (verb == "serve" && at + 1 == arguments.size()) {
    enter_jail(jail);
    return serve_standard_input();
  }
  if (verb == "exec" && at + 1 < arguments.size()) {
    enter_jail(jail);
    std::vector<char*> argv;
    for (size_t i = at + 1; i < arguments.size(); ++i)
      argv.push_back(const_cast<char*>(arguments[i].c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    throw Error(std::string(argv[0]) + ": " + strerror(errno), kExitCannotRun);
  }
  std::vector<std::string> rest(arguments.begin() + static_cast<ptrdiff_t>(at), arguments.end());
  if (verb == "report" && rest.size() > 2)
    return keep_door(jail, {rest.begin() + 2, rest.end()}, std::atoi(rest[1].c_str()));
  if (verb == "witness" && rest.size() > 4 && rest[1] == "--asked") {
    have_asked_listed(rest[2], rest[3]);
    rest.erase(rest.begin() + 1, rest.begin() + 4);
  }
  if (verb == "witness" && rest.size() > 1) return witness({rest.begin() + 1, rest.end()});
  const auto names = std::find(rest.begin(), rest.end(), "--");
  if (verb == "survey" && names - rest.begin() > 2) {
    const std::string said =
        survey_ptx(rest[1], {rest.begin() + 3, names}, {names + 1, rest.end()}, rest[2]);
    std::printf("%s\n", said.c_str());
    return 0;
  }
  if (verb == "other-code" && rest.size() == 3) {
    std::printf("%s\n", other_code(rest[1], rest[2]).c_str());
    return 0;
  }
  if (verb == "listing" && rest.size() == 2) {
    std::printf("%s\n", to_json(list_machine_code(rest[1])).c_str());
    return 0;
  }
  throw Error(kUsage);
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  try {
    return lockstep::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const lockstep::Error& e) {
    std::fprintf(stderr, "lockstep-runner: %s\n", e.what());
    return e.code();
  }
}
