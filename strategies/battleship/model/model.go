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
