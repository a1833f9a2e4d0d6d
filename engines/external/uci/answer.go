package uci

import (
	"strconv"
	"strings"
	"time"
)

// Answer is a move, and what the program told of its search last.
type Answer struct {
	Best  string // as it was written
	Said  string // the whole line
	Spent time.Duration
	// Score is the program's evaluation for the side to move, in hundredths of a pawn, or
	// in moves to mate if MateScore; it counts only if Scored.
	Score     int
	MateScore bool
	Scored    bool
	Depth     int
	Nodes     int64
}

// info reads the text after "info". It ignores second and further variations, and words
// that it does not know: programs print many.
func (a *Answer) info(text string) {
	words := strings.Fields(text)
	next := *a
	for i := 0; i < len(words); i++ {
		number := func() (int64, bool) {
			if i+1 >= len(words) {
				return 0, false
			}
			n, err := strconv.ParseInt(words[i+1], 10, 64)
			return n, err == nil
		}
		switch words[i] {
		case "string", "pv":
			i = len(words) // the rest is text
		case "multipv":
			if n, ok := number(); ok && n > 1 {
				return
			}
		case "depth":
			if n, ok := number(); ok && n >= 0 && n < 1e6 {
				next.Depth = int(n)
			}
		case "nodes":
			if n, ok := number(); ok && n >= 0 {
				next.Nodes = n
			}
		case "cp", "mate":
			if n, ok := number(); ok && i > 0 && words[i-1] == "score" && n > -1e6 && n < 1e6 {
				next.Score, next.MateScore, next.Scored = int(n), words[i] == "mate", true
			}
		}
	}
	*a = next
}
