// Ranking finds the possible ranks of every player by searching the
// game tree, in the paper's five ways and counting nodes as the paper counts.
//
// The value of a position is one set of possible ranks per player (Value, a
// Set each). For the player to move a child is dropped when some other child's
// set for that player differs from it and has a worst rank no worse than the
// first one's best. The value is the union, player by player, of what is kept
// (Choice).
//
// Place in the flow: it searches positions of engines/daifugo; the rankset
// player and `paper analyse daifugo` ask it for values, `paper solve daifugo` and the
// experiments run its five methods, and strategies/daifugo, which
// needs no tree, is checked against it.
//
//	p, _ := daifugo.New(daifugo.Rules{Seats: 3, Cards: 3, Ranks: 3})
//	r := Search(p, Options{Method: full, Limit: PaperLimit})
//	fmt.Println(r.Nodes, r.Depth) // 6482 21
//
// Counting. The root is node 1 at depth 1. Every position with a player to move counts,
// pass-only ones included, and so does the terminal one; nothing counts for the skipped
// turn of a player who is out, nor for clearing the table. Depth is the number of nodes on
// the longest path visited.
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", sections 2 to 4, equations (1) to (7).

package daifugo

import (
	"math"
	"slices"

	"sakusen/engines/daifugo"
)

// Result of a search.
type Result struct {
	Value   Value  // possible ranks of every seat; 0 when Over
	Nodes   uint64 // nodes counted; Limit + 1 when Over
	Depth   int    // nodes on the longest path visited
	Over    bool   // the limit was passed, so Value is unknown
	Entries int    // entries in the transposition table at the end
}

// Search runs one method on a position to the end of the game. The options
// must be valid.
func Search(p daifugo.Position, o Options) Result {
	o.fill()
	s := newSearcher(p.Rules(), o)
	v, known := s.run(&p)
	r := Result{Nodes: s.nodes, Depth: s.depth, Over: s.over}
	if known && !s.over {
		r.Value = v
	}
	if s.table != nil {
		r.Entries = s.table.used
	}
	return r
}

// searcher is the state of one search.
type searcher struct {
	Options
	rules     daifugo.Rules
	table     *table // nil without
	nodes     uint64
	limit     uint64
	depth     int                     // longest path so far, in nodes
	threshold int                     // depth at which the present iteration ends, in nodes
	over      bool                    // the limit was passed: unwind
	first     [daifugo.MaxSeats]Value // by mover: the value at which prune stops
	guess     guessed                 // of a Chooser; nil in a search
}

func newSearcher(r daifugo.Rules, o Options) *searcher {
	s := &searcher{Options: o, rules: r, limit: o.Limit, threshold: math.MaxInt}
	if s.limit == 0 {
		s.limit = math.MaxUint64
	}
	for i := range s.rules.Seats {
		s.first[i] = firstMove(i, s.rules)
	}
	if o.Method.Remembers() {
		s.table = newTable(o.Bits, o.Probes, o.Replace, 1<<(s.rules.Seats*s.rules.Cards)-1)
		s.table.hash = multiplier(o.Hash)
	}
	return s
}

// restart forgets the search before, its table included.
func (s *searcher) restart() {
	s.nodes, s.depth, s.over = 0, 0, false
	clear(s.table.slots)
	s.table.used = 0
}

// run searches to the end: at once, or threshold by threshold until the root
// is known.
func (s *searcher) run(p *daifugo.Position) (Value, bool) {
	if !s.Method.deepens() {
		if s.Method == full {
			return s.full(p, 1), true
		}
		return s.visit(p, 1)
	}
	for s.threshold = s.Step; ; s.threshold += s.Step {
		if v, known := s.visit(p, 1); known || s.over {
			return v, known
		}
	}
}

// count enters a node, and tells whether there is budget for it.
func (s *searcher) count(depth int) bool {
	s.nodes++
	if s.nodes > s.limit {
		s.over = true
		return false
	}
	if depth > s.depth {
		s.depth = depth
	}
	return true
}

// full visits every node. It is a function of its own for speed: the plain tree is where
// nodes per second are measured.
func (s *searcher) full(p *daifugo.Position, depth int) Value {
	if !s.count(depth) {
		return 0
	}
	if p.Over() {
		return ranked(p)
	}
	mover := p.Turn()
	choice := newChoice()
	var moves [daifugo.MaxCards + 1]daifugo.Move
	var child daifugo.Position // outside the loop, or it would be moved to the heap
	for _, m := range s.moves(p, moves[:0]) {
		child = *p
		child.Play(m)
		v := s.full(&child, depth+1)
		if s.over {
			return 0
		}
		choice.Add(v, v.at(mover, s.rules.Ranks))
	}
	return choice.value()
}

// visit searches one node; the value is known unless the threshold was met.
// The paper takes an unknown entry only if more plies were searched than are
// wanted now; a Chooser, which has no counts to reproduce, if as many were.
// With Interior, what is returned for an unknown node holds its value.
func (s *searcher) visit(p *daifugo.Position, depth int) (Value, bool) {
	if !s.count(depth) {
		return 0, false
	}
	ranked := ranked(p)
	if p.Over() {
		return ranked, true
	}
	var at place
	if s.table != nil {
		at = s.place(p)
		if e := s.table.get(at.key); e != nil {
			if e.plies == rankingSolved {
				return s.recall(p, at, e.value) | ranked, true
			}
			if wanted := s.threshold - depth; int(e.plies) > wanted || int(e.plies) == wanted && s.guess != nil {
				return s.recall(p, at, e.value) | ranked, false
			}
		}
	}
	// After the probe: a value found in an earlier iteration settles a node
	// at the threshold too, and the printed counts need it.
	if depth == s.threshold {
		return s.unknown(p), false
	}
	v, known := s.expand(p, depth)
	if s.over {
		return 0, false
	}
	if s.table != nil {
		e := slot{key: at.key, value: s.keep(p, at, v&^ranked), plies: rankingSolved}
		if !known {
			e.plies = int16(s.threshold - depth)
		}
		s.table.put(e)
	}
	return v, known
}

// unknown returns what is said of a node at the threshold.
func (s *searcher) unknown(p *daifugo.Position) Value {
	switch {
	case s.guess != nil:
		return s.guess(p)
	case s.Interior:
		return everything(p)
	}
	return 0
}

// expand searches the children of a node.
func (s *searcher) expand(p *daifugo.Position, depth int) (Value, bool) {
	mover := p.Turn()
	first := s.settled(p, mover)
	choice, guessed := newChoice(), newChoice()
	known := true
	var family family
	var moves [daifugo.MaxCards + 1]daifugo.Move
	var child daifugo.Position // outside the loop, or it would be moved to the heap
	for _, m := range s.moves(p, moves[:0]) {
		child = *p
		child.Play(m)
		v, ok := s.visit(&child, depth+1)
		if s.over {
			return 0, false
		}
		if s.Interior {
			family.add(v, v.at(mover, s.rules.Ranks), ok)
		}
		if s.guess != nil {
			guessed.Add(v, v.at(mover, s.rules.Ranks))
		}
		if !ok {
			known = false
			continue
		}
		choice.Add(v, v.at(mover, s.rules.Ranks))
		if choice.settled(first) {
			return first, true
		}
	}
	if known {
		return choice.value(), true
	}
	if s.guess != nil {
		return guessed.value(), false
	}
	if s.Interior {
		if v, open := family.rest(); open {
			return v, false
		}
		return choice.value(), true
	}
	return 0, false
}

// settled returns the value at which the node's search stops; 0, which no child
// has, where it may not.
func (s *searcher) settled(p *daifugo.Position, mover int) Value {
	if p.Out() == 0 {
		return s.first[mover]
	}
	if !s.Open {
		return 0
	}
	r := s.rules
	v := ranked(p).With(mover, p.Out()+1, r.Ranks)
	below := Value(1)<<r.Ranks - 2<<p.Out()
	for i := range r.Seats {
		if i != mover && p.Rank(i) == 0 {
			v |= below << (i * r.Ranks)
		}
	}
	return v
}

// moves appends the legal moves to dst in the order of the options.
func (s *searcher) moves(p *daifugo.Position, dst []daifugo.Move) []daifugo.Move {
	if s.Order == passFirst && p.MayPass() {
		dst = append(dst, daifugo.Pass)
		for h := p.Playable(); h != 0; h &= h - 1 {
			dst = append(dst, daifugo.Move(h.Lowest()))
		}
		return dst
	}
	dst = p.Moves(dst)
	if s.Order == descending {
		cards := dst
		if p.MayPass() {
			cards = dst[:len(dst)-1]
		}
		slices.Reverse(cards)
	}
	return dst
}
