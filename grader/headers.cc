// SPDX-License-Identifier: Apache-2.0
// The standard library's headers are those that C++20 names, and POSIX's clocks.
#include "grader/headers.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace lockstep::grader {
namespace {

constexpr char kStandard[] = R"(
algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts
condition_variable coroutine deque exception execution filesystem format forward_list fstream
functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list
locale map memory memory_resource mutex new numbers numeric optional ostream queue random ranges
ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept
stop_token streambuf string string_view syncstream system_error thread tuple type_traits typeindex
typeinfo unordered_map unordered_set utility valarray variant vector version
cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef
cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h
setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h
string.h tgmath.h time.h uchar.h wchar.h wctype.h unistd.h sys/time.h)";

bool is_permitted(const std::string& name, const std::vector<std::string>& permitted) {
  static const std::set<std::string> standard = [] {
    std::istringstream words(kStandard);
    std::set<std::string> names;
    for (std::string word; words >> word;) names.insert(word);
    return names;
  }();
  return standard.count(name) > 0 ||
         std::any_of(permitted.begin(), permitted.end(), [&](const std::string& pattern) {
           return !pattern.empty() && pattern.back() == '*'
                      ? name.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0
                      : name == pattern;
         });
}

}  // namespace

std::vector<std::string> default_headers() {
  return {"cooperative_groups.h", "cooperative_groups/*", "cuda_fp16.h",     "cuda_bf16.h",
          "cuda_fp8.h",           "cuda/std/*",           "curand_kernel.h", "cub/*"};
}

std::vector<std::string> headers_to_read_first(const std::string& source,
                                               const std::vector<std::string>& permitted) {
  constexpr size_t kLongest = 80, kMost = 100;
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  std::vector<std::string> names;
  for (size_t at = 0; at < source.size() && names.size() < kMost; ++at) {
    if (source[at] != '<' && source[at] != '"') continue;
    const size_t end = source.find_first_not_of(kLetters, at + 1);
    if (end == std::string::npos || end - at > kLongest) continue;
    if (source[end] != (source[at] == '<' ? '>' : '"')) continue;
    std::string name = source.substr(at + 1, end - at - 1);
    if (name.find("..") == std::string::npos && is_permitted(name, permitted) &&
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

}  // namespace lockstep::grader
