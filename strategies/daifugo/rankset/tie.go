package rankset

import (
	"math/bits"

	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/greedyout"
	"sakusen/strategies/daifugo/ranking"
)

// Tie rules: what is preferred among the sets of ranks of S(P).
const (
	tieAny   = "any"
	tieMean  = "mean"
	tieBest  = "best"
	tieWorst = "worst"
)

func ties() []string { return []string{tieAny, tieMean, tieBest, tieWorst} }

// What is preferred among moves that the tie rule cannot tell apart, which is
// most of them: in most positions everybody can end anywhere.
const (
	thenFirst  = "first"
	thenGreedy = "greedy"
	thenRandom = "random"
)

func thens() []string { return []string{thenFirst, thenGreedy, thenRandom} }

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

// choose picks one of the kept moves, by index.
func (pl *player) choose(kept []int, p *daifugo.Position, chance *arena.Stream) int {
	least, n := 0, 0
	for _, i := range kept {
		k := pl.key(pl.chooser.Values[i].At(p.Turn(), pl.ranks))
		if n == 0 || k < least {
			least, n = k, 0
		}
		if k == least {
			kept[n] = i
			n++
		}
	}
	switch pl.then {
	case thenRandom:
		return kept[chance.IntN(n)]
	case thenGreedy:
		greedy := greedyout.Move(p, pl.spendBelow)
		for _, i := range kept[:n] {
			if pl.chooser.Moves[i] == greedy {
				return i
			}
		}
	}
	return kept[0]
}
