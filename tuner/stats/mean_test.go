package stats

import (
	"math"
	"testing"
)

// A metric of blocks that repeat has the error of the different ones alone, and
// Student's interval for so few.
func TestRepeatedMetric(t *testing.T) {
	three := Sums{N: 3, X: 6, XX: 14} // 1, 2, 3
	played := Sums{N: 300, X: 600, XX: 1400, Distinct: 3}
	a, b := three.Mean(), played.Mean()
	if math.Abs(a.SE.Value-b.SE.Value) > 1e-12 || a.Mean != b.Mean {
		t.Errorf("%+v of 300 blocks of three kinds, %+v of three", b, a)
	}
	const student = 4.302652729911275 // 97.5 %, 2 degrees of freedom
	if half := b.CI95.Hi.Value - b.Mean.Value; math.Abs(half-student*a.SE.Value) > 1e-9 {
		t.Errorf("half the interval is %v, expected %v", half, student*a.SE.Value)
	}
}
