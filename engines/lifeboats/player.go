package lifeboats

import (
	"math"

	"sakusen/engines/arena"
)

// A Player votes. It is used by one goroutine for many games; nothing it keeps
// from one game may change the next.
type Player interface {
	// Vote chooses one of v.Options(); anything else is a fault.
	Vote(v *View) int
	// Model is the judgement by which other players may predict this one; nil if it has
	// none or hides it.
	Model() Model
}

// Values are the worth of options to one player, by option. Those that are no
// option are undefined.
type Values [Slots]float64

// A Model judges, for a seat, each position that may follow the vote on p. Both
// its answers are pure functions of p and seat.
type Model interface {
	// Evaluate writes the worth of every option of p to e.
	Evaluate(p *Position, seat int, e *Values)
	// Favour is Best of what Evaluate writes. Finding the best option is often much less
	// work than evaluating all.
	Favour(p *Position, seat int) Set
}

// A View is what a seat sees when it is asked for its vote: the board, which is
// open, whose turn it is to break ties, and the models that the players
// disclose. Votes that are still open are not in it.
type View struct {
	// Position is kept by the referee and must not be changed.
	*Position
	Rules *Rules
	Seat  int
	Round int // from 1
	Start int // the seat of the start player, for ties
	// Chance is the seat's stream.
	Chance *arena.Stream

	options Set
	models  [MaxPlayers]Model
	judged  Set // seats whose favourites of this vote are known
	best    [MaxPlayers]Set
}

// Ask makes the view that of a new vote on its position, with the players'
// models by seat; without models they stay. The referee calls it, and who tries
// a player outside a game.
func (v *View) Ask(models []Model) {
	copy(v.models[:], models)
	v.options = v.Position.Options()
	v.judged = 0
}

// Options are what may be voted for.
func (v *View) Options() Set { return v.options }

// HasModel tells whether the player in a seat discloses how it judges.
func (v *View) HasModel(seat int) bool { return v.models[seat] != nil }

// Judge is the model that the player in a seat discloses, nil where it has none.
func (v *View) Judge(seat int) Model { return v.models[seat] }

// Favourites are the options that the model in a seat finds best, all that are
// tied. The seat must have a model. They are worked out once a vote, whoever
// asks.
func (v *View) Favourites(seat int) Set {
	if !v.judged.Has(seat) {
		v.best[seat] = v.models[seat].Favour(v.Position, seat)
		v.judged = v.judged.With(seat)
	}
	return v.best[seat]
}

// Draw draws one of the options in a set, which must not be empty. Where there
// is no choice nothing is drawn.
func (v *View) Draw(s Set) int {
	if s.Rest() == 0 {
		return s.First()
	}
	return s.Nth(v.Chance.IntN(s.Len()))
}

// MayWin are the options that may win a vote with the given ballots: all leaders
// where ties are broken at random, else the one that wins.
func (v *View) MayWin(b *Ballot) Set {
	leaders := b.Leaders()
	if leaders.Rest() == 0 || v.Rules.breaking == breakRandom {
		return leaders
	}
	return Set(0).With(v.Rules.settle(b, leaders, v.Start))
}

// Near is the relative difference, above a size of one, within which two values
// are tied.
const Near = 1e-9

// Best is the options whose value is tied with the largest: within Near times
// its size, or Near where that is below one. No options have no best.
func Best(e *Values, options Set) Set {
	top := math.Inf(-1)
	for s := options; s != 0; s = s.Rest() {
		top = max(top, e[s.First()&(Slots-1)])
	}
	floor := top - Near*max(1, math.Abs(top))
	var best Set
	for s := options; s != 0; s = s.Rest() {
		i := s.First() & (Slots - 1)
		near := Set(0)
		if e[i] >= floor {
			near = 1
		}
		best |= near << i
	}
	return best
}
