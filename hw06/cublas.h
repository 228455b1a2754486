// SPDX-License-Identifier: Apache-2.0
// Belongs to the instructor: what is used of cuBLAS, by its documented interface. It is opened when
// it is asked for, so that neither its headers nor the library need be there to compile.
#pragma once

#include <dlfcn.h>

namespace lockstep {

class Cublas {
 public:
  // Without reduced precision (CUBLAS_PEDANTIC_MATH).
  Cublas() {
    void* library = nullptr;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                             "/usr/local/cuda/lib64/libcublas.so"})
      if (library == nullptr) library = dlopen(name, RTLD_NOW);
    if (library == nullptr) return;
    const auto create = find<int (*)(void**)>(library, "cublasCreate_v2");
    const auto set_mode = find<int (*)(void*, int)>(library, "cublasSetMathMode");
    set_stream_ = find<int (*)(void*, void*)>(library, "cublasSetStream_v2");
    sgemm_ = find<Gemm>(library, "cublasSgemm_v2");
    dgemm_ = find<Gemm>(library, "cublasDgemm_v2");
    usable_ = create != nullptr && set_mode != nullptr && set_stream_ != nullptr &&
              sgemm_ != nullptr && dgemm_ != nullptr && create(&handle_) == 0 &&
              set_mode(handle_, kPedantic) == 0;
  }
  bool usable() const { return usable_; }

  // C = A * B, row after row, of floats or doubles on the device; enqueued. 0: all is well, else
  // cuBLAS's number. It has columns where we have rows, so it is asked for B' * A', which is C'.
  template <typename T>
  int multiply(T* c, const T* a, const T* b, int N, int R, int M, void* stream) const {
    const T one = 1, zero = 0;
    const int error = set_stream_(handle_, stream);
    if (error != 0) return error;
    return (sizeof(T) == 4 ? sgemm_ : dgemm_)(handle_, 0, 0, M, N, R, &one, b, M, a, R, &zero, c,
                                              M);
  }

 private:
  using Gemm = int (*)(void*, int, int, int, int, int, const void*, const void*, int, const void*,
                       int, const void*, void*, int);
  static constexpr int kPedantic = 2;

  template <typename Function>
  static Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
  }

  void* handle_ = nullptr;
  int (*set_stream_)(void*, void*) = nullptr;
  Gemm sgemm_ = nullptr, dgemm_ = nullptr;
  bool usable_ = false;
};

}  // namespace lockstep
