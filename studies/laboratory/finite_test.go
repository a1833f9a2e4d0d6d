package laboratory

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/suite"
)

// A finite space is searched to its end, and the study ends with a word: a sampler that
// proposed the same few sets for ever (27 of 154 with 20 000 games) would show fewer trials.
func TestFiniteSpacesAreNotRepeated(t *testing.T) {
	for _, space := range []struct {
		members       int
		rules, params string
		games         int
	}{
		{6, "{name: dimensions, value: 1}, {name: integers, value: 1}", "{name: x1, low: 5, high: 10}", 6000},
		{27, "{name: dimensions, value: 3}", "{name: x1, step: 0.5}, {name: x2, step: 0.5}, {name: x3, step: 0.5}", 12_000},
		// 11 integers, with three letters alone and with eleven bends of the best letter.
		{11*3 + 11*11, "{name: dimensions, value: 1}, {name: integers, value: 1}, {name: categories, value: 1}, {name: conditional, value: true}",
			"{name: x1, low: 0, high: 10}, {name: c1}, {name: bend, step: 0.1}", 40_000},
	} {
		if suite.Few() && space.games > 6000 {
			continue
		}
		for _, name := range []string{"tpe", "uniform", "quasi", "grid", "goptuna-tpe", "goptuna-random"} {
			spec, err := read(name, "version: 1\nname: finite\ngame: laboratory\nrules: ["+space.rules+"]\nbaseline: point\ntune: {strategy: point, params: ["+space.params+
				"]}\nbudget: {trials: 100000, games: "+strconv.Itoa(space.games)+"}\nsampler: {name: "+name+"}\n")
			if err != nil {
				t.Fatal(err)
			}
			r := resultOf(t, spec)
			if r.Trials != space.members || r.Games > int64(space.games) {
				t.Errorf("%s: %d trials of %d parameter sets, %d games of %d", name, r.Trials, space.members, r.Games, space.games)
			}
			said := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "all "+strconv.Itoa(space.members)+" parameter sets") })
			if !said && name != "grid" { // of which it is expected
				t.Errorf("%s: a search of %d parameter sets ended without a word: %q", name, space.members, r.Notes)
			}
		}
	}
}
