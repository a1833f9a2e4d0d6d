package surface

import (
	"math"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// The answer lies a part of the way from the iterate to the model's peak: farther
// the more surely the peak is ahead and the more games there are, less far the farther apart
// they lie.
func TestBlend(t *testing.T) {
	s := searched(t, shownGames{"0.7", "0.6", 1600, 0.6}, shownGames{"0.2", "0.3", 1600, 0.4})
	s.walk = 0.65
	part := func(games int64, apart, sure float64) float64 {
		s.view.Plan.Games = games
		x := []float64{-0.3, 0.3}
		return (s.referee.blend(x, []float64{x[0] + apart, x[1] - apart}, sure)[0] - x[0]) / apart
	}
	near := part(20_000, 0.001, 0)
	if math.Abs(near-evenPart) > 1e-3 {
		t.Errorf("the answer lies %.4f of the way between two that are equally good, want %g", near, evenPart)
	}
	if got := part(20_000, 0.001, -10); got != 0 {
		t.Errorf("%.4f of the way to a peak that is clearly behind", got)
	}
	if got := part(20_000, 0.001, 10); math.Abs(got-1) > 1e-3 {
		t.Errorf("%.4f of the way to a peak that is clearly ahead", got)
	}
	if far, few := part(20_000, 0.1, 0), part(2_500, 0.1, 0); far >= near || few >= far {
		t.Errorf("near %.4f, far %.4f, far with few games %.4f of the way", near, far, few)
	}
	at := float64(trustedApart * (1 - s.walk) / (1 - climbPart)) // .35 of the pairs are the model's at first
	if got, want := part(trustedGames, at, 0), evenPart/math.Sqrt2; math.Abs(got-want) > 1e-9 {
		t.Errorf("%.4f of the way at the distance that is trusted, want %.4f", got, want)
	}
}

// Where the model sees a valley between the iterate and its peak the answer is one of them.
func TestBlendAtAValley(t *testing.T) {
	s := searched(t, shownGames{"0.2", "0.5", 3200, 0.6}, shownGames{"0.8", "0.5", 3200, 0.6})
	x, peak := []float64{-0.3, 0}, []float64{0.3, 0}
	for _, c := range []struct {
		games int64
		sure  float64
		want  []float64
	}{
		{20_000, valleyAhead - 0.1, x},
		{20_000, valleyAhead + 0.1, peak},
		{2_500, valleyAhead + 0.1, x},
		{2_500, valleyAheadFew - 0.1, x},
		{2_500, valleyAheadFew + 0.1, peak},
	} {
		s.view.Plan.Games = c.games
		if got := s.referee.blend(x, peak, c.sure); got[0] != c.want[0] {
			t.Errorf("%d games, %.1f standard errors: at %v, want %v", c.games, c.sure, got, c.want)
		}
	}
}

// searched is a surface over two numbers that has seen duels against the baseline at 0.5,
// 0.5: games at each place, with their score.
func searched(t *testing.T, seen ...shownGames) *Surface {
	t.Helper()
	var space tuner.Space
	for _, name := range []string{"x", "y"} {
		space = append(space, tuner.Dimension{Param: param.Param{Name: name, Kind: param.Float, Domain: param.Range(0, 1)}})
	}
	at := func(x, y string) param.Values { return param.Values{{Name: "x", Text: x}, {Name: "y", Text: y}} }
	v := &tuner.View{Space: space, Maximize: true, Seats: 2, Baseline: at("0.5", "0.5"), Plan: tuner.Plan{
		Games: 20_000, Trials: 1000, BlockGames: 2, Blocks: 8, Batch: 16, Duels: true,
	}}
	v.Told = append(v.Told, tuner.Told{Params: v.Baseline})
	for i, g := range seen {
		v.Told = append(v.Told, tuner.Told{Number: i + 1, Params: at(g.x, g.y)})
		for from := 0; from < g.games; from += 16 {
			v.Duels = append(v.Duels, tuner.Duel{A: i + 1, B: 0, Draw: -1, Score: g.score, Noise: 0.1, Blocks: 8})
		}
	}
	s := newSurface(search{seed: 1, space: space, options: options{cross: 8, near: .03, far: .6, tries: 8}, view: v})
	s.fit()
	return s
}

type shownGames struct {
	x, y  string
	games int
	score float64
}

// An answer lies where games show it: not where nothing was played, and not where games show
// clearly less than elsewhere or than the baseline does.
func TestAnswersAreShown(t *testing.T) {
	good, bad := shownGames{"0.7", "0.6", 1600, 0.6}, shownGames{"0.2", "0.3", 1600, 0.4}
	few := shownGames{"0.7", "0.6", 64, 0.6}
	for name, c := range map[string]struct {
		seen []shownGames
		x, y float64 // the believed answer
		want [2]float64
	}{
		"what games show stays":    {[]shownGames{good, bad}, 0.7, 0.6, [2]float64{0.7, 0.6}},
		"beside it stays":          {[]shownGames{good, bad}, 0.72, 0.58, [2]float64{0.72, 0.58}},
		"clearly less":             {[]shownGames{good, bad}, 0.2, 0.3, [2]float64{0.7, 0.6}},
		"less than the baseline":   {[]shownGames{bad}, 0.2, 0.3, [2]float64{0.5, 0.5}},
		"where nothing was played": {[]shownGames{good, bad}, 0.1, 0.95, [2]float64{0.7, 0.6}},
		"nowhere enough games":     {[]shownGames{few}, 0.1, 0.95, [2]float64{0.1, 0.95}},
	} {
		t.Run(name, func(t *testing.T) {
			s := searched(t, c.seen...)
			got := s.referee.shownAnswer([]float64{c.x - s.basis.centre[0], c.y - s.basis.centre[1]})
			for i, want := range c.want {
				if math.Abs(got[i]+s.basis.centre[i]-want) > 1e-9 {
					t.Errorf("at %v, want %v", got, c.want)
				}
			}
		})
	}
}

// What was played is not made to count for nothing by a height that is believed where nothing
// was.
func TestBestPlayed(t *testing.T) {
	rows := []row{{highest: -40}, {highest: 30}, {highest: 12}}
	if got := bestPlayed(rows); got != 30 {
		t.Errorf("%g", got)
	}
	if got := bestPlayed(rows[:1]); got != 0 {
		t.Errorf("%g, and the baseline was played", got)
	}
}

// Scouting ends halfway where a quadratic fits what was seen, in more than two numbers, and
// later elsewhere.
func TestQuietScouts(t *testing.T) {
	for _, c := range []struct {
		numbers  int
		proof    float64 // of bumps, above that of a quadratic alone
		progress float64
		over     bool
	}{
		{3, 0.1, 0.13, true},
		{3, 0.1, 0.12, false},
		{3, 0.6, 0.13, false},
		{3, 0.6, 0.26, true},
		{2, 0.1, 0.13, false},
	} {
		b := threeNumbers(t)
		m := &model{search: search{options: options{walk: 0.65}, basis: b, view: &tuner.View{}}}
		b.numbers = b.numbers[:c.numbers]
		o := scouts{model: m}
		m.whole.rivals = []rivalFit{{nil, 5}, {nil, 4}, {nil, 5 + c.proof}}
		for range leastScouts {
			o.list = append(o.list, scout{b.origin(), record{-1, 16}})
		}
		o.judge(c.progress, known{smooth: m.whole.quadratic()}, b.origin())
		if o.over != c.over {
			t.Errorf("%+v: scouting is over: %v", c, o.over)
		}
	}
}

// In 5 to 12 numbers the climb keeps more of the pairs where there are many games.
func TestClimbInManyNumbers(t *testing.T) {
	b := threeNumbers(t)
	for n, want := range map[int]float64{4: lessClimb, 5: lessClimb / 2, 8: 0, mostBumpy + 1: lessClimb} {
		b.numbers = make([]int, n)
		if got := (&search{basis: b}).shareFall(); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d numbers: %g, want %g", n, got, want)
		}
	}
}

// A height that is believed far from what a row shows does not move what is taken to be seen
// far beyond it.
func TestRowsAreLinearisedNearWhatWasSeen(t *testing.T) {
	l := link{seats: 2, scale: 1, noise: 0.06}
	r := row{value: 0.1, blocks: 100, guess: 12_000, sign: 1}
	if y, v := l.linearRow(&r); y < -1000 || y > 0 || v > 200*200 {
		t.Errorf("lost nine of ten games: seen %.0f Elo +- %.0f", y, math.Sqrt(v))
	}
	mirrored := row{value: 0.9, blocks: 100, guess: -12_000, sign: -1}
	y, _ := l.linearRow(&r)
	if z, _ := l.linearRow(&mirrored); math.Abs(y+z) > 1e-6 {
		t.Errorf("the baseline's side of the same row: seen %.0f Elo, want %.0f", z, -y)
	}
	between := r
	between.sign = 0
	if y, _ := l.linearRow(&between); y > -5000 {
		t.Errorf("of a duel without the baseline: seen %.0f Elo", y)
	}
	r.guess = -300
	near, _ := l.linearRow(&r)
	if want, _ := l.linear(&r, r.guess); near != want {
		t.Errorf("near what was seen %g, want %g", near, want)
	}
}
