// Package study runs a study: it asks the sampler for a batch of parameter sets, judges the
// batch by games, tells the sampler, and proves the winner against the baseline.
//
//	study file --studyfile.Read--> Setup --Open--> Study
//	database --ParseSpec, Prepare--^
//	Study.Run: ask -> judge -> tell -> ask ... -> answer -> prove -> Result
//
// A study is an append-only log. The loop is written as if nothing had ever happened: each
// step returns its entry of the log if there is one, and does the work and appends the entry
// only where the log ends. Resuming is therefore running, and a killed study ends exactly as
// an uninterrupted one.
//
// Read in this order: study.go (Open, Run and the loop), log.go (step), judge.go (the three
// ways to judge a batch: rungs.go, duels.go, pool.go), ask.go and sampler.go (the next
// batch), search.go (what the search has seen), games.go (blocks are played), choose.go (the
// winner), proof.go with proofscore.go and proofmetric.go (its validation), after.go (what
// is played after a pass), result.go. grow.go and searched.go are about studies that go on after
// a verdict, or begin with the games of another one.
//
// Sources: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits"
// (2013), for sequential halving; Jennison and Turnbull, "Group Sequential Methods" (2000),
// and Kim and DeMets (1987) for the test that validates.
package study
