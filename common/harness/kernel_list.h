// SPDX-License-Identifier: Apache-2.0
// The one list of a homework's kernels: hwNN/instances.cu, whose lines KERNEL(name, arguments...)
// are instantiations to the compiler of device code and ListedKernels to the program, which
// includes it in the middle of a list:
//   #define KERNEL(name, ...) listed_kernel(#name, #__VA_ARGS__),
//   #include "hw02/instances.cu"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct ListedKernel {
  std::string name;                    // KernelInfo::name: "norm_group<8,8>"
  std::string function;                // "norm_group"
  std::vector<std::string> arguments;  // {"8", "8"}; without spaces
  // A template argument as a number. Throws Error where it is none.
  int64_t number(size_t argument) const;
};

// `arguments` as they stand in the source, between commas; "" for a kernel that is no template.
ListedKernel listed_kernel(const std::string& function, const std::string& arguments);

}  // namespace lockstep
