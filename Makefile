# Every target that needs Chromium, PostgreSQL or Node calls setup, which installs only what is missing.
# Setup and builds talk on standard error, so that `make demo ARGS=--json` prints JSON alone on standard output.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

# Arguments: make demo ARGS='--json', make run ARGS='--listen 127.0.0.1:9090'
ARGS ?=
# Of go test: make test TESTFLAGS='-race -run TestName' PKG=./db/...
PKG ?= ./...
TESTFLAGS ?=
TEST_TIMEOUT ?= 180m
# go vet is a matter of make lint, and debug information of debuggers: without both, tests are built in half the time.
TEST_BUILD ?= -vet=off -ldflags='-s -w'
# How many of the slowest tests are listed when all have ended
SLOWEST ?= 30
# Of what tests draw at random: the same in every run, so that a failure comes again. 0 draws anew, as make fuzz does.
SEED ?= 1
# The packages whose tests take longest: they begin first.
LONGEST := ./e2e ./capture/chrome ./jobs ./imgdiff ./capture/reach ./capture/hostile ./rest ./internal/verify/bench/causes ./capture/zoo \
	./cmd/afterimage ./vcd/run ./internal/review
# make bench BENCH=List BENCHTIME=2s
BENCH ?= .
BENCHTIME ?= 1s
# make fuzz FUZZTIME=1m: time for each fuzz test
FUZZTIME ?= 10s

GO ?= go
# Everything is built in one way, so that what the program, its tests and the linters have in common is compiled once. Only the race
# detector needs C.
export GOFLAGS := -trimpath $(GOFLAGS)
ifeq ($(findstring -race,$(TESTFLAGS)),)
export CGO_ENABLED := 0
endif
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# The linters have module files of their own: their hundreds of dependencies are none of the program's.
LINTERS := golangci-lint actionlint
TEST_RUNNER := gotestsum
BUCKET_SERVERS := versitygw fake-gcs-server
PACKAGING_TOOLS := nfpm cyclonedx-gomod kustomize kubeconform

# A Node that scripts/setup unpacked goes before one of the system that is too old.
TOOLS := $(shell scripts/setup --print-tools)
export PATH := $(TOOLS)/node/bin:$(PATH)

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: setup
setup: ## Install Chromium, PostgreSQL, fonts and Node if missing
	@command -v $(GO) >/dev/null || { echo "setup: Go is missing: install Go $$(sed -n 's/^go //p' go.mod) or newer, see https://go.dev/doc/install" >&2; exit 1; }
	@scripts/setup >&2

# What setup installs, but for what only tests need; and Node alone, which the first steps wait for.
.PHONY: machine
machine: node
	@scripts/setup --run >&2

.PHONY: node
node:
	@scripts/setup --node >&2

# Without symbols and debug information the program is a third smaller and linked sooner. Traces of panics do not need them.
BUILD := CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w -X afterimage/internal/cli.Version=$(VERSION)"

.PHONY: build
build: setup program ## Build bin/afterimage with the embedded web pages

.PHONY: program
program: web/node_modules/.built
	@scripts/step 'build: bin/afterimage' env $(BUILD) -o bin/afterimage ./cmd/afterimage

# All that the program imports but the web pages: they are built at the same time.
.PHONY: compiled
compiled:
	@command -v $(GO) >/dev/null || { echo "build: Go is missing: install Go $$(sed -n 's/^go //p' go.mod) or newer, see https://go.dev/doc/install" >&2; exit 1; }
	@scripts/step 'build: modules' $(GO) list -deps ./cmd/afterimage 2>&1 >/dev/null | { grep -v '^go: downloading' >&2 || true; }
	@scripts/step 'build: packages' env $(BUILD) $$($(GO) list -f '{{join .Imports "\n"}}' ./cmd/afterimage | grep -v '^afterimage/web$$')

# Downloads, packages and builds beside each other.
.PHONY: parts
parts: machine web/node_modules/.built compiled

# The web pages are built again when a source of theirs changed, or the schema that their queries are checked against. Setup
# runs first but is no reason to build.
WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' -not -path '*/generated/*' -not -name '*.go') \
	$(wildcard graph/schema/*.graphqls)

# Byte for byte the same wherever it is built; AFTERIMAGE_SIGNING_KEY=FILE signs the sums with a key of OpenSSH.
.PHONY: release
release: web ## Build bin/release: archives and Debian packages for amd64 and arm64, SBOMs, checksums
	@VERSION="$(VERSION)" packaging/release bin/release

.PHONY: web
web: setup web/node_modules/.built ## Build the web pages into web/dist

# What builds the pages, and with all that checks and tests them: a third more.
web/node_modules/.installed: web/package.json web/package-lock.json | node
	@cd web && ../scripts/step 'web: packages (npm ci)' npm ci --omit=dev --no-audit --no-fund --loglevel=error >&2
	@touch $@

web/node_modules/.complete: web/package.json web/package-lock.json | setup
	@cd web && ../scripts/step 'web: packages, with those of tests (npm ci)' npm ci --no-audit --no-fund --loglevel=error >&2
	@touch web/node_modules/.installed $@

# What others wrote for the other side: audits, a client and a linter for GraphQL, validators of reports, the libraries of webhook
# receivers, an OpenID Connect provider, and a server for Azure Blob Storage.
CONFORMANCE := graph/conformance internal/compare/report/conformance internal/webhook/conformance internal/openid/conformance \
	internal/bucket/conformance
CONFORMANCE_PACKAGES := $(CONFORMANCE:%=%/node_modules/.installed)

# The package for Playwright, which its tests use as others do: built.
PLAYWRIGHT := integrations/playwright
$(PLAYWRIGHT)/dist/.built: $(PLAYWRIGHT)/node_modules/.installed $(PLAYWRIGHT)/tsconfig.json $(wildcard $(PLAYWRIGHT)/src/*.ts)
	@echo "$(PLAYWRIGHT): building dist" >&2
	@cd $(PLAYWRIGHT) && npm run build --silent >&2
	@touch $@

$(CONFORMANCE_PACKAGES) $(PLAYWRIGHT)/node_modules/.installed: %/node_modules/.installed: %/package.json %/package-lock.json | setup
	@echo "$*: installing packages (npm ci)" >&2
	@cd $* && npm ci --no-audit --no-fund --loglevel=error >&2
	@touch $@

web/node_modules/.built: web/node_modules/.installed $(WEB_SOURCES)
	@cd web && ../scripts/step 'web: pages' npm run build --silent >&2
	@touch $@

.PHONY: demo
demo: ## Capture, change and compare a sample site and print what changed; ARGS are passed on
	@$(MAKE) -j4 parts
	@$(MAKE) program
	@bin/afterimage demo $(ARGS)

.PHONY: run
run: ## Run the API server and the workers; ARGS are passed on
	@$(MAKE) -j4 parts
	@$(MAKE) program
	@bin/afterimage serve $(ARGS)

.PHONY: test
test: web/node_modules/.complete web $(CONFORMANCE_PACKAGES) $(PLAYWRIGHT)/dist/.built test-tools ## Run all tests, including end to end; TESTFLAGS and PKG narrow it
ifeq ($(origin PKG),file)
# Three packages are tested at a time: what waits in one of them leaves the processors to others.
	@failed=0; \
	mkdir -p bin; \
	(cd web && npm run test --silent) >bin/vitest.log 2>&1 & vitest=$$!; \
	RAPID_SEED=$(SEED) .ci/tool $(TEST_RUNNER) --format standard-quiet --jsonfile bin/tests.json -- -p 3 $(TEST_BUILD) -timeout $(TEST_TIMEOUT) \
		$(TESTFLAGS) $(LONGEST) $$($(GO) list ./... | grep -v -x -F "$$(printf "afterimage/%s\n" $(LONGEST:./%=%))") || failed=1; \
	wait $$vitest || failed=1; \
	cat bin/vitest.log; \
	echo "The $(SLOWEST) slowest tests:"; \
	.ci/tool $(TEST_RUNNER) tool slowest --num $(SLOWEST) --jsonfile bin/tests.json; \
	.ci/failed bin/tests.json; \
	exit $$failed
else
	@RAPID_SEED=$(SEED) $(GO) test $(TEST_BUILD) -timeout $(TEST_TIMEOUT) $(TESTFLAGS) $(PKG)
endif

# What needs a database, a browser or a server besides is left out: packages whose tests import what starts one.
.PHONY: test-fast
test-fast: ## Run the tests that need no database, browser or service, for the inner loop
	@RAPID_SEED=$(SEED) $(GO) test $(TEST_BUILD) $(TESTFLAGS) $$(.ci/fast-packages)

.PHONY: test-wordpress
test-wordpress: ## Test the plug-in for WordPress in plain PHP and in a real WordPress with SQLite, also killed at each step (3 minutes)
	@scripts/setup --php >&2
	@php integrations/wordpress/tests/run.php
	@mkdir -p bin
	@integrations/wordpress/tests/real/run.sh bin/wordpress

.PHONY: test-wordpress-updates
test-wordpress-updates: program ## Update plug-ins of a real WordPress, well and badly, between screenshots by a real service (8 minutes)
	@scripts/setup --php >&2
	@mkdir -p bin
	@integrations/wordpress/tests/service/run.sh bin/wordpress bin/afterimage

# How much of the domain and of its store is run by their own tests, and by those of what is on top of them.
.PHONY: coverage
coverage: test-tools ## Print how much of vcd and db the tests of vcd, db, graph, rest and jobs run
	@mkdir -p bin
	@RAPID_SEED=$(SEED) $(GO) test -vet=off -timeout $(TEST_TIMEOUT) -coverpkg=./vcd/...,./db/... -coverprofile=bin/coverage.out \
		./jobs ./vcd/... ./db/... ./graph/... ./rest/... >&2
	@.ci/coverage bin/coverage.out

.PHONY: test-tools
test-tools: ## Build the servers of buckets, the packaging tools and the runner of tests, once per version (takes minutes)
	@for tool in $(TEST_RUNNER) $(BUCKET_SERVERS) $(PACKAGING_TOOLS); do .ci/tool --path "$$tool" >/dev/null; done

# Debian packages that the target below needs: a machine to install into, and an engine for containers.
.PHONY: setup-packages
setup-packages: setup test-tools ## Install what make test-packages needs (Debian and Ubuntu, as root)
	@apt-get install -y -qq --no-install-recommends buildah crun lintian mmdebstrap podman skopeo systemd-container >/dev/null

.PHONY: test-packages
test-packages: release setup-packages ## Rebuild a release elsewhere and compare; install and start the packages (as root, 20 minutes)
	@packaging/test/reproduce bin/release
	@packaging/test/deb bin/release
	@packaging/test/container bin/release

.PHONY: test-browsers
test-browsers: web ## Run the capture tests with older browsers, from the oldest supported one
	@scripts/setup --browsers | while read -r browser; do \
		echo "test-browsers: $$("$$browser" --version)" >&2; \
		AFTERIMAGE_BROWSER=$$browser $(GO) test -count=1 -p 1 -timeout $(TEST_TIMEOUT) $(TESTFLAGS) ./capture/... ./cmd/... </dev/null; \
	done

.PHONY: lint
lint: lint-tools web/node_modules/.complete $(CONFORMANCE_PACKAGES) ## Run all linters, including the import rules, and check the workflows
	@.ci/tool golangci-lint run
	@.ci/tool actionlint
	@.ci/tool actionlint integrations/github/workflow.example.yml
	@cd web && npm run check --silent
	@cd graph/conformance && npm run lint --silent
	@if command -v shellcheck >/dev/null; then \
		shellcheck -x scripts/setup scripts/step scripts/build-cost .ci/coverage .ci/failed .ci/fast-packages .ci/run .ci/tool integrations/*.sh \
			integrations/github/*.sh packaging/release packaging/debian/p* \
			packaging/debian/afterimage-admin packaging/test/*; fi

.PHONY: lint-tools
lint-tools: ## Build the linters, once per version (takes minutes)
	@for linter in $(LINTERS); do .ci/tool "$$linter" --version >/dev/null; done

.PHONY: generate
generate: ## Generate code from the GraphQL schema
	@$(GO) generate ./...

.PHONY: pictures
pictures: program web ## Take the pictures of the dashboard in docs/images again (minutes)
	@cd web && CHROMIUM=$$(command -v chromium-headless-shell || command -v chromium) node pictures.ts

.PHONY: bench
bench: web ## Run the benchmarks; BENCH and BENCHTIME narrow them
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -benchmem -timeout $(TEST_TIMEOUT) $(PKG)

.PHONY: bench-api
bench-api: web ## Benchmark every API list on an account with 1,000,000 comparisons (15 minutes; needs 6 GB)
	@AFTERIMAGE_BENCH_FULL=1 $(GO) test -run '^$$' -bench '^BenchmarkAPI$$' -benchtime 100x -timeout 60m -v ./cmd/afterimage

.PHONY: bench-diff
bench-diff: setup ## Benchmark the diff against npm packages on generated pages (1 hour; see imgdiff/peerbench)
	@imgdiff/peerbench/run $(ARGS)

.PHONY: bench-capture
bench-capture: build ## Benchmark the capture against npm packages on the zoo of moving pages (1 hour; see capture/peerbench)
	@capture/peerbench/run -program "$$PWD/bin/afterimage" $(ARGS)

.PHONY: bench-assets
bench-assets: setup ## Benchmark sharing the assets of a site that is far away, against Playwright (10 minutes; see capture/peerbench)
	@capture/peerbench/run -shop -concurrency 2 $(ARGS)

.PHONY: bench-growth
bench-growth: build ## Benchmark how captures grow with pages at once and with the distance of the site (40 minutes; see capture/peerbench)
	@capture/peerbench/run -growth -at-once 1,2,4,8,16,32 -speed-rounds 1 -tools afterimage,service,auto,bare-fast,playwright \
		-program "$$PWD/bin/afterimage" $(ARGS)

.PHONY: bench-compare
bench-compare: build ## Benchmark compare against npm packages on a shop and its preview (long; see internal/compare/peerbench)
	@internal/compare/peerbench/run $(ARGS)

.PHONY: bench-verify
bench-verify: setup ## Judge labelled page pairs and write the tables of docs/measurements/verification-benchmark.md (10 minutes)
	@$(GO) run ./internal/verify/bench -markdown docs/measurements/verification-benchmark.md $(ARGS)

.PHONY: train-judge
train-judge: setup ## Capture the generated sites and train the judge of findings that no rule decides (20 minutes)
	@$(GO) run ./internal/verify/bench -train internal/verify/trained.json $(ARGS)

.PHONY: bench-judge
bench-judge: setup ## Judge the unseen generated sites, and plot how well (10 minutes; ARGS='-keep folder' keeps captures)
	@$(GO) run ./internal/verify/bench -open 'unseen sites' -plots docs/measurements $(ARGS)

.PHONY: bench-fortnight
bench-fortnight: setup ## Simulate a fortnight of monitoring on 40 pages that move, with three damages (15 minutes)
	@$(GO) run ./internal/verify/bench -fortnight 40 $(ARGS)

.PHONY: bench-hidden
bench-hidden: setup ## Judge and review 200 generated pages on which several things change at once (5 minutes)
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 30m -v $(TESTFLAGS) ./internal/verify/bench/hiddenpairs
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 30m -v -run '^TestNothingIsAcceptedUnseen$$' ./jobs

.PHONY: bench-entries
bench-entries: setup ## Count the entries that one edit of a public page template makes (30 minutes; fetches templates with npm)
	@$(GO) run ./internal/verify/bench/corpus $(ARGS)

.PHONY: bench-several
bench-several: setup ## Count the entries of public page templates with two to six edits each, and check each by DevTools (40 minutes)
	@$(GO) run ./internal/verify/bench/corpus -several 200 -check $(ARGS)

.PHONY: bench-updates
bench-updates: setup ## Compare releases of templates and design systems by DevTools and by Afterimage (15 minutes; fetches them with npm)
	@$(GO) run ./internal/verify/bench/corpus -updates $(ARGS)

.PHONY: bench-tall
bench-tall: setup ## Capture, compare and judge pages of up to 100,000 rows, and plot what that costs (5 minutes)
	@$(GO) run ./internal/verify/bench/tallpages -docs docs/measurements

.PHONY: bench-scale
bench-scale: setup ## Run several workers with a browser that only takes its time: costs of a capture, due groups, turns (10 minutes)
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 60m -v $(TESTFLAGS) ./jobs/scale

.PHONY: soak
soak: web/node_modules/.complete web $(CONFORMANCE_PACKAGES) $(PLAYWRIGHT)/dist/.built ## Run tests at full size: kills, outages, zoo, hostile pages, page pairs, subscriptions, schedules (hours)
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 120m -p 1 -v $(TESTFLAGS) ./e2e ./capture/zoo ./capture/reach ./capture/hostile
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 60m -v -run "AreIsolated$$" ./capture/chrome
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 60m -v -run '^TestNoOperationOutlivesItsTokenByASecond$$' ./graph
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 60m -v ./internal/verify/bench/crosspairs ./internal/verify/bench/causes
	@$(MAKE) bench-hidden
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 60m -v -run '^(TestTheSpine|TestALostDatabase|TestASilentDatabase|TestTwoReplicas|TestNextAgrees|TestAYear)' ./db/... ./vcd/...
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 60m -v -run '^(TestASmallRun|TestTheWorkOfAKilledProcess)' ./jobs

.PHONY: nemesis
nemesis: web ## Kill processes at random under load, with poison pages and a full disk (30 minutes)
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 90m -v $(TESTFLAGS) -run '^(TestNemesis|TestEachRestart)' ./e2e

.PHONY: machines
machines: web ## Run three servers and four workers in network namespaces while machines, lines, bucket and database fail (40 minutes, as root)
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 90m -v $(TESTFLAGS) -run '^TestManyMachines$$' ./e2e

.PHONY: fuzz
fuzz: setup ## Run every fuzz test for FUZZTIME, and 500 generated requests per REST operation
	@grep -rl --include='*_test.go' --exclude-dir=node_modules '^func Fuzz' . | sort | while read -r file; do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			echo "fuzz: $$name in $$(dirname "$$file")"; \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" </dev/null; \
		done; \
	done
	@echo "fuzz: requests generated from the OpenAPI document" >&2
	@AFTERIMAGE_SOAK=1 $(GO) test -count=1 -timeout 60m -run '^TestGeneratedRequests$$' ./e2e

.PHONY: clean
clean: ## Remove build output; installed tools stay
	@rm -rf bin web/node_modules $(CONFORMANCE:%=%/node_modules) $(PLAYWRIGHT)/node_modules $(PLAYWRIGHT)/dist
	@find web/dist -mindepth 1 -not -name .gitkeep -delete
