// SPDX-License-Identifier: Apache-2.0
// See new_homework.h.
#include "grader/new_homework.h"

#include <fcntl.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/commands.h"
#include "grader/toolchain.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr char kAnyName[] = "hwNN";  // in the paths and texts of templates

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

void require_sense(const std::string& top, const NewHomework& wanted) {
  const auto fits = [](const std::string& text, const char* form) {
    return std::regex_match(text, std::regex(form));
  };
  if (!fits(wanted.name, "hw[0-9][0-9]"))
    throw Error("'" + wanted.name + "' is no name of a homework; take one like hw07");
  const std::vector<std::string> kinds = homework_kinds(top);
  if (std::find(kinds.begin(), kinds.end(), wanted.kind) == kinds.end())
    throw Error("--kind: there is no template '" + wanted.kind + "'; there are: " + joined(kinds));
  // It stands in comments, in TOML strings and in a heading.
  if (!fits(wanted.title, "[A-Za-z0-9][A-Za-z0-9 ,.:;!?()'+-]{0,51}"))
    throw Error("--title: expected at most 52 letters, digits, blanks and ,.:;!?()'+-");
  if (!fits(wanted.kernel, "[a-z][a-z0-9_]{0,30}"))
    throw Error("--kernel: '" + wanted.kernel + "' is no name like scale_rows");
  if (wanted.element != "float" && wanted.element != "double" && wanted.element != "int")
    throw Error("--element: expected float, double or int");
}

std::string replaced(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [from, to] : words)
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

// The starter is what make/starter.sh leaves of the solution's source.
void write_starter(const std::string& top, const std::string& source, const std::string& path) {
  UniqueFd out(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (out.get() < 0) throw Error("cannot write " + path, kExitCannotRun);
  ChildProcess child({top + "/make/starter.sh", source}, {"PATH=/usr/bin:/bin"}, -1, out.get(), 2);
  int status = -1;
  if (!child.wait_ended(10, &status) || status != 0)
    throw Error("make/starter.sh failed on " + source, kExitCannotRun);
}

}  // namespace

std::vector<std::string> homework_kinds(const std::string& top) {
  std::vector<std::string> kinds;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(top + "/templates", error))
    if (entry.is_directory()) kinds.push_back(entry.path().filename().string());
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

std::vector<std::string> write_new_homework(const std::string& top, const NewHomework& wanted) {
  require_sense(top, wanted);
  const std::map<std::string, std::string> words = {
      {kAnyName, wanted.name},
      {"@NUMBER@", std::to_string(std::stoi(wanted.name.substr(2)))},
      {"@TITLE@", wanted.title},
      {"@KERNEL@", wanted.kernel},
      {"@TYPE@", wanted.element}};
  const fs::path from = fs::path(top) / "templates" / wanted.kind;
  std::vector<std::pair<std::string, std::string>> files;  // path and text
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from))
    if (entry.is_regular_file())
      files.emplace_back(replaced(fs::relative(entry.path(), from).string(), words),
                         replaced(read_file(entry.path().string()), words));
  std::sort(files.begin(), files.end());
  const std::string starter = wanted.name + "/" + wanted.name + ".cu";
  std::vector<std::string> written = {starter};
  for (const auto& [path, text] : files) written.push_back(path);
  for (const std::string& path : written)
    if (fs::exists(fs::path(top) / path))
      throw Error(path + " is there already; nothing was written. Take another name than " +
                  wanted.name);
  for (const auto& [path, text] : files) {
    const fs::path to = fs::path(top) / path;
    fs::create_directories(to.parent_path());
    if (!(std::ofstream(to, std::ios::binary) << text << std::flush))
      throw Error("cannot write " + to.string(), kExitCannotRun);
  }
  write_starter(top, top + "/solutions/" + starter, top + "/" + starter);
  std::sort(written.begin(), written.end());
  return written;
}

int new_command(const CommandOptions& options) {
  for (const std::string& path : write_new_homework(find_top(), options.new_homework))
    std::printf("%s\n", path.c_str());
  const char* name = options.new_homework.name.c_str();
  std::printf(
      "\nIt builds and passes as it is. Next, in this folder:\n\n"
      "    make && %s/%s\n"
      "    grader/grader selfcheck %s --record    # what students are compared with\n"
      "    grader/grader selfcheck %s\n\n"
      "docs/adding-a-homework.md leads on from there.\n",
      name, name, name, name);
  return kExitGood;
}

}  // namespace lockstep::grader
