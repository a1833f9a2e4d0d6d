package chess

import "sakusen/engines/arena"

// Opening is the index-th opening of our own making: plies random moves from the
// start, drawn again until neither side can win material by force of captures
// within two plies. The same seed, index and number of plies always give the same
// opening.
func Opening(seed, index uint64, plies int) []Move {
	chance := arena.NewStream(seed, index)
	for {
		if moves := drawn(&chance, plies); moves != nil {
			return moves
		}
	}
}

// drawn is an opening of random moves; nil if it ends the game early, leaves a check, or is
// not balanced.
func drawn(chance *arena.Stream, plies int) []Move {
	p := Start()
	moves := make([]Move, plies)
	var buffer [256]Move
	for i := range moves {
		legal := p.Legal(buffer[:0])
		if len(legal) == 0 {
			return nil
		}
		moves[i] = legal[chance.IntN(len(legal))]
		p.Do(moves[i])
	}
	if p.Check() || len(p.Legal(buffer[:0])) == 0 {
		return nil
	}
	if v := look(&p, 2, -mated, mated); v < -balance || v > balance {
		return nil
	}
	return moves
}

const (
	balance = 50 // most advantage of an opening, hundredths of a pawn
	mated   = 100000
)

// values are what pieces are worth in look, hundredths of a pawn.
var values = [...]int{None: 0, Pawn: 100, Knight: 300, Bishop: 300, Rook: 500, Queen: 900, King: 0}

// look is the material that the side to move is ahead after some plies and all captures
// that pay. It is a small alpha-beta search; openings in which a piece can be won are
// refused by it.
func look(p *Position, depth, alpha, beta int) int {
	var buffer [256]Move
	legal := p.Legal(buffer[:0])
	if len(legal) == 0 {
		if p.Check() {
			return -mated
		}
		return 0
	}
	if depth <= 0 {
		v := 0
		for k := Pawn; k <= Queen; k++ {
			v += values[k] * (p.Squares(p.turn, k).Len() - p.Squares(p.turn^1, k).Len())
		}
		if v >= beta {
			return v
		}
		alpha = max(alpha, v)
	}
	for _, m := range legal {
		if depth <= 0 && (p.kind(m.To()) == None || depth < -6) {
			continue
		}
		next := *p
		next.Do(m)
		if v := -look(&next, depth-1, -beta, -alpha); v > alpha {
			if alpha = v; alpha >= beta {
				break
			}
		}
	}
	return alpha
}
