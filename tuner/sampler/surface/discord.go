package surface

// surely is by how much, in natural logarithms, the evidence must be larger with what is seen
// against the baseline alone than nearly without it, when only games against the baseline
// count for a search.
const surely = 1

// mostValues is the most parameter sets of a space in up to two numbers whose search plays
// the baseline alone.
const mostValues = 10_000

// fewNumbers is the most numbers in which a model needs no help to find the way up.
const fewNumbers = 2

// discordOf is how clear a fit makes it, 0 to 1, that what beats the baseline is another
// thing than what beats other candidates: the evidence of all games for a height of its own
// against the baseline, over the whole box, against next to none.
func discordOf(s *Surface, f *fitted) float64 {
	b := s.basis
	if !b.apart {
		return 0
	}
	none := f.belief.scales
	none.own = leastScale
	p, ok := b.solve(f.moments, none)
	if !ok {
		return 0
	}
	// Few games do not tell it from a hill that is no parabola.
	return clamp((f.belief.proof-p.proof)/surely, 0, 1) * s.rich()
}

// alone tells whether all games of a search in duels are against the baseline, and none are
// the walk's: on a grid of up to two numbers a model needs no help to find the way up, and
// what a duel between candidates tells more of a difference it may tell less of the gain.
func alone(s *Surface) bool {
	v := s.view
	if !v.Plan.Duels || v.Baseline == nil || v.Seats == 0 ||
		len(s.basis.numbers) > fewNumbers || len(s.basis.choices) > 0 {
		return false
	}
	members := 1
	for i := range s.space {
		n := s.space[i].Points()
		if n == 0 || n > mostValues {
			return false
		}
		members *= n
	}
	return members <= mostValues
}
