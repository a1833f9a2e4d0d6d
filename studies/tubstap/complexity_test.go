package tubstap

import (
	"context"
	"math"
	"reflect"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
	"sakusen/strategies"
	tubstapplay "sakusen/strategies/tubstap"
	"sakusen/tuner/stats"
)

func game(t testing.TB) *arena.Game {
	t.Helper()
	g, err := strategies.Catalogue().Game("tubstap")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The same games are watched with any number of workers, and a match plays
// them too.
func TestWatch(t *testing.T) {
	l, err := newLab(game(t), named("own02"), 20)
	if err != nil {
		t.Fatal(err)
	}
	one, err := l.watchGames(context.Background(), 4, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	many, err := l.watchGames(context.Background(), 4, 3, nil, func(n int) { done = n })
	if err != nil || !reflect.DeepEqual(one, many) || done != 4 {
		t.Errorf("%d games, %v: with one worker\n%v\nwith three\n%v", done, err, one, many)
	}
	turns := int64(0)
	for _, g := range one {
		turns += int64(len(g))
		if start := l.start(); g[0] != (moment{0, start.Alive(tubstap.Red), start.LogMoves(tubstap.Red)}) {
			t.Errorf("a game begins with %+v", g[0])
		}
	}
	tally, err := arena.NewPool(1).Play(context.Background(),
		arena.Series{Ruleset: l.rules, Entrants: []arena.Entrant{l.muct, l.muct}, Seed: seed, To: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// A mirror block's one game stands for both of its rotations.
	if length := tally.Entrants[0].Seats[0].Sums[l.rules.Component("half_turns")]; length != turns {
		t.Errorf("%d turns watched, %d in the match", turns, length)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.watchGames(ctx, 4, 2, nil, nil); err == nil {
		t.Error("an interrupted watch has no error")
	}
}

// some returns three games that rise and fall.
func some() [][]moment {
	return [][]moment{
		{{0, 4, 8}, {1, 4, 8}, {2, 4, 9}, {3, 2, 4}},
		{{0, 4, 8}, {1, 4, 8}, {2, 3, 7}},
		{{0, 4, 8}, {1, 4, 8}, {2, 4, 10}, {3, 1, 1}},
	}
}

func TestFigures(t *testing.T) {
	levels := byTurn(some())
	if len(levels) != 4 || levels[3].Games != 2 || levels[2].Games != 3 || math.Abs(levels[2].LogMoves.Mean.Value-26.0/3) > 1e-12 {
		t.Errorf("by turn: %+v", levels)
	}
	if c := change(some(), 0, 3); math.Abs(c.Mean.Value+5.5) > 1e-12 || !c.CI95.Lo.Defined {
		t.Errorf("change %+v", c)
	}
	columns := byUnits(some())
	if len(columns) != 4 || columns[3].Units != 4 || columns[3].Positions != 8 || columns[3].Low != 8 || columns[3].High != 10 {
		t.Errorf("by units: %+v", columns)
	}
	r := correlate(some())
	if r.Mean.Value < 0.9 || r.Mean.Value > 1 || !(r.CI95.Lo.Value < r.Mean.Value) {
		t.Errorf("correlation %+v", r)
	}
	// Left out one by one, single games give the usual error of their mean.
	plain := [][]moment{{{LogMoves: 1}}, {{LogMoves: 2}}, {{LogMoves: 4}}, {{LogMoves: 5}}}
	j := jackknife(plain, func(games [][]moment) (mean stats.Number) {
		for _, g := range games {
			mean = stats.Known(mean.Value + g[0].LogMoves/float64(len(games)))
		}
		return mean
	})
	if want := meanOf([]float64{1, 2, 4, 5}); math.Abs(j.SE.Value-want.SE.Value) > 1e-12 || j.Mean != want.Mean {
		t.Errorf("jackknife %+v, want %+v", j, want)
	}
}

func TestCurve(t *testing.T) {
	c := curve{Scores: []float64{0.2, 0.6, 0.8, 0.7}}
	for threshold, want := range map[float64]float64{-3: 0.2, 8: 0.2, 11: 0.4, 14: 0.6, 23: 0.75, 29: 0.6, 32: 0.5, 99: 0.5} {
		if got := c.at(threshold); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v: %v, want %v", threshold, got, want)
		}
	}
	if c.best() != 20 {
		t.Errorf("best at %v", c.best())
	}
	if bad := (curve{Scores: []float64{0.1, 0.2, 0.3, 0.4}}); bad.best() != never || bestFixed([]curve{bad}) != never {
		t.Error("switching at a loss")
	}
}

// Curves whose best thresholds follow a rule teach that rule, or one that is as
// good on them.
func TestLearn(t *testing.T) {
	truth := tubstapplay.Prediction{Base: -6, PerDecade: 12, PerAir: -20}
	var curves []curve
	for _, d := range learningMaps() {
		for _, b := range learningBudgets() {
			c := curve{Air: float64(d.Planes) / 100, Simulations: b}
			best := truth.Base + truth.PerDecade*math.Log10(float64(b)) + truth.PerAir*c.Air
			for _, at := range grid() {
				c.Scores = append(c.Scores, 0.9-math.Abs(at-best)/40)
			}
			curves = append(curves, c)
		}
	}
	learned := learn(curves)
	for _, c := range curves {
		want := truth.Base + truth.PerDecade*math.Log10(float64(c.Simulations)) + truth.PerAir*c.Air
		got := learned.Base + learned.PerDecade*math.Log10(float64(c.Simulations)) + learned.PerAir*c.Air
		if want > 8 && want < 26 && math.Abs(got-want) > 4 {
			t.Errorf("%d simulations, %v planes: %v, want %v (%+v)", c.Simulations, c.Air, got, want, learned)
		}
	}
}

// No map is both learned from and judged on, and all there are fit M-UCT's
// boards.
func TestMapsAreHeldOut(t *testing.T) {
	sizes := map[[2]int]bool{}
	for _, d := range learningMaps() {
		sizes[[2]int{d.Width, d.Height}] = true
	}
	for i, d := range append(learningMaps(), heldOutMaps()...) {
		if _, err := newLab(game(t), rulesOf(d), 50); err != nil {
			t.Error(err)
		}
		if d.Units > 16 {
			t.Errorf("%+v", d)
		}
		if i >= len(learningMaps()) && (sizes[[2]int{d.Width, d.Height}] || d.Seed < 9000) {
			t.Errorf("held out map %+v has a size of a learning map", d)
		}
	}
}

// What is predicted is played: the same games as with that threshold given.
func TestPredictedPlays(t *testing.T) {
	l, err := newLab(game(t), named("own05"), 15)
	if err != nil {
		t.Fatal(err)
	}
	p := tubstapplay.Prediction{Base: 2, PerDecade: 3, PerAir: -4}
	a, err := l.switching(predictedSwitch(p))
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.switching(moves(l.threshold(p)))
	if err != nil {
		t.Fatal(err)
	}
	x, errX := l.meet(context.Background(), arena.NewPool(1), a, arena.Match, 3, nil)
	y, errY := l.meet(context.Background(), arena.NewPool(1), b, arena.Match, 3, nil)
	if errX != nil || errY != nil || !reflect.DeepEqual(x, y) || x.Games != 6 {
		t.Errorf("%v and %v, %v %v", x, y, errX, errY)
	}
}

// The rule that is blind to the position changes hands where single's mean win
// rate falls through a half.
func TestBlind(t *testing.T) {
	curves := []curve{
		{Simulations: 100, Single: 0.7}, {Simulations: 100, Single: 0.5},
		{Simulations: 1000, Single: 0.5}, {Simulations: 1000, Single: 0.3},
	}
	if at := blind(curves); math.Abs(at-math.Pow(10, 2.5)) > 1e-9 {
		t.Errorf("from %v simulations on, want 10^2.5", at)
	}
	if at := blind(curves[:2]); !math.IsInf(at, 1) {
		t.Errorf("single always wins, but M-UCT takes over at %v", at)
	}
}
