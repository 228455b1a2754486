// SPDX-License-Identifier: Apache-2.0
// See last_class.h.
#include "grader/last_class.h"

#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/names.h"

namespace lockstep::grader {
namespace {

std::string backend_of(Store& store, const std::string& homework, const std::string& asked) {
  const std::vector<std::string> backends = store.backends(homework);
  if (backends.empty())
    throw Error(store.path() + " has no gradings of " + homework + ": grader run makes them");
  if (asked != "auto") return asked;
  if (backends.size() > 1)
    throw Error(store.path() + ": " + homework +
                " was graded on gpu and on emulator: say which with --backend");
  return backends[0];
}

}  // namespace

LastClass last_class(Store& store, const std::string& homework, const std::string& backend) {
  LastClass out{store.all_latest(homework, backend_of(store, homework, backend)), 0};
  out.absent =
      std::erase_if(out.gradings, [](const Graded& g) { return g.submission.ends_with(kAbsent); });
  if (out.gradings.empty())
    throw Error(store.path() + ": nobody of the last run's class has a grading of " + homework +
                (backend == "auto" ? "" : " on the backend " + backend));
  return out;
}

void require_results(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder + "/results.db", error))
    throw Error(shown_word(folder, 200) +
                ": there are no results in it; name the folder of grader run with -o");
}

}  // namespace lockstep::grader
