package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// progress shows how far a study is: one line that is written over, on a
// terminal only.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil shows nothing
	width int       // of the line that is there now
}

func (a *app) progress() *progress {
	if a.flags.quiet || !a.terminal {
		return &progress{}
	}
	return &progress{w: a.err}
}

// tell shows the present state.
func (p *progress) tell(now tuner.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return
	}
	text := fmt.Sprintf("%s  %d/%d trials  %d blocks  %d games  %.0f games/s", now.Phase, now.Trials, now.MaxTrials, now.Blocks, now.Games, now.PerSecond)
	if now.Incumbent >= 0 {
		text += fmt.Sprintf("  best %s %s", now.Params, numeral.PlusMinus(now.Value, rating.Deviate95*now.Error))
	}
	if now.Left > 0 {
		text += fmt.Sprintf("  at most %s left", now.Left.Round(time.Second))
	}
	fmt.Fprintf(p.w, "\r%s%s", text, strings.Repeat(" ", max(0, p.width-len(text))))
	p.width = len(text)
}

// end leaves the line clean.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}
