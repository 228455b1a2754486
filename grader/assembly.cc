// SPDX-License-Identifier: Apache-2.0
// Which statements are a header's own is told by its output alone, which no submission has
// influenced; the submission's is only compared with it, byte by byte. See assembly.h.
#include "grader/assembly.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace lockstep::grader {
namespace {

const char* const kWords[] = {"asm", "__asm", "__asm__"};
// No token of C++, so that a word that is made this is an error whatever a submission declares.
constexpr char kRefused[] = "@";

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || (c & 0x80);
}

// Whether one of the words is at `i`, and no part of a name.
bool is_word(std::string_view text, size_t i) {
  if (i > 0 && is_of_name(text[i - 1])) return false;
  size_t end = i;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return std::find(std::begin(kWords), std::end(kWords), text.substr(i, end - i)) !=
         std::end(kWords);
}

bool has_word(std::string_view text) {
  for (size_t i = text.find("asm"); i != text.npos; i = text.find("asm", i + 1)) {
    size_t begin = i;  // of the name that holds these letters
    while (begin > 0 && text[begin - 1] == '_' && i - begin < 2) --begin;
    if (is_word(text, begin)) return true;
  }
  return false;
}

std::string take_words(const std::string& replacement = kRefused) {
  std::string text;
  for (const char* word : kWords) text += std::string("#define ") + word + " " + replacement + "\n";
  return text;
}

std::string give_words() {
  std::string text;
  for (const char* word : kWords) text += std::string("#undef ") + word + "\n";
  return text;
}

// Well-formed only if the words can be made macros; declares nothing that could be asked for.
std::string probes() {
  std::string text = take_words("lockstep_parameter");
  for (const char* word : kWords)
    text += std::string("static_assert(sizeof(void (*)(int ") + word + ")) > 0);\n";
  return text + give_words();
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
      } else if (is_word(line, i)) {
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

// The statements of headers, line by line, each in one stretch of one file: each way from the first
// node along edges, which are lines, to one that ends is a statement. So a text is looked up in
// time that grows with it alone, however often a header is read.
class Statements {
 public:
  explicit Statements(const std::vector<OutputLine>& lines) {
    for (size_t first = 0; first < lines.size(); ++first) {
      if (!has_word(lines[first].text)) continue;
      size_t node = 0;
      bool ended = false;
      const int stretch = lines[first].stretch;
      for (Statement s; !ended && first < lines.size() && lines[first].stretch == stretch;
           ++first) {
        node = next_.try_emplace(edge(node, lines[first]), next_.size() + 1).first->second;
        ended = s.ends_in(lines[first].text);
      }
      if (ended) ends_.insert(node);
      --first;
    }
  }
  // How many of the lines from `at` on are one of these statements.
  size_t match(const std::vector<OutputLine>& lines, size_t at) const {
    size_t node = 0;
    for (size_t i = at; i < lines.size() && lines[i].stretch == lines[at].stretch; ++i) {
      const auto next = next_.find(edge(node, lines[i]));
      if (next == next_.end()) return 0;
      node = next->second;
      if (ends_.count(node) > 0) return i + 1 - at;
    }
    return 0;
  }

 private:
  using Edge = std::tuple<size_t, int, std::string_view, std::string_view>;
  static Edge edge(size_t node, const OutputLine& line) {
    return {node, line.number, line.file, line.text};
  }

  std::map<Edge, size_t> next_;
  std::set<size_t> ends_;
};

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
  std::string out = text.substr(0, submission.begin()) + probes() + take_words();
  size_t done = submission.begin();
  if (alone != nullptr) {
    const Statements statements(alone->lines(may_hold));
    const std::vector<OutputLine> lines = submission.lines(may_hold);
    for (size_t at = 0; at < lines.size(); ++at) {
      const size_t count = has_word(lines[at].text) ? statements.match(lines, at) : 0;
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
