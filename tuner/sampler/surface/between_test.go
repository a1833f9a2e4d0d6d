package surface

import (
	"math"
	"testing"
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
