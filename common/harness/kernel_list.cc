// SPDX-License-Identifier: Apache-2.0
// Names out of source text. See kernel_list.h.
#include "common/harness/kernel_list.h"

#include <charconv>
#include <utility>

#include "common/base/error.h"

namespace lockstep {

int64_t ListedKernel::number(size_t argument) const {
  const std::string& text = arguments.at(argument);
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    throw Error("instances.cu: " + name + ": " + text + " is no number");
  return value;
}

ListedKernel listed_kernel(const std::string& function, const std::string& arguments) {
  ListedKernel kernel;
  kernel.function = function;
  std::string argument;
  for (const char c : arguments) {
    if (c == ' ') continue;
    if (c == ',') kernel.arguments.push_back(std::exchange(argument, {}));
    if (c != ',') argument += c;
  }
  if (!argument.empty()) kernel.arguments.push_back(argument);
  std::string joined;
  for (const std::string& a : kernel.arguments) joined += (joined.empty() ? "" : ",") + a;
  kernel.name = joined.empty() ? function : function + "<" + joined + ">";
  return kernel;
}

}  // namespace lockstep
