// SPDX-License-Identifier: Apache-2.0
// The believing side of the talk with a runner process: requests, replies, passes, deadlines,
// and the end of a runner that dies, hangs or breaks the protocol. RemoteBackend puts the
// Backend interface on top of it.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/backend/backend.h"
#include "common/base/error.h"
#include "runner/channel.h"
#include "runner/process.h"

namespace lockstep {

// A child's standard error, kept in memory and read when the child has died.
class ErrorText {
 public:
  ErrorText();
  int fd() const { return fd_.get(); }
  std::string tail() const;

 private:
  UniqueFd fd_;
};

class Conversation {
 public:
  // `child` may be null: the other end is then served by this process (tests).
  Conversation(Channel channel, std::unique_ptr<ChildProcess> child, ErrorText errors,
               double timeout_s);
  ~Conversation();

  // One request and its reply, positioned after the operation byte. Throws the fault or error
  // that the runner reports, or the KernelFault of its death.
  // `passed`, unless -1: a descriptor that the runner is given.
  wire::Reader call(const wire::Writer& request, int passed = -1);
  // The same for a request during which the runner announces passes of its launches; runs
  // hooks[launch] for them. executed[launch] counts the passes that were gone through.
  wire::Reader call_with_passes(const wire::Writer& request, const std::vector<PassHooks>& hooks,
                                std::vector<int>* executed);
  // Applies `function` to a reply and checks that nothing is left; a malformed reply is the
  // runner's death.
  template <typename Function>
  auto decode(wire::Reader& reply, Function function) {
    try {
      auto value = function(reply);
      reply.end();
      return value;
    } catch (const Error& e) {
      die("protocol",
          std::string("bad message from the process that executes the kernels: ") + e.what());
    }
  }
  // A call whose reply is empty. It is sent and not waited for: what goes wrong is thrown by the
  // next call, which comes after it.
  void command(const wire::Writer& request);
  // Waits until all commands are done. A death is thrown at once, all else by the next call.
  void settle_commands();
  // Until then a death reads "the runner did not start".
  void set_opened() { opened_ = true; }
  // A fault that the runner reports is then its end as well: a GPU's context is of no more use.
  void set_fatal_faults() { fatal_faults_ = true; }
  // True once the runner has died: every call throws that fault.
  bool dead() const { return death_.has_value(); }
  // Whether it had used up the processor time that all of a submission's launches have together.
  bool used_up() const { return used_up_; }
  // Kills the runner; every later call throws this fault again.
  [[noreturn]] void die(const std::string& kind, const std::string& message);

 private:
  [[noreturn]] void die_closed();
  wire::Reader next_message(wire::Op* op);
  void finish_reply(wire::Op op, wire::Reader* reply);
  void send(const wire::Writer& message, int passed = -1);
  void run_hook(const std::function<void()>& hook, std::exception_ptr* thrown);
  size_t pass_index(wire::Reader* message, size_t launches);

  Channel channel_;
  std::unique_ptr<ChildProcess> child_;
  ErrorText errors_;
  double timeout_s_;
  int commands_ = 0;           // that have been sent and not answered
  std::exception_ptr failed_;  // what went wrong with one of them
  bool opened_ = false;
  bool fatal_faults_ = false;
  std::optional<KernelFault> death_;
  bool used_up_ = false;
};

}  // namespace lockstep
