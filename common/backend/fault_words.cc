// SPDX-License-Identifier: Apache-2.0
#include "common/backend/fault_words.h"

#include <map>

namespace lockstep {

namespace {

const std::map<std::string, std::string>& words_of_kinds() {
  static const std::map<std::string, std::string> words = {
      {"assert", "an assertion fails"},
      {"bad_mask", "the mask of a warp operation does not fit the lanes that execute it"},
      {"crash", "the process that executes the kernels ended"},
      {"deadlock", "threads wait for each other for ever"},
      {"divergent_barrier", "some threads of a block miss a barrier that others wait at"},
      {"illegal_address", "an address is used that is none"},
      {"launch_failed", "the launch fails"},
      {"misaligned", "an address is not a multiple of the size of what is there"},
      {"null_pointer", "a null pointer is used"},
      {"out_of_bounds", "it reaches outside of an array"},
      {"out_of_memory", "it needs more memory than there is"},
      {"protocol", "the process that executes the kernels did not answer as it should"},
      {"race", "threads race for the same memory"},
      {"read_only", "it writes to what is only to be read"},
      {"timeout", "it does not end in time"},
      {"too_slow", "it is too slow or does not end"},
      {"trap", "it executes a trap or an illegal instruction"},
      {"uninitialized", "it reads what nothing has written"},
      {"unsupported", "it uses what is not supported here"},
  };
  return words;
}

}  // namespace

std::string fault_words(const std::string& kind) {
  const auto found = words_of_kinds().find(kind);
  return found == words_of_kinds().end() ? "it is stopped" : found->second;
}

bool is_of_kernel(const std::string& kind) {
  for (const char* one :
       {"assert", "bad_mask", "divergent_barrier", "illegal_address", "misaligned", "null_pointer",
        "out_of_bounds", "race", "read_only", "trap"})
    if (kind == one) return true;
  return is_of_other_blocks(kind);
}

bool is_of_other_blocks(const std::string& kind) {
  return kind == "deadlock" || kind == "uninitialized";
}

std::vector<std::string> fault_kinds() {
  std::vector<std::string> kinds;
  for (const auto& [kind, words] : words_of_kinds()) kinds.push_back(kind);
  return kinds;
}

std::string fault_place(const std::string& file, int line, const std::string& student_file) {
  static constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
  constexpr size_t kLongest = 200;
  if (line < 1 || file.substr(file.rfind('/') + 1) != student_file) return {};
  const bool plain = file.size() <= kLongest && file.find_first_not_of(kPlain) == std::string::npos;
  return (plain ? file : student_file) + ":" + std::to_string(line) + ": ";
}

}  // namespace lockstep
