// SPDX-License-Identifier: Apache-2.0
// Values whose leaves have the same paths are a group; each path is a column. See columns.h.
#include "grader/columns.h"

#include <charconv>
#include <map>

#include "common/base/error.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;
using Leaves = std::vector<std::pair<std::string, const json*>>;

[[noreturn]] void malformed() {
  throw Error("the results hold a list that is not as a grader writes it", kExitCannotRun);
}

std::string escaped(const std::string& key) {
  std::string text;
  for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

// Of objects that hold something; a list is a leaf.
void find_leaves(const json& value, const std::string& path, Leaves* leaves) {
  if (!value.is_object() || value.empty()) return leaves->emplace_back(path, &value), void();
  for (const auto& [key, inner] : value.items())
    find_leaves(inner, path + "/" + escaped(key), leaves);
}

struct Group {
  json at = json::array();
  std::vector<Leaves> rows;
};

json group_json(const Group& group) {
  json same = json::object(), each = json::object();
  for (size_t column = 0; column < group.rows[0].size(); ++column) {
    const auto& [path, first] = group.rows[0][column];
    json cells = json::array();
    bool alike = true;
    for (const Leaves& row : group.rows) {
      cells.push_back(*row[column].second);
      alike = alike && cells.back() == *first && cells.back().type() == first->type();
    }
    if (alike)
      same[path] = *first;
    else
      each[path] = std::move(cells);
  }
  return {{"at", group.at}, {"same", same}, {"each", each}};
}

// The text of to_columns(), which has no blanks; what is between its own brackets is passed over.
class Scanner {
 public:
  Scanner(const std::string& text, size_t most)
      : at_(text.data()), end_(at_ + text.size()), most_(most) {}

  size_t run(const std::function<bool(std::string_view)>& wanted,
             const std::function<void(const JsonColumn&)>& use) {
    each_of('[', ']', [&] { group(wanted, use); });
    if (at_ != end_) malformed();
    for (const bool one : seen_)
      if (!one) malformed();
    return seen_.size();
  }

 private:
  char peek() const { return at_ < end_ ? *at_ : '\0'; }
  void expect(std::string_view text) {
    if (std::string_view(at_, static_cast<size_t>(end_ - at_)).substr(0, text.size()) != text)
      malformed();
    at_ += text.size();
  }
  // A list or an object, its elements separated by commas.
  template <typename Take>
  void each_of(char open, char close, Take take) {
    expect({&open, 1});
    if (peek() == close) return void(++at_);
    for (take(); peek() == ','; take()) ++at_;
    expect({&close, 1});
  }
  // Of a number, true, false or null.
  static bool is_of_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '+' ||
           c == 'E';
  }
  // In quotes; gives what is between them.
  std::string_view string() {
    expect("\"");
    const char* begin = at_;
    while (at_ < end_ && *at_ != '"') at_ += *at_ == '\\' ? 2 : 1;
    if (at_ >= end_) malformed();
    return {begin, static_cast<size_t>(at_++ - begin)};
  }
  // Any value, whole.
  std::string_view value() {
    const char* begin = at_;
    int depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        string();
      } else if (c == '[' || c == '{') {
        ++depth, ++at_;
      } else if (c == ']' || c == '}') {
        --depth, ++at_;
      } else if (depth > 0 && (c == ',' || c == ':')) {
        ++at_;
      } else {
        const char* word = at_;
        while (is_of_word(peek())) ++at_;
        if (at_ == word) malformed();
      }
    } while (depth > 0);
    if (depth < 0) malformed();
    return {begin, static_cast<size_t>(at_ - begin)};
  }
  size_t place() {
    size_t place = 0;
    const auto [end, error] = std::from_chars(at_, end_, place);
    if (error != std::errc() || place >= most_) malformed();
    at_ = end;
    if (seen_.size() <= place) seen_.resize(place + 1);
    if (seen_[place]) malformed();
    seen_[place] = true;
    return place;
  }

  void group(const std::function<bool(std::string_view)>& wanted,
             const std::function<void(const JsonColumn&)>& use) {
    std::vector<size_t> places;
    std::vector<std::string_view> cells;
    expect("{\"at\":");
    each_of('[', ']', [&] { places.push_back(place()); });
    if (places.empty()) malformed();
    const auto columns = [&](bool same) {
      each_of('{', '}', [&] {
        const std::string_view path = string();
        expect(":");
        if (!wanted(path)) return void(value());
        cells.clear();
        if (same)
          cells.push_back(value());
        else
          each_of('[', ']', [&] { cells.push_back(value()); });
        if (!same && cells.size() != places.size()) malformed();
        use({path, places, cells});
      });
    };
    expect(",\"each\":");
    columns(false);
    expect(",\"same\":");
    columns(true);
    expect("}");
  }

  const char* at_;
  const char* end_;
  const size_t most_;
  std::vector<bool> seen_;
};

}  // namespace

std::string to_columns(const std::vector<json>& values) {
  std::map<std::vector<std::string>, Group> groups;
  for (size_t i = 0; i < values.size(); ++i) {
    Leaves leaves;
    find_leaves(values[i], "", &leaves);
    std::vector<std::string> paths;
    for (const auto& [path, leaf] : leaves) paths.push_back(path);
    Group& group = groups[paths];
    group.at.push_back(i);
    group.rows.push_back(std::move(leaves));
  }
  json all = json::array();
  for (const auto& [paths, group] : groups) all.push_back(group_json(group));
  return all.dump(-1, ' ', true, json::error_handler_t::replace);
}

size_t read_columns(const std::string& text, size_t most,
                    const std::function<bool(std::string_view path)>& wanted,
                    const std::function<void(const JsonColumn&)>& use) {
  return Scanner(text, most).run(wanted, use);
}

std::vector<json> from_columns(const std::string& text, size_t most) {
  std::vector<json> values;
  const auto put = [&](const JsonColumn& column) {
    try {
      const std::string name = json::parse("\"" + std::string(column.path) + "\"");
      const json::json_pointer path(name);
      for (size_t i = 0; i < column.at.size(); ++i) {
        if (values.size() <= column.at[i]) values.resize(column.at[i] + 1);
        values[column.at[i]][path] = json::parse(column.cell(i));
      }
    } catch (const json::exception&) {
      malformed();
    }
  };
  const size_t count = read_columns(
      text, most, [](std::string_view) { return true; }, put);
  values.resize(count);
  return values;
}

}  // namespace lockstep::grader
