# The ways into the project. `make run` opens the window, `make test` proves it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

SESSION := src-tauri/setup/session.sh
# Every service of a test is on this computer and speaks HTTP; tests of TLS name their own authority. An
# unoptimised client takes long to read all authorities of the system, and tests make thousands of clients:
# they read this one, whose key nobody has.
TEST_SESSION := env -u SSL_CERT_DIR SSL_CERT_FILE=$(CURDIR)/src-tauri/setup/authority.pem $(SESSION)
UI_SOURCES := $(shell find ui -path ui/node_modules -prune -o -path ui/dist -prune -o -type f -print 2>/dev/null)
# Every Rust test but the journeys and those of wdesk; the documentation holds no examples to run.
RUST_TESTS := cargo test --locked --workspace --tests
JOURNEYS := cargo test --locked --workspace --test journeys
WDESK_TESTS := cargo test --locked --workspace --test wdesk
# Both wait more than they compute, and run in two desktop sessions at once: these in the first, all
# others in the second. A keychain that more than two of them use at once has been seen to crash.
FIRST_JOURNEYS := live counter_ sheet finding day import overview papers exports hostile web_process
FIRST_WDESK := answers:: sending:: practice:: codes:: other_server:: older_copy:: disk:: equal_rows:: kills:: reported::
# They compute for minutes, on every core; they begin first, and yield to the sessions that wait.
SIMULATIONS := outbox::simulation
VENV := .tools/venv
PEERS := .tools/peers
# Only bundling needs Tauri's own command line, so nothing else waits for it.
BUNDLING := src-tauri/setup/bundling
TAURI := $(BUNDLING)/node_modules/.bin/tauri

SESSIONS := simulations first-journeys other-journeys rust-tests first-wdesk other-wdesk accessibility openapi

.PHONY: help run test format lint structure test-binaries unit ui-test bindings prove rules supply-chain advisories pictures bench bench-peers bundle package-trial windows-check windows-trial packages-build packages-test clean $(SESSIONS)

help: ## what there is
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

run: ## build and open the window; without a display, drive the main job and keep pictures of it
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ] || [ "$$(uname)" != Linux ]; then \
	    $(MAKE) --no-print-directory packages-build ui/dist/index.html; \
	    cargo run --release --locked; \
	else \
	    echo "no display here: driving the main job in a virtual one"; \
	    $(MAKE) --no-print-directory packages-test ui/dist/index.html; \
	    rm -rf artifacts/run; \
	    WARRANTY_DESK_PICTURES="$$PWD/artifacts/run" $(SESSION) \
	        cargo test --locked -p warranty-desk --test journeys -- --exact main_job::the_main_job_in_japanese; \
	    echo "pictures of the window: $$PWD/artifacts/run"; \
	    ls artifacts/run; \
	fi

# Clippy's compiler builds the tests, so that no crate is read twice; they behave as rustc's do.
test: export RUSTC_WORKSPACE_WRAPPER = clippy-driver
test: export CLIPPY_ARGS = -D__CLIPPY_HACKERY__warnings
test: packages-test ui/dist/index.html ## everything, as on a new machine
	$(MAKE) --no-print-directory -j3 --output-sync=target test-binaries format structure rules ui-test
	$(MAKE) --no-print-directory unit

format: ui/node_modules/.stamp
	cargo fmt --all --check
	cd ui && npm run --silent format:check

# Here and in test-binaries the sandbox a second time, alone: without its faults, as the window has it.
lint: structure ## clippy, the layers, and the front end's types
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo clippy --locked --workspace --test journeys --test wdesk -- -D warnings
	cargo clippy --locked -p warranty-sandbox --lib -- -D warnings

structure: ui/dist/index.html
	tests/architecture/layers.py
	tests/planted/run.py --check
	cd ui && npm run --silent check

# One build of all tests, not one for each kind: the last crates of a build leave a core idle.
test-binaries: packages-test ui/dist/index.html
	cargo test --locked --workspace --lib --bin wdesk --test '*' --no-run
	cargo build --locked --workspace --bins --examples
	cargo check --locked -p warranty-sandbox --lib

unit: test-binaries ## all Rust tests, a sale as a screen reader makes it, and openapi
	$(MAKE) --no-print-directory -j5 --keep-going --output-sync=target $(SESSIONS)

simulations:
	nice $(TEST_SESSION) $(RUST_TESTS) -- $(SIMULATIONS)

rust-tests:
	nice $(TEST_SESSION) $(RUST_TESTS) -- --skip $(SIMULATIONS)

first-journeys:
	$(TEST_SESSION) $(JOURNEYS) -- $(FIRST_JOURNEYS)

other-journeys:
	$(TEST_SESSION) $(JOURNEYS) -- $(addprefix --skip ,$(FIRST_JOURNEYS))

first-wdesk:
	$(TEST_SESSION) $(WDESK_TESTS) -- $(FIRST_WDESK)

other-wdesk:
	$(TEST_SESSION) $(WDESK_TESTS) -- $(addprefix --skip ,$(FIRST_WDESK))

# The interpreter of the system: the bindings of AT-SPI are its packages.
accessibility:
	$(TEST_SESSION) /usr/bin/python3 tests/accessibility/sale.py

ui-test: ui/node_modules/.stamp ## the front end's own tests
	cd ui && npm run --silent test

openapi: $(VENV)/.stamp ## outside judges hold the practice service and our traffic against the OpenAPI document
	$(WDESK_TESTS) --no-run
	$(TEST_SESSION) tests/openapi/judge.sh $(VENV)/bin

bindings: ui/dist/index.html ## write the generated TypeScript of the bridge
	WRITE_BINDINGS=1 cargo test --locked -p warranty-desk --lib the_generated_typescript_is_up_to_date

prove: packages-test ui/dist/index.html ## every proof in its long form (PROOF=name for one, WRITE=1 keeps the figures)
	python3 tests/proof/prove.py $(if $(WRITE),--write) $(PROOF)

rules: ui/node_modules/.stamp ## licences, crates, sources, and faults known when the list of them was written
	tests/supply-chain/check.sh rules

supply-chain: rules ## the same, and bills of materials into artifacts/sbom
	tests/supply-chain/check.sh sbom

advisories: ui/node_modules/.stamp ## faults of crates and packages known today; needs the network
	tests/supply-chain/check.sh advisories

pictures: packages-test ui/dist/index.html ## take the README's pictures from the real window, and the printed sheets
	WARRANTY_DESK_PICTURES="$$PWD/tests/pictures" $(SESSION) \
	    cargo test --locked -p warranty-desk --test journeys -- --include-ignored --exact pictures::the_pictures_of_the_readme \
	        papers::a_registered_contract_in_japanese_on_both_papers papers::a_registered_contract_in_english_on_both_papers

# Everything is built here, so that nothing is compiled while something is measured.
bench: packages-test ui/dist/index.html ## how fast it is, against floors and peers (PART=name for one, WRITE=1 keeps the table)
	cargo build --release --locked --workspace --bins --example empty-window
	cargo test --locked --workspace --test journeys --no-run
	$(SESSION) "$${CARGO_TARGET_DIR:-target}/release/warranty-bench" run $(if $(WRITE),--write) $(PART)

bench-peers: ## the programs that the bench compares with, into .tools/peers; needs the network
	@src-tauri/setup/packages.sh peers
	cargo install --locked --root $(PEERS) oha@1.16.0 hurl@8.0.1
	python3 -m venv $(PEERS)/venv
	$(PEERS)/venv/bin/pip install --quiet httpx==0.28.1
	npm install --prefix $(PEERS) --no-save --no-audit --no-fund newman@6.2.2

# Tauri builds the root package alone. A build of the workspace would turn on the sandbox's faults in the window.
# It packs a deb with gzip only; packed again with xz, it has half the size.
bundle: packages-build ui/node_modules/.stamp $(TAURI) ## the Debian and rpm packages, with wdesk, its manual, completions and SBOM
	tests/supply-chain/check.sh sbom
	cargo build --release --locked -p warranty-cli
	rm -rf target/manual
	target/release/wdesk manual target/manual
	cp src-tauri/packaging/warranty-desk.1 target/manual/man1
	cp src-tauri/packaging/changelog target/manual
	gzip -9n target/manual/man1/* target/manual/changelog
	$(TAURI) build --bundles deb,rpm
	for deb in target/release/bundle/deb/*.deb; do \
	    rm -rf target/unpacked; dpkg-deb -R "$$deb" target/unpacked; \
	    dpkg-deb --root-owner-group -Zxz -z9 -b target/unpacked "$$deb"; \
	done

package-trial: ## install, upgrade, downgrade, remove and purge what `make bundle` made, in a throw-away root; needs root and apt
	@src-tauri/setup/packages.sh packages
	tests/packages/trial.sh

windows-check: ui/dist/index.html ## build wdesk for Windows and check the window for it, without a warning
	@src-tauri/setup/packages.sh windows
	rustup target add x86_64-pc-windows-gnu
	RUSTFLAGS='-D warnings' cargo build --locked -p warranty-cli --target x86_64-pc-windows-gnu
	RUSTFLAGS='-D warnings' cargo check --locked -p warranty-desk --target x86_64-pc-windows-gnu

windows-trial: windows-check ## 500 sales of the Windows wdesk under Wine into a practice service on this machine
	cargo build --locked -p warranty-cli
	tests/packages/windows-trial.sh

clean:
	rm -rf target gen artifacts .tools ui/dist ui/node_modules $(BUNDLING)/node_modules

packages-build:
	@src-tauri/setup/packages.sh build

packages-test:
	@src-tauri/setup/packages.sh test

ui/node_modules/.stamp: ui/package.json ui/package-lock.json
	cd ui && npm ci --no-audit --no-fund
	@touch $@

ui/dist/index.html: ui/node_modules/.stamp $(UI_SOURCES)
	cd ui && npm run --silent build

# 2.12.3: of later versions the registry does not have the parts of every system, and so no lock.
$(TAURI): $(BUNDLING)/package.json $(BUNDLING)/package-lock.json
	npm ci --prefix $(BUNDLING) --no-audit --no-fund
	@touch $@

$(VENV)/.stamp: tests/openapi/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement tests/openapi/requirements.txt
	@touch $@
