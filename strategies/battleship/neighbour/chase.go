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
// them can hold a ship. Lines and arms on axes too short for the smallest ship
// afloat are left out.
func (c *Chase) Shoot(v *battleship.View) (battleship.Square, bool) {
	open := v.Open()
	choice := c.ends(v, open)
	if choice.Empty() {
		choice = c.around(v, open)
	}
	if choice.Empty() {
		return 0, false
	}
	return random.Draw(choice, &v.Chance), true
}

// ends is the squares that continue a line of two or more open hits.
func (c *Chase) ends(v *battleship.View, open battleship.Set) battleship.Set {
	ends := v.Board().Ends(open).AndNot(v.Walls())
	if ends.Empty() || v.Shortest() <= 3 {
		// A line of two and its free end have room for three squares.
		return ends
	}
	return ends.And(v.Unknown())
}

// around is the best neighbours of open hits that form no line.
func (c *Chase) around(v *battleship.View, open battleship.Set) battleship.Set {
	board, walls, shortest := v.Board(), v.Walls(), v.Shortest()
	reach := v.Longest() - 1
	if c.Pick == "random" {
		reach = 1 // all arms count as equally long
	}
	best := 1
	var choice battleship.Set
	for rest := open; !rest.Empty(); {
		hit := rest.Pop()
		arms := board.Arms(hit, walls)
		for d, arm := range arms {
			if arm+1+arms[d^1] < shortest {
				continue
			}
			arm = min(arm, reach)
			if arm < best {
				continue
			}
			next, _ := board.Step(hit, battleship.Direction(d))
			if open.Has(next) {
				continue
			}
			if arm > best {
				best, choice = arm, battleship.Set{}
			}
			choice.Add(next)
		}
	}
	return choice
}
