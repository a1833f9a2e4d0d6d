// Package sampler holds the proposers of parameter sets, each a Goptuna
// sampler, and the one place where Goptuna is asked for a proposal.
//
// A proposal is made against a view of the study, a goptuna.Storage in memory
// in which every told trial is complete and carries its shrunken mean, so that
// a sampler learns from stopped trials too. What is proposed is a function of
// (seed, trial number, view) alone: a resumed study goes on as if it had never
// stopped.
//
//	p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
//	values, ok, err := p.Propose(view, trial)
//
// Ours: surface (a response surface, whose answer is its maximum; docs/searches.md), uniform, quasi (scrambled Halton: A. Owen, "A randomized Halton
// algorithm in R", 2017, by way of gonum), grid, and jgg (Just Generation Gap
// with REX-star: S. Kobayashi, "The frontiers of real-coded genetic algorithms",
// 2009), whose batches end where a generation's stage does, tpe (a multivariate Parzen
// estimator: Bergstra et al. 2011; Falkner, Klein and Hutter 2018), cmaes (Hansen,
// 2016; margins: Hamano et al. 2022) and spsa (Spall 1992, with fishtest's
// schedule); docs/optimisers.md sets them beside goptuna's. Goptuna's own samplers
// (goptuna-random, goptuna-tpe, goptuna-cmaes) are baselines to measure
// against: they draw from the process-wide math/rand, so they are seeded and
// asked under one lock.
//
// The racing rules are here as Goptuna pruners too (HalvingPruner,
// FriedmanPruner, ChallengePruner), for trials that plain Goptuna runs:
//
//	study, err := goptuna.CreateStudy("mine",
//		goptuna.StudyOptionPruner(sampler.ChallengePruner{Alpha: 0.05, Blocks: 128}))
package sampler
