package stats

import (
	"fmt"
	"math"
)

// AttemptAlpha is the level of one attempt at validation out of all that may
// ever be made on the same game, strategy and baseline: 6 alpha/(pi k)^2 for the
// k-th, which add up to alpha. Whoever tries often enough exports noise with a
// chance of at most alpha.
//
// The first attempt keeps 61 % of alpha. Halving (alpha/2^k) was the other
// choice: it gives the second attempt more, but leaves the tenth a thousandth
// of alpha and the twentieth a millionth, where this leaves 1/160 and 1/660; a
// game that is tuned for long must stay provable.
func AttemptAlpha(alpha float64, attempt int) (float64, error) {
	if !(alpha > 0 && alpha <= 0.5) {
		return 0, fmt.Errorf("alpha: expected a number in (0, 0.5], got %v", alpha)
	}
	if attempt < 1 {
		return 0, fmt.Errorf("attempt: expected at least 1, got %d", attempt)
	}
	k := math.Pi * float64(attempt)
	return 6 * alpha / (k * k), nil
}
