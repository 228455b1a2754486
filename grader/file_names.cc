// SPDX-License-Identifier: Apache-2.0
// Names of files, as systems differ in them. See file_names.h.
#include "grader/file_names.h"

#include <strings.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "common/base/text.h"

namespace lockstep::grader {
namespace {

constexpr ArchiveKind kKinds[] = {
    {".zip", true, Packing::kNone},     {".tar", false, Packing::kNone},
    {".tar.gz", false, Packing::kGzip}, {".tgz", false, Packing::kGzip},
    {".tar.xz", false, Packing::kXz},   {".tar.bz2", false, Packing::kBzip2},
    {".tar.zst", false, Packing::kZstd}};

// File systems compare capitals, Unicode folds to small letters; of a few letters (a dotless i)
// only the capital is another's.
std::string case_folded(const std::string& name) {
  const bool small = name.size() <= kLongestPath;
  constexpr auto kForm =
      static_cast<utf8proc_option_t>(UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
                                     UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  utf8proc_uint8_t* out = nullptr;
  if (small)
    utf8proc_map_custom(
        reinterpret_cast<const utf8proc_uint8_t*>(name.c_str()), 0, &out, kForm,
        [](utf8proc_int32_t c, void*) { return utf8proc_toupper(c); }, nullptr);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> mapped(out, std::free);
  if (mapped != nullptr) return reinterpret_cast<const char*>(mapped.get());
  std::string plain = name;
  for (char& c : plain)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return plain;
}

// Names of devices in Windows, whatever follows a dot; also with a figure, which may be raised.
bool is_device(const std::string& part) {
  std::string name = case_folded(part.substr(0, part.find_first_of(".:")));
  name.resize(name.find_last_not_of(' ') + 1);
  for (const char* one : {"con", "prn", "aux", "nul", "conin$", "conout$"})
    if (name == one) return true;
  return name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt")) &&
         name[3] >= '0' && name[3] <= '9';
}

// "MY_KER~1.CU": Windows opens my_kernel.cu by it.
bool is_short_form(const std::string& part) {
  const size_t dot = std::min(part.find('.'), part.size()), mark = part.find('~');
  return mark < dot && dot <= 8 && part.size() - dot <= 4 && mark + 1 < dot &&
         part.find_first_not_of("0123456789", mark + 1) == part.find('.');
}

constexpr uint32_t kChanged = 0;

bool is_kept(const Character& c) {
  if (c.code == kNoCharacter || c.code == 0) return false;
  if (c.code < 0x80 && std::strchr(";:*?\"<>|\\", static_cast<int>(c.code)) != nullptr)
    return false;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c.code))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return false;
    default:
      return true;
  }
}

// The characters of a part of a path, in small letters of ASCII; kChanged: not all keep it.
std::vector<uint32_t> characters_of(const std::string& part) {
  std::vector<uint32_t> all;
  const size_t end = part.find_last_not_of(" .") + 1;
  Character c;
  for (size_t at = 0; next_character(part, &at, &c);) {
    const uint32_t small = c.code >= 'A' && c.code <= 'Z' ? c.code - 'A' + 'a' : c.code;
    all.push_back(is_kept(c) && at <= end ? small : kChanged);
  }
  return all;
}

bool is_changed(const std::vector<uint32_t>& characters) {
  return std::find(characters.begin(), characters.end(), kChanged) != characters.end();
}

// Whether they can come to `wanted`, or end so where it begins with a dot. `reached[k]`: so many of
// it may stand at the end of what was read.
bool can_come_to(const std::vector<uint32_t>& characters, const std::string& wanted) {
  const bool ending = wanted.starts_with('.');
  std::vector<bool> reached(wanted.size() + 1);
  reached[0] = true;
  for (const uint32_t c : characters) {
    if (c == kChanged && reached.back()) return true;
    for (size_t k = wanted.size(); k > 0; --k)
      reached[k] = (c == kChanged && reached[k]) ||
                   (reached[k - 1] && (c == kChanged || c == uint32_t(wanted[k - 1])));
    reached[0] = reached[0] && (ending || c == kChanged);
  }
  return reached.back();
}

}  // namespace

bool may_be_moved(const std::string& path) {
  for (size_t at = 0, end; (end = path.find('/', at)) != std::string::npos; at = end + 1)
    if (is_changed(characters_of(path.substr(at, end - at)))) return true;
  return false;
}

bool may_become(const std::string& path, const std::string& wanted) {
  if (path.size() > kLongestPath) return false;
  std::string small = wanted;
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const std::vector<uint32_t> characters = characters_of(path.substr(path.rfind('/') + 1));
  return (is_changed(characters) || may_be_moved(path)) && can_come_to(characters, small);
}

bool has_ending(const std::string& name, const char* ending) {
  const size_t length = std::strlen(ending);
  return name.size() >= length && strcasecmp(name.c_str() + (name.size() - length), ending) == 0;
}

const ArchiveKind* archive_kind(const std::string& name) {
  for (const ArchiveKind& kind : kKinds)
    if (has_ending(name, kind.ending)) return &kind;
  return nullptr;
}

std::string archive_kinds() {
  std::string all;
  for (const ArchiveKind& kind : kKinds)
    all += (all.empty() ? "" : ", ") + std::string(kind.ending + 1);
  return all;
}

bool may_be_archive(const std::string& path) {
  const std::string name = path.substr(path.find_last_of("/\\") + 1);
  return archive_kind(name) != nullptr || archive_kind(folded(name)) != nullptr ||
         std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](const ArchiveKind& kind) { return may_become(path, kind.ending); });
}

std::string stem(const std::string& name) {
  const ArchiveKind* kind = archive_kind(name);
  const char* ending = kind != nullptr ? kind->ending : ".cu";
  const size_t length = std::strlen(ending);
  return has_ending(name, ending) && name.size() > length ? name.substr(0, name.size() - length)
                                                          : name;
}

std::string folded(const std::string& name) {
  std::string fold = case_folded(name);
  fold.resize(std::min(fold.find(':'), fold.size()));
  // What Windows cannot have in a name programs write as this.
  std::replace_if(
      fold.begin(), fold.end(), [](char c) { return std::strchr("<>\"|?*", c) != nullptr; }, '_');
  fold.resize(fold.find_last_not_of(" .") + 1);
  return fold;
}

std::string folded_path(const std::string& path) {
  std::string out;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find_first_of("/\\", at), path.size());
    out += folded(path.substr(at, end - at)) + "/";
    at = end + 1;
  }
  return out;
}

std::string companion_of(const std::string& path) {
  constexpr std::string_view kStream = ":Zone.Identifier";
  const size_t name = path.rfind('/') + 1;
  const bool stream = path.size() > name + kStream.size() && path.ends_with(kStream);
  if (stream) return path.substr(0, path.size() - kStream.size());
  const std::string_view start = std::string_view(path).substr(name, 2);
  const bool left = (start == "._" || start == ".#") && path.size() > name + 2;
  return left ? path.substr(0, name) + path.substr(name + 2) : "";
}

bool is_left_by_programs(const std::string& name) {
  static const char* const kNames[] = {
      "__macosx",    "icon\r",       "thumbs.db",     "ehthumbs.db",
      "desktop.ini", "$recycle.bin", kGradescopeFile, "system volume information"};
  std::string small = name;
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small.starts_with('.') ||
         std::find(std::begin(kNames), std::end(kNames), small) != std::end(kNames);
}

bool is_hidden(const std::string& path, const std::string& file_name) {
  const bool stream = path.ends_with(":Zone.Identifier");
  const std::string plain = stream ? companion_of(path) : path;
  // Where some machine has another path for it, it may be hidden here alone.
  if (!problem_of_name(plain).empty() || may_be_moved(plain + "/")) return false;
  for (size_t at = 0, end; (end = plain.find('/', at)) != std::string::npos; at = end + 1)
    if (plain[at] == '.' || plain.compare(at, end - at, "__MACOSX") == 0) return true;
  const std::string name = plain.substr(plain.rfind('/') + 1);
  return name[0] == '.' && folded(name) != folded(file_name);
}

bool is_hiding_list(const std::string& path) {
  return folded(path.substr(path.rfind('/') + 1)) == kHidingList;
}

namespace {

bool is_utf8(const std::string& text) {
  Character c;
  for (size_t at = 0; next_character(text, &at, &c);)
    if (c.code == kNoCharacter) return false;
  return true;
}

}  // namespace

std::string problem_of_name(const std::string& path) {
  // Half of a letter, of an encoding that is not known, in a folder's name: wherever a program
  // parts it, the file in it is called the same.
  const bool half = !is_utf8(path) && path.rfind('\\') < path.rfind('/') + 1 &&
                    path.find("..") == std::string::npos;
  const auto unfit = [&](unsigned char c) {
    return c < 32 || c == 127 || (c == '\\' && !half) || c == ':';
  };
  if (std::any_of(path.begin(), path.end(), unfit))
    return "its path holds a backslash, a colon or a control character";
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    at = end + 1;
    if (part.ends_with('.') || part.ends_with(' '))
      return "its path holds a name that ends in a dot or a blank, which Windows drops";
    if (is_short_form(part))
      return "its path holds a name in the short form that Windows gives to long ones";
    if (is_device(part)) return "its path holds a name that means a device in Windows";
  }
  return {};
}

bool only_folders_change(const std::string& path) {
  const auto unfit = [](unsigned char c) { return c < 32 || c == 127 || c == '\\'; };
  return std::none_of(path.begin(), path.end(), unfit) &&
         problem_of_name(path.substr(path.rfind('/') + 1)).empty();
}

}  // namespace lockstep::grader
