// SPDX-License-Identifier: Apache-2.0
// How formats write things down: JSON, CSV and XML from texts that others had a hand in.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/export/format.h"

namespace lockstep::grader {

using Json = nlohmann::ordered_json;

// ASCII whatever is in it; with line breaks and indented, or all in one line; a newline at the end.
std::string json_text(const Json& value, bool indented = true);

// A cell of a CSV file, as its reader is to take it; there is no other way to write one.
class Cell {
 public:
  static Cell number(double value);
  static Cell number(const std::optional<double>& value);  // or empty
  // Plain text, and what a platform calls somebody or something: with ' before it where a
  // spreadsheet would take it for a formula. A name that begins so is nobody's.
  static Cell text(const std::string& text);
  // A name that a spreadsheet must not take for a number or a date, and show as another one.
  static Cell name(const std::string& text);
  // Text for a reader that takes the cell for HTML: every sign of it is one, each line stays one.
  static Cell html(const std::string& text);
  const std::string& written() const { return written_; }

 private:
  explicit Cell(std::string written) : written_(std::move(written)) {}
  std::string written_;
};

// One line of a CSV file (RFC 4180), every cell in quotes.
std::string csv_line(const std::vector<Cell>& cells);

// Of an element or an attribute in double quotes. Text is as in a sheet.
std::string xml_text(const std::string& text);

// A file for each row: what `one` makes of it; nothing is a row that is left out, with *why.
Exported for_each_row(
    const Sheet& sheet, const char* file,
    const std::function<std::optional<std::string>(const SheetRow&, std::string* why)>& one);

// "[pass]" and so on, as in reports.
std::string mark_of(CheckStatus status);
// Points with the report's precision (1/100), or null.
Json points_json(const std::optional<double>& points);
double rounded(double points);

}  // namespace lockstep::grader
