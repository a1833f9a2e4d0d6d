package view

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

func look(rows int, now *service.Progress) *service.Look {
	l := &service.Look{Study: &service.StudyDetail{Study: service.Study{
		Study: "s\x1b[2J", State: "running", Game: "battleship", Strategy: "mp", Trials: rows, MaxTrials: 100, Reachable: 40, Games: 500, MaxGames: 1000, Progress: now,
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
			lines := Screen(look(rows, now), size[0], size[1])
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
	got := strings.Join(Screen(look(4, now), 80, 24), "\n")
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
	if text := strings.Join(Screen(alone, 80, 24), "\n"); !strings.Contains(text, "0.51") || strings.Contains(text, "NaN") {
		t.Error(text)
	}
	duels := look(0, nil)
	duels.Duels = 7
	if text := strings.Join(Screen(duels, 80, 24), "\n"); !strings.Contains(text, "7 pairs") {
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
		err := Live(ctx, &w, func() (int, int) { return 10 + calls, 5 }, time.Millisecond, func(width, _ int) ([]string, bool, error) {
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
