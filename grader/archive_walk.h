// SPDX-License-Identifier: Apache-2.0
// The members of an archive, one by one. What it is its name tells, as it does to a person's
// program, and contents of another kind are refused: zip through minizip, which gives the bytes of
// a name as they are (libarchive changes those of a zip to another normal form, or gives none); tar
// through libarchive, as a stream. No more bytes come out than were asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "grader/unpacked_file.h"

namespace lockstep::grader {

struct Member {
  size_t number = 0;     // from 1, in the archive's order
  std::string path;      // "a/b.cu", from the archive's top; empty where there is a problem with it
  std::string raw;       // the bytes as they stand in the archive
  std::string also;      // another path, which some programs give it; "" where there is none
  std::string problem;   // why nothing can be taken from it
  bool regular = false;  // no link, no device, not encrypted
  bool folder = false;
  bool link = false;    // symbolic or hard
  bool hidden = false;  // by an attribute or a flag; a folder: with all that is in it
  size_t size = 0;      // that the archive tells; contents() gives no more
  // Reads it, up to a limit. Why that cannot be; empty: it is read.
  std::function<std::string(size_t most, std::string* into)> contents;
};

// "member 7 (ada.cu)"
std::string called(const Member& member);

// What is wrong with a member.
inline constexpr char kNotRegular[] =
    "it is a link, encrypted, or another thing that is no regular file";
std::string too_large(size_t most);
// Sets path, or problem, from the bytes of the name.
void set_path(Member* member);
// Why a path cannot be that of a file here; "" where it can.
std::string problem_of_path(const std::string& path);

// Who may have chosen the bytes of the archive itself, not of its members alone.
enum class PackedBy { kStudent, kInstructor };
using TakeMember = std::function<void(const Member&)>;

// Calls `take` for each member. What is wrong with one is its problem alone; Error is thrown for
// a container that cannot be read, or of which something lies behind the end, or a student's that
// other programs could read in another way; PastBudget.
void walk_archive(const std::string& path, PackedBy by, const UnpackBudget& budget,
                  const TakeMember& take);

// Of an open file of the kind.
void walk_zip(int fd, const UnpackBudget& budget, const TakeMember& take);
void walk_tar(int fd, Packing packing, PackedBy by, const UnpackBudget& budget,
              const TakeMember& take);

}  // namespace lockstep::grader
