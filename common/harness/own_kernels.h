// SPDX-License-Identifier: Apache-2.0
// Which kernels a homework program runs: those of --module, else of the module beside it, unless
// the student's file has changed since that was made.
#pragma once

#include <string>

#include "common/backend/backend.h"

namespace lockstep {

// asked: what --module says, "" where it is not given; executable: the program's file. Throws Error
// where there is no module, with kExitCannotRun where that is for make to mend: there is none
// beside the program, or the student's file beside it is newer. Where nothing can be written, make
// could do nothing, and nobody has changed anything: what is there is run.
ModuleFiles kernels_to_run(const std::string& asked, const std::string& executable,
                           const std::string& student_file);

}  // namespace lockstep
