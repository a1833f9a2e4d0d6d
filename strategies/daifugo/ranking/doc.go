// Package ranking finds the possible ranks of every player by searching the
// game tree, in the paper's five ways and counting nodes as the paper counts.
//
// The value of a position is one set of possible ranks per player (Value, a
// Set each). For the player to move a child is dropped when some other child's
// set for that player differs from it and has a worst rank no worse than the
// first one's best; the value is the union, player by player, of what is kept
// (Choice).
//
// Place in the flow: it searches positions of engines/daifugo; the rankset
// player and `analyse daifugo` ask it for values, `solve daifugo` and the
// experiments run its five methods, and strategies/daifugo/positions, which
// needs no tree, is checked against it.
//
//	p, _ := daifugo.New(daifugo.Rules{Seats: 3, Cards: 3, Ranks: 3})
//	r := ranking.Search(p, ranking.Options{Method: ranking.Full, Limit: ranking.PaperLimit})
//	fmt.Println(r.Nodes, r.Depth) // 6482 21
//
// Counting. The root is node 1 at depth 1; every position with somebody to
// move counts, pass-only ones included, and so does the terminal one; nothing
// counts for the skipped turn of a player who is out, nor for clearing the
// table. Depth is the number of nodes on the longest path visited.
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", sections 2 to 4, equations (1) to (7).
package ranking
