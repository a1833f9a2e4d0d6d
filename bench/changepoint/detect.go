package changepoint

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Options are those of [Detect].
type Options struct {
	Window       int     // values looked at together, at least 2; 0 means 50
	MaxP         float64 // level of significance; 0 means 0.001
	MinMagnitude float64 // least relative change, 0.05 for 5 %
}

// Usual returns the options of a search in histories of benchmarks.
func Usual() Options { return Options{Window: 50, MaxP: 0.001, MinMagnitude: 0.02} }

// Point is where a new level begins.
type Point struct {
	Index  int     `json:"index"`  // of the first value of the new level
	P      float64 `json:"p"`      // of the t-test between the levels on both sides
	Before float64 `json:"before"` // means of the levels
	After  float64 `json:"after"`
	// Magnitude is the larger of the relative changes forwards and backwards; a change from
	// or to a mean of zero has none in that direction.
	Magnitude float64 `json:"magnitude"`
}

// magnitude returns the relative change between two levels.
func magnitude(before, after float64) float64 {
	relative := func(from, to float64) float64 {
		if from == 0 {
			return 0
		}
		return math.Abs(to/from - 1)
	}
	return math.Max(relative(before, after), relative(after, before))
}

// Check returns an error that says what is wrong with the options.
func (o Options) Check() error {
	switch {
	case o.Window < 2:
		return fmt.Errorf("window: expected at least 2 values, got %d", o.Window)
	case !(o.MaxP > 0 && o.MaxP <= 1):
		return fmt.Errorf("max-p: expected a number above 0 and at most 1, got %g", o.MaxP)
	case !(o.MinMagnitude >= 0) || math.IsInf(o.MinMagnitude, 1):
		return fmt.Errorf("min-magnitude: expected a number from 0, got %g", o.MinMagnitude)
	}
	return nil
}

// Detect finds the change points of a series, in order. It refuses values that
// are not finite.
func Detect(x []float64, o Options) ([]Point, error) {
	if o.Window == 0 {
		o.Window = 50
	}
	if o.MaxP == 0 {
		o.MaxP = 0.001
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := checkValues(x); err != nil {
		return nil, err
	}
	return merge(x, split(x, o.Window, relaxed(o.MaxP)), o), nil
}

func checkValues(x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d: expected a finite number, got %g", i, v)
		}
	}
	return nil
}

// relaxed returns the level for splitting: merging may still remove points.
func relaxed(p float64) float64 {
	switch {
	case p < 0.05:
		return 10 * p
	case p < 0.5:
		return 2 * p
	}
	return p
}

// split divides the series window by window and tests each point between its
// neighbours. A window begins half a window after the one before it, or at its
// last change point if that is later, so that a level is seen from its start.
func split(x []float64, window int, maxP float64) []Point {
	var found []int
	for start := 0; start < len(x); {
		end := min(start+window, len(x))
		next := start + window/2
		for _, i := range divide(x[start:end], maxP) {
			if at := start + i; !slices.Contains(found, at) {
				found = append(found, at)
			}
			next = max(next, start+i)
		}
		start = next
	}
	slices.Sort(found)
	points := make([]Point, len(found))
	for k, at := range found {
		points[k].Index = at
	}
	for k := range points {
		points[k] = test(x, points, k)
	}
	return points
}

// merge removes the weakest point until all of them hold: first by p, then by size.
func merge(x []float64, points []Point, o Options) []Point {
	for len(points) > 0 {
		weakest := 0
		for k, p := range points {
			if p.P > points[weakest].P {
				weakest = k
			}
		}
		if points[weakest].P < o.MaxP {
			weakest = 0
			for k, p := range points {
				if p.Magnitude < points[weakest].Magnitude {
					weakest = k
				}
			}
			if points[weakest].Magnitude > o.MinMagnitude {
				break
			}
		}
		points = slices.Delete(points, weakest, weakest+1)
		for k := weakest; k <= weakest+1 && k < len(points); k++ {
			points[k] = test(x, points, k)
		}
	}
	return points
}

// test compares the levels on both sides of the k-th point.
func test(x []float64, points []Point, k int) Point {
	from, to := 0, len(x)
	if k > 0 {
		from = points[k-1].Index
	}
	if k+1 < len(points) {
		to = points[k+1].Index
	}
	return compare(x, from, points[k].Index, to)
}

// ReadNumbers reads a list of numbers, separated by white space or commas, also
// one in the brackets of JSON. name is the input's, for errors.
func ReadNumbers(in io.Reader, name string) ([]float64, error) {
	var x []float64
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for number := 1; lines.Scan(); number++ {
		for field := range strings.FieldsFuncSeq(lines.Text(), func(r rune) bool {
			return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '[' || r == ']'
		}) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || v-v != 0 {
				return nil, fmt.Errorf("%s:%d: expected a finite number, got %.40q", name, number, field)
			}
			x = append(x, v)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}
