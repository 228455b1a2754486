// SPDX-License-Identifier: Apache-2.0
// Lists and output of the preprocessor, and the survey of PTX. See inspect.h.
#include "grader/inspect.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "common/error.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostBreaches = 20;
constexpr char kRefusedAssembly[] = "inline_assembly_is_not_allowed_in_this_homework";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// # LINE "NAME" FLAGS, from the beginning of a line.
struct Marker {
  std::string name;
  bool enters = false;
};

std::optional<Marker> read_marker(std::string_view line) {
  if (line.substr(0, 2) != "# ") return {};
  size_t at = 2;
  while (at < line.size() && is_digit(line[at])) ++at;
  if (at == 2 || line.substr(at, 2) != " \"") return {};
  const size_t close = line.find('"', at + 2);
  if (close == std::string_view::npos) return {};
  Marker marker;
  marker.name = line.substr(at + 2, close - at - 2);
  for (at = close + 1; at < line.size(); at += 2) {
    if (line[at] != ' ' || at + 1 == line.size() || !is_digit(line[at + 1])) return {};
    marker.enters = marker.enters || line[at + 1] == '1';
  }
  return marker;
}

// Calls `visit(offset, line)` for each line from `from` on; it returns false to stop.
template <typename Visit>
void each_line(std::string_view text, size_t from, Visit visit) {
  for (size_t at = from; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (!visit(at, text.substr(at, end - at))) return;
    at = end + 1;
  }
}

}  // namespace

std::vector<std::string> parse_dependencies(const std::string& text) {
  std::vector<std::string> files;
  std::string word;
  bool after_target = false;
  auto take = [&] {
    if (!word.empty() && after_target) files.push_back(word);
    after_target = after_target || (!word.empty() && word.back() == ':');
    word.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '\\' && next == '\n')
      take(), ++i;
    else if ((text[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
             (text[i] == '$' && next == '$'))
      word += text[++i];
    else if (text[i] == ' ' || text[i] == '\n')
      take();
    else
      word += text[i];
  }
  take();
  return files;
}

Preprocessed::Preprocessed(std::string text, NameTest is_student)
    : text_(std::move(text)), is_student_(std::move(is_student)) {
  bool found = false;
  each_line(text_, 0, [&](size_t at, std::string_view line) {
    const auto marker = read_marker(line);
    found = marker && marker->enters && is_student_(marker->name);
    begin_ = at;
    return !found;
  });
  if (!found) throw Error("the preprocessor does not say where the submission begins");
}

bool Preprocessed::enters_again(const NameTest& is_ours) const {
  bool found = false;
  each_line(text_, text_.find('\n', begin_), [&](size_t, std::string_view line) {
    const auto marker = read_marker(line);
    found = found || (marker && marker->enters && is_ours(marker->name));
    return !found;
  });
  return found;
}

void Preprocessed::refuse_assembly() {
  std::string guard;
  const char* words[] = {"asm", "__asm", "__asm__"};
  for (const char* word : words)
    guard += std::string("#define ") + word + " " + kRefusedAssembly + "\n";
  // A parameter's name, if they are macros now.
  for (const char* word : words) guard += std::string("void lockstep_probe(int ") + word + ");\n";
  text_.insert(begin_, guard);
  begin_ += guard.size();
}

bool Preprocessed::is_but_for_line_places(const std::string& spoilt,
                                          const NameTest& is_known) const {
  bool same = text_.size() == spoilt.size();
  each_line(text_, 0, [&](size_t start, std::string_view line) {
    const std::string_view other = std::string_view(spoilt).substr(start, line.size());
    if (!same || line == other) return same;
    const auto marker = read_marker(line);
    same = (!marker || !is_known(marker->name)) &&
           std::equal(line.begin(), line.end(), other.begin(), [](char before, char after) {
             return before == after || is_spoilt_byte(before, after);
           });
    return same;
  });
  return same;
}

// All of the text's hashes change places with characters that are no token of C++, in whatever
// spelling, those in literals too: where a literal ends, by its delimiter, thus stays the same. So
// the compiler reads both texts alike up to the first hash out of a literal, and that is an error.
std::string Preprocessed::spoil_directives(const NameTest& is_known) const {
  std::string spoilt = text_;
  bool found = false;
  each_line(text_, begin_, [&](size_t start, std::string_view line) {
    const auto marker = read_marker(line);
    // gcc hands these on; it puts a blank before any other '#' at the start of a line.
    const bool kept = line.substr(0, 7) == "#pragma" || line.substr(0, 8) == "#ident \"";
    size_t first = (marker && is_known(marker->name)) || kept ? 1 : 0;
    // A directive's '#' is the first on its line, but for comments. What the compiler takes for an
    // end of line, or for a comment that the preprocessor took for none, is not gone into.
    char before = first > 0 ? '#' : '\n';
    for (size_t i = first; i < line.size(); ++i) {
      const char c = line[i], next = i + 1 < line.size() ? line[i + 1] : '\n';
      const bool pair = next == ':' || next == '\\';
      const bool hash = c == '#' || (c == '%' && pair);
      found = found || (hash && (before == '\n' || before == '/'));
      if (c == '#' || c == '@') spoilt[start + i] = c == '#' ? '@' : '#';
      if ((c == '%' || c == '`') && pair) spoilt[start + i] = c == '%' ? '`' : '%';
      if (static_cast<unsigned char>(c) > ' ')
        before = c;
      else if (c != ' ' && c != '\t')
        before = '\n';
    }
    return true;
  });
  return found ? spoilt : "";
}

Survey parse_survey(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  try {
    Survey survey;
    if (json.contains("error")) {
      survey.error = json.at("error").get<std::string>();
      return survey;
    }
    survey.bytes = json.at("bytes").get<int64_t>();
    survey.files = json.at("files").get<std::vector<std::string>>();
    for (const auto& item : json.at("uses")) {
      Survey::Use use;
      use.name = item.at("name").get<std::string>();
      use.at = item.at("at").get<std::vector<std::pair<std::string, int>>>();
      survey.uses.push_back(std::move(use));
    }
    return survey;
  } catch (const nlohmann::json::exception&) {
    throw Error("the survey of the PTX is none");
  }
}

std::vector<Breach> inspect_survey(const Survey& survey, const Policy& policy,
                                   const NameTest& is_student, const NameTest& is_known) {
  if (!survey.error.empty())
    return {{0, "PTX that cannot be read, and so not be held to this homework's rules: " +
                    survey.error.substr(0, 300)}};
  std::vector<Breach> breaches;
  for (const std::string& file : survey.files)
    if (!is_known(file) && breaches.size() < kMostBreaches)
      breaches.push_back(
          {0, "code that claims to be in a file that it is not in: " + file.substr(0, 80)});
  for (const Survey::Use& use : survey.uses) {
    const bool of_machine = use.name.rfind('%', 0) == 0;
    if (of_machine && policy.machine_registers) continue;
    Breach breach{0, of_machine ? "reading " + use.name.substr(0, 40) +
                                      ", which tells where or when the kernel runs"
                                : "the operation " + use.name};
    for (const auto& [file, line] : use.at)
      if (breach.line == 0 && is_student(file)) breach.line = line;
    const bool known = std::any_of(breaches.begin(), breaches.end(), [&](const Breach& other) {
      return other.line == breach.line && other.what == breach.what;
    });
    if (!known && breaches.size() < kMostBreaches) breaches.push_back(std::move(breach));
  }
  if (survey.bytes > policy.global_bytes)
    breaches.push_back({0, "__device__ and __constant__ variables of " +
                               std::to_string(survey.bytes) + " bytes, of at most " +
                               std::to_string(policy.global_bytes)});
  return breaches;
}

}  // namespace lockstep::grader
