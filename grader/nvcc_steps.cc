// SPDX-License-Identifier: Apache-2.0
// nvcc --dryrun prints lines "#$ NAME=value", the environment of its steps, and "#$ COMMAND", a
// step, quoted for a shell. The source's text is not read for it.
#include "grader/nvcc_steps.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>

#include "common/base/error.h"
#include "grader/kept.h"

namespace lockstep::grader {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The length of NAME in "NAME=value"; 0: it is no such line.
size_t assigned_name(const std::string& line) {
  const size_t end = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  return end != std::string::npos && line[end] == '=' ? end : 0;
}

// The folders of `"-I/folder" "-isystem" "/folder"`.
void add_folders(const std::string& options, std::vector<std::string>* folders) {
  for (size_t open = options.find('"'); open != std::string::npos;) {
    const size_t close = options.find('"', open + 1);
    if (close == std::string::npos) return;
    std::string word = options.substr(open + 1, close - open - 1);
    if (word.rfind("-I", 0) == 0) word.erase(0, 2);
    if (word.rfind('/', 0) == 0) folders->push_back(word);
    open = options.find('"', close + 1);
  }
}

NvccSteps read_steps(const std::string& said, const std::string& preprocessed,
                     const std::string& ptx) {
  std::string environment;
  NvccSteps steps;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("#$ ", 0) != 0) continue;
    line.erase(0, 3);
    if (const size_t name = assigned_name(line); name > 0) {
      if (line.rfind("INCLUDES=", 0) == 0 || line.rfind("SYSTEM_INCLUDES=", 0) == 0)
        add_folders(line, &steps.include_folders);
      environment += line.substr(0, name + 1) + quoted(line.substr(name + 1)) + " ";
      continue;
    }
    auto writes = [&](const std::string& file) {
      return line.find("-o \"" + file + "\"") != std::string::npos;
    };
    std::vector<std::string> command = {"/usr/bin/sh", "-c",
                                        "export " + environment + "; exec " + line};
    if (writes(preprocessed) && line.find(" -E ") != std::string::npos)
      steps.preprocess = std::move(command);
    else if (writes(ptx) && line.find("\"" + preprocessed + "\"") != std::string::npos)
      steps.compile = std::move(command);
  }
  if (steps.preprocess.empty() || steps.compile.empty())
    throw Error(
        "nvcc --dryrun does not list a preprocessor and a compiler: is this a toolkit that "
        "the grader knows?");
  return steps;
}

}  // namespace

std::string preprocessed_name(const std::string& source) {
  return std::filesystem::path(source).stem().string() + ".cpp1.ii";
}

NvccSteps find_nvcc_steps(const Toolchain& tools, const Sandbox& sandbox,
                          const Sandbox::Build& cage, const std::vector<std::string>& arguments,
                          const std::string& source, const std::string& ptx) {
  const std::string out = sandbox.output_view(cage) + "/";
  std::vector<std::string> command = {tools.nvcc(), "--dryrun", "-keep", "-keep-dir",
                                      sandbox.output_view(cage)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"-ptx", "-o", out + ptx, source});
  std::string key = sandbox.source_view(cage);
  for (const std::string& word : command) key += '\0' + word;
  static std::mutex mutex;
  static std::map<std::string, NvccSteps> known;
  {
    std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  const std::string path = kept_path(tools, "nvcc", key);
  std::optional<std::string> said = kept_text(path);
  const bool known_before = said.has_value();
  if (!known_before) {
    const CageResult result = sandbox.run_build(cage, command, 256 << 10);
    if (result.ending != Ending::kGood)
      throw Error("nvcc --dryrun does not work in the sandbox: " + result.err + result.out);
    said = result.err + result.out;
  }
  NvccSteps steps = read_steps(*said, out + preprocessed_name(source), out + ptx);
  if (!known_before) keep_text(path, *said);
  std::lock_guard lock(mutex);
  if (known.size() >= 1000) known.clear();
  return known.emplace(key, std::move(steps)).first->second;
}

}  // namespace lockstep::grader
