package ranking

import "sakusen/engines/daifugo"

// place is where a position is kept in the table.
type place struct {
	key   uint64
	ranks int // rank kinds left to give, for CanonicalKey; 0 for PaperKey
}

func (s *searcher) place(p *daifugo.Position) place {
	if s.Key == PaperKey {
		return place{key: p.Key()}
	}
	c := p.Canonical()
	return place{key: c.Key(s.rules.Cards), ranks: s.rules.Ranks - p.Out()}
}

// keep is the value as the table stores it: without the ranked seats, and with
// CanonicalKey in the numbering that all positions of the key share.
func (s *searcher) keep(p *daifugo.Position, at place, v Value) Value {
	if at.ranks == 0 {
		return v
	}
	return lower(p, v, at.ranks)
}

// recall is the inverse of keep.
func (s *searcher) recall(p *daifugo.Position, at place, v Value) Value {
	if at.ranks == 0 {
		return v
	}
	return Lift(p, v, at.ranks)
}
