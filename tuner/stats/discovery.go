package stats

import (
	"fmt"
	"slices"
)

// DiscoveryAlpha is the level of one attempt where the share of passes without a
// gain among all passes is to be at most alpha on average, at whatever attempt
// one looks: an online false discovery rate. passed are the earlier attempts that
// passed, ascending. It is
//
//	alpha g(k) + alpha (g(k - t2) + g(k - t3) + ...),  g(n) = 6/(pi n)^2,
//
// for attempt k after passes at t1 < t2 < t3 ... The first sum is what
// [AttemptAlpha] gives; from the second pass on each gives back what one attempt
// may spend. A pass that is left out of the list makes the level smaller.
//
// Source: LORD++ of Ramdas, Yang, Wainwright and Jordan, Online control of the
// false discovery rate with decaying memory (2017), with the initial wealth
// alpha, for which the first pass gives nothing back; Javanmard and Montanari,
// Annals of Statistics 46 (2018). Chosen beside ADDIS because it needs no
// p-values, which an early stop has none of that are uniform.
func DiscoveryAlpha(alpha float64, attempt int, passed []int) (float64, error) {
	level, err := AttemptAlpha(alpha, attempt)
	if err != nil {
		return 0, err
	}
	if !slices.IsSorted(passed) {
		return 0, fmt.Errorf("passed: expected ascending numbers, got %v", passed)
	}
	for i, t := range passed {
		if t < 1 || t >= attempt || i > 0 && t == passed[i-1] {
			return 0, fmt.Errorf("passed: expected different numbers in [1, %d], got %v", attempt-1, passed)
		}
		if i == 0 {
			continue
		}
		back, err := AttemptAlpha(alpha, attempt-t)
		if err != nil {
			return 0, err
		}
		level += back
	}
	return min(level, 0.5), nil
}
