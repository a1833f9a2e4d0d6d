package daifugo

import (
	"fmt"

	"sakusen/engines/daifugo"
)

// edge is one child of a position, in the paper's order of moves.
type edge struct {
	to    int32 // index of the child, or over
	value Value // of the child, in its parent's numbering of seats and ranks
}

// over is the edge to the end of the game.
const over = -1

// node is a canonical position: a game of its own, with the mover in seat 0.
type node struct {
	first uint32 // its edges are first..last-1
	last  uint32
	cut   uint32 // prune visits the edges first..cut-1
	value Value  // in its own numbering
	seats uint8  // unfinished seats
	ranks uint8  // rank kinds left to give
}

// graph is the canonical positions reachable from one, with values. The game
// has no cycles, so the exact size of a search tree is a sum over the graph,
// and needs no walk over the tree.
type graph struct {
	rules daifugo.Rules
	root  daifugo.Position
	nodes []node // children before parents
	edges []edge
	index index
}

// graphBytes is the memory in bytes of one canonical position: a node, about three edges
// (measured: 1.5 to 2.8), an index entry at most half full, the counts, and what is left
// over while these grow.
const graphBytes = 160

// graphEstimate is an upper bound on the memory in bytes of the graph of the
// opening of these rules, for numbers of 128 bits. It counts every canonical
// position, reachable or not: 2.3 times too many for 3 players and 6 kinds.
func graphEstimate(r daifugo.Rules) uint64 {
	sum := 0.0
	for seats := r.Seats - r.Ranks + 2; seats <= r.Seats; seats++ {
		// With a card on the table, the passes left before it clears; all of the
		// unfinished seats pass only when somebody is out.
		passes := min(seats, r.Seats-1)
		hands := 1.0
		for kinds := 1; kinds <= r.Cards; kinds++ {
			hands = float64(hands * float64(uint64(1)<<seats-1))
			sum += float64(hands * float64(1+passes*(kinds+1)))
		}
	}
	if sum*graphBytes > 1<<62 {
		return 1 << 62
	}
	return uint64(sum * graphBytes)
}

// NewGraph visits everything reachable from a position that is not over.
// limit, where it is positive, is the most canonical positions to visit; more
// are an error.
func NewGraph(p daifugo.Position, limit int) (*graph, error) {
	g := &graph{rules: p.Rules(), root: p, index: newIndex()}
	c := p.Canonical()
	b := builder{graph: g, limit: limit}
	b.visit(c, g.rules.Ranks-p.Out())
	if b.full {
		return nil, fmt.Errorf("daifugo: positions: more than the limit of %d positions are reachable", limit)
	}
	return g, nil
}

// positions is the number of canonical positions, ends of the game excluded.
func (g *graph) positions() int { return len(g.nodes) }

// value of the position the graph was made from.
func (g *graph) value() Value {
	return lift(&g.root, g.nodes[len(g.nodes)-1].value, g.rules.Ranks-g.root.Out()) | ranked(&g.root)
}

// builder is the walk that makes a graph.
type builder struct {
	*graph
	limit int
	full  bool
}

// visit returns the index of a position, which it makes if need be.
func (b *builder) visit(c daifugo.Canonical, ranks int) int32 {
	key := c.Key(b.rules.Cards)
	if at, ok := b.index.get(key); ok {
		return at
	}
	p := c.Position(ranks)
	rules := p.Rules()
	first := firstMove(0, rules)
	choice := newChoice()
	var buffer [daifugo.MaxCards + 1]daifugo.Move
	var children [daifugo.MaxCards + 1]edge
	moves := p.Moves(buffer[:0])
	cut := 0
	for i, m := range moves {
		child := p
		child.Play(m)
		e := edge{to: over, value: ranked(&child)}
		if !child.Over() {
			left := ranks - child.Out()
			e.to = b.visit(child.Canonical(), left)
			if b.full {
				return 0
			}
			e.value |= lift(&child, b.nodes[e.to].value, left)
		}
		choice.Add(e.value, e.value.at(0, ranks))
		children[i] = e
		// The paper's cut asks for rank 1 itself: nobody is out yet.
		if cut == 0 && ranks == b.rules.Ranks && choice.settled(first) {
			cut = i + 1
		}
	}
	if cut == 0 {
		cut = len(moves)
	}
	if b.limit > 0 && len(b.nodes) >= b.limit {
		b.full = true
		return 0
	}
	start := uint32(len(b.edges))
	b.edges = append(b.edges, children[:len(moves)]...)
	at := int32(len(b.nodes))
	b.nodes = append(b.nodes, node{
		first: start, last: uint32(len(b.edges)), cut: start + uint32(cut),
		value: choice.value(), seats: c.Seats, ranks: uint8(ranks),
	})
	b.index.put(key, at)
	return at
}
