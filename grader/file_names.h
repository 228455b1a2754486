// SPDX-License-Identifier: Apache-2.0
// What the name of a file means to the machines that it may come to: its ending, which tells the
// program that opens it, which names are one to some file system, and which are a program's and
// nobody's work. A name that some of them cannot hold as it is has a place and a name there that
// nobody knows here.
#pragma once

#include <cstddef>
#include <string>

namespace lockstep::grader {

// Bytes of a whole path: no file system holds a name that is nearly as long (255 units of UTF-16
// take 765), and to bring marks into order takes time by the square of their number.
inline constexpr size_t kLongestPath = 1024;

enum class Packing { kNone, kGzip, kBzip2, kXz, kZstd };

struct ArchiveKind {
  const char* ending;
  bool zip;         // else a tar,
  Packing packing;  // packed so as a whole
};

// As a person's program goes by the ending, in capitals as well; null: it is no archive.
const ArchiveKind* archive_kind(const std::string& name);

// "zip, tar, tar.gz", and so on: the kinds that are looked into.
std::string archive_kinds();

// Whether it is one here, to a file system that takes the name for another, or once some program
// has changed it (may_become).
bool may_be_archive(const std::string& path);

// "Alice.CU" has the ending ".cu".
bool has_ending(const std::string& name, const char* ending);

// "alice" of "alice.cu", "alice.tar.gz" and "alice".
std::string stem(const std::string& name);

// Text in which case, Unicode's compatible forms, what nobody sees and what Windows drops from the
// end ("a.cu. ", "a.cu:x") or cannot have ("a?b") make no difference: two names of one fold are one
// file to some machine. Of bytes that are no UTF-8, or too many, only the letters of ASCII are
// folded.
std::string folded(const std::string& name);

// Each part of a path so, and a slash behind each.
std::string folded_path(const std::string& path);

// The file beside which programs leave one of this name: "a/X" of a Macintosh's "a/._X", Emacs'
// "a/.#X", and of the stream "a/X:Zone.Identifier", which Windows keeps of what a browser saved;
// "" where there is none.
std::string companion_of(const std::string& path);

// Whether a file or folder of this name, where submissions lie, is none of them, unless it is a
// source or an archive: hidden ones, what Windows and a Macintosh keep in folders, and the file
// that Gradescope adds. The one list of such names; what lies beside a file of its name is told by
// companion_of().
inline constexpr char kGradescopeFile[] = "submission_metadata.yml";
bool is_left_by_programs(const std::string& name);

// Whether nothing of the path is anybody's work: it is hidden, or lies in a hidden folder or in
// what a Macintosh adds. `file_name` is never hidden, nor is what some machine takes for it.
bool is_hidden(const std::string& path, const std::string& file_name);

// Names, a line each, that desktops (GNOME's, KDE's) do not show of the folder that it lies in.
inline constexpr char kHidingList[] = ".hidden";
bool is_hiding_list(const std::string& path);

// Whether some program could unpack the path as one whose last part is `wanted`, or ends in it
// where it begins with a dot: by what it does to signs that not all programs keep as they are, in
// one of those or behind them. False where all keep the whole path, whatever its name. What they do
// is not listed: such a sign may become any other or none, or end the name, and in a folder's name
// move the file. Kept are printable characters of UTF-8 but ; : * ? " < > | and \, and no dots and
// blanks at an end.
bool may_become(const std::string& path, const std::string& wanted);
// Where such a sign stands in a folder's name.
bool may_be_moved(const std::string& path);

// Why some machine would give the path another name or place, or none; "" where all keep it.
std::string problem_of_name(const std::string& path);
// Whether that is so of its folders' names alone, and each stays one name: wherever it comes to,
// the file in it is called the same.
bool only_folders_change(const std::string& path);

}  // namespace lockstep::grader
