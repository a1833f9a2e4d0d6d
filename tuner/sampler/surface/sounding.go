package surface

// sounding is the share of the walk's pairs that are soundings during the first soundUntil of a
// search in which it has most of them.
const sounding, soundUntil = 0.25, 0.06

// climbs tells whether the walk has most of the pairs where there are few games: in
// a space of more than two numbers they say more of which way is up than of where
// the top is.
func (s *Surface) climbs() bool {
	return s.share > 0 && len(s.basis.numbers) > fewNumbers
}

// soundPart returns the share of the walk's pairs that are soundings now: one
// side of a pair meets the baseline. Where all that lies a pair's distance away is equally bad,
// its two sides are alike, and duels between them do not tell that they are too far away.
func soundPart(s *Surface, progress float64) float64 {
	if !s.climbs() || !s.view.Plan.Duels || s.view.Baseline == nil || progress >= soundUntil {
		return 0
	}
	return sounding
}
