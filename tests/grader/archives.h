// SPDX-License-Identifier: Apache-2.0
// Archives for tests, with members of any name and kind.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lockstep::grader {

struct ArchiveMember {
  std::string path, contents = {};
  mode_t type = AE_IFREG;
  std::string link = {};
  bool hard = false;                         // the link
  std::string flags = {}, finder_info = {};  // of a tar
};

inline void make_archive(const std::string& path, const std::vector<ArchiveMember>& members,
                         bool zip) {
  archive* a = archive_write_new();
  if (zip) {
    archive_write_set_format_zip(a);
  } else {
    archive_write_set_format_pax_restricted(a);
    archive_write_add_filter_gzip(a);
  }
  ASSERT_EQ(archive_write_open_filename(a, path.c_str()), ARCHIVE_OK);
  for (const ArchiveMember& m : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, m.path.c_str());
    archive_entry_set_filetype(entry, m.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(m.contents.size()));
    if (!m.link.empty() && m.hard) archive_entry_set_hardlink(entry, m.link.c_str());
    if (!m.link.empty() && !m.hard) archive_entry_set_symlink(entry, m.link.c_str());
    if (!m.flags.empty()) archive_entry_copy_fflags_text(entry, m.flags.c_str());
    if (!m.finder_info.empty())
      archive_entry_xattr_add_entry(entry, "com.apple.FinderInfo", m.finder_info.data(),
                                    m.finder_info.size());
    archive_write_header(a, entry);
    archive_write_data(a, m.contents.data(), m.contents.size());
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
}

// Sets the flag "this name is UTF-8" (APPNOTE.TXT 4.4.4, bit 11) for each member of a zip.
inline void mark_as_utf8(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  for (size_t at = 0; at + 10 < bytes.size(); ++at) {
    if (bytes.compare(at, 4, "PK\3\4") == 0) bytes[at + 7] |= 8;
    if (bytes.compare(at, 4, "PK\1\2") == 0) bytes[at + 9] |= 8;
  }
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace lockstep::grader
