"""A program that speaks UGI and knows the rules of its game.

Players take 1 to 3 stones in turn; taking the last stone wins.

A position is "STONES SALT"; the salt only makes games differ. The option Care is the
percentage of positions in which the program thinks. python3 stones.py book prints openings.
"""
import hashlib
import sys

care, stones, salt, first = 50, 37, 0, True


def place(words):
    """Read the words after "position"."""
    global stones, salt, first
    stones, salt, first = 37, 0, True
    if words[0] == "fen":
        stones, salt = int(words[1]), int(words[2])
    for move in words[words.index("moves") + 1:] if "moves" in words else []:
        stones, first = stones - int(move), not first


def choose():
    """Leave a multiple of 4 if the program thinks here, else take a random number."""
    drawn = int(hashlib.sha256(f"{stones} {salt}".encode()).hexdigest(), 16)
    if drawn % 100 < care and stones % 4:
        return stones % 4
    return min(stones, 1 + drawn // 100 % 3)


def answer(words):
    """What to print for a line."""
    global care
    if words[0] == "ugi":
        return "id name Stones\noption name Care type spin default 50 min 0 max 100\nugiok"
    if words[0] == "isready":
        return "readyok"
    if words[:3] == ["setoption", "name", "Care"]:
        care = int(words[4])
    if words[0] == "position":
        place(words[1:])
    if words[0] == "go":
        return f"bestmove {choose()}"
    if words[0] == "query":
        result = "none" if stones else "p2win" if first else "p1win"
        return "response " + {"gameover": str(stones == 0).lower(), "p1turn": str(first).lower(), "result": result}[words[1]]


if sys.argv[1:] == ["book"]:
    print("\n".join(f"fen {20 + n % 21} {n}" for n in range(2000)))
    sys.exit()
for line in sys.stdin:
    if line.split()[:1] == ["quit"]:
        break
    said = answer(line.split()) if line.split() else None
    if said:
        print(said, flush=True)
