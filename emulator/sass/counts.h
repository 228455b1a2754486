// SPDX-License-Identifier: Apache-2.0
// From what was executed to the counts that a card would show, whole and by source line.
#pragma once

#include <string>
#include <vector>

#include "common/backend/counts.h"
#include "emulator/sass/run.h"

namespace lockstep::emulator::sass {

// lines: also by source line, Code::lines. hangs_on_order: a value that depends on the order in
// which warps go on decided what was executed.
Counts counts_of(const Code& code, const Profile& profile, bool lines, bool* hangs_on_order);

// Where the machine code was not executed; what only a card has is said to be that.
Counts not_counted(const std::vector<std::string>& metrics, const std::string& why);

// Counts of `of` that are others in `other`, another order, are taken out of it: what they are is
// timing. Of traffic, a model that has an order of its own, those of `first` stay, unless accesses
// differ.
void keep_what_agrees(Counts* of, const Counts& other, const Counts& first);

}  // namespace lockstep::emulator::sass
