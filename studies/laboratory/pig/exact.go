package pig

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"sakusen/engines/param"
)

// turns are, by the points at which a turn holds, the chances of what it gains;
// 0 is the chance of a one.
var turns = sync.OnceValue(func() [goal + 1][]float64 {
	var all [goal + 1][]float64
	for at := 1; at <= goal; at++ {
		on, out := make([]float64, at+6), make([]float64, at+6)
		on[0] = 1
		for s := range at {
			out[0] += on[s] / 6
			for n := 2; n <= 6; n++ {
				if s+n >= at {
					out[s+n] += on[s] / 6
				} else {
					on[s+n] += on[s] / 6
				}
			}
		}
		all[at] = out
	}
	return all
})

// first is the chance that a wins who moves first. Since points never fall, the
// chances follow from those with more points, and the two of one pair of points,
// whoever moves, from each other (T. Neller, C. Presser, Optimal play of the dice
// game Pig, 2004).
func first(a, b Hold) float64 {
	// mine is the chance that a wins with a to move, theirs with b to move.
	var mine, theirs [goal][goal]float64
	gains := turns()
	for sum := 2*goal - 2; sum >= 0; sum-- {
		for i := max(0, sum-goal+1); i <= min(goal-1, sum); i++ {
			j := sum - i
			ours, others := gains[a.hold(i, j)], gains[b.hold(j, i)]
			x, y := 0.0, 0.0
			for n := 1; n < len(ours); n++ {
				if i+n >= goal {
					x += ours[n]
				} else {
					x += ours[n] * theirs[i+n][j]
				}
			}
			for n := 1; n < len(others) && j+n < goal; n++ {
				y += others[n] * mine[i][j+n]
			}
			mine[i][j] = (x + ours[0]*y) / (1 - ours[0]*others[0])
			theirs[i][j] = y + others[0]*mine[i][j]
		}
	}
	return mine[0][0]
}

// score is the expected score of a against b, both moving first equally often.
func score(a, b Hold) float64 { return (first(a, b) + 1 - first(b, a)) / 2 }

// Elo is that score as a difference of strength.
func Elo(a, b Hold) float64 { return -400 * math.Log10(1/score(a, b)-1) }

// Read makes a player of its parameters.
func Read(values param.Values) (Hold, error) {
	h := Hold{}
	for name, at := range map[string]*int{"at": &h.At, "greed": &h.Greed, "end": &h.End} {
		text, ok := values.Get(name)
		if !ok {
			return h, fmt.Errorf("pig: no parameter %s", name)
		}
		var err error
		if *at, err = strconv.Atoi(text); err != nil {
			return h, fmt.Errorf("pig: %s: %w", name, err)
		}
	}
	return h, nil
}

// Top is the best player of two parameters against a baseline.
type Top struct {
	Baseline, Best Hold
	Greedy         bool // at and greed are tuned, otherwise at and end
	Elo            float64
}

// Tops are the best of all pairs of integers, found by trying all of them.
func Tops() []Top {
	return []Top{
		{Baseline: Hold{At: 20}, Best: Hold{At: 20, End: 20}, Elo: 32.2},
		{Baseline: Hold{At: 10}, Best: Hold{At: 17, End: 15}, Elo: 171.8},
		{Baseline: Hold{At: 10}, Best: Hold{At: 16, Greed: 48}, Greedy: true, Elo: 160.84},
	}
}
