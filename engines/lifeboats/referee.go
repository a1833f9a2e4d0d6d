package lifeboats

import "sakusen/engines/arena"

// Purposes of streams: those of the game, and of a seat.
const (
	dealing arena.Purpose = iota
	breakingTies
	voting
)

// A referee plays games. All of a vote's ballots are collected before any is
// revealed.
type referee struct {
	rules    *Rules
	position Position
	view     View
	ballot   Ballot
	ties     arena.Stream
	chances  [MaxPlayers]arena.Stream
	fault    int   // the seat of an illegal vote, or -1
	win      int64 // units of a game
}

func newReferee(r *Rules) *referee {
	ref := &referee{rules: r, win: arena.Scale(r.players)}
	ref.view.Position = &ref.position
	ref.view.Rules = r
	return ref
}

// count finds the winning option.
func (ref *referee) count() int {
	leaders := ref.ballot.Leaders()
	if leaders.Rest() == 0 {
		return leaders.First()
	}
	if ref.rules.breaking != breakRandom {
		return ref.rules.settle(&ref.ballot, leaders, ref.view.Start)
	}
	return leaders.Nth(ref.ties.IntN(leaders.Len()))
}

// crewSaved is the component that the referee counts for each seat.
const crewSaved = 0
