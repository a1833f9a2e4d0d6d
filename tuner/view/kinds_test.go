package view

import (
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// After a pass the page tells what the verdict's games showed, not what the search thought, and that
// the test has decided.
func TestPassedAndStillRunning(t *testing.T) {
	value, elo, trial := 0.62, 89.0, 20
	p := &service.Progress{Phase: "estimate", Incumbent: &trial, Value: &value, Elo: &elo, EloCI: &[2]float64{10, 177},
		Looks: []tuner.ProofLook{{Blocks: 120, Most: 400, Elo: 61, EloCI: &[2]float64{20, 102}, Above: 3.9, Needs: 3.66}}}
	s := service.Study{State: "running", Best: &service.StudyBest{Trial: 20, Value: &value}, Progress: p}
	a := AnswerOf(s)
	if a.Word != "Passed" || a.Gain.Value != "+61 Elo" || strings.Contains(a.Small(), "best so far") || !strings.Contains(a.Text, "The verdict is a pass") {
		t.Errorf("%+v", a)
	}
	if got := Test(p); got != "" {
		t.Error(got)
	}
	if p.Phase, p.Looks = "tune", nil; AnswerOf(s).Gain.Value != "+89 Elo" {
		t.Errorf("%+v", AnswerOf(s))
	}
}

// A study whose games the user plays does not begin by itself, and its page says what it waits for.
func TestGamesPlayedElsewhere(t *testing.T) {
	for _, s := range []service.Study{{State: "queued"}, {State: "running", Message: tuner.AwaitedMessage}} {
		s.Study, s.About.Elsewhere = "own", true
		if a := AnswerOf(s); a.Word != "Waiting" || !strings.Contains(a.Text, "played outside of this program") || !strings.HasPrefix(a.Next, "sakusen study ask own") {
			t.Errorf("%s: %+v", s.State, a)
		}
	}
}

// The gain in a metric has its interval where the baseline has none of it; and
// no level is 100 %.
func TestMetricAboveNothing(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	v := &tuner.ValidationReport{Alpha: 0.0002, Blocks: 60, Metric: &entry.MetricVerdict{Name: "work", Winner: x(.82), Baseline: x(0), Gain: x(-.82), GainCI: &[2]float64{-1.37, -.28}}}
	c := Gain(v)
	if c.Value != "+0.82 work" || c.Interval == nil || c.Interval.Ends() != "0.28 to 1.37" || c.Interval.Level != "99.96" {
		t.Errorf("%+v %+v", c, c.Interval)
	}
	for alpha, want := range map[float64]string{0.025: "95", 0.004: "99.2", 0.0004: "99.9", 0.0002: "99.96", 1e-9: "99.99"} {
		if v.Alpha = alpha; Gain(v).Interval.Level != want {
			t.Errorf("alpha %g: %s, want %s", alpha, Gain(v).Interval.Level, want)
		}
	}
}

// A program whose files changed is told as such, and is not resumed as it is.
func TestChangedProgram(t *testing.T) {
	f := failureOf("engine mine: its files have changed since it was asked what it is: start again")
	if !f.repeat || !strings.HasPrefix(f.what, "The program that plays has changed") {
		t.Errorf("%+v", f)
	}
}

// Long numbers of notes are rounded.
func TestNoted(t *testing.T) {
	if got := Noted("x1=0.06928597553524607 scored -530.512345 at 8 blocks"); got != "x1=0.06929 scored -530.5 at 8 blocks" {
		t.Error(got)
	}
}

// Where the worst opponent counts, the gain over the baseline does not ask to be quoted.
func TestOneNumberToQuote(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	v := &tuner.ValidationReport{Verdict: "pass", Blocks: 100, Elo: x(120), Score: x(.66), CI95: &[2]float64{60, 180},
		Estimate: &tuner.AfterPass{Elo: x(103), Score: x(.64), CI95: &[2]float64{70, 140}, Blocks: 330},
		Pool:     []tuner.Standing{{Entrant: "point(x1=0.7)", Elo: x(10), CI95: &[2]float64{-33, 54}, Blocks: 100}}}
	worst := &tuner.Objective{Of: "score", Over: "worst"}
	if got := measuredOn(worst, 0, v); strings.Contains(got, "Quote this") || !strings.Contains(got, "The gain to quote is that against point(x1=0.7)") {
		t.Error(got)
	}
	if got := measuredOn(&tuner.Objective{Of: "score"}, 0, v); !strings.HasPrefix(got, "Quote this") {
		t.Error(got)
	}
	v.Exhausted = true
	if got := measuredOn(&tuner.Objective{Of: "score"}, 0, v); !strings.Contains(got, "330 blocks that had no part in the verdict, all that the game has starts left for.") {
		t.Error(got)
	}
	v.Estimate = nil
	if got := measuredOn(&tuner.Objective{Of: "score"}, 0, v); !strings.HasSuffix(got, "on average the value is too high. The game has no starts left for others.") {
		t.Error(got)
	}
}
