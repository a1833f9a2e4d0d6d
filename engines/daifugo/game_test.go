package daifugo

import (
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
)

// scripted plays given moves.
type scripted struct{ moves *[]Move }

func (s scripted) Choose(*Position, *arena.Stream) (Move, int64) {
	m := (*s.moves)[0]
	*s.moves = (*s.moves)[1:]
	return m, 3
}

func TestFaultDecidesTheGame(t *testing.T) {
	o := &Options{Players: 3, Cards: 4, Deal: even, Hand: 2}
	moves := []Move{9}
	players := []Player{scripted{&moves}, scripted{&moves}, scripted{&moves}}
	out := arena.NewOutcome(3, 3)
	var story []string
	fx := arena.Fixture{Seed: 1, Story: func(line string) { story = append(story, line) }}
	if err := newReferee(o).Play(&fx, players, out); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.Faults, []bool{true, false, false}) || !slices.Equal(out.Scores, []int64{0, 3, 3}) {
		t.Errorf("faults %v, scores %v", out.Faults, out.Scores)
	}
	if got := []int64{out.Counts(0)[0], out.Counts(1)[0], out.Counts(2)[0]}; !slices.Equal(got, []int64{3, 1, 1}) {
		t.Errorf("ranks %v, want 3 1 1", got)
	}
	if last := story[len(story)-1]; last != "seat 0 plays 9, which is illegal, and loses" {
		t.Errorf("the story ends: %s", last)
	}
}

func TestDeals(t *testing.T) {
	sizes := map[int]int{}
	for seed := range uint64(300) {
		fx := arena.Fixture{Seed: seed}
		even := newReferee(&Options{Players: 4, Cards: 6, Deal: even, Hand: 3})
		chance := fx.Chance(dealing)
		even.deal(&chance)
		uneven := newReferee(&Options{Players: 4, Cards: 6, Deal: Uneven})
		chance = fx.Chance(dealing)
		uneven.deal(&chance)
		for i := range 4 {
			if even.hands[i].Len() != 3 {
				t.Fatalf("an even hand of %d cards", even.hands[i].Len())
			}
			sizes[uneven.hands[i].Len()]++
		}
	}
	// Of 63 hands of up to six kinds, 20 have three cards: 381 of 1 200, with a
	// standard deviation of 16.
	if sizes[0] != 0 || sizes[3] < 381-64 || sizes[3] > 381+64 || sizes[6] == 0 {
		t.Errorf("uneven hands by size: %v", sizes)
	}
}

func TestOptionsRefused(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Players: 4, Cards: 3, Deal: even, Hand: 4}, "hand: expected at most the 3 kinds of card, got 4"},
		{Options{Players: 4, Cards: 3, Ranks: 1}, "ranks: expected 0, or 2 to 4"},
		{Options{Players: 4, Cards: 3, Ranks: 5}, "ranks: expected 2 to 4"},
	} {
		if err := c.o.check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
}

// All openings of the four phases are distinct, whatever the seeds of the
// phases.
func TestOpeningsAreDistinct(t *testing.T) {
	for _, r := range []Rules{{2, 3, 2}, {3, 2, 3}, {3, 3, 3}, {5, 2, 2}, {3, 4, 3}} {
		n := openings(r)
		seen := map[string]bool{}
		for phase := arena.Match; phase <= arena.Validation; phase++ {
			for block := range n {
				hands, err := opening(r, &arena.Fixture{Seed: 7 + uint64(phase), Phase: phase, Block: block})
				if err != nil {
					t.Fatal(err)
				}
				var key strings.Builder
				for _, h := range hands {
					if h == 0 || h&^fullHand(r.Cards) != 0 {
						t.Fatalf("%+v: hand %b", r, h)
					}
					key.WriteByte(byte(h))
				}
				if seen[key.String()] {
					t.Fatalf("%+v: opening %v is met twice", r, hands)
				}
				seen[key.String()] = true
			}
		}
		if _, err := opening(r, &arena.Fixture{Seed: 7, Block: n}); err == nil || !strings.Contains(err.Error(), "expected a block below") {
			t.Errorf("%+v: block %d: error %v", r, n, err)
		}
	}
}

// Another seed has another order.
func TestOpeningsDependOnTheSeed(t *testing.T) {
	r := Rules{3, 4, 3}
	same := 0
	for block := range int64(200) {
		a, _ := opening(r, &arena.Fixture{Seed: 1, Block: block})
		b, _ := opening(r, &arena.Fixture{Seed: 2, Block: block})
		if slices.Equal(a, b) {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d of 200 openings are the same for two seeds", same)
	}
}

// censored never finishes.
type censored struct{}

func (censored) Solve(_ *Position, limit int64) Solution {
	return Solution{Nodes: limit + 1, Over: true}
}

func TestCensoredCostsTenLimits(t *testing.T) {
	e := &examiner{options: SolvingOptions{Players: 3, Cards: 3, Limit: 500}, rules: Rules{3, 3, 3}}
	out := arena.NewOutcome(1, 3)
	if err := e.Play(&arena.Fixture{Seed: 1}, []Solver{censored{}}, out); err != nil {
		t.Fatal(err)
	}
	if got := out.Counts(0); got[nodesCost] != 5000 || got[limitPassed] != 1 {
		t.Errorf("counts %v, want 5000 nodes and 1 over", got)
	}
}

func BenchmarkPlayout(b *testing.B) {
	p, _ := New(Rules{4, 6, 4})
	var moves [MaxCards + 1]Move
	plies := 0
	for b.Loop() {
		plies = 0
		for q := p; !q.Over(); plies++ {
			legal := q.Moves(moves[:0])
			q.Play(legal[plies%len(legal)])
		}
	}
	b.ReportMetric(float64(plies), "plies/op")
}
