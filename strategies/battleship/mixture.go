package battleship

import (
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
)

// mixture is the components and the belief in them.
type mixture struct {
	limit greatestSquare
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
	m := &mixture{limit: greatestSquare{Counter: count.New(r.Board()), Forms: forms}}
	if m.limit.dear(battleship.NewKnowledge(r.Board(), r.Fleet())) {
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
func placer(r *battleship.Rules, kind string, separated bool) (p *fleetPlacer, ok bool, err error) {
	var group placement
	given := param.Values{{Name: "kind", Text: kind}, {Name: "draw", Text: "joint"}}
	if separated {
		given = append(given, param.Value{Name: "separated", Text: "true"})
	}
	if err := param.Set(given, func(f *param.Fields) { group.declare(f, r) }); err != nil {
		return nil, false, err
	}
	p, err = group.placer(r)
	return p, err == nil, nil
}

// Choose implements decisions.Chooser: the first square with the greatest
// probability of a hit, those within a thousand-millionth of it counting as
// equal.
func (m *mixture) Choose(k *battleship.Knowledge) decision {
	if m.limit.dear(k) {
		return decision{At: estimate(k)}
	}
	unshot := k.Unshot()
	for s := range unshot.All() {
		m.hit[s] = 0
	}
	var d decision
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
	d.Work = min(d.Work, maxWork)
	most := 0.0
	for s := range unshot.All() {
		if m.hit[s] > float64(most*(1+1e-9)) {
			d.At, most = s, m.hit[s]
		}
	}
	return d
}

// counted is a component whose placements are counted: all those inside an
// area, or the separated ones among them.
type counted struct {
	board     *battleship.Board
	fleet     *battleship.Fleet
	area      battleship.Set
	separated bool
	apart     float64 // share of the placements in the area that are separated
	all       float64 // placements before the first shot
	counter   *count.Counter
}

// drawn is the placements drawn to find what share of them is separated.
const drawn = 1000

func newCounted(r *battleship.Rules, kind string, separated bool) (*counted, error) {
	c := &counted{board: r.Board(), fleet: r.Fleet(), separated: separated, apart: 1, counter: count.New(r.Board())}
	c.area = c.board.All()
	if rings := map[string]int{"edge1": 1, "edge2": 2}[kind]; rings > 0 {
		for row := rings; row < c.board.Height()-rings; row++ {
			for column := rings; column < c.board.Width()-rings; column++ {
				c.area.Remove(c.board.At(column, row))
			}
		}
	}
	if separated && r.Fitted() {
		c.area = c.area.AndNot(corners(c.board))
	}
	k := battleship.NewKnowledge(c.board, c.fleet)
	n := c.counter.Placements(k, c.board.All().AndNot(c.area))
	c.all = n.Float()
	if n.IsZero() {
		return nil, fmt.Errorf("model: expected a board with room for the fleet on the squares of %s, got %d x %d", kind, c.board.Width(), c.board.Height())
	}
	if separated {
		if err := c.split(r, kind); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// split finds the share of separated placements, by the same draws always.
func (c *counted) split(r *battleship.Rules, kind string) error {
	p, ok, err := placer(r, kind, false)
	if err != nil || !ok {
		return fmt.Errorf("model: expected room for the fleet as %s: %w", kind, err)
	}
	chance := arena.NewStream(uint64(len(kind)), 0x4f4d)
	fleet := make([]battleship.Placement, c.fleet.Ships())
	apart, inside := 0.5, 1.0 // no share is taken for nothing
	for range drawn {
		p.Place(&chance, fleet)
		if !c.holds(fleet) {
			continue
		}
		inside++
		if c.isSeparated(fleet) {
			apart++
		}
	}
	c.apart = apart / inside
	c.all = float64(c.all * c.apart)
	return nil
}

// holds reports whether a fleet lies in the area.
func (c *counted) holds(fleet []battleship.Placement) bool {
	for _, p := range fleet {
		if !c.board.Covers(c.fleet, p).Within(c.area) {
			return false
		}
	}
	return true
}

func (c *counted) isSeparated(fleet []battleship.Placement) bool {
	var near battleship.Set
	for _, p := range fleet {
		line := c.board.Covers(c.fleet, p)
		if line.Meets(near) {
			return false
		}
		near = near.Or(c.board.Spread(line))
	}
	return true
}

// weigh implements component.
func (c *counted) weigh(k *battleship.Knowledge, share *[battleship.MaxSquares]float64) (agree float64, work uint64) {
	if !k.Hits().Within(c.area) {
		return 0, 0
	}
	unshot := k.Unshot()
	empty := unshot.AndNot(c.area)
	apart := 1.0
	if c.separated {
		if k.Loose() > 0 || c.touch(k) {
			return 0, 0
		}
		empty = empty.Or(c.board.Spread(k.Settled()).And(unshot))
		pairs := c.fleet.Ships() * (c.fleet.Ships() - 1)
		if afloat := k.Afloat(); pairs > 0 {
			apart = math.Pow(c.apart, float64(afloat*(afloat-1))/float64(pairs))
		}
	}
	c.counter.CountMissing(k, empty)
	total := c.counter.Total()
	if total.IsZero() {
		return 0, 0
	}
	n := total.Float()
	for s := range unshot.All() {
		share[s] = 0
		if !empty.Has(s) {
			share[s] = c.counter.At(s).Float() / n
		}
	}
	return float64(n*apart) / c.all, workOf(total)
}

// touch reports whether a settled ship has a hit beside it that is not its own.
func (c *counted) touch(k *battleship.Knowledge) bool {
	hits := k.Hits()
	for i := range k.Sinkings() {
		s := k.Sinking(i)
		line := c.board.Covers(c.fleet, s.Place)
		if c.board.Spread(line).AndNot(line).Meets(hits) {
			return true
		}
	}
	return false
}
