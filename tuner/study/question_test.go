package study_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
)

// asking keeps the question that a study asks, and answers that it was asked
// before.
type asking struct {
	*memory
	asked tuner.Question
	known int
}

func (a *asking) Attempt(_ context.Context, q tuner.Question) (int, error) {
	a.asked = q
	return a.known, nil
}

func ask(t *testing.T, file string, known int) (tuner.Question, *tuner.Result) {
	t.Helper()
	s := read(t, file)
	p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	record := &asking{memory: newMemory(), known: known}
	st, err := study.Open(t.Context(), s, study.Options{Host: arena.NewPool(1), Proposer: p, Record: record})
	if err != nil {
		t.Fatal(err)
	}
	r, err := st.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range record.entries {
		if e.Kind == entry.KindAttempt && record.asked.Game == "" {
			t.Error("an attempt that nobody counted")
		}
	}
	return record.asked, r
}

// A baseline that is moved by less than play can tell is the same question; one
// that plays otherwise, and other rules, are not.
func TestQuestions(t *testing.T) {
	file := func(slope string, x string) string {
		return fmt.Sprintf("version: 1\nname: q\ngame: hill\nrules: [{name: slope, value: %s}]\ntune: {strategy: climber, params: [{name: x}]}\n"+
			"baseline: climber(x=%s)\nsampler: {name: quasi}\nbudget: {games: 800, trials: 4}\nrace: {method: none, rungs: [8]}\nfinal: {top: 0}\n", slope, x)
	}
	first, _ := ask(t, file("0.3", "0.3"), 1)
	moved, _ := ask(t, file("0.3", "0.300001"), 1)
	other, _ := ask(t, file("0.3", "0.7"), 1)
	rules, _ := ask(t, file("0.2", "0.3"), 1)
	if first.Play == "" || moved.Play != first.Play || moved.Baseline == first.Baseline {
		t.Errorf("moved by 1e-6: %+v and %+v", first, moved)
	}
	if other.Play == first.Play {
		t.Errorf("another baseline plays alike: %+v", other)
	}
	if rules.Rules == first.Rules || other.Rules != first.Rules {
		t.Errorf("rules %q, %q, %q", first.Rules, other.Rules, rules.Rules)
	}
}

// Attempts share alpha: the fourth has a sixteenth of the first one's part.
func TestAttemptsShareAlpha(t *testing.T) {
	_, r := ask(t, "version: 1\nname: q\ngame: hill\ntune: {strategy: climber, params: [{name: x}]}\nbaseline: climber\n"+
		"sampler: {name: quasi}\nbudget: {games: 800, trials: 4}\nrace: {method: none, rungs: [8]}\nfinal: {top: 0}\n", 4)
	if v, level := r.Validation, 0.025*6/(math.Pi*math.Pi*16); v == nil || v.Attempt != 4 || math.Abs(v.Alpha-level) > 1e-12 {
		t.Errorf("%+v, expected alpha %v", r.Validation, level)
	}
}
