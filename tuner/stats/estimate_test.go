package stats

import (
	"math"
	"testing"
)

// fastchess app/tests/elo_test.cpp, tolerance 1 % (or the printed digits); Elo
// and errors marked R in the vectors come from the same formulas by other code.
func TestEstimateFastchess(t *testing.T) {
	p := func(c ...int64) Blocks { return Pentanomial([5]int64(c)) }
	for _, row := range []struct {
		blocks                               Blocks
		nelo, neloErr, elo, eloErr, los, pts float64
	}{
		{Trinomial(76, 123, 89), -20.76, 40.13, -15.69, 30.46, .1553, .477},
		{Trinomial(136, 111, 96), 49.77, 36.77, 40.70, 30.43, .9960, .558},
		{Trinomial(34, 0, 356), -508.44, 34.48, -407.99, 63.16, 0, .087},
		{p(34, 54, 63, 64, 75), 57.94, 28.28, 55.58, 27.65, 1, .579},
		{p(332, 433, 498, 333, 334), -9.17, 10.96, -8.64, 10.33, .0505, .488},
		{p(7895, 8757, 5685, 568, 9999), -19.01, 2.65, -21.04, 2.95, 0, .470},
		{p(0, 4, 28, 15, 3), 117.61, 68.10, 59.64, 35.35, .9996, .585},
		{p(143, 6697, 14452, 6415, 164), -2.95, 2.9, -1.50, 1.5, .023, math.NaN()},
		{p(154, 6440, 16053, 7148, 205), 9.38, 2.8, 4.69, 1.4, 1, math.NaN()},
		{p(2, 132, 4664, 202, 0), 12.42, 6.8, 2.29, 1.3, math.NaN(), math.NaN()},
		{p(12, 2497, 7185, 2504, 10), .09, 4.4, .04, 2.0, .517, math.NaN()},
	} {
		e := row.blocks.Estimate()
		near := func(name string, got Number, want, digit float64) {
			t.Helper()
			if math.IsNaN(want) {
				return
			}
			if !got.Defined || math.Abs(got.Value-want) > digit*.5001 {
				t.Errorf("%v: %s %v, expected %v", row.blocks.Counts, name, got, want)
			}
		}
		near("nElo", e.NElo, row.nelo, .01)
		near("nElo error", e.NEloErr, row.neloErr, digitOf(row.neloErr))
		near("Elo", e.Elo, row.elo, .01)
		near("Elo error", e.EloErr, row.eloErr, digitOf(row.eloErr))
		near("LOS", e.LOS, row.los, digitLOS(row.los))
		near("score", e.Score, row.pts, .001)
	}
}

// digitOf returns the last printed digit of an error: two decimals from fastchess,
// one from fishtest.
func digitOf(x float64) float64 {
	if math.Abs(x*10-math.Round(x*10)) < 1e-9 {
		return .1
	}
	return .01
}

func digitLOS(x float64) float64 {
	if x == .023 || x == .517 {
		return .001
	}
	return .0001
}

func TestEstimateStockfish(t *testing.T) {
	rows := readCSV(t, "stockfish_elo.csv")
	if len(rows) != 21 {
		t.Fatalf("%d rows, expected 21", len(rows))
	}
	for _, row := range rows {
		e := pentaOf(t, row).Estimate()
		near := func(key string, got Number, scale, digit float64) {
			t.Helper()
			if row[key] == "" {
				return
			}
			if want := number(t, row[key]); math.Abs(got.Value*scale-want) > digit*.5001 {
				t.Errorf("%s: %s %.4f, published %v", row["commit"], key, got.Value*scale, want)
			}
		}
		near("pub_elo", e.Elo, 1, .01)
		near("pub_err95", e.EloErr, 1, .1)
		near("pub_los_pct", e.LOS, 100, .1)
		near("pub_nelo", e.NElo, 1, .01)
	}
}

func TestPairsRatio(t *testing.T) {
	for _, row := range []struct {
		penta [5]int64
		ratio float64
	}{
		{[5]int64{0, 4, 28, 15, 3}, 4.50},
		{[5]int64{143, 6697, 14452, 6415, 164}, .96},
		{[5]int64{154, 6440, 16053, 7148, 205}, 1.12},
		{[5]int64{2, 132, 4664, 202, 0}, 1.51},
		{[5]int64{12, 2497, 7185, 2504, 10}, 1.00},
	} {
		e := Pentanomial(row.penta).Estimate()
		if math.Abs(e.Ratio.Value-row.ratio) > .005 {
			t.Errorf("%v: %v, expected %v", row.penta, e.Ratio, row.ratio)
		}
	}
	if e := Trinomial(3, 2, 1).Estimate(); e.Ratio.Defined {
		t.Error("single games have a pairs ratio")
	}
	// Three seats: a block above 1/3 wins.
	if e := Rotated(3, []int64{5, 2, 7, 1, 0, 0, 4}).Estimate(); e.Ratio.Value != 5.0/7 {
		t.Errorf("three seats: %v, expected 5/7", e.Ratio)
	}
}

// Ordo's readme example prints the confidence that one player is above another.
func TestLOS(t *testing.T) {
	for _, row := range []struct{ diff, sd, percent, within float64 }{
		{-35, 9, 0, .05}, {6, 11, 71.0, .35}, {23, 10, 99.0, .15}, {44, 8, 100, .05},
	} {
		if got := 100 * los(row.diff, row.sd); math.Abs(got-row.percent) > row.within {
			t.Errorf("%v/%v: %.2f %%, expected %v", row.diff, row.sd, got, row.percent)
		}
	}
	if e := Trinomial(1467, 772, 161).Estimate(); math.Abs(e.Score.Value-.772) > .0005 {
		t.Errorf("score %v, expected 77.2 %%", e.Score)
	}
}

func TestEloScore(t *testing.T) {
	if got := Elo(.75, 2); math.Abs(got-190.85) > .005 { // fastchess pull request 257
		t.Errorf("Elo(.75) = %v, expected 190.85", got)
	}
	if got := Elo(0, 2); math.Abs(got+1199.826) > .001 {
		t.Errorf("Elo(0) = %v, expected the clamp at -1199.83", got)
	}
	for seats := 2; seats <= 6; seats++ {
		if got := Elo(1/float64(seats), seats); math.Abs(got) > 1e-10 {
			t.Errorf("%d seats: Elo of the null score %v", seats, got)
		}
		for elo := -700.0; elo <= 700; elo += 50 {
			if back := Elo(Score(elo, seats), seats); math.Abs(back-elo) > 1e-9 {
				t.Errorf("%d seats: %v Elo comes back as %v", seats, elo, back)
			}
		}
	}
}

// What has no error is said to have none, by name.
func TestEstimateEdges(t *testing.T) {
	p := func(c ...int64) Blocks { return Pentanomial([5]int64(c)) }
	for _, row := range []struct {
		blocks Blocks
		score  Number
		reason string
	}{
		{p(0, 0, 0, 0, 0), Number{}, "no information: no blocks"},
		{p(0, 0, 10, 0, 0), Known(.5), "no information: every block scored 0.5"},
		{p(0, 7, 0, 0, 0), Known(.25), "no information: every block scored 0.25"},
		{p(0, 0, 0, 0, 10), Known(1), "every block was won or every block was lost"},
		{p(10, 0, 0, 0, 0), Known(0), "every block was won or every block was lost"},
		{Trinomial(0, 0, 4), Known(0), "every block was won or every block was lost"},
	} {
		e := row.blocks.Estimate()
		if e.Score != row.score || e.Reason != row.reason {
			t.Errorf("%v: score %v, reason %q", row.blocks.Counts, e.Score, e.Reason)
		}
		if e.LOS.Defined || e.NElo.Defined || e.EloErr.Defined {
			t.Errorf("%v: an error out of nothing: %+v", row.blocks.Counts, e)
		}
	}
	won := p(0, 0, 0, 0, 10).Estimate()
	if won.CI95.Hi.Value != 1 || math.Abs(won.CI95.Lo.Value-.7225) > 1e-4 {
		t.Errorf("ten won: %+v", won.CI95)
	}
}

func TestWilson(t *testing.T) {
	// Newcombe (1998), examples, by the formula to four decimals.
	for _, row := range []struct{ x, n, lo, hi float64 }{
		{81, 263, .2553, .3662}, {15, 148, .0624, .1605}, {0, 20, 0, .1611}, {1, 29, .0061, .1718},
	} {
		i, err := Wilson(row.x, row.n, .95)
		if err != nil || math.Abs(i.Lo.Value-row.lo) > 5.1e-5 || math.Abs(i.Hi.Value-row.hi) > 5.1e-5 {
			t.Errorf("%v/%v: %v, %v, expected %v, %v (%v)", row.x, row.n, i.Lo, i.Hi, row.lo, row.hi, err)
		}
	}
	if i, err := Wilson(0, 0, .95); err != nil || i.Lo.Defined || i.Hi.Defined {
		t.Errorf("no trials: %+v, %v", i, err)
	}
	for _, bad := range [][3]float64{{-1, 5, .95}, {6, 5, .95}, {1, -5, .95}, {1, 5, 0}, {1, 5, 1}, {math.NaN(), 5, .95}} {
		if _, err := Wilson(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestMeanAndRatio(t *testing.T) {
	hits := []float64{17, 16, 17, 12, 17, 15}
	shots := []float64{80, 91, 70, 95, 66, 88}
	var s Sums
	for i := range hits {
		s.N++
		s.X += hits[i]
		s.XX += hits[i] * hits[i]
		s.Y += shots[i]
		s.YY += shots[i] * shots[i]
		s.XY += hits[i] * shots[i]
	}
	// By hand: R = 94/490, residuals x - R y, sqrt(sum of squares/(n(n-1)))/mean y.
	r, ss := 94.0/490, 0.0
	for i := range hits {
		ss += (hits[i] - r*shots[i]) * (hits[i] - r*shots[i])
	}
	se := 100 * math.Sqrt(ss/30) / (490.0 / 6)
	got := s.Ratio(100)
	if math.Abs(got.Mean.Value-100*r) > 1e-12 || math.Abs(got.SE.Value-se) > 1e-9 {
		t.Errorf("ratio %v ± %v, expected %v ± %v", got.Mean, got.SE, 100*r, se)
	}
	// Six blocks 17 16 17 12 17 15: mean 15.667, sample sd 1.9664.
	s.Per = 2
	m := s.Mean()
	if math.Abs(m.Mean.Value-94.0/12) > 1e-12 || math.Abs(m.SE.Value-1.966384/math.Sqrt(6)/2) > 1e-6 {
		t.Errorf("mean %v ± %v", m.Mean, m.SE)
	}
	for _, edge := range []Sums{{}, {N: 1, X: 3, XX: 9}, {N: 2}} {
		if r := edge.Ratio(1); r.Mean.Defined || r.SE.Defined {
			t.Errorf("%+v: a ratio to nothing: %+v", edge, r)
		}
	}
	if one := (Sums{N: 1, X: 3, XX: 9}).Mean(); !one.Mean.Defined || one.SE.Defined {
		t.Errorf("one block: %+v", one)
	}
}
