// SPDX-License-Identifier: Apache-2.0
// The members of an archive, one by one: zip through minizip, which gives the bytes of a name as
// they are (libarchive changes those of a zip to another normal form, or gives none); tar through
// libarchive, as a stream. No more bytes come out than were asked for.
#pragma once

#include <cstdint>
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
  size_t size = 0;  // that the archive tells; contents() gives no more
  // Reads it, up to a limit. Why that cannot be; empty: it is read.
  std::function<std::string(size_t most, std::string* into)> contents;
};

// "member 7 (ada.cu)"
std::string called(const Member& member);

// What is wrong with a member.
inline constexpr char kNotRegular[] =
    "it is a link, encrypted, or another thing that is no regular file";
std::string too_large(size_t most);
// Why a path cannot be that of a file here; "" where it can.
std::string problem_of_path(const std::string& path, int most_depth);
// What a Macintosh adds to the files.
bool is_litter(const std::string& path);

// For an archive that the instructor made, of any size.
inline constexpr size_t kUnbounded = SIZE_MAX;

// Calls `take` for each member. What is wrong with one is its problem alone; Error is thrown for
// a container that cannot be read, or a tar that cannot be read on within `expanded` bytes,
// or, where that is bounded, for a zip that other programs could read in another way.
void walk_archive(const std::string& path, size_t expanded,
                  const std::function<void(const Member&)>& take);

}  // namespace lockstep::grader
