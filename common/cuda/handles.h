// SPDX-License-Identifier: Apache-2.0
// One owner for each thing that the driver hands out. All are move-only, and release nothing once
// the context is lost (see Driver::lost).
#pragma once

#include <utility>

#include "common/cuda/driver.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

// A handle that Release gives back. The empty handle is T{}.
template <typename T, void (*Release)(T) noexcept>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, T{});
    }
    return *this;
  }
  ~Handle() { reset(); }
  void reset() noexcept {
    if (value_ != T{}) Release(std::exchange(value_, T{}));
  }
  T get() const { return value_; }

 private:
  T value_{};
};

inline void release_memory(CUdeviceptr p) noexcept { LOCKSTEP_CU_NOTHROW(cuMemFree, p); }
inline void release_stream(CUstream s) noexcept { LOCKSTEP_CU_NOTHROW(cuStreamDestroy, s); }
inline void release_event(CUevent e) noexcept { LOCKSTEP_CU_NOTHROW(cuEventDestroy, e); }
inline void release_library(CUlibrary l) noexcept { LOCKSTEP_CU_NOTHROW(cuLibraryUnload, l); }

inline void release_link(CUlinkState s) noexcept { LOCKSTEP_CU_NOTHROW(cuLinkDestroy, s); }

using Memory = Handle<CUdeviceptr, release_memory>;
using Stream = Handle<CUstream, release_stream>;
using Event = Handle<CUevent, release_event>;
using Library = Handle<CUlibrary, release_library>;
using Link = Handle<CUlinkState, release_link>;

// The device's primary context, current on the thread that made this.
class PrimaryContext {
 public:
  explicit PrimaryContext(CUdevice device) : device_(device) {
    LOCKSTEP_CU(cuDevicePrimaryCtxRetain, &context_, device);
    LOCKSTEP_CU(cuCtxSetCurrent, context_);
  }
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext() { LOCKSTEP_CU_NOTHROW(cuDevicePrimaryCtxRelease, device_); }
  CUcontext get() const { return context_; }

 private:
  CUdevice device_;
  CUcontext context_ = nullptr;
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
