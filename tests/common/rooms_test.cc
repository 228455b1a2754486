// SPDX-License-Identifier: Apache-2.0
// No arrow points up: every #include of a room's sources is one that docs/architecture.md allows
// it, and within the emulator docs/emulator.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/homeworks.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using Rooms = std::map<std::string, std::set<std::string>>;

// The table "room | may include" of the page: names in backquotes, "all above it" in words.
Rooms allowed_rooms(const std::string& path) {
  std::ifstream page(path);
  Rooms rooms;
  std::set<std::string> above;
  bool within = false;
  const std::regex name("`([a-zA-Z0-9_/]+)/`");
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| room | may include |", 0) == 0) within = true;
    if (!within || line.rfind("| `", 0) != 0) {
      if (within && line.empty()) break;
      continue;
    }
    const size_t second = line.find('|', 1);
    const std::string left = line.substr(0, second), right = line.substr(second);
    std::set<std::string> may =
        right.find("all above") != std::string::npos ? above : std::set<std::string>();
    for (std::sregex_iterator it(right.begin(), right.end(), name), end; it != end; ++it)
      may.insert((*it)[1]);
    std::smatch own;
    if (!std::regex_search(left, own, name)) continue;
    rooms[own[1]] = may;
    above.insert(own[1]);
  }
  return rooms;
}

// The longest room that a path lies in; "": none.
std::string room_of(const Rooms& rooms, const std::string& path) {
  std::string found;
  for (const auto& [room, may] : rooms) {
    const bool homework = room == "hwNN" && std::regex_search(path, std::regex("^hw[0-9]+/"));
    if (homework || (path.rfind(room + "/", 0) == 0 && room.size() > found.size())) found = room;
  }
  return found;
}

TEST(Rooms, IncludeOnlyWhatTheArchitectureAllows) {
  const Rooms rooms = allowed_rooms("docs/architecture.md");
  ASSERT_GE(rooms.size(), 10u) << "docs/architecture.md has no table of rooms";
  const std::regex include("^#include \"([^\"]+)\"");
  int arrows = 0;
  std::vector<std::string> tops = {"common",  "emulator", "runner", "problems",
                                   "program", "grader",   "tools"};
  for (const std::string& homework : homeworks()) tops.push_back(homework);
  for (const std::string& top : tops)
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      const std::string path = entry.path().string(), suffix = entry.path().extension();
      if (suffix != ".h" && suffix != ".cc") continue;
      const std::string from = room_of(rooms, path);
      EXPECT_NE(from, "") << path << " lies in no room";
      std::ifstream file(path);
      for (std::string line; std::getline(file, line);) {
        std::smatch named;
        if (!std::regex_search(line, named, include)) continue;
        const std::string to = room_of(rooms, named[1]);
        if (to == from) continue;
        ++arrows;
        EXPECT_TRUE(rooms.count(from) > 0 && rooms.at(from).count(to) > 0)
            << path << " includes " << named[1] << ": " << from << "/ may not use " << to << "/";
      }
    }
  EXPECT_GT(arrows, 100);
}

// Folders of the emulator; the files beside them put the rooms together.
TEST(Rooms, OfTheEmulatorDoToo) {
  const Rooms rooms = allowed_rooms("docs/emulator.md");
  ASSERT_GE(rooms.size(), 10u) << "docs/emulator.md has no table of rooms";
  const std::regex include("^#include \"emulator/([a-z0-9_]+)/");
  const fs::path top = "emulator";
  int arrows = 0;
  std::set<std::string> seen;
  for (const auto& entry : fs::recursive_directory_iterator(top)) {
    const fs::path path = entry.path();
    if (path.parent_path() == top || (path.extension() != ".h" && path.extension() != ".cc"))
      continue;
    const std::string from = path.parent_path().filename().string();
    ASSERT_TRUE(rooms.contains(from)) << path << " lies in no room of docs/emulator.md";
    seen.insert(from);
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::smatch named;
      if (!std::regex_search(line, named, include) || named[1] == from) continue;
      ++arrows;
      EXPECT_TRUE(rooms.at(from).contains(named[1]))
          << path.string() << ": " << line << ": " << from << "/ may not use it";
    }
  }
  EXPECT_GT(arrows, 100);
  EXPECT_EQ(seen.size(), rooms.size()) << "a room of docs/emulator.md is empty";
  // One way: rooms can be taken away one after the other, each when it uses none that is left.
  Rooms left = rooms;
  for (size_t before = 0; before != left.size();) {
    before = left.size();
    std::erase_if(left, [&](const auto& room) {
      return std::none_of(room.second.begin(), room.second.end(),
                          [&](const std::string& used) { return left.contains(used); });
    });
  }
  EXPECT_TRUE(left.empty()) << left.begin()->first << "/ uses a room that uses it";
}

}  // namespace
}  // namespace lockstep
