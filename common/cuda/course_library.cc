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

CourseLibrary::Function CourseLibrary::find(const std::string& file, const std::string& name) {
  if (handle_ == nullptr) handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw Error(file + " cannot be opened: " + dlerror());
  const std::string symbol = "lockstep_library_" + name;
  void* const found = dlsym(handle_, symbol.c_str());
  if (found == nullptr) throw Error(file + " has no function " + symbol + "; run make");
  return reinterpret_cast<Function>(found);
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
