# SPDX-License-Identifier: Apache-2.0
# Objects under build/VARIANT/ and the rooms' libraries. The variants: release (-O2), debug
# (-O0 -g, for NAME-debug), sanitize (for the tests) and fuzz (clang, for tests/fuzz/). Every .cc
# of a room is in its library.

# Compiler messages name files as seen from the folder where make was typed.
in_place := $(if $(FROM),make/messages.sh $(FROM))

# Folders named cuda/ may include the toolkit's headers; they compile without a toolkit as well.
CPPFLAGS.cuda := $(if $(CUDA),-isystem $(CUDA)/include -isystem $(CUDA)/extras/CUPTI/include)
$(eval $(call stamp,build/toolkit.stamp,$(CUDA) $(NVCC_VERSION)))
# A loop over the 32 lanes of a warp is four operations on vectors of eight: no loop.
build/release/emulator/sass/%.o: CPPFLAGS.sass := -fpeel-loops

# Standard headers are precompiled, once for the usual flags and once for the quick ones, and those of
# tests with GoogleTest, which saves a fifth of the build's time and more of the tests'. The debug and
# fuzz variants do without, so that a header that a source forgets shows there.
define variant_rules
quick.$(1) = $$(if $$(filter $(QUICK.$(1)) $(addsuffix /%,$(QUICK.$(1))),$$(1)),quick,usual)
pace.$(1) = $$(if $$(filter tests/%,$$(1)),tests,$$(call quick.$(1),$$(1)))
flags.$(1) = $$(CXXFLAGS) $$(CXXFLAGS.$(1)) $$(if $$(filter quick,$$(1)),$$(QUICK_FLAGS.$(1)),\
  $$(if $$(filter tests,$$(1)),$$(or $$(TEST_FLAGS.$(1)),$$(QUICK_FLAGS.$(1)))))
PRECOMPILED.$(1) := $(if $(filter release sanitize tsan,$(1)),$(foreach p,usual quick tests,\
  build/$(1)/$(p).h.gch))
build/$(1)/tests.h.gch: make/standard_tests.h
$$(PRECOMPILED.$(1)): build/$(1)/%.h.gch: make/standard.h build/$(1)/flags.stamp
	$$(call say,CXX,$$<$(if $(filter-out release,$(1)), ($(1))))
	$$(Q)mkdir -p $$(@D) && cp $$(or $$(filter %_tests.h,$$^),$$<) $$(basename $$@)
	$$(Q)$(call compiler,$(1)) $$(CPPFLAGS) $$(call flags.$(1),$$*) -x c++-header -o $$@ $$(basename $$@)
# What is made of sources, tests above all, is in the variant's folder.
build/$(1)/%.o: build/$(1)/%.cc build/$(1)/flags.stamp $$(PRECOMPILED.$(1))
	$$(call compile_in.$(1),$$*)
build/$(1)/%.o: %.cc build/$(1)/flags.stamp $$(PRECOMPILED.$(1))
	$$(call compile_in.$(1),$$*)
define compile_in.$(1)
$$(call say,CXX,$$<$(if $(filter-out release,$(1)), ($(1))))
$$(Q)mkdir -p $$(@D)
$$(Q)$$(in_place) $(call compiler,$(1)) $$(CPPFLAGS) $$(CPPFLAGS.$$(notdir $$(<D))) \
  $$(call flags.$(1),$$(call pace.$(1),$$(1))) \
  $$(if $$(PRECOMPILED.$(1)),-include build/$(1)/$$(call pace.$(1),$$(1)).h) \
  -MMD -MP -c -o $$@ $$<
endef
endef
$(foreach v,$(VARIANTS),$(eval $(call variant_rules,$(v))))

# The rooms. main.cc of a room is a program's, not the library's, and what is in runner/preload/ is
# loaded into others' programs (make/programs.mk).
SOURCES.common := $(wildcard common/base/*.cc common/backend/*.cc common/page/*.cc common/harness/*.cc)
SOURCES.problems := $(wildcard problems/*.cc)
SOURCES.program := $(wildcard program/*.cc)
SOURCES.cuda-backend := $(wildcard common/cuda/*.cc)
SOURCES.emulator := $(wildcard emulator/*.cc emulator/*/*.cc emulator/*/*/*.cc)
SOURCES.runner := $(filter-out runner/main.cc,$(wildcard runner/*.cc))
SOURCES.grader := $(filter-out grader/main.cc,$(wildcard grader/*.cc grader/*/*.cc))
LIBRARIES := common problems program cuda-backend emulator runner grader

objects = $(patsubst %.cc,build/$(1)/%.o,$(2))
$(foreach v,$(VARIANTS),$(eval $(call objects,$(v),$(SOURCES.cuda-backend)): build/toolkit.stamp))
library = $(patsubst %,build/$(1)/lib%.a,$(2))

# What the pages of results are made of is in the programs.
$(foreach v,$(VARIANTS),build/$(v)/common/page/files.o): \
  $(wildcard common/page/*.css common/page/*.js common/page/uplot/*)

# The list of a library's objects is a stamp: removing a source file rebuilds the library.
define library_rules
$(call stamp,build/$(1)/lib$(2).list,$(SOURCES.$(2)))
build/$(1)/lib$(2).a: $(call objects,$(1),$(SOURCES.$(2))) build/$(1)/lib$(2).list
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@
	$$(Q)$$(AR) rcs $$@ $$(filter %.o,$$^)
endef
$(foreach v,$(VARIANTS),$(foreach l,$(LIBRARIES),$(eval $(call library_rules,$(v),$(l)))))

# What the libraries need of the system; static where Debian has it so, that a program built here
# runs on a machine without these packages.
LDLIBS.common := -l:libboost_program_options.a -lfmt -l:libutf8proc.a -l:libnettle.a
LDLIBS.runner := -l:libseccomp.a
LDLIBS.grader := -l:libsqlite3.a -l:libyaml.a -larchive -l:libminizip.a -lz -licui18n -licuuc
LDLIBS.all := -ldl -lm

# link: VARIANT, LIBRARIES. Libraries may use each other, so they form a group.
link = -Wl,--as-needed -Wl,--start-group $(filter %.a,$^) -Wl,--end-group \
  $(foreach l,$(2),$(LDLIBS.$(l))) $(LDLIBS.all)

DEPENDENCIES := $(foreach v,$(VARIANTS),$(wildcard build/$(v)/*/*.d build/$(v)/*/*/*.d \
  build/$(v)/*/*/*/*.d))
include $(DEPENDENCIES)
