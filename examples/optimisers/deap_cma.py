#!/usr/bin/env python3
"""A row of Sakusen's suite: DEAP's CMA-ES (N. Hansen, 2001), from the baseline.

    SAKUSEN_OPTIMISERS="CMA-ES of DEAP=python3 examples/optimisers/deap_cma.py" ...

Choices are parts of a range. It has DEAP's defaults, 20 generations, and answers with its centre.
"""
from row import Spent, need, run

try:
    import numpy
    from deap import base, cma, creator
except ImportError as e:
    need("DEAP", "apt install python3-deap, or pip install deap", e)


def search(study):
    numpy.random.seed(study.seed)  # from which DEAP draws
    creator.create("Score", base.Fitness, weights=(1.0,))
    creator.create("Point", list, fitness=creator.Score)
    strategy = cma.Strategy(centroid=study.baseline(), sigma=0.25)
    blocks = max(1, study.blocks // (strategy.lambda_ * 20))
    try:
        while True:
            points = strategy.generate(creator.Point)
            for p in points:
                p.fitness.values = (study.play(study.values(p), blocks)[0],)
            strategy.update(points)
    except Spent:
        return study.values(strategy.centroid)


run(search)
