"""Loads exports of trials with Optuna: the documents *.json and the database of a folder."""
import glob
import json
import os
import sys

import optuna
from optuna.distributions import json_to_distribution
from optuna.trial import TrialState, create_trial

optuna.logging.set_verbosity(optuna.logging.WARNING)
folder = sys.argv[1]


def load(path):
    with open(path) as f:
        trials = json.load(f)
    study = optuna.create_study(study_name=trials[0]["study_name"], directions=trials[0]["directions"])
    for t in trials:
        study.add_trial(create_trial(
            state=TrialState[t["state"]],
            value=t["value"],
            values=t.get("values"),
            params=t["params"],
            distributions={k: json_to_distribution(json.dumps(d)) for k, d in t["distributions"].items()},
            intermediate_values={int(k): v for k, v in t["intermediate_values"].items()},
            user_attrs=t["user_attrs"],
            system_attrs=t["system_attrs"],
        ))
    assert len(study.trials) == len(trials)
    return study


paths = sorted(glob.glob(os.path.join(folder, "*.json")))
studies = [load(p) for p in paths]
print("optuna", optuna.__version__, "loaded", len(studies), "documents")
first = next(s for p, s in zip(paths, studies) if p.endswith("/0.json"))
assert [t.number for t in first.best_trials] == [0], first.best_trials
if tuple(map(int, optuna.__version__.split(".")[:2])) >= (3, 2):
    for path in glob.glob(os.path.join(folder, "*.db")):
        url = "sqlite:///" + path
        for summary in optuna.get_all_study_summaries(url):
            study = optuna.load_study(study_name=summary.study_name, storage=url)
            print(study.study_name, [d.name for d in study.directions], study.metric_names, len(study.trials))
            for a, b in zip(study.trials, first.trials):
                assert (a.params, a.distributions, a.values, a.state, a.user_attrs, a.intermediate_values) == (
                    b.params, b.distributions, b.values, b.state, b.user_attrs, b.intermediate_values), (a, b)
            assert [t.number for t in study.best_trials] == [0]
            for sampler in optuna.samplers.TPESampler(seed=1), optuna.samplers.NSGAIISampler(seed=1):
                study.sampler = sampler
                trial = study.ask()
                for name, distribution in first.trials[0].distributions.items():
                    trial._suggest(name, distribution)
                study.tell(trial, [0.5] * len(study.directions))
