# Sourced by the scripts beside it, which then work in the root of the repository.
# shellcheck shell=sh disable=SC2034 # the scripts that source this use what it sets

cd "$(dirname "$0")/.." || exit 1

# What a build needs.
packages="libwebsockets-dev libssl-dev libsqlite3-dev libev-dev zlib1g-dev pkg-config git openssl ca-certificates"
# What the linters and the tests of the clients in other languages need besides.
lint_packages="python3 python3-venv shellcheck"
client_packages="python3 python3-venv nodejs node-typescript tmux"

say() { printf '%s\n' "dev: $*" >&2; }
die() { say "$*"; exit 1; }

# --- What a machine needs -------------------------------------------------------------------------------------

have_swift() { command -v swift >/dev/null 2>&1; }

# The packages of the list that are not installed yet. A program that is there already needs no package.
missing_packages() {
    for package in $packages; do
        case $package in
        nodejs) command -v node >/dev/null 2>&1 && continue ;;
        node-typescript) command -v tsc >/dev/null 2>&1 && continue ;;
        python3 | shellcheck | tmux | chromium) command -v "$package" >/dev/null 2>&1 && continue ;;
        python3-venv) python3 -c 'import ensurepip' >/dev/null 2>&1 && continue ;;
        esac
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
            printf '%s ' "$package"
    done
}

# Installs the packages of `packages` and of the arguments that are missing.
install_packages() {
    packages="$packages $*"
    have_swift || die "Swift 6.2 or newer is needed and was not found on PATH; see https://swift.org/install"
    if ! command -v apt-get >/dev/null 2>&1; then
        command -v pkg-config >/dev/null 2>&1 && pkg-config --exists libwebsockets openssl sqlite3 && return
        die "this system has no apt; install the development packages of libwebsockets, OpenSSL, SQLite 3, libev
     and zlib, and pkg-config and git (Debian calls them: $packages), then run this again"
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

# --- Building and serving -------------------------------------------------------------------------------------

program=.build/release/scenesync

build() {
    install_packages
    say "building (release); the first time takes a few minutes"
    swift build -c release --product scenesync --explicit-target-dependency-import-check error >&2
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
