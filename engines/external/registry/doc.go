// Package registry is the programs of other people that this machine may run, by
// name, and what makes players of them. Files that travel name an engine only; what
// is run for that name stands in the settings of whoever runs it.
//
//	stable, err := registry.Open([]registry.Entry{{Name: "toga", Command: []string{"toga2"}}})
//	defer stable.Close()
//	strategies, err := stable.Strategies("toga")
//	game, err := arena.Join(chess, strategies...)
//
// An engine's options are the parameters of its strategy. Processes belong to the
// stable and not to players: a player borrows one for a game, so that however many
// entrants of an engine there are, no more processes run than games are played.
package registry
