# SPDX-License-Identifier: Apache-2.0
# Device code. A module is NAME.ptx (nvcc) and the NAME.cubin that the same toolkit's ptxas makes
# of it, both with line tables. A homework's instances.cu says `#include STUDENT_FILE`, which is
# defined here as the path of the student's file from the top folder, found with -iquote . : so the
# grader compiles another file by defining another path, and headers in <> are the
# compiler's alone. Solutions add -DSOLUTION=1.

NVCC := $(if $(CUDA),$(CUDA)/bin/nvcc)
PTXAS := $(if $(CUDA),$(CUDA)/bin/ptxas)
NVCCFLAGS := -std=c++20 -Xcompiler -iquote,.
# Compilers tell one time, here as to the grader (grader/build_steps.cc): what it builds is what anybody builds.
ONE_TIME := -D__DATE__='"Feb  3 2001"' -D__TIME__='"12:34:56"' \
  -D__TIMESTAMP__='"Sat Jan  1 10:20:30 2000"' -Xcompiler -Wno-builtin-macro-redefined
VIRTUAL_ARCH := $(patsubst sm_%,compute_%,$(ARCH))
$(eval $(call stamp,build/modules/device.stamp,\
  $(CUDA) $(NVCC_VERSION) $(ARCH) $(NVCCFLAGS) $(CXX_VERSION)))

# Why device code cannot be compiled here; empty when it can.
ifeq ($(CUDA),)
DEVICE_ERROR := no CUDA toolkit: no bin/nvcc in $(or $(CUDA_ASKED),/usr/local/cuda$(comma) and no \
  nvcc on the PATH); install toolkit 13.0 or later from \
  https://developer.nvidia.com/cuda-downloads, or name its folder: make CUDA=/path/to/cuda
else ifneq ($(filter $(OLD_ARCH),$(ARCH)),)
DEVICE_ERROR := $(ARCH) ($(ARCH_WHY)) is too old: Lockstep needs compute capability 8.0 or later; \
  to use the emulator instead of this GPU: make ARCH=$(DEFAULT_ARCH)
else ifeq ($(filter sm_%,$(ARCH)),)
DEVICE_ERROR := ARCH=$(ARCH) is not an architecture: write it like ARCH=$(DEFAULT_ARCH)
endif
ARCH_SHOWN = $(ARCH)$(if $(filter default,$(ARCH_WHY)),$(comma) the default without a GPU)
check_device = $(if $(DEVICE_ERROR),@echo "error: $(strip $(DEVICE_ERROR))" >&2; exit 1)

NVCC.release := -lineinfo
PTXAS.release := -lineinfo
NVCC.test := -lineinfo
PTXAS.test := -lineinfo
NVCC.debug := -G -w
PTXAS.debug := -g
# Dependencies and logs lie under build/, whether the module does or not.
logged = build/modules/$(patsubst build/modules/%,%,$(1))

# module_rules: OUTPUT, release, debug or test, INSTANCES, STUDENT FILE, FLAGS FOR nvcc, AFTER
# AFTER is made first if at all, so that an error of the student's file is shown once only.
# What is made comes into its place when it is whole, so that two makes do not mix their files; what
# does not compile leaves none, so that the program cannot run what was there before.
define module_rules
$(1).ptx: $(3) $(4) build/modules/device.stamp $(if $(6),| $(6))
	$$(check_device)
	$$(call say,NVCC,$(or $(4),$(3)) -> $$@  [$$(ARCH_SHOWN)])
	$$(Q)mkdir -p $$(@D) $$(call logged,$$(@D))
	$$(Q)new=$$(call logged,$$@).$$$$$$$$; make/messages.sh '$$(FROM)' $$(NVCC) $$(NVCCFLAGS) $$(ONE_TIME) -ptx \
	  -arch=$$(VIRTUAL_ARCH) $$(NVCC.$(2)) $(5) $(if $(4),-DSTUDENT_FILE='"$(4)"') \
	  -MMD -MP -MF $$$$new.dep -MT $$@ -o $$$$new $(3) && \
	  mv $$$$new.dep $$(call logged,$$@).d && mv $$$$new $$@ || \
	  { rm -f $$$$new $$$$new.dep $$@ $(1).cubin; exit 1; }
$(1).cubin: $(1).ptx
	$$(call say,PTXAS,$$@)
	$$(Q)mkdir -p $$(call logged,$$(@D))
	$$(Q)new=$$(call logged,$$@).$$$$$$$$; \
	  $$(PTXAS) -arch=$$(ARCH) -v $$(PTXAS.$(2)) -o $$$$new $$< 2> $$$$new.log && \
	  mv $$$$new.log $$(call logged,$$@).log && mv $$$$new $$@ || \
	  { cat $$$$new.log >&2; rm -f $$$$new $$$$new.log $$@ $$<; exit 1; }
	$(if $(filter release,$(2)),$$(Q)make/resources.sh < $$(call logged,$$@).log)
$(1).sass: $(1).cubin tools/sass
	$$(call say,SASS,$$@)
	$$(Q)tools/sass $$< > $$@
endef

# Modules of tests and benchmarks: tests/ROOM/kernels/NAME.cu is
# build/modules/tests/ROOM/kernels/NAME.ptx and .cubin, and so with the kernels of tests/data/,
# whose counts on a card are known.
TEST_KERNELS := $(wildcard tests/*/kernels/*.cu tests/data/*/*.cu bench/kernels/*.cu)
TEST_MODULES := $(foreach k,$(TEST_KERNELS:.cu=),build/modules/$(k).ptx build/modules/$(k).cubin)
# A name that ends in _debug asks for a module as cuda-gdb needs it.
$(foreach k,$(TEST_KERNELS:.cu=),\
  $(eval $(call module_rules,build/modules/$(k),$(if $(filter %_debug,$(k)),debug,test),$(k).cu)))
# PTX that no CUDA C++ makes.
TEST_PTX := $(wildcard tests/data/*/*.ptx)
TEST_MODULES += $(TEST_PTX:%=build/modules/%) $(TEST_PTX:%.ptx=build/modules/%.cubin)
$(TEST_PTX:%=build/modules/%): build/modules/%: %
	$(Q)mkdir -p $(@D) && cp $< $@
$(TEST_PTX:%.ptx=build/modules/%.cubin): %.cubin: %.ptx build/modules/device.stamp
	$(check_device)
	$(call say,PTXAS,$@)
	$(Q)$(PTXAS) -arch=$(ARCH) -o $@ $<

include $(foreach n,*/* */*/* */*/*/*,$(wildcard build/modules/$(n).d))
