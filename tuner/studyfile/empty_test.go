package studyfile_test

import (
	"strings"
	"testing"

	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// An empty list of parameters is no wish to tune all of them.
func TestNoParameters(t *testing.T) {
	text := "version: 1\nname: none\ngame: bands\ntune: {strategy: band, params: []}\nbaseline: band\n"
	_, err := studyfile.Read("none.yaml", []byte(text), bands(), sampler.Kinds{})
	if err == nil || !strings.Contains(err.Error(), "none.yaml:4") || !strings.Contains(err.Error(), "tune.params: expected at least one parameter") {
		t.Errorf("%v", err)
	}
}
