package battleship

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// checkerboard is the attack CB: a wide checkerboard first, then the
// squares between, with the neighbour attack after hits. No ship of two
// squares or more can hide from the finished pattern, and it never puts two
// shots side by side.
//
//	rules.Entrant("checkerboard") // CB
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3 and figure 4. That squares with the fewest known
// neighbours come before the order of the classes is a choice of ours, made
// because it fits the tables printed there best (docs/battleship.md).
func checkerboard() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "checkerboard",
		Doc:    "Shoots along a wide checkerboard, then between, and at the neighbours of hits (CB).",
		Source: "Sakuta and Iida 2002, section 3",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			var rule huntRule
			var c chase
			rule.declare(f, r)
			c.declare(f)
			return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) {
				return &checkerboardPlayer{p, newHunt(rule, r.Board()), c}, nil
			})
		},
	}
}

type checkerboardPlayer struct {
	*fleetPlacer
	*hunt
	chase chase
}

func (p *checkerboardPlayer) Shoot(v *battleship.View) battleship.Square {
	if pending(v.Knowledge) {
		if at, ok := p.chase.shoot(v); ok {
			return at
		}
	}
	return p.hunt.shoot(v)
}

// huntRule says in what order the squares of the pattern are shot at, and which
// squares are left to be shot at.
type huntRule struct {
	Hunt  string // fewest_known, fewest_neighbours or classes
	Sight sight
}

// declare binds the rule's parameters.
func (r *huntRule) declare(f *param.Fields, rules *battleship.Rules) {
	if rules.Fitted() {
		f.Choice(&r.Hunt, "hunt", "fewest_known", []string{"fewest_known", "fewest_neighbours", "classes"},
			"order in which the pattern's squares are shot: those first with the fewest neighbours that are known (shot at, or too narrow for any ship afloat), or with the fewest neighbours shot at, and then by the paper's classes A B C D; or by the classes alone", param.Fixed())
	} else {
		f.Choice(&r.Hunt, "hunt", "fewest_neighbours", []string{"fewest_neighbours", "classes"},
			"order in which the pattern's squares are shot: those with the fewest neighbours shot at first and then by the paper's classes A B C D, or by the classes alone", param.Fixed())
	}
	r.Sight.declare(f, rules)
}

// hunt is the search for ships that are not hit yet. It is used by one
// goroutine.
type hunt struct {
	rule    huntRule
	classes *[4]battleship.Set // of this game
	shifts  [4][4][4]battleship.Set
}

// newHunt makes a hunt on a board.
func newHunt(rule huntRule, board *battleship.Board) *hunt {
	h := &hunt{rule: rule}
	// The squares of figure 4, column and row modulo 4, two for each class.
	corners := [4][2][2]int{{{1, 0}, {3, 2}}, {{2, 1}, {0, 3}}, {{3, 0}, {1, 2}}, {{0, 1}, {2, 3}}}
	for x := range 4 {
		for y := range 4 {
			for class, pair := range corners {
				for _, at := range pair {
					for s := range board.All().All() {
						if (board.Column(s)+x)%4 == at[0] && (board.Row(s)+y)%4 == at[1] {
							h.shifts[x][y][class].Add(s)
						}
					}
				}
			}
		}
	}
	return h
}

// Aim draws the shift of the pattern for a new game.
func (h *hunt) Aim(v *battleship.View) {
	x := v.Chance.IntN(4)
	h.classes = &h.shifts[x][v.Chance.IntN(4)]
}

// shoot draws the next square of the hunt.
func (h *hunt) shoot(v *battleship.View) battleship.Square {
	return draw(h.first(v, h.unknown(v.Knowledge)), &v.Chance)
}

// unknown is the squares that the hunt takes for unknown.
func (h *hunt) unknown(k *battleship.Knowledge) battleship.Set { return h.rule.Sight.unknown(k) }

// first is those of the given squares, at least one, that the hunt would shoot
// at first; it draws among them at random. Squares off the pattern come last.
func (h *hunt) first(v *battleship.View, squares battleship.Set) battleship.Set {
	on := h.classes
	pattern := squares.And(on[0].Or(on[1]).Or(on[2]).Or(on[3]))
	if pattern.Empty() {
		return squares
	}
	switch h.rule.Hunt {
	case "fewest_known":
		pattern = fewest(v.Board(), pattern, v.Board().All().AndNot(h.unknown(v.Knowledge)))
	case "fewest_neighbours":
		pattern = fewest(v.Board(), pattern, v.Shots())
	}
	for _, class := range on {
		if first := pattern.And(class); !first.Empty() {
			return first
		}
	}
	return pattern
}

// fewest is the squares with the fewest neighbours in a set.
func fewest(board *battleship.Board, squares, set battleship.Set) battleship.Set {
	for _, more := range board.Touching(set) {
		if rest := squares.AndNot(more); !rest.Empty() {
			return rest
		}
	}
	return squares
}
