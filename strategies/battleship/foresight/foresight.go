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
