package stats

import (
	"math"
	"testing"
)

// roundingTimes returns the example of Hollander and Wolfe (1973), section 7.1, as in the help of
// R's friedman.test: 22 players, three ways to round first base.
func roundingTimes() [][]float64 {
	return [][]float64{
		{5.40, 5.50, 5.55}, {5.85, 5.70, 5.75}, {5.20, 5.60, 5.50}, {5.55, 5.50, 5.40}, {5.90, 5.85, 5.70},
		{5.45, 5.55, 5.60}, {5.40, 5.40, 5.35}, {5.45, 5.50, 5.35}, {5.25, 5.15, 5.00}, {5.85, 5.80, 5.70},
		{5.25, 5.20, 5.10}, {5.65, 5.55, 5.45}, {5.60, 5.35, 5.45}, {5.05, 5.00, 4.95}, {5.50, 5.50, 5.40},
		{5.45, 5.55, 5.50}, {5.55, 5.55, 5.35}, {5.45, 5.50, 5.55}, {5.50, 5.45, 5.25}, {5.65, 5.60, 5.40},
		{5.70, 5.65, 5.55}, {6.30, 6.30, 6.25},
	}
}

func TestFriedmanRoundingTimes(t *testing.T) {
	f, err := NewFriedman(roundingTimes())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(f.Chi2.Value-11.142857142857142) > 1e-12 || f.DF != 2 || math.Abs(f.P.Value-.003805040775511363) > 1e-15 {
		t.Errorf("chi2 %v, df %d, p %v", f.Chi2, f.DF, f.P)
	}
	if f.sums[0] != 53 || f.sums[1] != 47 || f.sums[2] != 32 {
		t.Errorf("rank sums %v, expected 53 47 32", f.sums)
	}
}

func TestFriedmanEdges(t *testing.T) {
	f, err := NewFriedman([][]float64{{1, 1, 1}, {2, 2, 2}})
	if err != nil || f.Chi2.Defined || f.P.Defined {
		t.Errorf("all tied: %+v, %v", f, err)
	}
	if f, err = NewFriedman([][]float64{{1, 2}}); err != nil || !f.P.Defined {
		t.Errorf("one row: %+v, %v", f, err)
	}
	for _, bad := range [][][]float64{nil, {{1}}, {{1, 2}, {1}}, {{1, math.NaN()}}, {{1, math.Inf(1)}}} {
		if _, err := NewFriedman(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// depression returns the example of Hollander and Wolfe (1973), section 3.1, as in the help of R's
// wilcox.test.
func depression() (x, y []float64) {
	return []float64{1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
		[]float64{.878, .647, .598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
}

func TestSignedRankDepression(t *testing.T) {
	x, y := depression()
	for _, row := range []struct {
		alternative Alternative
		p           float64
	}{{Greater, .01953125}, {TwoSided, .0390625}, {Less, .986328125}} {
		w, err := SignedRank(x, y, row.alternative, DropZeros)
		if err != nil || w.V != 40 || !w.Exact || math.Abs(w.P.Value-row.p) > 1e-15 {
			t.Errorf("%s: %+v, %v, expected V 40, p %v", row.alternative, w, err, row.p)
		}
	}
	w, err := signedRank(x, y, Greater, DropZeros, 0)
	if err != nil || w.Exact || math.Abs(w.P.Value-.01908) > 5.1e-6 {
		t.Errorf("normal: %+v, %v, expected .01908", w, err)
	}
}

// With ties and zeros the distribution given the ranks, against a sum over all
// signs.
func TestSignedRankAgainstAllSigns(t *testing.T) {
	for _, d := range [][]float64{{1, -1, 2, 2, -3, 0, 2}, {1}, {-2, -2}, {0, 0, 5, 5, -1, 3, 3, 3, -3}} {
		zero := make([]float64, len(d))
		for _, zeros := range []Zeros{DropZeros, SplitZeros} {
			w, err := SignedRank(d, zero, Greater, zeros)
			if err != nil {
				t.Fatal(err)
			}
			var sizes []float64
			var halves []bool
			for _, x := range d {
				if x != 0 || zeros == SplitZeros {
					sizes, halves = append(sizes, math.Abs(x)), append(halves, x == 0)
				}
			}
			ranks, _ := midranks(sizes)
			all, above := 0, 0
			for signs := range 1 << len(ranks) {
				v := 0.0
				for i, r := range ranks {
					if halves[i] {
						v += r / 2
					} else if signs>>i&1 == 1 {
						v += r
					}
				}
				all++
				if v >= w.V {
					above++
				}
			}
			if want := float64(above) / float64(all); math.Abs(w.P.Value-want) > 1e-12 {
				t.Errorf("%v, zeros %d: %v, expected %v", d, zeros, w.P, want)
			}
		}
	}
}

// The exact and the normal distribution meet.
func TestSignedRankLarge(t *testing.T) {
	var x, y []float64
	for i := range exactLimit {
		x = append(x, float64((i*37)%101))
		y = append(y, 48+float64(i%2)*.5)
	}
	exact, _ := SignedRank(x, y, Greater, DropZeros)
	limit, _ := signedRank(x, y, Greater, DropZeros, 0)
	if !exact.Exact || limit.Exact || math.Abs(exact.P.Value-limit.P.Value) > .001 {
		t.Errorf("exact %+v, normal %+v", exact, limit)
	}
}

func TestSignedRankEdges(t *testing.T) {
	if w, err := SignedRank(nil, nil, TwoSided, DropZeros); err != nil || w.P.Defined {
		t.Errorf("no pairs: %+v, %v", w, err)
	}
	if w, err := SignedRank([]float64{3, 3}, []float64{3, 3}, TwoSided, DropZeros); err != nil || w.P.Defined {
		t.Errorf("all equal: %+v, %v", w, err)
	}
	if w, err := SignedRank([]float64{3, 3}, []float64{3, 3}, Greater, SplitZeros); err != nil || w.P.Value != 1 {
		t.Errorf("all equal, split: %+v, %v", w, err)
	}
	if _, err := SignedRank([]float64{1}, nil, TwoSided, DropZeros); err == nil {
		t.Error("unpaired: no error")
	}
	if _, err := SignedRank([]float64{1}, []float64{math.NaN()}, TwoSided, DropZeros); err == nil {
		t.Error("NaN: no error")
	}
	if _, err := SignedRank(nil, nil, "up", DropZeros); err == nil {
		t.Error("up: no error")
	}
}
