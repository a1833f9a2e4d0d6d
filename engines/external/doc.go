// Package external runs registered programs by name: it speaks their protocols and makes
// players of them. Files that travel name an engine only; what is run for that name stands
// in the settings of the machine that runs it.
//
//	engines, err := external.Open([]external.Entry{{Name: "toga", Command: []string{"toga2"}}})
//	defer engines.Close()
//	game, err := engines.Joined(chess.Game())
//
// An engine's options are the parameters of its strategy. Processes belong to the
// process pool and not to players: a player borrows one for a game, so that however
// many entrants of an engine there are, no more processes run than games are played.
// An engine's signature is the hash of its files and options, with "recorded-" before it where
// its games cannot be played again.
// A mistake of a program is a *Fault of some kind; the program loses that game, and no
// other game is disturbed. Every wait has a deadline.
//
// Files in reading order: entry.go (an engine as registered), pool.go (the process pool),
// engines.go (the registered engines and what they tell of themselves), trials.go (whether they
// play the same twice). What is said: uci.go (a running program that speaks UCI, USI, UGI or
// UAI) and ucianswer.go, lineconn.go (GTP, JSON Lines). Players: chess.go, ugi.go, gtp.go,
// asked.go and askedgames.go (moves of built-in games asked in JSON), whole.go (whole games).
// agreedrules.go and agreedreferee.go are the games "go" and "ugi", whose rules the two
// programs that play know and this program does not. Each program reports how it sees the
// position; if they do not agree, the block is void and counted. book.go is books of openings,
// propose.go what a study of an engine may tune, conform.go the tries of "engine conformance".
//
// Sources: S. Meyer-Kahlen and R. Huber, "Description of the universal chess interface"
// (April 2006); G. Farnebäck, Specification of the Go Text Protocol, version 2, draft 2.
package external
