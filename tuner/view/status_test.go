package view

import (
	"strings"
	"testing"
	"time"
)

// On a terminal the line is rewritten in place, at most ten times a second, and
// never wider than the window.
func TestStatus(t *testing.T) {
	var w strings.Builder
	clock := time.Unix(0, 0)
	columns := 80
	s := NewStatus(&w, func() int { return columns }, func() time.Time { return clock })
	s.Clear()
	s.Show("four")
	s.Show("at once") // too soon
	clock = clock.Add(rewriteEvery)
	s.Show("two")
	clock = clock.Add(rewriteEvery)
	columns = 6
	s.Show("twenty-four")
	s.Clear()
	if got, want := w.String(), "\rfour\rtwo \rtwen…\r     \r"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	nobody := NewStatus(nil, nil, time.Now)
	nobody.Show("nothing")
	nobody.Clear()
}

// Where there is no terminal a line is written once a minute.
func TestStatusElsewhere(t *testing.T) {
	var w strings.Builder
	clock := time.Unix(0, 0)
	s := NewStatus(&w, nil, func() time.Time { return clock })
	for range 300 {
		clock = clock.Add(time.Second)
		s.Show(clock.UTC().Format("4:05"))
	}
	s.Clear()
	if got, want := w.String(), "1:00\n2:00\n3:00\n4:00\n5:00\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöüß", 3, "äö…"}, {"abc", 0, "abc"}} {
		if got := cut(c.text, c.columns); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}
