// Package tuner is what tuning is: a spec, the trials and how they are judged,
// and the loop that joins them. Its neighbours are adapters behind small
// interfaces declared here: Proposer (tuner/sampler), Record and Blocks
// (tuner/store), arena.Host (a pool). Below it stands tuner/entry, the format of
// the log; above it tuner/studyfile, which reads YAML into a Setup, and
// tuner/insight/chronicle, which people look at.
//
// The flow of a study:
//
//	study file --studyfile.Read--> Setup --Open--> Study
//	database ------ParseSpec, Prepare--^
//	Study.Run: ask a batch -> race it on rungs of shared blocks -> tell it
//	           -> incumbent -> ... -> final on new seeds -> validation -> Result
//
// Where the file says evaluate, a batch is a pool that plays itself instead of
// being raced: ask -> pool (play, judge, tell in one entry) -> incumbent.
//
// Or it has pairs of trials meet each other (duel). Where the sampler answers
// with a model, the answer takes the final's place. With a flight of several
// batches the next ones are asked for, and begin to play, before the first is told.
//
// A study is an append-only log. The loop is written as if nothing had ever
// happened: every step first looks for its entry in the log and only where
// there is none does the work and appends it. Resuming is therefore running,
// and a killed study ends exactly as an uninterrupted one.
//
// A study cannot fool its owner: all candidates meet the same blocks, the
// winner meets the frozen baseline on seeds that no search has seen, and only
// the verdict of that validation opens export. Sources: Karnin, Koren and
// Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013), for
// sequential halving; Jennison and Turnbull, "Group Sequential Methods" (2000),
// and Kim and DeMets (1987) for the test that validates.
package tuner
