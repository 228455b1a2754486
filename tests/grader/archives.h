// SPDX-License-Identifier: Apache-2.0
// Archives for tests, with members of any name and kind.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

namespace lockstep::grader {

struct ArchiveMember {
  std::string path, contents = {};
  mode_t type = AE_IFREG;
  std::string link = {};
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
    if (!m.link.empty()) archive_entry_set_symlink(entry, m.link.c_str());
    archive_write_header(a, entry);
    archive_write_data(a, m.contents.data(), m.contents.size());
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
}

}  // namespace lockstep::grader
