package bench

import (
	"fmt"
	"math"
)

// Moved says for people how a number changed: "up by 20.00 %", "down by 5.10 %".
// Whether that is for the better is for its unit to say.
func Moved(old, new float64) string {
	word := "up"
	if new < old {
		word = "down"
	}
	switch {
	case new == old:
		return "unchanged"
	case old == 0:
		return fmt.Sprintf("%s from 0 to %.6g", word, new)
	}
	return fmt.Sprintf("%s by %.2f %%", word, 100*math.Abs(new/old-1))
}

// moved is how the medians of a row changed.
func (r *Row) moved() string { return Moved(r.Old.Center, r.New.Center) }
