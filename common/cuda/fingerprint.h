// SPDX-License-Identifier: Apache-2.0
// A number that tells arrays apart without reading them: results that were found right before need
// not come to the processor again. Made by a kernel of ours, which nothing times or counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/handles.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

class Fingerprint {
 public:
  // Of 4 * words bytes of device memory; waits for them. Equal words have equal numbers, and two
  // arrays that differ have the same one with a probability of about 2^-64.
  uint64_t of(CUdeviceptr data, uint64_t words, CUstream stream);

 private:
  void open();

  Library library_;
  CUfunction function_ = nullptr;
  Memory sum_;
};

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
