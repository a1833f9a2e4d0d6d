package service_test

import (
	"context"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// fileOf is a study file that was read, with its signatures.
func fileOf(t *testing.T, text string) service.StudyFile {
	t.Helper()
	setup, err := studyfile.Read("x.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	signatures, err := setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	if err != nil {
		t.Fatal(err)
	}
	return service.StudyFile{Setup: setup, Signatures: signatures, Source: store.Source{Name: "x.yaml", Text: text}}
}

func tuned(t *testing.T, s *service.Service, text string) *tuner.Result {
	t.Helper()
	r, err := s.Studies().Tune(t.Context(), fileOf(t, text), arena.NewPool(2), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A finished study goes on with a larger budget: its games count, its verdict stays in
// the log, and the next one is another attempt; however it is interrupted.
func TestFinishedStudiesGrow(t *testing.T) {
	duels := strings.NewReplacer("name: uniform", "name: surface", "race: {rungs: [16, 32]}\n", "", "final: {top: 2, blocks: 50}\n", "", "trials: 8, ", "").Replace(small)
	members := duels // 101 of them, which soon have a trial each
	duels = strings.Replace(duels, "{name: place.width}]", "{name: place.width}, {name: place.separated}, {name: place.corners}]", 1)
	for name, text := range map[string]string{"race": small, "surface": duels, "members": members} {
		if suite.Few() && name != "race" {
			continue
		}
		s := open(t)
		first := tuned(t, s, text)
		larger := strings.NewReplacer("games: 4000", "games: 6000", "trials: 8", "trials: 12").Replace(text)
		grown := tuned(t, s, larger)
		if name != "members" && grown.Trials <= first.Trials || grown.Trials < first.Trials || grown.Games <= first.Games || grown.Validation.Attempt != first.Validation.Attempt+1 || grown.Validation.Alpha >= first.Validation.Alpha {
			t.Errorf("%s: %+v, then %+v", name, first, grown)
		}
		if _, err := s.Studies().Export(t.Context(), "small", "json", true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		count := map[string]int{}
		for after := 0; ; after += 1000 {
			log, err := s.Studies().Log(t.Context(), "small", after, 1000)
			for _, e := range log {
				count[e.Kind]++
			}
			if err != nil || len(log) == 0 {
				break
			}
		}
		if count["validation"] != 2 || count["attempt"] != 2 || count["grow"] != 1 {
			t.Errorf("%s: %v", name, count)
		}
		// A kill in the grown part.
		other := open(t)
		tuned(t, other, text)
		if err := other.Studies().Add(t.Context(), fileOf(t, larger), 0); err != nil {
			t.Fatal(err)
		}
		if d, err := other.Studies().Show(t.Context(), "small"); err != nil || d.State != "queued" || d.Result != nil {
			t.Errorf("%s: %+v %v", name, d, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := other.Studies().Tune(ctx, fileOf(t, larger), arena.NewPool(2), func(p tuner.Progress) {
			if p.Trials > first.Trials || name == "members" && p.Phase == "tune" && p.Games > first.Games+16 {
				cancel()
			}
		}, nil); err == nil {
			t.Errorf("%s: it is not interrupted", name)
		}
		cancel()
		again := tuned(t, other, larger)
		if again.Digest != grown.Digest || again.Games != grown.Games {
			t.Errorf("%s: %+v, expected %+v", name, again, grown)
		}
		// And once more.
		most := strings.NewReplacer("games: 6000", "games: 8000", "trials: 12", "trials: 16").Replace(larger)
		last := tuned(t, s, most)
		if last.Validation.Attempt != 3 || last.Games <= grown.Games {
			t.Errorf("%s: %+v", name, last)
		}
		if _, err := s.Studies().Tune(t.Context(), fileOf(t, text), arena.NewPool(1), nil, nil); err == nil || !strings.Contains(err.Error(), "a budget only grows") {
			t.Errorf("%s: a smaller budget: %v", name, err)
		}
	}
}

// A study whose games are played elsewhere grows too.
func TestAskedStudiesGrow(t *testing.T) {
	d := newDistant(t, far)
	first := d.finish(256, 1024, false, false)
	if err := d.Studies().Add(t.Context(), fileOf(t, strings.NewReplacer("games: 4000", "games: 8000", "trials: 8", "trials: 16").Replace(far)), 0); err != nil {
		t.Fatal(err)
	}
	grown := d.finish(3, 8, false, true)
	if grown.Trials != 16 || grown.Validation.Attempt != 2 || grown.Games <= first.Games {
		t.Errorf("%+v, then %+v", first, grown)
	}
}
