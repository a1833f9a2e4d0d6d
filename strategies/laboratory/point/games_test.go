package point_test

import (
	"context"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/laboratory"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/strategies/laboratory/point"
)

func values(pairs ...string) (v param.Values) {
	for i := 0; i < len(pairs); i += 2 {
		v = append(v, param.Value{Name: pairs[i], Text: pairs[i+1]})
	}
	return v
}

// opened returns the game under rules.
func opened(t testing.TB, pairs ...string) *arena.Ruleset {
	t.Helper()
	game, err := strategies.Catalogue().Game("laboratory")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(values(pairs...))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return rules
}

// against returns a series of an entrant against others in all other seats.
func against(t testing.TB, rules *arena.Ruleset, candidate, other string, blocks int64) arena.Series {
	t.Helper()
	s := arena.Series{Ruleset: rules, Seed: 11, To: blocks}
	for len(s.Entrants) < rules.Seats {
		e, err := rules.Entrant(candidate)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
		candidate = other
	}
	return s
}

func TestConformance(t *testing.T) {
	game, err := strategies.Catalogue().Game("laboratory")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		rules    param.Values
		entrants []string
	}{
		{"two", nil, []string{"point", "point(x1=0.9)", "point(x1=0,x2=1,x3=1,x4=1)"}},
		{"mixed", values("integers", "1", "logs", "1", "categories", "2", "conditional", "true", "draw_rate", "0.4",
			"noise", "100", "correlation", "0.5", "seat_elo", "40", "rock_paper_scissors", "80", "landscape", "ripples"),
			[]string{"point(x1=20,c2=d)", "point", "point(x2=1000)"}},
		{"four", values("players", "4", "seat_elo", "-30", "correlation", "0.3", "noise", "50"),
			[]string{"point(x1=0)", "point", "point(x4=1)"}},
		{"starts", values("landscape", "drawn-starts", "landscape_seed", "3"), []string{"point(x1=0)", "point", "point(x2=1)"}},
		{"cycle", values("landscape", "drawn-cycle"), []string{"point(x1=0)", "point", "point(x2=1)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			arenatest.Run(t, game, arenatest.Options{Rules: c.rules, Entrants: c.entrants, Golden: "testdata/" + c.name + ".txt"})
		})
	}
}

// Rules may move a parameter's range away from the value that a signature is played with.
func TestSignedUnderAllRules(t *testing.T) {
	for _, landscape := range []string{"drawn-lattices", "drawn-mixed", "drawn-three", "drawn-logs"} {
		if got, err := opened(t, "landscape", landscape, "landscape_seed", "3").Signatures(context.Background(), "point"); err != nil || got == "" {
			t.Errorf("%s: %q %v", landscape, got, err)
		}
	}
}

// The games are worth what the formula says, whatever the rules.
func TestTrueElo(t *testing.T) {
	blocks := int64(40_000)
	if suite.Few() {
		blocks = 10_000
	}
	for _, rules := range [][]string{
		{},
		{"draw_rate", "0.6", "seat_elo", "150"},
		{"noise", "200", "correlation", "0.7", "seat_elo", "-100", "draw_rate", "0.3"},
		{"rock_paper_scissors", "120"},
		{"landscape", "two_hills", "headroom", "300"},
		{"players", "3", "seat_elo", "120", "headroom", "200"},
		{"players", "6", "noise", "150", "correlation", "0.4"},
		{"landscape", "drawn-swings"}, {"landscape", "drawn-starts"}, {"landscape", "drawn-starts", "landscape_seed", "2"},
		{"landscape", "drawn-cycle"}, {"landscape", "drawn-four"}, {"landscape", "drawn-seats"}, {"landscape", "drawn-common"},
	} {
		rs := opened(t, rules...)
		for _, text := range []string{"point(x1=0.9,x2=0.4)", "point(x1=0.3,x2=0.2)"} {
			s := against(t, rs, text, "point", blocks)
			tally, err := arena.NewPool(2).Play(context.Background(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := point.Elo(rs.Rules, s.Entrants[0].Params)
			if err != nil {
				t.Fatal(err)
			}
			k := float64(rs.Seats)
			expected := 1 / (1 + (k-1)*math.Pow(10, -want/400))
			mean, sd := moments(tally.Entrants[0].Scores)
			se := sd / math.Sqrt(float64(blocks))
			t.Logf("%v %s: %.2f Elo, score %.4f, expected %.4f (%.1f standard errors)", rules, text, want, mean, expected, (mean-expected)/se)
			if math.Abs(mean-expected) > 4.5*se {
				t.Errorf("%v %s: score %.5f +- %.5f, expected %.5f", rules, text, mean, se, expected)
			}
		}
	}
}

// moments returns the mean and the standard deviation of a block's score.
func moments(scores []int64) (mean, sd float64) {
	n, sum, square := 0.0, 0.0, 0.0
	for i, c := range scores {
		x := float64(i) / float64(len(scores)-1)
		n, sum, square = n+float64(c), sum+float64(c)*x, square+float64(c)*x*x
	}
	return sum / n, math.Sqrt(square/n - sum*sum/n/n)
}

// Two candidates of about equal strength have the correlation of block scores
// that the rules ask for; with noise, which is drawn apart, only none and all are
// exact.
func TestCorrelation(t *testing.T) {
	for _, rho := range []string{"0", "0.3", "0.8", "1"} {
		for _, noise := range []string{"0", "200"} {
			rs := opened(t, "correlation", rho, "noise", noise)
			if noise != "0" && rho != "0" && rho != "1" {
				continue
			}
			var x [2][]float64
			for i, text := range []string{"point(x1=0.501)", "point(x2=0.499)"} {
				s := against(t, rs, text, "point", 20_000)
				_, err := arena.NewPool(1).Play(context.Background(), s, func(r *arena.Run) error {
					for b := range r.Blocks {
						x[i] = append(x[i], float64(r.Game(b, 0, 0)[0]+r.Game(b, 1, 1)[0]))
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			got := correlation(x[0], x[1])
			t.Logf("correlation %s, noise %s: %.3f", rho, noise, got)
			want := map[string]float64{"0": 0, "0.3": 0.3, "0.8": 0.8, "1": 1}[rho]
			if math.Abs(got-want) > 0.03 {
				t.Errorf("correlation %s, noise %s: measured %.3f", rho, noise, got)
			}
		}
	}
}

func correlation(x, y []float64) float64 {
	var n, sx, sy, xx, yy, xy float64
	for i := range x {
		n++
		sx, sy = sx+x[i], sy+y[i]
		xx, yy, xy = xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	return (xy - sx*sy/n) / math.Sqrt((xx-sx*sx/n)*(yy-sy*sy/n))
}

// No game allocates: ten times the games take no more than the memory of the further
// chunks.
func TestNoAllocationPerGame(t *testing.T) {
	// A chunk has a run, and what its slot and its series note of it.
	const ofChunk = 40
	for _, rules := range [][]string{nil, {"players", "4", "noise", "20"}} {
		s := against(t, opened(t, rules...), "point(x1=0.2)", "point", 0)
		pool := arena.NewPool(1)
		play := func(blocks int64) (allocations, chunks float64) {
			s.To = blocks
			allocations = testing.AllocsPerRun(2, func() {
				if _, err := pool.Play(context.Background(), s, func(*arena.Run) error { chunks++; return nil }); err != nil {
					t.Fatal(err)
				}
			})
			return allocations, chunks / 3 // with the run that warms up
		}
		few, fewChunks := play(80)
		many, manyChunks := play(800)
		if many > few+ofChunk*max(0, manyChunks-fewChunks)+16 {
			t.Errorf("%v: %v allocations and %.1f chunks in 80 blocks, %v and %.1f in 800", rules, few, fewChunks, many, manyChunks)
		}
	}
}

// The rules that do not go together are refused.
func TestRefusedRules(t *testing.T) {
	for _, rules := range []param.Values{
		values("players", "3", "draw_rate", "0.1"), values("players", "3", "rock_paper_scissors", "1"),
		values("conditional", "true"), values("integers", "3", "logs", "3"), values("landscape", "hole"),
	} {
		if _, err := laboratory.Open(rules); err == nil {
			t.Errorf("%v is accepted", rules)
		}
	}
}
