package chess

import (
	"errors"
	"strconv"
	"strings"
)

// Limit is how long a player that searches may think. All zero but one, or but
// Clock and Increment.
type Limit struct {
	Nodes, Depth     int64 // nodes, plies
	MoveTime         int64 // milliseconds a move
	Clock, Increment int64 // milliseconds a game, and added with each move
}

// LimitForms says what a limit looks like.
const LimitForms = "nodes:N, depth:N, movetime:MILLISECONDS or clock:SECONDS+SECONDS"

// ParseLimit reads "nodes:1000", "depth:4", "movetime:100" or "clock:10+0.1".
func ParseLimit(text string) (Limit, error) {
	var l Limit
	form, number, _ := strings.Cut(text, ":")
	bad := errors.New(LimitForms)
	if form == "clock" {
		base, more, _ := strings.Cut(number, "+")
		if more == "" {
			more = "0"
		}
		seconds, err := strconv.ParseFloat(base, 64)
		increment, err2 := strconv.ParseFloat(more, 64)
		if err != nil || err2 != nil || !(seconds > 0 && seconds <= 86400 && increment >= 0 && increment <= 3600) {
			return l, bad
		}
		l.Clock, l.Increment = max(1, int64(seconds*1000+0.5)), int64(increment*1000+0.5)
		return l, nil
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > 1e15 {
		return l, bad
	}
	switch form {
	case "nodes":
		l.Nodes = n
	case "depth":
		l.Depth = n
	case "movetime":
		l.MoveTime = n
	default:
		return l, bad
	}
	return l, nil
}

// String is the limit as ParseLimit reads it.
func (l Limit) String() string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	seconds := func(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }
	switch {
	case l.Nodes > 0:
		return "nodes:" + number(l.Nodes)
	case l.Depth > 0:
		return "depth:" + number(l.Depth)
	case l.MoveTime > 0:
		return "movetime:" + number(l.MoveTime)
	}
	return "clock:" + seconds(l.Clock) + "+" + seconds(l.Increment)
}

// Exact tells whether a player without chance searches the same under the limit
// on every machine, however busy.
func (l Limit) Exact() bool { return l.Nodes > 0 || l.Depth > 0 }
