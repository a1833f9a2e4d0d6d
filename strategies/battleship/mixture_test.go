package battleship

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

func classic(t *testing.T) *battleship.Rules {
	t.Helper()
	d := battleship.Game()
	r := &battleship.Rules{}
	f, err := param.Bind(func(f *param.Fields) { d.Declare(r, f) })
	if err != nil {
		t.Fatal(err)
	}
	if _, errs := f.Assign(nil); len(errs) > 0 {
		t.Fatal(errs)
	}
	if err := d.Check(r); err != nil {
		t.Fatal(err)
	}
	return r
}

// shoot plays random shots at a drawn fleet and shows every position.
func shoot(t *testing.T, r *battleship.Rules, kind string, separated bool, game uint64, see func(*battleship.Knowledge)) {
	t.Helper()
	p, ok, err := placer(r, kind, separated)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	chance := arena.NewStream(game, 1)
	fleet := make([]battleship.Placement, r.Fleet().Ships())
	p.Place(&chance, fleet)
	k := battleship.NewKnowledge(r.Board(), r.Fleet())
	for !k.Over() {
		see(k)
		left := k.Unshot()
		at := left.Nth(chance.IntN(left.Len()))
		answer := battleship.Miss
		for ship, spot := range fleet {
			if line := r.Board().Covers(r.Fleet(), spot); line.Has(at) {
				answer = battleship.Hit
				if line.Within(k.Hits().Or(battleship.SetOf(at))) {
					answer = battleship.Sunk(ship)
				}
			}
		}
		k.Record(at, answer)
	}
}

// TestComponents: a component is never ruled out by fleets of its own, and the
// probabilities of the squares add up to the squares still to be hit.
func TestComponents(t *testing.T) {
	r := classic(t)
	for _, kind := range []string{"random", "edge1", "edge2"} {
		for _, separated := range []bool{false, true} {
			c, err := newCounted(r, kind, separated)
			if err != nil {
				t.Fatal(err)
			}
			for game := range uint64(2) {
				shots := 0
				shoot(t, r, kind, separated, game, func(k *battleship.Knowledge) {
					if shots++; shots%7 != 1 {
						return
					}
					var share [battleship.MaxSquares]float64
					agree, _ := c.weigh(k, &share)
					if agree <= 0 || shots == 1 && math.Abs(agree-1) > 1e-9 {
						t.Fatalf("%s, separated %v, after %d shots: agrees %g", kind, separated, shots-1, agree)
					}
					sum := 0.0
					for s := range k.Unshot().All() {
						sum += share[s]
					}
					if want := float64(r.Fleet().Squares() - k.Hits().Len()); math.Abs(sum-want) > 1e-6 {
						t.Fatalf("%s, separated %v: probabilities add up to %g, want %g", kind, separated, sum, want)
					}
				})
			}
		}
	}
}

// TestSampleKeepsItself: every placement of a sample agrees with a game against
// itself to the end.
func TestSampleKeepsItself(t *testing.T) {
	r := classic(t)
	p, _, err := placer(r, "packed", true)
	if err != nil {
		t.Fatal(err)
	}
	for game := range uint64(20) {
		s := &sample{fleet: r.Fleet(), n: 1}
		chance := arena.NewStream(game, 1)
		fleet := make([]battleship.Placement, r.Fleet().Ships())
		p.Place(&chance, fleet)
		for _, at := range fleet {
			s.lines = append(s.lines, r.Board().Covers(r.Fleet(), at))
		}
		shoot(t, r, "packed", true, game, func(k *battleship.Knowledge) {
			if !s.agrees(k, s.lines, k.Hits()) {
				t.Fatal("a placement disagrees with its own answers")
			}
		})
	}
}

// TestBeliefFollowsTheEdge: a few answers along the edge and inside decide.
func TestBeliefFollowsTheEdge(t *testing.T) {
	r := classic(t)
	m, err := newMixture(r, &prior{edge1: 0.002, edge2: 0.002, packed: 0.002, separated: 0.02, samples: 500}, 500)
	if err != nil {
		t.Fatal(err)
	}
	k := battleship.NewKnowledge(r.Board(), r.Fleet())
	for _, name := range []string{"e5", "f6", "d3", "g8", "c7", "h4"} {
		at, _ := r.Board().Parse(name)
		k.Record(at, battleship.Miss)
	}
	for _, name := range []string{"a4", "j6", "e1", "d10"} {
		at, _ := r.Board().Parse(name)
		k.Record(at, battleship.Hit)
	}
	at := m.Choose(k).At
	if b := r.Board(); b.Row(at)%9 != 0 && b.Column(at)%9 != 0 {
		t.Errorf("shoots at %s after hits on the edge alone", b.Name(at))
	}
}
