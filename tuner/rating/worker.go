package rating

import (
	"errors"

	"gonum.org/v1/gonum/mat"
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

// Stratum is one worker's blocks and those of all others on the same entrants.
type Stratum struct{ Worker, Others Blocks }

// SuspectAll is Suspect over many pairings at once, each with a few blocks: the
// generalised Cochran-Mantel-Haenszel test of general association (J. R. Landis,
// E. R. Heyman, G. G. Koch, "Average partial association in three-way
// contingency tables", 1978). Inside each pairing the worker's share of every
// score is compared with what a random hand-out of the same blocks gives; only
// then are the differences added up, so a worker that happened to get the weak
// candidates is not suspect for it. All histograms must have the same shape.
func SuspectAll(strata []Stratum) (Homogeneity, error) {
	if len(strata) == 0 {
		return Homogeneity{Reason: "no information: no blocks"}, nil
	}
	cells := len(strata[0].Worker.Counts)
	excess, covariance := make([]float64, cells), mat.NewSymDense(max(cells, 1), nil)
	for _, s := range strata {
		if len(s.Worker.Counts) != cells || len(s.Others.Counts) != cells {
			return Homogeneity{}, errors.New("counts: expected histograms of the same shape")
		}
		if err := errors.Join(s.Worker.Validate(), s.Others.Validate()); err != nil {
			return Homogeneity{}, err
		}
		n, m := float64(s.Worker.N()), float64(s.Others.N())
		all := n + m
		if n == 0 || m == 0 {
			continue
		}
		// The worker's counts are hypergeometric, the margins given.
		spread := n * m / (all * all * (all - 1))
		for i := range cells {
			x := float64(s.Worker.Counts[i] + s.Others.Counts[i])
			excess[i] += float64(s.Worker.Counts[i]) - n*x/all
			for j := i; j < cells; j++ {
				y := float64(s.Worker.Counts[j] + s.Others.Counts[j])
				c := -spread * x * y
				if i == j {
					c += spread * all * x
				}
				covariance.SetSym(i, j, covariance.At(i, j)+c)
			}
		}
	}
	// The quadratic form by the eigenvectors: cells that nobody has, and the sum
	// of all, have no variance and drop out.
	var e mat.EigenSym
	if !e.Factorize(covariance, true) {
		return Homogeneity{Reason: "no information: the table has no eigenvectors"}, nil
	}
	values := e.Values(nil)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	chi2, df := 0.0, 0
	for k, variance := range values {
		// Below a few blocks' worth of variance the limit is not reached.
		if variance < 1e-9*values[cells-1] || variance < 0.5 {
			continue
		}
		along := 0.0
		for i, x := range excess {
			along += x * vectors.At(i, k)
		}
		chi2 += along * along / variance
		df++
	}
	if df == 0 {
		return Homogeneity{Reason: "no information: too few blocks beside those of others"}, nil
	}
	return Homogeneity{Chi2: Known(chi2), DF: df, P: Known(distuv.ChiSquared{K: float64(df)}.Survival(chi2))}, nil
}
