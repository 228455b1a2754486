// SPDX-License-Identifier: Apache-2.0
// Which statements are a header's own is told by its output alone, which no submission has
// influenced; the submission's is only compared with it, byte by byte. See assembly.h.
#include "grader/assembly.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep::grader {
namespace {

constexpr char kRefused[] = "inline_assembly_is_not_allowed_in_this_homework";
constexpr std::string_view kWord = "asm";  // all others contain it
const char* const kWords[] = {"asm", "__asm", "__asm__"};

bool has_word(std::string_view text) { return text.find(kWord) != std::string_view::npos; }

std::string take_words() {
  std::string text;
  for (const char* word : kWords) text += std::string("#define ") + word + " " + kRefused + "\n";
  return text;
}

std::string give_words() {
  std::string text;
  for (const char* word : kWords) text += std::string("#undef ") + word + "\n";
  return text;
}

// A parameter's name, if they are macros now.
std::string probes() {
  std::string text;
  for (const char* word : kWords) text += std::string("void lockstep_probe(int ") + word + ");\n";
  return text;
}

// What the preprocessor says of the line so many behind this one.
std::string marker(const OutputLine& line, int behind) {
  return "# " + std::to_string(line.number + behind) + " \"" + std::string(line.file) + "\"" +
         std::string(line.kind) + "\n";
}

// How far parentheses that follow a word for assembly are open. For text of headers alone.
class Statement {
 public:
  // Whether the statement ends in this line, which holds more of it.
  bool ends_in(std::string_view line) {
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (literal_) {
        if (c == '\\') ++i;
        literal_ = c != '"';
      } else if (c == '"') {
        literal_ = true;
      } else if (line.compare(i, kWord.size(), kWord) == 0) {
        open_ = 0;
        begun_ = false;
      } else if (c == '(') {
        ++open_;
        begun_ = true;
      } else if (c == ')') {
        --open_;
      }
    }
    return begun_ && open_ <= 0 && !literal_;
  }

 private:
  bool literal_ = false, begun_ = false;
  int open_ = 0;
};

// First line and number of lines of each statement, by its place.
using Place = std::pair<std::string_view, int>;
using Statements = std::map<Place, std::vector<std::pair<size_t, size_t>>>;

Statements find_statements(const std::vector<OutputLine>& lines) {
  Statements found;
  for (size_t first = 0; first < lines.size(); ++first) {
    const OutputLine& line = lines[first];
    if (!has_word(line.text)) continue;
    size_t last = first;
    for (Statement s; !s.ends_in(lines[last].text) && last + 1 < lines.size();) ++last;
    found[{line.file, line.number}].emplace_back(first, last + 1 - first);
    first = last;
  }
  return found;
}

bool is_same(const OutputLine& a, const OutputLine& b) {
  return a.number == b.number && a.file == b.file && a.text == b.text;
}

// How many of the lines from `at` on are one of these statements.
size_t match(const std::vector<OutputLine>& lines, size_t at, const Statements& statements,
             const std::vector<OutputLine>& alone) {
  const auto here = statements.find({lines[at].file, lines[at].number});
  if (here == statements.end()) return 0;
  for (const auto& [first, count] : here->second) {
    const auto begin = alone.begin() + static_cast<std::ptrdiff_t>(first);
    if (count <= lines.size() - at &&
        std::equal(begin, begin + static_cast<std::ptrdiff_t>(count),
                   lines.begin() + static_cast<std::ptrdiff_t>(at), is_same))
      return count;
  }
  return 0;
}

}  // namespace

std::vector<std::string> default_headers() { return {"*"}; }

bool may_hold_assembly(const std::string& file, const std::vector<std::string>& toolkit_folders,
                       const std::vector<std::string>& permitted) {
  bool of_toolkit = false;
  for (const std::string& folder : toolkit_folders) {
    if (file.rfind(folder + "/", 0) != 0) continue;
    of_toolkit = true;
    const std::string name = file.substr(folder.size() + 1);
    for (const std::string& pattern : permitted) {
      const bool open = !pattern.empty() && pattern.back() == '*';
      if (open ? name.rfind(pattern.substr(0, pattern.size() - 1), 0) == 0 : name == pattern)
        return true;
    }
  }
  return !of_toolkit;
}

std::string headers_alone(const Preprocessed& submission) {
  const std::vector<std::string> headers = submission.included();
  if (headers.empty() || !has_word(std::string_view(submission.text()).substr(submission.begin())))
    return "";
  std::string source;
  for (const std::string& header : headers)
    if (header.rfind('/', 0) == 0 && header.find('\\') == std::string::npos)
      source += "#include \"" + header + "\"\n";
  return source;
}

std::string refuse_assembly(const Preprocessed& submission, const Preprocessed* alone,
                            const NameTest& may_hold) {
  const std::string& text = submission.text();
  std::string out = text.substr(0, submission.begin()) + take_words() + probes();
  size_t done = submission.begin();
  if (alone != nullptr) {
    const std::vector<OutputLine> theirs = alone->lines(may_hold),
                                  lines = submission.lines(may_hold);
    const Statements statements = find_statements(theirs);
    for (size_t at = 0; at < lines.size(); ++at) {
      const size_t count = has_word(lines[at].text) ? match(lines, at, statements, theirs) : 0;
      if (count == 0) continue;
      const OutputLine &first = lines[at], &last = lines[at + count - 1];
      const size_t end = last.at + last.text.size();
      out.append(text, done, first.at - done).append(give_words()).append(marker(first, 0));
      out.append(text, first.at, end - first.at).append("\n");
      out.append(take_words()).append(marker(last, 1));
      done = std::min(end + 1, text.size());
      at += count - 1;
    }
  }
  return out.append(text, done);
}

}  // namespace lockstep::grader
