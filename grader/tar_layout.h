// SPDX-License-Identifier: Apache-2.0
// Whether a tar can be read in one way only. Programs stop at different ends, take one name of
// several, know other extensions; where that matters a person may see other files than we do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/unpacked_file.h"

namespace lockstep::grader {

// What POSIX (pax, "ustar") and GNU's long names make of a member, and nothing else.
struct TarMember {
  std::string name;
  uint64_t size = 0;
  char type = '0';  // of 0 to 6
};

// The members, in order. Each block must be a head with a right sum, contents of a size that is
// told once, or the end, behind which there is nothing. Throws Error where that is not so.
std::vector<TarMember> read_tar_layout(UnpackedFile* file, const UnpackBudget& budget);

// Whether the bytes begin with a head of a tar, as any reader knows one.
bool begins_as_tar(std::string_view bytes);

}  // namespace lockstep::grader
