package scene

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
)

// playouts is the number of games that are played on at random from each position.
const playouts = 200

// chances are the shares of games played on at random in which each seat is the first to
// be out. The standard error of a share is at most 0.035. The same position always has the
// same ones.
func chances(p daifugo.Position, seats int) []float64 {
	out := make([]float64, seats)
	draw := arena.NewStream(p.Key(), 0)
	var moves []daifugo.Move
	for range playouts {
		q := p
		for !q.Over() && q.Out() == 0 { // who is out first has won
			moves = q.Moves(moves[:0])
			q.Play(moves[draw.IntN(len(moves))])
		}
		for seat := range out {
			if q.Rank(seat) == 1 {
				out[seat] += 1.0 / playouts
			}
		}
	}
	for seat := range out {
		out[seat] = min(1, out[seat])
	}
	return out
}
