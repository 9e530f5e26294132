# A thin front for CMake. `make help` lists what there is.
#
#   PRESET=release|debug|asan|tsan|loops|fuzz   which build (release goes to build/, the others to build-PRESET/)
#   JOBS=N                                      compilers at once

PRESET ?= release
JOBS   ?= $(shell nproc)
DIR    := $(if $(filter release,$(PRESET)),build,build-$(PRESET))

# make fuzz, make fuzz-inside: how long (each target so long); where random numbers start (a new day, new cases)
SECONDS ?= 1200
SEED    ?= $(shell date +%Y%m%d)
# make fuzz-inside: which targets; none: all
TARGETS ?=

# make torture: which parts (all), with the same SEED; make soak: how many steps
PARTS ?=
STEPS ?= 1e7

# make mutants: how many, which; the same SEED=1 unless given; SURVIVORS=1: those that survived, again
COUNT     ?= 300
ONLY      ?=
SURVIVORS ?=

# make bench: ROUNDS=N, ONLY="start memory"
ROUNDS ?=

# make gallery: which runs; pictures of README are those of the longer sets
SET     ?= quick
README_PLOTS = monasse2012-lamb deklerk2022-box servin2015-conveyor_level
FULL_PLOTS = vyas2025-figure_5_all vyas2025-figure_5_all_improved

# make install: where
PREFIX  ?= /usr/local

CODE = find src include app tests -name '*.[ch]'
PHYSICS = $(patsubst tests/%.c,test_%,$(wildcard tests/physics_*.c))

export JOBS

.PHONY: build help demo test test-long test-gpu sanitize-gpu fuzz fuzz-inside torture soak mutants bench format docs \
	gallery install deb clean setup setup-long

build:
	@tools/build $(PRESET)

help:
	@echo "make            build the program: build/scree"
	@echo "make demo       install what is missing, build, run the hopper demo, make a picture"
	@echo "make test       install what is missing, build, run the tests"
	@echo "make test-long  the same with the tests that take long"
	@echo "make test-gpu   compare the GPU of this machine with its CPU, bit for bit"
	@echo "make sanitize-gpu  five small scenes on it under compute-sanitizer"
	@echo "make fuzz       feed broken input to the program for SECONDS=$(SECONDS)"
	@echo "make fuzz-inside  feed broken input to each reader (libFuzzer) for SECONDS=$(SECONDS): TARGETS=\"scene mesh\""
	@echo "make torture    kill runs, cut their power, fill their disks:" \
		"PARTS=\"kills points power faults signals writers locked\""
	@echo "make soak       STEPS=$(STEPS) steps of small scenes: memory, time per step and energy errors must not grow"
	@echo "make mutants    change COUNT=$(COUNT) places of the solver, one at a time, and run the tests:" \
		"ONLY=src/solve SURVIVORS=1"
	@echo "make bench      every figure of speed and memory, beside LAMMPS, LIGGGHTS and YADE:" \
		"ROUNDS=3 ONLY=\"start memory\""
	@echo "make format     lay out all C code with clang-format"
	@echo "make docs       regenerate docs/scene.md and the output shown in pages, and build/site (HTML, with movies" \
		"of ten scenes)"
	@echo "make gallery    run all cases (SET=long, SET=full: the longer ones too): out/gallery.html, docs/validation.md"
	@echo "make install    put the program, its manual, cases, library and headers under PREFIX=$(PREFIX)"
	@echo "make deb        Debian packages: build/scree_VERSION_ARCH.deb and build/python3-scree_VERSION_all.deb"
	@echo "make clean      remove the builds (results in out/ stay)"
	@echo "PRESET=release|debug|asan|tsan|loops|fuzz chooses the build, JOBS=N how many compilers run at once"

setup:
	@tools/setup

setup-long:
	@tools/setup --long

demo: setup
	@tools/build release scree
	@mkdir -p out
	build/scree run cases/demo/hopper.yaml --force --output out/hopper.h5
	build/scree render out/hopper.h5 --output out/hopper.png
	build/scree report out/hopper.h5 --output out/hopper.html --force
	@echo
	@echo "results  $(CURDIR)/out/hopper.h5"
	@echo "picture  $(CURDIR)/out/hopper.png"
	@echo "report   $(CURDIR)/out/hopper.html"
	@echo
	@echo "The other steppers, each below a minute (then: build/scree report out/NAME.h5):"
	@echo "  build/scree run cases/demo/conveyor.yaml --output out/conveyor.h5     a pile falls asleep (colour: aggregate)"
	@echo "  build/scree run cases/demo/pane.yaml --output out/pane.h5             a ball cracks a pane of glass"
	@echo "  build/scree equilibrate cases/demo/jammed.yaml --output out/jammed.h5 a jammed packing at rest"
	@echo
	@echo "What to try next:"
	@echo "  build/scree view out/hopper.h5                   look at it in a browser"
	@echo "  build/scree info out/hopper.h5                   what is in the results"
	@echo "  build/scree export out/hopper.h5 --to vtp        for ParaView (dump or xyz: for OVITO)"
	@echo "  build/scree init --list                          example scenes to start from"
	@echo "  build/scree help materials                       what a scene may say"

# the fuzz test runs the program built with sanitizers, whatever build is tested
test:
	@tools/setup --test
	@rm -f $(DIR)/tests.txt
	@tools/build $(PRESET)
	@tools/build asan scree inside
	@tools/test $(DIR)

# the inner loops are sanitized in a build of their own, which the physics tests run in; vectors of the sanitized kind
test-long: export LONG = 1
test-long: setup-long test
	@tools/build loops $(PHYSICS)
	@SCREE_VECTOR=avx2 tools/test build-loops -R '^physics_'

test-gpu:
	@tools/build $(PRESET) scree
	@bash tests/gpu/compare.sh $(DIR)/scree .

sanitize-gpu:
	@tools/build $(PRESET) scree
	@bash tests/gpu/sanitize.sh $(DIR)/scree .

fuzz:
	@tools/setup --test
	@tools/build asan scree
	@tools/fuzz --binary build-asan/scree --seconds $(SECONDS) --seed $(SEED) --jobs $(JOBS) \
	    --keep-failures out/fuzz

fuzz-inside:
	@tools/setup --fuzz
	@tools/build fuzz scree inside
	@tools/fuzz-inside --seconds $(SECONDS) --files $(TARGETS)

torture:
	@tools/setup --test
	@tools/build $(PRESET) scree torture_shim
	@tools/torture --binary $(DIR)/scree --seed $(SEED) --jobs $(JOBS) $(PARTS)

soak:
	@tools/setup --test
	@tools/build $(PRESET) scree
	@tools/soak --binary $(DIR)/scree --steps $(STEPS)

mutants: SEED = 1
mutants:
	@tools/setup --test
	@tools/build release scree test_step_local
	@nice tools/mutants --jobs $(JOBS) --count $(COUNT) --seed $(SEED) $(if $(ONLY),--only $(ONLY)) \
		$(if $(SURVIVORS),--survivors)

bench:
	@tools/setup --bench
	@tools/build release scree
	bench/report $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(ONLY),--only $(ONLY))

format:
	@$(CODE) | xargs clang-format -i

docs:
	@tools/setup --docs
	@tools/build release scree
	@build/scree schema --markdown >docs/scene.md.new
	@mv docs/scene.md.new docs/scene.md
	@tools/shown build/scree
	@tools/movies build/scree build/movies
	@tools/site && echo "pages    $(CURDIR)/build/site/index.html"

# the page is there whether or not every quantity meets its reference; the exit code says that
gallery: setup
	@tools/build release scree
	@mkdir -p out
	@status=0; build/scree reproduce --all --$(SET) --results out/gallery --plot out/gallery/plots \
		--report out/gallery.html --force --markdown docs/validation.md || status=$$?; \
	[ $(SET) = quick ] || for plot in $(README_PLOTS); do cp out/gallery/plots/$$plot.svg docs/pictures/; done; \
	[ $(SET) != full ] || for plot in $(FULL_PLOTS); do cp out/gallery/plots/$$plot.png docs/pictures/; done; \
	echo "gallery  $(CURDIR)/out/gallery.html"; exit $$status

# what is given to others has code for all GPUs that nvcc knows from compute capability 7.0 to 9.0
FAT = cmake --preset release -DSCREE_CUDA_ARCHITECTURES=$(or $(GPUS),all) >build-fat.log 2>&1 || \
	{ cat build-fat.log; exit 1; }; rm -f build-fat.log

install:
	@$(FAT)
	@tools/build release scree libscree_shared
	@cmake --install build --prefix $(PREFIX)

deb:
	@tools/setup --package
	@$(FAT)
	@tools/build release scree libscree_shared python_package
	@cd build && cpack -G DEB
	@ls build/*.deb

clean:
	@rm -rf build build-debug build-asan build-tsan build-loops build-fuzz build-mutants
