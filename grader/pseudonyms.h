// SPDX-License-Identifier: Apache-2.0
// Stable names in the place of students' own, for pages and files that others see: made of the
// bytes of an identity and a secret that stays in the results folder, by a keyed hash. Without the
// secret nobody can tell whose one is, nor try names until one fits.
#pragma once

#include <map>
#include <set>
#include <string>

#include "grader/store.h"

namespace lockstep::grader {

// The secret of a results folder that is there: its file `pseudonym.key`, made at the first call,
// for its owner alone. Throws Error (kExitCannotRun) where it cannot be made or read, is a link, or
// holds something else.
std::string pseudonym_key(const std::string& results_folder);

// By identity: "student-7f3a9c", six digits of the keyed hash, or as many as tell it from all
// others of the set. So nobody's ever becomes another's when people come and go; at most it gets
// longer.
std::map<std::string, std::string> pseudonyms(const std::string& key,
                                              const std::set<std::string>& identities);

// The grading under a pseudonym: without identity and path, and without those of our messages that
// tell names of files (why a submission could not be taken, or this machine not grade it). What
// compilers and kernels said of it (`quoted`) and the text of its lines stay: they are the
// student's own words, a name in a comment among them.
Graded under_pseudonym(Graded graded, const std::string& pseudonym);

}  // namespace lockstep::grader
