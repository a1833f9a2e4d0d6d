package tuner

import (
	"math"
	"testing"

	"sakusen/tuner/rating"
)

// Half of the games drawn, N games have the standard error 251/sqrt(N) Elo: 10 Elo
// are two of them after (2 251/10)^2 games. Without draws it takes twice as many.
func TestResolution(t *testing.T) {
	blocks := func(counts ...int64) rating.Blocks { return rating.Blocks{Seats: 2, Games: 2, Counts: counts} }
	for _, c := range []struct {
		name   string
		blocks rating.Blocks
		games  float64
	}{
		{"half of the games drawn", blocks(625, 2500, 3750, 2500, 625), 4 * math.Pow(0.3535534*400/math.Ln10/0.25, 2) / 100},
		{"no draws", blocks(2500, 0, 5000, 0, 2500), 4 * math.Pow(0.5*400/math.Ln10/0.25, 2) / 100},
	} {
		r := resolution(c.blocks)
		if r == nil || math.Abs(*r.Games/c.games-1) > 0.001 {
			t.Fatalf("%s: %+v, expected %.0f games", c.name, r, c.games)
		}
		if *r.NormalizedElo != 0 || r.CI95[0] >= 0 || r.CI95[1] <= 0 {
			t.Errorf("%s: %s", c.name, r)
		}
	}
	for _, b := range []rating.Blocks{blocks(0, 0, 0, 0, 0), blocks(0, 0, 50, 0, 0)} {
		if r := resolution(b); r != nil {
			t.Errorf("%+v has %s", b, r)
		}
	}
}
