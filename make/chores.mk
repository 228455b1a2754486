# SPDX-License-Identifier: Apache-2.0
# The goals that a person types: all, sass, resources, starters, format, clean, help.

# The folders meant: the one where make was typed, or all.
HERE := $(if $(filter $(FOLDERS),$(FROM)),$(FROM),$(FOLDERS))

.PHONY: all sass resources format clean help
## make: builds every program of the folder where it is typed; at the top, everything
all: $(if $(filter $(FOLDERS),$(FROM)),,$(PROGRAMS)) $(foreach f,$(HERE),$(PRODUCTS.$(f)))
## make sass: .ptx, .cubin and (with nvdisasm or cuobjdump) .sass with source lines
sass: $(foreach f,$(HERE),$(SASS.$(f)))
## make clean: removes what make built, here or everywhere
clean:
	$(Q)rm -rf $(if $(filter $(FOLDERS),$(FROM)),,build $(PROGRAMS)) $(foreach f,$(HERE),$(EVERYTHING.$(f)))
## make format: clang-format on all C++ sources
format:
	$(Q)clang-format -i $(sort $(wildcard $(foreach d,common common/cuda emulator emulator/* runner \
	  grader tools hw* solutions/* tests/* tests/*/* make,$(d)/*.cc $(d)/*.h)))
## make help: this
help:
	@sed -n 's/^## //p' make/*.mk
	@echo "Options: ARCH=sm_89  CUDA=/path  CXX=g++-12  V=1 (whole commands)  -j4"
