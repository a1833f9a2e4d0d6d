#!/usr/bin/env python3
"""A row of Sakusen's suite: SciPy's differential evolution (R. Storn and K. Price, 1997).

    SAKUSEN_OPTIMISERS="differential evolution=python3 examples/optimisers/scipy_de.py" ...

Choices are parts of a range. It looks at about 60 points, and answers with its best.
"""
from row import Spent, need, run

try:
    from scipy.optimize import differential_evolution
except ImportError as e:
    need("SciPy", "apt install python3-scipy, or pip install scipy", e)

POINTS = 60


def search(study):
    n = len(study.space)
    each = max(2, round(8 / n))  # points of a generation for each parameter
    generation = max(5, each * n)
    blocks = max(1, study.blocks // POINTS)
    best = [-1.0, study.baseline()]  # should the games end first

    def loss(u):
        score = study.play(study.values(u), blocks)[0]
        if score > best[0]:
            best[:] = [score, list(u)]
        return -score

    try:
        found = differential_evolution(loss, [(0, 1)] * n, seed=study.seed, popsize=each, maxiter=max(1, POINTS // generation - 1),
                                       tol=0, polish=False, init="latinhypercube", x0=study.baseline())
    except Spent:
        return study.values(best[1])
    return study.values(found.x)


run(search)
