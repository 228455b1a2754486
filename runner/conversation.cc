// SPDX-License-Identifier: Apache-2.0
// Talking with a runner that is not believed. See conversation.h.
#include "runner/conversation.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "runner/remote_backend.h"

namespace lockstep {

using wire::Op;
using wire::Reader;
using wire::Writer;

ErrorText::ErrorText() : fd_(memfd_create("runner-errors", MFD_CLOEXEC)) {}

std::string ErrorText::tail() const {
  if (fd_.get() < 0) return {};
  off_t size = lseek(fd_.get(), 0, SEEK_END);
  if (size <= 0) return {};
  std::string text(static_cast<size_t>(std::min<off_t>(size, 2048)), 0);
  ssize_t got = pread(fd_.get(), text.data(), text.size(), std::max<off_t>(0, size - 2048));
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

Conversation::Conversation(Channel channel, std::unique_ptr<ChildProcess> child, ErrorText errors,
                           double timeout_s)
    : channel_(std::move(channel)),
      child_(std::move(child)),
      errors_(std::move(errors)),
      timeout_s_(timeout_s) {}

Conversation::~Conversation() {
  channel_.close();
  if (child_ && !child_->wait_ended(0.5, nullptr)) child_->kill_tree();
}

void Conversation::die(const std::string& kind, const std::string& message) {
  if (child_) child_->kill_tree();
  channel_.close();
  if (!opened_) {
    std::string said = errors_.tail();
    throw Error("the runner did not start: " + message + (said.empty() ? "" : "\n" + said),
                kExitCannotRun);
  }
  death_.emplace(kind, FaultPlace{}, message);
  throw *death_;
}

void Conversation::die_closed() {
  int status = 0;
  if (!child_ || !child_->wait_ended(2, &status))
    die("crash", "the process that executes the kernels closed its connection");
  // A sandbox reports its child's signal as 128 + signal.
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (signal == 0 && code > 128 && code < 128 + 65) signal = code - 128;
  used_up_ = signal == SIGXCPU;
  if (used_up_) die("timeout", "the kernel used up its processor time");
  std::string how =
      signal != 0 ? "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")"
                  : "ended with exit code " + std::to_string(code);
  die("crash", "the process that executes the kernels " + how);
}

Reader Conversation::next_message(Op* op) {
  try {
    Reader reply(channel_.receive(monotonic_seconds() + timeout_s_));
    *op = static_cast<Op>(reply.u8());
    return reply;
  } catch (const ChannelTimeout&) {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g", timeout_s_);
    die("timeout", std::string("no end after ") + limit +
                       " s: an endless loop, or a wait for something that never happens");
  } catch (const ChannelClosed&) {
    die_closed();
  } catch (const ChannelGarbage& e) {
    die("protocol", std::string("the process that executes the kernels sent ") + e.what());
  }
}

// kOk passes; a reported fault or error is thrown; anything else is a lie.
void Conversation::finish_reply(Op op, Reader* reply) {
  if (op == Op::kOk) return;
  if (op == Op::kFault) {
    KernelFault fault = decode(*reply, [](Reader& r) { return wire::get_fault(r); });
    if (fatal_faults_) {
      if (child_) child_->kill_tree();
      channel_.close();
      death_.emplace(fault);
    }
    throw fault;
  }
  if (op == Op::kError) {
    auto [message, code] = decode(*reply, [](Reader& r) {
      std::string text = r.text();
      return std::make_pair(text, r.i32());
    });
    throw Error(message, static_cast<ExitCode>(code));
  }
  die("protocol", "the process that executes the kernels sent an unexpected message");
}

void Conversation::send(const Writer& message, int passed) {
  if (death_) throw *death_;
  try {
    channel_.send(message, monotonic_seconds() + timeout_s_, passed);
  } catch (const ChannelTimeout&) {
    die("timeout", "the process that executes the kernels takes no more requests");
  } catch (const ChannelClosed&) {
    die_closed();
  }
}

void Conversation::settle_commands() {
  while (commands_ > 0) {
    --commands_;
    Op op{};
    Reader reply = next_message(&op);
    try {
      finish_reply(op, &reply);
      decode(reply, [](Reader&) { return 0; });
    } catch (const Error&) {
      if (death_) throw;
      if (!failed_) failed_ = std::current_exception();
    }
  }
}

Reader Conversation::call(const Writer& request, int passed) {
  send(request, passed);
  settle_commands();
  Op op{};
  Reader reply = next_message(&op);
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  finish_reply(op, &reply);
  return reply;
}

void Conversation::run_hook(const std::function<void()>& hook, std::exception_ptr* thrown) {
  try {
    if (hook) hook();
    settle_commands();
    if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  } catch (...) {
    *thrown = std::current_exception();
  }
  if (death_) throw *death_;
  send(Writer(*thrown ? Op::kAbort : Op::kContinue));
}

size_t Conversation::pass_index(Reader* message, size_t launches) {
  uint32_t index = decode(*message, [](Reader& r) { return r.u32(); });
  if (index >= launches)
    die("protocol", "the process that executes the kernels announced a pass of no launch");
  return index;
}

Reader Conversation::call_with_passes(const Writer& request, const std::vector<PassHooks>& hooks,
                                      std::vector<int>* executed) {
  executed->assign(hooks.size(), 0);
  constexpr size_t kNone = SIZE_MAX;
  size_t open = kNone;  // the launch whose pass has begun
  std::exception_ptr thrown;
  settle_commands();
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  send(request);
  for (;;) {
    Op op{};
    Reader reply = next_message(&op);
    bool pass = op == Op::kBeforePass || op == Op::kAfterPass;
    if (!pass) {
      if (thrown) std::rethrow_exception(thrown);
      finish_reply(op, &reply);
      if (open != kNone) die("protocol", "the process that executes the kernels left a pass out");
      return reply;
    }
    size_t index = pass_index(&reply, hooks.size());
    if (op == Op::kBeforePass && open == kNone && !thrown && (*executed)[index] < kMaxPasses) {
      open = index;
      run_hook(hooks[index].before, &thrown);
    } else if (op == Op::kAfterPass && open == index && !thrown) {
      open = kNone;
      ++(*executed)[index];
      run_hook(hooks[index].after, &thrown);
    } else {
      die("protocol", "the process that executes the kernels announced impossible passes");
    }
  }
}

void Conversation::command(const Writer& request) {
  constexpr int kMostCommands = 16;  // the answers to so many fit any socket
  send(request);
  if (++commands_ >= kMostCommands) settle_commands();
}

}  // namespace lockstep
