package mp

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/neighbour"
	"sakusen/strategies/battleship/place"
)

// Attack is the parameters of an attack that counts placements from some
// point of the game on; before, it is the checkerboard. What it makes of the
// counts is its Target.
type Attack struct {
	start start
	rule  checkerboard.Rule
	chase neighbour.Chase
	place place.Group
}

// A Target finds the best squares to shoot at by counting. It is used by one
// goroutine.
type Target interface {
	// Best is the equally good squares, at least one. The hunt knows the order of
	// the checkerboard.
	Best(v *battleship.View, hunt *checkerboard.Hunt) battleship.Set
}

// Declare binds the parameters.
func (a *Attack) Declare(f *param.Fields, r *battleship.Rules) {
	a.start.Declare(f, r)
	a.rule.Declare(f, r)
	a.chase.Declare(f)
	f.Group("place", func(f *param.Fields) { a.place.Declare(f, r) })
}

// Player makes a player with the target.
func (a *Attack) Player(r *battleship.Rules, target Target) (battleship.Player, error) {
	placer, err := a.place.Placer(r)
	if err != nil {
		return nil, err
	}
	return &player{placer, checkerboard.NewHunt(a.rule, r.Board()), a.chase, a.start, target}, nil
}

type player struct {
	*place.Placer
	*checkerboard.Hunt
	chase  neighbour.Chase
	start  start
	target Target
}

func (p *player) Shoot(v *battleship.View) battleship.Square {
	pending := neighbour.Pending(v.Knowledge)
	if p.start.counts(v.Knowledge, p.Hunt, pending) {
		return p.start.choose(p.target.Best(v, p.Hunt), v, p.Hunt)
	}
	if pending {
		if at, ok := p.chase.Shoot(v); ok {
			return at
		}
	}
	return p.Hunt.Shoot(v)
}
