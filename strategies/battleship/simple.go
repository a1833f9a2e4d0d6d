package battleship

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// random returns the attack R: a square drawn uniformly from the unknown
// ones, those neither shot nor trivially empty. It is the paper's weakest
// attack and, with the placement that any entrant carries, the measure of the
// others.
//
//	rules.Entrant("random(place.kind=edge1)") // R/ED1
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3.
func random() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "random",
		Doc:    "Shoots at unknown squares at random (R).",
		Source: "Sakuta and Iida 2002, section 3",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			var s sight
			s.declare(f, r)
			return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) { return randomPlayer{p, s}, nil })
		},
	}
}

type randomPlayer struct {
	*fleetPlacer
	sight sight
}

func (randomPlayer) Aim(*battleship.View) {}

func (p randomPlayer) Shoot(v *battleship.View) battleship.Square {
	return draw(p.sight.unknown(v.Knowledge), &v.Chance)
}

// draw draws a square of a set, which must not be empty.
func draw(set battleship.Set, chance *arena.Stream) battleship.Square {
	return set.Nth(chance.IntN(set.Len()))
}

// sight says which squares a shooter takes for unknown. The paper leaves open
// in what order a sinking is worked out; docs/research/battleship.md tells how each
// fits its tables.
type sight struct {
	Sinking string // at_once or late
}

// declare binds the parameter.
func (s *sight) declare(f *param.Fields, r *battleship.Rules) {
	def := "at_once"
	if r.Fitted() {
		def = "late"
	}
	f.Choice(&s.Sinking, "sinking", def, []string{"at_once", "late"},
		"when the knowledge that a ship has sunk is used: at once, or from the next miss on", param.Fixed())
}

// unknown returns the squares neither shot nor trivially empty.
func (s sight) unknown(k *battleship.Knowledge) battleship.Set {
	if s.Sinking == "late" {
		return k.UnknownLate()
	}
	return k.Unknown()
}

// neighbour returns the attack RNB: unknown squares at random, and after a
// hit its neighbours until the ship is sunk. The neighbour attack, chase, is
// a part of every better attack too: ends of a line of two hits come first, at
// random; a lone hit is continued towards the longest free arm.
//
//	rules.Entrant("neighbour") // RNB
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3 and figure 3. The paper does not say in what order
// neighbours are tried; the order here was chosen because it fits the hit
// ratios printed there.
func neighbour() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "neighbour",
		Doc:    "Shoots at random and at the neighbours of hits until the ship is sunk (RNB).",
		Source: "Sakuta and Iida 2002, section 3",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			var s sight
			var c chase
			s.declare(f, r)
			c.declare(f)
			return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) { return &neighbourPlayer{p, s, c}, nil })
		},
	}
}

type neighbourPlayer struct {
	*fleetPlacer
	sight sight
	chase chase
}

func (p *neighbourPlayer) Aim(*battleship.View) {}

func (p *neighbourPlayer) Shoot(v *battleship.View) battleship.Square {
	if pending(v.Knowledge) {
		if at, ok := p.chase.shoot(v); ok {
			return at
		}
	}
	return draw(p.sight.unknown(v.Knowledge), &v.Chance)
}

// chase is the neighbour attack: what to shoot at while a ship afloat is
// known to be hit. Every attack but R has one.
type chase struct {
	Pick string // longest_arm or random
}

// declare binds the attack's parameters.
func (c *chase) declare(f *param.Fields) {
	f.Choice(&c.Pick, "neighbours", "longest_arm", []string{"longest_arm", "random"},
		"which neighbour of a single hit to try: the one with the most free squares behind it, or any", param.Fixed())
}

// pending reports whether a ship afloat is known to be hit: whether there are
// more open hits than the sunk ships of unknown place account for.
func pending(k *battleship.Knowledge) bool {
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

// shoot chooses a square next to the open hits, or reports false where none of
// them can hold a ship. Lines and arms on axes too short for the smallest ship
// afloat are left out.
func (c *chase) shoot(v *battleship.View) (battleship.Square, bool) {
	open := v.Open()
	if open.Len() == 1 {
		return c.beside(v, open.First())
	}
	choice := c.ends(v, open)
	if choice.Empty() {
		choice = c.around(v, open)
	}
	if choice.Empty() {
		return 0, false
	}
	return draw(choice, &v.Chance), true
}

// beside chooses a neighbour of a single open hit. It is around for the most frequent case,
// with as few branches as possible, since the processor can predict none of them.
func (c *chase) beside(v *battleship.View, hit battleship.Square) (battleship.Square, bool) {
	arms := c.score(v, hit)
	best := max(arms[0], arms[1], arms[2], arms[3])
	if best == 0 {
		return 0, false
	}
	var longest [4]battleship.Direction
	n := 0
	for d, arm := range arms {
		longest[n&3] = battleship.Direction(d)
		if arm == best {
			n++
		}
	}
	next, _ := v.Board().Step(hit, longest[v.Chance.IntN(n)&3])
	return next, true
}

// score returns the lengths of the arms of a hit by direction, each at most the length of
// the longest ship afloat; an axis too short for the shortest ship counts 0.
func (c *chase) score(v *battleship.View, hit battleship.Square) [4]int {
	arms := v.Board().Arms(hit, v.Walls())
	reach := v.Longest() - 1
	if c.Pick == "random" {
		reach = 1 // all arms count as equally long
	}
	across, down := reach, reach
	if arms[battleship.Left]+1+arms[battleship.Right] < v.Shortest() {
		across = 0
	}
	if arms[battleship.Up]+1+arms[battleship.Down] < v.Shortest() {
		down = 0
	}
	return [4]int{min(arms[0], down), min(arms[1], across), min(arms[2], across), min(arms[3], down)}
}

// ends returns the squares that continue a line of two or more open hits.
func (c *chase) ends(v *battleship.View, open battleship.Set) battleship.Set {
	ends := v.Board().Ends(open).AndNot(v.Walls())
	if ends.Empty() || v.Shortest() <= 3 {
		// A line of two and its free end have room for three squares.
		return ends
	}
	return ends.And(v.Unknown())
}

// around returns the best neighbours of open hits that form no line.
func (c *chase) around(v *battleship.View, open battleship.Set) battleship.Set {
	best := 1
	var choice battleship.Set
	for hit := range open.All() {
		for d, arm := range c.score(v, hit) {
			if arm < best {
				continue
			}
			next, _ := v.Board().Step(hit, battleship.Direction(d))
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

// checkerboard returns the attack CB: a wide checkerboard first, then the
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
// because it fits the tables printed there best (docs/research/battleship.md).
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

// unknown returns the squares that the hunt takes for unknown.
func (h *hunt) unknown(k *battleship.Knowledge) battleship.Set { return h.rule.Sight.unknown(k) }

// first returns those of the given squares, at least one, that the hunt would shoot
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

// fewest returns the squares with the fewest neighbours in a set.
func fewest(board *battleship.Board, squares, set battleship.Set) battleship.Set {
	for _, more := range board.Touching(set) {
		if rest := squares.AndNot(more); !rest.Empty() {
			return rest
		}
	}
	return squares
}
