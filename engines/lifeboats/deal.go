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
	draw := *chance // in registers
	for i := n - 1; i > 0; i-- {
		j := draw.IntN(i + 1)
		seats[i], seats[j] = seats[j], seats[i]
	}
	*chance = draw
	for b := range p.Boats {
		p.Steps[b] = Distance
		p.Afloat = p.Afloat.With(b)
		// A boat is counted in a register, a byte for each player and one for the
		// empty seats.
		var crew uint64
		for _, q := range seats[b*Seats : b*Seats+Seats] {
			crew += 1 << uint(8*q&63)
		}
		p.Aboard[b] = uint8(Seats - crew>>(8*nobody))
		for q := range players {
			c := uint8(crew >> uint(8*q&63))
			p.Crew[b][q] = float64(c)
			if c > 0 {
				p.Parties[b]++
			}
		}
	}
	for q := range players {
		p.At[Distance][q] = Crew
	}
	p.Fleet[Distance] = uint8(p.Boats)
}
