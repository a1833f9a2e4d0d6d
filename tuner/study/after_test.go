package study_test

import (
	"errors"
	"fmt"
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

// afterStudy passes at an early look; its answer changes two numbers and a kind.
const afterStudy = `version: 1
name: after
game: hill
tune: {strategy: climber, params: [{name: x, low: 0.4, high: 0.6, step: 0.1}, {name: kind, choices: [fancy]}, {name: bonus, low: 3, high: 3}]}
baseline: climber
sampler: {name: grid, seed: 5}
race: {method: none, rungs: [8]}
budget: {games: GAMES}
final: {top: 0}
validation: {gain_elo: [0, 20], max_blocks: 400MORE}
`

func afterOf(t *testing.T, games int, more string) *tuner.Setup {
	t.Helper()
	return read(t, strings.NewReplacer("GAMES", fmt.Sprint(games), "MORE", more).Replace(afterStudy))
}

// After a pass the remaining games measure how large the gain is, on blocks that had no part in
// the verdict, and what parameters are worth. The budget is never exceeded, and the verdict is
// the same without them.
func TestAfterAPass(t *testing.T) {
	s := afterOf(t, 2000, "")
	if s.Validation.Held() != 50 || s.Validation.SetBack != 0.1 {
		t.Fatalf("by default %d blocks are held back, and %v of the games", s.Validation.Held(), s.Validation.SetBack)
	}
	m := newMemory()
	r, err := run(t, s, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	v := r.Validation
	e, err := entry.Last[entry.Estimate](m.entries, entry.KindEstimate)
	if v.Verdict != "pass" || v.Blocks >= 400 || e == nil || err != nil {
		t.Fatalf("%+v, %v, %v", v, e, err)
	}
	if e.Played.From != v.Blocks || e.Played.To != 450 || e.Evidence.Blocks != 450-v.Blocks {
		t.Errorf("the estimate is of %+v after a verdict on %d blocks", e.Played, v.Blocks)
	}
	later, err := arena.NewPool(2).Play(t.Context(), s.Series(arenaEntrant(t, s, r), s.BaselineEntrant, e.Played.Seed, arena.Validation, e.Played.From, e.Played.To), nil)
	if err != nil || !slices.Equal(later.Entrants[0].Scores, e.Evidence.Scores) {
		t.Errorf("the estimate's games are %v, played again %v (%v)", e.Evidence.Scores, later.Entrants[0].Scores, err)
	}
	if score, elo, ci := v.Quoted(); score != v.Estimate.Score || elo != v.Estimate.Elo || ci != v.Estimate.CI95 || math.Abs(*score-e.Evidence.Score(2).Value) > 1e-9 {
		t.Errorf("what is quoted is %v %v %v, and the estimate %+v", score, elo, ci, v.Estimate)
	}
	if r.Games > s.Budget.Games || len(r.SetBack) != 2 {
		t.Errorf("%d games of %d, set back %+v", r.Games, s.Budget.Games, r.SetBack)
	}
	names := map[string]tuner.SetBack{}
	for _, b := range r.SetBack {
		names[strings.Join(b.Parameters, "+")] = b
	}
	kind, x := names["kind+bonus"], names["x"]
	if kind.Blocks < 48 || kind.To["kind"] != "plain" || len(kind.To) != 1 || x.To["x"] != "0.2" {
		t.Errorf("set back %+v", r.SetBack)
	}
	if !x.Told || *x.Lost < 50 || x.CI95[0] > *x.Lost || x.CI95[1] < *x.Lost || x.Enough == nil {
		t.Errorf("x: %+v", x)
	}
	if err := study.Verify(s, m.entries, r); err != nil {
		t.Error(err)
	}

	off := newMemory()
	same := afterOf(t, 2000, ", estimate: 0, set_back: 0")
	without, err := run(t, same, off, 1)
	if err != nil {
		t.Fatal(err)
	}
	if without.Digest != r.Digest || same.Hash() != s.Hash() {
		t.Errorf("what is played after the verdict is part of its digest: %s and %s", without.Digest, r.Digest)
	}
	if without.Validation.Estimate != nil || without.SetBack != nil || off.entries[len(off.entries)-1].Kind != entry.KindValidation {
		t.Errorf("with both keys off: %+v", without)
	}
}

// arenaEntrant returns the winner of a study.
func arenaEntrant(t *testing.T, s *tuner.Setup, r *tuner.Result) arena.Entrant {
	t.Helper()
	e, err := s.Candidate(r.Best.Trial, r.Best.Values)
	if err != nil {
		e, err = s.Candidate(r.Best.Trial, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A verdict that is no pass is the last entry.
func TestNothingAfterAFailure(t *testing.T) {
	m := newMemory()
	text := strings.NewReplacer("GAMES", "2000", "MORE", "", "baseline: climber", "baseline: climber(x=0.7,n=5,kind=fancy,bonus=3)").Replace(afterStudy)
	r, err := run(t, read(t, text), m, 2)
	if err != nil || r.Validation.Verdict == "pass" || r.Validation.Estimate != nil || r.SetBack != nil || m.entries[len(m.entries)-1].Kind != entry.KindValidation {
		t.Errorf("%+v, %v", r, err)
	}
}

// A study that dies after any entry, or between the blocks of what is played after the
// verdict, ends with the same log, whatever the number of workers.
func TestAfterIsResumed(t *testing.T) {
	whole := newMemory()
	want, err := run(t, afterOf(t, 2000, ""), whole, 1)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[entry.Kind]int{}
	for at := 1; at < len(whole.entries); at++ {
		kinds[whole.entries[at].Kind]++
		m := newMemory()
		m.die = at
		if _, err := run(t, afterOf(t, 2000, ""), m, 3); !errors.Is(err, errDied) {
			t.Fatalf("entry %d: %v", at, err)
		}
		m.die = 0
		got, err := run(t, afterOf(t, 2000, ""), m, 8)
		if err != nil || !slices.EqualFunc(m.entries, whole.entries, func(a, b entry.Entry) bool {
			return a.Kind == b.Kind && string(a.Payload) == string(b.Payload)
		}) {
			t.Fatalf("killed after %d entries: another log (%v)", at, err)
		}
		if string(entry.Text(got)) != string(entry.Text(want)) {
			t.Fatalf("killed after %d entries: %s, want %s", at, entry.Text(got), entry.Text(want))
		}
	}
	if kinds[entry.KindEstimate] != 1 || kinds[entry.KindSetBack] != 2 {
		t.Errorf("%v: the games after the verdict are not interrupted", kinds)
	}
}

// The estimate comes first: of a small budget it takes what is held back, and parameters
// have what is left then, with enough games for each, or none.
func TestAfterKeepsTheBudget(t *testing.T) {
	for _, games := range []int{948, 1000, 1100, 1300, 4000} {
		s := afterOf(t, games, "")
		m := newMemory()
		r, err := run(t, s, m, 2)
		if err != nil {
			t.Fatal(err)
		}
		played := int64(0)
		for _, b := range r.SetBack {
			if played += b.Games; b.Blocks < 48 {
				t.Errorf("%d games: %v has %d blocks", games, b.Parameters, b.Blocks)
			}
		}
		if r.Games > int64(games) || played > int64(games)/10 {
			t.Errorf("%d games: %d were played, %d of them with parameters set back", games, r.Games, played)
		}
		if r.Validation.Verdict == "pass" && (r.Validation.Estimate == nil || r.Validation.Estimate.Blocks < s.Validation.Held()) {
			t.Errorf("%d games: %+v, of %d blocks held back", games, r.Validation.Estimate, s.Validation.Held())
		}
	}
}

// A metric, a plan of one look, a pool and limits have estimates of their own kind.
func TestEstimatesOfAllKinds(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"metric", "sampler: {name: grid", "objective: {of: metric, metric: effort, goal: maximize}\nsampler: {name: grid"},
		{"relative metric", "sampler: {name: grid", "objective: {of: metric, metric: effort, goal: maximize, relative: true}\nsampler: {name: grid"},
		{"one look", "max_blocks: 400", "max_blocks: 400, plan: fixed"},
		{"pool", "sampler: {name: grid", "pool: [climber(x=0.4)]\nsampler: {name: grid"},
		{"limit on a ratio", "sampler: {name: grid", "objective: {limits: [{metric: effort, max_ratio: 9}]}\nsampler: {name: grid"},
	} {
		text := strings.NewReplacer("GAMES", "6000", "MORE", "", c.old, c.new).Replace(afterStudy)
		s, m := read(t, text), newMemory()
		r, err := run(t, s, m, 2)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		v := r.Validation
		if v.Verdict != "pass" || v.Estimate == nil || v.Estimate.Reason != "" || r.Games > s.Budget.Games || len(r.SetBack) == 0 {
			t.Errorf("%s: %d games, %+v, estimate %+v, set back %+v", c.name, r.Games, v, v.Estimate, r.SetBack)
			continue
		}
		if metric := strings.Contains(c.name, "metric"); metric != (v.Estimate.Metric != nil) || metric == (v.Estimate.Elo != nil) || metric != (r.SetBack[0].Metric != nil) {
			t.Errorf("%s: %+v, %+v", c.name, v.Estimate, r.SetBack)
		}
		if whole := c.name == "one look" || strings.Contains(c.name, "metric"); v.Estimate.Whole != whole {
			t.Errorf("%s: the games of the verdict count: %v", c.name, v.Estimate.Whole)
		}
		again, err := run(t, read(t, text), m, 1)
		if err != nil || string(entry.Text(again)) != string(entry.Text(r)) {
			t.Errorf("%s, read again: %v", c.name, err)
		}
		if err := study.Verify(s, m.entries, r); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A stored result whose estimate, or what is set back, is not that of the log is forged.
func TestForgedEstimate(t *testing.T) {
	s, m := afterOf(t, 2000, ""), newMemory()
	if _, err := run(t, s, m, 2); err != nil {
		t.Fatal(err)
	}
	result := func() *tuner.Result {
		r, err := run(t, s, m, 1)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, forge := range map[string]func(r *tuner.Result){
		"gain":      func(r *tuner.Result) { *r.Validation.Estimate.Elo += 5 },
		"left out":  func(r *tuner.Result) { r.Validation.Estimate = nil },
		"parameter": func(r *tuner.Result) { *r.SetBack[0].Lost += 5 },
		"dropped":   func(r *tuner.Result) { r.SetBack = r.SetBack[1:] },
	} {
		r := result()
		forge(r)
		if forged, ok := errors.AsType[*tuner.ForgedError](study.Verify(s, m.entries, r)); !ok {
			t.Errorf("%s: %v", name, forged)
		}
	}
	// A log whose estimate is not that of its games.
	r := result()
	log := slices.Clone(m.entries)
	for i, e := range log {
		if e.Kind == entry.KindEstimate {
			v, err := entry.Last[entry.Estimate](log, entry.KindEstimate)
			if err != nil {
				t.Fatal(err)
			}
			*v.Elo += 5
			log[i] = entry.New(e.Kind, v)
			*r.Validation.Estimate.Elo += 5
		}
	}
	if err := study.Verify(s, log, r); err == nil || !strings.Contains(err.Error(), "its games say") {
		t.Errorf("a log whose estimate is not that of its games: %v", err)
	}
}

// What a trial has met includes the games after the verdict.
func TestMeetingsAfterwards(t *testing.T) {
	s, m := afterOf(t, 2000, ""), newMemory()
	r, err := run(t, s, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	index := insight.NewMeetings(s)
	for _, e := range m.entries {
		if err := index.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	met, err := index.Of(r.Best.Trial)
	if err != nil {
		t.Fatal(err)
	}
	proof, variants := int64(0), 0
	var names []string
	for _, one := range met {
		switch {
		case one.Series.Phase != arena.Validation:
		case one.Series.Entrants[1].Canonical() == s.BaselineEntrant.Canonical():
			proof = one.Series.To
		default:
			variants++
			names = append(names, one.Series.Entrants[1].Name)
		}
	}
	for _, back := range r.SetBack {
		if name := fmt.Sprintf("trial %d with %s set back", r.Best.Trial, strings.Join(back.Parameters, ", ")); !slices.Contains(names, name) {
			t.Errorf("%q is not among %q", name, names)
		}
	}
	if proof != 450 || variants != 2 {
		t.Errorf("%d blocks against the baseline, %d answers set back, expected 450 and 2", proof, variants)
	}
}

// Growing a study after a pass counts the games that followed it, and the next verdict has
// an estimate of its own.
func TestAfterAGrownStudy(t *testing.T) {
	m := newMemory()
	s := afterOf(t, 2000, "")
	first, err := run(t, s, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	before := len(m.entries)
	m.entries = append(m.entries, entry.New(entry.KindGrow, entry.Grow{From: entry.Spent{Trials: s.Budget.Trials, Games: 2000}, To: entry.Spent{Trials: s.Budget.Trials, Games: 6000}}))
	grown := afterOf(t, 2000, "")
	grown.Budget.Games = 6000
	r, err := run(t, grown, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[entry.Kind]int{}
	for _, e := range m.entries[before:] {
		kinds[e.Kind]++
	}
	if r.Games <= first.Games || r.Games > 6000 || r.Validation.Attempt != 2 || kinds[entry.KindEstimate] != 1 || kinds[entry.KindSetBack] != len(r.SetBack) {
		t.Errorf("%d games after %d, attempt %d, %v", r.Games, first.Games, r.Validation.Attempt, kinds)
	}
	again, err := run(t, grown, m, 1)
	if err != nil || string(entry.Text(again)) != string(entry.Text(r)) {
		t.Errorf("read again: %v", err)
	}
}

// A budget that grows between two parameters that are set back does not change how the others
// are.
func TestSetBackGoesOnAsItBegan(t *testing.T) {
	whole := newMemory()
	if _, err := run(t, afterOf(t, 2000, ""), whole, 1); err != nil {
		t.Fatal(err)
	}
	m := newMemory()
	m.die = len(whole.entries) - 1
	if _, err := run(t, afterOf(t, 2000, ""), m, 1); !errors.Is(err, errDied) || m.entries[m.die-1].Kind != entry.KindSetBack {
		t.Fatalf("%v after %v", err, m.entries[m.die-1].Kind)
	}
	m.die = 0
	more := afterOf(t, 2000, "")
	more.Budget.Games = 4000
	r, err := run(t, more, m, 1)
	if err != nil || len(r.SetBack) != 2 || r.SetBack[0].Blocks != r.SetBack[1].Blocks {
		t.Errorf("%+v, %v", r, err)
	}
}

// No gain is proved by games that are lost on time: a log whose verdict has many of them is refused.
func TestTimeDecides(t *testing.T) {
	m := newMemory()
	s := afterOf(t, 2000, "")
	r, err := run(t, s, m, 2)
	if err != nil {
		t.Fatal(err)
	}
	for lost, want := range map[int64]bool{1: true, r.Validation.Blocks: false} {
		v, at := proofOf(t, m.entries)
		v.Evidence.Faults = &entry.Faults{Own: entry.FaultCounts{"overtime": lost}}
		log := slices.Clone(m.entries)
		log[at].Payload = entry.Text(v)
		also := *r
		also.Digest = entry.Digest(log)
		if err := study.Verify(s, log, &also); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "games were lost on time, and with more than 5 % that decides") {
			t.Errorf("%d lost on time: %v", lost, err)
		}
	}
}
