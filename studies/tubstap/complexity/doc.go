// Package complexity measures what the paper on switching strategies by
// complexity says of TUBSTAP: how complex positions are in the course of a
// game, whether a player that switches beats M-UCT, at which threshold, and
// whether that threshold can be told from the map before a game is played.
//
// Place in the flow: it needs strategies and positions, which the arena hides
// from those who count; studies/tubstap makes rows of experiments of what it
// finds.
//
//	lab, err := complexity.NewLab(game, complexity.Named("paper12b"), 2000)
//	games, err := lab.Watch(ctx, 40, 2, nil)      // muct against itself
//	levels := complexity.ByTurn(games) // figure 4
//	score, err := lab.Meet(ctx, host, player, arena.Match, 16, nil)
//
// Source: Sagehashi, Muto and Nishino, "The effect of switching strategies by
// the number of legal moves in turn-based strategy games", IPSJ SIG Technical
// Report 2017-GI-37 No. 10, sections 5 to 7.
package complexity
