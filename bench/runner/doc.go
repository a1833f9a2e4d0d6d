// Package runner is what benchmarks need of git and of the go command: where a
// run was measured, where its baseline may be, and the measurement itself, of
// two versions of any Go module beside each other.
//
// Flow of [Measure]: a git worktree for each commit, one test binary a package and side, built
// once with the same flags. Packages whose binaries are equal byte for byte are left out. After
// a warm-up round that is thrown away come the rounds. In each round every benchmark is run once
// on every side, in an order drawn at random and reversed in the next round (ABBA), so that a
// drift of the machine falls on all sides alike. The warm-up also tells what a benchmark costs
// outside of its timed part, by which its samples are planned. The old side runs twice, from two
// copies of one binary: their difference is the noise floor. A sample is made of slices of a
// millisecond, of which the twentieth counts, and of one long piece, which gives the mean and
// the processor time. Where perf can count instructions, it does so for N and for 2N iterations
// of each benchmark.
//
//	result, err := runner.Measure(ctx, runner.Options{Base: "main", Rounds: 10, Budget: 10 * time.Minute})
//	// result.Base, result.Head, result.Noise are benchmark text
//
// Reading order: repo.go, fork.go and branch.go (what git knows), checkout.go, outside.go
// and build.go (a side), equal.go (what cannot differ), measure.go, rounds.go, warm.go, cost.go and sample.go
// (rounds, what a benchmark costs, samples), journal.go, failure.go, also.go and profile.go. Then decide.go
// judges and measures until the gate is sure, lineup.go and bisect.go find the commit, why.go
// compares profiles.
//
// Source: measured before it was written, on one shared machine with one binary
// on both sides: one side after the other gave 16 false alarms in 32 trials,
// interleaved 0 in 32.
package runner
