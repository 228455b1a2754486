// SPDX-License-Identifier: Apache-2.0
// Names through ICU's spoof checker. See names.h.
#include "grader/names.h"

#include <unicode/ubidi.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
#include "grader/sha256.h"
#include "grader/students.h"

namespace lockstep::grader {
namespace {

// Longer names are shown by their beginning and a hash of the whole, which no other has. Between
// the two is what stands in no whole name: there a backslash comes before \, " and x alone.
constexpr int kMostNameColumns = 48;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

void require(UErrorCode code) {
  if (U_FAILURE(code)) throw Error(std::string("ICU: ") + u_errorName(code), kExitCannotRun);
}

using Checker = std::unique_ptr<USpoofChecker, decltype(&uspoof_close)>;

// Constant, so that any thread may ask it.
Checker make_checker(int32_t checks) {
  UErrorCode code = U_ZERO_ERROR;
  Checker checker(uspoof_open(&code), uspoof_close);
  require(code);
  uspoof_setChecks(checker.get(), checks, &code);
  if ((checks & USPOOF_RESTRICTION_LEVEL) != 0)
    uspoof_setRestrictionLevel(checker.get(), USPOOF_HIGHLY_RESTRICTIVE);
  require(code);
  return checker;
}

bool fails(const Checker& checker, std::string_view text) {
  UErrorCode code = U_ZERO_ERROR;
  const int32_t found = uspoof_check2UTF8(checker.get(), text.data(),
                                          static_cast<int32_t>(text.size()), nullptr, &code);
  require(code);
  return found != 0;
}

}  // namespace

std::string skeleton(std::string_view utf8) {
  static const Checker checker = make_checker(USPOOF_CONFUSABLE);
  UErrorCode code = U_ZERO_ERROR;
  std::string out(utf8.size() * 4 + 16, '\0');
  for (;;) {
    const int32_t length =
        uspoof_getSkeletonUTF8(checker.get(), 0, utf8.data(), static_cast<int32_t>(utf8.size()),
                               out.data(), static_cast<int32_t>(out.size()), &code);
    const bool fits = static_cast<size_t>(length) <= out.size();
    if (fits) require(code);
    out.resize(static_cast<size_t>(length));
    if (fits) return out;
    code = U_ZERO_ERROR;
  }
}

std::string without_signs(std::string_view utf8) {
  std::string out;
  Character c;
  for (size_t at = 0; next_character(utf8, &at, &c);) {
    const auto code = static_cast<UChar32>(c.code);
    const bool sign = c.code >= 0x80 && c.code != kNoCharacter &&
                      (U_MASK(u_charType(code)) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) == 0;
    if (!sign) out += c.bytes;
  }
  return out;
}

std::string as_read(std::string_view utf8) {
  if (is_ascii(utf8)) return std::string(utf8);
  const auto text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())));
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<UBiDi, decltype(&ubidi_close)> order(
      ubidi_openSized(text.length(), 0, &code), ubidi_close);
  ubidi_setPara(order.get(), text.getBuffer(), text.length(), UBIDI_LTR, nullptr, &code);
  icu::UnicodeString line;
  UChar* into = line.getBuffer(text.length() + 1);
  const int32_t length = ubidi_writeReordered(
      order.get(), into, text.length() + 1, UBIDI_DO_MIRRORING | UBIDI_REMOVE_BIDI_CONTROLS, &code);
  line.releaseBuffer(U_SUCCESS(code) ? length : 0);
  require(code);
  std::string out;
  return line.toUTF8String(out);
}

namespace {

// UTS 39's General Security Profile: letters, marks and figures in use today, and the few signs
// that words need. Other signs may look like blanks, or like those that part the columns of a
// report.
bool is_allowed(const Character& c) {
  UErrorCode code = U_ZERO_ERROR;
  const auto code_point = static_cast<UChar32>(c.code);
  const bool allowed = c.code < 0x80 ||
                       uset_contains(uspoof_getRecommendedSet(&code), code_point) ||
                       uset_contains(uspoof_getInclusionSet(&code), code_point);
  require(code);
  return allowed;
}

bool all_allowed(std::string_view text) {
  Character c;
  for (size_t at = 0; next_character(text, &at, &c);)
    if (!is_allowed(c)) return false;
  return true;
}

// Words are what is of one script, or of several that are written together, in an honest name;
// "hw02" may stand beside them.
bool mixes_scripts(const std::string& text) {
  static const Checker checker = make_checker(USPOOF_RESTRICTION_LEVEL);
  size_t begin = 0, at = 0;
  const auto bad_until = [&](size_t end) {
    const std::string_view word(text.data() + begin, end - begin);
    return !is_ascii(word) && fails(checker, word);
  };
  Character c;
  for (size_t before = 0; next_character(text, &at, &c); before = at) {
    const bool letter =
        (U_MASK(u_charType(static_cast<UChar32>(c.code))) & (U_GC_L_MASK | U_GC_M_MASK)) != 0;
    if (letter) continue;
    if (bad_until(before)) return true;
    begin = at;
  }
  return bad_until(text.size());
}

using Hide = std::function<bool(const Character&)>;

bool hide_foreign(const Character& c) { return c.code >= 0x80; }
bool hide_lookalike(const Character& c) { return c.code >= 0x80 || skeleton(c.bytes) != c.bytes; }

// Which characters of a name that nothing else looks like are better not shown.
Hide hidden_alone(const std::string& shown) {
  static const Checker checker =
      make_checker(USPOOF_MIXED_NUMBERS | USPOOF_INVISIBLE | USPOOF_HIDDEN_OVERLAY);
  if (is_ascii(shown)) return {};
  if (!all_allowed(shown) || fails(checker, shown) || mixes_scripts(shown)) return hide_foreign;
  return {};
}

std::string cut_name(const std::string& name, const std::string& identity, const Hide& hide) {
  std::string whole = shown_name(name, INT_MAX, hide);
  if (widest_columns(whole) <= kMostNameColumns) return whole;
  return shown_name(name, kMostNameColumns / 2, hide) + "\\#" +
         sha256(identity).substr(0, kMostNameColumns / 2);
}

// "ada" of "ada.cu"; what a platform calls a student, as it is.
std::string bare_name(const std::string& identity) {
  const size_t mark = identity.find(kPlatformMark);
  return mark == std::string::npos ? stem(identity) : identity.substr(mark + kPlatformMark.size());
}

// Of all that could be read as whose a submission is: which bytes look so.
class Readings {
 public:
  explicit Readings(const std::vector<SubmissionEntry>& list) {
    for (const SubmissionEntry& entry : list) {
      add(entry.identity);
      if (bare_name(entry.identity) != entry.identity) add(bare_name(entry.identity));
    }
  }
  bool means_several(const std::string& text) const { return times_.at(text) > 1; }
  bool looks_like_another(const std::string& text) const {
    return looks_.at(look_of(text)).size() > 1;
  }

 private:
  static std::string look_of(const std::string& text) {
    return skeleton(shown_name(text, INT_MAX));
  }
  void add(const std::string& text) {
    if (++times_[text] == 1) looks_[look_of(text)].insert(text);
  }
  std::map<std::string, int> times_;
  std::map<std::string, std::set<std::string>> looks_;
};

}  // namespace

void set_shown_names(std::vector<SubmissionEntry>* list) {
  const Readings readings(*list);
  std::set<std::string> shown;
  for (SubmissionEntry& entry : *list) {
    std::string name = bare_name(entry.identity);
    if (name.empty() || readings.means_several(name)) name = entry.identity;
    entry.name =
        cut_name(name, entry.identity,
                 readings.looks_like_another(name) ? hide_lookalike
                                                   : hidden_alone(shown_name(name, INT_MAX)));
    if (!shown.insert(entry.name).second)
      throw Error("two submissions would be shown as " + entry.name +
                  ": nothing was graded; rename one of them");
  }
}

std::map<std::string, std::string> names_of_all(const std::vector<SubmissionEntry>& present,
                                                const std::vector<std::string>& known) {
  std::map<std::string, std::string> names;
  for (const SubmissionEntry& entry : present) names[entry.identity] = entry.name;
  std::vector<SubmissionEntry> absent;
  for (const std::string& identity : known)
    if (!names.contains(identity)) absent.push_back({"", "", identity});
  set_shown_names(&absent);
  // Behind a slash one who is there has a number, if anything.
  for (const SubmissionEntry& entry : absent) names[entry.identity] = entry.name + "/absent";
  return names;
}

std::string shown_alone(const std::string& identity) {
  return cut_name(identity, identity, hidden_alone(shown_name(identity, INT_MAX)));
}

}  // namespace lockstep::grader
