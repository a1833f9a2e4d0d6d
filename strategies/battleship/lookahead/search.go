package lookahead

import (
	"math/bits"

	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/checkerboard"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/random"
)

const (
	maxShots = 4
	maxKept  = 32
)

// search is the target of LA.
type search struct {
	counter     *count.Counter
	shots, kept int
	levels      [maxShots]level
}

// level is one step of the sequence being looked at.
type level struct {
	squares [maxKept]battleship.Square
	counts  [maxKept]count.Number
	n       int
}

// Best implements mp.Target: the first squares of the best sequences. Two
// squares can be shot at in either order, so most sequences are tied; of them
// those count that begin with the greatest hit probability.
func (s *search) Best(v *battleship.View, hunt *checkerboard.Hunt) battleship.Set {
	if s.shots == 1 {
		s.count(v, battleship.Set{})
		best, _ := s.counter.Best()
		return best
	}
	first := s.follow(v, hunt, battleship.Set{}, 0)
	var best battleship.Set
	var least, most count.Number
	for i, at := range first.squares[:first.n] {
		left, sure := s.fewest(v, hunt, battleship.SetOf(at), 1), first.counts[i]
		better := left.Cmp(least)
		if better == 0 {
			better = most.Cmp(sure)
		}
		switch {
		case best.Empty() || better < 0:
			best, least, most = battleship.SetOf(at), left, sure
		case better == 0:
			best.Add(at)
		}
	}
	return best
}

// fewest is the number of placements that the best continuation of a sequence
// of misses leaves, found by following the best squares at each step.
func (s *search) fewest(v *battleship.View, hunt *checkerboard.Hunt, missed battleship.Set, step int) count.Number {
	if step == s.shots-1 {
		s.count(v, missed)
		_, most := s.counter.Best()
		return minus(s.counter.Total(), most)
	}
	l := s.follow(v, hunt, missed, step)
	least := s.counter.Total() // and 0 where the misses are impossible
	for _, at := range l.squares[:l.n] {
		with := missed
		with.Add(at)
		if left := s.fewest(v, hunt, with, step+1); left.Cmp(least) < 0 {
			least = left
		}
	}
	return least
}

// count counts the placements if shots at the missed squares miss.
func (s *search) count(v *battleship.View, missed battleship.Set) {
	s.counter.CountMissing(v.Knowledge, missed)
	n := s.counter.Total()
	v.Visit(n.Hi, n.Lo)
}

// follow finds the squares to follow after a sequence of misses: those with
// the greatest counts, the last of equal ones by the order of the hunt.
func (s *search) follow(v *battleship.View, hunt *checkerboard.Hunt, missed battleship.Set, step int) *level {
	s.count(v, missed)
	l := &s.levels[step]
	l.n = 0
	for rest := v.Unknown().AndNot(missed); l.n < s.kept && !rest.Empty(); {
		var best battleship.Set
		var most count.Number
		for at := range rest.All() {
			switch n := s.counter.At(at); n.Cmp(most) {
			case 1:
				best, most = battleship.SetOf(at), n
			case 0:
				best.Add(at)
			}
		}
		if most.IsZero() {
			break
		}
		rest = rest.AndNot(best)
		for l.n < s.kept && !best.Empty() {
			at := best.First()
			if best.Len() > s.kept-l.n {
				at = random.Draw(hunt.First(v, best), &v.Chance)
			}
			best.Remove(at)
			l.squares[l.n], l.counts[l.n] = at, most
			l.n++
		}
	}
	return l
}

func minus(a, b count.Number) count.Number {
	low, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	high, _ := bits.Sub64(a.Hi, b.Hi, borrow)
	return count.Number{Hi: high, Lo: low}
}
