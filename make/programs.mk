# SPDX-License-Identifier: Apache-2.0
# Programs: three variants of every homework and solution in its own folder, grader/grader,
# runner/lockstep-runner with runner/asked.so, and tools/NAME of every tools/NAME.cc.

# A homework is a folder hwNN with an assignment.cc; a solution is solutions/hwNN/hwNN.cu.
HOMEWORKS := $(patsubst %/assignment.cc,%,$(wildcard hw*/assignment.cc))
SOLUTIONS := $(foreach h,$(HOMEWORKS),$(if $(wildcard solutions/$(h)/$(h).cu),solutions/$(h)))

HOST_LIBRARIES := common problems program cuda-backend emulator runner
host_archives = $(call library,$(1),common problems program) $(call library,release,cuda-backend emulator runner)

link_program = $(CXX) $(LDFLAGS) $(LDFLAGS.$(1)) -o $@ $(filter %.o,$^) $(call link,$(1),$(2))

# A library beside the kernels, hwNN/library.cu, which nothing but a card can run: it is made where
# one is, or by name (make hw04/library.so).
HAS_GPU := $(wildcard /dev/nvidiactl)
library_of = $(if $(wildcard $(2)/library.cu),$(1)/library.so)
hw%/library.so: hw%/library.cu build/modules/device.stamp
	$(check_device)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) $(NVCCFLAGS) -arch=$(ARCH) -shared -Xcompiler -fPIC -o $@ $<
solutions/hw%/library.so: hw%/library.so
	$(Q)ln -f $< $@

# homework_rules: FOLDER, PROGRAM (hw02 or hw02-sol), HOMEWORK, FLAGS FOR nvcc
define homework_rules
$(call module_rules,$(1)/$(2),release,$(3)/instances.cu,$(1)/$(3).cu,$(4))
$(call module_rules,$(1)/$(2)-cuda-debug,debug,$(3)/instances.cu,$(1)/$(3).cu,$(4),$(1)/$(2).ptx)
$(1)/$(2): build/release/$(3)/assignment.o $(call host_archives,release)
	$$(call say,LINK,$$@)
	$$(Q)$$(call link_program,release,$(HOST_LIBRARIES))
$(1)/$(2)-debug: build/debug/$(3)/assignment.o $(call host_archives,debug)
	$$(call say,LINK,$$@)
	$$(Q)$$(call link_program,debug,$(HOST_LIBRARIES))
$(1)/$(2)-cuda-debug: $(1)/$(2)-debug
	$$(call say,LINK,$$@)
	$$(Q)ln -f $$< $$@
PRODUCTS.$(1) := $(1)/$(2) $(addprefix $(1)/$(2),.cubin -debug -cuda-debug.cubin -cuda-debug) \
  $(if $(HAS_GPU),$(call library_of,$(1),$(3)))
EVERYTHING.$(1) := $$(PRODUCTS.$(1)) $(call library_of,$(1),$(3)) \
  $(addprefix $(1)/$(2),.ptx -cuda-debug.ptx .sass -cuda-debug.sass) \
  $(addprefix $(1)/.$(2),-last.json -cuda-debug-last.json) $(1)/$(3).html
SASS.$(1) := $(1)/$(2).ptx $(1)/$(2).cubin $(1)/$(2).sass
FOLDERS += $(1)
.PHONY: $(1)
$(1): $$(PRODUCTS.$(1))
endef
$(foreach h,$(HOMEWORKS),$(eval $(call homework_rules,$(h),$(h),$(h))))
$(foreach h,$(notdir $(SOLUTIONS)),$(eval \
  $(call homework_rules,solutions/$(h),$(h)-sol,$(h),-DSOLUTION=1)))

# A folder's name alone means the program in it.
.PHONY: grader runner
grader: grader/grader
runner: runner/lockstep-runner

# program_rules: PROGRAM, SOURCES, LIBRARIES
define program_rules
$(1): $(call objects,release,$(2)) $(call library,release,$(3))
	$$(call say,LINK,$$@)
	$$(Q)$$(call link_program,release,$(3))
PROGRAMS += $(1)
endef
# Besides tools/NAME.cc a tool has the sources of the folder of its name, with '_' for '-'.
$(foreach t,$(patsubst %.cc,%,$(wildcard tools/*.cc)),$(eval \
  $(call program_rules,$(t),$(t).cc $(wildcard $(subst -,_,$(t))/*.cc),$(HOST_LIBRARIES))))
$(if $(wildcard runner/main.cc),$(eval \
  $(call program_rules,runner/lockstep-runner,runner/main.cc,$(HOST_LIBRARIES))))
# What is loaded into the compiler that preprocesses a submission; the grader needs it where it needs
# the runner.
runner/asked.so: runner/preload/asked.cc build/release/flags.stamp
	$(call say,CXX,$<)
	$(Q)$(CXX) $(CXXFLAGS) -O1 -U_FORTIFY_SOURCE -shared -fPIC -Wl,--as-needed -o $@ $<
runner/lockstep-runner: | runner/asked.so
PROGRAMS += runner/asked.so
$(if $(wildcard grader/main.cc),$(eval \
  $(call program_rules,grader/grader,grader/main.cc,$(LIBRARIES))))
