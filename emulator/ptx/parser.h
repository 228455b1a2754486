// SPDX-License-Identifier: Apache-2.0
// Reads PTX text, which comes from outside: any text is a Module or an Error "NAME:LINE: what",
// memory stays within a small multiple of the text, and no input recurses deeply. What is not
// understood of a function marks the function; only text that is cut short, or holds what no PTX
// does, is an Error.
#pragma once

#include <string>
#include <string_view>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// name stands in messages: the file's path.
Module parse_ptx(std::string text, const std::string& name = "PTX");
// Reads a file of at most 256 MiB. Messages and Module::name have its name without folders.
Module read_ptx_file(const std::string& path);

}  // namespace lockstep::emulator
