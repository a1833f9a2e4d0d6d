package worth

import (
	"math"
	"strconv"

	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// Weights are the numbers of an evaluation, 17 for five players. Index 0 of
// the arrays is unused.
type Weights struct {
	Steps   [lifeboats.Distance + 1]float64   // A1..A3, by steps to go
	Leaks   [lifeboats.Leaks]float64          // L1..L3, by seats flooded
	Parties [lifeboats.MaxPlayers + 1]float64 // C2..C6, by players aboard
	Rank    [lifeboats.MaxPlayers + 1]float64 // R1..R6, by place among the boats afloat
	Home    float64                           // D
	X       float64                           // exponent; below 0 it counts as 0
	Full    string                            // what a full boat's leak is worth: aboard, optimistic or expected
}

// Span bounds every weight and X.
const Span = 100

// Declare binds the weights; C and R go up to the number of players.
func (w *Weights) Declare(f *param.Fields, r *lifeboats.Rules) {
	start := Default()
	domain := param.Range(-Span, Span)
	number := func(v *float64, letter string, i int, def float64, doc string) {
		f.Float(v, letter+strconv.Itoa(i), def, domain, doc)
	}
	for i := 1; i <= lifeboats.Distance; i++ {
		number(&w.Steps[i], "A", i, start.Steps[i], "worth of a boat with "+strconv.Itoa(i)+" to go, a weight")
	}
	for i := 1; i < lifeboats.Leaks; i++ {
		number(&w.Leaks[i], "L", i, start.Leaks[i], "worth of a boat with "+strconv.Itoa(i)+" seats flooded, a weight")
	}
	for i := 2; i <= r.Players(); i++ {
		number(&w.Parties[i], "C", i, start.Parties[i], "worth of a boat with crew of "+strconv.Itoa(i)+" players, a weight")
	}
	for i := 1; i <= r.Players(); i++ {
		number(&w.Rank[i], "R", i, start.Rank[i], "worth of a boat in place "+strconv.Itoa(i)+" of those afloat, a weight")
	}
	f.Float(&w.Home, "D", start.Home, domain, "worth of a boat home, a weight")
	f.Float(&w.X, "X", start.X, domain, "exponent by which the stronger opponents count more; 0 is their mean")
	f.Choice(&w.Full, "full_boat", "aboard", []string{"aboard", "optimistic", "expected"},
		"what the leak of a full boat is worth before the expulsion: with everybody aboard, after the expulsion that suits best, or the mean over the crew aboard", param.Fixed())
}

// Default is the weights of an evolved player; see Evolved for how they came
// about. C6 and R6 exist for six players only and are those of C5 and R5.
func Default() Weights {
	w := Weights{
		Steps:   [4]float64{0, 0.75, 0.45, 0.25},
		Leaks:   [4]float64{0, -0.08, -0.16, -0.3},
		Parties: [7]float64{0, 0, 0.05, 0.08, 0.1, 0.1, 0.1},
		Rank:    [7]float64{0, 0.02, 0.04, 0.05, 0.04, 0.02, 0.01},
		Home:    1, X: 2, Full: "aboard",
	}
	return w
}

// lists are the weights but D, with their unused fields.
func (w *Weights) lists() [4][]float64 {
	return [4][]float64{w.Steps[:], w.Leaks[:], w.Parties[:], w.Rank[:]}
}

// Scaled is the weights times a positive factor; X is no weight and stays.
func (w Weights) Scaled(factor float64) Weights {
	for _, list := range w.lists() {
		for i := range list {
			list[i] *= factor
		}
	}
	w.Home *= factor
	return w
}

// Normal is the weights scaled so that the largest has the size 1, which is how
// they are played: what counts as tied then does not depend on their scale.
// Weights that are all 0 stay so.
func (w Weights) Normal() Weights {
	size := math.Abs(w.Home)
	for _, list := range w.lists() {
		for _, x := range list {
			size = math.Max(size, math.Abs(x))
		}
	}
	if size == 0 {
		return w
	}
	return w.Scaled(1 / size)
}
