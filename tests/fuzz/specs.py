"""Campaign files: keys, values and brackets that no one meant."""

import json

from attacks import NUMBERS, TEXTS, chosen, damaged, judged

from gatewalk.campaign import plan
from gatewalk.campaign.spec import parse

SPEC = """seed = 7
replications = 20
budget = 2_000
name = "some"
traces = false
[law]
ties = "coin"
[grid]
target = ["and:4", "xor:3"]
algorithm = ["cgp", "tgp-multi"]
nodes = ["n", "2n", 9]
selection = "strict"
n = ["2..5", 7]
mutation = ["sam", "point:2", "rate:0.1"]
training = ["complete", "sample:9"]
lambda = [1, 4]
gates = "and,or"
start = "random"
[grid.law]
starts = [1, 2]
"""
ODD = ("1979-05-27", "1.5", "nan", "inf", "true", "[]", "[[1]]", "{a = 1}", "0x10", "1_000", "'''x'''", "{}")


def attack(source):
    """Change a campaign's text, read it, and plan it."""
    text = SPEC
    if source.random() < 0.2:
        text = damaged(source, text.encode()).decode("utf-8", "replace")
    else:
        lines = text.splitlines()
        for _ in range(source.randint(1, 4)):
            _change(source, lines)
        text = "\n".join(lines)
    judged(lambda: plan(parse(text, "spec.toml")))


def _change(source, lines):
    at = source.randrange(len(lines))
    what = source.randrange(6)
    key, equals, _ = lines[at].partition("=")
    if what == 0:
        del lines[at]
        lines.append("")
    elif what == 1:
        lines.insert(source.randrange(len(lines)), lines[at])
    elif what == 2:
        lines[at] = chosen(source, ("[grid]", "[[grid]]", "[law]", "[grid.law]", "[x]", "x = 1", "grid = 1"))
    elif what == 3:
        depth = source.choice((3, 300, 3000))
        lines[at] = f"{key or 'x'}= {'[' * depth}{']' * depth}"
    elif equals:
        lines[at] = f"{key}= {_value(source)}"


def _value(source):
    what = source.randrange(4)
    if what == 0:
        return chosen(source, ODD)
    if what == 1:
        number = chosen(source, NUMBERS)
        return str(number) if abs(number) < 1e300 else "9" * source.choice((20, 4000, 5000))
    text = (
        json.dumps(chosen(source, TEXTS))
        if what == 2
        else f'"{chosen(source, ("and", "or:3", "n", "1..9", "x1 & x2", "x2 |", "no.py:f", "n^1.5"))}"'
    )
    return f"[{text}, {text}]" if source.random() < 0.3 else text
