# SPDX-License-Identifier: Apache-2.0
# Tests, benchmarks and fuzzers. Every folder of tests/ with a *_test.cc is one GoogleTest binary
# with all of the folder's .cc files; VARIANT=sanitize builds and runs them with the sanitizers.
# They run in the top folder.

VARIANT ?= release
TEST_FOLDERS := $(sort $(patsubst %/,%,$(dir $(wildcard tests/*/*_test.cc tests/*/*/*_test.cc))))
GPU_TEST_FOLDERS := $(filter tests/cuda tests/gpu tests/%-gpu,$(TEST_FOLDERS))
test_binary = build/$(1)/$(2)/run
TEST_LIBRARIES := $(LIBRARIES)
TEST_LIBRARIES.tests/common := $(HOST_LIBRARIES)
TEST_LIBRARIES.tests/emulator := emulator common cuda-backend
TEST_LIBRARIES.tests/numerics := emulator common
TEST_LIBRARIES.tests/cuda := cuda-backend common emulator runner
TEST_LIBRARIES.tests/build :=
test_libraries = $(if $(filter undefined,$(origin TEST_LIBRARIES.$(1))),$(TEST_LIBRARIES),$(TEST_LIBRARIES.$(1)))

define test_rules
$(call test_binary,$(1),$(2)): $(call objects,$(1),$(wildcard $(2)/*.cc)) \
    $(call library,$(1),$(call test_libraries,$(2)))
	$$(call say,LINK,$$@)
	$$(Q)$(CXX) $(LDFLAGS) $(LDFLAGS.$(1)) -o $$@ $$(filter %.o,$$^) -l:libgtest_main.a -l:libgtest.a \
	  $$(call link,$(1),$(call test_libraries,$(2)))
endef
$(foreach v,release sanitize,$(foreach t,$(TEST_FOLDERS),$(eval $(call test_rules,$(v),$(t)))))

# What tests run besides themselves: the programs and modules, where a toolkit can make them.
TEST_NEEDS := $(PROGRAMS) $(foreach f,$(FOLDERS),$(if $(DEVICE_ERROR),\
  $(filter-out %.cubin,$(PRODUCTS.$(f))),$(PRODUCTS.$(f)))) $(if $(DEVICE_ERROR),,$(TEST_MODULES))

.PHONY: test test-gpu
## make test: builds and runs all tests that need no GPU; VARIANT=sanitize with the sanitizers
test: $(foreach t,$(TEST_FOLDERS),$(call test_binary,$(VARIANT),$(t))) $(TEST_NEEDS)
	$(Q)tests/run $(foreach t,$(TEST_FOLDERS),$(call test_binary,$(VARIANT),$(t)))

# make test-common and so on: the tests of one room, with no more than they link to.
define room_test_rules
.PHONY: test-$(notdir $(1))
test-$(notdir $(1)): $(call test_binary,$(VARIANT),$(1))
	$(Q)tests/run $(call test_binary,$(VARIANT),$(1))
endef
$(foreach t,$(TEST_FOLDERS),$(eval $(call room_test_rules,$(t))))

include $(wildcard $(foreach v,release sanitize,$(foreach t,$(TEST_FOLDERS),build/$(v)/$(t)/*.d)))
