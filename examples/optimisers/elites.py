#!/usr/bin/env python3
"""A row of Sakusen's suite: the cross-entropy method (R. Rubinstein, 1999).

    SAKUSEN_OPTIMISERS="elites=python3 examples/optimisers/elites.py" \\
        sakusen paper experiment run tuners --games 2 --keep tuners.jsonl

It reads and writes one JSON object a line; docs/research/laboratory.md has the protocol.
Replace search() by any optimiser that can be asked and told.
"""
import json
import math
import random
import sys


def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def say(**words):
    print(json.dumps(words), flush=True)


def played(p, u):
    """The value of a parameter at a place u of its range, 0 to 1."""
    if p["kind"] == "bool":
        return u >= 0.5
    if p["kind"] == "choice":
        return p["choices"][min(int(u * len(p["choices"])), len(p["choices"]) - 1)]
    low, high = p["low"], p["high"]
    x = low * (high / low) ** u if p.get("log") else low + u * (high - low)
    if p["kind"] == "int":
        x = round(x)
    if p.get("step"):
        x = low + p["step"] * round((x - low) / p["step"])
    x = min(max(x, low), high)
    return int(x) if p["kind"] == "int" else x


def search(space, games, block, chance):
    """Rounds of 32 points drawn about a mean; the best quarter make the next mean."""
    n, rounds = 32, 12
    blocks = max(1, games // (n * rounds * block))
    mean, width = [0.5] * len(space), [0.3] * len(space)
    left = games
    while left >= n * blocks * block:
        seen = []
        for _ in range(n):
            u = [min(max(chance.gauss(m, w), 0), 1) for m, w in zip(mean, width)]
            say(ask={p["name"]: played(p, x) for p, x in zip(space, u)}, blocks=blocks)
            told = hear()
            seen.append((told["score"], u))
            left = told["games_left"]
        seen.sort(key=lambda s: -s[0])
        elite = [u for _, u in seen[: n // 4]]
        for i in range(len(space)):
            m = sum(u[i] for u in elite) / len(elite)
            w = math.sqrt(sum((u[i] - m) ** 2 for u in elite) / len(elite))
            mean[i] += 0.5 * (m - mean[i])
            width[i] = max(0.03, width[i] + 0.5 * (w - width[i]))
    return {p["name"]: played(p, m) for p, m in zip(space, mean)}


start = hear()
say(answer=search(start["space"], start["games"], start["games_of_a_block"], random.Random(start["seed"])))
