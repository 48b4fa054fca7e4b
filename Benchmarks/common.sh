# Sourced by each group's `run`, which then works in the root of the repository.
# shellcheck shell=sh disable=SC2034 # the scripts that source this use what it sets

cd "$(dirname "$0")/../.." || exit 1
out=Benchmarks/.out
mkdir -p "$out"

# Builds a program of the benchmarks' package and sets `bench` to its path. BENCH names one that is built already.
build_bench() {
    bench=${BENCH:-Benchmarks/.build/release/$1}
    [ -n "${BENCH:-}" ] || swift build -c release --package-path Benchmarks --product "$1" >&2
}

# Sets `python` to an environment of Python that has the packages named.
with_python() {
    python=Benchmarks/.build/venv/bin/python
    [ -x "$python" ] || python3 -m venv Benchmarks/.build/venv
    [ $# = 0 ] || "$python" -m pip install --quiet --disable-pip-version-check "$@" >&2
}

# Builds the server and sets `scenesync` to its path.
build_server() {
    swift build -c release --product scenesync >&2
    scenesync=.build/release/scenesync
}
