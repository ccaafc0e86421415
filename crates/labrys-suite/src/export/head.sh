#!/bin/sh
# Tests of a whole program, written by Labrys for @FILES@.
#
#   PROGRAM=/path/to/program sh tests.sh
#
# Every test runs the program in a fresh directory with the test's files, standard input,
# environment and arguments, and compares standard output, written files and the exit status.

name=@NAME@
LC_ALL=C
export LC_ALL
program=${PROGRAM:-./$name}
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
if [ ! -x "$program" ]; then
  echo "tests: no program at $program; say where it is: PROGRAM=/path/to/program sh $0" >&2
  exit 2
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/labrys-tests-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" || exit 2
# The program finds its own name as argv[0]: by PATH, which is then in its environment, or at a
# place in its directory.
path="PATH=$work/bin" start=$name link=
case $name in
/*) path= start=$program ;;
*/*) path= link=$name ;;
*) ln -s "$program" "$work/bin/$name" || exit 2 ;;
esac
limit=
if command -v timeout > /dev/null 2>&1; then
  limit=$(command -v timeout)
fi
tests=0 failed=0

begin() {
  test=$1 wrong=
  rm -rf "$work/run"
  mkdir "$work/run" && cd "$work/run" || exit 2
  if [ -n "$link" ]; then
    mkdir -p "${link%/*}" && ln -s "$program" "$link" || exit 2
  fi
}

# run [VARIABLE=VALUE]... PROGRAM [ARGUMENT]...
run() {
  ${limit:+"$limit"} ${limit:+10} env -i ${path:+"$path"} \
    ${GCOV_PREFIX:+"GCOV_PREFIX=$GCOV_PREFIX"} \
    ${LLVM_PROFILE_FILE:+"LLVM_PROFILE_FILE=$LLVM_PROFILE_FILE"} "$@" \
    < "$work/stdin" > "$work/stdout" 2> "$work/stderr"
  code=$?
}

same() {
  cmp -s "$2" "$3" || wrong="$wrong; $1 differs"
}

status() {
  [ "$code" -eq "$1" ] || wrong="$wrong; exit status $code instead of $1"
}

finish() {
  tests=$((tests + 1))
  if [ -n "$wrong" ]; then
    failed=$((failed + 1))
    echo "failed: $test${wrong}"
  fi
}
