package rankset

import (
	"math/bits"

	"sakusen/engines/arena"
	"sakusen/strategies/daifugo/ranking"
)

// Tie rules.
const (
	tieFirst  = "first"
	tieRandom = "random"
	tieMean   = "mean"
	tieBest   = "best"
	tieWorst  = "worst"
)

func ties() []string { return []string{tieFirst, tieRandom, tieMean, tieBest, tieWorst} }

// unit makes the mean of up to eight ranks an integer.
const unit = 840

// key is what the tie rule minimises over the mover's set.
func (pl *player) key(s ranking.Set) int {
	switch pl.tie {
	case tieMean:
		sum := 0
		for t := s; t != 0; t &= t - 1 {
			sum += t.Best()
		}
		return sum * unit / bits.OnesCount8(uint8(s))
	case tieBest:
		return s.Best()*unit + s.Worst()
	case tieWorst:
		return s.Worst()*unit + s.Best()
	}
	return 0
}

// choose picks one of the kept moves, by index. Moves that the rule cannot
// tell apart are drawn from the seat's stream, but for tieFirst.
func (pl *player) choose(kept []int, seat int, chance *arena.Stream) int {
	if pl.tie == tieFirst {
		return kept[0]
	}
	least, n := 0, 0
	for _, i := range kept {
		k := pl.key(pl.chooser.Values[i].At(seat, pl.ranks))
		if n == 0 || k < least {
			least, n = k, 0
		}
		if k == least {
			kept[n] = i
			n++
		}
	}
	return kept[chance.IntN(n)]
}
