#!/bin/bash
# Prints every source file of the tree with the first sentence of its head comment.
# Usage: scripts/files.sh [FOLDER…]; without folders: crates, runtime and scripts.
set -euo pipefail

labrys_top=$(dirname -- "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")")
cd "$labrys_top"
[ $# -gt 0 ] || set -- crates runtime scripts

find "$@" -type f \( -name '*.rs' -o -name '*.c' -o -name '*.h' -o -name '*.sh' -o -name '*.cpp' \) \
    -not -path '*/target/*' -not -path 'crates/*/tests/*/*.[ch]' | LC_ALL=C sort |
while IFS= read -r file; do
    # The head comment: lines of `//!`, `//`, `/* … */` or `#` before anything else.
    sentence=$(awk '
        NR == 1 && /^#!\// { next }
        /^[[:space:]]*$/ { if (text != "") exit; next }
        /^(\/\/!|\/\/|\/\*|[[:space:]]*\*|#[[:space:]]|[[:space:]]+[^[:space:]#])/ {
            line = $0
            if (line !~ /^(\/\/|\/\*|#|[[:space:]]*\*)/ && !inside) exit
            if (line ~ /^\/\*/) inside = 1
            end = line ~ /\*\//
            sub(/^(\/\/!|\/\/|\/\*+|[[:space:]]*\*+\/?|#)[[:space:]]*/, "", line)
            sub(/[[:space:]]*\*\/.*$/, "", line)
            sub(/^[[:space:]]+/, "", line)
            text = text (text == "" ? "" : " ") line
            if (end) exit
            next
        }
        inside { text = text " " $0; if (/\*\//) exit; next }
        { exit }
        END {
            # The first sentence ends at a full stop before a blank and a capital letter.
            if (match(text, /[.] +[A-Z`\[]/)) text = substr(text, 1, RSTART)
            print text
        }' "$file")
    printf '%s: %s\n' "$file" "${sentence:-(no head comment)}"
done
