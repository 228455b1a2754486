// SPDX-License-Identifier: Apache-2.0
// Whose a row is, and what stands in a cell.
#include <gtest/gtest.h>

#include <algorithm>

#include "grader/export/format.h"
#include "grader/export/write.h"
#include "tests/grader/export_class.h"

namespace lockstep::grader {
namespace {

// As at intake: nobody gets into another's place by a name.
TEST(ExportRows, WhereTwoWouldBeOneStudentsNeitherHasAGrade) {
  std::vector<Graded> all(4, export_class()[0]);
  const char* identities[] = {"bob.cu", "bob.zip", "eve.cu", "student//ann"};
  for (size_t i = 0; i < all.size(); ++i) all[i].submission = all[i].identity = identities[i];
  const StudentTable table = StudentTable::read(
      "student,file,canvas,idnumber,email,github\nbob,bob,34,n34,b@x.edu,bob\n"
      "eve,eve,78,n78,e@x.edu,eve\nann,,12,n78,a@x.edu,ann\n",
      "t.csv");
  SheetOptions options;
  options.table = &table;
  const Sheet sheet = make_sheet(class_rubric(), all, options);
  for (const SheetRow& row : sheet.rows) {
    EXPECT_EQ(row.why_nobodys != "", row.name.starts_with("bob")) << row.name;
    EXPECT_EQ(row.student.key.empty(), row.name.starts_with("bob")) << row.name;
  }
  const Exported canvas = export_canvas(sheet, FormatSettings{}),
                 moodle = export_moodle(sheet, FormatSettings{});
  EXPECT_EQ(canvas.files[0].contents.find("\"34\""), std::string::npos);
  EXPECT_NE(canvas.files[0].contents.find("\"78\""), std::string::npos);
  EXPECT_EQ(canvas.left_out.size(), 2u);
  EXPECT_TRUE(canvas.left_out[0].doubtful);
  // Two of the table have one number in Moodle.
  EXPECT_EQ(moodle.files[0].contents.find("n78"), std::string::npos);
  EXPECT_EQ(moodle.left_out.size(), 4u);
  for (const ExportFile& file : export_classroom50(sheet, FormatSettings{}).files)
    EXPECT_FALSE(file.path.starts_with("bob")) << file.path;
}

// Each cell as its reader takes it.
TEST(ExportRows, NoMarkupIsTakenForMarkup) {
  std::vector<Graded> all = {export_class()[1]};
  all[0].verdict.message = "x\n<br>'&amp;\"<b>=1+1\n";
  const Sheet sheet = make_sheet(class_rubric(), all, {});
  Sheet known = sheet;
  known.rows[0].student.email = "a@x.edu";
  const std::string text = export_moodle(known, FormatSettings{}).files[0].contents;
  EXPECT_NE(text.find("x&#10;  &lt;br&gt;'&amp;amp;&quot;&lt;b&gt;=1+1&#10;  [pass]"),
            std::string::npos)
      << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '<'), 2) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  EXPECT_EQ(csv_line({Cell::text("=1"), Cell::number(-1), Cell::html("=1\n"), Cell::text("a\"b")}),
            "\"'=1\",\"-1\",\"<pre>=1&#10;</pre>\",\"a\"\"b\"\r\n");
}

// What a spreadsheet would show as another text keeps its own.
TEST(ExportRows, NamesThatAreNumbersOrDatesStayNames) {
  for (const char* name : {"sep2", "2sep", "sept2", "2sept", "5.0", "(5)", "1e5", "3 may"})
    EXPECT_EQ(csv_line({Cell::name(name)}), "\"'" + std::string(name) + "\"\r\n");
  for (const char* name : {"ada", "ada2", "septa2", "5", "(a)"})
    EXPECT_EQ(csv_line({Cell::name(name)}), "\"" + std::string(name) + "\"\r\n");
}

}  // namespace
}  // namespace lockstep::grader
