// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

// True where a debugger holds this process: it may stop it, and a kernel, for as long as it likes.
bool under_a_debugger();

}  // namespace lockstep
