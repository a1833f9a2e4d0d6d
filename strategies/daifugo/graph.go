package daifugo

import (
	"fmt"
	"math/big"
	"math/bits"

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

// graphEstimate returns an upper bound on the memory in bytes of the graph of the
// opening of these rules, for numbers of 128 bits. It counts every canonical
// position, reachable or not: 2.3 times too many for 3 players and 6 kinds.
func graphEstimate(r daifugo.Rules) uint64 {
	sum := 0.0
	for seats := r.Seats - r.Ranks + 2; seats <= r.Seats; seats++ {
		// With a card on the table, the passes left before it clears; all of the
		// unfinished seats pass only when a player is out.
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

// positions returns the number of canonical positions, ends of the game excluded.
func (g *graph) positions() int { return len(g.nodes) }

// value returns the value of the position from which the graph was made.
func (g *graph) value() Value {
	return lift(&g.root, g.nodes[len(g.nodes)-1].value, g.rules.Ranks-g.root.Out()) | ranked(&g.root)
}

// builder makes a graph.
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
		// The paper's cut asks for rank 1 itself: no player is out yet.
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

// count is the exact size of a search tree.
type count struct {
	Nodes *big.Int
	Depth int // nodes on the longest path visited
}

// Count returns the size of the tree that full, prune or prune+id would search from
// the graph's position, without a limit.
func (g *graph) Count(m Method) (count, error) {
	if m.Remembers() {
		return count{}, fmt.Errorf("method: expected full, prune or prune+id for an exact count, got %q: its nodes depend on the table", m)
	}
	for limbs := 1; ; limbs *= 2 {
		t := &tally{graph: g, limbs: limbs}
		var c count
		switch m {
		case full:
			c = t.tree(func(n *node) uint32 { return n.last })
		case prune:
			c = t.tree(func(n *node) uint32 { return n.cut })
		case pruneID:
			c = t.deepening()
		default:
			return count{}, fmt.Errorf("method: expected full, prune or prune+id, got %q", m)
		}
		if !t.overflow {
			return c, nil
		}
	}
}

// tally is one attempt at a count, in numbers of limbs words each.
type tally struct {
	*graph
	limbs    int
	overflow bool // the numbers were too small: try again with twice the words
}

// number returns the i-th of a row of numbers.
func (t *tally) number(row []uint64, i int) []uint64 {
	return row[i*t.limbs : (i+1)*t.limbs]
}

// add adds b to a.
func (t *tally) add(a, b []uint64) {
	var carry uint64
	for i := range a {
		a[i], carry = bits.Add64(a[i], b[i], carry)
	}
	if carry != 0 {
		t.overflow = true
	}
}

// one adds 1 to a.
func (t *tally) one(a []uint64) {
	for i := range a {
		if a[i]++; a[i] != 0 {
			return
		}
	}
	t.overflow = true
}

func (t *tally) big(a []uint64) *big.Int {
	n := new(big.Int)
	for i := len(a) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(a[i]))
	}
	return n
}

// tree counts the nodes of a tree that visits the edges before end of every
// position.
func (t *tally) tree(end func(n *node) uint32) count {
	row := make([]uint64, len(t.nodes)*t.limbs)
	depth := make([]int32, len(t.nodes))
	for i := range t.nodes {
		n := &t.nodes[i]
		sum := t.number(row, i)
		for _, e := range t.edges[n.first:end(n)] {
			below := int32(1)
			if e.to == over {
				t.one(sum)
			} else {
				t.add(sum, t.number(row, int(e.to)))
				below = depth[e.to]
			}
			depth[i] = max(depth[i], below)
		}
		t.one(sum)
		depth[i]++
	}
	root := len(t.nodes) - 1
	return count{Nodes: t.big(t.number(row, root)), Depth: int(depth[root])}
}

// deepening adds up the iterations of prune+id. With r plies left a position's
// tree depends on its children's trees with r-1 plies left alone, so two rows
// of numbers do: one for r, one for r-1.
func (t *tally) deepening() count {
	known := t.known()
	root := len(t.nodes) - 1
	rows := [2][]uint64{make([]uint64, len(t.nodes)*t.limbs), make([]uint64, len(t.nodes)*t.limbs)}
	depths := [2][]int32{make([]int32, len(t.nodes)), make([]int32, len(t.nodes))}
	sum := make([]uint64, t.limbs)
	c := count{}
	for r := 0; ; r++ {
		row, depth := rows[r%2], depths[r%2]
		t.plies(r, known, row, depth, rows[1-r%2], depths[1-r%2])
		if r%2 == 0 {
			continue // thresholds are even: the root has an odd number of plies left
		}
		t.add(sum, t.number(row, root))
		c.Depth = max(c.Depth, int(depth[root]))
		if int(known[root]) <= r {
			c.Nodes = t.big(sum)
			return c
		}
	}
}

// cut returns the value at which prune stops, in the position's own numbering, and
// whether it may: the paper's cut asks for rank 1 itself, so no player is out yet.
func (t *tally) cut(n *node) (first Value, may bool) {
	r := daifugo.Rules{Seats: int(n.seats), Ranks: int(n.ranks)}
	return firstMove(0, r), r.Ranks == t.rules.Ranks
}

// plies counts every position's tree with r plies left, given those with r-1.
func (t *tally) plies(r int, known []int32, row []uint64, depth []int32, before []uint64, beforeDepth []int32) {
	for i := range t.nodes {
		n := &t.nodes[i]
		sum := t.number(row, i)
		clear(sum)
		t.one(sum)
		depth[i] = 1
		if r == 0 {
			continue
		}
		first, cuts := t.cut(n)
		var firsts Value
		for _, e := range t.edges[n.first:n.last] {
			if e.to == over {
				t.one(sum)
				depth[i] = max(depth[i], 2)
			} else {
				t.add(sum, t.number(before, int(e.to)))
				depth[i] = max(depth[i], 1+beforeDepth[e.to])
				if int(known[e.to]) > r-1 {
					continue
				}
			}
			if cuts && e.value.at(0, int(n.ranks)) == 1 {
				if firsts |= e.value; firsts == first {
					break
				}
			}
		}
	}
}

// known returns the least number of plies left with which each position's value is
// found: when all children are known, or when those that are settle it, which
// takes children with the mover first and nothing else.
func (t *tally) known() []int32 {
	known := make([]int32, len(t.nodes))
	for i := range t.nodes {
		n := &t.nodes[i]
		edges := t.edges[n.first:n.last]
		all := int32(0)
		for _, e := range edges {
			if e.to != over {
				all = max(all, known[e.to])
			}
		}
		known[i] = 1 + t.settled(n, edges, known, all)
	}
	return known
}

// settled returns the least number of plies, at most most, with which the children
// known by then settle the position.
func (t *tally) settled(n *node, edges []edge, known []int32, most int32) int32 {
	first, cuts := t.cut(n)
	for cuts {
		// Lower most as long as the children known strictly earlier do.
		var firsts Value
		next := int32(-1)
		for _, e := range edges {
			plies := int32(0)
			if e.to != over {
				plies = known[e.to]
			}
			if plies < most && e.value.at(0, int(n.ranks)) == 1 {
				firsts |= e.value
				next = max(next, plies)
			}
		}
		if firsts != first {
			return most
		}
		most = next
	}
	return most
}
