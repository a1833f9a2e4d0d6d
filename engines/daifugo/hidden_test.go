package daifugo

import (
	"testing"

	"sakusen/engines/arena"
)

// A deal that is drawn has the mover's hand, as many cards for everybody else, and none
// that was played; all such hands are equally likely.
func TestViewDeals(t *testing.T) {
	p, err := Deal(Rules{Seats: 3, Cards: 5, Ranks: 3}, []Hand{0b10110, 0b01011, 0b11100})
	if err != nil {
		t.Fatal(err)
	}
	played := make([]Hand, 3)
	for _, m := range []Move{2, 4} { // seat 0, then seat 1
		played[p.Turn()] |= 1 << (m - 1)
		p.Play(m)
	}
	v := See(&p, played)
	if k := &v.known; k.Turn() != 2 || k.Hand(2) != 0b11100 || v.counts[0] != 2 || v.Played(1) != 0b01000 || k.Table() != 4 || k.Last() != 1 {
		t.Fatalf("view %+v", v)
	}
	chance := arena.NewStream(1, 2)
	seen := map[Hand]int{}
	const draws = 6000
	for range draws {
		q := v.Deal(&chance)
		if q.Hand(2) != p.Hand(2) || q.Table() != 4 || q.Turn() != 2 || q.Hand(1).Len() != 2 || q.Hand(1).Has(4) || q.Hand(0).Has(2) {
			t.Fatalf("a deal that cannot be: %+v", q)
		}
		seen[q.Hand(0)]++
	}
	// Two of the four kinds that seat 0 has not played: 1 000 each, standard deviation 29.
	if len(seen) != 6 {
		t.Errorf("%d hands of seat 0, want 6", len(seen))
	}
	for h, n := range seen {
		if n < 880 || n > 1120 {
			t.Errorf("%v is drawn %d times of %d", h.Kinds(), n, draws)
		}
	}
}

// spy notes the hands that it is shown.
type spy struct{ others *[]Hand }

func (s spy) Choose(p *Position, _ *arena.Stream) (Move, int64) {
	*s.others = append(*s.others, p.Hand((p.Turn()+1)%3))
	return p.Moves(nil)[0], 0
}

// Where hands are hidden, no player of open hands is shown them.
func TestHiddenHands(t *testing.T) {
	same := map[string]int{}
	for _, hands := range []string{OpenHands, HiddenHands} {
		for seed := range uint64(50) {
			var others []Hand
			var dealt []Hand
			fx := arena.Fixture{Seed: seed, Watch: func(e any) {
				if d, ok := e.(Dealt); ok {
					dealt = append(dealt, d.Position.Hand(1))
				}
			}}
			o := &Options{Players: 3, Cards: 8, Deal: even, Hand: 4, Hands: hands}
			if err := newReferee(o).Play(&fx, []Player{spy{&others}, spy{&others}, spy{&others}}, arena.NewOutcome(3, 3)); err != nil {
				t.Fatal(err)
			}
			if others[0] == dealt[0] {
				same[hands]++
			}
		}
	}
	// One hand in 70 is guessed.
	if same[OpenHands] != 50 || same[HiddenHands] > 6 {
		t.Errorf("the next seat's hand is shown in %v of 50 games", same)
	}
}
