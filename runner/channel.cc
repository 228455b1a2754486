// SPDX-License-Identifier: Apache-2.0
// Framed messages over a socket, with deadlines. See channel.h.
#include "runner/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lockstep {

namespace {

// The room for one descriptor beside a message.
union Beside {
  cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
};

// recv(), and the descriptor that comes with the first byte.
ssize_t receive_with(int socket, uint8_t* data, size_t bytes, UniqueFd* passed) {
  iovec part{data, bytes};
  Beside beside{};
  msghdr whole{};
  whole.msg_iov = &part;
  whole.msg_iovlen = 1;
  whole.msg_control = &beside;
  whole.msg_controllen = sizeof beside;
  const ssize_t got = ::recvmsg(socket, &whole, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  const cmsghdr* head = got > 0 ? CMSG_FIRSTHDR(&whole) : nullptr;
  if (head != nullptr && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(head), sizeof fd);
    *passed = UniqueFd(fd);
  }
  return got;
}

}  // namespace

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

void Channel::receive_bytes(uint8_t* data, size_t bytes, double deadline, UniqueFd* passed) {
  while (bytes > 0) {
    const ssize_t got = passed != nullptr ? receive_with(fd_.get(), data, bytes, passed)
                                          : ::recv(fd_.get(), data, bytes, MSG_DONTWAIT);
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

void Channel::send(const wire::Writer& message, double deadline, int passed) {
  uint64_t length = message.bytes().size();
  uint8_t head[sizeof length];
  std::memcpy(head, &length, sizeof length);
  iovec parts[] = {{head, sizeof head}, {const_cast<uint8_t*>(message.bytes().data()), length}};
  msghdr whole{};
  whole.msg_iov = parts;
  whole.msg_iovlen = 2;
  Beside beside{};
  if (passed != -1) {
    beside.head.cmsg_level = SOL_SOCKET;
    beside.head.cmsg_type = SCM_RIGHTS;
    beside.head.cmsg_len = CMSG_LEN(sizeof passed);
    std::memcpy(CMSG_DATA(&beside.head), &passed, sizeof passed);
    whole.msg_control = &beside;
    whole.msg_controllen = sizeof beside;
    wait(POLLOUT, deadline);
  }
  const ssize_t sent = ::sendmsg(fd_.get(), &whole, MSG_NOSIGNAL | MSG_DONTWAIT);
  const size_t done = sent > 0 ? static_cast<size_t>(sent) : 0;  // send_bytes tells what went wrong
  if (done < sizeof head) send_bytes(head + done, sizeof head - done, deadline);
  const size_t of_body = done - std::min(done, sizeof head);
  send_bytes(message.bytes().data() + of_body, length - of_body, deadline);
}

std::vector<uint8_t> Channel::receive(double deadline, UniqueFd* passed) {
  uint64_t length = 0;
  uint8_t head[sizeof length];
  receive_bytes(head, sizeof head, deadline, passed);
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
