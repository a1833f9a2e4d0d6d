// Package arena plays series of games. It knows no game. A game hands it a Definition (its
// rules, its referee, its own type of player), and Enter forgets the player's type in one
// closure. So a strategy for the wrong game does not compile, and engine code stays concrete.
// The arena never sees a move.
//
// The flow, from left to right:
//
//	Definition + strategies --Enter--> Game --Open(rules)--> Ruleset
//	Ruleset.Entrant("mp(start_squares=70)") --> Entrant
//	Series{Ruleset, Entrants, Seed, Phase, From, To} --Host.Play--> Run... --> Tally
//
// A block is one chance seed played in every cyclic rotation of the entrants
// over the seats; it is the unit of all statistics. Everything random is drawn
// from streams keyed by (seed, phase, block, seat, purpose), never by entrant,
// rotation or trial: every player in a seat meets the same chance, and one
// draw more shifts nothing else. A series therefore gives the same blocks with
// any number of workers.
//
// A game's score is counted in units of 1/lcm(1..k) for k seats, so that a win shared by any
// number of players is an integer. With two seats a block's score has five values, the
// pentanomial.
//
// A Pool hands a series out in chunks, about a second of play each by what games of the kind have cost,
// less where little is left to play: down to single games of a block, which are joined again. A chunk
// that is late on another machine is played a second time by a slot that has nothing else to do. Which
// slot gets which games depends on the machine; the result does not.
//
//	rules, _ := game.Open(nil)
//	a, _ := rules.Entrant("random")
//	tally, err := arena.NewPool(2).Play(ctx, arena.Series{
//		Ruleset: rules, Entrants: []arena.Entrant{a, a}, Seed: 1, Phase: arena.Match, To: 100,
//	}, nil)
//
// Paired games as the unit follow the practice of computer chess (fishtest,
// Stockfish developers, 2013 onwards); counter-based streams follow Salmon et
// al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
//
// Files in reading order: game.go (what a game declares), ruleset.go and entrant.go (a game opened,
// who plays), fixture.go (one game and its chance), series.go (games of the same players). Then how
// a series is played: host.go, pool.go, dispatch.go (who gets which games), table.go. Then the
// results: tally.go, signature.go.
package arena
