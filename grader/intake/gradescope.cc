// SPDX-License-Identifier: Apache-2.0
// Gradescope's export: folders "submission_123", and submission_metadata.yml, which tells whose
// they are and when they came. The file is Gradescope's, but outputs of autograders stand in it.
#include <yaml.h>

#include <filesystem>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/intake/intake.h"
#include "grader/late.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr char kFile[] = "submission_metadata.yml";
constexpr size_t kMostBytes = size_t{256} << 20;

// A document as libyaml makes it: a list of nodes, so that nothing goes deep.
class Document {
 public:
  Document(const std::string& text, const std::string& path) {
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) throw Error("libyaml has no memory", kExitCannotRun);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    const bool good = yaml_parser_load(&parser, &document_) != 0;
    const std::string where = path + ":" + std::to_string(parser.problem_mark.line + 1) + ": ";
    const std::string why = parser.problem == nullptr ? "cannot be read" : parser.problem;
    yaml_parser_delete(&parser);
    if (!good) throw Error(where + why + "; download the export again");
  }
  ~Document() { yaml_document_delete(&document_); }
  Document(const Document&) = delete;

  const yaml_node_t* root() { return yaml_document_get_root_node(&document_); }
  const yaml_node_t* node(int number) { return yaml_document_get_node(&document_, number); }

  static std::string scalar(const yaml_node_t* node) {
    if (node == nullptr || node->type != YAML_SCALAR_NODE) return {};
    return {reinterpret_cast<const char*>(node->data.scalar.value), node->data.scalar.length};
  }
  // A mapping's value; keys are Ruby's symbols, ":email". Null where there is none.
  const yaml_node_t* value(const yaml_node_t* mapping, const std::string& key) {
    if (mapping == nullptr || mapping->type != YAML_MAPPING_NODE) return nullptr;
    for (const yaml_node_pair_t* pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; ++pair)
      if (scalar(node(pair->key)) == key) return node(pair->value);
    return nullptr;
  }

 private:
  yaml_document_t document_;
};

std::string metadata_of(const std::string& path) {
  if (fs::is_directory(path)) return read_file(path + "/" + kFile, kMostBytes);
  std::string text;
  const UnpackBudget budget(size_t{64} << 30, 900);
  walk_archive(path, PackedBy::kInstructor, budget, [&](const Member& member) {
    if (member.regular && text.empty() && fs::path(member.path).filename() == kFile)
      if (const std::string why = member.contents(kMostBytes, &text); !why.empty())
        throw Error(path + ": " + kFile + ": " + why);
  });
  if (text.empty()) throw Error(path + ": holds no " + std::string(kFile) + "; it is no export");
  return text;
}

struct Told {
  std::vector<std::string> students;
  Submitted submitted;
  std::vector<int64_t> order;
};

std::map<std::string, Told> told_by(const std::string& text, const std::string& path) {
  std::map<std::string, Told> all;
  Document document(text, path + "/" + kFile);
  const yaml_node_t* root = document.root();
  if (root == nullptr || root->type != YAML_MAPPING_NODE)
    throw Error(path + "/" + kFile +
                ":1: expected a mapping of submissions, as Gradescope writes it");
  for (const yaml_node_pair_t* pair = root->data.mapping.pairs.start;
       pair < root->data.mapping.pairs.top; ++pair) {
    const yaml_node_t* one = document.node(pair->value);
    Told told;
    if (const std::optional<int64_t> at =
            parse_time(Document::scalar(document.value(one, ":created_at")))) {
      told.submitted = {utc_text(*at), "gradescope", ""};
      told.order = {*at};
    }
    const yaml_node_t* people = document.value(one, ":submitters");
    if (people != nullptr && people->type == YAML_SEQUENCE_NODE)
      for (const yaml_node_item_t* item = people->data.sequence.items.start;
           item < people->data.sequence.items.top; ++item) {
        const yaml_node_t* person = document.node(*item);
        std::string name = Document::scalar(document.value(person, ":email"));
        if (name.empty()) name = Document::scalar(document.value(person, ":sid"));
        if (!name.empty()) told.students.push_back(name);
      }
    all[Document::scalar(document.node(pair->key))] = told;
  }
  return all;
}

}  // namespace

Arrivals gradescope_arrivals(const std::vector<SubmissionEntry>& entries, const std::string& path) {
  const std::map<std::string, Told> told = told_by(metadata_of(path), path);
  Arrivals all;
  for (const SubmissionEntry& entry : entries) {
    const auto found = told.find(entry.identity);
    if (found == told.end() || found->second.students.empty()) {
      all.push_back({entry, "", {}, {}});
      continue;
    }
    // Of a group each has the submission.
    for (const std::string& student : found->second.students)
      all.push_back({entry, student, found->second.submitted, found->second.order});
  }
  return all;
}

}  // namespace lockstep::grader
