package count

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
