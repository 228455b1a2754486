// SPDX-License-Identifier: Apache-2.0
// What is kept from sitting to sitting, in build/reference/: what nvcc says of its steps, and the
// solution's module. Names hold a hash of all that the content follows from, this program included,
// so nothing has to be called stale. Where a folder cannot be written, all is made anew.
#pragma once

#include <optional>
#include <string>

#include "common/backend/backend.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

// ".../build/reference/WHAT-HASH" for all that the content follows from.
std::string kept_path(const Toolchain& tools, const std::string& what, const std::string& from);

// A text; nullopt: it is not kept, is not what was kept, or cannot be read. Never throws for it.
std::optional<std::string> kept_text(const std::string& path);
void keep_text(const std::string& path, const std::string& text);

// A module, as FOLDER/NAME.ptx and .cubin with a hash beside them; whole or not at all. Gives the
// PTX's path.
std::optional<std::string> kept_module(const std::string& folder, const std::string& name);
void keep_module(const ModuleFiles& files, const std::string& folder, const std::string& name);

}  // namespace lockstep::grader
