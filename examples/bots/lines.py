"""The bot of duel.py as a program that keeps running and answers requests in JSON Lines."""
import json
import sys

import duel

PARAMS = [
    {"name": "u", "kind": "float", "low": 0, "high": 1, "default": 0.5},
    {"name": "k", "kind": "int", "low": 1, "high": 30, "default": 10},
]

for line in sys.stdin:
    ask = json.loads(line)
    if ask["do"] == "quit":
        break
    answer = {"id": ask["id"]}
    if ask["do"] == "hello":
        answer |= {"protocol": 1, "name": "duel", "version": "1", "role": "match", "deterministic": True, "params": PARAMS}
    elif ask["do"] == "play":
        first, second = (player["params"] for player in ask["players"])
        answer["ranks"] = duel.play(ask["seed"], first, second)
    else:
        answer["error"] = "unknown request " + ask["do"]
    print(json.dumps(answer), flush=True)
