#!/bin/bash
# Fetches the Debian source packages of the corpus and builds them through labrys cc, for
# `./bench corpus` and `./bench programs`. Usage: corpus.sh CC PACKAGE…, where CC is the
# path of labrys-cc. PACKAGE-coverage is the package built by cc for gcov instead.
#
# Everything stays below LABRYS_CORPUS (default ~/.cache/labrys/corpus): apt has a configuration,
# package lists and a state of its own there, derived from the system's sources with deb-src
# enabled. What is built once is not built again. The last line of stdout is the directory.
set -euo pipefail

labrys_top=$(dirname -- "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")")
. "$labrys_top/scripts/setup.sh"

corpus=$(realpath -m -- "${LABRYS_CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/labrys/corpus}")
compiler=$1
shift
packages=("$@")

say() {
    printf 'bench corpus: %s\n' "$*" >&2
}

# What building these packages needs beside a C compiler: configure scripts are made of m4, make
# and flex generate parts of themselves, jq has its regular expressions in libonig.
corpus_packages=(make m4 bison flex gettext texinfo autoconf automake libtool help2man autopoint patch xz-utils
    dpkg-dev zlib1g-dev libonig-dev)

# The system's sources with deb-src beside deb, in both of apt's formats.
write_sources() {
    local file
    mkdir -p "$corpus/apt/sources.list.d" "$corpus/apt/lists/partial" "$corpus/apt/cache/archives/partial"
    : >"$corpus/apt/sources.list"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$file" ] || continue
        sed -n 's/^deb\(-src\)\{0,1\}\([[:space:]]\)/deb-src\2/p' "$file" | sort -u >>"$corpus/apt/sources.list"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        sed 's/^Types:.*/Types: deb-src/' "$file" >"$corpus/apt/sources.list.d/${file##*/}"
    done
    cat >"$corpus/apt/apt.conf" <<EOF
Dir::Etc::sourcelist "$corpus/apt/sources.list";
Dir::Etc::sourceparts "$corpus/apt/sources.list.d";
Dir::State::lists "$corpus/apt/lists";
Dir::Cache "$corpus/apt/cache";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Sandbox::User "";
EOF
}

apt_private() {
    APT_CONFIG="$corpus/apt/apt.conf" apt-get -qq "$@"
}

# Not every mirror has the archive of security updates: an older version does as well.
download() {
    local version
    apt_private source --download-only "$1" >/dev/null 2>&1 && return
    for version in $(APT_CONFIG="$corpus/apt/apt.conf" apt-cache showsrc "$1" | sed -n 's/^Version: //p'); do
        rm -f ./*
        apt_private source --download-only "$1=$version" >&2 && return
    done
    return 1
}

# Downloads and unpacks a source package into $corpus/src/NAME.
fetch() {
    local name=$1 package=${1%-coverage} work=$corpus/download/$1
    [ -e "$corpus/src/$name/.labrys-fetched" ] && return
    if [ ! -e "$corpus/apt/.updated" ]; then
        say "reading the lists of source packages"
        write_sources
        apt_private update >&2 || labrys_fail "apt-get update failed with the configuration in $corpus/apt"
        touch "$corpus/apt/.updated"
    fi
    say "fetching $name"
    rm -rf "$work" "$corpus/src/$name"
    mkdir -p "$work" "$corpus/src"
    (cd "$work" && download "$package") || labrys_fail "apt-get cannot fetch the source package $package"
    (cd "$work" && dpkg-source --no-check -x ./*.dsc tree >/dev/null) ||
        labrys_fail "the source package $name cannot be unpacked"
    # A package may keep its source as an archive inside.
    mv "$work/tree" "$corpus/src/$name"
    touch "$corpus/src/$name/.labrys-fetched"
}

# How each package is configured: as much as possible of its own C, as little as possible of
# translations and optional libraries.
configure() {
    local plain=(--disable-nls --disable-silent-rules --disable-dependency-tracking)
    case $1 in
    coreutils)
        # Plain C instead of assembly and of instructions that not every processor has.
        FORCE_UNSAFE_CONFIGURE=1 ./configure "${plain[@]}" --with-included-regex --disable-xattr \
            --disable-acl --disable-libcap --without-selinux --without-openssl --without-libgmp \
            CPPFLAGS=-DUSE_LONGLONG_H=0 &&
            sed -i '/define USE_AVX2_WC_LINECOUNT/d; /define USE_PCLMUL_CRC32/d' lib/config.h
        ;;
    grep) ./configure "${plain[@]}" --with-included-regex --disable-perl-regexp ;;
    sed) ./configure "${plain[@]}" --with-included-regex --disable-acl --without-selinux ;;
    tar) FORCE_UNSAFE_CONFIGURE=1 ./configure "${plain[@]}" --without-selinux --without-posix-acls --without-xattrs ;;
    flex) ./configure "${plain[@]}" --disable-shared ;;
    make) ./configure "${plain[@]}" --without-guile ;;
    bash) ./configure --disable-nls --without-bash-malloc ;;
    zlib) ./configure --static ;;
    libpng1.6) ./configure "${plain[@]}" --disable-shared ;;
    jq) ./configure "${plain[@]}" --disable-shared --disable-maintainer-mode --with-oniguruma=no ;;
    *) labrys_fail "the corpus has no package '$1'" ;;
    esac
}

# Some source trees come without what autoconf makes.
prepare() {
    if [ ! -x configure ]; then
        autoreconf -fi
    fi
}

build() {
    local name=$1 tree=$corpus/src/$1
    [ -e "$tree/.labrys-built" ] && return
    say "building $name"
    (
        cd "$tree"
        export CC=$compiler
        case $name in
        *-coverage) export CC=cc CFLAGS="-O0 -g --coverage" ;;
        esac
        # Patches of the packaging make generated files look old; they are not made again. Manual
        # pages are not needed.
        keep=(ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: MAKEINFO=:
            man_MANS= man1_MANS= dist_man_MANS= dist_man1_MANS=)
        prepare && configure "${name%-coverage}" && make -j "$(nproc)" "${keep[@]}"
    ) >"$tree.log" 2>&1 || labrys_fail "$name does not build; see $tree.log"
    touch "$tree/.labrys-built"
}

labrys_packages=("${corpus_packages[@]}")
labrys_install
for name in "${packages[@]}"; do
    fetch "$name"
    build "$name"
done
printf '%s\n' "$corpus"
