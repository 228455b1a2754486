// SPDX-License-Identifier: Apache-2.0
// The assembler reads the files when this one is compiled; make/libraries.mk says that it depends
// on them. Paths are those from the top folder, where compilers run.
#include "common/page/files.h"

#define LOCKSTEP_FILE(name, path)                                                             \
  asm(".pushsection .rodata\n"                                                                \
      ".global lockstep_page_" #name                                                          \
      "\n"                                                                                    \
      "lockstep_page_" #name                                                                  \
      ":\n"                                                                                   \
      ".incbin \"common/page/" path                                                           \
      "\"\n"                                                                                  \
      ".global lockstep_page_" #name                                                          \
      "_end\n"                                                                                \
      "lockstep_page_" #name                                                                  \
      "_end:\n"                                                                               \
      ".byte 0\n"                                                                             \
      ".popsection\n");                                                                       \
  extern "C" const char lockstep_page_##name[];                                               \
  extern "C" const char lockstep_page_##name##_end[];                                         \
  namespace lockstep::page {                                                                  \
  std::string_view name() {                                                                   \
    return {lockstep_page_##name, size_t(lockstep_page_##name##_end - lockstep_page_##name)}; \
  }                                                                                           \
  }

LOCKSTEP_FILE(style, "page.css")
LOCKSTEP_FILE(base_script, "base.js")
LOCKSTEP_FILE(class_script, "class.js")
LOCKSTEP_FILE(student_script, "student.js")
LOCKSTEP_FILE(plot_style, "uplot/uPlot.min.css")
LOCKSTEP_FILE(plot_script, "uplot/uPlot.iife.min.js")
LOCKSTEP_FILE(plot_licence, "uplot/LICENSE")
