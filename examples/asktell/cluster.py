#!/usr/bin/env python3
"""A cluster in 60 lines: asks Sakusen for games, plays them, tells the results.

    python3 cluster.py sakusen bot.yaml study.db

The game stands for yours: two bots, each as strong as its parameters are near an
optimum that Sakusen does not know. Replace play() by a call of your own program.
"""
import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sakusen, study, database = sys.argv[1:4]
NAME = "asktell-bot"  # as the study file says


def run(*arguments, text=""):
    """Runs sakusen and returns its exit code and its lines."""
    done = subprocess.run([sakusen, *arguments, "--db", database, "--quiet"], input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3, 4):
        sys.exit(done.stderr)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def strength(params):
    """In Elo: an optimum that the search has to find, and a program without parameters."""
    if not params:
        return -50
    return -300 * (params["aim"] - 0.7) ** 2 - 4 * (params["depth"] - 6) ** 2


def play(seed, players):
    """Plays one game; players are the parameters, by seat."""
    gap = strength(players[0]) - strength(players[1])
    chance = 1 / (1 + 10 ** (-gap / 400))
    first = random.Random(f"{seed} {players}").random() < chance
    return {"ranks": [1, 2] if first else [2, 1]}


def answer(job):
    """Plays one block of an ask: every game of it, in the order asked for."""
    ask, block = job
    params = [entrant["params"] for entrant in ask["entrants"]]
    games = [play(block["seed"], [params[e] for e in seats]) for seats in ask["games"]]
    return {"ask": ask["ask"], "block": block["block"], "params": params, "games": games, "worker": "cluster.py"}


target = study  # the file begins the study; later its name will do
with ThreadPoolExecutor() as machines:
    while True:
        code, asks = run("study", "ask", target, "--n", "64", "--blocks", "64", "--again")
        target = NAME
        if asks and "done" in asks[-1]:
            print(json.dumps(asks[-1]["done"]["validation"]))
            sys.exit(code)
        told = machines.map(answer, [(ask, block) for ask in asks for block in ask["blocks"]])
        run("study", "tell", NAME, text="\n".join(map(json.dumps, told)))
