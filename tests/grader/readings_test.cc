// SPDX-License-Identifier: Apache-2.0
// One reading or none: what a person may find in an archive, by the program that its name tells and
// on the file system at hand, is what is graded. And what it costs to find that out is bounded.
#include <gtest/gtest.h>
#include <zlib.h>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/names.h"
#include "grader/stage.h"
#include "tests/grader/archives.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

StagedSubmission staged(const TemporaryFolder& t, const std::string& name, const std::string& bytes,
                        const StageLimits& limits = {}) {
  t.write(name, bytes);
  return stage_submission(single_submission(t.path(name)), "hw02.cu", limits);
}

// Packed as a whole, in as many streams as there are texts; window bits of zlib.
std::string packed(const std::string& text, int bits = MAX_WBITS + 16) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, bits, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.erase(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct TarPart {
  std::string name, contents = {};
  char type = '0';
};
const std::string kEnd(1024, '\0');

// One member of a tar, as POSIX has it, its sum right.
std::string part(const TarPart& p, const std::string& size = "") {
  std::string head(512, '\0');
  const auto put = [&](size_t at, const std::string& text) { head.replace(at, text.size(), text); };
  char octal[16];
  std::snprintf(octal, sizeof octal, "%011zo", p.contents.size());
  put(0, p.name);
  put(100, "0000644");
  put(124, size.empty() ? octal : size);
  put(148, "        ");
  head[156] = p.type;
  put(257, std::string("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  std::snprintf(octal, sizeof octal, "%06o", sum);
  put(148, std::string(octal) + '\0' + ' ');
  return head + p.contents + std::string((512 - p.contents.size() % 512) % 512, '\0');
}

std::string pax(const std::string& key, const std::string& value) {
  const std::string record = " " + key + "=" + value + "\n";
  size_t length = record.size() + 1;
  while (std::to_string(length).size() + record.size() != length) ++length;
  return part({"pax", std::to_string(length) + record, 'x'});
}

TEST(StageTar, IsReadInOneWay) {
  TemporaryFolder t;
  const std::string good = part({"hw02.cu", "good"}), long_name(120, 'n');
  for (const std::string& honest :
       {good, part({"a/", "", '5'}) + good, part({"a", "", '2'}) + good,
        pax("path", long_name + "/hw02.cu") + part({"cut", "good"}),
        part({"././@LongLink", long_name + "/hw02.cu" + '\0', 'L'}) + part({"cut", "good"}),
        pax("mtime", "1.5") + good, pax("hdrcharset", "BINARY") + good,
        pax("SCHILY.fflags", "uarch") + good, pax("RHT.security.selinux", "u:r") + good,
        part({"g", "13 comment=a\n", 'g'}) + good})
    EXPECT_EQ(staged(t, "a.tar", honest + kEnd).contents, "good")
        << stage_submission(single_submission(t.path("a.tar")), "hw02.cu").problem;
  EXPECT_EQ(staged(t, "a.tar", good + kEnd + std::string(9000, '\0')).contents, "good");
}

TEST(StageTar, ThatCouldBeReadInAnotherWayIsRefused) {
  TemporaryFolder t;
  const std::string good = part({"hw02.cu", "good"}), bad = part({"hw02.cu", "bad"});
  std::string wrong_sum = good;
  wrong_sum[150] ^= 1;
  std::string with_prefix = good;  // of another program's, in the place of POSIX's own
  with_prefix.replace(257, 8, "ustar  ", 8);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {good + kEnd + bad + kEnd, "something lies behind its end"},
      {good + kEnd.substr(512) + bad + kEnd, "something lies behind its end"},
      {good + kEnd + "PK", "something lies behind its end"},
      {good, "its end is missing"},
      {good.substr(0, 600), "its end is missing"},
      {wrong_sum + kEnd, "sum is not right"},
      {part({"hw02.cu", "good"}, "-4") + kEnd, "no plain number"},
      {part({"hw02.cu", "good"}, "4x") + kEnd, "no plain number"},
      {part({"hw02.cu", "good", '1'}) + kEnd, "has contents, but is no file"},
      {part({"hw02.cu/", "good"}) + kEnd, "has contents, but is no file"},
      {part({"hw02.cu", "good", '7'}) + kEnd, "of a kind that not every program knows"},
      {part({"hw02.cu", "good", 'S'}) + kEnd, "of a kind that not every program knows"},
      {pax("size", "3") + good + kEnd, "has two sizes"},
      {pax("path", "a.cu") + pax("path", "b.cu") + good + kEnd, "two extensions"},
      {part({"x", "13 path=a.cu\n13 path=b.cu\n", 'x'}) + good + kEnd, "two things of one"},
      {pax("linkpath", "x") + good + kEnd, "may be a link"},
      {pax("path", "a.cu") + part({"L", std::string("b.cu\0", 5), 'L'}) + good + kEnd,
       "two long names"},
      {part({"L", std::string("b.cu\0c", 6), 'L'}) + good + kEnd, "a damaged one"},
      {part({"g", "16 path=hw02.cu\n", 'g'}) + good + kEnd, "speaks of all members"},
      {part({"g", "27 GNU.sparse.name=hw02.cu\n", 'g'}) + good + kEnd, "speaks of all members"},
      {good + pax("path", "a.cu") + kEnd, "a name of nothing"},
      {pax("GNU.sparse.realsize", "9") + good + kEnd, "an extension says GNU.sparse.realsize"},
      {pax("charset", "BINARY") + good + kEnd, "an extension says charset"},
      {pax("hdrcharset", "ISO-IR 8859 1 1998") + good + kEnd, "an extension says hdrcharset"},
      {pax("SCHILY.realsize", "9") + good + kEnd, "an extension says SCHILY.realsize"},
  };
  for (const auto& [bytes, words] : cases)
    for (const bool pack : {false, true}) {
      const StagedSubmission out =
          staged(t, pack ? "a.tar.gz" : "a.tar", pack ? packed(bytes) : bytes);
      EXPECT_EQ(out.contents, "") << words;
      EXPECT_NE(out.problem.find(words), std::string::npos) << words << ": " << out.problem;
    }
}

// A program that unpacks one member after the other writes through a link that is there.
TEST(Stage, NothingLiesBehindALink) {
  const ArchiveMember good{"hw02.cu", "good"};
  const auto staged_of = [&](std::vector<ArchiveMember> members, bool zip, bool back) {
    TemporaryFolder t;
    members.push_back(good);
    if (back) std::reverse(members.begin(), members.end());
    const std::string path = t.path(zip ? "a.zip" : "a.tar.gz");
    make_archive(path, members, zip);
    return stage_submission(single_submission(path), "hw02.cu");
  };
  const auto link = [](const std::string& path, const std::string& to, bool hard = false) {
    return ArchiveMember{path, "", mode_t{hard ? AE_IFREG : AE_IFLNK}, to, hard};
  };
  for (const bool zip : {false, true})
    for (const bool back : {false, true}) {
      for (const auto& members : std::vector<std::vector<ArchiveMember>>{
               {link("d", "."), {"d/hw02.cu", "bad"}},
               {link("d", "."), {"D/hw02.cu", "bad"}},
               {link("d", "."), {"d/note.txt", "bad"}},
               {link("a", "hw02.cu"), {"a", "bad"}},
               {link("a", "hw02.cu"), {"A", "bad"}},
               {link("a", "hw02.cu"), {"./a", "bad"}},
               {link("a", "hw02.cu"), {"b/../a", "bad"}},
               {link("a", "x"), link("a", "hw02.cu")},
               {link("d", "."), link("d/e", "hw02.cu"), {"e", "bad"}},
               {link(".d", "."), {".d/.e", "bad"}}}) {
        const StagedSubmission out = staged_of(members, zip, back);
        EXPECT_EQ(out.contents, "") << members[1].path;
        EXPECT_NE(out.problem.find("in more than one way"), std::string::npos) << out.problem;
      }
      // Links beside it, and what only has the same beginning.
      const StagedSubmission honest = staged_of(
          {link("d", "."), {"doc/x", ""}, {"d2", ""}, link("x/a", "../hw02.cu"), {"x/b", ""}}, zip,
          back);
      EXPECT_EQ(honest.contents, "good") << honest.problem;
    }
  for (const bool back : {false, true}) {
    EXPECT_NE(staged_of({link("a", "hw02.cu", true), {"a", "bad"}}, false, back).problem, "");
    EXPECT_EQ(staged_of({link("a", "notes", true), {"notes", "n"}}, false, false).contents, "good");
  }
}

// To bring marks into order takes time by the square of their number.
TEST(Stage, ALongNameIsNotBroughtIntoOrder) {
  TemporaryFolder t;
  std::string marks = "a";
  for (int i = 0; i < 200000; ++i) marks += i < 100000 ? "\xCC\x81" : "\xCC\xA3";
  const std::string good = part({"hw02.cu", "good"});
  const auto named = [](const std::string& name, char type = '0') {
    return part({"././@LongLink", name + '\0', 'L'}) + part({"a", "", type});
  };
  StageLimits limits;
  limits.unpack_s = 2;
  for (const std::string& other : {named(marks), named("b/" + marks + "/c", '5'),
                                   pax("LIBARCHIVE.xattr.x", marks) + part({"a"})})
    EXPECT_EQ(staged(t, "a.tar.gz", packed(good + other + kEnd), limits).contents, "good")
        << stage_submission(single_submission(t.path("a.tar.gz")), "hw02.cu").problem;
  for (const char* key : {"path", "uname", "SCHILY.acl.access"})
    EXPECT_NE(staged(t, "a.tar.gz", packed(pax(key, marks) + good + kEnd), limits)
                  .problem.find("a name of more than 1024 bytes"),
              std::string::npos);
  const std::string source = named(marks + ".cu");
  const StagedSubmission out =
      staged(t, "a.tar.gz", packed(part({"my.cu", "good"}) + source + kEnd), limits);
  EXPECT_NE(out.problem.find("longer than 1024 bytes"), std::string::npos) << out.problem;
  // In a zip a name has 64 KiB at most; many of them take their time as well.
  std::vector<ArchiveMember> members = {{"hw02.cu", "good"}};
  for (int i = 0; i < 50; ++i) members.push_back({marks.substr(0, 60001) + std::to_string(i), ""});
  make_archive(t.path("a.zip"), members, true);
  EXPECT_EQ(stage_submission({"a", t.path("a.zip")}, "hw02.cu", limits).contents, "good");
  // Of a class it is one that cannot be taken.
  t.write("class.tar.gz", packed(part({"ada.cu", "good"}) + named("bob/" + marks) + source + kEnd));
  limits.class_unpack_s = 2;
  const auto list = list_submissions(t.path("class.tar.gz"), "hw02.cu", t.path("work"), limits);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].problem, "");
  for (const size_t i : {1, 2})
    EXPECT_NE(list[i].problem.find("longer than 1024 bytes"), std::string::npos);
}

// Cut and changed at every place: told, or read, within bounds.
TEST(StageTar, HoldsForAnyBytes) {
  TemporaryFolder t;
  const std::string bytes = pax("path", "a/hw02.cu") + part({"x", "good"}) + kEnd;
  for (size_t at = 0; at < bytes.size() - 1024; at += 7) {
    EXPECT_NE(staged(t, "a.tar", bytes.substr(0, at)).problem, "") << at;
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 0x81);
    staged(t, "a.tar", other);
  }
}

TEST(Stage, WhatAnArchiveIsItsNameTells) {
  TemporaryFolder t;
  const std::string tar = part({"hw02.cu", "good"}) + kEnd;
  make_archive(t.path("z.zip"), {{"hw02.cu", "good"}}, true);
  const std::string zip = read_file(t.path("z.zip"));
  for (const char* name : {"a.zip", "a.ZIP", "a.Zip"}) {
    EXPECT_EQ(staged(t, name, zip).contents, "good");
    EXPECT_NE(staged(t, name, tar).problem, "");
    EXPECT_NE(staged(t, name, tar + zip).problem, "") << "a tar before a zip";
  }
  for (const char* name : {"a.tar", "a.TAR"}) {
    EXPECT_EQ(staged(t, name, tar).contents, "good");
    for (const std::string& other : {zip, packed(tar), tar + zip})
      EXPECT_NE(staged(t, name, other).problem, "");
  }
  EXPECT_EQ(staged(t, "a.tgz", packed(tar)).contents, "good");
  EXPECT_EQ(staged(t, "a.TAR.GZ", packed(tar)).contents, "good");
  for (const std::string& other : {zip, tar, packed(packed(tar)), packed(tar) + "x"})
    EXPECT_NE(staged(t, "a.tar.gz", other).problem, "");
  for (const char* name : {"a.tar.bz2", "a.tar.xz", "a.tar.zst"})
    EXPECT_NE(staged(t, name, packed(tar)).problem.find("of the kind that its name tells"),
              std::string::npos);
  // The format makes one file of several streams; what lies behind the end of the tar is seen.
  EXPECT_EQ(staged(t, "a.tar.gz", packed(tar.substr(0, 700)) + packed(tar.substr(700))).contents,
            "good");
  EXPECT_NE(staged(t, "a.tar.gz", packed(tar) + packed(tar)).problem, "");
}

// A bomb in what nobody wants is not unpacked: not in a student's archive, not in a class's.
TEST(Stage, PassesOverNoBomb) {
  TemporaryFolder t;
  const std::string zeros(16 << 20, '\0');
  const std::string stream = packed(zeros);
  std::string bytes = packed(part({"a.bin"}, "77777777777"));  // told: 8 GiB
  for (int i = 0; i < 64; ++i) bytes += stream;
  EXPECT_NE(staged(t, "a.tar.gz", bytes).problem.find("expands to more than 128 MiB"),
            std::string::npos);
  StageLimits limits;
  limits.class_expanded_bytes = 64 << 20;
  try {
    list_submissions(t.path("a.tar.gz"), "hw02.cu", t.path("work"), limits);
    ADD_FAILURE() << "the class is read";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("with member 1 (a.bin)"), std::string::npos) << e.what();
  }
  // What is told is too little, and zeros follow the end.
  EXPECT_NE(
      staged(t, "b.tar.gz", packed(kEnd) + bytes.substr(packed(part({"a.bin"})).size())).problem,
      "");
  bytes = packed(part({"ada.cu", "ada"}) + kEnd);
  for (int i = 0; i < 16; ++i) bytes += stream;
  t.write("c.tar.gz", bytes);
  EXPECT_THROW(list_submissions(t.path("c.tar.gz"), "hw02.cu", t.path("work"), limits), Error);
  EXPECT_NE(staged(t, "c.tar.gz", bytes).problem.find("expands"), std::string::npos);
}

// Nothing comes out of an empty stream, but it takes its time.
TEST(Stage, BoundsTheTimeOfUnpacking) {
  TemporaryFolder t;
  std::string empty = packed(""), many;
  while (many.size() < 8 << 20) many += empty;
  const std::string bytes = many + packed(part({"hw02.cu", "good"}) + kEnd);
  StageLimits limits;
  limits.unpack_s = 0.01;
  EXPECT_NE(staged(t, "a.tar.gz", bytes, limits).problem.find("to unpack"), std::string::npos);
  EXPECT_EQ(staged(t, "a.tar.gz", bytes).contents, "good");
  limits.class_unpack_s = 0.01;
  EXPECT_THROW(list_submissions(t.path("a.tar.gz"), "hw02.cu", t.path("work"), limits), Error);
}

// The names that some file system takes for hw02.cu, in an archive and on this disk.
TEST(Names, AnyFileSystemsTwinOfTheFileIsSeen) {
  for (const char* other :
       {"hw02.cu.", "hw02.cu ", "HW02.CU. .", "hw02.cu:x", "hw02.cu::$DATA", "hw02.cu\xEF\xBC\x8E",
        "hw02.cu\xE3\x80\x80", ".../hw02.cu", " /hw02.cu", "C:/hw02.cu", "a./hw02.cu"}) {
    for (const bool zip : {true, false}) {
      TemporaryFolder t;
      const std::string path = t.path(zip ? "a.zip" : "a.tar.gz");
      make_archive(path, {{"hw02.cu", "1"}, {other, "2"}}, zip);
      const StagedSubmission out = stage_submission(single_submission(path), "hw02.cu");
      EXPECT_EQ(out.contents, "") << other;
      EXPECT_NE(out.problem, "") << other;
    }
    TemporaryFolder t;
    t.write("ada/hw02.cu", "1");
    t.write(std::string("ada/") + other, "2");
    EXPECT_NE(stage_submission(single_submission(t.path("ada")), "hw02.cu").problem, "") << other;
  }
  // So many characters that nobody sees that the name is too long for this disk, not for another.
  TemporaryFolder t;
  std::string invisible = "hw02.cu";
  for (int i = 0; i < 90; ++i) invisible += "\xE2\x80\x8B";
  make_archive(t.path("a.zip"), {{"hw02.cu", "1"}, {invisible, "2"}}, true);
  EXPECT_NE(stage_submission(single_submission(t.path("a.zip")), "hw02.cu").problem, "");
}

TEST(Names, OfOneFoldAreOneFileToSomeMachine) {
  for (const char* name : {"solution_1.cu", "SOLUTION_1.CU", "solution?1.cu", "solution_1.cu..",
                           "solution_1.cu:a", "solut\xC4\xB1on_1.cu", "\xC5\xBFolution_1.cu"})
    EXPECT_EQ(folded(name), "solution_1.cu") << name;
  EXPECT_EQ(folded("A\xFF.CU"), "a\xFF.cu");
  EXPECT_NE(folded("solution_2.cu"), folded("solution_1.cu"));
  for (const char* fit : {"a/b.cu", "console.cu", "com.cu", "com10.cu", ".a/b c.cu", "nul_.cu",
                          "a~b.cu", "long_name~1.cu", "a.cu~"})
    EXPECT_EQ(problem_of_name(fit), "") << fit;
  for (const char* unfit : {"NUL.cu", "con", "Aux /x.cu", "com1.tar.gz", "LPT\xC2\xB9.cu", "a:b",
                            "a\\b", "a\x7f", "a./b", "a /b", "...", "MY_KER~1.CU", "a~12/b"})
    EXPECT_NE(problem_of_name(unfit), "") << unfit;
}

// A zip of one member: the directory's bytes are changed by `edit` before it is staged.
StagedSubmission with_entry(const std::function<void(std::string* bytes, size_t entry)>& edit) {
  TemporaryFolder t;
  make_archive(t.path("a.zip"), {{"hw02.cu", "good"}}, true);
  std::string bytes = read_file(t.path("a.zip"));
  edit(&bytes, bytes.rfind("PK\1\2"));
  return staged(t, "a.zip", bytes);
}

TEST(Zip, AModeIsHeededWhoeverMadeIt) {
  for (int maker : {0, 1, 3, 5, 7, 10, 19, 30, 255})
    for (const auto& [mode, taken] : std::vector<std::pair<int, bool>>{
             {0, true}, {0100644, true}, {0120777, false}, {0040755, false}, {0010644, false}}) {
      const StagedSubmission out = with_entry([&](std::string* bytes, size_t entry) {
        (*bytes)[entry + 5] = static_cast<char>(maker);
        bytes->replace(entry + 38, 4,
                       {'\0', '\0', static_cast<char>(mode & 255), static_cast<char>(mode >> 8)});
      });
      EXPECT_EQ(out.contents, taken ? "good" : "") << maker << " " << mode << out.problem;
    }
  EXPECT_NE(
      with_entry([](std::string* bytes, size_t entry) { (*bytes)[entry + 38] = 0x10; }).problem, "")
      << "a folder, to programs that heed the attributes of DOS";
}

TEST(Zip, HeadsAndDirectoryAgree) {
  // Flags, checksum and sizes of the head where the member stands.
  for (const size_t at : {6, 14, 18, 22})
    EXPECT_NE(with_entry([&](std::string* bytes, size_t) { (*bytes)[at] ^= 1; }).problem, "") << at;
  // The descriptor, between contents and directory.
  for (const size_t before : {1, 5, 9, 13})
    EXPECT_NE(with_entry([&](std::string* bytes, size_t entry) {
                (*bytes)[entry - before] ^= 1;
              }).problem,
              "")
        << before;
}

std::string number(uint64_t value, int bytes) {
  std::string out;
  for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 255);
  return out;
}

// A deflated member that is told to have these contents.
std::string zip_of(const std::string& name, const std::string& body, const std::string& told,
                   bool later = false) {
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(told.data()), static_cast<uInt>(told.size()));
  const std::string sizes = number(sum, 4) + number(body.size(), 4) + number(told.size(), 4);
  const std::string start = number(20, 2) + number(later ? 8 : 0, 2) + number(8, 2) + number(0, 4);
  const std::string head = "PK\3\4" + start + (later ? number(0, 12) : sizes) +
                           number(name.size(), 2) + number(0, 2) + name + body +
                           (later ? "PK\7\x8" + sizes : "");
  const std::string entry =
      "PK\1\2" + number(20, 2) + start + sizes + number(name.size(), 2) + number(0, 16) + name;
  return head + entry + "PK\5\6" + number(0, 4) + number(1, 2) + number(1, 2) +
         number(entry.size(), 4) + number(head.size(), 4) + number(0, 2);
}

TEST(Zip, WhatIsPackedEndsWhereItIsTold) {
  TemporaryFolder t;
  const auto raw = [](const std::string& text) { return packed(text, -MAX_WBITS); };
  EXPECT_EQ(staged(t, "a.zip", zip_of("hw02.cu", raw("good"), "good")).contents, "good");
  EXPECT_EQ(staged(t, "a.zip", zip_of("hw02.cu", raw("good"), "good", true)).contents, "good");
  const std::string inner = zip_of("hw02.cu", raw("bad"), "bad");
  for (const std::string& body : {raw("good, and more"), raw("good") + "x", raw("good") + inner,
                                  raw("good") + raw("more"), raw("go"), raw("goob"), raw("")}) {
    for (const bool later : {false, true})
      EXPECT_EQ(staged(t, "a.zip", zip_of("hw02.cu", body, "good", later)).contents, "");
    // Who reads it as a stream finds what follows the end of what nobody wants.
    const bool longer = body.size() > raw("good, and more").size();
    const StagedSubmission out = staged(t, "a.zip", zip_of("note.txt", body, "good", true));
    EXPECT_NE(out.problem.find(longer ? "in more than one way" : "a.zip"), std::string::npos)
        << out.problem;
  }
  // Of a class as well it is that student's problem.
  t.write("class.zip", zip_of("ada.cu", raw("good, and more"), "good"));
  const auto list = list_submissions(t.path("class.zip"), "hw02.cu", t.path("work"));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(list[0].problem.find("in more than one way"), std::string::npos) << list[0].problem;
}

std::vector<std::string> identities(const std::string& archive,
                                    const std::vector<ArchiveMember>& members) {
  TemporaryFolder t;
  std::vector<std::string> found;
  for (const char* end : {".zip", ".tar.gz"}) {
    make_archive(t.path(archive + end), members, end == std::string(".zip"));
    std::vector<std::string> here;
    for (const auto& e : list_submissions(t.path(archive + end), "hw02.cu", t.path("work")))
      here.push_back(e.identity);
    std::sort(here.begin(), here.end());
    EXPECT_TRUE(found.empty() || found == here);
    found = here;
  }
  return found;
}

// Whose a submission is does not change when another hands in.
TEST(ListSubmissions, OneWhoIsAloneIsNoClass) {
  using Strings = std::vector<std::string>;
  const ArchiveMember grace{"grace/hw02.cu", "g"};
  for (const std::vector<ArchiveMember>& ada :
       std::vector<std::vector<ArchiveMember>>{{{"ada/hw02.cu", "a"}},
                                               {{"ada/HW02.cu", "a"}, {"ada/report.pdf", "h"}},
                                               {{"ada/my_work.cu", "a"}, {"ada/doc/notes.txt", ""}},
                                               {{"ada/src/hw02.cu", "a"}},
                                               {{"ada/src/a.cu", "a"}, {"ada/src/b.cu", "b"}},
                                               {{"ada/hw02.cu", "", AE_IFLNK, "x"}},
                                               {{"ada/hw02.zip", "a"}}}) {
    EXPECT_EQ(identities("moodle", ada), Strings{"ada"}) << ada[0].path;
    std::vector<ArchiveMember> both = ada;
    both.push_back(grace);
    EXPECT_EQ(identities("moodle", both), (Strings{"ada", "grace"})) << ada[0].path;
    // Who hands in nothing that could be taken is there as well.
    both.back() = {"grace/hw02.cu", "", AE_IFLNK, "x"};
    EXPECT_EQ(identities("moodle", both), (Strings{"ada", "grace"})) << ada[0].path;
  }
}

// One whose file is called as the handout says makes no submission of all the others.
TEST(ListSubmissions, NobodysFileDecidesWhatAClassIs) {
  using Strings = std::vector<std::string>;
  for (const char* name : {"hw02.cu", "HW02.CU", "hw02.cu."})
    for (const std::vector<ArchiveMember>& others :
         std::vector<std::vector<ArchiveMember>>{{{"class/ada.cu", "a"}, {"class/grace.cu", "g"}},
                                                 {{"class/ada/hw02.cu", "a"}},
                                                 {{"class/ada/readme", "a"}},
                                                 {{"class/ada.zip", "a"}}}) {
      std::vector<ArchiveMember> members = others;
      members.push_back({"class/" + std::string(name), "m"});
      const Strings found = identities("class", members);
      EXPECT_EQ(found.size(), members.size()) << name;
      EXPECT_NE(std::find(found.begin(), found.end(), name), found.end()) << name;
      TemporaryFolder t;
      for (const char* archive : {"moodle.zip", "moodle.tar.gz"}) {
        make_archive(t.path(archive), members, std::string(archive).ends_with("zip"));
        try {
          list_submissions(t.path(archive), "hw02.cu", t.path("work"));
          ADD_FAILURE() << archive << " is taken, with " << name;
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), kExitUsage);
          const std::string other = "class" + std::string(archive).substr(6), words = e.what();
          EXPECT_NE(words.find("call the archive " + other + ","), std::string::npos) << words;
          EXPECT_NE(words.find("grader check"), std::string::npos) << words;
        }
      }
    }
}

// A project of several sources, in whatever a class is handed in as.
TEST(ListSubmissions, AProjectInAClassIsOneSubmission) {
  using Strings = std::vector<std::string>;
  const std::vector<ArchiveMember> project = {
      {"ada/hw02.cu", "a"}, {"ada/helper.cu", "h"}, {"ada/old/hw02.cu", "o"}};
  TemporaryFolder t;
  make_archive(t.path("ada.zip"), project, true);
  const ArchiveMember packed{"class/ada.zip", read_file(t.path("ada.zip"))};
  EXPECT_EQ(identities("class", {packed}), Strings{"ada.zip"});
  EXPECT_EQ(identities("x", {packed, {"class/bob.cu", "b"}}), (Strings{"ada.zip", "bob.cu"}));
  std::vector<ArchiveMember> members = project;
  members.push_back({"bob/hw02.cu", "b"});
  EXPECT_EQ(identities("x", members), (Strings{"ada", "bob"}));
  make_archive(t.path("x.zip"), members, true);
  const auto list = list_submissions(t.path("x.zip"), "hw02.cu", t.path("work"));
  EXPECT_EQ(stage_submission(list.at(0), "hw02.cu").contents, "a");
  EXPECT_EQ(stage_submission(single_submission(t.path("ada.zip")), "hw02.cu").contents, "a");
}

TEST(ListSubmissions, TheClasssOwnFolderIsKnown) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(identities("class", {{"class/ada.cu", "a"}}), Strings{"ada.cu"});
  EXPECT_EQ(identities("class", {{"class/ada/hw02.cu", "a"}}), Strings{"ada"});
  EXPECT_EQ(identities("x", {{"class/ada.cu", "a"}, {"class/bob.zip", "b"}}),
            (Strings{"ada.cu", "bob.zip"}));
  EXPECT_EQ(identities("x", {{"class/ada/hw02.cu", "a"}, {"class/bob/hw02.cu", "b"}}),
            (Strings{"ada", "bob"}));
}

}  // namespace
}  // namespace lockstep::grader
