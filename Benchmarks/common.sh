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

# Sets `peer` to the checkout of a peer in the folder that PEERS names. Fails, and says so, where there is none: its rows are
# then not measured. Arguments: the checkout's name, where it comes from, and the commit that the results are of.
peer() {
    peer=${PEERS:-}/$1
    if [ -z "${PEERS:-}" ] || ! [ -d "$peer" ]; then
        echo "no $1 to measure against: PEERS=FOLDER names a folder with its checkout ($2 at $3) in $1" >&2
        return 1
    fi
    commit=$(git -C "$peer" rev-parse HEAD 2>/dev/null) || commit=unknown
    [ "$commit" = "$3" ] || echo "$1 is at $commit; the results are of $3" >&2
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
