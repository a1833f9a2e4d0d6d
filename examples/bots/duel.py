"""A contest bot with its own referee, started once for each game:

    python3 duel.py SEED PARAMS PARAMS

prints {"ranks": [1, 2]} where the first wins. How strong a bot is depends on two
parameters; the best lie where the secret of the environment variable DUEL_SECRET
puts them. A bot's rating falls with the squared distance from there.
"""
import json
import math
import os
import random
import sys


def top():
    """The best parameters: u and k."""
    place = random.Random("secret " + os.environ.get("DUEL_SECRET", "0"))
    return place.uniform(0.2, 0.8), place.randint(6, 25)


def rating(params):
    """Elo above the top, so never positive."""
    u, k = top()
    return -600 * (params["u"] - u) ** 2 - 600 * ((params["k"] - k) / 29) ** 2


def play(seed, first, second):
    """Who wins, as ranks: 1 is best."""
    chance = 1 / (1 + 10 ** ((rating(second) - rating(first)) / 400))
    return [1, 2] if random.Random(str(seed)).random() < chance else [2, 1]


if __name__ == "__main__":
    seed, first, second = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
    print(json.dumps({"ranks": play(seed, first, second)}))
