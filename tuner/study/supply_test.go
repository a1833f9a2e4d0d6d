package study_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// supplied reads a study of a game that has 85 blocks for each phase.
func supplied(more string) (*tuner.Setup, error) {
	text := `version: 1
name: supplied
game: daifugo-solve
rules: [{name: players, value: 3}, {name: cards, value: 3}]
tune: {strategy: tree, params: [{name: order}, {name: open}, {name: key}]}
objective: {of: metric, metric: nodes, goal: minimize}
` + more
	return studyfile.Read("supplied.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
}

// The blocks that a game has bound every part of a study, whatever its file asks for after the
// verdict and however often its search proposes the same: it ends with a verdict, and the report
// tells where the estimate was cut short.
func TestBlocksOfTheGameBoundAStudy(t *testing.T) {
	for name, c := range map[string]struct {
		more      string
		exhausted bool
	}{
		"defaults":         {"budget: {games: 3000}", false},
		"shared blocks":    {"sampler: {name: uniform, seed: 3, batch: 4}\nrace: {rungs: [30, 80]}\nbudget: {trials: 40, games: 9000}", false},
		"fresh blocks":     {"sampler: {name: uniform, seed: 3, batch: 4}\nrace: {blocks: fresh, rungs: [10, 20]}\nbudget: {trials: 40, games: 9000}", false},
		"a model":          {"sampler: {name: surface}\nbudget: {games: 9000}", false},
		"no estimate left": {"sampler: {name: uniform, seed: 3}\nbudget: {games: 9000}\nvalidation: {alpha: 0.2, max_blocks: 85}", true},
		"estimate cut":     {"sampler: {name: uniform, seed: 3}\nbudget: {games: 9000}\nvalidation: {alpha: 0.2, max_blocks: 60, estimate: 60}", true},
		"little set back":  {"sampler: {name: uniform, seed: 3}\nbudget: {games: 9000}\nvalidation: {alpha: 0.2, max_blocks: 45, estimate: 30, set_back: 0.3}", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := supplied(c.more)
			if err != nil {
				t.Fatal(err)
			}
			m := newMemory()
			r, err := run(t, s, m, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range m.entries {
				var p struct{ Played *entry.Played }
				if json.Unmarshal(e.Payload, &p) == nil && p.Played != nil && p.Played.To > 85 {
					t.Errorf("%s: blocks %d..%d of 85", e.Kind, p.Played.From, p.Played.To)
				}
			}
			v := r.Validation
			if c.exhausted && v.Verdict != "pass" || v.Exhausted != c.exhausted {
				t.Errorf("%s, exhausted %v, estimate %+v", v.Verdict, v.Exhausted, v.Estimate)
			}
			t.Log(name, v.Verdict, v.Blocks, v.Estimate, len(r.SetBack), r.Games, r.Trials)
		})
	}
}

// A file that asks for more blocks than the game has is refused with the key and what there is.
func TestMoreBlocksThanTheGameHas(t *testing.T) {
	for key, more := range map[string]string{
		"race.rungs[1]":         "race: {rungs: [40, 86]}",
		"final.blocks":          "sampler: {name: uniform}\nfinal: {blocks: 86}",
		"validation.max_blocks": "validation: {max_blocks: 86}",
	} {
		_, err := supplied(more + "\nbudget: {games: 9000}\n")
		if want := key + ": expected at most 85: daifugo-solve has so many blocks for each phase under these rules, got 86"; !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", more, err)
		}
	}
	s, err := supplied("budget: {games: 9000}\n")
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Candidate(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	series := s.Series(e, e, 1, arena.Tune, 0, 86)
	if err := series.Check(); err == nil {
		t.Error("a series of 86 blocks is played")
	}
}
