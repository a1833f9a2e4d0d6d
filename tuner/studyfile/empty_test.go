package studyfile_test

import (
	"testing"

	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// An empty list is no wish for the default: whoever leaves the key out has that. Where nothing
// is a sensible number of items, an empty list is nothing.
func TestEmptyLists(t *testing.T) {
	const head = "version: 1\nname: none\ngame: bands\nbaseline: band\n"
	for text, want := range map[string]string{
		"tune: {strategy: band, params: []}\n":                              "none.yaml:5:32: tune.params: expected at least one parameter (without the key, all that a study tunes by default are tuned), got 0",
		"tune: {strategy: band, params: [{name: low, choices: []}]}\n":      "none.yaml:5:54: tune.params[0].choices: expected at least one choice, got 0",
		"tune: {strategy: band}\nrace: {rungs: []}\n":                       "none.yaml:6:15: race.rungs: expected at least one rung, got 0",
		"tune: {strategy: band}\nvalidation: {gain_elo: []}\n":              "none.yaml:6:24: validation.gain_elo: expected two bounds, [H0, H1] in Elo, got 0",
		"tune: {strategy: band, fix: []}\npool: []\nrules: []\nbegin: []\n": "",
	} {
		_, err := studyfile.Read("none.yaml", []byte(head+text), bands(), sampler.Kinds{})
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
