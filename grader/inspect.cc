// SPDX-License-Identifier: Apache-2.0
// The preprocessor's list, and the survey of PTX. See inspect.h.
#include "grader/inspect.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/error.h"

namespace lockstep::grader {
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

Survey parse_survey(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  try {
    Survey survey;
    if (json.contains("error")) {
      survey.error = json.at("error").get<std::string>();
      return survey;
    }
    survey.whole = json.at("whole").get<bool>();
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
