package match

import (
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Two builds of one program often play the same games, which say nothing to a
// sequential test however many there are. But they say that a block with other
// games is rare, and one block gains or loses at most half a point.

// alikeEnough is how many blocks, all of them with the same game in every rotation,
// show that the first entrant is not weaker by as much as Elo0: were it, so many
// such blocks in a row would have a chance of alpha at most. 0 where no number of
// them does.
//
// Source: a score that is d below one half needs at least 2d of the blocks to differ,
// and n blocks without any then have the chance (1-2d)^n.
func alikeEnough(t *stats.Test) int64 {
	if t.Model != stats.Logistic || t.Elo0 >= 0 {
		return 0
	}
	differ := 2 * (0.5 - 1/(1+math.Pow(10, -t.Elo0/400)))
	return int64(math.Ceil(math.Log(t.Alpha) / math.Log1p(-differ)))
}

// playAlike looks at the blocks of a run, and tells whether all
// blocks until now had one game in all rotations and there are enough of them.
func (m *Match) playAlike(r *arena.Run) bool {
	for b := range r.Blocks {
		games := r.Digests[b*r.Rotations : (b+1)*r.Rotations]
		for _, d := range games {
			if d != games[0] {
				m.differ = true
			}
		}
	}
	enough := alikeEnough(m.Test)
	return m.StopAlike && !m.differ && enough > 0 && m.Tally.Blocks >= enough
}

// endAlike is the verdict on entrants that play alike.
func (m *Match) endAlike() {
	m.Look.Verdict = stats.H1
	m.Look.Reason = fmt.Sprintf("both played the same games in all %d blocks, which has a chance below %g if the first is weaker by %g Elo", m.Tally.Blocks, m.Test.Alpha, -m.Test.Elo0)
}
