package neighbour

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/random"
)

// Chase is the neighbour attack: what to shoot at while a ship afloat is
// known to be hit. Every attack but R has one.
type Chase struct {
	Pick string // longest_arm or random
}

// Declare binds the attack's parameters.
func (c *Chase) Declare(f *param.Fields) {
	f.Choice(&c.Pick, "neighbours", "longest_arm", []string{"longest_arm", "random"},
		"which neighbour of a hit to try while there is no line of hits: that with the longest free arm, or any", param.Fixed())
}

// Pending reports whether a ship afloat is known to be hit: whether there are
// more open hits than the sunk ships of unknown place account for.
func Pending(k *battleship.Knowledge) bool {
	open := k.Open()
	if open.Empty() {
		return false
	}
	if k.Loose() == 0 {
		return true
	}
	sunk := 0
	for i := range k.Sinkings() {
		if s := k.Sinking(i); !s.Settled {
			sunk += k.Fleet().Length(s.Ship)
		}
	}
	return open.Len() > sunk
}

// Shoot chooses a square next to the open hits, or reports false where none of
// them can hold a ship.
func (c *Chase) Shoot(v *battleship.View) (battleship.Square, bool) {
	open, unknown := v.Open(), v.Unknown()
	if ends := v.Board().Ends(open).And(unknown); !ends.Empty() {
		return random.Draw(ends, &v.Chance), true
	}
	choice := c.around(v, open, unknown)
	if choice.Empty() {
		return 0, false
	}
	return random.Draw(choice, &v.Chance), true
}

// around is the best neighbours of open hits that form no line.
func (c *Chase) around(v *battleship.View, open, unknown battleship.Set) battleship.Set {
	board := v.Board()
	free := board.All().AndNot(v.Walls())
	reach := v.Longest() - 1
	if c.Pick == "random" {
		reach = 1 // all arms count as equally long
	}
	best := 0
	var choice battleship.Set
	for hit := range open.All() {
		for axis := battleship.Left; axis <= battleship.Up; axis += 2 {
			back := board.Arm(hit, axis, free, battleship.MaxSide)
			ahead := board.Arm(hit, axis+1, free, battleship.MaxSide)
			if back+1+ahead < v.Shortest() {
				continue
			}
			for d, arm := range [2]int{back, ahead} {
				next, ok := board.Step(hit, axis+battleship.Direction(d))
				if arm = min(arm, reach); arm == 0 || arm < best || !ok || !unknown.Has(next) {
					continue
				}
				if arm > best {
					best, choice = arm, battleship.Set{}
				}
				choice.Add(next)
			}
		}
	}
	return choice
}
