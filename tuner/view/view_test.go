package view

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// A study of thousands of trials prints its first and its last, and says how many it
// leaves out; 0 prints all.
func TestTrialsAreLimited(t *testing.T) {
	s := &service.WholeStudy{Spec: &tuner.Spec{Name: "x"}}
	for i := range 3000 {
		s.Trial = append(s.Trial, service.Trial{Number: i, State: "complete"})
	}
	for _, c := range []struct{ limit, lines int }{{100, 105}, {1, 6}, {3000, 3003}, {0, 3003}, {-1, 3003}} {
		var w strings.Builder
		if err := Text(&w, Whole(s, c.limit)...); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(w.String(), "\n"); n != c.lines {
			t.Errorf("limit %d: %d lines, expected %d", c.limit, n, c.lines)
		}
		left := fmt.Sprintf("%d trials in the middle are left out (--limit 0", 3000-c.limit)
		if got := strings.Contains(w.String(), left); got != (c.lines < 3000) {
			t.Errorf("limit %d: %q is told: %t", c.limit, left, got)
		}
	}
}

// Who wants to know more has a line every five seconds.
func TestVerboseStatus(t *testing.T) {
	var w strings.Builder
	clock := time.Unix(0, 0)
	s := NewStatus(&w, nil, func() time.Time { return clock }).Verbose()
	for range 60 {
		clock = clock.Add(time.Second)
		s.Show("going")
	}
	if n := strings.Count(w.String(), "\n"); n != 12 {
		t.Errorf("%d lines in a minute, expected 12", n)
	}
}

// Progress is by what ends a study first, and never less for a pause.
func TestShare(t *testing.T) {
	s := service.Study{State: "running", Trials: 24, MaxTrials: 60, Games: 50, MaxGames: 100000, Progress: &service.Progress{Games: 1300, Expected: 2600, SecondsExpected: 420}}
	if Share(&s) != 50 || Left(&s) != "about 7 min left" || !strings.HasPrefix(Far(&s), "24 of at most 60 trials, 1300 of at most 100") {
		t.Errorf("%d %q %q", Share(&s), Left(&s), Far(&s))
	}
	for _, phase := range []string{"tune", "validation", "replay", "estimate", "set back"} {
		now := service.Study{MaxTrials: 4402, Progress: &service.Progress{Phase: phase, Trials: 128, Games: 1200, Expected: 4860, Proof: 1400, SecondsExpected: 760, PerSecond: 5063}}
		line := Progress(&now)
		if !strings.Contains(line, ": at most 3660 games, ") && phase != "tune" || strings.Count(line, "search") > 1 {
			t.Errorf("%s: %s", phase, line)
		}
		if now.Progress.Passed() && len(line) > 79 {
			t.Errorf("%s: %d columns: %s", phase, len(line), line)
		}
		if left := Left(&now); !strings.Contains(line[:min(len(line), 79)], left) {
			t.Errorf("%s: a terminal of 80 columns cuts %q of %q", phase, left, line)
		}
	}
	trial, value := 7, 0.6
	line := Progress(&service.Study{Progress: &service.Progress{Phase: "tune", Incumbent: &trial, Value: &value, Params: "a=0.5785516043128704,b=2,c=edge,d=1,e=3,f=4"}})
	if !strings.Contains(line, "a=0.5786 b=2 c=edge d=1 ...,") {
		t.Error(line)
	}
	spec := &tuner.Spec{Name: "mine", Tune: tuner.Tuned{Params: tuner.Space{{Param: param.Param{Name: "x"}}}}}
	proving := Proving(spec, &tuner.Progress{Games: 1200, Proof: 660, Expected: 2060, Answer: map[string]string{"x": "0.7791682012662302"}})
	if !strings.Contains(proving, "Whether x=0.7792 is better than the baseline is found out in at most 660 games that the search has not seen (validation). If it passes, what is left of these and at most 200 more tell") {
		t.Error(proving)
	}
	for _, phase := range []string{"final", "validation", "replay"} {
		p := service.Progress{Phase: phase, Games: 1200, Expected: 1860, SecondsExpected: 420}
		if left := Left(&service.Study{Progress: &p}); left != "at most 7 min left" {
			t.Errorf("%s: %s", phase, left)
		}
	}
	s.Progress, s.State, s.Best = nil, "paused", &service.StudyBest{Verdict: "pass"}
	if a, row := AnswerOf(s), Studies([]service.Study{s}, time.Now(), 0).Lines[0]; a.Word != "Passed, paused" || row.Cells[1].Value != "passed" {
		t.Errorf("a pause behind the verdict: %q, %v", a.Word, row)
	}
	if Share(&s) != 36 {
		t.Errorf("paused: %d", Share(&s))
	}
}

func look(rows int, now *service.Progress) *service.Look {
	l := &service.Look{Study: &service.StudyDetail{Study: service.Study{
		Study: "s\x1b[2J", State: "running", Game: "battleship", Strategy: "mp", Trials: rows, MaxTrials: 40, Games: 500, MaxGames: 1000, Progress: now,
	}}}
	for i := range rows {
		v := 0.5 + 0.01*float64(rows-i)
		l.Rows = append(l.Rows, service.LookRow{Trial: i, Value: v, Low: v - 0.05, High: v + 0.05, Blocks: 16, End: entry.End(i % 3), Params: map[string]string{"b": "2", "a": "1"}})
	}
	return l
}

// The screen fits into any window, and says phase, time, race and intervals.
func TestScreen(t *testing.T) {
	three := 3
	now := &service.Progress{Phase: "tune", Trials: 9, Games: 500, Expected: 2000, SecondsExpected: 15, PerSecond: 100, Incumbent: &three, Params: "a=1"}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {50, 12}, {20, 5}, {3, 1}, {1, 2}} {
		for _, rows := range []int{0, 1, 12} {
			lines := screen(look(rows, now), size[0], size[1])
			if len(lines) > max(1, size[1]-1) {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			for _, line := range lines {
				if strings.ContainsRune(line, '\x1b') || size[0] > 2 && utf8.RuneCountInString(line) >= size[0] {
					t.Errorf("%v: %q", size, line)
				}
			}
		}
	}
	got := strings.Join(screen(look(4, now), 80, 24), "\n")
	for _, want := range []string{
		"mp of battleship, running, search", " 25 %  verdict: about 15 s left", "4 of at most 40 trials, 500 of at most 1000 games",
		"Best so far: trial 3, a=1", ">    0       16  0.540 +- 0.050", "x    2 ", "---o---", "a=1,b=2",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	alone := look(1, nil)
	alone.Rows[0].Low, alone.Rows[0].High = math.NaN(), math.NaN()
	if text := strings.Join(screen(alone, 80, 24), "\n"); !strings.Contains(text, "0.51") || strings.Contains(text, "NaN") {
		t.Error(text)
	}
	duels := look(0, nil)
	duels.Duels = 7
	if text := strings.Join(screen(duels, 80, 24), "\n"); !strings.Contains(text, "7 pairs") {
		t.Error(text)
	}
}

// The terminal is left as it was, however the screen ends.
func TestLive(t *testing.T) {
	wrong := errors.New("wrong")
	for name, end := range map[string]struct {
		more bool
		err  error
	}{"over": {false, nil}, "wrong": {false, wrong}, "interrupted": {true, nil}} {
		var w strings.Builder
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		err := live(ctx, &w, func() (int, int) { return 10 + calls, 5 }, time.Millisecond, func(width, _ int) ([]string, bool, error) {
			calls++
			if calls < 3 {
				return []string{fmt.Sprint("width ", width), "two"}, true, nil
			}
			cancel()
			return nil, end.more, end.err
		})
		cancel()
		got := w.String()
		if !errors.Is(err, end.err) || !strings.HasPrefix(got, "\x1b[?1049h") || !strings.HasSuffix(got, "\x1b[?1049l") {
			t.Errorf("%s: %v, %q", name, err, got)
		}
		if !strings.Contains(got, "\x1b[Hwidth 10\x1b[K\r\ntwo\x1b[K\x1b[J") || !strings.Contains(got, "width 11") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

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
	s.End()
	s.Show("nothing") // behind the message of a command that is left
	if got, want := w.String(), "\rfour\rtwo \rtwen…\r     \r"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	nobody := NewStatus(nil, nil, time.Now)
	nobody.Show("nothing")
	nobody.Clear()
	nobody.End()
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

// The line of a match tells what is known so far and how long it takes, which is a
// bound where a test may end it.
func TestTicker(t *testing.T) {
	var w strings.Builder
	clock := time.Unix(0, 0)
	now := func() time.Time { return clock }
	tick := NewTicker(NewStatus(&w, func() int { return 80 }, now), 1000, now)
	clock = clock.Add(time.Second)
	tick.Tick(100, 200, func() string { return "score 0.51" })
	tick.Clear()
	tick.AtMost = true
	clock = clock.Add(time.Second)
	tick.Tick(200, 200, nil)
	got := strings.ReplaceAll(w.String(), "\r", "|")
	if want := "100/1000 blocks, score 0.51, 9 s left, 200 games/s"; !strings.Contains(got, "|"+want+"|") {
		t.Errorf("%q has no %q", got, want)
	}
	if want := "|200/1000 blocks, at most 8 s left, 200 games/s"; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
}

// What takes longer than two seconds is told, with the time that is left or for how long it
// has been waited: once and then every minute, on a terminal in a line that is taken away.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		var line strings.Builder
		say := func(text string) { said = append(said, text) }
		plain, terminal, nobody := NewWait(NewStatus(&line, nil, time.Now), say), NewWait(NewStatus(&line, func() int { return 80 }, time.Now), say), NewWait(nil, say)
		for step := range 4 {
			plain.Step("engine toy", step, 4)
			nobody.Step("engine toy", step, 4)
			time.Sleep(1100 * time.Millisecond)
		}
		plain.Step("a check", 0, 0)
		time.Sleep(time.Second)
		plain.Step("another check", 0, 0)
		time.Sleep(63 * time.Second)
		plain.Step("", 0, 0)
		time.Sleep(time.Hour)
		for range 10 { // the same again and again is told once a minute
			plain.Step("another check", 0, 0)
			time.Sleep(3 * time.Second)
			plain.Step("", 0, 0)
		}
		want := []string{"waiting for engine toy: 1 of 4, 6 s left", "waiting for another check: 2 s so far", "waiting for another check: 1 min 2 s so far", "waiting for another check: 2 s so far"}
		if !slices.Equal(said, want) || line.Len() > 0 {
			t.Errorf("said %q, want %q; %q", said, want, line.String())
		}
		terminal.Step("openings", 0, 100)
		time.Sleep(10 * time.Second)
		terminal.Step("openings", 25, 100)
		time.Sleep(time.Second)
		terminal.Step("", 0, 0)
		text := line.String()
		if len(said) > 4 || !strings.HasPrefix(text, "\rwaiting for openings: 0 of 100, 2 s so far") || !strings.Contains(text, "\rwaiting for openings: 25 of 100, 3") || !strings.HasSuffix(text, " \r") {
			t.Errorf("shown %q", text)
		}
	})
}

// The speed of slow games is told in a minute or an hour: it is 0 only where none has ended.
func TestSpeed(t *testing.T) {
	for x, want := range map[float64]string{0: "0 games/s", 200: "200 games/s", 1.2: "1 games/s", 0.4: "24 games/min", 0.02: "1 games/min", 0.002: "7 games/h"} {
		if got := speed(x); got != want {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
}

// A study whose command was interrupted or killed has one word and says how it goes on.
func TestInterruptedGoesOn(t *testing.T) {
	for _, s := range []service.Study{
		{Study: "a", State: "running", Interrupted: true},
		{Study: "a", State: "paused", Message: tuner.InterruptedMessage},
	} {
		a := AnswerOf(s)
		if stateOf(&s) != "interrupted" || a.Word != "Interrupted" || !strings.Contains(a.Next, "sakusen tune a") || strings.Contains(a.Text, "nterrupted") {
			t.Errorf("%+v: %s, %+v", s, stateOf(&s), a)
		}
		whole := Whole(&service.WholeStudy{StudyDetail: service.StudyDetail{Study: s}, Spec: &tuner.Spec{}}, 1)
		if text := fmt.Sprint(whole[0]); !strings.Contains(text, "sakusen tune a goes on where it stopped") {
			t.Error(text)
		}
	}
	if s := (service.Study{Study: "a", State: "paused"}); stateOf(&s) != "paused" || AnswerOf(s).Word != "Paused" {
		t.Error(stateOf(&s), AnswerOf(s))
	}
}

// What was not played is told with the reasons.
func TestCost(t *testing.T) {
	r := &tuner.Result{Games: 61940, Trials: 1, Sampler: "quasi"}
	if got := cost(r); got != "61 940 games in all, for 1 trial (sampler quasi)." {
		t.Error(got)
	}
	r.Unplayed = &tuner.Unplayed{Games: 28060, Why: []string{"a", "b"}}
	if got := cost(r); got != "61 940 of 90 000 games, for 1 trial (sampler quasi). 28 060 were not played: a; b." {
		t.Error(got)
	}
}
