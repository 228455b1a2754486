// SPDX-License-Identifier: Apache-2.0
// Resident memory of a process tree, read from /proc.
// Sandboxed processes are descendants like any other when seen from outside.
#include <dirent.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "runner/process.h"

namespace lockstep {
namespace {

struct Entry {
  pid_t parent = 0;
  int64_t resident_bytes = 0;
};

// Fields 4 (parent) and 24 (resident pages) of /proc/PID/stat; the name may hold blanks.
bool read_stat(pid_t pid, Entry* entry) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "re"), std::fclose);
  if (!file) return false;
  char text[2048];
  size_t got = std::fread(text, 1, sizeof text - 1, file.get());
  text[got] = 0;
  std::string line(text, got);
  size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return false;
  long parent = 0, pages = 0;
  if (std::sscanf(line.c_str() + name_end + 1,
                  " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
                  "%*u %*u %ld",
                  &parent, &pages) != 2)
    return false;
  entry->parent = static_cast<pid_t>(parent);
  entry->resident_bytes = pages * sysconf(_SC_PAGESIZE);
  return true;
}

}  // namespace

int64_t tree_memory_bytes(pid_t root) {
  std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc"), closedir);
  if (!directory) return 0;
  std::map<pid_t, Entry> all;
  while (dirent* item = readdir(directory.get())) {
    pid_t pid = static_cast<pid_t>(std::atoi(item->d_name));
    Entry entry;
    if (pid > 0 && read_stat(pid, &entry)) all[pid] = entry;
  }
  std::multimap<pid_t, pid_t> children;
  for (const auto& [pid, entry] : all) children.emplace(entry.parent, pid);
  int64_t sum = 0;
  std::vector<pid_t> queue = {root};
  while (!queue.empty()) {
    pid_t pid = queue.back();
    queue.pop_back();
    auto found = all.find(pid);
    if (found == all.end()) continue;
    sum += found->second.resident_bytes;
    auto [first, last] = children.equal_range(pid);
    for (auto it = first; it != last; ++it) queue.push_back(it->second);
    all.erase(found);  // a pid is counted once, whatever /proc claims
  }
  return sum;
}

}  // namespace lockstep
