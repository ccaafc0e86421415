# Set-up shared by ./labrys and ./test: the Debian packages, Rust, the target directory.
# Sourced, never run. Everything it says goes to stderr, so that stdout stays the program's.

# What the build needs (LLVM, Bitwuzla and its libraries), then what a run needs: clang reads the
# C, cc builds the replay, llvm-cov, gcov and z3 check the results.
labrys_packages=(
    llvm-19-dev
    libgmp-dev libcadical-dev libsymfpu-dev meson ninja-build pkg-config python3 gcc g++ libc6-dev
    clang-19 llvm-19 libclang-rt-19-dev z3
)

# What only the tests need: valgrind counts instructions for the guard.
labrys_test_packages=(valgrind)

labrys_fail() {
    printf 'labrys: %s\n' "$*" >&2
    exit 2
}

# Those of the given packages that are not installed.
labrys_missing() {
    local installed package
    # dpkg-query fails if it has never heard of a package, which is just what is asked.
    installed=$({ dpkg-query -W -f '${db:Status-Abbrev} ${binary:Package}\n' "$@" \
        2>/dev/null || true; } | sed -n 's/^ii *\([^: ]*\).*/\1/p')
    for package in "$@"; do
        grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
    done
}

# Installs what Labrys needs and the given packages, or says which are missing.
labrys_install() {
    local missing=() root=()
    mapfile -t missing < <(labrys_missing "${labrys_packages[@]}" "$@")
    [ ${#missing[@]} -eq 0 ] && return
    local ask="install these Debian packages and call again: ${missing[*]}"
    command -v apt-get >/dev/null || labrys_fail "there is no apt-get here; $ask"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || labrys_fail "only root may install packages; $ask"
        # Without a terminal nobody can type a password.
        root=(sudo)
        [ -t 0 ] || root=(sudo -n)
        "${root[@]}" true 2>/dev/null || labrys_fail "sudo is not allowed; $ask"
    fi
    printf 'labrys: installing %s\n' "${missing[*]}" >&2
    local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y)
    local install=("${apt[@]}" install --no-install-recommends "${missing[@]}")
    # The package lists of a fresh machine are empty or stale.
    "${install[@]}" >/dev/null 2>&1 ||
        { "${apt[@]}" update >&2 && "${install[@]}" >&2; } ||
        labrys_fail "apt-get could not install them; $ask"
}

labrys_rust() {
    command -v cargo >/dev/null && return
    # rustup installs here, and not every shell has it on its path.
    if [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
        return
    fi
    labrys_fail "Rust 1.88 or newer is needed and there is no cargo;" \
        "install it with rustup (the cargo of Debian 12 is too old)"
}

# An absolute target directory: cargo is called from the top of the tree, to find .cargo/config.toml.
export CARGO_TARGET_DIR
CARGO_TARGET_DIR=$(realpath -m -- "${CARGO_TARGET_DIR:-$labrys_top/target}")
