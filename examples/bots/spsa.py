#!/usr/bin/env python3
"""Another tuner's search beside Sakusen's: SPSA with the rule of weather-factory, its games by sakusen match.

    python3 spsa.py sakusen 15 "glau=glaurung" limit=depth:4

plays for 15 minutes with four weights of Debian's Glaurung, from detuned ones, and
then 200 games of what it has found against where it began.
"""
import json
import random
import subprocess
import sys
import time

sakusen, minutes, engine, limit = sys.argv[1:5]
LAST = int((sys.argv[5:] or ["200"])[0])  # games of the match at the end
NAME = engine.split("=")[0]
START = {"Mobility (Middle Game)": 0, "Mobility (Endgame)": 10, "Passed Pawns (Middle Game)": 10, "Passed Pawns (Endgame)": 0}
LOW, HIGH, STEP = 0, 200, 20  # of every weight
GAMES = 16  # of an iteration
A0, C0, STABILITY, ALPHA, GAMMA = 5, 1, 20, 0.602, 0.101


def entrant(weights):
    return NAME + "(" + ",".join(f'"{name}"={round(value)}' for name, value in weights.items()) + ")"


def match(first, second, games, seed):
    """Plays a match and returns the first entrant's part of the result, as sakusen prints it."""
    done = subprocess.run(
        [sakusen, "match", "chess", entrant(first), entrant(second), "--engine", engine, "--rules", limit, "--json", "--quiet",
         "--blocks", str(games // 2), "--seed", str(seed), "--workers", "1"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def moved(weights, signs, by):
    return {name: min(max(value + signs[name] * by, LOW), HIGH) for name, value in weights.items()}


chance, weights, k, begun = random.Random(1), dict(START), 0, time.monotonic()
while time.monotonic() - begun < 60 * float(minutes):
    k += 1
    a, c = A0 / (STABILITY + k) ** ALPHA, C0 / k**GAMMA
    signs = {name: chance.choice((-1, 1)) for name in START}
    result = match(moved(weights, signs, c * STEP), moved(weights, signs, -c * STEP), GAMES, 1000 + k)
    score = result["entrants"][0]["score"]  # of the points
    weights = moved(weights, signs, a * (2 * score - 1) / c * STEP)
    print(k * GAMES, f"{score:.3f}", entrant(weights), flush=True)
print(json.dumps(match(weights, START, LAST, 1)))
