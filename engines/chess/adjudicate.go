package chess

// adjudicate.go ends games that both sides have judged, by rules that are off
// unless asked for. It counts moves of a side in a row; a move without a score
// begins the count anew.

// history is for how many of its last moves, in a row, a side thought what.
type history struct {
	losing, winning, even int
}

// note counts one more move of a side.
func (h *history) note(r *Rules, reply *Reply, quiet bool) {
	count := func(n *int, holds bool) {
		if *n++; !holds || !reply.Scored {
			*n = 0
		}
	}
	count(&h.losing, r.resign > 0 && reply.Score <= -r.resign)
	count(&h.winning, r.resign > 0 && reply.Score >= r.resign)
	count(&h.even, r.draw > 0 && reply.Score <= r.draw && reply.Score >= -r.draw && quiet)
}

// adjudicate looks at the game after a move of a side. A side resigns only when it
// is to move, so that the loser is always who is to move: what it thought of its
// last moves, and what the other side thought of the move just made.
func (ref *referee) adjudicate(moved Color, reply *Reply) Ending {
	r := ref.rules
	quiet := ref.line.now.quiet > 0
	ref.history[moved].note(r, reply, quiet)
	if !quiet {
		ref.history[moved^1].even = 0
	}
	loser := &ref.history[moved^1]
	if r.resign > 0 && loser.losing >= r.resignMoves && (!r.resignBoth || ref.history[moved].winning >= r.resignMoves) {
		return Resigned
	}
	if r.draw > 0 && ref.line.now.number >= r.drawFrom && ref.history[0].even >= r.drawMoves && ref.history[1].even >= r.drawMoves {
		return Agreed
	}
	if len(ref.line.moves) >= r.mostPlies {
		return TooLong
	}
	return Open
}
