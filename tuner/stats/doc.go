// Package stats says how sure we are: it turns integer tallies of self-play
// into estimates, tests and rankings. It plays nothing, stores nothing and
// draws no random numbers; every function is pure.
//
// Its place in the flow: engines/arena plays blocks and counts them; this
// package judges the counts; tuner decides by its judgements which trial lives
// and whether the winner may be exported. Sub-package calc puts the same
// functions behind JSON lines (`sakusen calc stats`).
//
// The unit of everything is the block: one chance seed played once in every
// rotation of the seats. Games inside a block share their chance and are not
// independent; blocks are. A block's score is the mean over its games, in
// [0, 1], and takes finitely many values, so a [Blocks] is a histogram and its
// distribution a multinomial. Two seats make a block a pair of games and the
// histogram the pentanomial [LL, LD, DD+WL, WD, WW].
//
//	blocks := stats.Pentanomial([5]int64{20, 1334, 3810, 1569, 35})
//	test := stats.Test{
//		Hypotheses: stats.Hypotheses{Model: stats.Normalized, Elo0: 0, Elo1: 2},
//		Alpha:      0.05, Beta: 0.05, MaxBlocks: 100000,
//	}
//	result, err := test.Judge(blocks) // H1: log-likelihood ratio 2.95 >= 2.94
//
// Undefined results are a [Number] that is not Defined, never NaN or an
// infinity. Errors name the field and what was expected.
//
// Reading order: number.go (numbers that may be undefined, intervals), blocks.go (histograms of
// blocks, Elo, estimates), rare.go (the same where few blocks differ), mean.go (means of metrics, proportions, shrinkage). Tests: llr.go
// and sprt.go (a sequential test, and what it costs), unbiased.go (the estimate after it),
// group.go (a test with few looks), racing.go (which trials of a batch continue, and the levels
// of repeated attempts). Further: abilities.go (ratings), allpairs.go (races of all with all),
// paired.go (paired values, the worth of common blocks), slopes.go (regression), suspect.go (a
// worker against the others), pgn.go (games of a file).
//
// Sources: M. Van den Bergh, "The Generalized Sequential Probability Ratio
// Test" and "Normalized Elo" (notes for fishtest, 2017-2021); D. Siegmund,
// Sequential Analysis (1985); A. A. Tsiatis, G. L. Rosner, C. R. Mehta, "Exact
// confidence intervals following a group sequential test", Biometrics 40
// (1984); D. R. Hunter, "MM algorithms for generalized Bradley-Terry models",
// Annals of Statistics 32 (2004). docs/research/statistics.md has every formula with an
// example.
package stats
