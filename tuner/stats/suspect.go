package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Homogeneity is a chi-squared test that two histograms come from the same
// distribution: one worker's blocks against the rest.
type Homogeneity struct {
	Chi2 Number `json:"chi2"`
	DF   int    `json:"df"`
	P    Number `json:"p"` // chance of a Chi2 at least as large if the worker is sound
	// Reason says why the test is undefined, when it is.
	Reason string `json:"reason,omitempty"`
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

// SuspectAll does what Suspect does, over many pairings at once, each with a few blocks. Inside
// each pairing the worker's blocks are compared with what a random hand-out of the same blocks
// gives, so a worker that happened to get the weak candidates is not suspect for it. There are
// two tests. General association sees a shift that all pairings share, such as games lost on
// time. Dispersion sees shifts whose direction differs from pairing to pairing, such as swapped
// results where some candidates win and others lose. The one with the smaller P is reported,
// its P doubled for the choice. All histograms must have the same shape.
func SuspectAll(strata []Stratum) (Homogeneity, error) {
	if len(strata) == 0 {
		return Homogeneity{Reason: "no information: no blocks"}, nil
	}
	cells := len(strata[0].Worker.Counts)
	for _, s := range strata {
		if len(s.Worker.Counts) != cells || len(s.Others.Counts) != cells {
			return Homogeneity{}, errors.New("counts: expected histograms of the same shape")
		}
		if err := errors.Join(s.Worker.Validate(), s.Others.Validate()); err != nil {
			return Homogeneity{}, err
		}
	}
	a, b := association(strata, cells), dispersion(strata, cells)
	if !a.P.Defined || b.P.Defined && b.P.Value < a.P.Value {
		a = b
	}
	if a.P.Defined {
		a.P = Known(min(2*a.P.Value, 1))
	}
	return a, nil
}

// association returns the generalised Cochran-Mantel-Haenszel test (J. R. Landis, E. R.
// Heyman, G. G. Koch, "Average partial association in three-way contingency
// tables", 1978): each cell's excess, added up over the pairings.
func association(strata []Stratum, cells int) Homogeneity {
	excess, covariance := make([]float64, cells), mat.NewSymDense(max(cells, 1), nil)
	for _, s := range strata {
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
	// The quadratic form by the eigenvectors: cells without a block, and the sum
	// of all, have no variance and drop out.
	var e mat.EigenSym
	if !e.Factorize(covariance, true) {
		return Homogeneity{Reason: "no information: the table has no eigenvectors"}
	}
	values := e.Values(nil)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	chi2, df := 0.0, 0
	for k, variance := range values {
		// Far out the limit is not reached with the variance of fewer blocks: with half a block a
		// chance of 1e-4 would be one of 1e-3.
		if variance < 1e-9*values[cells-1] || variance < minExpected {
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
		return Homogeneity{Reason: "no information: too few blocks beside those of others"}
	}
	return Homogeneity{Chi2: Known(chi2), DF: df, P: Known(distuv.ChiSquared{K: float64(df)}.Survival(chi2))}
}

// dispersion adds up, over the pairings, the square of the worker's excess of
// score in units of its variance. Each has mean 1 exactly, and the variance that
// the fourth moment of a sample without replacement gives; the sum is matched by a
// multiple of a chi-square with the same mean and variance (F. E. Satterthwaite,
// 1946).
func dispersion(strata []Stratum, cells int) Homogeneity {
	sum, mean, variance := 0.0, 0.0, 0.0
	for _, s := range strata {
		n, m := float64(s.Worker.N()), float64(s.Others.N())
		all := n + m
		if n == 0 || m == 0 || all < 4 {
			continue
		}
		centre, excess := 0.0, 0.0
		for i := range cells {
			centre += float64(i) * float64(s.Worker.Counts[i]+s.Others.Counts[i]) / all
		}
		s2, s4 := 0.0, 0.0
		for i := range cells {
			d := float64(i) - centre
			s2 += float64(s.Worker.Counts[i]+s.Others.Counts[i]) * d * d
			s4 += float64(s.Worker.Counts[i]+s.Others.Counts[i]) * d * d * d * d
			excess += float64(s.Worker.Counts[i]) * d
		}
		if s2 < 1e-9 {
			continue
		}
		// The chances that one, two, three, four given blocks are the worker's.
		p1 := n / all
		p2 := p1 * (n - 1) / (all - 1)
		p3 := p2 * (n - 2) / (all - 2)
		p4 := p3 * (n - 3) / (all - 3)
		v := s2 * (p1 - p2)
		fourth := p1*s4 + p2*(3*s2*s2-7*s4) + 6*p3*(2*s4-s2*s2) + p4*(3*s2*s2-6*s4)
		sum += excess * excess / v
		mean++
		variance += max(fourth/(v*v)-1, 0)
	}
	if mean == 0 || variance < 1e-9 {
		return Homogeneity{Reason: "no information: too few blocks beside those of others"}
	}
	scale, df := variance/(2*mean), 2*mean*mean/variance
	return Homogeneity{
		Chi2: Known(sum / scale), DF: int(math.Round(df)),
		P: Known(distuv.ChiSquared{K: df}.Survival(sum / scale)),
	}
}

// Apartness is how far one worker's blocks lie from those of all others, looked at again and again.
type Apartness struct {
	// Ratio is the largest of the tests' statistics over its bound: from 1 on the worker is apart.
	Ratio float64
	// Excess says which: "its mean score is .031 above the others'".
	Excess string
}

// Record is what one worker has played of a series.
type Record struct {
	Scores []int64 // histogram of its blocks' scores, as in Blocks
	Blocks int64
	Games  int64
	Late   int64 // games lost on time, or by a program that was gone
}

// StratumOf returns what a worker has played beside all others, of their records by name.
func StratumOf(seats int, records map[string]Record, worker string) Stratum {
	own := records[worker].Scores
	others := make([]int64, len(own))
	for name, r := range records {
		for i, n := range r.Scores {
			if name != worker && i < len(others) {
				others[i] += n
			}
		}
	}
	return Stratum{Worker: Rotated(seats, own), Others: Rotated(seats, others)}
}

// Lean returns how far the worker's mean score lies above the others', the standard error of that, and the
// standard error of the mean of all; zeros where there is nothing to compare. Scores are from 0 to 1.
func (s Stratum) Lean() (lean, err, ofAll float64) {
	n, m := float64(s.Worker.N()), float64(s.Others.N())
	own, mean, square := 0., 0., 0.
	for c := range s.Worker.Counts {
		x := float64(c) / float64(len(s.Worker.Counts)-1)
		own += x * float64(s.Worker.Counts[c]) / n
		mean += x * float64(s.Worker.Counts[c]+s.Others.Counts[c]) / (n + m)
		square += x * x * float64(s.Worker.Counts[c]+s.Others.Counts[c]) / (n + m)
	}
	variance := square - mean*mean
	if n == 0 || m == 0 || !(variance > 0) {
		return 0, 0, 0
	}
	return (own - mean) * (n + m) / m, math.Sqrt(variance * (n + m) / (n * m)), math.Sqrt(variance / (n + m))
}

const (
	// apartLeast is the number of a worker's blocks from which it is judged.
	apartLeast = 100
	// apartVariance is the variance, blocks squared, from which a count of blocks is judged.
	apartVariance = 10
	// apartMean is the share of alpha that the test of the mean score has, and apartSpread a
	// usual variance of a block's score.
	apartMean, apartSpread = .9, .05
	// apartUsual is, of the variance at which a test is meant to be sharpest, the part that
	// the mixture takes: with 500 blocks beside three others.
	apartUsual = 0.003
)

// Apart compares one worker's blocks with those of all others on the same entrants: the mean score
// and the number of blocks of each score, inside each stratum given what all have together, as
// in [SuspectAll]. alpha is the chance over the whole life of the comparison, however often it
// is made, of calling a sound worker apart.
//
// Source: H. Robbins, "Statistical methods related to the law of the iterated logarithm", 1970: the
// normal mixture's bound, over the variance as the clock.
func Apart(strata []Stratum, alpha float64) Apartness {
	cells := 0
	for _, s := range strata {
		cells = max(cells, len(s.Worker.Counts))
	}
	var out Apartness
	blocks := int64(0)
	for _, s := range strata {
		blocks += s.Worker.N()
	}
	if cells < 2 || blocks < apartLeast {
		return out
	}
	for which := -1; which < cells; which++ { // the mean first, which has most of alpha
		level := alpha * apartMean
		if which >= 0 {
			level = alpha * (1 - apartMean) / float64(cells)
		}
		worth := func(cell int) float64 {
			switch {
			case which < 0:
				return float64(cell) / float64(cells-1)
			case cell == which:
				return 1
			}
			return 0
		}
		sum, shift, variance := 0., 0., 0.
		for _, s := range strata {
			n, m := float64(s.Worker.N()), float64(s.Others.N())
			all := n + m
			if n == 0 || m == 0 || all < 2 || len(s.Worker.Counts) != cells || len(s.Others.Counts) != cells {
				continue
			}
			own, mean, square := 0., 0., 0.
			for c := range cells {
				x := worth(c)
				own += x * float64(s.Worker.Counts[c])
				mean += x * float64(s.Worker.Counts[c]+s.Others.Counts[c]) / all
				square += x * x * float64(s.Worker.Counts[c]+s.Others.Counts[c]) / all
			}
			spread, weight := max(0, square-mean*mean), 1.
			if which < 0 { // the same shift is seen better where most games end alike
				weight = apartSpread / (spread + apartSpread/10)
			}
			sum += weight * (own - n*mean)
			variance += weight * weight * n * m / (all - 1) * spread
			shift += own - n*mean
		}
		if variance <= 0 || which >= 0 && variance < apartVariance {
			continue
		}
		usual := apartUsual * 500 * map[bool]float64{true: 1, false: 5}[which < 0]
		bound := math.Sqrt((variance + usual) * (math.Log((variance+usual)/usual) + 2*math.Log(1/level)))
		if ratio := math.Abs(sum) / bound; ratio > out.Ratio {
			out.Ratio = ratio
			what := fmt.Sprintf("its %d blocks score %+.3f a block beside the others'", blocks, shift/float64(blocks))
			if which >= 0 {
				what = fmt.Sprintf("of %d blocks %+.0f score %g, beside the others'", blocks, sum, float64(which)/float64(cells-1))
			}
			out.Excess = what
		}
	}
	return out
}
