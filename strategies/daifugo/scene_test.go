package daifugo

import (
	"context"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/arena/film"
	"sakusen/engines/daifugo"
)

// game returns the game with the strategies that these tests film.
func game() *arena.Game {
	return arena.Enter(daifugo.Game(), GreedyOut(), Lowest(), Random(), RankSet())
}

// The ranks drawn are those of the search for every position of a game, a title
// for each seat, and one for each move.
func TestRanksAreSearched(t *testing.T) {
	s := arenatest.Series(t, game(), "", "rankset", "greedy-out", "lowest-first", "random")
	for seed := range uint64(3) {
		s.Seed = seed
		var drawn []film.Frame
		var positions []daifugo.Position
		c, err := newCards(s.Ruleset, film.SeatNames(s.Entrants, 0), func(f film.Frame) error { drawn = append(drawn, f); return nil })
		if err != nil {
			t.Fatal(err)
		}
		s.Watch = func(int64, int) func(any) {
			return func(event any) {
				switch e := event.(type) {
				case daifugo.Dealt:
					positions = append(positions, e.Position)
				case daifugo.Played:
					positions = append(positions, e.Position)
				}
				if err := c.See(event); err != nil {
					t.Error(err)
				}
			}
		}
		if _, err := arena.One(context.Background(), &s, 0, 0); err != nil {
			t.Fatal(err)
		}
		for i, p := range positions {
			checkRanks(t, drawn[i], &p, film.SeatNames(s.Entrants, 0))
		}
	}
}

func checkRanks(t *testing.T, f film.Frame, p *daifugo.Position, names []string) {
	t.Helper()
	a := analyse(*p, 0)
	for seat, name := range names {
		want := name + " can come to rank " + rankList(a.Value.at(seat, p.Rules().Ranks)) + "</title>"
		if p.Rank(seat) != 0 {
			want = name + " has rank "
		}
		if !strings.Contains(f.SVG, want) {
			t.Errorf("step %d: %q is not drawn", f.Step, want)
		}
		for _, kind := range p.Hand(seat).Kinds() {
			if !strings.Contains(f.SVG, name+" holds "+string(rune('0'+kind))) {
				t.Errorf("step %d: %d of %s is not drawn", f.Step, kind, name)
			}
		}
	}
	if n := strings.Count(f.SVG, "no move is clearly better</title>"); n != len(a.Best) {
		t.Errorf("step %d: %d moves are marked as the best, want %d", f.Step, n, len(a.Best))
	}
	if n := strings.Count(f.SVG, `class="option"`); n != len(p.Moves(nil)) {
		t.Errorf("step %d: %d moves are listed, want %d", f.Step, n, len(p.Moves(nil)))
	}
}

// What takes too many nodes is said to, passes are remembered until a card falls,
// and faults are told.
func TestDaifugoOddities(t *testing.T) {
	one, err := film.Shoot(context.Background(), Scene(), arenatest.Series(t, game(), "players=6 cards=8 deal=even hand=8", "lowest-first"), 0, film.Limits{Frames: 3}, nil)
	if err != nil || one.Cut == "" {
		t.Fatal(err, one.Cut)
	}
	if !strings.Contains(one.Frames[0].SVG, "not searched within 200\u202f000 nodes") {
		t.Error("48 cards are searched")
	}
	p, err := daifugo.Setup{Hands: [][]int{{1, 2}, {2, 3}, {1, 3}}, Ranks: 3}.Position()
	if err != nil {
		t.Fatal(err)
	}
	var out []film.Frame
	d, err := newCards(arenatest.Series(t, game(), "players=3 cards=3", "random").Ruleset, []string{"<A>", "B", "C"}, func(f film.Frame) error { out = append(out, f); return nil })
	if err != nil {
		t.Fatal(err)
	}
	see := func(e any) film.Frame {
		if err := d.See(e); err != nil {
			t.Fatal(err)
		}
		arenatest.WellFormed(t, out[len(out)-1].SVG)
		return out[len(out)-1]
	}
	move := func(m daifugo.Move) film.Frame {
		seat := p.Turn()
		p.Play(m)
		return see(daifugo.Played{Seat: seat, Move: m, Position: p})
	}
	see(daifugo.Dealt{Position: p})
	for _, c := range []struct {
		move      daifugo.Move
		text, svg string
		shown     bool
	}{
		{2, "<A> plays 2.", "On the table: 2, from &lt;A&gt;", true},
		{daifugo.Pass, "B passes.", "B has passed", true},
		{3, "C plays 3.", "B has passed", false},
		{daifugo.Pass, "<A> passes.", "&lt;A&gt; has passed", true},
		{daifugo.Pass, "B passes; the table clears, C leads.", "The table is empty", true},
		{1, "C plays 1 and is out, rank 1.", "C is out with rank 1", true},
	} {
		f := move(c.move)
		if f.Text != c.text || strings.Contains(f.SVG, c.svg) != c.shown {
			t.Errorf("%q, want %q; %q drawn %v", f.Text, c.text, c.svg, !c.shown)
		}
	}
	fault := see(daifugo.Played{Seat: p.Turn(), Move: 3, Illegal: true, Position: p})
	if fault.Text != "<A> plays 3, which is illegal, and loses." {
		t.Error(fault.Text)
	}
}
