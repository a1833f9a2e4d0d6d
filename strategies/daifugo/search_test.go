package daifugo

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sakusen/engines/daifugo"
	"sakusen/engines/suite"
)

// deal returns a random opening after a few random moves, not over.
func deal(rng *rand.Rand, r daifugo.Rules) daifugo.Position {
	for {
		hands := make([]daifugo.Hand, r.Seats)
		for i := range hands {
			hands[i] = daifugo.Hand(1 + rng.IntN(1<<r.Cards-1))
		}
		p, err := daifugo.Deal(r, hands)
		if err != nil {
			panic(err)
		}
		for range rng.IntN(6) {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p.Play(moves[rng.IntN(len(moves))])
		}
		if !p.Over() {
			return p
		}
	}
}

// options returns sets of options that must all find the plain tree's value.
func options() []Options {
	var all []Options
	for _, m := range Methods()[1:] {
		for _, o := range []Options{
			{}, {Open: true}, {Step: 1}, {Step: 5, Open: true}, {Order: descending}, {Order: passFirst},
			{Interior: true}, {Interior: true, Open: true, Step: 3},
		} {
			o.Method = m
			all = append(all, o)
			if !m.Remembers() {
				continue
			}
			o.Key = canonicalKey
			all = append(all, o)
			for _, replace := range Replaces() {
				o.Bits, o.Replace = 5, replace
				all = append(all, o)
			}
		}
	}
	return all
}

func TestEveryOptionFindsTheSameRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	rules := []daifugo.Rules{{Seats: 2, Cards: 4, Ranks: 2}, {Seats: 3, Cards: 4, Ranks: 3}, {Seats: 4, Cards: 3, Ranks: 4}, {Seats: 4, Cards: 3, Ranks: 2}, {Seats: 5, Cards: 2, Ranks: 4}}
	each := 30
	if suite.Few() {
		each = 5
	}
	for _, r := range rules {
		for range each {
			p := deal(rng, r)
			want := Search(p, Options{Method: full})
			for _, o := range options() {
				if err := o.Validate(); err != nil {
					t.Fatal(err)
				}
				if got := Search(p, o); got.Value != want.Value {
					t.Fatalf("%+v in %+v: %v, want %v", o, p.Setup(), got.Value.Sets(r), want.Value.Sets(r))
				}
			}
		}
	}
}

// S(P) from Analyse is S(P) from the plain trees of the children.
func TestAnalyse(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, r := range []daifugo.Rules{{Seats: 3, Cards: 4, Ranks: 3}, {Seats: 4, Cards: 3, Ranks: 3}, {Seats: 2, Cards: 5, Ranks: 2}} {
		for range 60 {
			p := deal(rng, r)
			moves := p.Moves(nil)
			values := make([]Value, len(moves))
			for i, m := range moves {
				child := p
				child.Play(m)
				values[i] = Search(child, Options{Method: full}).Value
			}
			var best []daifugo.Move
			for i := range values {
				if keeps(values, i, p.Turn(), r.Ranks) {
					best = append(best, moves[i])
				}
			}
			a := analyse(p, 0)
			if !reflect.DeepEqual(a.Best, best) || a.Value != Search(p, Options{Method: full}).Value {
				t.Fatalf("%+v: %v %v, want %v", p.Setup(), a.Best, a.Value.Sets(r), best)
			}
			c := newChooser(r, searchPlan{Budget: 1 << 30, Step: 2, Bits: 12, Guess: everything})
			c.look(&p)
			if !c.Solved || !reflect.DeepEqual(c.Values, values) {
				t.Fatalf("%+v: a Chooser with nodes enough finds %v, want %v", p.Setup(), c.Values, values)
			}
		}
	}
}

// A Chooser never searches beyond its budget, and has a value for every move.
func TestChooserBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	r := daifugo.Rules{Seats: 5, Cards: 6, Ranks: 5}
	for _, budget := range []int{1, 10, 100, 1000} {
		c := newChooser(r, searchPlan{Budget: budget, Step: 2, Bits: 8, Guess: everything})
		for range 50 {
			p := deal(rng, r)
			c.look(&p)
			if len(c.Values) != len(p.Moves(nil)) || c.Nodes > uint64(max(budget, len(c.Values))) {
				t.Fatalf("budget %d: %d nodes, %d values for %d moves", budget, c.Nodes, len(c.Values), len(p.Moves(nil)))
			}
			for _, v := range c.Values {
				for seat := range r.Seats {
					if v.at(seat, r.Ranks) == 0 {
						t.Fatalf("a value without ranks for seat %d", seat)
					}
				}
			}
		}
	}
}

func TestRankingLimit(t *testing.T) {
	p, _ := daifugo.New(daifugo.Rules{Seats: 3, Cards: 3, Ranks: 3})
	for _, m := range Methods() {
		n := Search(p, Options{Method: m}).Nodes
		if r := Search(p, Options{Method: m, Limit: n}); r.Over || r.Nodes != n {
			t.Errorf("%s: over at exactly its %d nodes", m, n)
		}
		if r := Search(p, Options{Method: m, Limit: n - 1}); !r.Over || r.Value != 0 {
			t.Errorf("%s: not over below its %d nodes", m, n)
		}
	}
}

func TestBoundedTable(t *testing.T) {
	p, _ := daifugo.New(daifugo.Rules{Seats: 3, Cards: 4, Ranks: 3})
	exact := Search(p, Options{Method: pruneTT})
	for _, replace := range Replaces() {
		small := Search(p, Options{Method: pruneTT, Bits: 8, Replace: replace})
		if small.Nodes <= exact.Nodes || small.Entries > 1<<8 || small.Value != exact.Value {
			t.Errorf("%s: %d nodes with 256 entries (%d used), %d with all", replace, small.Nodes, small.Entries, exact.Nodes)
		}
		large := Search(p, Options{Method: pruneTT, Bits: PaperBits, Replace: replace})
		if large.Nodes != exact.Nodes {
			t.Errorf("%s: %d nodes with 2^20 entries, %d with all", replace, large.Nodes, exact.Nodes)
		}
	}
}

func TestOptionsRefused(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Method: "best"}, `method: expected one of`},
		{Options{Method: full, Step: -2}, "step: expected"},
		{Options{Method: full, Order: "up"}, "order: expected"},
		{Options{Method: full, Key: "zobrist"}, "key: expected"},
		{Options{Method: full, Bits: 29}, "table bits: expected 0 (unbounded) to 28, got 29"},
		{Options{Method: full, Replace: "oldest"}, "replacement: expected one of"},
	} {
		if err := c.o.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
}

func TestLiftAndLower(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	r := daifugo.Rules{Seats: 5, Cards: 3, Ranks: 4}
	for range 500 {
		p := deal(rng, r)
		v := everything(&p) &^ ranked(&p)
		left := r.Ranks - p.Out()
		if got := lift(&p, lower(&p, v, left), left); got != v {
			t.Fatalf("%v, want %v", got.Sets(r), v.Sets(r))
		}
	}
}
