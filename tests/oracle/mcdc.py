"""Which conditions have an MC/DC pair when every input is run, without any Labrys code.

The vectors that were executed and the unique-cause pairs are those of `llvm-cov show --show-mcdc`.
llvm-cov knows no masking: those pairs are worked out here, from its vectors and the source text.
"""

import itertools
import re
from dataclasses import dataclass

from branches import COV, OracleError, run

REGION = re.compile(r"MC/DC Decision Region \((\d+):(\d+)\) to \((\d+):(\d+)\)")
CONDITION = re.compile(r"Condition C(\d+) --> \((\d+):(\d+)\)")
VECTOR = re.compile(r"\{ (.*?)\s+= ([TF])\s+\}")
PAIR = re.compile(r"C(\d+)-Pair: (covered|not covered|constant folded)")


@dataclass
class Decision:
    start: tuple
    end: tuple
    conditions: list
    vectors: list
    unique: list

    def is_plain(self):
        """Whether all conditions stand where the decision does, not in a macro."""
        inside = all(self.start <= place < self.end for place in self.conditions)
        return inside and self.conditions == sorted(self.conditions)


def is_in_macro(lines, line):
    """Whether a line belongs to a #define."""
    while line > 1 and lines[line - 2].endswith("\\"):
        line -= 1
    return re.match(r"\s*#", lines[line - 1]) is not None


def decisions(program, profile, source):
    """All decisions that llvm-cov counts, in order."""
    text = run([COV, "show", program, f"-instr-profile={profile}", "--show-mcdc", source]).stdout
    found = []
    for part in text.split("|---> MC/DC Decision Region")[1:]:
        part = "MC/DC Decision Region" + part.split("------------------")[0]
        numbers = [int(n) for n in REGION.search(part).groups()]
        places = [(int(line), int(column)) for _, line, column in CONDITION.findall(part)]
        vectors = [(v.replace(" ", "").split(","), r) for v, r in VECTOR.findall(part)]
        unique = [what for _, what in PAIR.findall(part)]
        if len(unique) != len(places):
            raise OracleError(f"unreadable decision: {part}")
        found.append(Decision(tuple(numbers[:2]), tuple(numbers[2:]), places, vectors, unique))
    return sorted(found, key=lambda d: d.start)


def slice_of(lines, start, end):
    (line, column), (end_line, end_column) = start, end
    if line == end_line:
        return lines[line - 1][column - 1:end_column - 1]
    middle = lines[line:end_line - 1]
    return "\n".join([lines[line - 1][column - 1:], *middle, lines[end_line - 1][:end_column - 1]])


def split_at(text, operator):
    """The parts of `text` between an operator that stands outside of all brackets."""
    parts, depth, begin, at = [], 0, 0, 0
    while at < len(text):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 and text.startswith(operator, at):
            parts.append(text[begin:at])
            at += len(operator)
            begin = at
            continue
        at += 1
    return [*parts, text[begin:]]


def is_wrapped(text):
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return letter == ")" and at == len(text) - 1
    return False


def parse(text, leaves):
    """('or' | 'and', parts), ('not', part) or a leaf's number; leaves are counted left to right."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S).strip()
    for operator, name in (("||", "or"), ("&&", "and")):
        parts = split_at(text, operator)
        if len(parts) > 1:
            return (name, [parse(part, leaves) for part in parts])
    if is_wrapped(text):
        inside = text[1:-1]
        if len(split_at(inside, "?")) == 1 and len(split_at(inside, ",")) == 1:
            return parse(inside, leaves)
    elif text.startswith("!") and is_logical(text[1:].strip()):
        return ("not", [parse(text[1:], leaves)])
    leaves.append(text)
    return len(leaves) - 1


def is_logical(text):
    while text.startswith("!"):
        text = text[1:].strip()
    return is_wrapped(text) and isinstance(parse(text, []), tuple)


def value(tree, assignment):
    if isinstance(tree, int):
        return assignment[tree]
    name, parts = tree
    values = [value(part, assignment) for part in parts]
    return {"or": any, "and": all, "not": lambda v: not v[0]}[name](values)


def decides(tree, vector, index, constants):
    """Whether flipping a condition flips the result, for some values of those not evaluated.

    `constants` are the values of the conditions that have no other."""
    vector = [constants.get(i, v) for i, v in enumerate(vector)]
    free = [i for i, v in enumerate(vector) if v == "-"]
    for values in itertools.product([False, True], repeat=len(free)):
        assignment = [v == "T" for v in vector]
        for place, v in zip(free, values):
            assignment[place] = v
        flipped = [*assignment]
        flipped[index] = not flipped[index]
        if value(tree, assignment) != value(tree, flipped):
            return True
    return False


def verdict(decision, lines):
    """One letter a condition: U unique-cause pair, M only a masking pair, - none, c constant."""
    leaves = []
    tree = parse(slice_of(lines, decision.start, decision.end), leaves)
    if len(leaves) != len(decision.conditions):
        raise OracleError(f"{decision.start}: {len(leaves)} conditions read, not "
                          f"{len(decision.conditions)}")
    constants = {i: "T" if int(leaves[i], 0) else "F"
                 for i, unique in enumerate(decision.unique) if unique == "constant folded"}
    letters = ""
    for index, unique in enumerate(decision.unique):
        halves = {vector[index] for vector, _ in decision.vectors
                  if vector[index] != "-" and decides(tree, vector, index, constants)}
        if unique == "constant folded":
            letters += "c"
        elif unique == "covered":
            if halves != {"T", "F"}:
                raise OracleError(f"{decision.start}: a unique-cause pair that is no masking pair")
            letters += "U"
        else:
            letters += "M" if halves == {"T", "F"} else "-"
    return letters


def expectations(program, profile, source):
    """(line, column, letters) of each decision; the place is that of its first condition that is
    no constant."""
    lines = source.read_text().splitlines()
    found = []
    for decision in decisions(program, profile, source):
        if decision.is_plain() and not is_in_macro(lines, decision.start[0]):
            letters = verdict(decision, lines)
            first = len(letters) - len(letters.lstrip("c"))
            if first < len(letters):
                found.append((*decision.conditions[first], letters))
    return found
