// Package laboratory is how searches are measured: synthetic games whose answer is known.
// A player is a point in a space of parameters, its strength is its height in a landscape
// whose top was planted, and a game is one draw of chance from the difference in
// strength. What a search exports can be held against the truth, and so can
// every interval and error rate of the tuner.
//
// The rules set the experiment: how many parameters of which kinds, how many Elo the top lies
// above the default parameters (the headroom). Further rules set the landscape's form, draws,
// the first seat's advantage, how far blocks are common chance, a cyclic part in the pairing.
// The option landscape_seed draws where the top lies. The landscapes drawn-KIND are drawn whole
// of it, with parameters, players and chance: without end, so that a search can be chosen on
// some of it and judged on other.
//
//	rules, _ := laboratory.Open(param.Values{{Name: "dimensions", Text: "4"}})
//	top := rules.Top()                       // the planted optimum
//	rules.Elo(rules.Player(top))             // its headroom, 60 Elo
//
// A drawn landscape is a sum of terms, each of which loses nothing at the top and
// something anywhere else, so that the top is the highest place whatever was drawn. A kind
// is a row of a table: how many numbers on which scales, the forms of the terms, the
// choices, the table of players.
//
// The strategy is point, of strategies/laboratory: its parameters are the
// coordinates. docs/research/laboratory.md has every formula.
//
// Source: ours. Games are those of Bradley and Terry (1952) and, for more seats,
// of Luce (1959); the landscapes' forms are those of the test functions of
// Rastrigin (1974) and of Hansen et al., Real-parameter black-box optimization
// benchmarking (2009).
//
// Files in reading order: rules.go (the options, and how a game is decided), land.go (a landscape, and
// the planted ones), kinds.go, draw.go and forms.go (the drawn ones), player.go (where a point stands).
package laboratory
