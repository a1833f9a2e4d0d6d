package view

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

// screen returns a study under way as the lines of a terminal: how far it is and how long it
// takes, and its race, with intervals on one axis.
func screen(look *service.Look, width, height int) []string {
	study := &look.Study.Study
	facts := Find(Running(study), "running")
	fact := map[string]Line{}
	for _, l := range facts.Lines {
		fact[l.Label] = l
	}
	out := []string{fmt.Sprintf("%s: %s of %s, %s", study.Study, study.Strategy, study.Game, fact["State"].Value)}
	bar := min(30, max(8, width/3))
	full := Share(study) * bar / 100
	line := fmt.Sprintf("[%s%s] %5s", strings.Repeat("#", full), strings.Repeat(".", bar-full), fact["Done"].Value)
	if left := fact["Left"].Value; left != "" {
		line += "  verdict: " + left
	}
	out = append(out, line, fact["Done"].Note, "")
	if p := study.Progress; p != nil && p.Incumbent != nil {
		out = append(out, fmt.Sprintf("Best so far: trial %d, %s", *p.Incumbent, p.Params), "")
	}
	switch {
	case look.Duels > 0:
		out = append(out, fmt.Sprintf("%d pairs of candidates have met: no set has a value of its own,", look.Duels),
			"the sampler's model names the answer when the search ends.")
	case len(look.Finals) > 0 && height > len(out)+4:
		out = append(out, "Final, on new seeds:")
		out = append(out, race(look.Finals, width, height-len(out)-1)...)
	case len(look.Rows) > 0:
		out = append(out, race(look.Rows, width, height-len(out)-1)...)
	default:
		out = append(out, "No set has been judged yet.")
	}
	out = out[:min(len(out), max(1, height-1))]
	for i := range out {
		out[i] = cut(plain.Text(out[i]), width-1)
	}
	return out
}

// race returns trials with their intervals on one axis, in at most so many lines.
func race(rows []service.LookRow, width, height int) []string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		for _, x := range []float64{r.Value, r.Low, r.High} {
			if numeral.IsFinite(x) {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	const left = 40 // columns before the axis
	axis := min(40, (width-left)/2)
	out := []string{fmt.Sprintf("%6s %8s  %-22s", "trial", "blocks", "value, 95 %")}
	if axis >= 12 {
		from, to := numeral.Interval(low, high)
		out[0] += fmt.Sprintf(" %s%*s", from, max(1, axis-utf8.RuneCountInString(from)), to)
	}
	for _, r := range rows {
		if len(out) >= height {
			break
		}
		value := numeral.Text(r.Value)
		if half := (r.High - r.Low) / 2; half > 0 && numeral.IsFinite(half) {
			value = numeral.PlusMinus(r.Value, half)
		}
		mark := map[entry.End]string{entry.Playing: ">", entry.Whole: " "}[r.End]
		if mark == "" {
			mark = "x"
		}
		blocks := ""
		if r.Blocks > 0 {
			blocks = fmt.Sprint(r.Blocks)
		}
		text := fmt.Sprintf("%s%5d %8s  %-22s", mark, r.Trial, blocks, value)
		if axis >= 12 {
			text += " " + whisker(r, low, high, axis)
		}
		var params []string
		for _, name := range slices.Sorted(maps.Keys(r.Params)) {
			params = append(params, name+"="+r.Params[name])
		}
		out = append(out, text+"  "+strings.Join(params, ","))
	}
	if len(out) < height && rows[0].Blocks > 0 {
		out = append(out, "> plays now, x was stopped")
	}
	return out
}

// whisker draws an interval between the ends of an axis.
func whisker(r service.LookRow, low, high float64, columns int) string {
	at := func(x float64) int {
		if !(high > low) || !numeral.IsFinite(x) {
			return columns / 2
		}
		return min(columns-1, max(0, int(math.Round((x-low)/(high-low)*float64(columns-1)))))
	}
	cells := []byte(strings.Repeat(" ", columns))
	if numeral.IsFinite(r.Low) && numeral.IsFinite(r.High) {
		for i := at(r.Low); i <= at(r.High); i++ {
			cells[i] = '-'
		}
	}
	cells[at(r.Value)] = 'o'
	return string(cells)
}

// live shows a screen on a terminal and draws it anew every so often, until the context
// ends or draw does not want to go on. Its size is asked for every time, since a window
// may change. The terminal is left as it was.
func live(ctx context.Context, w io.Writer, size func() (width, height int), every time.Duration, draw func(width, height int) (lines []string, more bool, err error)) error {
	const begin, end = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l" // another screen, no cursor; and back
	fmt.Fprint(w, begin)
	defer fmt.Fprint(w, end)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		lines, more, err := draw(size())
		if err != nil || !more {
			return err
		}
		text := "\x1b[H"
		for i, line := range lines {
			if i > 0 {
				text += "\r\n"
			}
			text += line + "\x1b[K"
		}
		fmt.Fprint(w, text+"\x1b[J")
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// watchEvery is how often a study is looked at.
const watchEvery = 500 * time.Millisecond

// Watch shows a study until it no longer runs, and returns it as it then is; nil where
// the context ends before. On a terminal, where size is not nil, it is a screen, and
// elsewhere a status line. far returns its progress, nil
// where it is not known.
func Watch(ctx context.Context, w *service.Watcher, out io.Writer, size func() (width, height int), line *Status, far func(*service.StudyDetail) *service.Progress) (*service.StudyDetail, error) {
	var last *service.StudyDetail
	look := func(rows int) (*service.Look, bool, error) {
		l, err := w.Look(ctx, rows)
		if err != nil {
			return nil, false, err
		}
		last = l.Study
		return l, (last.State == "running" || last.State == "queued") && !last.Interrupted, nil
	}
	err := error(nil)
	if size != nil {
		err = live(ctx, out, size, watchEvery, func(width, height int) ([]string, bool, error) {
			l, more, err := look(height)
			if err != nil || !more {
				return nil, false, err
			}
			l.Study.Progress = far(l.Study)
			return screen(l, width, height), true, nil
		})
	} else {
		err = watchLine(ctx, look, line, far)
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	return last, err
}

// watchLine shows a study on a line.
func watchLine(ctx context.Context, look func(rows int) (*service.Look, bool, error), line *Status, far func(*service.StudyDetail) *service.Progress) error {
	for {
		l, more, err := look(1)
		if err != nil || !more {
			return err
		}
		l.Study.Progress = far(l.Study)
		line.Show(Progress(&l.Study.Study))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// LiveTuning shows the screen of a study that this process runs, from when tell is first
// called until stop is, which returns what went wrong with it.
func LiveTuning(ctx context.Context, w *service.Watcher, out io.Writer, size func() (width, height int)) (tell func(tuner.Progress), stop func() error) {
	var now atomic.Pointer[service.Progress]
	ctx, cancel := context.WithCancel(ctx)
	began, done := make(chan struct{}), make(chan error, 1)
	go func() {
		select {
		case <-began:
		case <-ctx.Done():
			done <- nil
			return
		}
		err := live(ctx, out, size, watchEvery, func(width, height int) ([]string, bool, error) {
			l, err := w.Look(ctx, height)
			if err != nil {
				return nil, false, err
			}
			l.Study.Progress = now.Load()
			return screen(l, width, height), true, nil
		})
		if ctx.Err() != nil {
			err = nil
		}
		done <- err
	}()
	tell = func(p tuner.Progress) {
		if now.Swap(service.ProgressOf(p)) == nil {
			close(began)
		}
	}
	return tell, func() error { cancel(); return <-done }
}
