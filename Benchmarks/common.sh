# Sourced by each group's `run`, which then works in the root of the repository.
# shellcheck shell=sh disable=SC2034 # the scripts that source this use what it sets

cd "$(dirname "$0")/../.." || exit 1
out=Benchmarks/.out
mkdir -p "$out"

# Builds a program of the benchmarks' package, linked as scripts/package links the server, and sets `bench` to its path. BENCH names
# one that is built already.
build_bench() {
    bench=${BENCH:-Benchmarks/.build/release/$1}
    [ -n "${BENCH:-}" ] || swift build -c release --static-swift-stdlib --package-path Benchmarks --product "$1" >&2
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

# Compiles uSockets for servers on uWebSockets into `$out/uSockets`. Fails where PEERS names no checkouts of the two.
build_uwebsockets() {
    peer uSockets https://github.com/uNetworking/uSockets 86097c490263ab662d62e8e7b541390bdec7d149 || return 1
    peer uWebSockets https://github.com/uNetworking/uWebSockets 66dcff3dd48f0c19dd1703426365d062039321d0 || return 1
    mkdir -p "$out/uSockets"
    for source in "$PEERS"/uSockets/src/*.c "$PEERS"/uSockets/src/eventing/*.c; do
        cc -O3 -DNDEBUG -DLIBUS_NO_SSL -I"$PEERS/uSockets/src" -c "$source" -o "$out/uSockets/$(basename "$source" .c).o" || return 1
    done
}

# Copies kasuari's checkout `peer` to `$out/kasuari`. Debian has hashbrown 0.12 and thiserror 1, where it wants 0.17 and 2, so the
# copy is changed to take those, and to do without optional crates that Debian does not have. thiserror 1 needs the standard
# library, which the crate then has to use.
copy_kasuari() {
    rm -rf "$out"/kasuari
    mkdir "$out"/kasuari
    cp -R "$peer"/Cargo.toml "$peer"/src "$out"/kasuari
    sed -i -e 's/^hashbrown = .*/hashbrown = "0.12"/' -e 's/^thiserror = .*/thiserror = "1.0"/' \
        -e 's/^std = .*/std = []/' -e '/^portable-atomic/d' -e '/^document-features/d' "$out"/kasuari/Cargo.toml
    sed -i '/^#!\[no_std\]/d' "$out"/kasuari/src/lib.rs
}

# Builds a driver in Rust with crates of Debian, for there is nothing to download. It is built in a copy of its folder, as cargo
# writes beside a package. Sets `driver` to the program, or fails and says what is missing. Arguments: the driver's folder, the
# name of the peer's crate, its checkout, the Debian packages with what that needs, and more crates with their checkouts.
build_rust() {
    name=$(basename "$1")
    if ! command -v cargo >/dev/null 2>&1; then
        echo "no cargo to build $name with; install Rust" >&2
        return 1
    fi
    # shellcheck disable=SC2086 # the list is meant to be split
    if ! dpkg-query -W $4 >/dev/null 2>&1; then
        echo "no crates to build $name with; install $4" >&2
        return 1
    fi
    mkdir -p "$out/$name"
    cp -R "$1/." "$out/$name"
    crates=$2=$3
    shift 4
    while [ $# -gt 0 ]; do
        crates="$crates $1=$2"
        shift 2
    done
    set --
    for crate in $crates; do
        set -- "$@" --config "patch.crates-io.${crate%%=*}.path=\"$(readlink -f "${crate#*=}")\""
    done
    # Warnings about the peer's own sources tell nobody anything here.
    RUSTFLAGS="-A unused -A unexpected_cfgs" \
        cargo build --quiet --offline --release --manifest-path "$out/$name/Cargo.toml" --target-dir "$out/$name/target" \
        --config 'source.crates-io.replace-with="debian"' --config 'source.debian.directory="/usr/share/cargo/registry"' \
        "$@" >&2 || return 1
    driver=$out/$name/target/release/$name
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
