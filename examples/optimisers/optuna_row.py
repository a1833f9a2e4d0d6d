#!/usr/bin/env python3
"""A row of Sakusen's suite: Optuna. Its answer is the best trial, as study.best_params has it.

    SAKUSEN_OPTIMISERS="optuna=python3 examples/optimisers/optuna_row.py tpe" ...

The argument is the sampler: tpe (Optuna's default), multivariate (TPE of all parameters
together), random or quasi. A trial has a fiftieth of the games, of more than 5 000 games a
hundredth.
"""
import sys
import warnings

from row import Spent, need, run

try:
    import optuna
except ImportError as e:
    need("Optuna", "apt install python3-optuna, or pip install optuna", e)


def suggested(trial, p):
    name, kind = p["name"], p["kind"]
    if kind == "bool":
        return trial.suggest_categorical(name, [False, True])
    if kind == "choice":
        return trial.suggest_categorical(name, p["choices"])
    if kind == "int":
        return trial.suggest_int(name, int(p["low"]), int(p["high"]), step=int(p.get("step") or 1), log=bool(p.get("log")))
    return trial.suggest_float(name, p["low"], p["high"], step=p.get("step") or None, log=bool(p.get("log")))


def search(study):
    samplers = {
        "tpe": lambda: optuna.samplers.TPESampler(seed=study.seed),
        "multivariate": lambda: optuna.samplers.TPESampler(seed=study.seed, multivariate=True),
        "random": lambda: optuna.samplers.RandomSampler(seed=study.seed),
        "quasi": lambda: optuna.samplers.QMCSampler(seed=study.seed, scramble=True),
    }
    name = sys.argv[1] if len(sys.argv) > 1 else "tpe"
    if name not in samplers:
        sys.exit(f"optuna_row.py: expected one of {', '.join(samplers)}, got {name}")
    found = optuna.create_study(direction="maximize", sampler=samplers[name]())
    trials = 50 if study.left <= 5000 else 100
    blocks = max(1, study.blocks // trials)
    try:
        while True:
            trial = found.ask()
            values = {p["name"]: suggested(trial, p) for p in study.space}
            found.tell(trial, study.play(values, blocks)[0])
    except Spent:
        return found.best_params


warnings.simplefilter("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)
run(search)
