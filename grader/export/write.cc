// SPDX-License-Identifier: Apache-2.0
// Escapes. See write.h.
#include "grader/export/write.h"

#include <cmath>
#include <regex>

namespace lockstep::grader {

std::string json_text(const Json& value, bool indented) {
  return value.dump(indented ? 1 : -1, ' ', true, Json::error_handler_t::replace) + "\n";
}

namespace {

// By its first sign, of ASCII or as wide as East Asian letters. Blanks before it do not stop every
// spreadsheet.
bool is_formula(const std::string& cell) {
  const size_t first = cell.find_first_not_of(" \t\n");
  if (first == std::string::npos) return false;
  for (const char* sign : {"=", "+", "-", "@", "|", "%", "\xef\xbc\x9d", "\xef\xbc\x8b",
                           "\xef\xbc\x8d", "\xef\xbc\xa0"})
    if (cell.compare(first, std::char_traits<char>::length(sign), sign) == 0) return true;
  return false;
}

// What a spreadsheet takes for a number or a date, and shows as another text: of figures and signs
// alone, or a month with figures; but for whole numbers as these are written.
bool is_rewritten(const std::string& cell) {
  static const std::regex kNumber(
      "\\([0-9.,:/ ]*[0-9][0-9.,:/ ]*\\)|[0-9.,:/ ]*[0-9][0-9.,:/ ]*(e[-+]?[0-9]+)?|[0-9]+[-/ "
      ".][0-9][-/ .0-9]*|[0-9]+ "
      "?[ap]m?|true|false",
      std::regex::icase);
  static const std::string kMonth =
      "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?|september|oct("
      "ober)?|"
      "nov(ember)?|dec(ember)?)";
  static const std::regex kDate(
      "([0-9]+[-/ .]?" + kMonth + "[-/ .0-9]*)|(" + kMonth + "[-/ .]?[0-9][-/ .0-9]*)",
      std::regex::icase);
  static const std::regex kPlain("0|[1-9][0-9]{0,14}");
  if (cell.size() >= 100 || std::regex_match(cell, kPlain)) return false;
  return std::regex_match(cell, kNumber) || std::regex_match(cell, kDate);
}

}  // namespace

Cell Cell::number(double value) { return Cell(plain_number(rounded(value))); }

Cell Cell::number(const std::optional<double>& value) { return value ? number(*value) : Cell(""); }

Cell Cell::text(const std::string& text) { return Cell((is_formula(text) ? "'" : "") + text); }

Cell Cell::name(const std::string& text) {
  return is_rewritten(text) ? Cell("'" + text) : Cell::text(text);
}

// No line break of the file: Moodle makes an element of each.
Cell Cell::html(const std::string& text) {
  std::string out = "<pre>";
  for (const char c : text) {
    const char* name = c == '&'    ? "&amp;"
                       : c == '<'  ? "&lt;"
                       : c == '>'  ? "&gt;"
                       : c == '"'  ? "&quot;"
                       : c == '\n' ? "&#10;"
                                   : nullptr;
    out += name != nullptr ? std::string(name) : std::string(1, c);
  }
  return Cell(out + "</pre>");
}

std::string csv_line(const std::vector<Cell>& cells) {
  std::string line;
  for (const Cell& cell : cells) {
    if (&cell != &cells[0]) line += ',';
    line += '"';
    for (const char c : cell.written()) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\r\n";
}

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Exported for_each_row(
    const Sheet& sheet, const char* file,
    const std::function<std::optional<std::string>(const SheetRow&, std::string* why)>& one) {
  Exported out;
  for (const SheetRow& row : sheet.rows) {
    std::string why = row.why_no_points;
    if (std::optional<std::string> text = one(row, &why))
      out.files.push_back({row.file + "/" + file, std::move(*text)});
    else
      out.left_out.push_back({row.name, why});
  }
  return out;
}

std::string mark_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kPass:
      return "[pass]";
    case CheckStatus::kPartial:
      return "[part]";
    case CheckStatus::kFail:
      return "[FAIL]";
    case CheckStatus::kReview:
      return "[ ?  ]";
    default:
      return "[ -  ]";
  }
}

double rounded(double points) { return std::round(points * 10000) / 10000; }

Json points_json(const std::optional<double>& points) {
  return points ? Json(rounded(*points)) : Json();
}

}  // namespace lockstep::grader
