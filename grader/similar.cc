// SPDX-License-Identifier: Apache-2.0
#include "grader/similar.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <string_view>

namespace lockstep::grader {
namespace {

// An operand by its kind: a register is one whichever it is, RZ and PT are what they are.
std::string kind_of(std::string_view operand) {
  while (!operand.empty() && std::string_view(" -|~!+").find(operand[0]) != std::string_view::npos)
    operand.remove_prefix(1);
  const auto begins = [&](std::string_view with) { return operand.substr(0, with.size()) == with; };
  const auto numbered = [&](std::string_view with) {
    return begins(with) && operand.size() > with.size() && operand[with.size()] >= '0' &&
           operand[with.size()] <= '9';
  };
  if (operand.find("c[") != std::string_view::npos) return "c";
  if (operand.find('[') != std::string_view::npos) return "m";
  if (numbered("UR")) return "u";
  if (numbered("UP")) return "q";
  if (numbered("R")) return "r";
  if (numbered("P")) return "p";
  if (numbered("B") || numbered("SB")) return "b";
  if (!operand.empty() && operand[0] >= '0' && operand[0] <= '9') return "i";
  return std::string(operand);
}

std::string shape_of(std::string_view instruction) {
  std::string shape;
  if (!instruction.empty() && instruction[0] == '@') {
    shape = "@";
    instruction.remove_prefix(std::min(instruction.find(' '), instruction.size() - 1) + 1);
  }
  const size_t name = std::min(instruction.find(' '), instruction.size());
  shape += instruction.substr(0, name);
  for (size_t at = name; at < instruction.size();) {
    const size_t end = std::min(instruction.find(", ", at + 1), instruction.size());
    shape += " " + kind_of(instruction.substr(at, end - at));
    at = end < instruction.size() ? end + 1 : end;
  }
  return shape;
}

// FNV-1a, 64 bits.
uint64_t hashed(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash ^ 0xff) * 0x100000001b3;
}

size_t root_of(std::vector<size_t>* above, size_t i) {
  while ((*above)[i] != i) i = (*above)[i] = (*above)[(*above)[i]];
  return i;
}

}  // namespace

Fingerprint fingerprint(const MachineCode& code) {
  Fingerprint hashes;
  for (const MachineFunction& function : code.functions) {
    std::vector<std::string> shapes;
    for (const std::string& instruction : function.code)
      if (instruction.rfind("NOP", 0) != 0) shapes.push_back(shape_of(instruction));
    for (size_t i = 0; i + kRun <= shapes.size(); ++i) {
      uint64_t hash = 0xcbf29ce484222325;
      for (size_t k = 0; k < kRun; ++k) hash = hashed(hash, shapes[i + k]);
      hashes.push_back(hash);
    }
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

Fingerprint without(const Fingerprint& own, const Fingerprint& given) {
  Fingerprint left;
  std::set_difference(own.begin(), own.end(), given.begin(), given.end(), std::back_inserter(left));
  return left;
}

double likeness(const Fingerprint& a, const Fingerprint& b) {
  if (a.size() < kLeastRuns || b.size() < kLeastRuns) return 0;
  size_t both = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    both += a[i] == b[j] ? 1 : 0;
    const bool first = a[i] <= b[j], second = b[j] <= a[i];
    i += first ? 1 : 0;
    j += second ? 1 : 0;
  }
  return double(both) / double(a.size() + b.size() - both);
}

std::vector<SimilarGroup> similar_groups(const std::vector<Fingerprint>& all) {
  // By size: what is much smaller cannot be very similar.
  std::vector<size_t> order(all.size()), above(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::iota(above.begin(), above.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return all[a].size() < all[b].size(); });
  struct Pair {
    size_t a, b;
    double share;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j) {
      const Fingerprint &a = all[order[i]], &b = all[order[j]];
      if (double(a.size()) < kVerySimilar * double(b.size())) break;
      const double share = likeness(a, b);
      if (share < kVerySimilar) continue;
      pairs.push_back({order[i], order[j], share});
      above[root_of(&above, order[i])] = root_of(&above, order[j]);
    }
  std::map<size_t, SimilarGroup> groups;
  for (const Pair& pair : pairs) {
    SimilarGroup& group = groups[root_of(&above, pair.a)];
    group.least = std::min(group.least, pair.share);
    group.most = std::max(group.most, pair.share);
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (const auto group = groups.find(root_of(&above, i)); group != groups.end())
      group->second.members.push_back(i);
  std::vector<SimilarGroup> result;
  for (auto& [root, group] : groups) result.push_back(std::move(group));
  std::sort(result.begin(), result.end(), [](const SimilarGroup& a, const SimilarGroup& b) {
    return a.most != b.most ? a.most > b.most : a.members < b.members;
  });
  return result;
}

}  // namespace lockstep::grader
