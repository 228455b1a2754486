// SPDX-License-Identifier: Apache-2.0
// What a line of a source names: for --trace, which shows it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// In the order in which they stand there, each once: names, and names with what is indexed or
// picked of them ("thd_sum[j]", "p.x"), but for what is called. Of a statement that goes on in the
// next lines these count, too; comments and literals do not. Empty where there is no such line.
std::vector<std::string> names_of_line(std::string_view source, int line);

// The line's text; "" where there is none.
std::string source_line(std::string_view source, int line);
int count_lines(std::string_view source);

}  // namespace lockstep
