package store

import (
	"fmt"
	"testing"

	"sakusen/tuner"
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
		if err != nil || got != c.expected {
			t.Errorf("%s: attempt %d %v, expected %d", c.name, got, err, c.expected)
		}
		if i%2 == 0 {
			if err := s.Studies.Delete(l.ID()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n, err := s.NextAttempt(t.Context(), asked); err != nil || n != 6 {
		t.Errorf("%+v, %v: expected the sixth", n, err)
	}
}
