package entry

import (
	"math"
	"testing"
)

// The standard error of a score is that of the mean of its blocks, each block
// being one observation.
func TestScoreError(t *testing.T) {
	// Two seats: a block's score counts quarters, 0 to 4.
	e := Evidence{Blocks: 10, Games: 20, Scores: []int64{1, 2, 3, 3, 1}}
	var values []float64
	for quarters, n := range e.Scores {
		for range n {
			values = append(values, float64(quarters)/4)
		}
	}
	mean, sum := 0.0, 0.0
	for _, x := range values {
		mean += x / 10
	}
	for _, x := range values {
		sum += (x - mean) * (x - mean)
	}
	got := e.Score(2)
	if want := math.Sqrt(sum / 9 / 10); math.Abs(got.Value-mean) > 1e-12 || math.Abs(got.Error-want) > 1e-12 {
		t.Errorf("got %v, want %v with standard error %v", got, mean, want)
	}
	one := Evidence{Blocks: 1, Scores: []int64{0, 0, 0, 1, 0}}
	if m := one.Score(2); m.Value != .75 || !math.IsNaN(m.Error) {
		t.Errorf("one block: %v", m)
	}
}
