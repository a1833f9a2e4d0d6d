package model

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/decisions"
	"sakusen/strategies/battleship/exact"
	"sakusen/strategies/battleship/place"
)

// Strategy is the strategy's entry in the catalogue. Players with the same
// prior share their decision tree.
func Strategy() arena.Strategy[battleship.Rules, battleship.Player] {
	shelf := &decisions.Shelf{}
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "model",
		Doc:    "Like exact, but guesses from the answers how the enemy places its fleet (OM).",
		Source: "ours, after Sakuta and Iida 2002, section 7",
		New:    func() arena.Config[battleship.Rules, battleship.Player] { return &config{shelf: shelf} },
		Sign:   param.Values{{Name: "samples", Text: "200"}},
	}
}

type config struct {
	shelf *decisions.Shelf
	prior prior
	keep  exact.Keep
	place place.Group
}

// prior is the belief before the first shot.
type prior struct {
	edge1, edge2, packed float64 // weights, that of placements anywhere being 1
	separated            float64 // share of each that is separated
	samples              int     // of each form of packed
}

func (p *prior) declare(f *param.Fields) {
	f.Group("weight", func(f *param.Fields) {
		f.Float(&p.edge1, "edge1", 0.002, param.Log(1e-6, 100), "prior weight of placements along the edge, that of placements anywhere being 1")
		f.Float(&p.edge2, "edge2", 0.002, param.Log(1e-6, 100), "prior weight of placements on the two outer rings, that of placements anywhere being 1")
		f.Float(&p.packed, "packed", 0.002, param.Log(1e-6, 100), "prior weight of placements packed into a rectangle, that of placements anywhere being 1")
	})
	f.Float(&p.separated, "separated", 0.02, param.Log(1e-6, 0.999), "share of each kind of placement that keeps its ships apart")
	f.Int(&p.samples, "samples", 5000, param.Range(0, 100_000), "placements drawn of each form of packed, placements", param.Fixed())
}

func (c *config) Declare(f *param.Fields, r *battleship.Rules) {
	c.prior.declare(f)
	c.keep.Declare(f, 30, 24)
	f.Group("place", func(f *param.Fields) { c.place.Declare(f, r) })
}

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	placer, err := c.place.Placer(r)
	if err != nil {
		return nil, err
	}
	mix, err := newMixture(r, &c.prior, c.keep.Forms)
	if err != nil {
		return nil, err
	}
	return &player{placer, c.keep.Walk(c.shelf, decisions.Key(r, c.prior, c.keep.Forms)), mix}, nil
}

type player struct {
	*place.Placer
	walk    *decisions.Walk
	mixture *mixture
}

func (p *player) Aim(*battleship.View) { p.walk.Reset() }

func (p *player) Shoot(v *battleship.View) battleship.Square {
	d := p.walk.Next(v.Knowledge, p.mixture)
	v.Visit(0, d.Work)
	return d.At
}

// least is the placements of a sample that have to agree for it to be believed.
// Fewer say nothing about the share of all that agree: with one of 2,000 the
// belief is off by orders of magnitude as often as there is one, which cost 0.5
// shots against R at a prior of one in a thousand.
const least = 25

// sample is a component known by placements drawn from it.
type sample struct {
	fleet  *battleship.Fleet
	n      int
	covers []battleship.Set // by placement
	lines  []battleship.Set // by placement and ship
	hits   [battleship.MaxSquares]int
}

func newSample(r *battleship.Rules, p *place.Placer, n int) *sample {
	s := &sample{fleet: r.Fleet(), n: n}
	chance := arena.NewStream(uint64(n), 0x504b)
	fleet := make([]battleship.Placement, s.fleet.Ships())
	for range n {
		p.Place(&chance, fleet)
		var all battleship.Set
		for _, at := range fleet {
			line := r.Board().Covers(s.fleet, at)
			s.lines = append(s.lines, line)
			all = all.Or(line)
		}
		s.covers = append(s.covers, all)
	}
	return s
}

// weigh implements component.
func (s *sample) weigh(k *battleship.Knowledge, share *[battleship.MaxSquares]float64) (agree float64, work uint64) {
	unshot, hits, misses := k.Unshot(), k.Hits(), k.Misses()
	for at := range unshot.All() {
		s.hits[at] = 0
	}
	found := 0
	ships := s.fleet.Ships()
	for i, all := range s.covers {
		if all.Meets(misses) || !hits.Within(all) || !s.agrees(k, s.lines[i*ships:(i+1)*ships], hits) {
			continue
		}
		found++
		for at := range all.AndNot(hits).All() {
			s.hits[at]++
		}
	}
	if found < least {
		return 0, uint64(found)
	}
	for at := range unshot.All() {
		share[at] = float64(s.hits[at]) / float64(found)
	}
	return float64(found) / float64(s.n), uint64(found)
}

// agrees reports whether ships that lie so would have sunk as they did: the
// ship on a square that sank one is of that class and was hit all over then,
// and no other is.
func (s *sample) agrees(k *battleship.Knowledge, lines []battleship.Set, hits battleship.Set) bool {
	sunk := 0
	for ship, line := range lines {
		if line.Within(hits) {
			sunk |= 1 << ship
		}
	}
	for i := range k.Sinkings() {
		sinking := k.Sinking(i)
		ok := false
		for ship, line := range lines {
			if line.Has(sinking.At) {
				ok = s.fleet.Alike(ship) == s.fleet.Alike(sinking.Ship) && line.Within(sinking.Hits)
				sunk &^= 1 << ship
				break
			}
		}
		if !ok {
			return false
		}
	}
	return sunk == 0
}
