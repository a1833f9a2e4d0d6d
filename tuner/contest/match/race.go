package match

import "sakusen/tuner/stats"

// allPairs is the estimate from all pairs of lengths, nil where there is none.
func (m *Match) allPairs() *stats.Pairs {
	if m.repeated() > 0 {
		return nil
	}
	if p := stats.AllPairs(m.race.Lengths()); p.Score.Defined && m.Test == nil {
		return &p
	}
	return nil
}
