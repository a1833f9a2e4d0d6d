package chess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

// clocked is a player of random moves that tells times, evaluations and nodes, and now and then
// loses on time or crashes.
type clocked struct{ chance *rand.Rand }

func (*clocked) Begin(*View) error { return nil }
func (*clocked) End(*View)         {}

func (c *clocked) Move(v *View) Reply {
	legal := v.Line.Now().Legal(nil)
	r := Reply{Move: legal[c.chance.IntN(len(legal))], Spent: c.chance.Int64N(60), Score: c.chance.IntN(400) - 200, Scored: c.chance.IntN(4) > 0}
	if c.chance.IntN(2) == 0 {
		r.Depth, r.Nodes = c.chance.IntN(30), c.chance.Int64N(1<<40)
	}
	switch c.chance.IntN(400) {
	case 0:
		return Reply{Fault: []Ending{Crashed, Stalled, OutOfTime, Garbled}[c.chance.IntN(4)], Said: "as asked"}
	case 1:
		r.Move = newMove(0, 63, None)
	}
	return r
}

func clockedSeries(t testing.TB, rules string, blocks int64) arena.Series {
	t.Helper()
	strategy := func(name string) Strategy {
		return Strategy{Name: name, Doc: "A player.", Source: "ours", New: func(*param.Fields, *Rules) arena.Maker[Player] {
			return arena.Made[Player](&clocked{rand.New(rand.NewPCG(uint64(len(name)), 1))})
		}}
	}
	values, err := param.ParseValues(rules)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := arena.Enter(Game(), strategy("one"), strategy("other")).OpenRules(values)
	if err != nil {
		t.Fatal(err)
	}
	s := arena.Series{Ruleset: rs, Seed: 5, To: blocks, Noted: true}
	for _, name := range []string{"one", "other"} {
		e, err := rs.Entrant(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}

// What the referee makes of the answers of a game that was played elsewhere is that game, whatever
// its end and however the clocks were scaled.
func TestRetold(t *testing.T) {
	ends, blocks := map[int]int{}, int64(60)
	if suite.Few() {
		blocks = 24
	}
	for _, c := range []struct {
		rules string
		scale float64
	}{{"limit=clock:3+0.01", 0}, {"limit=clock:3+0.01,margin=50", .25}, {"limit=clock:2+0,faults=void", 4}, {"limit=clock:60+1,draw=150,draw_moves=1,draw_from=1", 1.5}, {"limit=movetime:20,resign=190,resign_moves=1,resign_both=false", 1}} {
		s := clockedSeries(t, c.rules, blocks)
		s.Scale = c.scale
		var all *arena.Run
		if _, err := arena.NewPool(1).Play(t.Context(), s, func(r *arena.Run) error {
			if all == nil {
				all = arena.NewRun(r.Seats, r.Components, r.Rotations, 0, int(blocks))
			}
			all.Join(r)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		seen := 0
		s.Watch = func(int64, int) func(any) {
			return func(event any) {
				if e, ok := event.(Ended); ok {
					seen++
					ends[int(e.Ending)]++
				}
			}
		}
		got, err := s.ReplayTapes(0, int(blocks), all.Tapes)
		if err != nil || !slices.Equal(got.Digests, all.Digests) || !slices.Equal(got.Values, all.Values) || seen != int(2*blocks) {
			t.Fatalf("%s: %v, %d games seen", c.rules, err, seen)
		}
		longest := 0
		for i, tape := range all.Tapes {
			longest = max(longest, len(tape))
			want := c.scale
			if want == 0 {
				want = 1
			}
			if scale, err := arena.TapeScale(tape); err != nil || scale != want {
				t.Errorf("scale %g, %v", scale, err)
			}
			bad := slices.Clone(tape)
			bad[i%len(bad)] ^= 1 << (i % 8)
			if i%2 == 0 {
				if got, err := s.ReplayTapes(int64(i/2), 1, [][]byte{bad, all.Tapes[i+1]}); err == nil && (len(got.Digests) != 2 || got.Check() != nil) {
					t.Errorf("game %d: a changed byte gives what is no result", i)
				}
			}
			if i%17 == 0 {
				for _, bad := range [][]byte{nil, tape[:len(tape)/2], append(slices.Clone(tape), tape...)[1:]} {
					if _, err := s.ReplayTapes(int64(i/2), 1, [][]byte{bad, all.Tapes[i]}); err == nil {
						t.Errorf("game %d: garbled answers are taken", i)
					}
				}
			}
		}
		if _, err := s.ReplayTapes(1, 1, all.Tapes[:2]); err == nil {
			t.Error("the games of another block are taken")
		}
		t.Logf("%s: the longest game takes %d bytes", c.rules, longest)
	}
	for _, e := range []Ending{agreed, resigned, illegal, Crashed, Stalled, OutOfTime, Garbled} {
		if ends[int(e)] == 0 {
			t.Errorf("no game ended by %s", e)
		}
	}
}

// BenchmarkReplayTapes checks games by the clock from what was answered in them. Each has an evaluation and a
// time a move, and half of the moves depth and nodes. B/game is the median size of what is kept.
func BenchmarkReplayTapes(b *testing.B) {
	const blocks = 50
	s := clockedSeries(b, "limit=clock:10+0.1,most_plies=160", blocks)
	var all *arena.Run
	if _, err := arena.NewPool(1).Play(b.Context(), s, func(r *arena.Run) error {
		if all == nil {
			all = arena.NewRun(r.Seats, r.Components, r.Rotations, 0, int(blocks))
		}
		all.Join(r)
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	var sizes []int
	for _, tape := range all.Tapes {
		sizes = append(sizes, len(tape))
	}
	slices.Sort(sizes)
	games := 0
	for b.Loop() {
		if _, err := s.ReplayTapes(0, int(blocks), all.Tapes); err != nil {
			b.Fatal(err)
		}
		games += 2 * blocks
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(games), "µs/game")
	b.ReportMetric(float64(sizes[len(sizes)/2]), "B/game")
}
