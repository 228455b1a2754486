// SPDX-License-Identifier: Apache-2.0
// The members of an archive, one by one: zip through minizip, which gives the bytes of a name as
// they are (libarchive changes those of a zip to another normal form, or gives none); tar through
// libarchive, as a stream. Every byte that comes out of a decompressor is counted.
#pragma once

#include <functional>
#include <string>

namespace lockstep::grader {

struct Member {
  size_t number = 0;     // from 1, in the archive's order
  std::string path;      // "a/b.cu", from the archive's top; empty where there is a problem with it
  std::string raw;       // the bytes as they stand in the archive
  std::string problem;   // why nothing can be taken from it
  bool regular = false;  // no link, no device, not encrypted
  bool folder = false;
  // Reads it, up to a limit. Why that cannot be; empty: it is read.
  std::function<std::string(size_t most, std::string* into)> contents;
};

// "member 7 (ada.cu)"
std::string called(const Member& member);

// Calls `take` for each member. What is wrong with one is its problem alone; Error is thrown for
// a container that cannot be read, or not be read on within `expanded` bytes.
void walk_archive(const std::string& path, size_t expanded,
                  const std::function<void(const Member&)>& take);

}  // namespace lockstep::grader
