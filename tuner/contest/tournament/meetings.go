package tournament

import "sakusen/engines/arena"

// meetings adds up how the different entrants of a pairing fared against each
// other: of every two seats of a game the one with the higher score beat the
// other, equal scores are half a win each.
type meetings struct {
	entrants []int // the different entrants, by index in the file
	place    []int // of each member of the pairing, in entrants
	wins     [][]float64
	// u[i] is the sum over blocks of the wins of entrant i in a block, uu the
	// sums of products.
	u  []float64
	uu [][]float64
	n  *int64 // blocks
}

func newMeetings(p Pairing) meetings {
	m := meetings{n: new(int64)}
	for _, e := range p {
		at := -1
		for i, known := range m.entrants {
			if known == e {
				at = i
			}
		}
		if at < 0 {
			at = len(m.entrants)
			m.entrants = append(m.entrants, e)
		}
		m.place = append(m.place, at)
	}
	k := len(m.entrants)
	m.wins, m.u, m.uu = square(k), make([]float64, k), square(k)
	return m
}

func square(n int) [][]float64 {
	s := make([][]float64, n)
	for i := range s {
		s[i] = make([]float64, n)
	}
	return s
}

func (m meetings) add(r *arena.Run) {
	if len(m.entrants) < 2 {
		return
	}
	block := make([]float64, len(m.entrants))
	for b := range r.Blocks {
		clear(block)
		for rotation := range r.Rotations {
			m.game(r, b, rotation, block)
		}
		*m.n++
		for i, x := range block {
			m.u[i] += x
			for j, y := range block {
				m.uu[i][j] += x * y
			}
		}
	}
}

func (m meetings) game(r *arena.Run, b, rotation int, block []float64) {
	for s := range r.Seats {
		for t := range s {
			i := m.place[Pairing(m.place).member(s, rotation)]
			j := m.place[Pairing(m.place).member(t, rotation)]
			if i == j {
				continue
			}
			won := 0.5
			switch x, y := r.Game(b, rotation, s)[0], r.Game(b, rotation, t)[0]; {
			case x > y:
				won = 1
			case x < y:
				won = 0
			}
			m.wins[i][j] += won
			m.wins[j][i] += 1 - won
			block[i] += won
			block[j] += 1 - won
		}
	}
}

// covariance of the sums u over blocks.
func (m meetings) covariance(i, j int) float64 {
	n := float64(*m.n)
	if n < 2 {
		return 0
	}
	return (m.uu[i][j] - m.u[i]*m.u[j]/n) * n / (n - 1)
}
