package store

import (
	"fmt"
	"slices"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// A question is a game under its rules, a strategy and a baseline, by its text or
// by how it plays; names and deletions change nothing.
func TestAttemptsAreOfAQuestion(t *testing.T) {
	s := openNew(t)
	asked := tuner.Question{Game: "book", Rules: "r1", Strategy: "reader", Baseline: "reader(x=0.1)", Play: "aa"}
	with := func(change func(q *tuner.Question)) tuner.Question {
		q := asked
		change(&q)
		return q
	}
	for i, c := range []struct {
		name     string
		q        tuner.Question
		expected int
	}{
		{"first", asked, 1},
		{"again", asked, 2},
		{"a baseline moved by less than play can tell", with(func(q *tuner.Question) { q.Baseline = "reader(x=0.100001)" }), 3},
		{"the same baseline after its play has changed", with(func(q *tuner.Question) { q.Play = "bb" }), 3},
		{"as at first: all four count", asked, 5},
		{"another baseline", with(func(q *tuner.Question) { q.Baseline, q.Play = "reader(x=0.9)", "cc" }), 1},
		{"another map", with(func(q *tuner.Question) { q.Rules = "r2" }), 1},
		{"another strategy", with(func(q *tuner.Question) { q.Strategy = "writer" }), 1},
		{"two without a signature of play", with(func(q *tuner.Question) { q.Baseline, q.Play = "", "" }), 1},
		{"which are no other's question", with(func(q *tuner.Question) { q.Baseline, q.Play = "reader(x=0.5)", "" }), 1},
	} {
		l := mustCreate(t, s, fmt.Sprintf("study %d", i))
		got, err := l.Attempt(t.Context(), c.q)
		if err != nil || got.Number != c.expected {
			t.Errorf("%s: attempt %d %v, expected %d", c.name, got.Number, err, c.expected)
		}
		if i%2 == 0 {
			if err := s.Studies.Delete(l.ID()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n, err := s.NextAttempt(t.Context(), asked); err != nil || n.Number != 6 {
		t.Errorf("%+v, %v: expected the sixth", n, err)
	}
}

// The passes of a question are known as long as their logs are.
func TestPassesOfAQuestion(t *testing.T) {
	s := openNew(t)
	q := tuner.Question{Game: "book", Rules: "r", Strategy: "reader", Baseline: "reader", Play: "aa"}
	var logs []*Log
	for i, verdict := range []string{"pass", "fail", "pass", "inconclusive"} {
		l := mustCreate(t, s, fmt.Sprint("study ", i))
		logs = append(logs, l)
		a, err := l.Attempt(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []struct {
			kind    entry.Kind
			payload string
		}{
			{entry.KindAttempt, fmt.Sprintf(`{"attempt":%d}`, a.Number)},
			{entry.KindValidation, fmt.Sprintf(`{"attempt":%d,"verdict":%q}`, a.Number, verdict)},
		} {
			if err := l.Append(t.Context(), logEntry(e.kind, "%s", e.payload), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask := func(name string, number int, passed ...int) {
		t.Helper()
		l := mustCreate(t, s, name)
		for range 2 { // asked again, it is the same
			a, err := l.Attempt(t.Context(), q)
			if err != nil || a.Number != number || !slices.Equal(a.Passed, passed) {
				t.Errorf("%+v %v, expected number %d and passes %v", a, err, number, passed)
			}
		}
	}
	ask("fifth", 5, 1, 3)
	if err := s.Studies.Delete(logs[0].ID()); err != nil {
		t.Fatal(err)
	}
	ask("sixth", 6, 3)
}
