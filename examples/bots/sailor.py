"""A player of Battleship that is asked for its moves in JSON Lines.

It shoots beside ships that it has hit, else at squares of one colour of a checkerboard,
or anywhere: the parameter stripes says in how many of a hundred shots it keeps to them.
"""
import json
import random
import sys

PARAMS = [{"name": "stripes", "kind": "int", "low": 0, "high": 100, "default": 0}]


def place(ask, dice):
    """Put each ship where it fits, at random."""
    taken, ships = set(), []
    while len(ships) < len(ask["ships"]):
        length, vertical = ask["ships"][len(ships)]["length"], dice.random() < 0.5
        x, y = dice.randrange(ask["width"]), dice.randrange(ask["height"])
        cells = {(x, y + i) if vertical else (x + i, y) for i in range(length)}
        if max(a for a, _ in cells) < ask["width"] and max(b for _, b in cells) < ask["height"] and not cells & taken:
            taken |= cells
            ships.append({"at": name(x, y), "vertical": vertical})
    return ships


def shoot(ask, dice):
    """A square that was not shot before."""
    free = {square(text) for text in ask["open"]}
    near = sorted(free & {(x + i, y + j) for x, y in map(square, ask["hits"]) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))})
    striped = sorted((x, y) for x, y in free if (x + y) % 2)
    choice = near or (dice.randrange(100) < ask["params"]["stripes"] and striped) or sorted(free)
    return name(*dice.choice(choice))


def name(x, y):
    return f"{chr(97 + x)}{y + 1}"


def square(text):
    return ord(text[0]) - 97, int(text[1:]) - 1


for line in sys.stdin:
    ask = json.loads(line)
    answer = {"id": ask.get("id")}
    if ask["do"] == "quit":
        break
    if ask["do"] == "hello":
        answer |= {"protocol": 1, "name": "sailor", "version": "1", "role": "player", "game": "battleship", "deterministic": True, "params": PARAMS}
    else:
        dice = random.Random(f"{ask['seed']} {len(ask.get('open', []))}")
        answer |= {"ships": place(ask, dice)} if ask["do"] == "place" else {"at": shoot(ask, dice)}
    print(json.dumps(answer), flush=True)
