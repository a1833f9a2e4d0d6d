package view

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Live shows a screen on a terminal and draws it anew every so often, until the context
// ends or draw does not want to go on. Its size is asked for every time, since a window
// may change. The terminal is left as it was.
func Live(ctx context.Context, w io.Writer, size func() (width, height int), every time.Duration, draw func(width, height int) (lines []string, more bool, err error)) error {
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
