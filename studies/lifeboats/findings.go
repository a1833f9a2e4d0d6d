package lifeboats

import (
	"fmt"
	"strconv"

	"sakusen/engines/param"
)

// Means are the mean weights of players, each first scaled so that its largest
// weight has the size 1; X as it is.
func Means(players []param.Values) map[string]float64 {
	out := map[string]float64{}
	for _, p := range players {
		size := 0.0
		w := map[string]float64{}
		for _, v := range p {
			x, err := strconv.ParseFloat(v.Text, 64)
			if err != nil {
				continue // a choice
			}
			w[v.Name] = x
			if v.Name != "X" {
				size = max(size, x, -x)
			}
		}
		for name, x := range w {
			if name != "X" && size > 0 {
				x /= size
			}
			out[name] += x / float64(len(players))
		}
	}
	return out
}

// Finding is one of the paper's, and whether it holds in a run.
type Finding struct {
	Name  string
	Holds bool
	Seen  string // what it was judged by
}

// Judge looks for the paper's findings in the last generation of a run.
func Judge(run *Evolution) []Finding {
	w := Means(run.Generations[len(run.Generations)-1])
	largest := true
	for name, x := range w {
		if name != "X" && name != "D" && (x >= w["D"] || -x >= w["D"]) {
			largest = false
		}
	}
	show := func(names ...string) string {
		s := ""
		for i, name := range names {
			if i > 0 {
				s += " "
			}
			s += fmt.Sprintf("%s %.2f", name, w[name])
		}
		return s
	}
	return []Finding{
		{"a boat home is worth most", largest, show("D", "A1", "R1")},
		{"worth falls with the steps to go", w["A1"] > w["A2"] && w["A2"] > w["A3"], show("A1", "A2", "A3")},
		{"worth falls with the leaks", 0 > w["L1"] && w["L1"] > w["L2"] && w["L2"] > w["L3"], show("L1", "L2", "L3")},
		{"worth grows with the players aboard", w["C2"] < w["C3"] && w["C3"] < w["C4"], show("C2", "C3", "C4")},
		{"boats in front are rated low", w["R1"] < (w["R2"]+w["R3"]+w["R4"]+w["R5"])/4, show("R1", "R2", "R3", "R4", "R5")},
		{"X is ten or more", w["X"] >= 10, show("X")},
	}
}

// A contrast is a number of the mean weights, which the paper says is on one side.
type contrast struct {
	name, printed string
	of            func(w map[string]float64) float64
	bound, side   float64 // as experiment.Stated takes them
}

// contrasts are X, and three readings of "boats in front are rated low". A constant that is
// moved from R1..R5 to A1..A3 changes next to nothing, so only differences of R say anything.
func contrasts() []contrast {
	return []contrast{
		{"X", "10 or more", func(w map[string]float64) float64 { return w["X"] }, 10, 1},
		{"R1 less the mean of R2 to R5", "below 0", func(w map[string]float64) float64 { return w["R1"] - (w["R2"]+w["R3"]+w["R4"]+w["R5"])/4 }, 0, -1},
		{"R1 less R2", "below 0", func(w map[string]float64) float64 { return w["R1"] - w["R2"] }, 0, -1},
		{"R1, R2 less R4, R5", "below 0", func(w map[string]float64) float64 { return (w["R1"] + w["R2"] - w["R4"] - w["R5"]) / 2 }, 0, -1},
	}
}
