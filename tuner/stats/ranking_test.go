package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Agresti (2002), table 10.11: the American League of 1987, as fitted by R's
// BradleyTerry2 (test-baseball.R), two decimals; four by other code.
func TestBradleyTerryBaseball(t *testing.T) {
	wins := [][]float64{
		{0, 1, 7, 4, 2, 3, 1}, {12, 0, 7, 2, 6, 7, 6}, {6, 6, 0, 4, 4, 6, 5}, {9, 11, 9, 0, 6, 5, 7},
		{11, 7, 9, 7, 0, 7, 9}, {10, 6, 7, 8, 6, 0, 6}, {12, 7, 8, 6, 4, 7, 0},
	}
	a, err := BradleyTerry(wins)
	if err != nil {
		t.Fatal(err)
	}
	printed := []float64{0, 1.11, .68, 1.44, 1.58, 1.25, 1.29}
	digits := []float64{0, 1.1077, .6839, 1.4364, 1.5814, 1.2476, 1.2945}
	elo := []float64{0, 192.43, 118.80, 249.53, 274.71, 216.73, 224.88}
	total := 0.0
	for i := range wins {
		x := a.Ability[i].Value
		if math.Abs(x-printed[i]) > .0051 || math.Abs(x-digits[i]) > 6e-5 || math.Abs(EloPerAbility*x-elo[i]) > .006 {
			t.Errorf("team %d: %.5f (%.2f Elo), expected %v (%v)", i, x, EloPerAbility*x, digits[i], elo[i])
		}
		// "SE about .3"
		if i > 0 && !(a.SE[i].Value > .25 && a.SE[i].Value < .4) {
			t.Errorf("team %d: standard error %v", i, a.SE[i])
		}
		total += math.Exp(x)
	}
	// The strengths printed with a home advantage differ by at most .002.
	for i, want := range map[int]float64{0: .044, 2: .088, 1: .137, 5: .157, 6: .164, 3: .190, 4: .220} {
		if got := math.Exp(a.Ability[i].Value) / total; math.Abs(got-want) > .002 {
			t.Errorf("team %d: strength %.4f, expected about %v", i, got, want)
		}
	}
	if a.SE[0].Value != 0 || a.Reason != "" {
		t.Errorf("the first team: %v, %q", a.SE[0], a.Reason)
	}
}

func TestBradleyTerryTwoPlayers(t *testing.T) {
	a, err := BradleyTerry([][]float64{{0, 25}, {75, 0}})
	if err != nil || math.Abs(a.Ability[1].Value-math.Log(3)) > 1e-12 {
		t.Errorf("%v, expected ln 3 (%v)", a.Ability[1], err)
	}
	if want := math.Sqrt(1 / (100 * .25 * .75)); math.Abs(a.SE[1].Value-want) > 1e-12 {
		t.Errorf("standard error %v, expected %v", a.SE[1], want)
	}
}

// Players whom no chain of results ties to the first have no finite ability.
func TestBradleyTerryUnlinked(t *testing.T) {
	for _, row := range []struct {
		name    string
		wins    [][]float64
		defined []bool
	}{
		{"no games", [][]float64{{0, 0}, {0, 0}}, []bool{true, false}},
		{"always wins", [][]float64{{0, 5}, {0, 0}}, []bool{true, false}},
		{"one outclassed", [][]float64{{0, 3, 4}, {2, 0, 4}, {0, 0, 0}}, []bool{true, true, false}},
		{"a cycle", [][]float64{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, []bool{true, true, true}},
	} {
		a, err := BradleyTerry(row.wins)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range row.defined {
			if a.Ability[i].Defined != want {
				t.Errorf("%s: player %d is %v", row.name, i, a.Ability[i])
			}
		}
		if all := row.name == "a cycle"; (a.Reason == "") != all {
			t.Errorf("%s: reason %q", row.name, a.Reason)
		}
	}
	// The outclassed one says nothing about the others.
	a, _ := BradleyTerry([][]float64{{0, 3, 4}, {2, 0, 9}, {0, 0, 0}})
	if math.Abs(a.Ability[1].Value-math.Log(2.0/3)) > 1e-12 {
		t.Errorf("%v, expected ln(2/3)", a.Ability[1])
	}
	// Long chains of lopsided results.
	const n = 40
	wins := make([][]float64, n)
	for i := range wins {
		wins[i] = make([]float64, n)
	}
	for i := range n - 1 {
		wins[i][i+1], wins[i+1][i] = 1e12, 1e-6
	}
	a, err := BradleyTerry(wins)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if !a.Ability[i].Defined {
			t.Errorf("chain: player %d is %v", i, a.Ability[i])
		}
	}
}

func TestSuspect(t *testing.T) {
	p := func(c ...int64) Blocks { return Pentanomial([5]int64(c)) }
	// By hand, 2 x 3 table (20 30 50)/(40 30 30): expected 30 30 40 each,
	// chi2 = 2 (100/30 + 100/40) = 11.6667, df 2, p = e^-5.8333.
	h, err := Suspect(p(20, 0, 30, 0, 50), p(40, 0, 30, 0, 30))
	if err != nil || math.Abs(h.Chi2.Value-35.0/3) > 1e-12 || h.DF != 2 || math.Abs(h.P.Value-math.Exp(-35.0/6)) > 1e-12 {
		t.Errorf("%+v, %v", h, err)
	}
	for _, none := range [][2]Blocks{{p(0, 0, 0, 0, 0), p(1, 2, 3, 4, 5)}, {p(0, 0, 9, 0, 0), p(0, 0, 500, 0, 0)}, {p(1, 1, 1, 0, 0), p(10, 20, 30, 5, 5)}} {
		h, err := Suspect(none[0], none[1])
		if err != nil || h.P.Defined || h.Reason == "" {
			t.Errorf("%v: %+v, %v", none, h, err)
		}
	}
	if _, err := Suspect(p(1, 1, 1, 1, 1), Trinomial(1, 1, 1)); err == nil {
		t.Error("two shapes: no error")
	}
	// A sound worker is suspected at its level: 2 000 histograms of 100 blocks
	// against 1 000, at 5 %; two standard errors are 1 %.
	rng := rand.New(rand.NewPCG(3, 4))
	draw := func(n int) Blocks {
		var c [5]int64
		for range n {
			c[rng.IntN(3)+rng.IntN(3)]++
		}
		return Pentanomial(c)
	}
	alarms := 0
	for range 2000 {
		if h, _ := Suspect(draw(100), draw(1000)); h.P.Value < .05 {
			alarms++
		}
	}
	if alarms < 75 || alarms > 125 {
		t.Errorf("%d alarms in 2000 at 5 %%", alarms)
	}
}
