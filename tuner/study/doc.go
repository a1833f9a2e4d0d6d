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
// Read in this order: study.go (Open, Run and the loop), log.go (step), judge.go (the three ways
// to judge a batch: rungs.go, duels.go, pool.go), ask.go and sampler.go (the next batch),
// search.go (what the search has seen), games.go (blocks are played). Then choose.go (the
// winner), proof.go with proofscore.go and proofmetric.go (its validation), after.go (what is
// played after a pass), result.go. grow.go and searched.go are about studies that go on after a
// verdict, or begin with the games of another one.
//
// Why it is so:
//
//   - Trials of duels and of fresh blocks are too short to rank. The answer is the optimum of
//     the sampler's model and goes straight to validation; such studies have no final and no
//     incumbent.
//   - Batches on the same few blocks would teach a model those blocks. With race.blocks fresh
//     each batch meets blocks of its own.
//   - A generation of a pool plays itself, so its values hold inside it only. Its final is the
//     best of pools spread over the search, or whom the sampler names ([tuner.AttrDelegate]).
//   - The seeds of a validation derive from the number of its attempt: the same study in a
//     database with earlier attempts has another digest.
//   - What is measured relative to the baseline is so on paired blocks: the baseline plays the
//     candidate's series once for all candidates.
//   - A winner whose metric lies outside its limits on the validation's blocks has failed.
//     Samplers are told that candidates outside are no better than the worst inside.
//   - The test against the incumbent stops trials only. That one is ahead is decided on blocks
//     that chose no answer.
//   - A validation whose first 16 blocks or more are the same games has one block: undecided.
//   - A parameter set that is proposed again adds no trial; it extends the blocks of the first.
//
// Sources: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits"
// (2013), for sequential halving; Jennison and Turnbull, "Group Sequential Methods" (2000),
// and Kim and DeMets (1987) for the test that validates.
package study
