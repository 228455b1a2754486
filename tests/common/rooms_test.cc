// SPDX-License-Identifier: Apache-2.0
// No arrow points up: every #include of a room's sources is one that docs/architecture.md allows
// it.
#include <gtest/gtest.h>

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
Rooms allowed_rooms() {
  std::ifstream page("docs/architecture.md");
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
  const Rooms rooms = allowed_rooms();
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

}  // namespace
}  // namespace lockstep
