package calc

import (
	"fmt"

	"sakusen/tuner/stats"
)

// bradleyTerry fits abilities to wins of rows against columns.
type bradleyTerry struct{ wins [][]real }

func (b *bradleyTerry) fields() []field { return []field{{"wins", &b.wins, true}} }

func (b *bradleyTerry) answer() (any, error) {
	if len(b.wins) > maxPlayers {
		return nil, fmt.Errorf("wins: expected at most %d rows, got %d", maxPlayers, len(b.wins))
	}
	a, err := stats.BradleyTerry(table(b.wins))
	if err != nil {
		return nil, err
	}
	return abilities(a), nil
}

// maxPlayers keeps one line from taking the machine: fits are cubic.
const maxPlayers = 500

// plackettLuce fits abilities to rankings, best first; behind has for each
// ranking the players that share the places after it.
type plackettLuce struct {
	players  integer
	rankings [][]integer
	behind   [][]integer
}

func (p *plackettLuce) fields() []field {
	return []field{{"players", &p.players, true}, {"rankings", &p.rankings, true}, {"behind", &p.behind, false}}
}

func (p *plackettLuce) answer() (any, error) {
	if p.players > maxPlayers {
		return nil, fmt.Errorf("players: expected at most %d, got %d", maxPlayers, p.players)
	}
	if p.behind != nil && len(p.behind) != len(p.rankings) {
		return nil, fmt.Errorf("behind: expected %d lists as in rankings, got %d", len(p.rankings), len(p.behind))
	}
	games := make([]stats.Ranking, len(p.rankings))
	for i, order := range p.rankings {
		games[i].Order = players(order)
		if p.behind != nil {
			games[i].Behind = players(p.behind[i])
		}
	}
	a, err := stats.PlackettLuce(int(p.players), games)
	if err != nil {
		return nil, err
	}
	return abilities(a), nil
}

func players(list []integer) []int {
	out := make([]int, len(list))
	for i, p := range list {
		out[i] = int(p)
	}
	return out
}

func abilities(a stats.Abilities) any {
	return struct {
		Ability []stats.Number `json:"ability"`
		SE      []stats.Number `json:"se"`
		Reason  string         `json:"reason,omitempty"`
	}{a.Ability, a.SE, a.Reason}
}
