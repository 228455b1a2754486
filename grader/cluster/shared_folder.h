// SPDX-License-Identifier: Apache-2.0
// A folder that several machines see, and no other user: files come into it whole or not at all,
// and where several want to make one, one of them does. It needs no locks and no clocks of the
// file system, only that link() and rename() are atomic, as NFS has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/process.h"

namespace lockstep::grader {

class SharedFolder {
 public:
  // Opens it; `make`: makes it (mode 0700) if it is not there. Throws Error where it is a link, not
  // this user's, or open to others: what lies in it would not be believed.
  SharedFolder(const std::string& path, bool make);

  const std::string& shown() const { return shown_; }
  // A path of a file in it, for this process alone: whatever becomes of the folder's name
  // meanwhile, it is the folder that was opened.
  std::string path(const std::string& name) const;

  void make_folder(const std::string& name) const;
  // A file that is not there yet, on disk when this returns. False: there is one already.
  bool put(const std::string& name, const std::string& bytes) const;
  // A file, in the place of the one that may be there.
  void replace(const std::string& name, const std::string& bytes) const;
  std::optional<std::string> get(const std::string& name, size_t most = size_t{256} << 20) const;
  bool has(const std::string& name) const;
  // Names of what lies in one of its folders, in order; nothing where that is not there.
  std::vector<std::string> list(const std::string& folder) const;
  void remove(const std::string& name) const;

 private:
  // "made", "written"; why: an errno.
  [[noreturn]] void cannot_be(const char* what, const std::string& name, int why) const;
  // A new file beside `name`, as path() gives it.
  std::string write_beside(const std::string& name, const std::string& bytes) const;

  std::string shown_;
  UniqueFd fd_;
};

}  // namespace lockstep::grader
