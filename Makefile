# SPDX-License-Identifier: Apache-2.0
# Lockstep's build. One make runs from this folder, whatever folder it was typed in: a homework's
# Makefile comes here with FROM=hw02 (see make/homework.mk). The rules are in make/, one subject
# a file; adding a source file to a folder is enough. `make help` lists what can be made.

.DEFAULT_GOAL := all
include make/config.mk
include make/libraries.mk
include make/modules.mk
include make/programs.mk
include make/tests.mk
include make/chores.mk
