package studyfile_test

import (
	"strings"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// A parameter whose condition holds by its parent's default is tuned in every
// trial; one whose condition can never hold is refused, with what to do.
func TestConditionsByDefault(t *testing.T) {
	const head = "version: 1\nname: x\n"
	for _, c := range []struct {
		text    string
		want    string // in the error
		members int    // different parameter sets
	}{
		{"game: daifugo\ntune: {strategy: rankset, params: [{name: spend_below}]}\nbaseline: rankset\n", "", 8},
		{"game: daifugo\ntune: {strategy: rankset, fix: [{name: then, value: greedy}], params: [{name: spend_below}]}\nbaseline: rankset\n", "", 8},
		{"game: daifugo\ntune: {strategy: rankset, params: [{name: spend_below}, {name: then}]}\nbaseline: rankset\n", "", 10},
		{"game: battleship\ntune: {strategy: mp, params: [{name: place.width, low: 4, high: 6}]}\nbaseline: MP70\n", "place.kind is random by default: fix it or tune it", 0},
		{"game: battleship\ntune: {strategy: mp, fix: [{name: place.kind, value: packed}], params: [{name: place.width, low: 4, high: 6}]}\nbaseline: MP70\n", "", 3},
	} {
		setup, err := studyfile.Read("x.yaml", []byte(head+c.text), strategies.Catalogue(), sampler.Kinds{})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want an error with %q", c.text, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := setup.Tune.Params.Count(setup.Tune.Fix); got != c.members {
			t.Errorf("%s: %d parameter sets, want %d", c.text, got, c.members)
		}
	}
}
