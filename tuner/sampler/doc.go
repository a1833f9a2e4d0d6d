// Package sampler is the list of the proposers of parameter sets: their names,
// which spaces and options they refuse, and how each is made. Study files are read
// with it, and the tuner's loop asks what it makes.
//
// A proposer is given a view of the study, in which every told trial is complete
// and carries its shrunken mean, so that it learns from stopped trials too. What is
// proposed is a function of (seed, number of the draw, view) alone; those that keep
// a state say so (tuner.Stateful). So a resumed study goes on as if it had never
// stopped.
//
//	p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
//	values, ok, err := p.Propose(view, draw)
//
// Reading order: kinds.go is the list; classic has the samplers of the literature (uniform,
// quasi, grid, spsa, jgg, tpe). surface climbs by pairs, and answers with a point between the
// end of the climb and the top of a model of all games (docs/search.md). goptuna holds
// goptuna's own samplers (goptuna-random, goptuna-tpe, goptuna-cmaes), which are baselines to
// measure against (docs/research/optimisers.md sets them side by side). What several algorithms
// share is in shared.
package sampler
