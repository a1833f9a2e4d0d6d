#!/usr/bin/env python3
"""A row of Sakusen's suite: a Gaussian process of scikit-learn, asked where the expected
improvement is largest (J. Mockus, 1975; D. Jones, M. Schonlau and W. Welch, 1998).

    SAKUSEN_OPTIMISERS="Gaussian process=python3 examples/optimisers/sklearn_gp.py" ...

A number is a coordinate from 0 to 1, rounded as it is played; each letter of a choice has one of
its own. The noise of a point is its standard error. The answer is the largest mean of the model
among points that were played.
"""
import warnings

from row import Spent, need, place, run

try:
    import numpy as np
    from scipy.stats import norm
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern
except ImportError as e:
    need("scikit-learn", "apt install python3-sklearn, or pip install scikit-learn", e)

POINTS = 40  # of a study; the kernel is fitted anew every eighth
DRAWN = 1000  # candidates


def coordinates(space, values):
    out = []
    for p in space:
        v = values[p["name"]]
        if p["kind"] == "choice":
            out += [float(v == c) for c in p["choices"]]
        else:
            out.append(float(v) if p["kind"] == "bool" else place(p, v))
    return out


def search(study):
    chance = np.random.default_rng(study.seed)
    n = len(study.space)
    blocks = max(1, study.blocks // POINTS)
    played, x, y, noise = [], [], [], []
    model = None

    def play(values):
        score, error = study.play(values, blocks)
        played.append(values)
        x.append(coordinates(study.space, values))
        y.append(score)
        # A small sample's own error may be 0: half of what is usual is the least.
        noise.append(max(error, 0.175 / np.sqrt(blocks)) ** 2)

    def fit():
        kernel = ConstantKernel(0.01, (1e-3, 0.3)) * Matern([0.5] * len(x[0]), (0.05, 20), nu=2.5)
        anew = model is None or len(x) % 8 == 0  # from the start: an early fit may see noise alone
        if not anew:
            kernel = model.kernel_
        m = GaussianProcessRegressor(kernel, alpha=np.array(noise), optimizer="fmin_l_bfgs_b" if anew else None)
        return m.fit(np.array(x), np.array(y) - 0.5)

    try:
        play(study.values(study.baseline()))
        for u in chance.random((max(7, n), n)):
            play(study.values(u))
        while True:
            model = fit()
            means = model.predict(np.array(x))
            centre = [place(p, played[int(np.argmax(means))][p["name"]]) for p in study.space]
            near = np.clip(centre + chance.normal(0, 0.1, (DRAWN // 2, n)), 0, 1)
            candidates = [study.values(u) for u in np.vstack([near, chance.random((DRAWN // 2, n))])]
            mean, sd = model.predict(np.array([coordinates(study.space, v) for v in candidates]), return_std=True)
            sd = np.maximum(sd, 1e-9)
            z = (mean - means.max()) / sd
            play(candidates[int(np.argmax(sd * (z * norm.cdf(z) + norm.pdf(z))))])
    except Spent:
        return played[int(np.argmax(fit().predict(np.array(x))))]


warnings.simplefilter("ignore")
run(search)
