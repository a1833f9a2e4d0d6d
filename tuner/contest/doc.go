// Package contest plays entrants against each other, as a match or as a tournament. A match
// has a number of blocks, or goes on until a sequential test of the first entrant's strength
// is decided. A test of a patch is matches at one limit after the other.
//
// Place in the flow: the commands match, play and bench gate make a [Match] of
// their flags, have it played by a host, and print its [Report].
//
// For example
//
//	m, err := contest.NewMatch(game, nil, []string{"MP70", "CB"}, 1, 1000)
//	err = m.Play(ctx, arena.NewPool(2))
//	report, err := m.Report()
//
// A test looks at the same blocks however the host cuts the series into runs,
// so the result does not depend on the number of workers.
//
// A tournament plays round robins and gauntlets from a file and adds them
// up: a crosstable, ratings, and every ordering of every pairing seat by seat,
// which is what the tables of papers print.
//
// Place in the flow:
//
//	FILE --ReadTournament--> Tournament --Play(Host)--> TournamentResult --> `tournament`
//	                                      +-----Measure--> tuner/contest/experiment
//
// For example
//
//	version: 1
//	name: small
//	game: battleship
//	entrants: [R, RNB, {name: mine, strategy: mp, params: [{name: start_squares, value: 80}]}]
//	format: round_robin
//	selfplay: true       # each entrant against itself too
//	blocks: 1000         # of each pairing
//	seed: 1
//
// is read and played by
//
//	file, err := contest.ReadTournament("small.yaml", text, games)
//	result, err := file.Play(ctx, contest.TournamentOptions{Host: arena.NewPool(2)})
//
// A pairing is a series of blocks: each block is played in every rotation of
// the seats, so that the orderings "R - RNB" and "RNB - R" come out of the same
// blocks. An entrant against itself is a mirror, one game a block. Every
// pairing has a seed of its own, made of the file's seed and its entrants:
// pairings are independent, which the errors of averages and ratings rest on,
// and a pairing that another file plays too is the same series.
//
// Ratings are those of R. A. Bradley and M. E. Terry (1952). Their errors do
// not take games for independent: the covariance is H^-1 G H^-1, with H the
// information of the fit and G the variance of its gradient over blocks
// (P. J. Huber 1967, the "sandwich").
//
// Reading order: match.go (a match, and how it is played), report.go (its numbers). Then
// tournament.go (a tournament, and how it is played), file.go (its file is read), measure.go
// (what tables print of it), ratings.go (crosstable and ratings). Last patchfile.go (a test of
// a patch: matches in stages, and how its file is read) and patch.go (how it is played, and its
// report).
package contest
