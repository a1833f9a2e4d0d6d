package bench

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// mergeUnits joins what both sides say about their units. As in benchstat, what
// one file says goes for both; the first one wins a contradiction, which is a
// warning.
func mergeUnits(sides ...*Run) (benchfmt.UnitMetadataMap, []string) {
	all := benchfmt.UnitMetadataMap{}
	var warnings []string
	for _, side := range sides {
		for _, key := range slices.SortedFunc(maps.Keys(side.Units), compareUnitKeys) {
			m := side.Units[key]
			have, ok := all[key]
			if !ok {
				all[key] = m
			} else if have.Value != m.Value {
				warnings = append(warnings, fmt.Sprintf("unit %s: %s is %s on one side and %s on the other: took %s",
					key.Unit, key.Key, have.Value, m.Value, have.Value))
			}
		}
	}
	return all, warnings
}

func compareUnitKeys(a, b benchfmt.UnitMetadataKey) int {
	return slices.Compare([]string{a.Unit, a.Key}, []string{b.Unit, b.Key})
}

// direction tells whether more of a unit is better (+1), worse (-1) or unknown
// (0). Benchstat does not know instructions/op; what is counted by us has one.
func direction(unit string, units benchfmt.UnitMetadataMap) int {
	if better := units.GetBetter(unit); better != 0 || unit != "instructions/op" {
		return better
	}
	return -1
}
