// SPDX-License-Identifier: Apache-2.0
// A reader of YAML's events. See gradescope_file.h. The file is Gradescope's, but texts that a
// student had a hand in stand in it.
#include "grader/intake/gradescope_file.h"

#include <yaml.h>

#include <memory>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/late.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostDepth = 100;      // Gradescope's files have some ten
constexpr size_t kLongestText = 1000;   // of a name or time; what is longer is none
constexpr size_t kMostNames = 1000000;  // of submissions, submitters and anchors

// What an item comes to: a text, whom a mapping calls by an address, or whom a list of those calls.
struct Value {
  enum Kind { kText, kPerson, kPeople } kind = kText;
  std::vector<std::string> names = {};  // of a text and of a person: at most one
};

// A mapping or list that is open.
struct Level {
  bool mapping = false;
  bool has_key = false;  // a mapping: the next item is its value
  std::string key = {}, anchor = {};
  std::string email = {}, sid = {}, created_at = {};  // of a mapping
  std::vector<std::string> names = {};                // a list's, or of a mapping's :submitters
};

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

std::string name_of(const yaml_char_t* text, size_t length) {
  return length > kLongestText ? "" : std::string(reinterpret_cast<const char*>(text), length);
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& where) : where_(where) {
    if (yaml_parser_initialize(&parser_) == 0) throw Error("libyaml has no memory", kExitCannotRun);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Reader() { yaml_parser_delete(&parser_); }
  Reader(const Reader&) = delete;

  std::map<std::string, GradescopeTold> read() {
    while (read_one()) {
    }
    return std::move(told_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(where_ + ":" + std::to_string(parser_.mark.line + 1) + ": " + why +
                "; expected the file as Gradescope's export has it");
  }

  // False at the end of the document.
  bool read_one() {
    yaml_event_t event;
    if (yaml_parser_parse(&parser_, &event) == 0)
      fail(parser_.problem == nullptr ? "cannot be read" : parser_.problem);
    const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> end(&event, yaml_event_delete);
    const auto& data = event.data;
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        finish(Value{Value::kText, {name_of(data.scalar.value, data.scalar.length)}},
               text_of(data.scalar.anchor));
        break;
      case YAML_ALIAS_EVENT:
        finish(named(text_of(data.alias.anchor)), "");
        break;
      case YAML_MAPPING_START_EVENT:
        open({.mapping = true, .anchor = text_of(data.mapping_start.anchor)});
        break;
      case YAML_SEQUENCE_START_EVENT:
        open({.mapping = false, .anchor = text_of(data.sequence_start.anchor)});
        break;
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
        close();
        break;
      default:
        break;
    }
    return event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
  }

  // One that stands in what it names comes to nothing.
  Value named(const std::string& anchor) const {
    const auto found = anchors_.find(anchor);
    return found == anchors_.end() ? Value{} : found->second;
  }

  void open(Level level) {
    if (levels_.empty() && !level.mapping) fail("a list");
    if (levels_.size() == kMostDepth)
      fail("lists in lists, " + std::to_string(kMostDepth) + " deep");
    levels_.push_back(std::move(level));
  }

  void close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    if (levels_.size() == 1) return finish_submission(std::move(level));
    Value value{level.mapping ? Value::kPerson : Value::kPeople, {}};
    if (!level.mapping)
      value.names = std::move(level.names);
    else if (const std::string& name = level.email.empty() ? level.sid : level.email; !name.empty())
      value.names = {name};
    finish(std::move(value), level.anchor);
  }

  // An item is complete.
  void finish(Value value, const std::string& anchor) {
    if (!anchor.empty()) {
      count(1 + value.names.size());
      anchors_[anchor] = value;
    }
    if (levels_.empty()) return;
    Level& in = levels_.back();
    if (!in.mapping) {
      if (value.kind != Value::kPerson) return;
      for (std::string& name : value.names) in.names.push_back(std::move(name));
    } else if (!in.has_key) {
      in.has_key = true;
      in.key = value.kind == Value::kText && !value.names.empty() ? value.names[0] : "";
    } else {
      in.has_key = false;
      set(&in, std::move(value));
    }
  }

  static void set(Level* in, Value value) {
    const bool text = value.kind == Value::kText && !value.names.empty();
    if (text && in->key == ":email") in->email = value.names[0];
    if (text && in->key == ":sid") in->sid = value.names[0];
    if (text && in->key == ":created_at") in->created_at = value.names[0];
    if (value.kind == Value::kPeople && in->key == ":submitters")
      in->names = std::move(value.names);
  }

  // What a key of the file itself leads to.
  void finish_submission(Level level) {
    Level& top = levels_.back();
    if (!top.has_key) fail("a key that is no text");
    top.has_key = false;
    GradescopeTold told;
    if (const std::optional<int64_t> at = parse_time(level.created_at)) {
      told.submitted = {utc_text(*at), "gradescope", ""};
      told.order = {*at};
    }
    if (level.mapping) told.students = std::move(level.names);
    count(1 + told.students.size());
    if (!told_.emplace(top.key, std::move(told)).second)
      fail(shown_word(top.key) + " stands in it twice");
  }

  void count(size_t names) {
    names_ += names;
    if (names_ > kMostNames) fail("more than " + std::to_string(kMostNames) + " names");
  }

  yaml_parser_t parser_;
  const std::string& where_;
  std::vector<Level> levels_;
  std::map<std::string, Value> anchors_;
  std::map<std::string, GradescopeTold> told_;
  size_t names_ = 0;
};

}  // namespace

std::map<std::string, GradescopeTold> read_gradescope_file(const std::string& text,
                                                           const std::string& where) {
  return Reader(text, where).read();
}

}  // namespace lockstep::grader
