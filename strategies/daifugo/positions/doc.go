// Package positions solves Daifugo without searching its tree.
//
// A Solver values every position there is, layer by layer of cards left, from
// the fewest up. It needs no hashing: a layer is an array with one entry for
// each "this seat has just played this kind, and the hands are now these", up
// to rotation of the seats (layout). All entries with the same hands are made
// together, from the layer with one card less (group): every seat's children
// are looked up once, the leader's value is made of them, and the passes fold
// back from it. So two layers are all it keeps.
//
// A Graph is the canonical positions reachable from one position, with values.
// As the game has no cycles, the exact sizes of search trees of any size are
// sums over the graph (Count).
//
// Place in the flow: `solve daifugo --method positions` and --exact-count run
// these; studies/daifugo shows what they find beyond the paper. The
// package starts no goroutines and opens no files: the caller brings a Pool,
// and readers and writers for saved layers.
//
//	s, err := positions.New(daifugo.Rules{Seats: 3, Cards: 8, Ranks: 3}, 1<<30)
//	if err != nil { ... }
//	for s.Cards() < positions.Top(s.Rules()) {
//		s.Next(positions.Serial)
//	}
//	v, err := positions.Opening(s)
//
// Source: ours; the game and its values are those of Goto, Inui, Kotani, "Game
// Tree Search for Ranking in Multiplayer Games".
package positions
