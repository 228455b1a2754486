// SPDX-License-Identifier: Apache-2.0
// What decides a verdict besides the submission, in two parts: what its execution depends on, so
// that other records would come of a change, and the rubric's text, by which records are judged.
#pragma once

#include <map>
#include <string>

#include "grader/rubric.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

// What building and executing depend on, but for the launches, which follow from rubric and seed
// (plan.h): by what it is called in a sentence, its text or its SHA-256.
using ExecutionParts = std::map<std::string, std::string>;

// `tools.arch` is the machine's; `cage` is Sandbox::weakness(). Throws Error where a program that
// grades cannot be read.
ExecutionParts execution_parts(const Rubric& rubric, const Toolchain& tools,
                               const std::string& cage);

// SHA-256 of the parts, and of these with the rubric: Graded's execution_hash and config_hash.
std::string execution_hash(const ExecutionParts& parts);
std::string config_hash(const Rubric& rubric, const ExecutionParts& parts);

// As the store keeps them. Reading throws Error where the text is none.
std::string parts_to_json(const ExecutionParts& parts);
ExecutionParts parts_from_json(const std::string& text);

// Those that differ or are in one alone: "the compiler, the solution"; "" where all are alike.
std::string differing_parts(const ExecutionParts& before, const ExecutionParts& now);

// A file's text; "" where the path is empty or there is none.
std::string file_or_nothing(const std::string& path);

}  // namespace lockstep::grader
