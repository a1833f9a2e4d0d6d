package contest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

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
		at := slices.Index(m.entrants, e)
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

// covariance returns the covariance of the sums u over blocks.
func (m meetings) covariance(i, j int) float64 {
	n := float64(*m.n)
	if n < 2 {
		return 0
	}
	return (m.uu[i][j] - m.u[i]*m.u[j]/n) * n / (n - 1)
}

// Ratings are strengths in Elo relative to the first entrant.
type Ratings struct {
	Elo []stats.Number
	CI  []stats.Interval // 95 %, of the difference from the first; its own is undefined
	// Reason says who has no rating, and why.
	Reason string
}

// wins returns how often each entrant won against each other one, in all pairings.
func (r *TournamentResult) wins() [][]float64 {
	wins := square(len(r.File.Entrants))
	for _, p := range r.Played {
		for i, a := range p.meetings.entrants {
			for j, b := range p.meetings.entrants {
				wins[a][b] += p.meetings.wins[i][j]
			}
		}
	}
	return wins
}

// Ratings fits all meetings together.
func (r *TournamentResult) Ratings() (Ratings, error) {
	n := len(r.File.Entrants)
	out := Ratings{Elo: make([]stats.Number, n), CI: make([]stats.Interval, n)}
	if n < 2 {
		return out, nil
	}
	wins := r.wins()
	fit, err := stats.BradleyTerry(wins)
	if err != nil {
		return out, err
	}
	out.Reason = fit.Reason
	variance := r.variance(fit, wins)
	for i, a := range fit.Ability {
		if !a.Defined {
			continue
		}
		elo := stats.EloPerAbility * a.Value
		out.Elo[i] = stats.Known(elo)
		if se := stats.EloPerAbility * math.Sqrt(variance[i]); i > 0 && r.Blocks > 1 && !math.IsNaN(se) && !math.IsInf(se, 0) {
			out.CI[i] = stats.Normal(elo, se).CI95
		}
	}
	return out, nil
}

// variance returns that of each ability, NaN where it has none: the diagonal of
// H^-1 G H^-1 over the entrants that are linked, without the first.
func (r *TournamentResult) variance(fit stats.Abilities, wins [][]float64) []float64 {
	var linked []int
	index := make([]int, len(wins)) // place in linked, or -1
	out := make([]float64, len(wins))
	for i := range wins {
		index[i], out[i] = -1, math.NaN()
		if i > 0 && fit.Ability[i].Defined {
			index[i] = len(linked)
			linked = append(linked, i)
		}
	}
	if len(linked) == 0 {
		return out
	}
	h, g := mat.NewSymDense(len(linked), nil), mat.NewSymDense(len(linked), nil)
	add := func(m *mat.SymDense, a, b int, x float64) { m.SetSym(a, b, m.At(a, b)+x) }
	for a, i := range linked {
		for j := range wins {
			games := wins[i][j] + wins[j][i]
			if j == i || games == 0 || !fit.Ability[j].Defined {
				continue
			}
			p := 1 / (1 + math.Exp(fit.Ability[j].Value-fit.Ability[i].Value))
			add(h, a, a, games*p*(1-p))
			if b := index[j]; b > a {
				add(h, a, b, -games*p*(1-p))
			}
		}
	}
	for _, p := range r.Played {
		growth := p.repeats.growth()
		for i, x := range p.meetings.entrants {
			for j, y := range p.meetings.entrants {
				if a, b := index[x], index[y]; a >= 0 && b >= a {
					// One block, however often it was repeated, has no known variance.
					add(g, a, b, p.meetings.covariance(i, j)*growth*growth)
				}
			}
		}
	}
	var factor mat.Cholesky
	var inverse mat.SymDense
	if !factor.Factorize(h) || factor.InverseTo(&inverse) != nil {
		return out
	}
	for a, i := range linked {
		row := mat.NewVecDense(len(linked), mat.Row(nil, a, &inverse))
		out[i] = max(mat.Inner(row, g, row), 0)
	}
	return out
}

// Crosstable returns the share of meetings that the row's entrant won against the
// column's, a shared place counting half: with two seats, its mean score. It is
// undefined on the diagonal and where two have not met.
func (r *TournamentResult) Crosstable() [][]stats.Number {
	n := len(r.File.Entrants)
	wins := r.wins()
	table := make([][]stats.Number, n)
	for i := range table {
		table[i] = make([]stats.Number, n)
		for j := range table[i] {
			if met := wins[i][j] + wins[j][i]; met > 0 {
				table[i][j] = stats.Known(wins[i][j] / met)
			}
		}
	}
	return table
}

// Total is what an entrant did against the others; mirrors do not count.
type Total struct {
	Games, Wins, Draws, Losses int64             // sole firsts, shared firsts, the rest
	Faults                     entry.FaultCounts // mirrors too
	Score                      stats.Number
}

// Totals returns the entrants' totals, in their order.
func (r *TournamentResult) Totals() []Total {
	totals := make([]Total, len(r.File.Entrants))
	won := make([]float64, len(totals))
	met := make([]float64, len(totals))
	for _, p := range r.Played {
		for i, e := range p.Pairing {
			t, part := &totals[e], &p.Tally.Entrants[i]
			t.Faults.Add(entry.EntrantFaults(r.File.Ruleset, part))
			if p.mirror() {
				continue
			}
			t.Wins += part.Wins
			t.Draws += part.Draws
			t.Losses += part.Losses
			t.Games += part.Wins + part.Draws + part.Losses
		}
		for i, a := range p.meetings.entrants {
			for j := range p.meetings.entrants {
				won[a] += p.meetings.wins[i][j]
				met[a] += p.meetings.wins[i][j] + p.meetings.wins[j][i]
			}
		}
	}
	for i := range totals {
		totals[i].Score = stats.Known(won[i] / met[i])
	}
	return totals
}

// Games returns the number of games played.
func (r *TournamentResult) Games() int64 {
	n := int64(0)
	for _, p := range r.Played {
		n += p.Tally.Games
	}
	return n
}

// Order is an ordering of a pairing: who sits where, and what happened there.
type Order struct {
	Label string
	Seats []int // entrants by index, seat by seat
	Games int64
}

// Orders returns the orderings that a pairing's blocks were played in.
func (r *TournamentResult) Orders(p *PlayedPairing) []Order {
	var all []Order
	for rotation := range p.orders() {
		o := Order{Label: r.File.label(p.Pairing, rotation), Games: p.scores.at(rotation, 0).n}
		for seat := range p.Pairing {
			o.Seats = append(o.Seats, p.Pairing[p.member(seat, rotation)])
		}
		all = append(all, o)
	}
	return all
}
