package count

// four counts four ships. See the package documentation for the identity.
func (z *kernel) four() {
	z.pairs()
	z.nears()
	z.crossings()
	z.triples()
	z.weigh()
}

// pairs finds, for every square and edge and every pair of ships, the sum of
// the placements of the one that meet each placement of the other there; and
// joint, the number of meeting pairs.
func (z *kernel) pairs() {
	n := z.squares
	var even, odd [4]uint64
	for o := range z.planes {
		p := &z.planes[o]
		clear(p.pairStart[:n])
		clear(p.pairEnd[:n])
		for i := range 4 {
			last := z.length[i] - 1
			list, met := &z.lists[i][o], &z.met[i][o]
			var evens, odds uint64
			for q, s := range list.at[:list.n] {
				t := s + last
				m := p.sum.over(s, t)
				met[q] = m
				evens += m & (lane0 | lane2)
				odds += m >> 16 & (lane0 | lane2)
				// Word 0 has pairs (1,2), (1,3), (1,4) in lanes 1, 2, 3; word 1
				// (3,4), (2,3), (2,4).
				var a, b uint64
				switch i {
				case 0:
					a = m &^ lane0
				case 1:
					a, b = m&lane0<<16, m&(lane2|lane3)
				case 2:
					a, b = m&lane0<<32, m&lane1<<16|m&lane3>>32
				case 3:
					a, b = m&lane0<<48, m&lane1<<32|m&lane2>>16
				}
				start, end := &p.pairStart[s], &p.pairEnd[t]
				start[0] += a
				start[1] += b
				end[0] += a
				end[1] += b
			}
			even[i] += evens
			odd[i] += odds
		}
		a, b := uint64(0), uint64(0)
		for s := range n {
			a += p.pairStart[s][0]
			b += p.pairStart[s][1]
			p.pairSquare[s] = [2]uint64{a, b}
			a -= p.pairEnd[s][0]
			b -= p.pairEnd[s][1]
			p.pairEdge[s] = [2]uint64{a, b}
		}
	}
	for i := range 4 {
		sums := [4]uint64{even[i] & 0xffffffff, odd[i] & 0xffffffff, even[i] >> 32, odd[i] >> 32}
		for j, sum := range sums {
			z.joint[i][j] = int64(sum)
		}
	}
}

// nears turns the sums of pairs into V, the number of meeting pairs that cover
// a square or edge, and starts the gradients with what depends on V and the
// ships at the same place alone.
func (z *kernel) nears() {
	n := z.squares
	a, d := &z.planes[0], &z.planes[1]
	for s := range n {
		t := z.flip[s]
		x, y := a.pairSquare[s], d.pairSquare[t]
		d.pairSquare[t] = [2]uint64{x[0] + y[0], x[1] + y[1]}
		a.pairSquare[s] = d.pairSquare[t]
	}
	for o := range z.planes {
		p := &z.planes[o]
		var run [4]uint64
		for s := range n {
			var sq, ed cell
			if p.square[s] != 0 {
				z.cell(&sq, p.square[s], p.pairSquare[s])
			}
			if p.edge[s] != 0 {
				z.cell(&ed, p.edge[s], p.pairEdge[s])
			}
			p.gradSquare[s], p.gradEdge[s] = sq.grad, ed.grad
			for i := range 4 {
				p.near[i].before[s] = run[i]
				p.near[i].upto[s] = run[i] + sq.near[i]
				run[i] += sq.near[i] - ed.near[i]
			}
		}
	}
}

// A cell is what nears finds at one square or edge: near[i] has V of the pairs
// without ship i, in wide lanes by the second ship left out; grad has lanes of
// 32 bits for ships 1, 2 and 3, 4.
type cell struct {
	near [4]uint64
	grad [2]uint64
}

func (z *kernel) cell(c *cell, n uint64, pairs [2]uint64) {
	n1, n2, n3, n4 := n&lane, n>>16&lane, n>>32&lane, n>>48
	p12, p13, p14 := n1*n2, n1*n3, n1*n4
	p23, p24, p34 := n2*n3, n2*n4, n3*n4
	v12 := pairs[0]>>16&lane - p12
	v13 := pairs[0]>>32&lane - p13
	v14 := pairs[0]>>48 - p14
	v34 := pairs[1]>>16&lane - p34
	v23 := pairs[1]>>32&lane - p23
	v24 := pairs[1]>>48 - p24
	c.near[0] = v34 | v24<<21 | v23<<42
	c.near[1] = v34 | v14<<21 | v13<<42
	c.near[2] = v24 | v14<<21 | v12<<42
	c.near[3] = v23 | v13<<21 | v12<<42
	m1, m2, m3, m4 := uint64(z.number[0]), uint64(z.number[1]), uint64(z.number[2]), uint64(z.number[3])
	g1 := n2*v34 + n3*v24 + n4*v23 - p34*m2 - p24*m3 + p23*(n4-m4)
	g2 := n1*v34 + n3*v14 + n4*v13 - p34*m1 - p14*m3 + p13*(n4-m4)
	g3 := n1*v24 + n2*v14 + n4*v12 - p24*m1 - p14*m2 + p12*(n4-m4)
	g4 := n1*v23 + n2*v13 + n3*v12 - p23*m1 - p13*m2 + p12*(n3-m3)
	c.grad[0] = g1 + g2<<32
	c.grad[1] = g3 + g4<<32
}

// triples takes, from the gradient of each ship, the ways in which the two
// others left can lie when a third one lies here; and keeps in weight the part
// of a placement's weight that does not come from the gradient.
func (z *kernel) triples() {
	n := z.squares
	z.without = [4]uint64{}
	for o := range z.planes {
		p := &z.planes[o]
		// the arrays of pairs are done with and serve for the triples
		clear(p.pairStart[:n])
		clear(p.pairEnd[:n])
		for i := range 4 {
			last := z.length[i] - 1
			list, met, weight := &z.lists[i][o], &z.met[i][o], &z.weight[i][o]
			j, k, l := [4]int{1, 0, 0, 0}[i], [4]int{2, 2, 1, 1}[i], [4]int{3, 3, 3, 2}[i]
			nj, nk, nl := z.number[j], z.number[k], z.number[l]
			jkl, jjl, jjk := z.joint[k][l], z.joint[j][l], z.joint[j][k]
			if i == 3 {
				jkl, jjl, jjk = z.joint[k][l], z.joint[j][l], z.joint[j][k]
			}
			near := &p.near[i]
			for q, s := range list.at[:list.n] {
				t := s + last
				m, v := met[q], near.over(s, t)
				mj, mk, ml := int64(m>>(16*j)&lane), int64(m>>(16*k)&lane), int64(m>>(16*l)&lane)
				vkl, vjl, vjk := int64(v&wide), int64(v>>21&wide), int64(v>>42)
				dj, dk, dl := nj-mj, nk-mk, nl-ml
				djk := dj * dk
				weight[q] = djk*dl + mj*(nk*nl-vkl) + mk*(nj*nl-vjl) + ml*(nj*nk-vjk)
				ykl, yjl, yjk := uint64(dk*dl-jkl+vkl), uint64(dj*dl-jjl+vjl), uint64(djk-jjk+vjk)
				z.without[j] += ykl
				z.without[k] += yjl
				z.without[l] += yjk
				var a, b uint64
				switch i {
				case 0:
					a, b = ykl<<32, yjl|yjk<<32
				case 1:
					a, b = ykl, yjl|yjk<<32
				case 2:
					a, b = ykl|yjl<<32, yjk<<32
				case 3:
					a, b = ykl|yjl<<32, yjk
				}
				start, end := &p.pairStart[s], &p.pairEnd[t]
				start[0] += a
				start[1] += b
				end[0] += a
				end[1] += b
			}
		}
		a, b := uint64(0), uint64(0)
		for s := range n {
			a += p.pairStart[s][0]
			b += p.pairStart[s][1]
			p.pairSquare[s] = [2]uint64{a, b}
			a -= p.pairEnd[s][0]
			b -= p.pairEnd[s][1]
			p.gradEdge[s][0] -= a
			p.gradEdge[s][1] -= b
		}
	}
	a, d := &z.planes[0], &z.planes[1]
	for s := range n {
		t := z.flip[s]
		x, y, g := a.pairSquare[s], d.pairSquare[t], a.gradSquare[s]
		g = [2]uint64{g[0] - x[0] - y[0], g[1] - x[1] - y[1]}
		a.gradSquare[s], d.gradSquare[t] = g, g
	}
	for o := range z.planes {
		p := &z.planes[o]
		r0, r1 := uint64(0), uint64(0)
		for s := range n {
			g, e := p.gradSquare[s], p.gradEdge[s]
			p.grad[0].before[s], p.grad[1].before[s] = r0, r1
			p.grad[0].upto[s], p.grad[1].upto[s] = r0+g[0], r1+g[1]
			r0 += g[0] - e[0]
			r1 += g[1] - e[1]
		}
	}
}

// weigh completes the weights.
func (z *kernel) weigh() {
	for i := range 4 {
		last := z.length[i] - 1
		total := int64(0)
		// each triple was summed from each of its three ships
		j, k, l := [4]int{1, 0, 0, 0}[i], [4]int{2, 2, 1, 1}[i], [4]int{3, 3, 3, 2}[i]
		same := int64(z.without[i])/3 - z.number[j]*z.number[k]*z.number[l]
		for o := range z.planes {
			p := &z.planes[o]
			list, weight, grad := &z.lists[i][o], &z.weight[i][o], &p.grad[i>>1]
			for q, s := range list.at[:list.n] {
				g := int64(grad.over(s, s+last))
				if i&1 == 0 {
					g = int64(int32(g))
				} else {
					g = (g - int64(int32(g))) >> 32
				}
				w := weight[q] + g + same
				for far := 1; far < int(z.length[i]) && far <= z.reach; far++ {
					for x := s; x <= s+last-uint8(far); x++ {
						w += int64(p.cross[far][x] >> (16 * i) & lane)
					}
				}
				weight[q] = w
				total += w
			}
		}
		z.total = total
	}
}
