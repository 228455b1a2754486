# SPDX-License-Identifier: Apache-2.0
# Tests, benchmarks and fuzzers. Every folder of tests/ with a *_test.cc is one GoogleTest binary
# with all of the folder's .cc files; VARIANT=sanitize builds and runs them with the sanitizers.
# They run in the top folder. A test that needs a card is in a suite named ...Gpu..., and skips
# itself where there is none. TEST_FILTER=... narrows what is run.

VARIANT ?= release
TEST_FOLDERS := $(sort $(patsubst %/,%,$(dir $(wildcard tests/*/*_test.cc tests/*/*/*_test.cc))))
GPU_TEST_FOLDERS := $(sort $(patsubst %/,%,$(dir $(wildcard tests/*/*gpu*_test.cc))))
test_binary = build/$(1)/$(2)/run
# A room's tests link to what is named here; a room that is not, to all.
TEST_LIBRARIES.tests/common := $(HOST_LIBRARIES)
TEST_LIBRARIES.tests/emulator := emulator common cuda-backend
TEST_LIBRARIES.tests/numerics := emulator common
TEST_LIBRARIES.tests/cuda := cuda-backend common emulator runner
TEST_LIBRARIES.tests/build :=
# Sources of other rooms that a room's tests are built with.
TEST_SOURCES.tests/emulator := $(wildcard tools/compare_h200/*.cc)
test_libraries = $(if $(filter undefined,$(origin TEST_LIBRARIES.$(1))),\
  $(LIBRARIES),$(TEST_LIBRARIES.$(1)))

# Tests are compiled six files at a time, which takes two fifths of what they take one by one: most of that is the
# code of templates that they share. What stands in a file's unnamed namespace is still of that file alone, since
# it gets a name. Files that are no tests, and offer something to them, are compiled by themselves.
# batches: VARIANT, ROOM, its tests' files, a name for the first batch: 1, the next ones 11, 111... The objects.
batches = $(if $(3),build/$(1)/$(2)/some_$(4).o$(eval $(call batch_rules,$(1),$(2),$(wordlist 1,6,$(3)),$(4))) \
  $(call batches,$(1),$(2),$(wordlist 7,$(words $(3)),$(3)),$(4)1))
define batch_rules
$(call stamp,build/$(1)/$(2)/some_$(4).list,$(3))
build/$(1)/$(2)/some_$(4).cc: $(3) build/$(1)/$(2)/some_$(4).list
	$$(Q)for f in $(3); do echo "#line 1 \"$$$$f\""; \
	  sed "s/^namespace {$$$$/namespace of_$$$$(basename $$$$f .cc) {/" $$$$f; done > $$@
endef

define test_rules
$(call test_binary,$(1),$(2)): $(call batches,$(1),$(2),$(sort $(wildcard $(2)/*_test.cc)),1) \
    $(call objects,$(1),$(filter-out %_test.cc,$(wildcard $(2)/*.cc)) $(TEST_SOURCES.$(2))) \
    $(call library,$(1),$(call test_libraries,$(2)))
	$$(call say,LINK,$$@)
	$$(Q)$(call compiler,$(1)) $(LDFLAGS) $(LDFLAGS.$(1)) -o $$@ $$(filter %.o,$$^) \
	  -l:libgtest_main.a -l:libgtest.a $$(call link,$(1),$(call test_libraries,$(2)))
endef
$(foreach v,release sanitize tsan,$(foreach t,$(TEST_FOLDERS),$(eval $(call test_rules,$(v),$(t)))))

# What tests run besides themselves: the programs and modules, where a toolkit can make them.
TEST_NEEDS := $(PROGRAMS) $(filter-out %-debug %-debug.cubin $(if $(DEVICE_ERROR),%.cubin),\
  $(foreach f,$(FOLDERS),$(PRODUCTS.$(f)))) $(if $(DEVICE_ERROR),,$(TEST_MODULES))

# The build's own tests, those of mistakes, of Slurm and of the corpus start other programs, which are not built with
# the sanitizers; the measured launches are many, and the fuzzers and random kernels go further.
ifneq ($(filter sanitize tsan,$(VARIANT)),)
export TEST_FILTER ?= -*Corpus*:H200.*:SassOracle.Of*
endif
TEST_FOLDERS.release := $(TEST_FOLDERS)
TEST_FOLDERS.sanitize := $(filter-out tests/build tests/mistakes tests/slurm,$(TEST_FOLDERS))
TEST_FOLDERS.tsan := tests/emulator
TESTS := $(foreach t,$(TEST_FOLDERS.$(VARIANT)),$(call test_binary,$(VARIANT),$(t)))

# Of the submissions in tests/hostile, tests/honest and tests/naive `make test` grades an eightieth, of the
# mistakes it makes a part, too, and of three new homeworks one; which one, the commit tells, so that all have
# their turn as commits go by.
CORPUS_PARTS := 80
corpus_part = $(or $(CORPUS_PART),$(shell commit=$$(git rev-parse --short=7 HEAD 2> /dev/null); \
  echo $$((0x$${commit:-0} % $(CORPUS_PARTS) + 1)))/$(CORPUS_PARTS))

.PHONY: test test-programs test-corpus test-gpu
## make test-programs: builds what `make test` runs
test-programs: $(TESTS) $(TEST_NEEDS)
## make test: builds and runs all tests that need no GPU, with an eightieth of the submissions to grade;
##   VARIANT=sanitize with the address and undefined sanitizers, VARIANT=tsan the emulator's with
##   the thread sanitizer
test: test-programs
	$(Q)CORPUS_PART=$(corpus_part) tests/run $(TESTS)
## make test-corpus: grades all hostile, honest and naive submissions, and makes all mistakes
test-corpus: export TEST_FILTER ?= *Corpus.*:Mistakes.*
test-corpus: $(foreach t,grader mistakes,$(call test_binary,release,tests/$(t))) $(TEST_NEEDS)
	$(Q)tests/run $(foreach t,grader mistakes,$(call test_binary,release,tests/$(t)))
## make test-gpu: the tests that need a GPU, on this machine's
test-gpu: export TEST_FILTER := *Gpu*
test-gpu: export TEST_SHARDS := 1
test-gpu: $(foreach t,$(GPU_TEST_FOLDERS),$(call test_binary,release,$(t))) $(TEST_NEEDS)
	$(Q)tests/run $(foreach t,$(GPU_TEST_FOLDERS),$(call test_binary,release,$(t)))

.PHONY: measure-slurm
## make measure-slurm: docs/measured/slurm.md, what a cluster costs, on a Slurm of the test's own (root)
measure-slurm: $(call test_binary,release,tests/slurm) grader/grader runner/lockstep-runner hw02/hw02
	$(Q)tools/measure/slurm.sh

# make test-common and so on: the tests of one room, with no more than they link to and its kernels.
define room_test_rules
.PHONY: test-$(notdir $(1))
test-$(notdir $(1)): $(call test_binary,$(VARIANT),$(1)) \
    $(if $(DEVICE_ERROR),,$(filter build/modules/$(1)/%,$(TEST_MODULES)))
	$(Q)$(if $(filter tests/mistakes,$(1)),,CORPUS_PART=$$(corpus_part)) \
	  tests/run $(call test_binary,$(VARIANT),$(1))
endef
$(foreach t,$(TEST_FOLDERS),$(eval $(call room_test_rules,$(t))))

# These start programs, and read modules, that they do not link to.
test-build test-grader test-mistakes test-page: $(TEST_NEEDS)
## make test-slurm: grader run --slurm on a Slurm of its own (as root, with Debian's packages)
test-slurm: grader/grader runner/lockstep-runner hw02/hw02

# Benchmarks: bench/NAME.cc is a program of its own.
BENCHMARKS := $(patsubst %.cc,build/release/%,$(wildcard bench/*.cc))
$(BENCHMARKS): build/release/bench/%: build/release/bench/%.o \
    $(call library,release,$(HOST_LIBRARIES))
	$(call say,LINK,$@)
	$(Q)$(call link_program,release,$(HOST_LIBRARIES))
.PHONY: bench fuzz
## make bench: speed of the emulator; the figures of docs/ come from here
bench: $(BENCHMARKS) $(TEST_NEEDS)
	$(Q)for b in $(BENCHMARKS); do $$b || exit 1; done

.PHONY: soak term exports
## make soak: 1000 submissions and a grader that is killed 100 times (docs/measured/soak.md)
soak: grader/grader runner/lockstep-runner hw01/hw01
	$(Q)bench/soak.sh
## make term: points of 6000 stored submissions by a changed rubric (docs/measured/term.md)
term: grader/grader runner/lockstep-runner hw02/hw02
	$(Q)bench/term.sh
## make exports: a class of 300 in every platform's form (docs/measured/exports.md)
exports: grader/grader runner/lockstep-runner hw02/hw02
	$(Q)bench/exports.sh

# Fuzzers: tests/fuzz/NAME.cc is a libFuzzer harness, tests/fuzz/corpus/NAME/ what it starts from.
FUZZERS := $(patsubst tests/fuzz/%.cc,%,$(wildcard tests/fuzz/*.cc))
FUZZ_RUNS ?= 100000
FUZZ_LIBRARIES.replies := runner common
FUZZ_LIBRARIES.survey := runner emulator common
fuzz_libraries = $(or $(FUZZ_LIBRARIES.$(1)),emulator common)
define fuzzer_rules
build/fuzz/tests/fuzz/$(1): build/fuzz/tests/fuzz/$(1).o \
    $(call library,fuzz,$(call fuzz_libraries,$(1)))
	$$(call say,LINK,$$@)
	$$(Q)$(call compiler,fuzz) $(LDFLAGS) $(LDFLAGS.fuzz) -o $$@ $$(filter %.o,$$^) \
	  $$(call link,fuzz,$(call fuzz_libraries,$(1)))
.PHONY: fuzz-$(1)
fuzz-$(1): build/fuzz/tests/fuzz/$(1)
	$$(Q)mkdir -p build/fuzz/corpus/$(1)
	$$(Q)build/fuzz/tests/fuzz/$(1) -runs=$(FUZZ_RUNS) -print_final_stats=1 -rss_limit_mb=2048 \
	  -timeout=20 $(addprefix -dict=,$(wildcard tests/fuzz/$(1).dict)) \
	  build/fuzz/corpus/$(1) $(wildcard tests/fuzz/corpus/$(1))
endef
$(foreach f,$(FUZZERS),$(eval $(call fuzzer_rules,$(f))))
## make fuzz: runs every fuzzer of tests/fuzz/, FUZZ_RUNS=100000 each (needs clang)
fuzz: $(addprefix fuzz-,$(FUZZERS))
ifneq ($(filter fuzz fuzz-%,$(MAKECMDGOALS)),)
include build/packages-fuzz.mk
build/packages-fuzz.mk: make/packages $(wildcard /var/lib/dpkg/status)
	@mkdir -p $(@D) && make/packages.sh fuzz && echo '# The packages are there.' > $@
endif
