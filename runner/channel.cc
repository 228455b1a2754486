// SPDX-License-Identifier: Apache-2.0
// Framed messages over a socket, with deadlines. See channel.h.
#include "runner/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lockstep {

void Channel::wait(short events, double deadline) {
  for (;;) {
    int timeout_ms = -1;
    if (deadline > 0) {
      double left = deadline - monotonic_seconds();
      if (left <= 0) throw ChannelTimeout();
      timeout_ms = static_cast<int>(std::min(left * 1000 + 1, 1e6));
    }
    pollfd item{fd_.get(), events, 0};
    int ready = poll(&item, 1, timeout_ms);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw ChannelClosed();
  }
}

void Channel::send_bytes(const uint8_t* data, size_t bytes, double deadline) {
  while (bytes > 0) {
    ssize_t sent = ::send(fd_.get(), data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      wait(POLLOUT, deadline);
    } else if (sent < 0 && errno != EINTR) {
      throw ChannelClosed();
    } else if (sent > 0) {
      data += sent;
      bytes -= static_cast<size_t>(sent);
    }
  }
}

void Channel::receive_bytes(uint8_t* data, size_t bytes, double deadline) {
  while (bytes > 0) {
    ssize_t got = ::recv(fd_.get(), data, bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      wait(POLLIN, deadline);
    } else if (got == 0 || (got < 0 && errno != EINTR)) {
      throw ChannelClosed();
    } else if (got > 0) {
      data += got;
      bytes -= static_cast<size_t>(got);
    }
  }
}

void Channel::send(const wire::Writer& message, double deadline) {
  uint64_t length = message.bytes().size();
  uint8_t head[sizeof length];
  std::memcpy(head, &length, sizeof length);
  iovec parts[] = {{head, sizeof head}, {const_cast<uint8_t*>(message.bytes().data()), length}};
  msghdr whole{};
  whole.msg_iov = parts;
  whole.msg_iovlen = 2;
  const ssize_t sent = ::sendmsg(fd_.get(), &whole, MSG_NOSIGNAL | MSG_DONTWAIT);
  const size_t done = sent > 0 ? static_cast<size_t>(sent) : 0;  // send_bytes tells what went wrong
  if (done < sizeof head) send_bytes(head + done, sizeof head - done, deadline);
  const size_t of_body = done - std::min(done, sizeof head);
  send_bytes(message.bytes().data() + of_body, length - of_body, deadline);
}

std::vector<uint8_t> Channel::receive(double deadline) {
  uint64_t length = 0;
  uint8_t head[sizeof length];
  receive_bytes(head, sizeof head, deadline);
  std::memcpy(&length, head, sizeof length);
  if (length == 0 || length > most_bytes_)
    throw ChannelGarbage("a message of " + std::to_string(length) + " bytes");
  // Memory grows with what really arrives, not with what was announced.
  std::vector<uint8_t> bytes;
  while (bytes.size() < length) {
    size_t had = bytes.size();
    size_t piece = std::min<size_t>(length - had, 1 << 20);
    bytes.resize(had + piece);
    receive_bytes(bytes.data() + had, piece, deadline);
  }
  return bytes;
}

}  // namespace lockstep
