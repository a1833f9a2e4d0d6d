#!/usr/bin/env python3
"""A row of Sakusen's suite: nevergrad. Written from its documentation; it has not been run with
the package itself, which was not to be had where the others were measured.

    SAKUSEN_OPTIMISERS="nevergrad=python3 examples/optimisers/nevergrad_row.py NGOpt" ...

The argument is an optimiser of its registry. It looks at 250 points, and answers with its
recommendation.
"""
import sys

from row import Spent, need, run

try:
    import nevergrad as ng
except ImportError as e:
    need("nevergrad", "pip install nevergrad", e)

POINTS = 250


def parameter(p):
    if p["kind"] == "bool":
        return ng.p.Choice([False, True])
    if p["kind"] == "choice":
        return ng.p.Choice(p["choices"])
    return ng.p.Scalar(init=0.5, lower=0, upper=1)  # a place of its range


def search(study):
    numbers = {p["name"] for p in study.space if p["kind"] in ("int", "float")}

    def played(given):
        places = study.values([given[p["name"]] if p["name"] in numbers else 0 for p in study.space])
        return {name: places[name] if name in numbers else v for name, v in given.items()}

    space = ng.p.Dict(**{p["name"]: parameter(p) for p in study.space})
    space.random_state.seed(study.seed)
    optimiser = ng.optimizers.registry[sys.argv[1] if len(sys.argv) > 1 else "NGOpt"](parametrization=space, budget=POINTS)
    blocks = max(1, study.blocks // POINTS)
    try:
        for _ in range(POINTS):
            x = optimiser.ask()
            optimiser.tell(x, -study.play(played(x.value), blocks)[0])
    except Spent:
        pass
    return played(optimiser.provide_recommendation().value)


run(search)
