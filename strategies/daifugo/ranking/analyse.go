package ranking

import "sakusen/engines/daifugo"

// Analysis is the value of a position and the moves that may be chosen in it.
type Analysis struct {
	Value Value
	Best  []daifugo.Move // S(P), in the paper's order; none after the end
	// Moves are all legal moves in the paper's order, Values those of the
	// positions that they lead to.
	Moves  []daifugo.Move
	Values []Value
	Nodes  uint64
	Over   bool // the limit was passed: there is no answer
}

// Analyse finds a position's value and its set S(P) of moves that no other
// move of the mover's is clearly better than. It searches every move to the
// end of the game, sharing one table of similar positions; limit is in nodes,
// 0 for none.
func Analyse(p daifugo.Position, limit uint64) Analysis {
	o := Options{Method: PruneTT, Limit: limit, Key: CanonicalKey, Open: true}
	o.fill()
	s := newSearcher(p.Rules(), o)
	s.count(1)
	if p.Over() {
		return Analysis{Value: Ranked(&p), Nodes: s.nodes}
	}
	moves := p.Moves(nil)
	values := make([]Value, len(moves))
	for i, m := range moves {
		child := p
		child.Play(m)
		values[i], _ = s.visit(&child, 2)
		if s.over {
			return Analysis{Nodes: s.nodes, Over: true}
		}
	}
	a := Analysis{Moves: moves, Values: values, Nodes: s.nodes}
	mover := p.Turn()
	for i, v := range values {
		if Kept(values, i, mover, s.rules.Ranks) {
			a.Value |= v
			a.Best = append(a.Best, moves[i])
		}
	}
	return a
}

// Kept tells, straight from equations (5) and (7), whether the i-th child
// belongs to S(P): no other child's set for the mover differs from its own and
// has a worst rank no worse than its best.
func Kept(children []Value, i, mover, ranks int) bool {
	x := children[i].At(mover, ranks)
	for _, c := range children {
		if y := c.At(mover, ranks); y != x && y.Worst() <= x.Best() {
			return false
		}
	}
	return true
}
