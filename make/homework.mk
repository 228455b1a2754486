# SPDX-License-Identifier: Apache-2.0
# What the Makefile of a homework's or a solution's folder includes:
#
#     include ../make/homework.mk          (in hw02/; ../../make/ in solutions/hw02/)
#
# It hands every goal to the one build of the top folder, naming the folder it was typed in, so
# that `make` there (F9) builds NAME, NAME-debug and NAME-cuda-debug of that folder and whatever
# libraries they need, on all cores. Options (ARCH=, V=1, -j1) pass through.

TOP := $(dir $(lastword $(MAKEFILE_LIST)))..
FROM := $(lastword $(subst /, ,$(CURDIR)))
ifeq ($(TOP),../../make/..)
FROM := solutions/$(FROM)
endif

# Goals that are the folder's own files: `make hw02-debug` is hw02/hw02-debug at the top.
VERBS := all sass resources starters grade report test bench demo docs fuzz format clean help
GOALS := $(foreach g,$(or $(MAKECMDGOALS),all),\
  $(if $(filter $(VERBS) test-% fuzz-%,$(g)),,$(FROM)/)$(g))

MAKEFLAGS += -j$(shell nproc)
.DEFAULT_GOAL := all
.PHONY: all go $(MAKECMDGOALS)
all $(MAKECMDGOALS): go ;@:
go:
	@+$(MAKE) --no-print-directory -C $(TOP) FROM=$(FROM) $(GOALS)
