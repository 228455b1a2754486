// SPDX-License-Identifier: Apache-2.0
// What a homework program says first of a student's mistake: mistakes.toml has the mistakes, and
// the line and the words that must be among it.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct Edit {
  std::string from, to;
  int64_t occurrence = 0;
};

struct Mistake {
  std::string homework, name, words, untold;
  std::vector<Edit> edits;
  std::vector<int64_t> lines;
  bool debug = false;   // the module built with -G lies beside
  std::string said;     // what the program printed
  std::string problem;  // of trying it
};

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<Mistake> mistakes() {
  std::vector<Mistake> all;
  const toml::table file = toml::parse_file("tests/mistakes/mistakes.toml");
  for (const toml::node& node : *file["mistake"].as_array()) {
    const toml::table& table = *node.as_table();
    Mistake m;
    m.homework = table["homework"].value_or("");
    m.name = table["name"].value_or("");
    m.words = table["words"].value_or("");
    m.untold = table["untold"].value_or("");
    m.debug = table["debug"].value_or(false);
    for (const toml::node& edit : *table["edits"].as_array()) {
      const toml::array& parts = *edit.as_array();
      m.edits.push_back({*parts[0].value<std::string>(), *parts[1].value<std::string>(),
                         *parts[2].value<int64_t>()});
    }
    if (const toml::array* lines = table["lines"].as_array())
      for (const toml::node& line : *lines) m.lines.push_back(*line.value<int64_t>());
    all.push_back(std::move(m));
  }
  return all;
}

// What ends the message of a wrong result.
constexpr char kRepeat[] = "To repeat:";

bool apply(const Edit& edit, std::string* text) {
  size_t at = std::string::npos;
  for (int64_t k = 0; k <= edit.occurrence; k++) {
    at = text->find(edit.from, k == 0 ? 0 : at + 1);
    if (at == std::string::npos) return false;
  }
  text->replace(at, edit.from.size(), edit.to);
  return true;
}

// Up to the line that has that in it, if there is one; who writes on is ended by it.
std::string output_of(const std::string& command, const char* last = nullptr) {
  std::string all;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char part[4096];
  while (std::fgets(part, sizeof part, pipe) != nullptr) {
    all += part;
    if (last != nullptr && std::strstr(part, last) != nullptr) break;
  }
  pclose(pipe);
  return all;
}

// The toolkit that make uses: the first word of the stamp.
std::string toolkit() {
  std::istringstream stamp(text_of("build/toolkit.stamp"));
  std::string folder;
  stamp >> folder;
  return folder + "/bin/";
}

void try_it(Mistake* m) {
  const std::string folder = "build/mistakes/" + m->name;
  const std::string file = folder + "/" + m->homework + ".cu", module = folder + "/module";
  std::string text = text_of("solutions/" + m->homework + "/" + m->homework + ".cu");
  for (const Edit& edit : m->edits)
    if (!apply(edit, &text)) m->problem = "'" + edit.from + "' is not in the solution";
  if (!m->problem.empty()) return;
  fs::create_directories(folder);
  std::ofstream(file) << text;
  const auto compile = [&](const std::string& flags, const std::string& to) {
    return toolkit() + "nvcc -std=c++20 -I. -ptx -arch=compute_90 " + flags +
           " -DSOLUTION=1 -DSTUDENT_FILE='\"" + file + "\"' -o " + to + " " + m->homework +
           "/instances.cu";
  };
  fs::remove(module + "-cuda-debug.ptx");
  const std::string said =
      output_of(compile("-lineinfo", module + ".ptx") + " && " + toolkit() +
                "ptxas -arch=sm_90 -lineinfo -o " + module + ".cubin " + module + ".ptx" +
                (m->debug ? " && " + compile("-G", module + "-cuda-debug.ptx") : ""));
  if (!fs::exists(module + ".cubin")) m->problem = said;
  if (m->problem.empty())
    m->said = output_of("timeout 60 " + m->homework + "/" + m->homework + " --backend emulator " +
                            "--module " + module + ".ptx",
                        kRepeat);
}

// The first message, or else what was found of slow lines.
std::string first_said(const Mistake& m) {
  std::istringstream lines(m.said);
  std::string first, found;
  const std::string file = m.homework + ".cu:";
  bool within = false, more = false;
  for (std::string line; std::getline(lines, line);) {
    within |= line.find(" are wrong") != line.npos || line.find(" is wrong") != line.npos ||
              line.find("threads:") != line.npos || line.find("warps:") != line.npos;
    if (within && line.find(kRepeat) != line.npos) return first;
    // Quoted lines are broken anywhere.
    const size_t mark = line.find("    | ");
    if (within) first += mark == 0 ? line.substr(6) : line + "\n";
    more = line.rfind(file, 0) == 0 || (more && line.rfind("    ", 0) == 0);
    if (more) found += (line[0] == ' ' ? line.substr(3) : "\n" + line);
  }
  return within ? first : found;
}

// Lines may be broken anywhere: spaces do not count.
std::string squeezed(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}
bool says(const Mistake& m, const std::string& said) {
  return squeezed(said).find(squeezed(m.words)) != std::string::npos;
}

bool names_a_line(const Mistake& m, const std::string& told) {
  const std::string said = std::regex_replace(told, std::regex("\\s+"), " ");
  for (const int64_t line : m.lines) {
    const std::string number = std::to_string(line);
    const std::regex place("cu:" + number + ":|lines? ([0-9]+, )*([0-9]+ and )?" + number +
                           "[^0-9]");
    if (std::regex_search(said, place)) return true;
  }
  return false;
}

// With CORPUS_PART=K/N, as `make test` has it, every sixteenth one.
std::vector<Mistake> part_of(const std::vector<Mistake>& all) {
  constexpr size_t kParts = 16;
  const char* part = std::getenv("CORPUS_PART");
  if (part == nullptr || *part == 0) return all;
  std::vector<Mistake> some;
  for (size_t i = std::strtoul(part, nullptr, 10) % kParts; i < all.size(); i += kParts)
    some.push_back(all[i]);
  return some;
}

TEST(Mistakes, AreToldByLineAndCause) {
  if (!fs::exists(toolkit() + "nvcc")) GTEST_SKIP() << "no nvcc";
  const std::vector<Mistake> known = mistakes();
  EXPECT_EQ(known.size(), 108u);
  std::vector<Mistake> all = part_of(known);
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(2u, std::thread::hardware_concurrency()); i++)
    workers.emplace_back([&] {
      for (size_t k; (k = next++) < all.size();) try_it(&all[k]);
    });
  for (std::thread& worker : workers) worker.join();
  for (const Mistake& m : all) {
    const std::string said = first_said(m);
    EXPECT_EQ(m.problem, "") << m.name;
    if (!m.untold.empty()) continue;
    EXPECT_TRUE(names_a_line(m, said)) << m.homework << " " << m.name << "\n" << said;
    EXPECT_TRUE(says(m, said)) << m.homework << " " << m.name << "\n" << said;
  }
}

}  // namespace
}  // namespace lockstep
