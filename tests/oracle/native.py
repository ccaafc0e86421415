"""Native runs: the output that gcc and clang agree on, and faults that the sanitizers confirm."""

import itertools
import re
import subprocess

from branches import CLANG, ORACLE, RUNTIME, OracleError, run

REJECTED = 77


def compile_native(compiler, source, work, flags):
    program = work / f"native-{compiler}-{len(flags)}"
    run([compiler, "-O0", "-g", "-w", f"-I{RUNTIME}", *flags, "-Dmain=program_main", "-c", source,
         "-o", work / "n.o"])
    run([compiler, "-w", *flags, work / "n.o", ORACLE / "native.c", "-lm", "-o", program])
    return program


def result(source, work, flags=()):
    """The hexadecimal bytes of the output `result`, the same for gcc and clang.

    A file with the line `// compilers: clang` uses what gcc does not know."""
    results = {}
    clang_only = "// compilers: clang\n" in source.read_text()
    for compiler in (CLANG,) if clang_only else ("gcc", CLANG):
        program = compile_native(compiler, source, work, list(flags))
        words = run([program], timeout=60).stdout.split()
        if "result" not in words:
            raise OracleError(f"{compiler}: no output named result")
        results[compiler] = words[words.index("result") + 1]
    if len(set(results.values())) != 1:
        raise OracleError(f"the compilers disagree: {results}")
    return results[CLANG]


SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                "-fno-omit-frame-pointer"],
    "memory": ["-fsanitize=memory", "-fno-omit-frame-pointer"],
}

# What a sanitizer or the program prints for each kind of fault, tried in this order.
KINDS = [
    ("assertion", r"Assertion .* failed"),
    ("reach-error", r"reach_error called"),
    ("double-free", r"attempting double-free"),
    ("invalid-free", r"attempting free on address which was not malloc|bad-free"),
    ("use-after-free", r"heap-use-after-free|stack-use-after-(scope|return)"),
    ("null-dereference", r"null pointer|SEGV on unknown address 0x0000000000"),
    ("division-by-zero", r"division by zero"),
    ("division-overflow", r"division of .* by -1 cannot be represented"),
    ("shift-range", r"shift exponent"),
    ("stack-overflow", r"stack-overflow on address"),
    ("out-of-bounds", r"out of bounds|buffer-(over|under)flow|insufficient space|SEGV on unknown"),
    ("uninitialised-read", r"use-of-uninitialized-value"),
    ("abort", r"ABRT"),
]


def classify(message, name):
    kind = next((kind for kind, pattern in KINDS if re.search(pattern, message)), None)
    lines = [int(m) for m in re.findall(re.escape(name) + r":(\d+)", message)]
    return kind, lines


def faults_of(source, work):
    """All (kind, lines) that any value of the first two input bytes provokes."""
    inputs = input_count(source)
    environment = {"ASAN_OPTIONS": "detect_leaks=0:handle_abort=1:detect_stack_use_after_return=1",
                   "UBSAN_OPTIONS": "print_stacktrace=1", "MSAN_OPTIONS": "handle_abort=1",
                   "PATH": "/usr/bin:/usr/lib/llvm-19/bin"}
    found = []
    for sanitizer, flags in SANITIZERS.items():
        program = compile_native(CLANG, source, work, flags)
        for values in itertools.product(range(256), repeat=inputs):
            words = [f"{value:02x}" for value in values]
            done = subprocess.run([program, *words], capture_output=True, text=True,
                                  errors="replace", env=environment, timeout=60)
            if done.returncode not in (0, REJECTED) and done.stderr:
                found.append(classify(done.stderr, source.name))
                break
    return found


def input_count(source):
    """Fault programs take one input of one byte."""
    count = len(re.findall(r"labrys_(?:uchar|schar|char|bool)\(", source.read_text()))
    if count > 1:
        raise OracleError("a fault program takes at most one input, of one byte")
    return count


def confirm_fault(source, work):
    text = source.read_text()
    claim = re.search(r"^// expect: fault (\S+) (\d+)$", text, re.M)
    found = faults_of(source, work)
    if claim is None:
        if "// expect: no fault" not in text:
            raise OracleError("neither a fault nor its absence is expected")
        if found:
            raise OracleError(f"a fault in a program that must have none: {found}")
        print(f"{source.name}: no fault")
        return
    kind, line = claim[1], int(claim[2])
    if not any(kind == k and line in lines for k, lines in found):
        raise OracleError(f"expected {kind} at line {line}, the sanitizers say {found}")
    print(f"{source.name}: {kind} at line {line}")
