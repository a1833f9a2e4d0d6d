package count

// spread turns the sums by place into counts of the squares not shot.
func (y *tally) spread(c *Counter) {
	n := c.board.Squares()
	var across, down uint64
	for s := range n {
		across += y.start[0][s]
		y.low[s] = across
		across -= y.end[0][s]
	}
	for t := range n {
		s := c.flop[t]
		down += y.start[1][t]
		y.low[s] += down
		down -= y.end[1][t]
	}
	if y.big {
		y.spreadBig(c)
	}
	for rest := c.board.All().AndNot(c.unshot); !rest.Empty(); {
		s := rest.Pop()
		y.low[s], y.high[s] = 0, 0
	}
}

func (y *tally) spreadBig(c *Counter) {
	n := c.board.Squares()
	clear(y.low[:n])
	clear(y.high[:n])
	for o := range 2 {
		var run Number
		for t := range n {
			s := t
			if o == 1 {
				s = int(c.flop[t])
			}
			run = run.plus(Number{y.startHigh[o][t], y.start[o][t]})
			sum := run.plus(Number{y.high[s], y.low[s]})
			y.low[s], y.high[s] = sum.Lo, sum.Hi
			run = run.plus(Number{y.endHigh[o][t], y.end[o][t]}.mul(signed(-1)))
		}
	}
}
