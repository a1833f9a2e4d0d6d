package study_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/study"
)

// defaultsStudy has a baseline below the strategy's defaults (x=0.2, n=2).
const defaultsStudy = `version: 1
name: defaults
game: GAME
tune: {strategy: climber, params: [{name: x, low: LOW, high: HIGH, step: 0.1}, {name: n, low: 1, high: 9}], fix: [{name: kind, value: plain}]}
baseline: climber(x=0,n=9)
sampler: {name: grid, seed: 5}
race: {method: none, rungs: [16]}
budget: {games: 8000}
final: {top: 0}
validation: {gain_elo: [0, 20], max_blocks: 1000}
`

// After a pass above a baseline that is not the strategy's defaults the answer meets these.
func TestAnswerMeetsTheDefaults(t *testing.T) {
	for _, c := range []struct {
		low, high string
		better    bool
	}{{"0.5", "0.8", true}, {"0", "0.1", false}} {
		text := strings.NewReplacer("GAME", "hill", "LOW", c.low, "HIGH", c.high).Replace(defaultsStudy)
		s, m := read(t, text), newMemory()
		r, err := run(t, s, m, 2)
		if err != nil {
			t.Fatal(err)
		}
		d := r.Defaults
		if r.Validation.Verdict != "pass" || d == nil || d.Won || d.Elo == nil {
			t.Fatalf("%+v: %+v", c, d)
		}
		if (d.CI95[0] > 0) != c.better || (d.CI95[1] < 0) == c.better || d.Defaults["x"] != "0.2" || d.Blocks < 150 || d.Games != 2*d.Blocks {
			t.Errorf("%+v: %+v", c, d)
		}
		if r.Games > s.Budget.Games || len(r.SetBack) != 2 {
			t.Errorf("%d games of %d, set back %+v", r.Games, s.Budget.Games, r.SetBack)
		}
		if err := study.Verify(s, m.entries, r); err != nil {
			t.Error(err)
		}
		forged := *r.Defaults
		forged.Elo = new(float64)
		r.Defaults = &forged
		if err := study.Verify(s, m.entries, r); err == nil {
			t.Error("another gain above the defaults is not found")
		}
		off := newMemory()
		without, err := run(t, read(t, strings.Replace(text, "max_blocks: 1000", "max_blocks: 1000, set_back: 0", 1)), off, 2)
		if err != nil || without.Defaults != nil || without.Digest != r.Digest {
			t.Errorf("without: %+v, %v", without.Defaults, err)
		}
	}
}

// Where the defaults are what one change set back makes of the answer, its games tell of them.
func TestSetBackToTheDefaults(t *testing.T) {
	text := strings.NewReplacer("GAME", "hill", ", {name: n, low: 1, high: 9}", "", "[{name: kind, value: plain}]", "[{name: kind, value: plain}, {name: n, value: 2}]", "(x=0,n=9)", "(x=0.2,n=9)", "LOW", "0.5", "HIGH", "0.8").Replace(defaultsStudy)
	s, m := read(t, text), newMemory()
	r, err := run(t, s, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.SetBack) != 1 || r.Defaults == nil || r.Defaults.Defaults["x"] != "0.2" || *r.Defaults.Elo != *r.SetBack[0].Lost || r.Defaults.Games != r.SetBack[0].Games {
		t.Fatalf("set back %+v, against the defaults %+v", r.SetBack, r.Defaults)
	}
	if err := study.Verify(s, m.entries, r); err != nil {
		t.Error(err)
	}
	forged := *r.Defaults
	forged.Elo = new(float64)
	r.Defaults = &forged
	if err := study.Verify(s, m.entries, r); err == nil {
		t.Error("another gain above the defaults is not found")
	}
}

// The defaults of a program from elsewhere are a candidate of the final, and take the place
// of an answer that they beat. A study that dies after any entry ends with the same log.
func TestDefaultsInTheFinal(t *testing.T) {
	for _, c := range []struct {
		high, budget string
		won          bool
	}{{"0.8", "games: 8000", false}, {"0.2", "games: 8000, trials: 3", true}} { // three trials are the lowest of the hill
		text := strings.NewReplacer("GAME", "crag", "LOW", "0", "HIGH", c.high, "games: 8000", c.budget).Replace(defaultsStudy)
		s, whole := read(t, text), newMemory()
		if s.DefaultsBlocks() != 200 || s.Reserved(false) < 2400 {
			t.Fatalf("%d blocks, %d games are kept", s.DefaultsBlocks(), s.Reserved(false))
		}
		want, err := run(t, s, whole, 2)
		if err != nil {
			t.Fatal(err)
		}
		e, err := entry.Last[entry.Defaults](whole.entries, entry.KindDefaults)
		if err != nil || e == nil || e.Won != c.won || e.Evidence.Blocks != 200 {
			t.Fatalf("%+v: %+v, %v", c, e, err)
		}
		if d := want.Defaults; c.won && (!d.Won || want.Best.Params["x"] != "0.2" || d.Search["x"] == "0.2" || want.Best.Claimed.Elo != nil || want.Validation.Shrinkage != nil || math.Abs(*d.Elo-*e.Elo) > 1e-9) {
			t.Errorf("the defaults won, and the result is %+v, %+v", want.Best, d)
		} else if !c.won && (d.Won || d.Search != nil || d.Blocks == 200) {
			t.Errorf("the answer won, and the result is %+v", d)
		}
		if want.Games > s.Budget.Games || study.Verify(s, whole.entries, want) != nil {
			t.Errorf("%d games of %d, %v", want.Games, s.Budget.Games, study.Verify(s, whole.entries, want))
		}
		for at := len(whole.entries) - 6; at < len(whole.entries); at++ {
			m := newMemory()
			m.die = at
			if _, err := run(t, read(t, text), m, 3); !errors.Is(err, errDied) {
				t.Fatalf("entry %d: %v", at, err)
			}
			m.die = 0
			got, err := run(t, read(t, text), m, 8)
			if err != nil || string(entry.Text(got)) != string(entry.Text(want)) {
				t.Fatalf("killed after %d entries: %v, %s, want %s", at, err, entry.Text(got), entry.Text(want))
			}
		}
		index, log := insight.NewMeetings(s), insight.NewLog(s.Spec, s.Ruleset)
		for _, one := range whole.entries {
			if err := errors.Join(index.Add(one), log.Add(one)); err != nil {
				t.Fatal(err)
			}
		}
		if met, err := index.Of(e.Trial); err != nil || !slices.ContainsFunc(met, func(one insight.Meeting) bool {
			return one.Series.Phase == arena.Final && one.Series.To == 200
		}) {
			t.Errorf("the games of the final are not among what the answer has met: %v", err)
		}
		if log.Answer == nil && c.won || c.won && log.Answer.Trial != want.Best.Trial {
			t.Errorf("the log's answer is %+v, the winner trial %d", log.Answer, want.Best.Trial)
		}
		// It goes on with a larger budget, and comes to another answer.
		whole.entries = append(whole.entries, entry.New(entry.KindGrow, entry.Grow{From: entry.Spent{Trials: s.Budget.Trials, Games: 8000}, To: entry.Spent{Trials: s.Budget.Trials + 4, Games: 20000}}))
		grown := read(t, text)
		grown.Budget = tuner.Budget{Trials: s.Budget.Trials + 4, Games: 20000}
		r, err := run(t, grown, whole, 2)
		if err != nil || r.Validation.Attempt != 2 || r.Games > 20000 || study.Verify(grown, whole.entries, r) != nil {
			t.Errorf("grown: %+v, %v", r, err)
		}
	}
}

// They do not meet where the defaults are the baseline, where the strategy is ours, and where more
// than a score against the baseline decides.
func TestDefaultsStayOut(t *testing.T) {
	text := strings.NewReplacer("GAME", "crag", "LOW", "0", "HIGH", "0.5").Replace(defaultsStudy)
	for _, c := range [][2]string{
		{"baseline: climber(x=0,n=9)", "baseline: climber"},
		{"game: crag", "game: hill"},
		{"low: 0, high: 0.5", "low: 0.3, high: 0.5"},
		{"sampler: {name: grid", "pool: [climber(x=0.4)]\nsampler: {name: grid"},
		{"sampler: {name: grid", "objective: {limits: [{metric: effort, max: 900}]}\nsampler: {name: grid"},
		{"sampler: {name: grid", "objective: {of: metric, metric: effort}\nsampler: {name: grid"},
	} {
		if !strings.Contains(text, c[0]) {
			t.Fatal(c)
		}
		if s := read(t, strings.Replace(text, c[0], c[1], 1)); s.DefaultsBlocks() != 0 {
			t.Errorf("%s: %d blocks against the defaults", c[1], s.DefaultsBlocks())
		}
	}
	if s := read(t, text); s.DefaultsBlocks() == 0 {
		t.Error("no blocks against the defaults")
	}
}
