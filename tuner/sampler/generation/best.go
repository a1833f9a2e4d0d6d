package generation

import (
	"math"
	"slices"
)

// Best is the indexes of values from the best, ties by index, undefined ones
// last.
func Best(values []float64, up bool) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := values[a], values[b]
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			return compareBool(math.IsNaN(x), math.IsNaN(y))
		case x == y:
			return 0
		case (x > y) == up:
			return -1
		}
		return 1
	})
	return order
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
