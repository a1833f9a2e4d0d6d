package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// crossings finds the arrangements of two parallel ships across and two down of which each
// meets both of the other direction. Only for these is the closed form of four ships wrong: it
// counts each of them as -1. Such an arrangement is a rectangle; its corners are squares that a
// ship across and a ship down share.
//
// For every two squares of a line at some distance it finds how many of these
// arrangements a placement of each ship through both adds. For neighbours that
// goes into the gradient of the edge between them, else into cross.
func (z *kernel) crossings() {
	// ships longer than a distance, a bit each
	var longer [battleship.MaxSide + 1]uint8
	for i := range 4 {
		for d := range int(z.length[i]) {
			longer[d] |= 1 << i
		}
	}
	z.reach = 0
	for d := 1; d < battleship.MaxSide && bits.OnesCount8(longer[d]) >= 2; d++ {
		z.reach = d
	}
	for o := range z.planes {
		p := &z.planes[o]
		for d := 1; d <= z.reach; d++ {
			clear(p.cross[d][:z.squares])
			if d == 1 {
				copy(p.across[1][:z.squares], p.edge[:z.squares])
				continue
			}
			// a placement through squares 0 and d-1 reaches square d unless it
			// ends at d-1
			mask := uint64(0)
			for i := range 4 {
				if longer[d-1]>>i&1 != 0 {
					mask |= lane << (16 * i)
				}
			}
			for s := range z.squares - d {
				p.across[d][s] = p.across[d-1][s] - p.end[s+d-1]&mask
			}
		}
	}
	for d := 1; d <= z.reach; d++ {
		for e := 1; e <= z.reach; e++ {
			a, b := bits.OnesCount8(longer[d]), bits.OnesCount8(longer[e])
			if min(a, b) >= 2 && max(a, b) == 4 {
				z.rectangles(d, e)
			}
		}
	}
	if z.reach == 0 {
		return
	}
	for o := range z.planes {
		p := &z.planes[o]
		for s := range z.squares {
			if c := p.cross[1][s]; c != 0 {
				g := &p.gradEdge[s]
				g[0] -= c&lane + c>>16&lane<<32
				g[1] -= c>>32&lane + c>>48<<32
			}
		}
	}
}

// rectangles adds those with corners d columns and e rows apart.
func (z *kernel) rectangles(d, e int) {
	a, b := &z.planes[0], &z.planes[1]
	across, down := &a.across[d], &b.across[e]
	for row := range z.height - e {
		for column := range z.width - d {
			top := uint8(row*z.width + column)
			bottom := top + uint8(e*z.width)
			left := uint8(column*z.height + row)
			right := left + uint8(d*z.height)
			t, b, l, r := across[top], across[bottom], down[left], down[right]
			if t == 0 || b == 0 || l == 0 || r == 0 {
				continue
			}
			z.rectangle(t, b, l, r, &a.cross[d][top], &a.cross[d][bottom], &z.planes[1].cross[e][left], &z.planes[1].cross[e][right])
		}
	}
}

// rectangle adds, for each side of a rectangle and each ship, the ways to put the three others
// on the other sides. These are the permanents left when a row and a column are struck from the
// table of the ships' placements on each side.
func (z *kernel) rectangle(t, b, l, r uint64, gt, gb, gl, gr *uint64) {
	if z.alike {
		rectangleAlike(t, b, l, r, gt, gb, gl, gr)
		return
	}
	t1, t2, t3, t4 := t&lane, t>>16&lane, t>>32&lane, t>>48
	b1, b2, b3, b4 := b&lane, b>>16&lane, b>>32&lane, b>>48
	l1, l2, l3, l4 := l&lane, l>>16&lane, l>>32&lane, l>>48
	r1, r2, r3, r4 := r&lane, r>>16&lane, r>>32&lane, r>>48
	// ways to put two ships on top and bottom, or left and right
	a12, a13, a14 := t1*b2+t2*b1, t1*b3+t3*b1, t1*b4+t4*b1
	a23, a24, a34 := t2*b3+t3*b2, t2*b4+t4*b2, t3*b4+t4*b3
	d12, d13, d14 := l1*r2+l2*r1, l1*r3+l3*r1, l1*r4+l4*r1
	d23, d24, d34 := l2*r3+l3*r2, l2*r4+l4*r2, l3*r4+l4*r3
	// lanes by one ship of the ways for the pair without it and another
	x1, x2 := d34<<16|d24<<32|d23<<48, d34|d14<<32|d13<<48
	x3, x4 := d24|d14<<16|d12<<48, d23|d13<<16|d12<<32
	*gt += b1*x1 + b2*x2 + b3*x3 + b4*x4
	*gb += t1*x1 + t2*x2 + t3*x3 + t4*x4
	x1, x2 = a34<<16|a24<<32|a23<<48, a34|a14<<32|a13<<48
	x3, x4 = a24|a14<<16|a12<<48, a23|a13<<16|a12<<32
	*gl += r1*x1 + r2*x2 + r3*x3 + r4*x4
	*gr += l1*x1 + l2*x2 + l3*x3 + l4*x4
}

// rectangleAlike does what rectangle does, for ships 3 and 4 that are alike; it leaves out
// what ship 4 adds.
func rectangleAlike(t, b, l, r uint64, gt, gb, gl, gr *uint64) {
	t1, t2, t3 := t&lane, t>>16&lane, t>>32&lane
	b1, b2, b3 := b&lane, b>>16&lane, b>>32&lane
	l1, l2, l3 := l&lane, l>>16&lane, l>>32&lane
	r1, r2, r3 := r&lane, r>>16&lane, r>>32&lane
	a12, a13, a23, a34 := t1*b2+t2*b1, t1*b3+t3*b1, t2*b3+t3*b2, 2*t3*b3
	d12, d13, d23, d34 := l1*r2+l2*r1, l1*r3+l3*r1, l2*r3+l3*r2, 2*l3*r3
	x1, x2, x3 := d34<<16|d23<<32, d34|d13<<32, d23<<1|d13<<17|d12<<32
	*gt += b1*x1 + b2*x2 + b3*x3
	*gb += t1*x1 + t2*x2 + t3*x3
	x1, x2, x3 = a34<<16|a23<<32, a34|a13<<32, a23<<1|a13<<17|a12<<32
	*gl += r1*x1 + r2*x2 + r3*x3
	*gr += l1*x1 + l2*x2 + l3*x3
}

// Lanes of a packed word with a count for each ship, or of one with a count
// for each pair of ships.
const (
	lane0 = lane << (16 * iota)
	lane1
	lane2
	lane3
)

// wide is a lane of 21 bits.
const wide = 1<<21 - 1

// three counts three ships. With p fixed, q and r are free to be any two
// placements that miss p, less those that meet each other:
//
//	(Nq - Mq(p)) (Nr - Mr(p)) - Mqr + Vqr(p)
//
// where Vqr(p) is how many meeting pairs meet p: a function on squares and
// edges, V(x) = sum of Mr(q) over q at x + sum of Mq(r) over r at x - nq nr,
// summed over p.
func (z *kernel) three() {
	n := z.squares
	var even, odd [3]uint64
	for o := range z.planes {
		p := &z.planes[o]
		for s := range n {
			p.pairStart[s][0], p.pairEnd[s][0] = 0, 0
		}
		for i := range 3 {
			last := z.length[i] - 1
			list, met := &z.lists[i][o], &z.met[i][o]
			// pairs (1,2), (1,3), (2,3) in lanes 1, 2, 3
			mask, shift := [3]uint64{lane1 | lane2, lane0 | lane2, lane0 | lane1}[i], 16*i
			for q, s := range list.at[:list.n] {
				t := s + last
				m := p.cover.over(s, t)
				met[q] = m
				even[i] += m & (lane0 | lane2)
				odd[i] += m >> 16 & (lane0 | lane2)
				m = m & mask << shift
				p.pairStart[s][0] += m
				p.pairEnd[t][0] += m
			}
		}
		run := uint64(0)
		for s := range n {
			run += p.pairStart[s][0]
			p.pairSquare[s][0] = run
			run -= p.pairEnd[s][0]
			p.pairEdge[s][0] = run
		}
	}
	j12, j13, j23 := int64(odd[0]&0xffffffff), int64(even[0]>>32), int64(even[1]>>32)

	a, d := &z.planes[0], &z.planes[1]
	for s := range n {
		t := z.flip[s]
		v := uint64(0)
		if a.square[s] != 0 {
			v = near3(a.square[s], a.pairSquare[s][0]+d.pairSquare[t][0])
		}
		a.pairSquare[s][0], d.pairSquare[t][0] = v, v
	}
	for o := range z.planes {
		p := &z.planes[o]
		run := uint64(0)
		for s := range n {
			p.near.before[s][0] = run
			run += p.pairSquare[s][0]
			p.near.upto[s][0] = run
			if p.edge[s] != 0 {
				run -= near3(p.edge[s], p.pairEdge[s][0])
			}
		}
	}
	joint := [3]int64{j23, j13, j12}
	for i := range 3 {
		last := z.length[i] - 1
		j, k := [3]int{1, 0, 0}[i], [3]int{2, 2, 1}[i]
		nj, nk, free := z.number[j], z.number[k], joint[i]
		total := int64(0)
		for o := range z.planes {
			p := &z.planes[o]
			list, met, weight := &z.lists[i][o], &z.met[i][o], &z.weight[i][o]
			for q, s := range list.at[:list.n] {
				m := met[q]
				v := (p.near.upto[s+last][0] - p.near.before[s][0]) >> (21 * i) & wide
				w := (nj-int64(m>>(16*j)&lane))*(nk-int64(m>>(16*k)&lane)) - free + int64(v)
				weight[q] = w
				total += w
			}
		}
		z.total = total
	}
}

// near3 returns V of the pairs (2,3), (1,3), (1,2) in wide lanes, from the
// packed counts of the ships and of the pairs at a square or edge.
func near3(n, pairs uint64) uint64 {
	n1, n2, n3 := n&lane, n>>16&lane, n>>32&lane
	v12 := pairs>>16&lane - n1*n2
	v13 := pairs>>32&lane - n1*n3
	v23 := pairs>>48&lane - n2*n3
	return v23 | v13<<21 | v12<<42
}
