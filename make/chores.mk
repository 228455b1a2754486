# SPDX-License-Identifier: Apache-2.0
# The goals that a person types, besides those of tests.mk.

# The folders meant: the one where make was typed, or all.
HERE := $(if $(filter $(FOLDERS),$(FROM)),$(FROM),$(FOLDERS))

.PHONY: all sass resources format clean help
# "##+" is help that a homework's folder shows, too.
##+ make: builds every program of the folder where it is typed; at the top, everything
all: $(if $(filter $(FOLDERS),$(FROM)),,$(PROGRAMS)) $(foreach f,$(HERE),$(PRODUCTS.$(f)))
	@:
##+ make sass: .ptx, .cubin and .sass, the machine code with source lines
sass: $(foreach f,$(HERE),$(SASS.$(f)))
##+ make resources: registers, shared memory and spills of every kernel, as ptxas counts them
RELEASE_CUBINS := $(foreach f,$(HERE),$(firstword $(filter %.cubin,$(PRODUCTS.$(f)))))
resources: $(RELEASE_CUBINS)
	$(Q)for cubin in $(RELEASE_CUBINS); do \
	  echo "$$cubin"; RESOURCES_ALL=1 make/resources.sh < build/modules/$$cubin.log; done

GRADED := $(filter $(HOMEWORKS),$(FROM))
.PHONY: grade
# Code 1: points are missing, which is no failure of make. GRADE_OPTIONS=--weak-sandbox is for a
# container of one's own that refuses namespaces (.devcontainer/).
##+ make grade: in a homework's folder, your points by the course's rubric, and what to do next
grade: $(if $(GRADED),$(PROGRAMS) $(GRADED)/$(GRADED) $(GRADED)/$(GRADED).cubin)
	$(if $(GRADED),,@echo "make grade: type it in a homework's folder, say hw02" >&2; exit 2)
	$(Q)grader/grader check $(GRADED) $(GRADED)/$(GRADED).cu $(GRADE_OPTIONS) || [ $$? = 1 ]

REPORTED := $(filter $(FOLDERS),$(FROM))
.PHONY: report
##+ make report: in a homework's folder, runs it and writes a page for your browser, hwNN.html
report: $(if $(REPORTED),$(firstword $(PRODUCTS.$(REPORTED))) $(firstword $(filter %.cubin,$(PRODUCTS.$(REPORTED)))))
	$(if $(REPORTED),,@echo "make report: type it in a homework's folder, say hw02" >&2; exit 2)
	$(Q)cd $(REPORTED) && { ./$(notdir $(firstword $(PRODUCTS.$(REPORTED)))) --html || [ $$? = 1 ]; }

.PHONY: demo
## make demo: builds what it takes, runs ./hw02, grades a sample class of twelve
demo: hw02/hw02 hw02/hw02.cubin grader/grader runner/lockstep-runner
	$(Q)make/demo.sh

.PHONY: gradescope
## make gradescope HW=hw02: build/gradescope-hw02.zip, an autograder to upload (docs/platforms/gradescope.md)
gradescope:
	$(Q)mkdir -p build && platforms/pack.sh '$(HW)' 'build/gradescope-$(HW).zip'

.PHONY: handout
## make handout HW="hw01 hw02": build/handout.tar.gz, what students get: these homeworks, no solutions
handout:
	$(Q)mkdir -p build && make/handout.sh '$(HW)' build/handout.tar.gz

# The pages are small and quick, so all of them are made anew.
.PHONY: docs
## make docs: the guides and handouts as pages with a search, build/docs/index.html; checks all links
docs:
	$(Q)make/packages.sh docs && mkdir -p build && make/docs/pages.py build/docs

# The starter on the emulator, so any machine with this toolkit makes the same picture.
PICTURED := ./hw02 --kernel 'norm_group<8,8>' --kernel 'norm_group_u<8,8,4>' --backend emulator
.PHONY: pictures
## make pictures: docs/pictures/ anew: a run of ./hw02 as it is given out, and the page of its grading
pictures: hw02/hw02 hw02/hw02.cubin grader/grader runner/lockstep-runner
	$(Q)cd hw02 && $(PICTURED) | sed '1,/^Launching/d' | sed 1d | \
	  ../make/docs/picture.py "$(PICTURED)" > ../docs/pictures/table.svg
	$(Q)mkdir -p build/pictures && cp hw02/hw02.cu build/pictures/Dennis.cu
	$(Q)grader/grader check hw02 build/pictures/Dennis.cu --backend emulator --seed 1120 \
	  --html build/pictures/page.html > /dev/null || [ $$? = 1 ]
	$(Q)echo '[{"size": [940, 800]}, {"open": "build/pictures/page.html"},' \
	  '{"screenshot": "docs/pictures/report.png", "most": 700}]' | \
	  node tests/page/browser.mjs > /dev/null

# Starters are generated from the solutions' source and committed; a test fails when one differs.
STARTERS := $(foreach s,$(SOLUTIONS),starter-$(notdir $(s)))
.PHONY: starters $(STARTERS)
## make starters: writes hwNN/hwNN.cu anew from solutions/hwNN/hwNN.cu (the student's work is lost!)
starters: $(STARTERS)
$(STARTERS): starter-%:
	$(Q)make/starter.sh solutions/$*/$*.cu > build/$*.cu && \
	  { cmp -s build/$*.cu $*/$*.cu || { cp build/$*.cu $*/$*.cu && echo "$*/$*.cu is new"; }; }

# What remarks below the tables compare with, recorded of the solutions and committed; a test fails
# when they are stale.
GOALS := $(foreach s,$(SOLUTIONS),goals-$(notdir $(s)))
.PHONY: goals $(GOALS)
## make goals: writes hwNN/goals.json anew, what the solutions' kernels need
goals: $(GOALS)
$(foreach s,$(SOLUTIONS),$(eval goals-$(notdir $(s)): $(s)/$(notdir $(s))-sol $(s)/$(notdir $(s))-sol.cubin))
$(GOALS): goals-%: tools/write-goals
	$(Q)solutions/$*/$*-sol --backend emulator --json > build/$*.records && \
	  tools/write-goals $* < build/$*.records > build/$*.goals && \
	  { cmp -s build/$*.goals $*/goals.json || \
	    { cp build/$*.goals $*/goals.json && echo "$*/goals.json is new"; }; }

##+ make clean: removes what make built, here or everywhere
clean:
	$(Q)rm -rf $(if $(filter $(FOLDERS),$(FROM)),,build $(PROGRAMS)) \
	  $(foreach f,$(HERE),$(EVERYTHING.$(f)))
## make format: clang-format on all C++ sources
format:
	$(Q)make/packages.sh format
	$(Q)clang-format -i $(sort $(wildcard $(foreach d,common/* problems program emulator emulator/* runner \
	  grader grader/* tools hw* solutions/* tests/* make,$(d)/*.cc $(d)/*.h)))
##+ make help: this
help:
	@sed -n 's/^##$(if $(GRADED),[+],[+]*) //p' make/chores.mk make/tests.mk | sed -E 's/^([^:]*): /\1:|/' | \
	  awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'
	@echo "Options: ARCH=sm_89, CUDA=/path/to/cuda, CXX=g++-12, V=1 (whole commands), -j1"
