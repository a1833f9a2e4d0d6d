// Package tuner has the nouns of tuning: a study as plain data (Spec), with its game opened
// (Setup), its parameters (Space, Dimension), what is sought (Objective, Limit), a parameter
// set under judgement (Trial, Estimate), what samplers see (View) and are (Proposer), where a
// study is kept (Record, Trials, Blocks), and what it comes to (Result).
//
// Package tuner/study runs a study. Below stands tuner/entry, the format of the log; beside
// it tuner/insight, what a study tells its owner; above it tuner/studyfile, which reads YAML
// into a Setup, tuner/sampler and tuner/store, whose types are the interfaces declared here.
//
// A study cannot fool its owner: all candidates meet the same blocks, the winner meets the
// frozen baseline on seeds that no search has seen, and only the verdict of that validation
// opens export.
//
// Read in this order: spec.go, setup.go; space.go, point.go, distribution.go; objective.go,
// pareto.go; record.go, cachedhost.go, elsewhere.go; result.go, findings.go, progress.go.
package tuner
