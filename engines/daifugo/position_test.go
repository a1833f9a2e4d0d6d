package daifugo

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func ExamplePosition_Play() {
	p, _ := New(Rules{Seats: 3, Cards: 3, Ranks: 3})
	p.Play(1)
	fmt.Println("seat", p.Turn(), "on turn, table", p.Table())
	fmt.Println(p.Moves(nil))
	// Output:
	// seat 1 on turn, table 1
	// [2 3 pass]
}

// play makes moves, each of which must be legal.
func play(t *testing.T, p *Position, moves ...Move) {
	t.Helper()
	for _, m := range moves {
		if !p.Legal(m) {
			t.Fatalf("%v is illegal in %+v", m, p.Setup())
		}
		p.Play(m)
	}
}

func dealt(t *testing.T, ranks int, hands ...[]int) Position {
	t.Helper()
	p, err := Setup{Hands: hands, Ranks: ranks}.Position()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTableClearsForWhoPlayedLast(t *testing.T) {
	p := dealt(t, 3, []int{1, 3}, []int{2, 3}, []int{1, 3})
	play(t, &p, 1, Pass, Pass)
	if p.Turn() != 0 || p.Table() != 0 || p.Last() != 0 {
		t.Errorf("turn %d, table %d, last %d after all passed, want 0, 0, 0", p.Turn(), p.Table(), p.Last())
	}
	if p.Legal(Pass) {
		t.Error("the leader may pass")
	}
}

func TestWhoPassedMayPlayAgain(t *testing.T) {
	p := dealt(t, 3, []int{1, 3}, []int{2, 3}, []int{1, 2})
	play(t, &p, 1, Pass, 2)
	if p.Turn() != 0 {
		t.Fatalf("turn %d, want 0", p.Turn())
	}
	play(t, &p, Pass, 3)
	if p.Table() != 3 || p.Turn() != 2 {
		t.Errorf("table %d, turn %d, want 3, 2", p.Table(), p.Turn())
	}
}

// Seat 0 goes out: all others have their turn, then the next one leads.
func TestLeadAfterOut(t *testing.T) {
	p := dealt(t, 4, []int{2}, []int{1, 3}, []int{1, 3}, []int{1, 3})
	play(t, &p, 2)
	if p.Rank(0) != 1 || p.Out() != 1 {
		t.Fatalf("rank %d, %d out", p.Rank(0), p.Out())
	}
	play(t, &p, Pass, Pass)
	if p.Turn() != 3 || p.Table() != 2 {
		t.Fatalf("turn %d, table %d, want 3, 2: not all have had their turn", p.Turn(), p.Table())
	}
	play(t, &p, Pass)
	if p.Turn() != 1 || p.Table() != 0 {
		t.Errorf("turn %d, table %d, want 1, 0", p.Turn(), p.Table())
	}
}

// The seat that played last is out, and so is the next: the one after leads.
func TestLeadSkipsThoseOut(t *testing.T) {
	p, err := Setup{Hands: [][]int{{3}, {}, {1, 2}, {1, 2}}, Out: []int{1}, Ranks: 4}.Position()
	if err != nil {
		t.Fatal(err)
	}
	play(t, &p, 3, Pass, Pass)
	if p.Turn() != 2 || p.Table() != 0 {
		t.Errorf("turn %d, table %d, want 2, 0", p.Turn(), p.Table())
	}
}

func TestEndRanksTheRestLast(t *testing.T) {
	p := dealt(t, 3, []int{1}, []int{2}, []int{1}, []int{1})
	play(t, &p, 1, 2)
	if !p.Over() || p.Rank(0) != 1 || p.Rank(1) != 2 || p.Rank(2) != 3 || p.Rank(3) != 3 {
		t.Errorf("over %v, ranks %d %d %d %d, want 1 2 3 3", p.Over(), p.Rank(0), p.Rank(1), p.Rank(2), p.Rank(3))
	}
	if p.Legal(Pass) || len(p.Moves(nil)) != 0 {
		t.Error("there are moves after the end")
	}
}

func TestRulesRefused(t *testing.T) {
	for _, c := range []struct {
		r    Rules
		want string
	}{
		{Rules{1, 3, 1}, "players: expected 2 to 12, got 1"},
		{Rules{13, 3, 2}, "players: expected"},
		{Rules{3, 0, 2}, "cards: expected 1 to 15 kinds, got 0"},
		{Rules{3, 16, 2}, "cards: expected 1 to 15 kinds, got 16"},
		{Rules{3, 3, 1}, "ranks: expected 2 to 3 (the number of players), got 1"},
		{Rules{3, 3, 4}, "ranks: expected 2 to 3 (the number of players), got 4"},
		{Rules{5, 11, 2}, "players x cards: expected at most 52 cards in all, got 5 x 11 = 55"},
		{Rules{9, 3, 9}, "players x ranks: expected at most 64, with at most 8 ranks, got 9 x 9"},
	} {
		if _, err := New(c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.r, err, c.want)
		}
	}
	if _, err := Deal(Rules{3, 3, 3}, []Hand{1, 0, 1}); err == nil || !strings.Contains(err.Error(), "hands[1]") {
		t.Errorf("an empty hand: error %v", err)
	}
	if _, err := Deal(Rules{3, 3, 3}, []Hand{1, 8, 1}); err == nil || !strings.Contains(err.Error(), "hands[1]") {
		t.Errorf("a kind too high: error %v", err)
	}
	if _, err := Deal(Rules{3, 3, 3}, []Hand{1, 1}); err == nil {
		t.Error("too few hands are dealt")
	}
}

var someRules = []Rules{{2, 6, 2}, {3, 5, 3}, {4, 4, 4}, {5, 3, 3}, {12, 4, 5}, {3, 15, 3}}

// games plays random games, and calls visit for every position with its Moves.
func games(n int, visit func(p Position)) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range someRules {
		for range n {
			hands := make([]Hand, r.Seats)
			for i := range hands {
				hands[i] = Hand(1 + rng.IntN(1<<r.Cards-1))
			}
			p, err := Deal(r, hands)
			if err != nil {
				panic(err)
			}
			for !p.Over() {
				visit(p)
				moves := p.Moves(nil)
				p.Play(moves[rng.IntN(len(moves))])
			}
			visit(p)
		}
	}
}

func TestSetupIsAnInverse(t *testing.T) {
	games(20, func(p Position) {
		q, err := p.Setup().PositionOf(int(p.cards))
		if err != nil {
			t.Fatalf("%+v: %v", p.Setup(), err)
		}
		if q != p {
			t.Fatalf("%+v reads back as %+v", p, q)
		}
	})
}

// The position made from a Canonical has it, and goes on as the original does:
// the same moves, in number and kind, to positions with the same Canonicals.
func TestCanonicalGoesOnAlike(t *testing.T) {
	games(40, func(p Position) {
		if p.Over() {
			return
		}
		c := p.Canonical()
		q := c.Position(int(p.ranks) - p.Out())
		if got := q.Canonical(); got != c {
			t.Fatalf("%+v: canonical %+v, then %+v", p.Setup(), c, got)
		}
		moves, alike := p.Moves(nil), q.Moves(nil)
		if len(moves) != len(alike) {
			t.Fatalf("%+v: moves %v, canonical %v", p.Setup(), moves, alike)
		}
		for i := range moves {
			a, b := p, q
			a.Play(moves[i])
			b.Play(alike[i])
			if a.Over() != b.Over() {
				t.Fatalf("%+v: %v ends one of two", p.Setup(), moves[i])
			}
			if !a.Over() && a.Canonical() != b.Canonical() {
				t.Fatalf("%+v, %v: canonical %+v and %+v", p.Setup(), moves[i], a.Canonical(), b.Canonical())
			}
		}
	})
}

// Equal keys, equal positions, within a game.
func TestKeysTellPositionsApart(t *testing.T) {
	type seen struct {
		rules Rules
		key   uint64
	}
	exact := map[seen]Position{}
	canonical := map[seen]Canonical{}
	games(60, func(p Position) {
		if p.Over() {
			return
		}
		k := seen{p.Rules(), p.Key()}
		q := p
		q.rank, q.out = [MaxSeats]uint8{}, 0 // the order of ranks is not in the key
		if k.key == 0 {
			t.Fatal("a key is 0")
		}
		if old, ok := exact[k]; ok && old != q {
			t.Fatalf("%+v and %+v share a key", old, q)
		}
		exact[k] = q
		c := p.Canonical()
		k.key = c.Key(int(p.cards))
		if old, ok := canonical[k]; ok && old.Hands != c.Hands || ok && (old.Table != c.Table || old.Passes != c.Passes) {
			t.Fatalf("%+v and %+v share a key", old, c)
		}
		canonical[k] = c
	})
}

func TestMovesAreThoseThatAreLegal(t *testing.T) {
	games(10, func(p Position) {
		var legal []Move
		for m := Move(1); m <= Move(p.cards)+1; m++ {
			if p.Legal(m) {
				legal = append(legal, m)
			}
		}
		if p.Legal(Pass) {
			legal = append(legal, Pass)
		}
		if moves := p.Moves(nil); !reflect.DeepEqual(moves, legal) {
			t.Fatalf("%+v: moves %v, legal are %v", p.Setup(), moves, legal)
		}
	})
}

func TestHand(t *testing.T) {
	h, err := handOf([]int{5, 2, 7}, 7)
	if err != nil {
		t.Fatal(err)
	}
	if h.Len() != 3 || h.Lowest() != 2 || h.Highest() != 7 || !h.Has(5) || h.Has(6) || !reflect.DeepEqual(h.Kinds(), []int{2, 5, 7}) {
		t.Errorf("hand %b", h)
	}
	if got := h.Above(5).Kinds(); !reflect.DeepEqual(got, []int{7}) {
		t.Errorf("above 5: %v", got)
	}
	if Hand(0).Lowest() != 0 || Hand(0).Highest() != 0 {
		t.Error("an empty hand has cards")
	}
}
