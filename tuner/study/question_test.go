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
	known tuner.Attempts
}

func (a *asking) Attempt(_ context.Context, q tuner.Question) (tuner.Attempts, error) {
	a.asked = q
	return a.known, nil
}

func ask(t *testing.T, file string, known tuner.Attempts) (tuner.Question, *tuner.Result) {
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
	first, _ := ask(t, file("0.3", "0.3"), tuner.Attempts{Number: 1})
	moved, _ := ask(t, file("0.3", "0.300001"), tuner.Attempts{Number: 1})
	other, _ := ask(t, file("0.3", "0.7"), tuner.Attempts{Number: 1})
	rules, _ := ask(t, file("0.2", "0.3"), tuner.Attempts{Number: 1})
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

// Attempts share alpha, or, by choice, get back of what earlier passes spent.
func TestAttemptLevels(t *testing.T) {
	for _, c := range []struct {
		share string
		level float64
	}{
		{"alpha", 0.025 * 6 / (math.Pi * math.Pi * 16)},
		{"fdr", 0.025 * 6 / (math.Pi * math.Pi) * (1./16 + 1)},
	} {
		_, r := ask(t, "version: 1\nname: q\ngame: hill\ntune: {strategy: climber, params: [{name: x}]}\nbaseline: climber\n"+
			"sampler: {name: quasi}\nbudget: {games: 800, trials: 4}\nrace: {method: none, rungs: [8]}\nfinal: {top: 0}\n"+
			"validation: {attempts: "+c.share+"}\n", tuner.Attempts{Number: 4, Passed: []int{1, 3}})
		if v := r.Validation; v == nil || v.Attempt != 4 || math.Abs(v.Alpha-c.level) > 1e-12 {
			t.Errorf("%s: %+v, expected alpha %v", c.share, r.Validation, c.level)
		}
	}
}
