// SPDX-License-Identifier: Apache-2.0
// Whom exports and pages are about: all of the last run's class, whether it came to them or not.
#include "grader/last_class.h"

#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/grader/export_class.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

void add(Store* store, const Rubric& rubric, const std::string& name, double points) {
  Graded g;
  g.homework = rubric.homework;
  g.submission = g.identity = name;
  g.backend = "emulator";
  g.verdict.kind = VerdictKind::kPass;
  g.verdict.points = points;
  store->add(&g, {}, {});
}

TEST(LastClass, HasThoseWhomARunThatWasEndedHasNotComeTo) {
  TemporaryFolder t;
  Store store(t.path());
  const Rubric rubric = class_rubric();
  EXPECT_THROW(last_class(store, rubric, "auto"), Error);
  for (const char* name : {"ada", "bob", "gone"}) add(&store, rubric, name, 50);
  add(&store, rubric, "bob", 60);
  EXPECT_EQ(last_class(store, rubric, "auto").gradings.size(), 3u) << "no class was told of";

  store.set_members(rubric.homework, {{"ada", "ada"}, {"bob", "bob"}, {"b", "becky"}});
  store.set_members("another", {{"eve", "eve"}});
  const LastClass found = last_class(store, rubric, "auto");
  EXPECT_EQ(found.absent, 1u);
  ASSERT_EQ(found.gradings.size(), 3u);
  EXPECT_EQ(found.gradings[0].submission, "ada");
  EXPECT_EQ(found.gradings[1].submission, "becky");
  EXPECT_EQ(found.gradings[1].identity, "b");
  EXPECT_EQ(found.gradings[1].verdict.kind, VerdictKind::kInfraError) << "no points, and no 0";
  EXPECT_EQ(found.gradings[1].verdict.max_points, rubric.points);
  EXPECT_EQ(found.gradings[2].verdict.points, 60);

  store.set_members(rubric.homework, {{"becky", "becky"}});
  EXPECT_THROW(last_class(store, rubric, "auto"), Error) << "nobody of them";
}

}  // namespace
}  // namespace lockstep::grader
