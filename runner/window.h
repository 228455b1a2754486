// SPDX-License-Identifier: Apache-2.0
// Memory that the remote backend and its runner share: arrays go through it, everything else
// through the socket. What the runner has put there may change at any time, so the trusted side
// copies it before it looks at it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runner/process.h"

namespace lockstep {

// Of the pieces in which arrays travel. Only what is used of it takes memory.
inline constexpr size_t kWindowBytes = 16 << 20;

class Window {
 public:
  // Of zeros, and of that size for ever: nobody can take it away below the other. Throws Error.
  static Window make();
  // The other end's. Throws Error where it is no whole window.
  explicit Window(UniqueFd fd);
  Window(Window&& other) noexcept;
  Window& operator=(Window&&) = delete;
  ~Window();

  uint8_t* data() const { return data_; }
  int fd() const { return fd_.get(); }

 private:
  UniqueFd fd_;
  uint8_t* data_ = nullptr;
};

}  // namespace lockstep
