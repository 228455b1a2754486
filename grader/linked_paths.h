// SPDX-License-Identifier: Apache-2.0
// Links of an archive, and what lies behind them. A program that unpacks one after the other writes
// through a link, and where that ends up no path tells.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/unpacked_file.h"

namespace lockstep::grader {

struct Member;

class LinkedPaths {
 public:
  void add(const Member& member);
  // Throws Error where a member's path passes through another member that is no folder, or repeats
  // that of a link, on whatever file system, in whatever order, or where the path is not known and
  // there are links.
  void require_apart(const UnpackBudget& budget) const;

 private:
  struct Path {
    std::string path, shown;  // shown: of one whose path is not known
    bool link = false, folder = false;
  };
  std::vector<Path> paths_;
  bool links_ = false;
};

}  // namespace lockstep::grader
