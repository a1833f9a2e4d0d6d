package battleship

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"sakusen/engines/battleship"
)

// fold decides by a hash of the squares shot at and the answers, and counts how
// often it was asked.
type fold struct{ asked int }

func (f *fold) Choose(k *battleship.Knowledge) decision {
	f.asked++
	h := uint64(k.Sinkings() + 1)
	for s := range k.Hits().All() {
		h = (h ^ uint64(s)) * 0x9E3779B97F4A7C15
	}
	for s := range k.Misses().All() {
		h = (h ^ uint64(s) ^ 1<<40) * 0xBF58476D1CE4E5B9
	}
	left := k.Unshot()
	return decision{At: left.Nth(int(h>>33) % left.Len()), Work: h >> 24}
}

// decisionsGame walks one game against a random board and reports whether every
// decision is what the chooser alone would have said.
func decisionsGame(w *walk, seed uint64, c chooser, check bool) bool {
	board, _ := battleship.NewBoard(6, 6)
	fleet, _ := battleship.NewNameless(3, 2)
	k := battleship.NewKnowledge(board, fleet)
	r := rand.New(rand.NewPCG(seed, 0))
	w.Reset()
	for range 30 {
		d := w.next(k, c)
		if check {
			if want := (&fold{}).Choose(k); d.At != want.At || d.Work != min(want.Work, maxWork) {
				return false
			}
		}
		answer := battleship.Miss
		switch n := r.IntN(8); {
		case n == 0 && k.Afloat() > 0 && k.Hits().Len() > 3:
			answer = battleship.Sunk(fleet.Ships() - k.Afloat())
		case n < 3:
			answer = battleship.Hit
		}
		k.Record(d.At, answer)
	}
	return true
}

func TestTreeDecidesAsTheChooser(t *testing.T) {
	for _, bytes := range []int{1, 1 << 20} {
		tree, c := newTree(bytes), &fold{}
		w := newWalk(tree, 20)
		for seed := range uint64(3000) {
			if !decisionsGame(w, seed%1500, c, true) {
				t.Fatalf("limit %d, game %d: the tree decides otherwise than the chooser", bytes, seed)
			}
		}
		if most := bytes/nodeBytes + chunkNodes; int(min(tree.used.Load(), tree.limit))-1 > most {
			t.Errorf("limit %d: %d decisions", bytes, tree.used.Load())
		}
		if bytes > 1 && c.asked >= 3000*30*3/4 {
			t.Errorf("the chooser was asked %d times in 3000 games, half of them repeated", c.asked)
		}
	}
}

// TestSharedTree is worth most under the race detector.
func TestSharedTree(t *testing.T) {
	tree := newTree(200 << 10)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			w := newWalk(tree, 25)
			for seed := range uint64(500) {
				if !decisionsGame(w, seed, &fold{}, true) {
					t.Errorf("game %d: the shared tree decides otherwise than the chooser", seed)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestTreePoolSharesAndForgets(t *testing.T) {
	var s treePool
	a := s.tree("a", 1<<20)
	if s.tree("a", 1<<20) != a || s.tree("b", 1<<20) == a || s.tree("a", 2<<20) == a {
		t.Error("the treePool mixes its trees up")
	}
	runtime.KeepAlive(a)
	for range 3 {
		runtime.GC()
	}
	s.tree("c", 1<<20)
	if len(s.trees) > 1 {
		t.Errorf("the treePool holds %d trees that nobody walks", len(s.trees)-1)
	}
}
