package lifeboats

import "sakusen/engines/arena"

// nobody marks an empty seat of a deal.
const nobody = MaxPlayers

// Deal puts all crew on boats, uniformly at random over all seats; there are
// 6 - players empty ones. The position is before the first leak.
func Deal(players int, chance *arena.Stream) Position {
	var p Position
	p.deal(players, chance)
	return p
}

func (p *Position) deal(players int, chance *arena.Stream) {
	*p = Position{Players: players, Boats: players + 1}
	var seats [MaxBoats * Seats]uint8
	n := p.Boats * Seats
	for i := range n {
		seats[i] = nobody
	}
	for i := range players * Crew {
		seats[i] = uint8(i / Crew)
	}
	for i := n - 1; i > 0; i-- {
		j := chance.IntN(i + 1)
		seats[i], seats[j] = seats[j], seats[i]
	}
	for b := range p.Boats {
		p.Steps[b] = Distance
		p.Afloat = p.Afloat.With(b)
		for _, q := range seats[b*Seats : (b+1)*Seats] {
			if q == nobody {
				continue
			}
			if p.Crew[b][q] == 0 {
				p.Parties[b]++
			}
			p.Crew[b][q]++
			p.Aboard[b]++
		}
	}
	for q := range players {
		p.At[Distance][q] = Crew
	}
	p.Fleet[Distance] = uint8(p.Boats)
}
