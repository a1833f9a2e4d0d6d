package daifugo

import (
	"fmt"
	"math/big"
	"math/bits"

	"sakusen/engines/daifugo"
)

// count is the exact size of a search tree.
type count struct {
	Nodes *big.Int
	Depth int // nodes on the longest path visited
}

// Count is the size of the tree that full, prune or prune+id would search from
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

// number is the i-th of a row of numbers.
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

// cut is the value at which prune stops, in the position's own numbering, and
// whether it may: the paper's cut asks for rank 1 itself, so nobody is out yet.
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

// known is the least number of plies left with which each position's value is
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

// settled is the least number of plies, at most most, with which the children
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
