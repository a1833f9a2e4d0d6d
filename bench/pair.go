package bench

import "golang.org/x/perf/benchfmt"

// pair is a series with the values of both sides; a side that lacks it has none.
type pair struct {
	series   Series
	exact    bool
	old, new []float64
}

// match pairs the series of two runs, in the order of the old one, and then lists the new
// ones. Exact metrics are compared across machine classes, so the number of processors at
// the end of their names is ignored.
func match(old, new *Run, units benchfmt.UnitMetadataMap) []pair {
	taken := map[Series]bool{}
	loose := looseNames(new, units)
	looseOld := looseNames(old, units)
	var pairs []pair
	for _, s := range old.Order {
		p := pair{series: s, exact: exact(s.Unit, units), old: old.Values[s]}
		if values, ok := new.Values[s]; ok {
			p.new, taken[s] = values, true
		} else if p.exact && len(looseOld[s.loose()]) == 1 {
			if there := loose[s.loose()]; len(there) == 1 && !taken[there[0]] {
				if _, own := old.Values[there[0]]; !own {
					p.new, taken[there[0]] = new.Values[there[0]], true
				}
			}
		}
		pairs = append(pairs, p)
	}
	for _, s := range new.Order {
		if !taken[s] {
			pairs = append(pairs, pair{series: s, exact: exact(s.Unit, units), new: new.Values[s]})
		}
	}
	return pairs
}

// loose is the identity of an exact series on any machine.
func (s Series) loose() Series {
	s.Machine, s.Name = "", procless(s.Name)
	return s
}

// looseNames lists the exact series of a run by their loose identity.
func looseNames(r *Run, units benchfmt.UnitMetadataMap) map[Series][]Series {
	m := map[Series][]Series{}
	for _, s := range r.Order {
		if exact(s.Unit, units) {
			m[s.loose()] = append(m[s.loose()], s)
		}
	}
	return m
}
