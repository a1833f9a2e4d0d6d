package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sakusen/engines/suite"
	"sakusen/tuner/numeral"
)

func TestHalve(t *testing.T) {
	batch := []Standing{{7, .5}, {3, .6}, {4, .6}, {9, math.NaN()}, {1, .4}, {2, .6}, {8, math.Inf(-1)}}
	for _, row := range []struct {
		keep float64
		want []int
	}{
		{.5, []int{2, 3, 4, 7}}, {.25, []int{2, 3}}, {.01, []int{2}}, {1, []int{1, 2, 3, 4, 7, 8, 9}}, {6.0 / 7, []int{1, 2, 3, 4, 7, 8}},
	} {
		got, err := Halve(batch, row.keep)
		if err != nil || !slices.Equal(got, row.want) {
			t.Errorf("keep %v: %v, %v, expected %v", row.keep, got, err, row.want)
		}
	}
	if got, err := Halve(nil, .5); err != nil || len(got) != 0 {
		t.Errorf("nobody: %v, %v", got, err)
	}
	for _, keep := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := Halve(batch, keep); err == nil {
			t.Errorf("keep %v: no error", keep)
		}
	}
}

func TestHalvingBlocks(t *testing.T) {
	// mlr3hyperband's table, eta 2: 8 at 1, 4 at 2, 2 at 4, 1 at 8: 8+4+4+4.
	if got := HalvingBlocks(8, []int64{1, 2, 4, 8}, .5); got != 20 {
		t.Errorf("%d blocks, expected 20", got)
	}
}

// Common blocks make halving choose better (specification: 30.5 against 27.7
// Elo at 20 000 games); here the share of the best possible, on the same
// budget.
func TestHalveOnCommonBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const trials, studies = 32, 300
	rungs := []int64{8, 16, 32, 64, 128}
	share := func(common float64) float64 {
		sum, best := 0.0, 0.0
		for range studies {
			truth, seen := make([]float64, trials), make([]float64, trials)
			for i := range truth {
				truth[i] = .02 * rng.NormFloat64()
			}
			alive := make([]int, trials)
			for i := range alive {
				alive[i] = i
			}
			played := int64(0)
			for _, r := range rungs {
				for range r - played {
					luck := .25 * math.Sqrt(common) * rng.NormFloat64()
					for _, i := range alive {
						seen[i] += truth[i] + luck + .25*math.Sqrt(1-common)*rng.NormFloat64()
					}
				}
				played = r
				var batch []Standing
				for _, i := range alive {
					batch = append(batch, Standing{i, seen[i]})
				}
				alive, _ = Halve(batch, .5)
			}
			sum += truth[alive[0]]
			best += slices.Max(truth)
		}
		return sum / best
	}
	own, half := share(0), share(.75)
	t.Logf("share of the best: own blocks %.2f, common with correlation .75 %.2f", own, half)
	if half < own+.1 {
		t.Errorf("common blocks do not help: %.2f and %.2f", half, own)
	}
}

func TestShared(t *testing.T) {
	// Two candidates by hand: variances 2/3 and 2, covariance 1, so 1/(4/3).
	s, err := NewShared([][]float64{{0, 1, 1, 2}, {0, 1, 3, 2}})
	v0, v1 := 2.0/3, 5.0/3
	cov := (-1*-1.5 + 0*-.5 + 0*1.5 + 1*.5) / 3
	if err != nil || math.Abs(s.Correlation.Value-cov/((v0+v1)/2)) > 1e-12 {
		t.Errorf("%+v, %v, expected %v", s, err, cov/((v0+v1)/2))
	}
	same, _ := NewShared([][]float64{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}})
	if math.Abs(same.Correlation.Value-1) > 1e-12 {
		t.Errorf("the same: %+v", same)
	}
	for _, none := range [][][]float64{nil, {{1, 2, 3}}, {{1}, {2}}, {{1, 1}, {1, 1}}} {
		if s, err := NewShared(none); err != nil || s.Correlation.Defined || s.Factor.Defined {
			t.Errorf("%v: %+v, %v", none, s, err)
		}
	}
	if _, err := NewShared([][]float64{{1, 2}, {1}}); err == nil {
		t.Error("ragged: no error")
	}
	// What it promises: the variance of a difference, against that of own
	// blocks. Planted correlation .6.
	rng := rand.New(rand.NewPCG(15, 16))
	scores := make([][]float64, 6)
	for c := range scores {
		scores[c] = make([]float64, 20000)
	}
	for b := range scores[0] {
		luck := rng.NormFloat64()
		for c := range scores {
			scores[c][b] = math.Trunc(1000 * (math.Sqrt(.6)*luck + math.Sqrt(.4)*rng.NormFloat64()))
		}
	}
	s, _ = NewShared(scores)
	if math.Abs(s.Correlation.Value-.6) > .02 || math.Abs(s.Factor.Value-2.5) > .15 {
		t.Errorf("planted .6: %+v", s)
	}
}

// The test against the incumbent on shared blocks keeps its error over all
// looks: two equal candidates, looked at after every block.
func TestIncumbentTestErrorRate(t *testing.T) {
	runs := 300
	if suite.Few() {
		runs = 100
	}
	rng := rand.New(rand.NewPCG(17, 18))
	test := Test{Hypotheses{Normalized, -60, 0}, .05, .05, FewBlocks, 600}
	stopped := 0
	for range runs {
		b := Rotated(2, make([]int64, 9))
		b.Games = 1
		for n := int64(1); ; n++ {
			luck := rng.IntN(3) // what the block gives to both
			b.Counts[4+luck+rng.IntN(3)-luck-rng.IntN(3)]++
			r, err := test.Judge(b)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == H0 {
				stopped++
			}
			if r.Done() {
				break
			}
		}
	}
	if share := float64(stopped) / float64(runs); share > .05+2.6*math.Sqrt(.05*.95/float64(runs)) {
		t.Errorf("an equal candidate is stopped in %.3f of runs", share)
	}
}

// wilcoxonStops reports whether a signed-rank test against the best trial, on the steps that
// both have, would stop a trial, as Optuna's WilcoxonPruner does. Values are minimised and
// zeros split; no trial is stopped with fewer than two steps, nor while its mean is not worse
// than the best trial's. It is asked after every step and so has no error rate: expect to lose
// good trials about twice as often as the threshold says.
func wilcoxonStops(trial, best []float64, bestMean, threshold float64) (bool, error) {
	n := min(len(trial), len(best))
	if n < 2 {
		return false, nil
	}
	w, err := SignedRank(trial[:n], best[:n], Greater, SplitZeros)
	if err != nil {
		return false, err
	}
	mean := 0.0
	for _, x := range trial {
		mean += x / float64(len(trial))
	}
	return w.P.Defined && w.P.Value < threshold && mean > bestMean, nil
}

// Optuna's tests/pruners_tests/test_wilcoxon.py at 1d8ce7bb6.
func TestWilcoxonStopsOptuna(t *testing.T) {
	reported := []float64{-1, 1, 2, 3, 4, 5, -2, -3}
	best := make([]float64, 10)
	for _, row := range []struct {
		threshold float64
		want      string
	}{{.2, "FFFTTTTT"}, {.15, "FFFFTTTF"}} {
		got := ""
		for n := range reported {
			stop, err := wilcoxonStops(reported[:n+1], best, 0, row.threshold)
			if err != nil {
				t.Fatal(err)
			}
			got += map[bool]string{true: "T", false: "F"}[stop]
		}
		if got != row.want {
			t.Errorf("threshold %v: %s, expected %s", row.threshold, got, row.want)
		}
	}
	if stop, err := wilcoxonStops([]float64{5}, best, 0, .9); stop || err != nil {
		t.Errorf("one step: %v, %v", stop, err)
	}
}

func TestAttemptAlpha(t *testing.T) {
	sum := 0.0
	for k := 1; k <= 100000; k++ {
		a, err := AttemptAlpha(.025, k)
		if err != nil {
			t.Fatal(err)
		}
		sum += a
	}
	if sum > .025 || sum < .02499 {
		t.Errorf("all attempts add up to %v, expected just below .025", sum)
	}
	if a, _ := AttemptAlpha(.05, 1); math.Abs(a-.05*.6079271) > 1e-8 {
		t.Errorf("first attempt %v", a)
	}
	if _, err := AttemptAlpha(.05, 0); err == nil {
		t.Error("attempt 0: no error")
	}
}

func TestShrink(t *testing.T) {
	// Equal variances: the spread is the sample variance less the noise.
	s, err := Shrink([]Noisy{{1, 1}, {3, 1}, {5, 1}})
	if err != nil || math.Abs(s.Centre-3) > 1e-9 || math.Abs(s.Spread*s.Spread-3) > 1e-9 || math.Abs(s.Means[2]-4.5) > 1e-9 {
		t.Errorf("%+v, %v", s, err)
	}
	// Noise explains all: everybody is the centre.
	s, _ = Shrink([]Noisy{{.5, 1}, {.6, 1}, {.55, 1}})
	if s.Spread != 0 || math.Abs(s.Means[0]-.55) > 1e-12 || math.Abs(s.Means[1]-.55) > 1e-12 {
		t.Errorf("noise only: %+v", s)
	}
	for _, edge := range [][]Noisy{nil, {{.7, .01}}, {{.7, 0}, {.2, 0}}, {{.7, 0}, {.7, 0}, {.7, 0}}, {{.7, 0}, {.2, .1}, {.4, .2}}} {
		s, err := Shrink(edge)
		if err != nil || len(s.Means) != len(edge) {
			t.Errorf("%v: %+v, %v", edge, s, err)
		}
		for i, m := range s.Means {
			if !numeral.IsFinite(m) || !numeral.IsFinite(s.Errors[i]) || edge[i].Variance == 0 && math.Abs(m-edge[i].Mean) > 1e-9 {
				t.Errorf("%v: %+v", edge, s)
			}
		}
	}
	if _, err := Shrink([]Noisy{{1, -1}}); err == nil {
		t.Error("negative variance: no error")
	}
	// The bias of the best of many: shrunken, the winner's claim is true.
	rng := rand.New(rand.NewPCG(19, 20))
	claimed, shrunken, truth := 0.0, 0.0, 0.0
	const studies = 500
	for range studies {
		truths, seen := make([]float64, 100), make([]Noisy, 100)
		for i := range truths {
			truths[i] = .5 + .02*rng.NormFloat64()
			seen[i] = Noisy{truths[i] + .035*rng.NormFloat64(), .035 * .035}
		}
		s, _ := Shrink(seen)
		best := 0
		for i := range seen {
			if s.Means[i] > s.Means[best] {
				best = i
			}
		}
		claimed += Elo(seen[best].Mean, 2) / studies
		shrunken += Elo(s.Means[best], 2) / studies
		truth += Elo(truths[best], 2) / studies
	}
	t.Logf("best of 100: claims %.1f, shrunken %.1f, true %.1f Elo", claimed, shrunken, truth)
	if math.Abs(shrunken-truth) > 2 || claimed < truth+30 {
		t.Errorf("best of 100: claims %.1f, shrunken %.1f, true %.1f Elo", claimed, shrunken, truth)
	}
}
