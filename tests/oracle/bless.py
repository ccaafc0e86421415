#!/usr/bin/env python3
"""Writes (or with --check verifies) the `// expect:` lines of test programs.

usage: bless.py [--check] FILE…

The directory of a file says which oracle judges it: exact/ (all inputs enumerated), lang/ (gcc
and clang agree on the output), faults/ (the sanitizers confirm what the file claims), bench/ (the
alphabets in the file enumerated, or the output).
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

import branches
import mcdc
import native
from branches import OracleError

EXPECT = re.compile(r"// expect: ")


def split(text):
    """The lines without expectations, and how many comment lines stand at the head."""
    lines = [line for line in text.splitlines() if not EXPECT.match(line)]
    head = 0
    while head < len(lines) and lines[head].startswith("//"):
        head += 1
    return lines, head


def domains_of(lines):
    found = (re.match(r"// domain: (\S+) (-?\d+) (-?\d+)$", line) for line in lines)
    return [m.groups() for m in found if m]


def alphabets_of(lines):
    found = (re.match(r"// alphabet: (\S+) (\d+) (.*)$", line) for line in lines)
    return [(m[1], m[2], ",".join(m[3].split())) for m in found if m]


def bless_exact(path, lines, head, work):
    # Expectations are inserted above all code, so every line number moves down by their number.
    body = work / path.name
    body.write_text("\n".join(lines) + "\n")
    verdict = branches.judge(body, work, domains_of(lines))
    infeasible = verdict.infeasible()
    total = len(verdict.outcomes)
    pairs = mcdc.expectations(verdict.program, verdict.profile, body)
    shift = 2 + len(infeasible) + len(pairs)
    print(f"{path.name}: runs {verdict.runs} rejected {verdict.rejected} branches {total} "
          f"feasible {total - len(infeasible)} paths {verdict.traces}")
    return [f"// expect: branches {total} feasible {total - len(infeasible)}",
            f"// expect: paths {verdict.traces}",
            *(f"// expect: infeasible {o.line + shift}:{o.column}:{o.outcome}"
              for o in infeasible),
            *(f"// expect: mcdc {line + shift}:{column} {letters}"
              for line, column, letters in pairs)]


def bless_lang(path, lines, head, work):
    result = native.result(path, work)
    print(f"{path.name}: result {result}")
    return [f"// expect: result {result}"]


def bless_bench(path, lines, head, work):
    alphabets = alphabets_of(lines)
    if alphabets:
        return [f"// expect: paths {branches.judge(path, work, alphabets).traces}"]
    if any("labrys_output" in line for line in lines):
        short = native.result(path, work, ["-DSHORT"])
        return [*bless_lang(path, lines, head, work), f"// expect: short {short}"]
    return []


JUDGES = {"exact": bless_exact, "lang": bless_lang, "bench": bless_bench}


def bless(path, check, work):
    text = path.read_text()
    if path.parent.name == "faults":
        native.confirm_fault(path, work)
        return
    lines, head = split(text)
    expectations = JUDGES[path.parent.name](path, lines, head, work)
    blessed = "\n".join([*lines[:head], *expectations, *lines[head:]]) + "\n"
    if check and blessed != text:
        raise OracleError("the expectations in the file are not what the oracle says")
    if blessed != text:
        path.write_text(blessed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="verify, change nothing")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    failed = 0
    for path in arguments.files:
        with tempfile.TemporaryDirectory() as work:
            try:
                bless(path, arguments.check, Path(work))
            except OracleError as error:
                print(f"{path}: {error}", file=sys.stderr)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
