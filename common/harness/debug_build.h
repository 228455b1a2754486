// SPDX-License-Identifier: Apache-2.0
// The module that make builds with -G (hwNN-cuda-debug.ptx), for the emulator to watch where a
// result is wrong: its code stands in the line it was written in, where the optimised one has what
// several lines do in one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/backend/backend.h"

namespace lockstep {

class DebugBuild {
 public:
  // ptx: its file, "" for none; open: makes an emulator.
  DebugBuild(std::string ptx, std::function<std::unique_ptr<Backend>()> open)
      : ptx_(std::move(ptx)), open_(std::move(open)) {}

  // With the module loaded, from the first call on; nullptr where that cannot be.
  Backend* backend();

 private:
  std::string ptx_;
  std::function<std::unique_ptr<Backend>()> open_;
  std::unique_ptr<Backend> backend_;
  bool tried_ = false;
};

// The file beside a module; "" where there is none that is as new as the module and as the
// student's file beside it.
std::string debug_ptx_beside(const ModuleFiles& module, const std::string& student_file);

}  // namespace lockstep
