package bench

import (
	"slices"
	"strings"
)

// Benchmarks returns the benchmarks of the run, each once, sorted: package and name, with a blank between.
func (r *Run) Benchmarks() []string {
	var all []string
	for _, s := range r.Order {
		all = append(all, s.Pkg+" "+s.Name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Shared returns how many benchmarks the run has, and how many of them another run has.
func (r *Run) Shared(other *Run) (all, shared int) {
	own, others := r.Benchmarks(), other.Benchmarks()
	for _, b := range own {
		if _, has := slices.BinarySearch(others, b); has {
			shared++
		}
	}
	return len(own), shared
}

// Joined returns complete runs of one commit as one, if the first is of a selection: with those of its
// machine class that have other benchmarks.
func Joined(first *Run, others ...*Run) *Run {
	joined, class := first, first.Machine()
	if !first.Selected || slices.ContainsFunc(first.Order, func(s Series) bool { return s.Machine != class }) {
		return first
	}
	body := func(r *Run) string {
		return strings.TrimSuffix(strings.TrimRight(r.Raw, "\r\n"), EndOfSelection)
	}
	for _, r := range others {
		if all, shared := r.Shared(joined); shared == all || r.Machine() != class {
			continue
		}
		both, err := Read(strings.NewReader(body(joined)+"\n"+body(r)+"\n"+EndOfSelection+"\n"), first.Name+" and others", ReadOptions{Machine: class})
		if err == nil && len(both.Incomplete()) == 0 {
			joined = both
		}
	}
	return joined
}

// Baseline returns the index of the run that r is compared with, of runs from the nearest to the
// farthest ancestor: the nearest of those in which the most of the benchmarks of r have a pair. Pairs
// of exact metrics count if only these are compared, whatever the number of processors.
func (r *Run) Baseline(runs []*Run, exact bool) int {
	best, most := 0, -1
	for i, old := range runs {
		units, _ := mergeUnits(old, r)
		paired := map[Series]bool{}
		for _, p := range match(old, r, units) {
			if _, same := r.Values[p.series]; len(p.old) > 0 && (same || exact && len(p.new) > 0) {
				paired[p.series.benchmark()] = true
			}
		}
		if len(paired) > most {
			best, most = i, len(paired)
		}
	}
	return best
}
