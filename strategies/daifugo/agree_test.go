package daifugo

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sakusen/engines/daifugo"
	"sakusen/engines/suite"
)

// ruleSets are those on which the solvers are compared.
var ruleSets = []daifugo.Rules{
	{Seats: 2, Cards: 6, Ranks: 2},
	{Seats: 3, Cards: 4, Ranks: 3},
	{Seats: 3, Cards: 5, Ranks: 2},
	{Seats: 4, Cards: 3, Ranks: 4},
	{Seats: 4, Cards: 4, Ranks: 2},
	{Seats: 4, Cards: 4, Ranks: 3},
	{Seats: 5, Cards: 3, Ranks: 3},
	{Seats: 6, Cards: 2, Ranks: 6},
}

// randomPosition returns any position of the rules: any hands, any seats out in any
// order, any card on the table, anybody to move.
func randomPosition(rng *rand.Rand, r daifugo.Rules) daifugo.Position {
	for {
		s := daifugo.Setup{Hands: make([][]int, r.Seats), Ranks: r.Ranks, Table: rng.IntN(r.Cards + 1)}
		last := rng.IntN(r.Seats)
		if s.Table > 0 || rng.IntN(2) == 0 {
			s.Last = &last
		}
		for _, seat := range rng.Perm(r.Seats) {
			h := daifugo.Hand(rng.IntN(1 << r.Cards))
			if h == 0 || len(s.Out) < r.Ranks-2 && rng.IntN(4) == 0 {
				s.Out = append(s.Out, seat)
				continue
			}
			s.Hands[seat] = h.Kinds()
		}
		s.Turn = rng.IntN(r.Seats)
		// Make the number of kinds the rules', whatever happens to be held.
		p, err := s.PositionOf(r.Cards)
		if err == nil && !p.Over() {
			return p
		}
	}
}

func cardCount(p *daifugo.Position) int {
	n := 0
	for i := range p.Rules().Seats {
		n += p.Hand(i).Len()
	}
	return n
}

// The tree search, the graph and the retrograde solver agree on 2 000 random
// positions of each of 8 rule sets (200 by default).
func TestThreeSolversAgree(t *testing.T) {
	each := 2000
	if suite.Few() {
		each = 200
	}
	for n, r := range ruleSets {
		t.Run(fmt.Sprintf("%d players %d kinds %d ranks", r.Seats, r.Cards, r.Ranks), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(n), 7))
			byCards := make([][]daifugo.Position, r.Seats*r.Cards+1)
			for range each {
				p := randomPosition(rng, r)
				byCards[cardCount(&p)] = append(byCards[cardCount(&p)], p)
			}
			s, err := New(r, 1<<28)
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for left := 1; left <= Top(r)+1; left++ {
				for _, p := range byCards[left] {
					compared++
					compare(t, s, p)
				}
				if left <= Top(r) {
					s.Next(Serial)
				}
			}
			if compared != each {
				t.Errorf("%d positions compared, want %d", compared, each)
			}
		})
	}
}

func compare(t *testing.T, s Solver, p daifugo.Position) {
	t.Helper()
	method := full
	if cardCount(&p) > 10 {
		method = pruneTT // the plain tree would take minutes
	}
	tree := Search(p, Options{Method: method}).Value
	g, err := NewGraph(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	dense, err := s.Value(&p)
	if err != nil {
		t.Fatal(err)
	}
	if tree != g.value() || tree != dense {
		r := p.Rules()
		t.Fatalf("%+v: tree %v, graph %v, retrograde %v", p.Setup(), tree.Sets(r), g.value().Sets(r), dense.Sets(r))
	}
}

// The graph's counts are the searches' own, from any position.
func TestCountsAgreeWithSearches(t *testing.T) {
	for n, r := range ruleSets {
		rng := rand.New(rand.NewPCG(uint64(n), 8))
		for range 40 {
			p := randomPosition(rng, r)
			if cardCount(&p) > 9 {
				continue
			}
			g, err := NewGraph(p, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []Method{full, prune, pruneID} {
				want := Search(p, Options{Method: m})
				got, err := g.Count(m)
				if err != nil {
					t.Fatal(err)
				}
				if got.Nodes.Uint64() != want.Nodes || got.Depth != want.Depth {
					t.Fatalf("%+v: %s: count %v(%d), search %d(%d)", p.Setup(), m, got.Nodes, got.Depth, want.Nodes, want.Depth)
				}
			}
		}
	}
}

// Reachable canonical positions of 3 players, 3 ranks, 1 to 6 kinds.
func TestGraphSize(t *testing.T) {
	for i, want := range []int{4, 30, 679, 9233, 95143, 861829} {
		if suite.Few() && i == 5 {
			break
		}
		r := daifugo.Rules{Seats: 3, Cards: i + 1, Ranks: 3}
		p, err := daifugo.New(r)
		if err != nil {
			t.Fatal(err)
		}
		g, err := NewGraph(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if g.positions() != want {
			t.Errorf("%d kinds: %d canonical positions, want %d", i+1, g.positions(), want)
		}
		if bytes := uint64(len(g.nodes)) * graphBytes; bytes > graphEstimate(r) {
			t.Errorf("%d kinds: %d bytes, more than the estimate of %d", i+1, bytes, graphEstimate(r))
		}
	}
}

func TestGraphLimit(t *testing.T) {
	p, _ := daifugo.New(daifugo.Rules{Seats: 3, Cards: 4, Ranks: 3})
	if _, err := NewGraph(p, 9232); err == nil {
		t.Error("9233 positions fit a limit of 9232")
	}
	if _, err := NewGraph(p, 9233); err != nil {
		t.Error(err)
	}
}

// Counts beyond 64 bits: with numbers of one word only, twice as many are taken.
func TestCountOfAnySize(t *testing.T) {
	suite.All(t)
	p, _ := daifugo.New(daifugo.Rules{Seats: 7, Cards: 3, Ranks: 7})
	g, err := NewGraph(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.Count(full)
	if err != nil {
		t.Fatal(err)
	}
	for _, limbs := range []int{1, 2, 5} {
		tl := &tally{graph: g, limbs: limbs}
		if got := tl.tree(func(n *node) uint32 { return n.last }); got.Nodes.Cmp(c.Nodes) != 0 || tl.overflow {
			t.Errorf("%d words: %v, want %v", limbs, got.Nodes, c.Nodes)
		}
	}
	if _, err := g.Count(pruneTT); err == nil {
		t.Error("prune+tt has an exact count")
	}
}
