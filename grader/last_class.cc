// SPDX-License-Identifier: Apache-2.0
// See last_class.h.
#include "grader/last_class.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/judge.h"
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

Graded not_graded_yet(const Rubric& rubric, const std::string& backend, const std::string& identity,
                      const std::string& name) {
  Graded g;
  g.homework = rubric.homework;
  g.backend = backend;
  g.submission = name;
  g.identity = identity;
  g.verdict = infra_error(rubric, "it has not been graded yet: grader run goes on where it ended");
  return g;
}

}  // namespace

std::vector<std::string> graded_backends(Store& store, const std::string& homework,
                                         const std::string& asked) {
  std::vector<std::string> backends = store.backends(homework);
  if (asked != "auto")
    std::erase_if(backends, [&](const std::string& backend) { return backend != asked; });
  if (backends.empty())
    throw Error(store.path() + ": there are no gradings of " + homework +
                (asked == "auto" ? "" : " on the " + asked) + "; grader run makes them");
  return backends;
}

LastClass last_class(Store& store, const Rubric& rubric, const std::string& backend) {
  const std::string& homework = rubric.homework;
  const std::string counting = backend_of(store, homework, backend);
  LastClass out{store.all_latest(homework, counting), 0};
  auto members = store.members(homework);
  if (members)
    out.absent = std::erase_if(out.gradings,
                               [&](const Graded& g) { return members->erase(g.identity) == 0; });
  if (out.gradings.empty())
    throw Error(store.path() + ": nobody of the last run's class has a grading of " + homework +
                (backend == "auto" ? "" : " on the backend " + backend));
  if (!members) return out;
  for (const auto& [identity, name] : *members)
    out.gradings.push_back(not_graded_yet(rubric, counting, identity, name));
  std::sort(out.gradings.begin(), out.gradings.end(), [](const Graded& a, const Graded& b) {
    return std::tie(a.submission, a.identity) < std::tie(b.submission, b.identity);
  });
  return out;
}

void require_results(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder + "/results.db", error))
    throw Error(shown_word(folder, 200) +
                ": there are no results in it; name the folder of grader run with -o");
}

}  // namespace lockstep::grader
