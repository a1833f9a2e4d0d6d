package study_test

import (
	"strings"
	"testing"

	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// Points to begin with are read, or refused with the place of the mistake; those that are
// read are tried as they stand.
func FuzzReadBegin(f *testing.F) {
	f.Add("[{x: 0.7, n: 3}, {x: .25}]")
	f.Add("[{kind: fancy, bonus: 2}, {kind: plain, bonus: 2}]")
	f.Add("[{x: [1]}, {x: null}, {}, 7, {y: 1}, {x: 1e400}, {n: 2.5}]")
	f.Add("[{x: 0.7}, {x: 0.70}]")
	f.Add("{x: 0.7}")
	f.Fuzz(func(t *testing.T, begin string) {
		s, err := studyfile.Read("x.yaml", []byte(least+"begin: "+begin+"\n"), games(), sampler.Kinds{})
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.HasPrefix(line, "x.yaml:0:") {
					t.Errorf("a mistake without a place: %s", line)
				}
			}
			return
		}
		seen := map[string]bool{}
		for _, p := range s.Begin {
			active := s.Tune.Params.Activate(s.Tune.Fix, p)
			text := active.Hash()
			if again, err := s.Point(active); err != nil || s.Tune.Params.Activate(s.Tune.Fix, again).Hash() != text || seen[text] {
				t.Errorf("%s: read again as %s (%v)", active, again, err)
			}
			seen[text] = true
		}
	})
}
