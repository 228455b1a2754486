// SPDX-License-Identifier: Apache-2.0
// Opening a library's shared object. See course_library.h.
#include "common/cuda/course_library.h"

#include <dlfcn.h>

#include "common/base/error.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

CourseLibrary::~CourseLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

bool CourseLibrary::open(const std::string& file) {
  if (handle_ == nullptr) handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle_ != nullptr;
}

bool CourseLibrary::usable(const std::string& file) {
  if (!open(file)) return false;
  const auto missing = reinterpret_cast<int (*)()>(dlsym(handle_, "lockstep_library_missing"));
  return missing == nullptr || missing() == 0;
}

CourseLibrary::Function CourseLibrary::find(const std::string& file, const std::string& name) {
  if (!open(file)) throw Error(file + " cannot be opened: " + dlerror());
  const std::string symbol = "lockstep_library_" + name;
  void* const found = dlsym(handle_, symbol.c_str());
  if (found == nullptr) throw Error(file + " has no function " + symbol + "; run make");
  return reinterpret_cast<Function>(found);
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
