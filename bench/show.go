package bench

import "golang.org/x/perf/benchunit"

// Show is a value of a unit for people, scaled: 1.200µ.
func Show(value float64, unit string) string {
	return benchunit.Scale(value, benchunit.ClassOf(unit))
}
