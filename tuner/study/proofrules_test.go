package study_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
)

// ruled notes under which rules the games of each phase are played.
type ruled struct {
	arena.Host
	mu    sync.Mutex
	rules map[arena.Phase]map[string]bool
}

func (h *ruled) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	h.mu.Lock()
	if h.rules[s.Phase] == nil {
		h.rules[s.Phase] = map[string]bool{}
	}
	h.rules[s.Phase][s.Ruleset.Rules.String()] = true
	h.mu.Unlock()
	return h.Host.Play(ctx, s, observe)
}

const provedElsewhere = "version: 1\nname: q\ngame: hill\nrules: [{name: slope, value: 0.3}]\ntune: {strategy: climber, params: [{name: x}]}\n" +
	"baseline: climber(x=0.1)\nsampler: {name: quasi}\nbudget: {games: 2400, trials: 4}\nrace: {method: none, rungs: [8]}\nfinal: {top: 2}\nvalidation: {rules: [{name: slope, value: 0.5}]}\n"

// The proof, and all that is played after it, goes by its own rules; the search and the final do
// not. Attempts are counted by the rules of the proof, and a stored study has both.
func TestProofUnderOtherRules(t *testing.T) {
	s := read(t, provedElsewhere)
	p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	host := &ruled{Host: arena.NewPool(1), rules: map[arena.Phase]map[string]bool{}}
	st, err := study.Open(t.Context(), s, study.Options{Host: host, Proposer: p, Record: newMemory()})
	if err != nil {
		t.Fatal(err)
	}
	r, err := st.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Validation == nil || r.Validation.Verdict != "pass" {
		t.Errorf("%+v", r.Validation)
	}
	for phase, want := range map[arena.Phase]string{arena.Tune: "0.3", arena.Final: "0.3", arena.Validation: "0.5"} {
		if len(host.rules[phase]) != 1 || !host.rules[phase]["slope="+want+",certain=false"] {
			t.Errorf("%v was played under %v, want slope %s", phase, host.rules[phase], want)
		}
	}
	plain := read(t, strings.Replace(provedElsewhere, "validation: {rules: [{name: slope, value: 0.5}]}\n", "", 1))
	asks := func(s *tuner.Setup) tuner.Question {
		q, err := s.Question(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	if asks(s).Rules == asks(plain).Rules || s.Hash() == plain.Hash() {
		t.Error("the rules of the proof are no part of the question, or of the study")
	}
	text, err := json.Marshal(s.Spec)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := tuner.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := tuner.Prepare(spec, arena.Catalogue{s.Ruleset.Game})
	if err != nil || again.Proving == nil || again.Proving.Hash() != s.Proving.Hash() || again.Hash() != s.Hash() {
		t.Errorf("stored: %+v, %v", again, err)
	}
	same := read(t, strings.Replace(provedElsewhere, "value: 0.5", "value: 0.3", 1))
	if same.Proving != nil || same.Hash() != plain.Hash() {
		t.Error("the study's own rules, said again, are other rules")
	}
}
