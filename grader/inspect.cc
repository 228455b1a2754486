// SPDX-License-Identifier: Apache-2.0
// Scanning source and PTX for what the policy forbids. See inspect.h.
#include "grader/inspect.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string_view>

#include "grader/strip_source.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostBreaches = 20;

// Calls `visit(line_number, text)` for each line.
template <typename Visit>
void each_line(std::string_view text, Visit visit) {
  int number = 1;
  for (size_t at = 0; at < text.size(); ++number) {
    size_t end = std::min(text.find('\n', at), text.size());
    visit(number, text.substr(at, end - at));
    at = end + 1;
  }
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool has_word(std::string_view s, std::string_view word) {
  auto part = [&](size_t i) {
    return i < s.size() && (std::isalnum(static_cast<unsigned char>(s[i])) || s[i] == '_');
  };
  for (size_t at = s.find(word); at != std::string_view::npos; at = s.find(word, at + 1))
    if ((at == 0 || !part(at - 1)) && !part(at + word.size())) return true;
  return false;
}

std::string_view skip_blanks(std::string_view s) {
  size_t i = 0;
  while (i < s.size() && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r')) ++i;
  return s.substr(i);
}

std::string_view first_word(std::string_view s) {
  size_t i = 0;
  while (i < s.size() && (std::isalnum(static_cast<unsigned char>(s[i])) || s[i] == '_')) ++i;
  return s.substr(0, i);
}

bool allowed_directive(std::string_view word) {
  for (const char* name : {"", "define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef",
                           "elifndef", "else", "endif", "include", "pragma", "error", "warning"})
    if (word == name) return true;
  return false;
}

void check_include(int line, std::string_view rest, std::vector<Breach>* breaches) {
  rest = skip_blanks(rest);
  if (rest.empty() || (rest[0] != '<' && rest[0] != '"')) {
    breaches->push_back({line, "#include of a macro's expansion"});
    return;
  }
  size_t end = rest.find(rest[0] == '<' ? '>' : '"', 1);
  std::string name(rest.substr(1, end == std::string_view::npos ? end : end - 1));
  if (name.empty() || name[0] == '/' || name[0] == '~' || name.find("..") != std::string::npos)
    breaches->push_back({line, "#include of a file that is not yours: " + name.substr(0, 80)});
}

}  // namespace

std::vector<Breach> inspect_source(const std::string& source) {
  std::vector<Breach> breaches;
  // A byte order mark is no part of the first line.
  std::string stripped =
      strip_source(source.rfind("\xef\xbb\xbf", 0) == 0 ? source.substr(3) : source);
  each_line(stripped, [&](int number, std::string_view text) {
    text = skip_blanks(text);
    if (breaches.size() >= kMostBreaches || text.empty()) return;
    if (text.substr(0, 1) == "#")
      text = text.substr(1);
    else if (text.substr(0, 2) == "%:" || text.substr(0, 3) == "?\?=")
      text = text.substr(text[0] == '%' ? 2 : 3);
    else
      return;
    text = skip_blanks(text);
    std::string_view word = first_word(text);
    if (!allowed_directive(word) || (word.empty() && !text.empty()))
      breaches.push_back({number, "#" + std::string(text.substr(0, 40))});
    else if (word == "include")
      check_include(number, text.substr(word.size()), &breaches);
  });
  return breaches;
}

std::vector<Breach> inspect_preprocessed(const std::string& text, const std::string& student_file,
                                         const std::string& toolkit) {
  std::vector<Breach> breaches;
  std::string stripped = strip_source(text);
  bool system = true, own = false;
  int line = 0;
  each_line(stripped, [&](int, std::string_view s) {
    ++line;
    if (s.substr(0, 2) == "# ") {
      size_t open = s.find('"'), close = s.rfind('"');
      if (open == std::string_view::npos || close <= open) return;
      std::string file(s.substr(open + 1, close - open - 1));
      system = file.rfind(toolkit + "/", 0) == 0 || file.rfind("/usr/", 0) == 0;
      own = ends_with(file, student_file);
      line = std::atoi(std::string(s.substr(2, open - 2)).c_str()) - 1;
      return;
    }
    if (system || breaches.size() >= kMostBreaches) return;
    for (const char* word : {"asm", "__asm", "__asm__"})
      if (has_word(s, word)) {
        breaches.push_back({own ? line : 0, "inline assembly"});
        return;
      }
  });
  return breaches;
}

namespace {

// What a scan of PTX has seen of the place it is at.
struct PtxScan {
  const Policy& policy;
  std::map<int, std::string> files;                 // .file table (comes at the end)
  std::map<std::string, std::pair<int, int>> used;  // forbidden operation -> (file, line)
  std::string too_large;
  int file = 0, line = 0;
  int64_t global_bytes = 0;
};

void take_loc(std::string_view text, PtxScan* scan) {
  char* end = nullptr;
  std::string copy(text.substr(0, 64));
  scan->file = static_cast<int>(std::strtol(copy.c_str() + 4, &end, 10));
  scan->line = static_cast<int>(std::strtol(end, nullptr, 10));
}

void take_file(std::string_view text, PtxScan* scan) {
  size_t open = text.find('"'), close = text.rfind('"');
  if (open == std::string_view::npos || close <= open || scan->files.size() > 10000) return;
  int number = std::atoi(std::string(text.substr(5, open - 5)).c_str());
  scan->files.emplace(number, text.substr(open + 1, close - open - 1));
}

// ".visible .global .align 4 .b8 table[1000]": bytes are at least 1 an element.
void take_variable(std::string_view text, PtxScan* scan) {
  constexpr int64_t kHuge = int64_t{1} << 50;
  static const std::map<std::string_view, int> kBytes = {
      {".b8", 1},  {".u8", 1},  {".s8", 1},  {".b16", 2},  {".u16", 2}, {".s16", 2},
      {".f16", 2}, {".b32", 4}, {".u32", 4}, {".s32", 4},  {".f32", 4}, {".b64", 8},
      {".u64", 8}, {".s64", 8}, {".f64", 8}, {".b128", 16}};
  size_t head = std::min(text.find('='), text.size());
  std::string_view declaration = text.substr(0, head);
  int64_t bytes = 1;
  for (const auto& [type, size] : kBytes)
    if (declaration.find(std::string(type) + " ") != std::string_view::npos) bytes = size;
  for (size_t open = declaration.find('['); open != std::string_view::npos;
       open = declaration.find('[', open + 1)) {
    int64_t n = std::atoll(std::string(declaration.substr(open + 1, 20)).c_str());
    if (n > 0) bytes = bytes < kHuge / n ? bytes * n : kHuge;
  }
  scan->global_bytes = std::min(scan->global_bytes + bytes, kHuge);
}

void take_operation(std::string_view text, PtxScan* scan) {
  if (text[0] == '@') {
    size_t blank = text.find_first_of(" \t");
    if (blank == std::string_view::npos) return;
    text = skip_blanks(text.substr(blank));
  }
  if (text.empty() || text[0] == '.' || text[0] == '/' || text[0] == '$') return;
  for (const std::string& name : scan->policy.forbidden) {
    if (text.substr(0, name.size()) != name) continue;
    char after = text.size() > name.size() ? text[name.size()] : ' ';
    if (after == '.' || after == ' ' || after == '\t' || after == ';' || after == ',')
      scan->used.emplace(name, std::make_pair(scan->file, scan->line));
  }
}

void take_line(std::string_view text, PtxScan* scan) {
  text = skip_blanks(text);
  if (text.empty()) return;
  if (text.substr(0, 4) == ".loc") return take_loc(text, scan);
  if (text.substr(0, 5) == ".file") return take_file(text, scan);
  bool variable = text[0] == '.' && (text.find(".global ") != std::string_view::npos ||
                                     text.find(".const ") != std::string_view::npos);
  if (variable) return take_variable(text, scan);
  take_operation(text, scan);
}

}  // namespace

std::vector<Breach> inspect_ptx(const std::string& ptx, const Policy& policy,
                                const std::string& student_file) {
  PtxScan scan{policy, {}, {}, {}};
  each_line(ptx, [&](int, std::string_view text) { take_line(text, &scan); });
  auto file_of = [&](int number) {
    auto found = scan.files.find(number);
    return found == scan.files.end() ? std::string() : found->second;
  };
  auto line_of = [&](std::pair<int, int> place) {
    return ends_with(file_of(place.first), student_file) ? place.second : 0;
  };
  std::vector<Breach> breaches;
  for (const auto& [name, place] : scan.used)
    breaches.push_back({line_of(place), "the operation " + name});
  if (scan.global_bytes > policy.global_bytes)
    breaches.push_back({0, "__device__ and __constant__ variables of " +
                               std::to_string(scan.global_bytes) + " bytes, of at most " +
                               std::to_string(policy.global_bytes)});
  return breaches;
}

}  // namespace lockstep::grader
