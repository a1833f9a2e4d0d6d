package foresight

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/decisions"
	"sakusen/strategies/battleship/exact"
	"sakusen/strategies/battleship/place"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[battleship.Rules, battleship.Player] {
	shelf := &decisions.Shelf{}
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "foresight",
		Doc:    "Like exact, but minimises the shots to the end when few placements are left (EX+).",
		Source: "ours, after Howard 1960 and Sakuta and Iida 2002, section 3",
		New:    func() arena.Config[battleship.Rules, battleship.Player] { return &config{shelf: shelf} },
		Sign:   param.Values{{Name: "placements", Text: "200"}},
	}
}

type config struct {
	shelf      *decisions.Shelf
	placements int // left when foresight begins
	width      int // squares tried
	keep       exact.Keep
	place      place.Group
}

func (c *config) Declare(f *param.Fields, r *battleship.Rules) {
	f.Int(&c.placements, "placements", 1000, param.Log(1, 100_000), "placements left at which the shots to the end are minimised, placements")
	f.Int(&c.width, "width", 3, param.Range(1, 64), "squares tried, those with the greatest hit probability, squares")
	c.keep.Declare(f, 30, 24)
	f.Group("place", func(f *param.Fields) { c.place.Declare(f, r) })
}

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	placer, err := c.place.Placer(r)
	if err != nil {
		return nil, err
	}
	p := &player{Placer: placer, walk: c.keep.Walk(c.shelf, decisions.Key(r, c.placements, c.width, c.keep.Forms))}
	p.greatest = exact.Greatest{Counter: count.New(r.Board()), Forms: c.keep.Forms}
	p.endgame = newEndgame(r, c.placements)
	p.rollout = newRollout(p.endgame, c.width)
	return p, nil
}

type player struct {
	*place.Placer
	walk     *decisions.Walk
	greatest exact.Greatest
	endgame  *endgame
	rollout  *rollout
}

func (p *player) Aim(*battleship.View) { p.walk.Reset() }

func (p *player) Shoot(v *battleship.View) battleship.Square {
	d := p.walk.Next(v.Knowledge, p)
	v.Visit(0, d.Work)
	return d.At
}

// Choose implements decisions.Chooser.
func (p *player) Choose(k *battleship.Knowledge) decisions.Decision {
	d := p.greatest.Choose(k)
	if 0 < d.Work && d.Work <= uint64(p.endgame.most) && p.endgame.list(k) {
		d.At = p.rollout.best(k)
	}
	return d
}

// rollout plays greedily against every placement of an endgame at once, in thought.
type rollout struct {
	game    *endgame
	width   int // squares tried
	list    []int32
	sorted  []int32
	answers []uint8
	counts  []*counts // by depth of thought
}

// counts is how many placements of a list cover each square not shot.
type counts struct {
	squares battleship.Set // those with a count, and perhaps more
	of      [battleship.MaxSquares]int32
}

// answers a shot can have: miss, hit, and each ship sunk.
const answers = 2 + battleship.MaxShips

func newRollout(g *endgame, width int) *rollout {
	return &rollout{game: g, width: width,
		list: make([]int32, g.most), sorted: make([]int32, g.most), answers: make([]uint8, g.most)}
}

// best is the square that leads to the fewest shots, added up over all
// placements of the endgame, when all shots after it are greedy: of the width
// squares with the greatest hit probability.
func (r *rollout) best(k *battleship.Knowledge) battleship.Square {
	g := r.game
	all := r.list[:g.n]
	for i := range all {
		all[i] = int32(i)
	}
	shots := k.Shots()
	left := g.covers[0].AndNot(shots).Len()
	root := r.at(0)
	r.tally(root, all, shots)
	order := *root
	best, most := order.first()
	if most == int32(g.n) {
		return best // it has to be shot at some time, and tells the most now
	}
	fewest := 1 << 62
	for range r.width {
		s, n := order.first()
		if n == 0 {
			break
		}
		order.of[s] = 0
		*r.at(1) = *root
		if cost := r.play(1, all, shots, left, s, fewest); cost < fewest {
			best, fewest = s, cost
		}
	}
	return best
}

// at is the counts of a depth.
func (r *rollout) at(depth int) *counts {
	for len(r.counts) <= depth {
		r.counts = append(r.counts, &counts{})
	}
	return r.counts[depth]
}

// first is the square with the greatest count, the first in board order.
func (c *counts) first() (at battleship.Square, most int32) {
	for rest := c.squares; !rest.Empty(); {
		if s := rest.Pop(); c.of[s] > most {
			at, most = s, c.of[s]
		}
	}
	return at, most
}

// tally counts the squares not shot that the placements of a list cover.
func (r *rollout) tally(c *counts, list []int32, shots battleship.Set) {
	var any battleship.Set
	for _, i := range list {
		any = any.Or(r.game.covers[i])
	}
	c.squares = any.AndNot(shots)
	for rest := c.squares; !rest.Empty(); {
		c.of[rest.Pop()] = 0
	}
	for _, i := range list {
		for rest := r.game.covers[i].AndNot(shots); !rest.Empty(); {
			c.of[rest.Pop()]++
		}
	}
}

// play is the shots that are needed, added up over the placements of a list,
// when the next is s and all others are greedy. Each of the placements has so
// many squares left to hit; the counts of the list are those of the depth, and
// are lost. It gives up when the limit is reached.
//
// The largest part of the list is played on in place, its counts being what
// the others leave of the whole: so a long row of misses costs little.
func (r *rollout) play(depth int, list []int32, shots battleship.Set, left int, s battleship.Square, limit int) int {
	own := r.at(depth)
	cost := 0
	for {
		cost += len(list)
		if cost+len(list)*(left-1) >= limit {
			return limit
		}
		shots.Add(s)
		own.of[s] = 0
		var from [answers + 1]int32
		r.part(list, shots, s, &from)
		largest := 0
		for a := range answers {
			if from[a+1]-from[a] > from[largest+1]-from[largest] {
				largest = a
			}
		}
		for a := range answers {
			part := list[from[a]:from[a+1]]
			if len(part) == 0 || a == largest {
				continue
			}
			still := left
			if a > 0 {
				still--
			}
			if len(part) == 1 {
				cost += still
				for rest := r.game.covers[part[0]].AndNot(shots); !rest.Empty(); {
					own.of[rest.Pop()]--
				}
				continue
			}
			if still == 0 {
				continue
			}
			c := r.at(depth + 1)
			r.tally(c, part, shots)
			for rest := c.squares; !rest.Empty(); {
				at := rest.Pop()
				own.of[at] -= c.of[at]
			}
			at, _ := c.first()
			if cost += r.play(depth+1, part, shots, still, at, limit-cost); cost >= limit {
				return limit
			}
		}
		list = list[from[largest]:from[largest+1]]
		if largest > 0 {
			left--
		}
		if left == 0 {
			return cost
		}
		if len(list) == 1 {
			return cost + left
		}
		s, _ = own.first()
	}
}

// part sorts a list by the answers to the shot at s, the last of the shots;
// those with answer a are from[a] to from[a+1].
func (r *rollout) part(list []int32, shots battleship.Set, s battleship.Square, from *[answers + 1]int32) {
	g := r.game
	kinds := r.answers[:len(list)]
	var size [answers]int32
	for j, i := range list {
		a := uint8(0)
		if g.covers[i].Has(s) {
			a = 1
			for ship, line := range g.places[int(i)*g.ships : (int(i)+1)*g.ships] {
				if line.Has(s) {
					if line.Within(shots) {
						a = 2 + g.class[ship]
					}
					break
				}
			}
		}
		kinds[j] = a
		size[a]++
	}
	for a, n := range size {
		from[a+1] = from[a] + n
	}
	if size[0] == int32(len(list)) {
		return
	}
	next := *from
	sorted := r.sorted[:len(list)]
	for j, i := range list {
		a := kinds[j]
		sorted[next[a]] = i
		next[a]++
	}
	copy(list, sorted)
}
