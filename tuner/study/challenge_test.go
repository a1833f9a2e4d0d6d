package study_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/suite"
	"sakusen/tuner/entry"
)

// flat is a study of equals: there is no slope, so no candidate is better.
const flat = `version: 1
name: flat
game: hill
rules: [{name: slope, value: %g}]
tune: {strategy: climber}
baseline: climber
sampler: {name: uniform, seed: %d, batch: 8}
race: {keep: 0.8, rungs: [8, 16, 32, 64, 128]%s}
budget: {trials: 64, games: 100000}
final: {top: 0}
validation: {max_blocks: 16}
`

// stopped counts the trials that the incumbent stopped, and those compared.
func stopped(m *memory) (stops, compared int) {
	seen := map[string]bool{}
	for _, e := range m.entries {
		switch e.Kind {
		case entry.KindTell:
			var told entry.Tell
			if json.Unmarshal(e.Payload, &told) == nil && told.End == entry.Behind {
				stops++
			}
		case entry.KindCompare:
			for _, t := range strings.SplitAfter(string(e.Payload), `"trial":`)[1:] {
				seen[t[:strings.IndexByte(t, ',')]] = true
			}
		}
	}
	return stops, len(seen)
}

// The incumbent is re-played with every batch, its test stops trials in a race
// that has something to tell and few in one that has not, and the study goes on
// exactly from any entry.
func TestIncumbentTest(t *testing.T) {
	hilly := newMemory()
	want, err := run(t, read(t, fmt.Sprintf(flat, .5, 3, "")), hilly, 2)
	if err != nil {
		t.Fatal(err)
	}
	stops, compared := stopped(hilly)
	if stops < 3 {
		t.Errorf("on a steep hill %d of %d are stopped", stops, compared)
	}
	replayed := 0
	for _, e := range hilly.entries {
		if e.Kind == entry.KindRung && strings.Contains(string(e.Payload), `"rung":-1`) {
			replayed++
		}
	}
	if replayed < 6 {
		t.Errorf("the incumbent was re-played %d times in 8 batches", replayed)
	}
	for at := 1; at < len(hilly.entries); at += every(13, 41) {
		m := newMemory()
		m.die = at
		if _, err := run(t, read(t, fmt.Sprintf(flat, .5, 3, "")), m, 2); !errors.Is(err, errDied) {
			t.Fatalf("entry %d: %v", at, err)
		}
		m.die = 0
		if got, err := run(t, read(t, fmt.Sprintf(flat, .5, 3, "")), m, 1); err != nil || got.Digest != want.Digest {
			t.Fatalf("killed after %d entries: %v, %v", at, got, err)
		}
	}
	off := newMemory()
	if _, err := run(t, read(t, fmt.Sprintf(flat, .5, 3, ", incumbent: false")), off, 2); err != nil {
		t.Fatal(err)
	}
	if stops, compared := stopped(off); stops+compared > 0 {
		t.Errorf("switched off, it compares %d and stops %d", compared, stops)
	}
}

// Of equals at most alpha are stopped, although the blocks that compare them
// have also chosen the incumbent.
func TestIncumbentTestStopsFewEquals(t *testing.T) {
	studies := 8
	if suite.Few() {
		studies = 3
	}
	stops, compared := 0, 0
	for seed := range studies {
		m := newMemory()
		if _, err := run(t, read(t, fmt.Sprintf(flat, 0.0, seed+1, "")), m, 2); err != nil {
			t.Fatal(err)
		}
		s, c := stopped(m)
		stops, compared = stops+s, compared+c
	}
	t.Logf("%d of %d equals were stopped", stops, compared)
	if float64(stops) > .12*float64(compared) {
		t.Errorf("%d of %d equals were stopped", stops, compared)
	}
}
