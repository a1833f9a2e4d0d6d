package battleship

import (
	"math/bits"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
)

// mp returns the attack MPx: checkerboard until few ships are afloat and few squares unknown,
// then the square whose miss would leave the fewest placements of the enemy's fleet. That is
// the square that holds a ship in most of them. All placements that agree with the answers are
// counted, exactly.
//
//	rules.Entrant("mp(start_squares=70)") // MP70
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3. The paper does not say which of equally good squares
// is taken; ties at random fit its tables best (docs/research/battleship.md).
func mp() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "mp",
		Doc:    "Checkerboard, then the square with the greatest hit probability, counted exactly (MPx).",
		Source: "Sakuta and Iida 2002, section 3",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			return attack(f, r, func() huntTarget { return &greatest{count.New(r.Board())} })
		},
	}
}

// greatest is the target of MP: the squares with the greatest hit probability.
type greatest struct{ counter counter }

// counter is what MP needs of count.Counter, so that tests can put plain
// enumeration in its place.
type counter interface {
	Count(k *battleship.Knowledge)
	Total() count.Number
	Best() (battleship.Set, count.Number)
}

// Best implements Target.
func (g *greatest) Best(v *battleship.View, _ *hunt) battleship.Set {
	g.counter.Count(v.Knowledge)
	n := g.counter.Total()
	v.Visit(n.Hi, n.Lo)
	best, _ := g.counter.Best()
	return best
}

// attack declares a player that counts from a point of the game on; before, it is the
// checkerboard. What it makes of the counts is its target.
func attack(f *param.Fields, r *battleship.Rules, target func() huntTarget) arena.Maker[battleship.Player] {
	var from start
	var rule huntRule
	var c chase
	from.declare(f, r)
	rule.declare(f, r)
	c.declare(f)
	return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) {
		return &mpPlayer{p, newHunt(rule, r.Board()), c, from, target()}, nil
	})
}

// A huntTarget finds the best squares to shoot at by counting. It is used by one goroutine.
type huntTarget interface {
	// Best is the equally good squares, at least one. The hunt knows the order of
	// the checkerboard.
	Best(v *battleship.View, hunt *hunt) battleship.Set
}

type mpPlayer struct {
	*fleetPlacer
	*hunt
	chase  chase
	start  start
	target huntTarget
}

func (p *mpPlayer) Shoot(v *battleship.View) battleship.Square {
	pending := pending(v.Knowledge)
	if p.start.counts(v.Knowledge, p.hunt, pending) {
		return p.start.choose(p.target.Best(v, p.hunt), v, p.hunt)
	}
	if pending {
		if at, ok := p.chase.shoot(v); ok {
			return at
		}
	}
	return p.hunt.shoot(v)
}

// start says from when placements are counted, and what becomes of ties.
type start struct {
	Squares  int    // unknown squares
	Afloat   int    // ships
	OpenHits string // neighbours or board
	Ties     string // hunt, random or first
}

// declare binds the parameters.
func (s *start) declare(f *param.Fields, r *battleship.Rules) {
	ties := "hunt"
	if r.Fitted() {
		ties = "random"
	}
	f.Int(&s.Squares, "start_squares", 70, param.Grid(10, 100, 10),
		"positions of the ships are counted once this few squares are unknown, squares")
	f.Int(&s.Afloat, "start_ships", 4, param.Range(1, battleship.MaxShips),
		"positions are counted once this few ships are afloat, ships", param.Fixed())
	f.Choice(&s.OpenHits, "open_hits", "neighbours", []string{"neighbours", "board"},
		"next shot while a ship is hit and not sunk: a neighbour of the hit, or the best square of the whole board", param.Fixed())
	f.Choice(&s.Ties, "ties", ties, []string{"hunt", "random", "first"},
		"which of equally good squares: by the order of the checkerboard, at random, or the first in board order", param.Fixed())
}

// counts reports whether placements are counted for the next shot.
func (s *start) counts(k *battleship.Knowledge, hunt *hunt, pending bool) bool {
	return (!pending || s.OpenHits == "board") && k.Afloat() <= s.Afloat && hunt.unknown(k).Len() <= s.Squares
}

// choose takes one of several equally good squares.
func (s *start) choose(best battleship.Set, v *battleship.View, hunt *hunt) battleship.Square {
	switch s.Ties {
	case "first":
		return best.First()
	case "hunt":
		best = hunt.first(v, best)
	}
	return draw(best, &v.Chance)
}

// lookahead returns the attack LAx.y.z: like MP from z unknown squares on,
// but looking x shots ahead that all miss. It shoots first at the square that
// begins the sequence which leaves the fewest placements of the enemy's fleet,
// that is the sequence with the greatest probability of a hit at all. At each
// step only the y squares with the greatest hit probability are followed.
//
//	rules.Entrant("lookahead(shots=2,kept=8,start_squares=70)") // LA2.8.70
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3. The paper finds no significant gain over MP70; its
// LA2.8.70 chooses another square in 1.6 % of the decisions. [Reversals] counts ours.
func lookahead() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "lookahead",
		Doc:    "Like mp, but looks several shots ahead that all miss (LAx.y.z).",
		Source: "Sakuta and Iida 2002, section 3",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			return look(f, r, func(s *search) huntTarget { return s })
		},
	}
}

// look declares a player whose target is made of a search.
func look(f *param.Fields, r *battleship.Rules, target func(*search) huntTarget) arena.Maker[battleship.Player] {
	s := search{counter: count.New(r.Board())}
	f.Int(&s.shots, "shots", 2, param.Range(1, maxShots), "shots looked ahead, the one to be fired included, shots")
	f.Int(&s.kept, "kept", 8, param.Range(1, maxKept), "squares followed at each step, squares")
	return attack(f, r, func() huntTarget { return target(&s) })
}

// Reversals counts how often LA does not shoot where MP would have shot.
type Reversals struct {
	Games   int64
	Shots   int64 // of both sides, until the enemy fleet is sunk
	Counted int64 // shots for which placements were counted
	// Turned are the counted shots for which no square that LA takes for best has the
	// greatest hit probability.
	Turned int64
	// Moved are the counted shots for which LA does not take the first square in board order of
	// those with the greatest hit probability for best. A program counts them that goes through
	// the squares in order and takes another one only if it is better.
	Moved int64
}

// CountReversals plays games of an LA against itself, fleets placed at random, and adds what it counts
// to r. The values are those of the strategy's parameters. The games are those of the
// seed with numbers from, from+1, ... below to.
func (r *Reversals) CountReversals(rules *battleship.Rules, given param.Values, seed uint64, from, to int64) error {
	counted := arena.Strategy[battleship.Rules, battleship.Player]{New: func(f *param.Fields, rules *battleship.Rules) arena.Maker[battleship.Player] {
		return look(f, rules, func(s *search) huntTarget { return &reversalCounter{search: *s, seen: r} })
	}}
	player, err := counted.Player(rules, given)
	if err != nil {
		return err
	}
	game := battleship.Game()
	referee, err := game.Referee(rules)
	if err != nil {
		return err
	}
	out := arena.NewOutcome(2, len(game.Components))
	for block := from; block < to; block++ {
		if err := referee.Play(&arena.Fixture{Seed: seed, Block: block}, []battleship.Player{player, player}, out); err != nil {
			return err
		}
		r.Games++
		for seat := range 2 {
			r.Shots += out.Counts(seat)[2] // to win
		}
	}
	return nil
}

// reversalCounter is a search that counts reversals.
type reversalCounter struct {
	search
	seen *Reversals
}

var _ huntTarget = (*reversalCounter)(nil)

// Best implements mp.Target.
func (w *reversalCounter) Best(v *battleship.View, hunt *hunt) battleship.Set {
	w.counter.Count(v.Knowledge)
	greatest, _ := w.counter.Best()
	best := w.search.Best(v, hunt)
	w.seen.Counted++
	if !best.Meets(greatest) {
		w.seen.Turned++
	}
	if !best.Has(greatest.First()) {
		w.seen.Moved++
	}
	return best
}

const (
	maxShots = 4
	maxKept  = 32
)

// search is the target of LA.
type search struct {
	counter     *count.Counter
	shots, kept int
	levels      [maxShots]level
}

// level is one step of the sequence being looked at.
type level struct {
	squares [maxKept]battleship.Square
	counts  [maxKept]count.Number
	n       int
}

// Best implements mp.Target: the first squares of the best sequences. Two
// squares can be shot at in either order, so most sequences are tied; of them
// those count that begin with the greatest hit probability.
func (s *search) Best(v *battleship.View, hunt *hunt) battleship.Set {
	if s.shots == 1 {
		s.count(v, battleship.Set{})
		best, _ := s.counter.Best()
		return best
	}
	first := s.follow(v, hunt, battleship.Set{}, 0)
	var best battleship.Set
	var least, most count.Number
	for i, at := range first.squares[:first.n] {
		left, sure := s.fewest(v, hunt, battleship.SetOf(at), 1), first.counts[i]
		better := left.Cmp(least)
		if better == 0 {
			better = most.Cmp(sure)
		}
		switch {
		case best.Empty() || better < 0:
			best, least, most = battleship.SetOf(at), left, sure
		case better == 0:
			best.Add(at)
		}
	}
	return best
}

// fewest returns the number of placements that the best continuation of a sequence
// of misses leaves, found by following the best squares at each step.
func (s *search) fewest(v *battleship.View, hunt *hunt, missed battleship.Set, step int) count.Number {
	if step == s.shots-1 {
		s.count(v, missed)
		_, most := s.counter.Best()
		return minus(s.counter.Total(), most)
	}
	l := s.follow(v, hunt, missed, step)
	least := s.counter.Total() // and 0 where the misses are impossible
	for _, at := range l.squares[:l.n] {
		with := missed
		with.Add(at)
		if left := s.fewest(v, hunt, with, step+1); left.Cmp(least) < 0 {
			least = left
		}
	}
	return least
}

// count counts the placements if shots at the missed squares miss.
func (s *search) count(v *battleship.View, missed battleship.Set) {
	s.counter.CountMissing(v.Knowledge, missed)
	n := s.counter.Total()
	v.Visit(n.Hi, n.Lo)
}

// follow finds the squares to follow after a sequence of misses: those with
// the greatest counts, the last of equal ones by the order of the hunt.
func (s *search) follow(v *battleship.View, hunt *hunt, missed battleship.Set, step int) *level {
	s.count(v, missed)
	l := &s.levels[step]
	l.n = 0
	for rest := v.Unknown().AndNot(missed); l.n < s.kept && !rest.Empty(); {
		var best battleship.Set
		var most count.Number
		for at := range rest.All() {
			switch n := s.counter.At(at); n.Cmp(most) {
			case 1:
				best, most = battleship.SetOf(at), n
			case 0:
				best.Add(at)
			}
		}
		if most.IsZero() {
			break
		}
		rest = rest.AndNot(best)
		for l.n < s.kept && !best.Empty() {
			at := best.First()
			if best.Len() > s.kept-l.n {
				at = draw(hunt.first(v, best), &v.Chance)
			}
			best.Remove(at)
			l.squares[l.n], l.counts[l.n] = at, most
			l.n++
		}
	}
	return l
}

func minus(a, b count.Number) count.Number {
	low, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	high, _ := bits.Sub64(a.Hi, b.Hi, borrow)
	return count.Number{Hi: high, Lo: low}
}
