package battleship

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner/contest/experiment"
)

// The likeliest square as it is worked out over all placements is what EX plays, and no
// attack is below the bound of the whole board.
func TestBounds(t *testing.T) {
	suite.All(t)
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	r, err := bounds(game).Report(context.Background(), experiment.Options{Host: arena.NewPool(2), Games: 20})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 5*6+4 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	exact, bound := 0.0, 0.0
	for _, row := range r.Rows {
		x := number(t, row.Measured)
		switch {
		case strings.HasPrefix(row.Metric, "no attack"):
			bound = x
		case x < bound && !row.CI.Defined() || row.CI.Defined() && row.CI.Hi.Value < bound:
			t.Errorf("%s, %s: %g below the bound %g", row.Label, row.Metric, x, bound)
		case strings.HasPrefix(row.Metric, "likeliest"):
			exact = x
		case row.Metric == "EX, shots" && row.Label[0] != '1' && math.Abs(x-exact) > 2.5*row.CI.Half():
			t.Errorf("%s: EX needs %g +- %g, worked out %g", row.Label, x, row.CI.Half(), exact)
		}
	}
}

func number(t *testing.T, v experiment.Value) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(v.String(), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
