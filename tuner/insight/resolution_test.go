package insight

import (
	"math"
	"testing"

	"sakusen/tuner/stats"
)

// Half of the games drawn, N games have the standard error 251/sqrt(N) Elo: 10 Elo
// are two of them after (2 251/10)^2 games. Without draws it takes twice as many.
func TestResolution(t *testing.T) {
	blocks := func(counts ...int64) stats.Blocks { return stats.Blocks{Seats: 2, Games: 2, Counts: counts} }
	for _, c := range []struct {
		name   string
		blocks stats.Blocks
		games  float64
	}{
		{"half of the games drawn", blocks(625, 2500, 3750, 2500, 625), 4 * math.Pow(0.3535534*400/math.Ln10/0.25, 2) / 100},
		{"no draws", blocks(2500, 0, 5000, 0, 2500), 4 * math.Pow(0.5*400/math.Ln10/0.25, 2) / 100},
	} {
		r := Resolution(c.blocks)
		if r == nil || math.Abs(*r.Games/c.games-1) > 0.001 {
			t.Fatalf("%s: %+v, expected %.0f games", c.name, r, c.games)
		}
		if *r.NormalizedElo != 0 || r.CI95[0] >= 0 || r.CI95[1] <= 0 {
			t.Errorf("%s: %s", c.name, r)
		}
	}
	// Proof, in closed form: a score of 1/2 + x has x = gain slope, and is proved when x is
	// as many standard errors sigma/sqrt(n) as the quantiles of alpha's first share and of
	// the chance add up to. All pairs of games with half of a block's variance take half.
	const upper, chance = 2.16535, 0.841621 // of 6 .025/pi^2 = .0151982, and of .8
	sigma, slope := 0.5, math.Ln10/1600
	want := math.Pow((upper+chance)*sigma/(10*slope), 2)
	b := blocks(2500, 0, 5000, 0, 2500)
	if r := Resolution(b); math.Abs(*r.Proof/want-1) > 0.001 {
		t.Errorf("10 Elo take %.0f games, expected %.0f", *r.Proof, want)
	}
	b.Placed = &stats.Placed{Score: 0.5, Variance: 0.125 / 2}
	if r := Resolution(b); math.Abs(*r.Proof/want-0.5) > 0.001 || math.Abs(*r.PerElo-math.Sqrt2) > 0.001 {
		t.Errorf("by all pairs 10 Elo take %.0f games, expected %.0f; one Elo is %.3f", *r.Proof, want/2, *r.PerElo)
	}
	// An Elo of games without draws between equals is one of normalised Elo.
	if r := resolutionOf(0.5, 0.125, 2); math.Abs(*r.PerElo-1) > 1e-9 || r.NormalizedElo != nil {
		t.Errorf("%+v", r)
	}
	for _, b := range []stats.Blocks{blocks(0, 0, 0, 0, 0), blocks(0, 0, 50, 0, 0)} {
		if r := Resolution(b); r != nil {
			t.Errorf("%+v has %s", b, r)
		}
	}
}
