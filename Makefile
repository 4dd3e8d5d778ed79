# SPDX-License-Identifier: GPL-2.0-or-later
# "make help" tells the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

OUT := .output
# SAN=1: a build of its own with the address and undefined-behaviour sanitizers.
ifeq ($(SAN),1)
OUT := .output/san
override CFLAGS += -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
endif
# DROP=1: a build for tests, in which completions are thrown away (bpf/drop.bpf.h).
ifeq ($(DROP),1)
OUT := .output/drop
override CFLAGS += -O2 -g -DSW_DROP
BPF_DROP := -DSW_DROP
endif
PREFIX ?= /usr/local
SBINDIR ?= $(PREFIX)/sbin
SYSCONFDIR ?= /etc
MANDIR ?= $(PREFIX)/share/man
UNITDIR ?= $(PREFIX)/lib/systemd/system
VERSION := 0.1.0

CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /sbin/bpftool) bpftool)
PKG_CONFIG ?= pkg-config

ifeq ($(V),1)
Q :=
say = @true
else
Q := @
say = @printf '  %-8s %s\n' $(1) $(2)
endif

LIBS := libbpf json-c ncursesw inih libsystemd
# Looked up only when something is compiled: "make deps" runs before they exist.
LIB_CFLAGS = $(shell $(PKG_CONFIG) --cflags $(LIBS))
LIB_LDFLAGS = $(shell $(PKG_CONFIG) --libs $(LIBS))

CFLAGS ?= -O2 -g
# Records are read as arrays of words as well: no assumptions about types.
SW_CFLAGS := -std=gnu11 -fno-strict-aliasing -D_GNU_SOURCE -Wall -Wextra -Werror -Iinclude -I$(OUT) \
	-DSW_VERSION='"$(VERSION)"'
BPF_CFLAGS := -O2 -g -Wall -Werror -target bpf -mcpu=v3 -Ivmlinux -Iinclude -Ibpf $(BPF_DROP)

BPF_SRC := bpf/seekwise.bpf.c
BPF_DEPS := $(wildcard bpf/*.h) vmlinux/vmlinux.h include/seekwise/record.h include/seekwise/state.h
SRC := $(wildcard src/*/*.c)
.SECONDARY:
OBJ := $(SRC:%.c=$(OUT)/%.o)
UNIT := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*_test.c))
UNIT_BIN := $(UNIT:%=$(OUT)/tests/%)
UNIT_HELP := $(patsubst %.c,$(OUT)/%.o,$(filter-out %_test.c,$(wildcard tests/unit/*.c)))
DISK_SRC := tests/disk/modeldisk.c $(filter-out %_test.c tests/disk/modeldisk.c,$(wildcard tests/disk/*.c))
# Tests of other kernels that compare counts, and hang on nothing else.
VM_COUNTING := counts,merges,sched-batch
SCRIPTS = $(shell git ls-files '*.sh' .ci/run 2>/dev/null || ls tests/*/*.sh .ci/run)

.PHONY: all deps demo origins check check-vm check-vm-patched check-long check-unit check-kernel bench lint format install clean help tests

all: $(OUT)/seekwise ## build the program

$(OUT)/seekwise.bpf.o: $(BPF_SRC) $(BPF_DEPS)
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c $< -o $@

# The raw_tp programs alone, for kernels without BTF of their own (src/observe/kernel_side.h).
$(OUT)/plain.bpf.o: $(BPF_SRC) $(BPF_DEPS)
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -DSW_PLAIN -c $< -o $@

# The objects are written as C text: the program carries them and needs no other file.
$(OUT)/%.skel.h: $(OUT)/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@

SKELETONS := $(OUT)/seekwise.skel.h $(OUT)/plain.skel.h

$(OUT)/src/%.o: src/%.c $(SKELETONS)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(SW_CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

# Thousands of buckets for each disk are added up here, many at a time.
$(OUT)/src/observe/words.o: override CFLAGS += -O3

$(OUT)/tests/unit/%.o: tests/unit/%.c $(SKELETONS)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(SW_CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(OUT)/libseekwise.a: $(OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) qcs $@ $^

$(OUT)/seekwise: $(OUT)/src/main.o $(OUT)/libseekwise.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIB_LDFLAGS) -lm -o $@

$(OUT)/tests/%_test: tests/unit/%_test.c $(OUT)/libseekwise.a $(UNIT_HELP)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(SW_CFLAGS) -Isrc/observe $(LIB_CFLAGS) $< $(UNIT_HELP) $(OUT)/libseekwise.a \
		$(LIB_LDFLAGS) -lcmocka -lm -o $@

$(OUT)/modeldisk: $(DISK_SRC) $(wildcard tests/disk/*.h)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Werror $(DISK_SRC) \
		$$($(PKG_CONFIG) --cflags --libs fuse3) -lm -lpthread -o $@

$(OUT)/tests/model_test: tests/disk/model_test.c tests/disk/model.c $(wildcard tests/disk/*.h)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror tests/disk/model_test.c \
		tests/disk/model.c -lcmocka -lm -o $@

SIM_SRC := tests/sim/sim.c tests/sim/deadline.c tests/disk/model.c
SIM_HDR := $(wildcard tests/sim/*.h tests/disk/*.h)
SIM_CC = $(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror

$(OUT)/tests/sim_test: tests/sim/sim_test.c $(SIM_SRC) $(SIM_HDR)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(SIM_CC) $< $(SIM_SRC) -lcmocka -lm -o $@

# The project's own decisions, on simulated disks.
$(OUT)/tests/decide_test: tests/sim/decide_test.c tests/sim/driven.c $(SIM_SRC) $(SIM_HDR) $(OUT)/libseekwise.a
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(SIM_CC) -Iinclude tests/sim/decide_test.c tests/sim/driven.c $(SIM_SRC) $(OUT)/libseekwise.a \
		$(LIB_LDFLAGS) -lcmocka -lm -o $@

$(OUT)/bench/simulate: tests/sim/simulate.c $(SIM_SRC) $(SIM_HDR)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(SIM_CC) $< $(SIM_SRC) -lm -o $@

# What the bench needs besides the program.
BENCH_BIN := $(OUT)/bench/hold $(OUT)/bench/snapshot $(OUT)/bench/empty.bpf.o $(OUT)/bench/simulate

$(OUT)/bench/empty.bpf.o: tests/bench/empty.bpf.c vmlinux/vmlinux.h
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c $< -o $@

$(OUT)/bench/%: tests/bench/%.c $(OUT)/libseekwise.a
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(SW_CFLAGS) $(LIB_CFLAGS) $< $(OUT)/libseekwise.a $(LIB_LDFLAGS) -lm -o $@

tests: $(UNIT_BIN) $(OUT)/tests/model_test $(OUT)/tests/sim_test $(OUT)/tests/decide_test $(OUT)/modeldisk
	@$(MAKE) --no-print-directory SAN=1 all
	@$(MAKE) --no-print-directory DROP=1 all

deps: ## install what building and testing need (Debian, Ubuntu; root)
	@packaging/deps.sh

demo: ## build, then tune a modelled disk before your eyes (root, about 3 minutes)
	@packaging/deps.sh --if-missing
	@$(MAKE) --no-print-directory all $(OUT)/modeldisk
	@tests/demo.sh

origins: ## build, then put the figures to five old disputes about the block layer (root, about 5 minutes)
	@packaging/deps.sh --if-missing
	@$(MAKE) --no-print-directory all $(OUT)/modeldisk
	@for script in tests/origins/[0-9]*.sh; do "$$script" || exit; done

check: ## unit tests, kernel tests on loop devices of their own, counts on one other kernel in QEMU (root)
	@packaging/deps.sh --if-missing vm
	@$(MAKE) --no-print-directory all tests
	@KERNELS=one VM_TESTS=$(VM_COUNTING) tests/run.sh unit kernel vm

check-long: ## what takes long or hangs on the machine: what the tuner finds, advice under load, an hour of stress (root)
	@packaging/deps.sh --if-missing
	@$(MAKE) --no-print-directory all tests
	@tests/run.sh long

check-unit: all tests ## the tests that need no root
	@OUT=$(OUT) tests/run.sh unit

check-kernel: all tests ## the tests on the running kernel (root)
	@tests/run.sh kernel

check-vm: ## all tests on all other kernels, and under systemd (root; KERNELS="patched 5.10 6.1 6.12 newest systemd")
	@packaging/deps.sh --if-missing vm
	@$(MAKE) --no-print-directory all $(OUT)/modeldisk
	@tests/run.sh vm

check-vm-patched: ## build and keep a kernel with nr_sched_batch (20 minutes), run its tests
	@packaging/deps.sh --if-missing vm kernel
	@$(MAKE) --no-print-directory all $(OUT)/modeldisk
	@image=$$(tests/vm/patched/build.sh) && KERNELS=patched VM_PATCHED_IMAGE=$$image tests/run.sh vm

bench: ## measure the cost beside libbpf-tools' biolatency (root; BENCH="overhead floor iops scale user sim")
	@packaging/deps.sh --if-missing
	@$(MAKE) -s --no-print-directory all $(BENCH_BIN)
	@tests/bench/run.sh $(BENCH)

lint: all ## clang-format, cppcheck, shellcheck
	$(call say,LINT,format)
	$(Q)clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')
	$(call say,LINT,cppcheck)
	$(Q)cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability \
		--inline-suppr --suppress=missingIncludeSystem -D_GNU_SOURCE \
		'-DSW_VERSION="lint"' '-DLIBBPF_OPTS(type,name,...)=struct type name = {}' -Iinclude $(SRC) src/main.c tests/disk
	$(call say,LINT,shellcheck)
	$(Q)shellcheck -x $(SCRIPTS)

format: ## lay the sources out anew
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h')

install: all ## put program, manual page, unit and configuration in place (PREFIX, DESTDIR)
	install -D -m 0755 $(OUT)/seekwise $(DESTDIR)$(SBINDIR)/seekwise
	install -D -m 0644 man/seekwise.8 $(DESTDIR)$(MANDIR)/man8/seekwise.8
	install -d $(DESTDIR)$(UNITDIR) $(DESTDIR)$(SYSCONFDIR)/seekwise
	sed 's|@SBINDIR@|$(SBINDIR)|' packaging/seekwise.service.in > $(DESTDIR)$(UNITDIR)/seekwise.service
	chmod 0644 $(DESTDIR)$(UNITDIR)/seekwise.service
	test -e $(DESTDIR)$(SYSCONFDIR)/seekwise/seekwise.conf || \
		install -m 0644 packaging/seekwise.conf $(DESTDIR)$(SYSCONFDIR)/seekwise/seekwise.conf

clean: ## remove what was built
	rm -rf $(OUT)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

-include $(OBJ:.o=.d) $(UNIT_HELP:.o=.d) $(OUT)/src/main.d
