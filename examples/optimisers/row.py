"""What the rows in this folder share: lines in and out, and parameters as numbers from 0 to 1.

A row calls run(search), where search(study) plays points by study.play(values, blocks) and
returns the values of its answer. docs/research/laboratory.md has the protocol.
"""
import json
import math
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one study is one core
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def need(package, how, error):
    """Ends a row whose package is missing."""
    sys.exit(f"{os.path.basename(sys.argv[0])} needs {package}: {how} ({error})")


def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def say(**words):
    print(json.dumps(words), flush=True)


class Spent(Exception):
    """There are fewer games left than a block has."""


class Study:
    """The games of one study."""

    def __init__(self, start):
        self.space, self.seed = start["space"], start["seed"]
        self.block, self.left = start["games_of_a_block"], start["games"]
        self.blocks = self.left // self.block  # of the whole study

    def play(self, values, blocks):
        """The share of the points, 0 to 1, and its standard error, of a point."""
        if self.left < self.block:
            raise Spent
        say(ask=values, blocks=blocks)
        told = hear()
        self.left = told["games_left"]
        return told["score"], told["standard_error"] or 0.35 / math.sqrt(told["blocks"])

    def values(self, u):
        """The values at a place of the unit cube."""
        return {p["name"]: value(p, x) for p, x in zip(self.space, u)}

    def baseline(self):
        """The baseline's place in the unit cube."""
        return [place(p, p["baseline"]) for p in self.space]


def value(p, u):
    """The value of a parameter at a place u of its range, 0 to 1."""
    u = min(max(float(u), 0), 1)
    if p["kind"] == "bool":
        return u >= 0.5
    if p["kind"] == "choice":
        return p["choices"][min(int(u * len(p["choices"])), len(p["choices"]) - 1)]
    low, high = p["low"], p["high"]
    x = low * (high / low) ** u if p.get("log") else low + u * (high - low)
    if p.get("step"):
        x = low + p["step"] * round((x - low) / p["step"])
    x = min(max(x, low), high)
    return int(round(x)) if p["kind"] == "int" else x


def place(p, v):
    """Where in its range, 0 to 1, a value is; the middle where it is none of the range."""
    if p["kind"] == "bool":
        return 0.75 if v else 0.25
    if p["kind"] == "choice":
        return (p["choices"].index(v) + 0.5) / len(p["choices"]) if v in p["choices"] else 0.5
    low, high = p["low"], p["high"]
    if v is None or high <= low:
        return 0.5
    u = math.log(v / low) / math.log(high / low) if p.get("log") else (v - low) / (high - low)
    return min(max(u, 0), 1)


def run(search):
    say(answer=search(Study(hear())))
