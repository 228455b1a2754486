// SPDX-License-Identifier: Apache-2.0
// grader backup: a results folder like the one that may be in use. See docs/store.md.
#include <cstdio>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/backup.h"
#include "grader/commands.h"
#include "grader/last_class.h"

namespace lockstep::grader {

int backup_command(const CommandOptions& options) {
  require_results(options.results);
  const Backup made = back_up(options.results, options.path);
  std::printf("%lld gradings, %lld bytes in %s\n", static_cast<long long>(made.gradings),
              static_cast<long long>(made.bytes), shown_word(options.path, 200).c_str());
  return kExitGood;
}

}  // namespace lockstep::grader
