package chess

// adjudicate.go ends games by what both players think of them; these rules are off by
// default. It counts consecutive moves of a side; a move without a score restarts the
// count.

// history counts, for one side, its latest consecutive moves with a losing, a winning and
// an even score.
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

// adjudicate may end the game after a move. A side resigns only when it is to move, so the
// loser is always the side to move: its last moves had losing scores, and with resignBoth
// those of the other side winning ones.
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
