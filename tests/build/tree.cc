// SPDX-License-Identifier: Apache-2.0
#include "tests/build/tree.h"

#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lockstep::build_test {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) { return "'" + text + "'"; }

}  // namespace

int Outcome::lines_with(const std::string& text) const {
  std::istringstream in(output);
  int count = 0;
  for (std::string line; std::getline(in, line);) count += line.find(text) != std::string::npos;
  return count;
}

Outcome run(const std::string& folder, const std::string& command) {
  const std::string whole =
      "cd " + quoted(folder) +
      " && unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES VARIANT TEST_FILTER TEST_TIMEOUT "
      "TEST_SHARDS TEST_TMPDIR GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX; { " +
      command + "\n} 2>&1 < /dev/null";
  const auto start = std::chrono::steady_clock::now();
  FILE* pipe = popen(whole.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  Outcome outcome;
  char buffer[4096];
  while (size_t n = fread(buffer, 1, sizeof buffer, pipe)) outcome.output.append(buffer, n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

std::string top() { return fs::current_path().string(); }

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "lock step XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

SmallTree::SmallTree() {
  const Outcome copied =
      run(top(),
          "for p in Makefile .gitignore make editors hw*/Makefile hw*/*.cu solutions/*/Makefile "
          "solutions/*/*.cu; do [ -e $p ] && echo $p; done | xargs cp -a --parents -t " +
              quoted(folder_.path()));
  if (copied.status != 0) throw std::runtime_error("copy of the tree: " + copied.output);
  fs::create_directories(path("common/base"));
  fs::create_directory(path("program"));
  write_file(path("common/base/part.h"), "int part();\n");
  write_file(path("common/base/part.cc"),
             "#include \"common/base/part.h\"\nint part() { return 0; }\n");
  write_file(path("program/main.cc"), "int homework();\nint main() { return homework(); }\n");
  fs::create_directory(path("tools"));
  write_file(path("tools/sass.cc"),
             "#include <cstdio>\n"
             "int main(int, char** arguments) { std::printf(\"sass of %s\\n\", arguments[1]); }\n");
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    if (entry.path().filename().string().rfind("hw", 0) != 0) continue;
    write_file(entry.path().string() + "/assignment.cc",
               "#include \"common/base/part.h\"\nint homework() { return part(); }\n");
  }
}

std::string SmallTree::path(const std::string& file) const {
  return file.empty() ? folder_.path() : folder_.path() + "/" + file;
}

WholeTree::WholeTree() {
  const Outcome copied = run(
      top(),
      "tar cf - --exclude=./.git --exclude=./tests/data --exclude='./build/[!rt]*' "
      "--exclude=./build/release/tests --exclude='*-debug*' --exclude='./carry*' . | tar xf - -C " +
          quoted(folder_.path()));
  if (copied.status != 0) throw std::runtime_error("copy of the tree: " + copied.output);
}

bool has_nvcc() {
  static const bool found =
      run(top(), "make/probe.sh g++ '' ''").output.find("/") != std::string::npos;
  return found;
}

}  // namespace lockstep::build_test
