package count

// four counts four ships. See the package documentation for the identity.
func (z *kernel) four() {
	z.pairs()
	z.nears()
	z.crossings()
	z.triples()
	z.weigh()
}

// pairs finds, for every square and every pair of ships, the sum of the
// placements of the one that meet each placement of the other there; joint,
// the number of meeting pairs; and what follows for edges.
func (z *kernel) pairs() {
	n := z.squares
	var even, odd [4]uint64
	for o := range z.planes {
		p := &z.planes[o]
		clear(p.pairStart[:n])
		clear(p.pairEnd[:n])
		for i := range z.listed() {
			last := z.length[i] - 1
			list := &z.lists[i][o]
			met := z.met[i][o][:list.n]
			var evens, odds uint64
			for q, s := range list.at[:list.n] {
				t := s + last
				m := p.cover.over(s, t)
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
					if z.alike {
						a, b = a|a<<16, b+b&lane1+b&lane2<<16
					}
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
	}
	if z.alike {
		even[3], odd[3] = even[2], odd[2]
	}
	for i := range 4 {
		sums := [4]uint64{even[i] & 0xffffffff, odd[i] & 0xffffffff, even[i] >> 32, odd[i] >> 32}
		for j, sum := range sums {
			z.joint[i][j] = int64(sum)
		}
	}
	for o := range z.planes {
		p := &z.planes[o]
		a, b := uint64(0), uint64(0)
		for s := range n {
			a += p.pairStart[s][0]
			b += p.pairStart[s][1]
			p.pairSquare[s] = [2]uint64{a, b}
			a -= p.pairEnd[s][0]
			b -= p.pairEnd[s][1]
			near, grad := &p.pairEdge[s], &p.gradEdge[s]
			*near, *grad = [2]uint64{}, [2]uint64{}
			if edge := p.edge[s]; edge != 0 {
				z.cell(edge, a, b, near, grad)
			}
		}
	}
}

// nears turns the sums of pairs into V, the number of meeting pairs that cover
// a square.
func (z *kernel) nears() {
	n := z.squares
	a, d := &z.planes[0], &z.planes[1]
	for s := range n {
		t := z.flip[s]
		x, y := &a.pairSquare[s], &d.pairSquare[t]
		near, grad := &a.pairSquare[s], &a.gradSquare[s]
		if square := a.square[s]; square != 0 {
			z.cell(square, x[0]+y[0], x[1]+y[1], near, grad)
		} else {
			*near, *grad = [2]uint64{}, [2]uint64{}
		}
		d.pairSquare[t] = *near
	}
	for o := range z.planes {
		p := &z.planes[o]
		p.near.fill(p.pairSquare[:n], p.pairEdge[:n])
	}
}

// cell finds V at one square or edge and starts the gradients there with what
// depends on V and the ships at the same place alone. Of near the first word
// has V of the pairs (3,4), (2,4), (2,3), the second of (1,2), (1,3), (1,4), in
// wide lanes; grad has lanes of 32 bits for ships 1, 2 and 3, 4.
func (z *kernel) cell(n, a, b uint64, near, grad *[2]uint64) {
	if z.alike {
		z.cellAlike(n, a, b, near, grad)
		return
	}
	n1, n2, n3, n4 := n&lane, n>>16&lane, n>>32&lane, n>>48
	p12, p13, p14 := n1*n2, n1*n3, n1*n4
	p23, p24, p34 := n2*n3, n2*n4, n3*n4
	v12 := a>>16&lane - p12
	v13 := a>>32&lane - p13
	v14 := a>>48 - p14
	v34 := b>>16&lane - p34
	v23 := b>>32&lane - p23
	v24 := b>>48 - p24
	near[0] = v34 | v24<<21 | v23<<42
	near[1] = v12 | v13<<21 | v14<<42
	m1, m2, m3, m4 := uint64(z.number[0]), uint64(z.number[1]), uint64(z.number[2]), uint64(z.number[3])
	g1 := n2*v34 + n3*v24 + n4*v23 - p34*m2 - p24*m3 + p23*(n4-m4)
	g2 := n1*v34 + n3*v14 + n4*v13 - p34*m1 - p14*m3 + p13*(n4-m4)
	g3 := n1*v24 + n2*v14 + n4*v12 - p24*m1 - p14*m2 + p12*(n4-m4)
	g4 := n1*v23 + n2*v13 + n3*v12 - p23*m1 - p13*m2 + p12*(n3-m3)
	grad[0] = g1 + g2<<32
	grad[1] = g3 + g4<<32
}

// cellAlike does what cell does, for ships 3 and 4 that are alike; it leaves out the
// gradient of ship 4.
func (z *kernel) cellAlike(n, a, b uint64, near, grad *[2]uint64) {
	n1, n2, n3 := n&lane, n>>16&lane, n>>32&lane
	p12, p13, p23, p34 := n1*n2, n1*n3, n2*n3, n3*n3
	v12 := a>>16&lane - p12
	v13 := a>>32&lane - p13
	v34 := b>>16&lane - p34
	v23 := b>>32&lane - p23
	near[0] = v34 | v23<<21 | v23<<42
	near[1] = v12 | v13<<21 | v13<<42
	m1, m2, m3 := uint64(z.number[0]), uint64(z.number[1]), uint64(z.number[2])
	g1 := n2*v34 + 2*n3*v23 - p34*m2 + p23*(n3-2*m3)
	g2 := n1*v34 + 2*n3*v13 - p34*m1 + p13*(n3-2*m3)
	g3 := n1*v23 + n2*v13 + n3*v12 - p23*m1 - p13*m2 + p12*(n3-m3)
	grad[0] = g1 + g2<<32
	grad[1] = g3
}

// triples takes, from the gradient of each ship, the ways in which the two others left can lie
// when a third one lies here. It keeps in weight the part of a placement's weight that does not
// come from the gradient.
func (z *kernel) triples() {
	n := z.squares
	z.without = [4]int64{}
	for o := range z.planes {
		p := &z.planes[o]
		// the arrays of pairs are done with and serve for the triples
		clear(p.pairStart[:n])
		clear(p.pairEnd[:n])
		for i := range z.listed() {
			z.triple(p, i, o)
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
		x, y, g := &a.pairSquare[s], &d.pairSquare[t], &a.gradSquare[s]
		g[0] -= x[0] + y[0]
		g[1] -= x[1] + y[1]
		d.gradSquare[t] = *g
	}
	for o := range z.planes {
		p := &z.planes[o]
		p.grad.fill(p.gradSquare[:n], p.gradEdge[:n])
	}
}

// triple does the placements of ship i in one direction.
func (z *kernel) triple(p *plane, i, o int) {
	last := z.length[i] - 1
	list := &z.lists[i][o]
	met, weight := z.met[i][o][:list.n], z.weight[i][o][:list.n]
	j, k, l := [4]int{1, 0, 0, 0}[i], [4]int{2, 2, 1, 1}[i], [4]int{3, 3, 3, 2}[i]
	nj, nk, nl := z.number[j], z.number[k], z.number[l]
	nkl, njl, njk := nk*nl, nj*nl, nj*nk
	jkl, jjl, jjk := z.joint[k][l], z.joint[j][l], z.joint[j][k]
	var tj, tk, tl int64
	for q, s := range list.at[:list.n] {
		t := s + last
		m := met[q]
		u, v := &p.near.before[s], &p.near.upto[t]
		v0, v1 := v[0]-u[0], v[1]-u[1]
		var mj, mk, ml, vkl, vjl, vjk int64
		switch i {
		case 0:
			mj, mk, ml = int64(m>>16&lane), int64(m>>32&lane), int64(m>>48)
			vkl, vjl, vjk = int64(v0&wide), int64(v0>>21&wide), int64(v0>>42)
		case 1:
			mj, mk, ml = int64(m&lane), int64(m>>32&lane), int64(m>>48)
			vkl, vjl, vjk = int64(v0&wide), int64(v1>>42), int64(v1>>21&wide)
		case 2:
			mj, mk, ml = int64(m&lane), int64(m>>16&lane), int64(m>>48)
			vkl, vjl, vjk = int64(v0>>21&wide), int64(v1>>42), int64(v1&wide)
		case 3:
			mj, mk, ml = int64(m&lane), int64(m>>16&lane), int64(m>>32&lane)
			vkl, vjl, vjk = int64(v0>>42), int64(v1>>21&wide), int64(v1&wide)
		}
		dj, dk, dl := nj-mj, nk-mk, nl-ml
		djk := dj * dk
		weight[q] = djk*dl + mj*(nkl-vkl) + mk*(njl-vjl) + ml*(njk-vjk)
		ykl, yjl, yjk := dk*dl-jkl+vkl, dj*dl-jjl+vjl, djk-jjk+vjk
		tj += ykl
		tk += yjl
		tl += yjk
		var a, b uint64
		switch i {
		case 0:
			a, b = uint64(ykl)<<32, uint64(yjl)|uint64(yjk)<<32
		case 1:
			a, b = uint64(ykl), uint64(yjl)|uint64(yjk)<<32
		case 2:
			a, b = uint64(ykl)|uint64(yjl)<<32, uint64(yjk)<<32
			if z.alike {
				a, b = a<<1, uint64(yjk)
			}
		case 3:
			a, b = uint64(ykl)|uint64(yjl)<<32, uint64(yjk)
		}
		start, end := &p.pairStart[s], &p.pairEnd[t]
		start[0] += a
		start[1] += b
		end[0] += a
		end[1] += b
	}
	// arrangements of three ships, summed over the placements of one of them
	switch i {
	case 0:
		z.without[1] += tj
		z.without[2] += tk
		z.without[3] += tl
	case 1:
		z.without[0] += tj
	}
}

// weigh completes the weights.
func (z *kernel) weigh() {
	for i := range z.listed() {
		last := z.length[i] - 1
		total := int64(0)
		j, k, l := [4]int{1, 0, 0, 0}[i], [4]int{2, 2, 1, 1}[i], [4]int{3, 3, 3, 2}[i]
		same := z.without[i] - z.number[j]*z.number[k]*z.number[l]
		for o := range z.planes {
			p := &z.planes[o]
			list := &z.lists[i][o]
			weight := z.weight[i][o][:list.n]
			word := i >> 1
			for q, s := range list.at[:list.n] {
				g := int64(p.grad.upto[s+last][word] - p.grad.before[s][word])
				if i&1 == 0 {
					g = int64(int32(g))
				} else {
					g = (g - int64(int32(g))) >> 32
				}
				w := weight[q] + g + same
				weight[q] = w
				total += w
			}
			for far := 2; far < int(z.length[i]) && far <= z.reach; far++ {
				cross := &p.cross[far]
				for q, s := range list.at[:list.n] {
					w := int64(0)
					for x := s; x <= s+last-uint8(far); x++ {
						w += int64(cross[x] >> (16 * i) & lane)
					}
					weight[q] += w
					total += w
				}
			}
		}
		z.total = total
	}
}
