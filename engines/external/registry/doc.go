// Package registry is the programs of other people that this machine may run, by
// name, and what makes players of them. Files that travel name an engine only; what
// is run for that name stands in the settings of the machine that runs it.
//
//	engines, err := registry.Open([]registry.Entry{{Name: "toga", Command: []string{"toga2"}}})
//	defer engines.Close()
//	game, err := engines.Joined(chess.Game())
//
// An engine's options are the parameters of its strategy. Processes belong to the
// process pool and not to players: a player borrows one for a game, so that however
// many entrants of an engine there are, no more processes run than games are played.
//
// Files in reading order: entry.go (an engine as registered), pool.go (the process
// pool), engines.go (the registered engines and what they tell of themselves),
// trials.go (whether they play the same twice); by protocol chess.go, ugi.go, gtp.go,
// asked.go (moves of built-in games asked in JSON) and whole.go (whole games);
// book.go (books of openings), conform.go (the tries of "engine conformance").
package registry
