# SPDX-License-Identifier: Apache-2.0
# Compilers, flags, the GPU's architecture, and the stamps that make everything depend on them.
# A person may set ARCH, CUDA, CXX, V and the flags below on the command line.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: FORCE
FORCE:

# make V=1 shows whole commands; else one short line each.
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),@:,@printf '  %-8s %s\n' '$(1)' '$(2)')

# Goals that compile nothing: neither packages nor compilers are looked at for them.
BUSY := $(if $(MAKECMDGOALS),$(filter-out help clean docs handout,$(MAKECMDGOALS)),all)

# Missing packages are installed or named before anything else (make then restarts itself).
ifneq ($(BUSY),)
include build/packages.mk
build/packages.mk: make/packages make/packages.sh $(wildcard /var/lib/dpkg/status)
	@mkdir -p $(@D) && make/packages.sh && echo '# The packages are there.' > $@
endif

ifeq ($(filter-out undefined default,$(origin CXX)),)
CXX := g++
endif
AR := ar
PROBE := $(if $(BUSY),$(shell make/probe.sh '$(CXX)' '$(CUDA)' '$(GPU_CC)'),1 - - - -)
PROCESSORS := $(word 1,$(PROBE))
CXX_VERSION := $(word 2,$(PROBE))
CUDA_ASKED := $(CUDA)
override CUDA := $(filter-out -,$(word 3,$(PROBE)))
NVCC_VERSION := $(word 4,$(PROBE))
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(PROCESSORS)
endif
override GPU_CC := $(filter-out -,$(word 5,$(PROBE)))

# The architecture: ARCH if given; else that of the first GPU that can run this (8.0 and later);
# else, with no GPU at all, DEFAULT_ARCH. GPU_CC has the one that programs choose first.
comma := ,
DEFAULT_ARCH := sm_90
OLD_CC := 1.% 2.% 3.% 5.% 6.% 7.%
OLD_ARCH := sm_1% sm_2% sm_3% sm_5% sm_6% sm_7%
USABLE_CC := $(filter-out $(OLD_CC),$(subst $(comma), ,$(GPU_CC)))
ifneq ($(ARCH),)
ARCH_WHY := as asked
else ifneq ($(USABLE_CC),)
ARCH := sm_$(subst .,,$(firstword $(USABLE_CC)))
ARCH_WHY := the GPU found here
else ifneq ($(GPU_CC),)
ARCH := sm_$(subst .,,$(firstword $(subst $(comma), ,$(GPU_CC))))
ARCH_WHY := the GPU found here
else
ARCH := $(DEFAULT_ARCH)
ARCH_WHY := default
endif

# Host code. Warnings are for everything; the emulator needs IEEE arithmetic as written (but no
# errno and no floating-point traps: with those, loops over lanes are not vectorised).
CPPFLAGS := -I.
WARNINGS := -Wall -Wextra
CXXFLAGS := -std=c++20 -ffp-contract=off -fno-math-errno -fno-trapping-math -pthread $(WARNINGS)
CXXFLAGS.release := -O2
# Rooms and files whose speed is of little account compile in two thirds of the time this way.
QUICK.release := grader runner tools tests program common/harness common/page emulator/ptx \
  emulator/code emulator/debug emulator/mutate emulator/exec/alu_half
QUICK_FLAGS.release := -O1
# Tests do little themselves.
TEST_FLAGS.release := -O0
QUICK.sanitize := $(QUICK.release) common emulator/decode
QUICK_FLAGS.sanitize := -O0
CXXFLAGS.debug := -O0 -g
CXXFLAGS.sanitize := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
  -fno-sanitize-recover=undefined
LDFLAGS := -pthread
LDFLAGS.sanitize := -fsanitize=address,undefined
CXX.fuzz := clang++
# The thread sanitizer, for what runs on several threads: the emulator's tests.
CXXFLAGS.tsan := -O1 -g1 -fsanitize=thread
LDFLAGS.tsan := -fsanitize=thread
CXXFLAGS.fuzz := -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined \
  -fno-sanitize-recover=undefined -fno-sanitize=function,vptr
LDFLAGS.fuzz := -fsanitize=fuzzer,address,undefined

# stamp: FILE, TEXT. FILE holds TEXT, and is rewritten (so what depends on it is remade) only when
# the text has changed. No shell runs while nothing has. (The outer strip: of
# some files, on some machines, GNU Make 4.3 reads the last newline, too.)
define stamp
ifneq ($$(strip $$(file <$(1))),$$(strip $(2)))
$(1): FORCE
endif
$(1):
	@mkdir -p $$(@D)
	@printf '%s\n' '$$(strip $(2))' > $$@
endef

VARIANTS := release debug sanitize tsan fuzz
compiler = $(or $(CXX.$(1)),$(CXX))
$(foreach v,$(VARIANTS),$(eval $(call stamp,build/$(v)/flags.stamp,\
  $(call compiler,$(v)) $(CXX_VERSION) $(CPPFLAGS) $(CXXFLAGS) $(CXXFLAGS.$(v)) $(QUICK.$(v)) $(QUICK_FLAGS.$(v)) $(TEST_FLAGS.$(v)) $(LDFLAGS.$(v)))))
