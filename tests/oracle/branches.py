"""Exact branches and traces of a C program by brute force, without any Labrys code.

The program is compiled by clang with its own coverage instrumentation, run on every input by
enumerate.c, and the branch outcomes are read from llvm-cov. README.md says why this is sound.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ORACLE = Path(__file__).resolve().parent
RUNTIME = ORACLE.parent.parent / "runtime"
CLANG, COV, PROFDATA = "clang-19", "llvm-cov-19", "llvm-profdata-19"
EXPANSION_REGION = 1
# A first run of every input stops at undefined behaviour: its branches would mean nothing.
UNDEFINED_TRAPS = ["-fsanitize=undefined", "-fsanitize-trap=all"]


class OracleError(Exception):
    """The oracle cannot judge this program; the message says why."""


@dataclass(frozen=True, order=True)
class Outcome:
    """One branch outcome: `outcome` is true, false, case or default (the implicit one)."""

    line: int
    column: int
    outcome: str
    feasible: bool


@dataclass
class Verdict:
    outcomes: list
    traces: int
    runs: int
    rejected: int
    program: Path
    profile: Path

    def infeasible(self):
        return [o for o in self.outcomes if not o.feasible]


def run(command, **options):
    # Programs may print any bytes.
    options = {"capture_output": True, "text": True, "errors": "replace", **options}
    done = subprocess.run([str(c) for c in command], **options)
    if done.returncode != 0:
        raise OracleError(f"{' '.join(map(str, command))}\n{done.stdout[-400:]}{done.stderr[-600:]}")
    return done


INCREMENT = re.compile(
    r"(?m)^\s*call void @llvm\.instrprof\.increment(?:\.step)?"
    r"\(ptr (\S+), i64 \S+, i32 \d+, i32 (\d+)(?:, i64 (\S+))?\).*$")


def report_counters(ir):
    """Adds a call that reports every update of a profile counter to the odometer."""
    functions = {}

    def report(match):
        function, counter, step = match.groups()
        number = functions.setdefault(function, len(functions) + 1)
        return (f"{match[0]}\n  call void @oracle_counter"
                f"(i32 {number}, i32 {counter}, i64 {step or 1})")

    return INCREMENT.sub(report, ir) + "\ndeclare void @oracle_counter(i32, i32, i64)\n"


def build(source, work, name="program", checks=()):
    """Compiles `source` with counters, blocks and the odometer; returns the executable."""
    ir, instrumented, program = work / "p.ll", work / "q.ll", work / name
    coverage = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"]
    run([CLANG, "-O0", "-w", f"-I{RUNTIME}", "-Dmain=program_main", *coverage, *checks,
         "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", source, "-o", ir])
    instrumented.write_text(report_counters(ir.read_text()))
    run([CLANG, "-O0", *coverage, "-fsanitize-coverage=bb,trace-pc-guard,no-prune",
         "-c", instrumented, "-o", work / "program.o"])
    run([CLANG, "-O2", "-c", ORACLE / "enumerate.c", "-o", work / "enumerate.o"])
    run([CLANG, "-no-pie", "-fprofile-instr-generate", work / "program.o", work / "enumerate.o",
         "-Wl,--wrap=exit", "-lm", "-o", program])
    return program


def enumerate_inputs(program, work, domains):
    arguments = [str(word) for domain in domains for word in domain]
    profile = work / "program.profraw"
    done = run([program, profile, *arguments], timeout=3600, cwd=work)
    words = done.stderr.split()[-12:]
    counts = {name: int(value) for name, value in zip(words[::2], words[1::2])}
    if counts["traces"] != counts["both"]:
        raise OracleError(f"counters give {counts['traces']} traces, blocks {counts['both']}")
    if counts["outside"]:
        raise OracleError("inputs outside the declared domains reach new traces")
    run([PROFDATA, "merge", profile, "-o", work / "program.profdata"])
    return counts


def text_at(lines, line, column):
    """The source text from a position (both from 1) to the end of the file."""
    return "\n".join([lines[line - 1][column - 1:], *lines[line:]])


def is_switch_operand(lines, region):
    """Whether the region is the whole operand of a switch: its implicit default."""
    line, column, end_line, end_column = region[:4]
    before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]]).rstrip()
    after = text_at(lines, end_line, end_column).lstrip()
    if not (before.endswith("(") and after.startswith(")")):
        return False
    return re.search(r"\bswitch$", before[:-1].rstrip()) is not None


def locate(function, region):
    """Where the user wrote it: the outermost macro call, for a region inside of an expansion."""
    file, line, column = region[6], region[0], region[1]
    while file != 0:
        call = next(r for r in function["regions"] if r[7] == EXPANSION_REGION and r[6] == file)
        file, line, column = call[5], call[0], call[1]
    return line, column


def outcomes_of(function, region):
    lines = Path(function["filenames"][region[6]]).read_text().splitlines()
    taken, not_taken = region[4] > 0, region[5] > 0
    line, column = locate(function, region)
    if re.match(r"(case|default)\b", text_at(lines, region[0], region[1])):
        return [Outcome(line, column, "case", taken)]
    if is_switch_operand(lines, region):
        return [Outcome(line, column, "default", taken)]
    return [Outcome(line, column, "true", taken), Outcome(line, column, "false", not_taken)]


def judge(source, work, domains=()):
    """Enumerates all inputs of `source`; `domains` are (name, low, high) of wide inputs."""
    checked = build(source, work, "checked", UNDEFINED_TRAPS)
    enumerate_inputs(checked, work, domains)
    program = build(source, work)
    counts = enumerate_inputs(program, work, domains)
    export = run([COV, "export", program, f"-instr-profile={work / 'program.profdata'}"]).stdout
    functions = json.loads(export)["data"][0]["functions"]
    outcomes = [o for f in functions for region in f["branches"] for o in outcomes_of(f, region)]
    return Verdict(sorted(outcomes), counts["traces"], counts["runs"], counts["rejected"],
                   program, work / "program.profdata")
