"""Measures anew what a study says its parameters are worth: the answer of a study that
passed plays against itself with one parameter set back, in matches of their own.

    sakusen tune battleship.yaml
    python3 worth.py worth-battleship 2000        # blocks of each match
"""

import json
import shutil
import subprocess
import sys

SAKUSEN = shutil.which("sakusen") or sys.exit("sakusen is not on the PATH")


def run(*args):
    done = subprocess.run([SAKUSEN, *args, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def entrant(strategy, values):
    return strategy + "(" + ",".join(f"{json.dumps(k) if ' ' in k else k}={v}" for k, v in values.items()) + ")"


def main(study, blocks):
    shown = run("study", "show", study)
    spec, result = shown["spec"], shown["result"]
    strategy = spec["tune"]["strategy"]
    answer = {v["name"]: v["value"] for v in spec["tune"]["fix"] or []} | result["best"]["params"]
    games = {g["name"]: g for g in run("game", "list")["games"]}
    others = games[spec["game"]]["seats"] - 1
    rules = [f"--rules={v['name']}={v['value']}" for v in spec["rules"]]
    for row in result.get("set_back", []):
        back = {k: v for k, v in answer.items() if k not in row["parameters"]} | (row.get("to") or {})
        match = run("match", spec["game"], entrant(strategy, answer), *[entrant(strategy, back)] * others, *rules, "--blocks", blocks, "--seed", "77")
        told, own = [row.get("elo_lost"), *(row.get("ci95") or [])], match["entrants"][0]
        measured = [own["elo"], *(own["elo_ci95"] or [])]
        print(", ".join(row["parameters"]), *(f"{x:.0f}" for x in told), "| by a match of its own", *(f"{x:.0f}" for x in measured))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1000")
