package stats

import (
	"errors"

	"gonum.org/v1/gonum/stat/distuv"
)

// Homogeneity is a chi-squared test that two histograms come from the same
// distribution: one worker's blocks against the rest.
type Homogeneity struct {
	Chi2 Number
	DF   int
	P    Number // chance of a Chi2 at least as large if the worker is sound
	// Reason says why the test is undefined, when it is.
	Reason string
}

// minExpected is the least number of blocks expected in each entry of the
// table; neighbouring cells are merged until it holds (W. G. Cochran, 1954).
const minExpected = 5

// Suspect compares one worker's histogram with that of all the others together
// (not including the worker), on the same entrants. A study asks it once per
// worker, so the level to act on is a small one divided by their number.
func Suspect(worker, others Blocks) (Homogeneity, error) {
	if worker.Seats != others.Seats || worker.Games != others.Games || len(worker.Counts) != len(others.Counts) {
		return Homogeneity{}, errors.New("counts: expected histograms of the same shape")
	}
	if err := worker.Validate(); err != nil {
		return Homogeneity{}, err
	}
	if err := others.Validate(); err != nil {
		return Homogeneity{}, err
	}
	n, m := float64(worker.N()), float64(others.N())
	if n == 0 || m == 0 {
		return Homogeneity{Reason: "no information: no blocks on one side"}, nil
	}
	share := min(n, m) / (n + m)
	var groups [][2]float64
	group := [2]float64{}
	for i := range worker.Counts {
		group[0] += float64(worker.Counts[i])
		group[1] += float64(others.Counts[i])
		if (group[0]+group[1])*share >= minExpected {
			groups, group = append(groups, group), [2]float64{}
		}
	}
	if len(groups) > 0 { // what is left joins the last group
		groups[len(groups)-1][0] += group[0]
		groups[len(groups)-1][1] += group[1]
	}
	if len(groups) < 2 {
		return Homogeneity{Reason: "no information: too few blocks for two groups of 5 expected"}, nil
	}
	chi2 := 0.0
	for _, g := range groups {
		expected := (g[0] + g[1]) * n / (n + m)
		d := g[0] - expected
		chi2 += d * d / expected
		expected = (g[0] + g[1]) * m / (n + m)
		chi2 += d * d / expected
	}
	df := len(groups) - 1
	return Homogeneity{
		Chi2: Known(chi2), DF: df,
		P: Known(distuv.ChiSquared{K: float64(df)}.Survival(chi2)),
	}, nil
}
