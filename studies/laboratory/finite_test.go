package laboratory

import (
	"context"
	"testing"
)

// A finite space is searched to its end: a sampler that proposed the same few sets
// for ever (27 of 154 with 20 000 games) would show fewer trials.
func TestFiniteSpacesAreNotRepeated(t *testing.T) {
	const head = "version: 1\nname: finite\ngame: laboratory\nrules:\n" +
		"  - {name: dimensions, value: 1}\n  - {name: integers, value: 1}\n  - {name: categories, value: 1}\n  - {name: conditional, value: true}\n" +
		"baseline: point\ntune:\n  strategy: point\n  params: [{name: x1}, {name: c1}, {name: bend, step: 0.25}]\nbudget: {trials: 100000, games: 40000}\n"
	// 21 integers, with three letters alone and with five bends of the best letter.
	const members = 21*3 + 21*5
	for _, name := range []string{"tpe", "uniform", "quasi"} {
		spec, err := read(name, head+"sampler: {name: "+name+"}\n")
		if err != nil {
			t.Fatal(err)
		}
		o, err := Study(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if o.Trials != members {
			t.Errorf("%s: %d trials of %d parameter sets", name, o.Trials, members)
		}
		if o.Games > 40000 {
			t.Errorf("%s: %d games", name, o.Games)
		}
	}
}
