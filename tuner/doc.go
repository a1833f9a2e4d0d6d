// Package tuner has the nouns of tuning: a study as plain data (Spec) and with its game opened
// (Setup), its parameters (Space, Dimension), and what is sought (Objective, Limit). A
// parameter set that is judged is a Trial with an Estimate; samplers (Proposer) see a View; a
// study is kept in Record, Trials and Blocks, and ends in a Result.
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
