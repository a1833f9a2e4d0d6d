package daifugo

import "testing"

// tree is the size of the full tree below a position: nodes, those with moves, and those
// with a choice of moves and how many these have. The counts are floats, as large trees
// exceed 64 bits.
type tree struct{ nodes, inner, open, choices float64 }

func treeOf(p *Position, known map[uint64]tree) tree {
	if p.Over() {
		return tree{nodes: 1}
	}
	key := p.Key()
	if t, ok := known[key]; ok {
		return t
	}
	t := tree{nodes: 1, inner: 1}
	moves := p.Moves(nil)
	if len(moves) > 1 {
		t.open, t.choices = 1, float64(len(moves))
	}
	for _, m := range moves {
		next := *p
		next.Play(m)
		below := treeOf(&next, known)
		t.nodes += below.nodes
		t.inner += below.inner
		t.open += below.open
		t.choices += below.choices
	}
	known[key] = t
	return t
}

// TestBranching: the paper's section 5 says that the average number of moves is about 2.0
// with five kinds of card.
func TestBranching(t *testing.T) {
	for _, r := range []Rules{{Seats: 3, Cards: 3, Ranks: 3}, {Seats: 3, Cards: 4, Ranks: 3}, {Seats: 3, Cards: 5, Ranks: 2}, {Seats: 3, Cards: 5, Ranks: 3}} {
		p, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		all := treeOf(&p, map[uint64]tree{})
		mean := (all.nodes - 1) / all.inner
		t.Logf("%+v: %.0f nodes, %.2f moves on average, %.2f where there is a choice", r, all.nodes, mean, all.choices/all.open)
		if choice := all.choices / all.open; mean < 1.37 || mean > 1.43 || choice < 2.12 || choice > 2.17 {
			t.Errorf("%+v: %.3f moves on average, %.3f where there is a choice", r, mean, choice)
		}
	}
}
