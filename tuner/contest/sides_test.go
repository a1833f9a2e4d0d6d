package contest_test

import (
	"math"
	"testing"

	"sakusen/engines/suite"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

// The single-sided estimate and real games agree within their intervals, and the
// estimate's is the narrower.
func TestSidesAgreeWithGames(t *testing.T) {
	blocks := int64(4000)
	if suite.Few() {
		blocks = 2000
	}
	f := read(t, three)
	r := play(t, f, contest.TournamentOptions{Blocks: blocks})
	for _, name := range []string{"winrf", "winrs"} {
		m := metric(t, f, name)
		for _, label := range []string{"R - R", "RNB - RNB", "CB - CB", "R - RNB", "RNB - R", "CB - RNB", "RNB - CB"} {
			games, sides := r.Measure(m, label), r.SingleSided(m, label)
			if d := math.Abs(games.Mean.Value - sides.Mean.Value); d > 4*math.Hypot(games.SE.Value, sides.SE.Value) {
				t.Errorf("%s, %s: %v from games, %v from sides", label, name, games, sides)
			}
			if sides.SE.Value <= 0 || sides.SE.Value >= 0.8*games.SE.Value {
				t.Errorf("%s, %s: standard errors %v from games, %v from sides", label, name, games.SE, sides.SE)
			}
		}
	}
	if m := r.SingleSided(metric(t, f, "hits"), "R - R"); m.Mean.Defined {
		t.Errorf("hits are no score, but %v", m)
	}
	average := metric(t, f, "average")
	if games, sides := r.Measure(average, "CB"), r.SingleSided(average, "CB"); math.Abs(games.Mean.Value-sides.Mean.Value) > 4*math.Hypot(games.SE.Value, sides.SE.Value) {
		t.Errorf("averages %v and %v", games, sides)
	}
}

// The stated errors are the spread of the estimates over tournaments.
func TestSidesError(t *testing.T) {
	repeats := 150
	if suite.Few() {
		repeats = 60
	}
	f := read(t, "version: 1\nname: x\ngame: battleship\nentrants: [RNB, CB]\nselfplay: true\nblocks: 400\nsingle_sided: shots_to_win\n")
	m := contest.Metric{Of: "score", Scale: 1}
	type sums struct{ mean, square, stated float64 }
	all := map[string]*sums{}
	for i := range repeats {
		f.Seed = uint64(i + 1)
		r := play(t, f, contest.TournamentOptions{})
		for _, label := range []string{"RNB - CB", "CB - RNB", "CB - CB"} {
			for kind, v := range map[string]stats.MeanInterval{"games": r.Measure(m, label), "sides": r.SingleSided(m, label)} {
				s := all[label+", "+kind]
				if s == nil {
					s = &sums{}
					all[label+", "+kind] = s
				}
				s.mean += v.Mean.Value
				s.square += v.Mean.Value * v.Mean.Value
				s.stated += v.SE.Value * v.SE.Value
			}
		}
	}
	n := float64(repeats)
	for what, s := range all {
		spread := math.Sqrt((s.square - s.mean*s.mean/n) / (n - 1))
		// The spread of n values is known to about 1/sqrt(2n) of itself.
		if ratio := spread / math.Sqrt(s.stated/n); math.Abs(ratio-1) > 4/math.Sqrt(2*n) {
			t.Errorf("%s: the spread is %v, %v times the stated error", what, spread, ratio)
		}
	}
}
