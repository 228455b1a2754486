// SPDX-License-Identifier: Apache-2.0
// A zip that two programs could read in two ways is refused; those that honest programs write are
// not.
#include "grader/zip_layout.h"

#include <gtest/gtest.h>

#include <functional>

#include "common/backend/module_files.h"
#include "common/base/quoted.h"
#include "grader/stage.h"
#include "tests/grader/archives.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

std::string number(uint64_t value, int bytes) {
  std::string out;
  for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 255);
  return out;
}

struct Part {
  std::string name, contents;
  std::string head_name = {}, extra = {};
  std::string descriptor = {};  // what stands before the numbers that follow the contents
  bool later = false;           // they do
};

uint32_t crc_of(const std::string& text) {
  uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

// Stored members, as APPNOTE.TXT 4.3 has them.
std::string zip_of(const std::vector<Part>& parts, const std::string& before = "",
                   const std::string& gap = "", const std::string& comment = "") {
  std::string all = before, directory;
  for (const Part& p : parts) {
    const std::string sizes =
        number(crc_of(p.contents), 4) + number(p.contents.size(), 4) + number(p.contents.size(), 4);
    const std::string flags = number(p.later ? 8 : 0, 2) + number(0, 6), numbers = flags + sizes;
    const std::string head = p.head_name.empty() ? p.name : p.head_name;
    const std::string lengths = number(p.name.size(), 2) + number(p.extra.size(), 2);
    directory += std::string("PK\1\2") + number(20, 2) + number(20, 2) + numbers + lengths +
                 number(0, 10) + number(all.size(), 4) + p.name + p.extra;
    all += std::string("PK\3\4") + number(20, 2) + flags + (p.later ? number(0, 12) : sizes) +
           number(head.size(), 2) + number(0, 2) + head + p.contents;
    if (p.later) all += p.descriptor + sizes;
  }
  all += gap;
  return all + directory + "PK\5\6" + number(0, 4) + number(parts.size(), 2) +
         number(parts.size(), 2) + number(directory.size(), 4) + number(all.size(), 4) +
         number(comment.size(), 2) + comment;
}

StagedSubmission staged(const TemporaryFolder& t, const std::string& bytes) {
  t.write("ada.zip", bytes);
  return stage_submission(single_submission(t.path("ada.zip")), "hw02.cu");
}

TEST(ZipLayout, WhatHonestProgramsWriteIsRead) {
  TemporaryFolder t;
  EXPECT_EQ(staged(t, zip_of({{"hw02.cu", "code"}, {"a.txt", "text"}})).contents, "code");
  EXPECT_EQ(staged(t, zip_of({{"hw02.cu", "code"}}, "", "", "a comment")).contents, "code");
  // libarchive packs, and puts sizes behind the contents.
  make_archive(t.path("b.zip"), {{"x/hw02.cu", std::string(5000, 'c')}, {"x/y", "y"}}, true);
  EXPECT_EQ(zip_layout_problem(read_file(t.path("b.zip"))), "");
  EXPECT_EQ(stage_submission(single_submission(t.path("b.zip")), "hw02.cu").contents.size(), 5000u);
  const std::string utf8 = "\xC3\x9C.cu";
  const std::string second = "up" + number(5 + utf8.size(), 2) + number(1, 5) + utf8;
  EXPECT_EQ(zip_layout_problem(zip_of({{"\x9A.cu", "code", "", second}})), "")
      << "a name in an older encoding, and in UTF-8";
  EXPECT_EQ(zip_layout_problem(zip_of({})), "");
  const std::string times = "UT" + number(5, 2) + number(1, 5);
  EXPECT_EQ(zip_layout_problem(zip_of({{"hw02.cu", "code", "", times}})), "");
}

// Info-ZIP for Windows writes rights, WinZip how a member is encrypted, Java where an archive
// begins.
TEST(ZipLayout, FieldsThatHoldNoNameHarmNobody) {
  for (const uint64_t id : {0x000a, 0x000d, 0x0014, 0x0017, 0x4453, 0x4b46, 0x4c41, 0x6375, 0x7875,
                            0x9901, 0xa11e, 0xa220, 0xcafe}) {
    const std::string field = number(id, 2) + number(4, 2) + number(7, 4);
    EXPECT_EQ(zip_layout_problem(zip_of({{"hw02.cu", "code", "", field}})), "") << id;
  }
}

// Xceed's second name, ZipIt's and Info-ZIP's of a Macintosh, attributes of OS/2, VMS and BeOS,
// which may hold one, and what nobody has told.
TEST(ZipLayout, AFieldThatNobodyKnowsMayHoldAName) {
  for (const uint64_t id :
       {0x554e, 0x2605, 0x334d, 0x0008, 0x0009, 0x000c, 0x4d49, 0x4f4c, 0x6542, 0xe57a, 0x0000}) {
    const std::string name = "other.cu";
    const std::string field = number(id, 2) + number(name.size(), 2) + name;
    EXPECT_NE(zip_layout_problem(zip_of({{"hw02.cu", "code", "", field}})), "") << id;
  }
}

std::string unicode_path(const std::string& path) {
  return "up" + number(5 + path.size(), 2) + number(1, 5) + path;
}

// A code page has a letter that looks like it, or none; of a file's own name that is two names.
TEST(ZipLayout, AFolderMayBeSpeltWithTheLettersThatThereAre) {
  const std::string folder = "I\xC5\x9F\xC4\xB1l/";  // s with cedilla, i without a dot
  EXPECT_EQ(
      zip_layout_problem(zip_of({{"Isil/hw02.cu", "c", "", unicode_path(folder + "hw02.cu")}})),
      "");
  EXPECT_NE(
      zip_layout_problem(zip_of({{"Isil/s.cu", "c", "", unicode_path(folder + "\xC5\x9F.cu")}})),
      "");
  EXPECT_NE(
      zip_layout_problem(zip_of({{"Is/l/hw02.cu", "c", "", unicode_path(folder + "hw02.cu")}})),
      "");
}

// A person may see either name, so both are held to the rules.
TEST(ZipLayout, ASecondNameIsANameToo) {
  const std::string seen = unicode_path("hw02.\xD1\x81u");  // a Cyrillic es
  for (const bool of_class : {false, true}) {
    const auto taken = [&](std::vector<Part> parts) {
      TemporaryFolder t;
      if (!of_class) return staged(t, zip_of(parts));
      for (Part& p : parts) {
        p.name.insert(0, "c/ada/");
        if (!p.extra.empty()) p.extra = unicode_path("c/ada/" + p.extra.substr(9));
      }
      parts.push_back({"c/zoe.cu", "zoe"});
      t.write("c.zip", zip_of(parts));
      const auto list = list_submissions(t.path("c.zip"), "hw02.cu", t.path("work"));
      EXPECT_EQ(list.size(), 2u);
      return stage_submission(list.at(0), "hw02.cu");
    };
    // The first name alone is shorter than it looks: nothing is said by its bytes.
    const StagedSubmission alike =
        taken({{"hw02.\x87\x87u", "seen", "", seen}, {"old/src/hw02.cu", "graded"}});
    EXPECT_EQ(alike.contents, "");
    EXPECT_NE(alike.problem.find("hw02.\\xd1\\x81u looks like hw02.cu"), std::string::npos)
        << alike.problem;
    const Part honest{"\x9A.cu", "code", "", unicode_path("\xC3\x9C.cu")};
    EXPECT_EQ(taken({honest}).contents, "code");
    // A source by its second name.
    const StagedSubmission two =
        taken({honest, {"h.\x87", "seen", "", unicode_path("h.\xEF\xBD\x83\xEF\xBD\x95")}});
    EXPECT_EQ(two.contents, "");
    EXPECT_NE(two.problem.find("which file is meant"), std::string::npos) << two.problem;
    EXPECT_EQ(taken({{"hw02.cu", "good"}, {"\x9A.txt", "code", "", unicode_path("\xC3\x9C.txt")}})
                  .contents,
              "good");
  }
}

TEST(ZipLayout, WhatCouldBeReadInAnotherWayIsRefused) {
  const Part good{"hw02.cu", "good"}, bad{"hw02.cu", "bad"};
  const std::string inner = zip_of({bad});
  const std::string second = "up" + number(12, 2) + number(1, 5) + "hw02.cu";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {zip_of({good}, inner), "hidden before hw02.cu"},
      {inner + zip_of({good}), "two directories"},
      {zip_of({good}, "", inner.substr(0, 40)), "does not end"},
      {zip_of({good}, "", "", inner), "two directories"},
      {zip_of({good}) + "x", "not at its end"},
      {zip_of({{"hw02.cu", "good", "note.cu"}}), "is called note.cu where it stands"},
      {zip_of({{"note.cu", "good", "", second}}), "note.cu has two names, the other is hw02.cu"},
  };
  for (const auto& [bytes, words] : cases) {
    TemporaryFolder t;
    const StagedSubmission out = staged(t, bytes);
    EXPECT_EQ(out.contents, "") << words;
    EXPECT_NE(out.problem.find(words), std::string::npos) << words << ": " << out.problem;
    EXPECT_NE(out.problem.find("ada.zip can be read in more than one way"), std::string::npos);
  }
  // Two members in the same bytes.
  std::string twice = zip_of({{"hw02.cu", "good"}, {"hw02.cv", "good"}});
  const size_t entry = twice.rfind("PK\1\2");
  twice.replace(entry + 42, 4, number(0, 4));
  EXPECT_NE(zip_layout_problem(twice), "");
}

// The end of an archive whose one directory has one record of 64 bits as well.
struct Ends {
  uint64_t entries = 1, size = 0, offset = 0;                // of 64 bits
  uint64_t small_entries = 1, small_size = 0, small_at = 0;  // of the end record
  uint64_t disk = 0, disks = 1, here = 1, disk_of_entry = 0;
  std::string extension = {};
};

std::string zip_with_ends(const std::function<void(Ends*)>& change) {
  std::string all = zip_of({{"hw02.cu", "good"}});
  all.resize(all.size() - 22);
  Ends e;
  e.offset = e.small_at = all.rfind("PK\1\2");
  e.size = e.small_size = all.size() - e.offset;
  change(&e);
  all.replace(all.rfind("PK\1\2") + 34, 2, number(e.disk_of_entry, 2));
  const uint64_t end64 = all.size();
  return all + "PK\6\6" + number(44 + e.extension.size(), 8) + number(45, 2) + number(45, 2) +
         number(e.disk, 4) + number(e.disk, 4) + number(e.here, 8) + number(e.entries, 8) +
         number(e.size, 8) + number(e.offset, 8) + e.extension + "PK\6\7" + number(e.disk, 4) +
         number(end64, 8) + number(e.disks, 4) + "PK\5\6" + number(e.disk, 2) + number(e.disk, 2) +
         number(e.small_entries, 2) + number(e.small_entries, 2) + number(e.small_size, 4) +
         number(e.small_at, 4) + number(0, 2);
}

TEST(ZipLayout, BothEndRecordsTellOneDirectory) {
  TemporaryFolder t;
  EXPECT_EQ(staged(t, zip_with_ends([](Ends*) {})).contents, "good");
  // As the format has it where a number is too large, or the writer did not know.
  const auto ones = [](Ends* e) {
    e->small_entries = 0xFFFF;
    e->small_size = e->small_at = 0xFFFFFFFF;
  };
  EXPECT_EQ(staged(t, zip_with_ends(ones)).contents, "good");
  const std::vector<std::function<void(Ends*)>> others = {
      [](Ends* e) { e->small_entries = 0; },
      [](Ends* e) { e->small_size -= 1; },
      [](Ends* e) { e->small_at = 0; },
      [](Ends* e) { e->small_at = e->offset - 1, e->small_size = e->size + 1; },
      [](Ends* e) { e->entries = 2; },
      [](Ends* e) { e->here = 2; },
      [](Ends* e) { e->disk = 1; },
      [](Ends* e) { e->disks = 0; },
      [](Ends* e) { e->disks = 2; },
      [](Ends* e) { e->disk_of_entry = 1; },
      [](Ends* e) { e->extension = "x"; },
      [](Ends* e) {
        e->extension = zip_of({{"hw02.cu", "bad"}});
      },
      [&](Ends* e) { ones(e), e->offset += 1; },
      [&](Ends* e) { ones(e), e->entries = 0; },
  };
  for (size_t i = 0; i < others.size(); ++i)
    EXPECT_NE(zip_layout_problem(zip_with_ends(others[i])), "") << i;
  // Disks, where there is no other record.
  for (const size_t at : {18, 16, 14}) {
    std::string bytes = zip_of({{"hw02.cu", "good"}});
    bytes[bytes.size() - at] ^= 1;
    EXPECT_NE(zip_layout_problem(bytes), "") << at;
  }
}

// What lies beside the source may hold marks, as a document that is a zip itself, where nothing in
// it could be taken for the source.
TEST(ZipLayout, StoredDocumentsMayHoldMarks) {
  TemporaryFolder t;
  const auto beside = [&](const std::string& inner) {
    return staged(t, zip_of({{"report.docx", zip_of({{inner, "text"}}), "", "", "PK\7\x8", true},
                             {"hw02.cu", "code"}}));
  };
  EXPECT_EQ(beside("word/document.xml").contents, "code") << beside("word/document.xml").problem;
  EXPECT_NE(beside("hw02.cu").problem, "");
  EXPECT_NE(beside("inner.zip").problem, "");
}

// As Go's archive/zip writes: stored, and the sizes behind.
TEST(ZipLayout, WhatIsStoredEndsAtTheFirstMark) {
  TemporaryFolder t;
  const std::string mark = "PK\7\x8";
  const auto stored = [&](const std::string& contents, const std::string& descriptor) {
    return zip_of({{"zoe/hw02.cu", contents, "", "", descriptor, true}, {"a.txt", "text"}});
  };
  for (const std::string good : {"code", "P", "PK", "codePK\7", "PK\3", "int PKW = 'PK';"})
    EXPECT_EQ(staged(t, stored(good, mark)).contents, good)
        << staged(t, stored(good, mark)).problem;
  EXPECT_EQ(zip_layout_problem(stored("", mark)), "");
  for (const char* other : {"PK\7\x8", "PK\3\4", "PK\1\2", "PK\5\6", "PK\6\6", "PK\6\7"})
    for (const std::string& contents :
         {std::string(other), std::string("code") + other, other + std::string("code")})
      EXPECT_NE(staged(t, stored(contents, mark))
                    .problem.find("ada.zip can be read in more than one way"),
                std::string::npos)
          << contents;
  EXPECT_NE(staged(t, stored("code", "")).problem, "") << "nothing marks the end";
  EXPECT_NE(staged(t, stored("code", "PK\3\4")).problem, "");
  // What the descriptor says is held to the contents and to the directory.
  const std::string bytes = stored("code", mark);
  for (size_t at = bytes.find(mark), end = at + 16; at < end; ++at) {
    std::string other = bytes;
    other[at] ^= 1;
    EXPECT_NE(zip_layout_problem(other), "") << at;
  }
}

// Sets the method of the only member, where it stands and in the directory.
std::string with_method(std::string bytes, uint64_t method) {
  bytes.replace(8, 2, number(method, 2));
  bytes.replace(bytes.rfind("PK\1\2") + 10, 2, number(method, 2));
  return bytes;
}

TEST(ZipLayout, AMethodThatIsNotSupportedIsCalledSo) {
  for (unsigned method = 1; method < 100; ++method) {
    if (method == 8) continue;
    const std::string words = "packed in a way that is not supported (method " +
                              std::to_string(method) + " of zip; pack it with";
    TemporaryFolder t;
    const StagedSubmission out = staged(t, with_method(zip_of({{"hw02.cu", "code"}}), method));
    EXPECT_EQ(out.contents, "");
    EXPECT_NE(out.problem.find("member 1 (hw02.cu)"), std::string::npos) << out.problem;
    EXPECT_NE(out.problem.find("it is " + words), std::string::npos) << out.problem;
    EXPECT_EQ(out.problem.find("damaged"), std::string::npos) << out.problem;
    // Where a stream says how long it is, another program may end it elsewhere.
    const std::string streamed =
        with_method(zip_of({{"hw02.cu", "code", "", "", "PK\7\x8", true}}), method);
    EXPECT_NE(staged(t, streamed).problem.find(words), std::string::npos)
        << staged(t, streamed).problem;
    // Of a class, too, and it is no other's.
    t.write("class.zip", with_method(zip_of({{"ada.cu", "code"}}), method));
    const auto list = list_submissions(t.path("class.zip"), "hw02.cu", t.path("work"));
    ASSERT_EQ(list.size(), 1u);
    EXPECT_NE(list[0].problem.find("member 1 (ada.cu): it is " + words), std::string::npos)
        << list[0].problem;
  }
  // What nobody wants may be packed as it likes.
  TemporaryFolder t;
  const std::string bytes = zip_of({{"notes.txt", "text"}, {"hw02.cu", "code"}});
  std::string other = bytes;
  other.replace(8, 2, number(14, 2));
  other.replace(other.find("PK\1\2") + 10, 2, number(14, 2));
  EXPECT_EQ(staged(t, other).contents, "code") << staged(t, other).problem;
}

// Cut and changed at every place: told, or read, within bounds.
TEST(ZipLayout, HoldsForAnyBytes) {
  const std::string bytes = zip_of({{"hw02.cu", "good"}, {"a/b.txt", "text"}}, "", "", "comment");
  for (size_t at = 0; at < bytes.size(); ++at) {
    EXPECT_NE(zip_layout_problem(bytes.substr(0, at)), "") << at;
    for (const char change : {'\x01', '\x80', '\xFF'}) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ change);
      zip_layout_problem(other);
    }
  }
}

}  // namespace
}  // namespace lockstep::grader
