// SPDX-License-Identifier: Apache-2.0
// The shared object of a homework's library.cu: what a library does for the same problem, enqueued
// by the instructor's host code (BackendOptions::library). Nothing of a student's is ever in it.
#pragma once

#include <string>

#include "common/cuda/driver.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

class CourseLibrary {
 public:
  using Function = int (*)(void** arguments, CUstream stream);

  CourseLibrary() = default;
  ~CourseLibrary();
  CourseLibrary(const CourseLibrary&) = delete;
  CourseLibrary& operator=(const CourseLibrary&) = delete;

  // lockstep_library_NAME of the file, which is opened for the first one. Throws Error.
  Function find(const std::string& file, const std::string& name);
  // Whether what the file's functions need is on this machine: lockstep_library_missing(), if it
  // has one, says 0. False where the file cannot be opened.
  bool usable(const std::string& file);

 private:
  bool open(const std::string& file);

  void* handle_ = nullptr;
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
