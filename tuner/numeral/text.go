package numeral

import (
	"math"
	"strconv"
	"strings"
)

// Text is a number whose error is not known: four significant digits, or all
// digits before the point, because nobody reads 5.265e+04.
func Text(x float64) string {
	text := strconv.FormatFloat(x, 'g', 4, 64)
	if strings.Contains(text, "e+") && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return text
}
