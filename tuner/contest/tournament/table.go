package tournament

import "sakusen/tuner/stats"

// Crosstable is the share of meetings that the row's entrant won against the
// column's, a shared place counting half: with two seats, its mean score. It is
// undefined on the diagonal and where two have not met.
func (r *Result) Crosstable() [][]stats.Number {
	n := len(r.File.Entrants)
	wins := square(n)
	for _, p := range r.Played {
		for i, a := range p.meetings.entrants {
			for j, b := range p.meetings.entrants {
				wins[a][b] += p.meetings.wins[i][j]
			}
		}
	}
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
	Games, Wins, Draws, Losses int64 // sole firsts, shared firsts, the rest
	Faults                     int64 // illegal moves, mirrors too
	Score                      stats.Number
}

// Totals are the entrants' totals, in their order.
func (r *Result) Totals() []Total {
	totals := make([]Total, len(r.File.Entrants))
	won := make([]float64, len(totals))
	met := make([]float64, len(totals))
	for _, p := range r.Played {
		for i, e := range p.Pairing {
			t, part := &totals[e], &p.Tally.Entrants[i]
			t.Faults += part.Faults
			if p.Mirror() {
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

// Games is the number of games played.
func (r *Result) Games() int64 {
	n := int64(0)
	for _, p := range r.Played {
		n += p.Tally.Games
	}
	return n
}

// Order is an ordering of a pairing: who sits where, and what happened there.
type Order struct {
	Label    string
	Rotation int
	Seats    []int // entrants by index, seat by seat
	Games    int64
}

// Orders are the orderings that a pairing's blocks were played in.
func (r *Result) Orders(p *PlayedPairing) []Order {
	var all []Order
	for rotation := range p.orders() {
		o := Order{Label: r.File.label(p.Pairing, rotation), Rotation: rotation, Games: p.scores.at(rotation, 0).n}
		for seat := range p.Pairing {
			o.Seats = append(o.Seats, p.Pairing[p.member(seat, rotation)])
		}
		all = append(all, o)
	}
	return all
}
