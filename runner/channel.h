// SPDX-License-Identifier: Apache-2.0
// Messages over a stream socket: a length, then that many bytes. Each end may set a deadline and
// a bound on what it takes, so the other end can neither stall it nor fill its memory.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "runner/process.h"
#include "runner/wire.h"

namespace lockstep {

// The peer closed the socket, or the deadline passed.
class ChannelClosed : public std::runtime_error {
 public:
  ChannelClosed() : std::runtime_error("the other end has closed") {}
};
class ChannelTimeout : public std::runtime_error {
 public:
  ChannelTimeout() : std::runtime_error("no answer in time") {}
};
class ChannelGarbage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Channel {
 public:
  Channel(UniqueFd fd, size_t most_bytes) : fd_(std::move(fd)), most_bytes_(most_bytes) {}
  // `deadline` is a time of monotonic_seconds(); 0 waits for ever.
  // `passed`, unless -1: a descriptor that the other end is given with it.
  void send(const wire::Writer& message, double deadline = 0, int passed = -1);
  // The whole next message, operation byte included. A descriptor that comes with it goes to
  // `passed`, or nowhere.
  std::vector<uint8_t> receive(double deadline = 0, UniqueFd* passed = nullptr);
  int fd() const { return fd_.get(); }
  void close() { fd_.reset(); }

 private:
  void wait(short events, double deadline);
  void send_bytes(const uint8_t* data, size_t bytes, double deadline);
  void receive_bytes(uint8_t* data, size_t bytes, double deadline, UniqueFd* passed = nullptr);

  UniqueFd fd_;
  size_t most_bytes_;
};

}  // namespace lockstep
