package stats

import (
	"fmt"
	"slices"
)

// Ranking is the outcome of one game among several players.
type Ranking struct {
	// Order lists players from the first place down.
	Order []int
	// Behind lists the others who took part, all behind Order and in no order
	// among themselves: a game that only has a winner is one player in Order
	// and the rest Behind.
	Behind []int
	// Weight counts the game several times; 0 counts as 1.
	Weight float64
}

// PlackettLuce fits abilities to rankings: each place goes to one of the
// players still left with a chance in proportion to exp(ability). With two
// players a game it is [BradleyTerry].
// Source: R. D. Luce (1959); R. L. Plackett (1975); D. R. Hunter (2004),
// section 5.
func PlackettLuce(players int, rankings []Ranking) (Abilities, error) {
	if players < 2 {
		return Abilities{}, fmt.Errorf("players: expected at least 2, got %d", players)
	}
	fit := newFit(players)
	for g, r := range rankings {
		weight := r.Weight
		if weight == 0 {
			weight = 1
		}
		if !(weight > 0 && weight <= float64(maxCount)) {
			return Abilities{}, fmt.Errorf("rankings: expected a weight in (0, 2^53] in ranking %d, got %v", g, weight)
		}
		field := slices.Concat(r.Order, r.Behind)
		seen := make([]bool, players)
		for _, p := range field {
			if p < 0 || p >= players {
				return Abilities{}, fmt.Errorf("rankings: expected players in [0, %d] in ranking %d, got %d", players-1, g, p)
			}
			if seen[p] {
				return Abilities{}, fmt.Errorf("rankings: expected each player once in ranking %d, got %d twice", g, p)
			}
			seen[p] = true
		}
		for place, winner := range r.Order {
			if len(field)-place > 1 {
				fit.add(choice{winner: winner, field: field[place:], weight: weight})
			}
		}
	}
	return fit.solve(), nil
}
