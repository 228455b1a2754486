// SPDX-License-Identifier: Apache-2.0
// Reads PTX text. The whole text comes from outside: any fault in it is an Error "NAME:LINE: what",
// memory stays within a small multiple of the text, and no input recurses deeply.
#pragma once

#include <string>
#include <string_view>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// name stands in messages: the file's path.
Module parse_ptx(std::string text, const std::string& name = "PTX");
// Reads a file of at most 256 MiB.
Module read_ptx_file(const std::string& path);

}  // namespace lockstep::emulator
