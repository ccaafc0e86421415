#!/usr/bin/env python3
"""Labels by brute force, without any Labrys code.

    labels.py FILE…            writes the `// expect:` lines of programs with labels
    labels.py --check FILE…    verifies them
    labels.py --random SEED…   writes random programs to tests/files/labels/random_SEED.c

A program asks for inputs with `labrys_uchar` only, and every input is tried. Its labels have the
form `pc_label(predicate, number, "tag")`. A fault in a predicate makes it false: division faults
by itself, and `TABLE(i)` reads `table[i]` with the check that the compiled program lacks.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FILES = pathlib.Path(__file__).resolve().parent.parent / "files" / "labels"

HEADER = r"""
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
static sigjmp_buf out;
static int speculating;
static unsigned char hit[1000];
static unsigned digits[8], used;
static void fault(int number) { (void)number; siglongjmp(out, 1); }
static unsigned char labrys_uchar(const char *name) { (void)name; return (unsigned char)digits[used++]; }
#define labrys_output(name, pointer, size) ((void)0)
#define pc_label(p, number, tag) \
  do { if (!sigsetjmp(out, 0)) { if (p) hit[number] = 1; } } while (0)
#define TABLE(i) table[(unsigned long)(i) < sizeof table / sizeof *table ? (i) : (fault(0), 0)]
#define BRUTE_FORCE 1
"""

ODOMETER = r"""
#undef main
int main(void) {
  unsigned i, inputs;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = fault;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGFPE, &action, 0);
  for (;;) {
    used = 0;
    program();
    inputs = used;
    for (i = 0; i < inputs && ++digits[i] == 256; i++)
      digits[i] = 0;
    if (i == inputs)
      break;
  }
  for (i = 0; i < 1000; i++)
    if (hit[i])
      printf("%u\n", i);
  return 0;
}
"""


def brute_force(text):
    """The tags of covered labels, and of the others."""
    tags = {int(n): t for n, t in re.findall(r'pc_label\(.*, (\d+), "(\w+)"\)', text)}
    body = re.sub(r'#include [<"](labrys|labels)\.h[>"]', "", text)
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work, "p.c")
        source.write_text(HEADER + "#define main program\n" + body + ODOMETER)
        binary = pathlib.Path(work, "p")
        flags = ["-O1", "-fwrapv", "-w"]
        subprocess.run(["gcc", *flags, source, "-o", binary], check=True)
        run = subprocess.run([binary], check=True, capture_output=True, text=True)
    hit = {int(line) for line in run.stdout.split()}
    covered = [tags[n] for n in sorted(tags) if n in hit]
    return covered, [tags[n] for n in sorted(tags) if n not in hit]


def expectations(text):
    covered, infeasible = brute_force(text)
    return "".join(
        f"// expect: {what} {' '.join(tags)}\n"
        for what, tags in (("covered", covered), ("infeasible", infeasible))
        if tags
    )


class Writer:
    """Writes a random program: small arithmetic, branches, a loop, and labels everywhere."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.labels = 0

    def value(self, depth, wild):
        pick = self.random.random()
        if depth == 0 or pick < 0.25:
            return self.random.choice(["a", "b", "x", "y", str(self.random.randint(0, 9))])
        one, two = self.value(depth - 1, wild), self.value(depth - 1, wild)
        if wild and pick < 0.35:
            return f"({one} {self.random.choice('/%')} {two})"
        if wild and pick < 0.42:
            return f"TABLE({one})"
        if wild and pick < 0.5:
            return f"({self.condition(0, wild)} ? {one} : {two})"
        if wild and pick < 0.58:
            return f"steps({one}, {two})"
        return f"({one} {self.random.choice('+-*&|^')} {two})"

    def condition(self, depth, wild):
        if depth and self.random.random() < 0.4:
            one, two = self.condition(depth - 1, False), self.condition(depth - 1, False)
            return f"({one} {self.random.choice(['&&', '||'])} {two})"
        compare = self.random.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"{self.value(1 + depth, wild)} {compare} {self.value(1, wild)}"

    def label(self, indent):
        self.labels += 1
        n = self.labels
        return f'{indent}pc_label({self.condition(1, True)}, {n}, "l{n}");\n'

    def block(self, depth, indent):
        text = ""
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.4:
                text += self.label(indent)
            elif kind < 0.7 or depth == 0:
                text += f"{indent}{self.random.choice('xy')} = {self.value(2, False)};\n"
            else:
                text += f"{indent}if ({self.condition(1, False)}) {{\n"
                text += self.block(depth - 1, indent + "  ")
                if self.random.random() < 0.6:
                    text += f"{indent}}} else {{\n" + self.block(depth - 1, indent + "  ")
                text += indent + "}\n"
        return text

    def program(self):
        size = self.random.randint(3, 6)
        table = ", ".join(str(self.random.randint(0, 9)) for _ in range(size))
        step = self.random.randint(2, 60)
        text = '#include "labels.h"\n#include "labrys.h"\n\n'
        text += f"static int table[{size}] = {{{table}}};\n"
        text += "#ifndef BRUTE_FORCE\n#define TABLE(i) table[i]\n#endif\n\n"
        text += "static int steps(int n, int m) {\n  int count[2] = {0, m};\n"
        text += f"  while (n > 0 && count[0] < 6) {{\n    n -= {step};\n    count[0]++;\n  }}\n"
        text += "  return count[0] > 4 ? 10 / count[1] : count[0];\n}\n\n"
        text += 'int main(void) {\n  int a = labrys_uchar("a"), b = labrys_uchar("b");\n'
        text += "  int x = 0, y = 1;\n"
        text += self.block(2, "  ") + self.label("  ")
        text += f"  for (int i = 0; i < {self.random.randint(2, 3)}; i++) {{\n"
        text += f"    x = x + {self.value(1, False)} + i;\n"
        text += self.label("    ") + self.block(1, "    ") + "  }\n"
        text += self.block(1, "  ") + self.label("  ")
        text += '  labrys_output("x", &x, sizeof x);\n  return 0;\n}\n'
        return text


def main(arguments):
    if arguments[:1] == ["--random"]:
        for seed in arguments[1:]:
            text = "// Written by tests/oracle/labels.py --random.\n\n" + Writer(int(seed)).program()
            (FILES / f"random_{seed}.c").write_text(expectations(text) + text)
        return 0
    wrong = 0
    for name in arguments[arguments[:1] == ["--check"]:]:
        path = pathlib.Path(name)
        old = path.read_text()
        text = re.sub(r"(?m)^// expect: (covered|infeasible) .*\n", "", old)
        new = expectations(text) + text
        if arguments[0] != "--check":
            path.write_text(new)
        elif new != old:
            print(f"{name}: not what brute force finds", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
