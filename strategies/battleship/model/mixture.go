package model

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/decisions"
	"sakusen/strategies/battleship/exact"
	"sakusen/strategies/battleship/place"
)

// mixture is the components and the belief in them.
type mixture struct {
	board *battleship.Board
	limit exact.Greatest
	parts []part
	share [battleship.MaxSquares]float64 // scratch: of the component at hand
	hit   [battleship.MaxSquares]float64
}

// part is a component with its prior.
type part struct {
	prior float64
	component
}

// A component is one placement strategy as a distribution.
type component interface {
	// weigh is Nc(K) / Nc(nothing) and, unless that is 0, the probability of
	// a ship on every square not shot; work is the placements looked at.
	weigh(k *battleship.Knowledge, share *[battleship.MaxSquares]float64) (agree float64, work uint64)
}

// newMixture makes the components that the rules have room for.
func newMixture(r *battleship.Rules, p *prior, forms int) (*mixture, error) {
	m := &mixture{board: r.Board(), limit: exact.Greatest{Counter: count.New(r.Board()), Forms: forms}}
	if m.limit.Dear(battleship.NewKnowledge(r.Board(), r.Fleet())) {
		// The share of all placements that agrees is not known here, so no other component
		// can be weighed against it.
		m.parts = []part{{1, &counted{board: r.Board(), fleet: r.Fleet(), area: r.Board().All(), all: 1, apart: 1, counter: count.New(r.Board())}}}
		return m, nil
	}
	for _, kind := range []struct {
		name   string
		weight float64
	}{{"random", 1}, {"edge1", p.edge1}, {"edge2", p.edge2}, {"packed", p.packed}} {
		for _, separated := range []bool{false, true} {
			weight := kind.weight * (1 - p.separated)
			if separated {
				weight = kind.weight * p.separated
			}
			if weight == 0 || kind.name == "packed" && p.samples == 0 {
				continue
			}
			placer, ok, err := placer(r, kind.name, separated)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			var c component
			if kind.name == "packed" {
				c = newSample(r, placer, p.samples)
			} else {
				c, err = newCounted(r, kind.name, separated)
				if err != nil {
					return nil, err
				}
			}
			m.parts = append(m.parts, part{weight, c})
		}
	}
	return m, nil
}

// placer makes the placer of a component; ok is false where the fleet cannot be
// placed so.
func placer(r *battleship.Rules, kind string, separated bool) (p *place.Placer, ok bool, err error) {
	var group place.Group
	f, err := param.Bind(func(f *param.Fields) { group.Declare(f, r) })
	if err != nil {
		return nil, false, err
	}
	given := param.Values{{Name: "kind", Text: kind}, {Name: "draw", Text: "joint"}}
	if separated {
		given = append(given, param.Value{Name: "separated", Text: "true"})
	}
	if _, errs := f.Assign(given); len(errs) > 0 {
		return nil, false, errs[0]
	}
	p, err = group.Placer(r)
	return p, err == nil, nil
}

// Choose implements decisions.Chooser: the first square with the greatest
// probability of a hit, those within a thousand-millionth of it counting as
// equal.
func (m *mixture) Choose(k *battleship.Knowledge) decisions.Decision {
	if m.limit.Dear(k) {
		return decisions.Decision{At: exact.Estimate(k)}
	}
	unshot := k.Unshot()
	for s := range unshot.All() {
		m.hit[s] = 0
	}
	var d decisions.Decision
	for i := range m.parts {
		agree, work := m.parts[i].weigh(k, &m.share)
		d.Work += work
		if agree == 0 {
			continue
		}
		belief := float64(m.parts[i].prior * agree)
		for s := range unshot.All() {
			m.hit[s] += float64(belief * m.share[s])
		}
	}
	d.Work = min(d.Work, decisions.MaxWork)
	most := 0.0
	for s := range unshot.All() {
		if m.hit[s] > float64(most*(1+1e-9)) {
			d.At, most = s, m.hit[s]
		}
	}
	return d
}
