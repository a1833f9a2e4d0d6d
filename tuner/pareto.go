package tuner

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// fronts sorts points into fronts: the first holds those that no other is better
// than, or as good as and better in one; the second those of the rest; and so
// on. More is better in every coordinate, and there are no NaNs. It gives the
// number of each point's front, from 0.
// Source: X. Zhang, Y. Tian, R. Cheng, Y. Jin, "An efficient approach to
// nondominated sorting" (2015): points sorted by their coordinates can only be
// dominated by those before them.
func fronts(points [][]float64) []int {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return slices.Compare(points[order[i]], points[order[j]]) > 0 })
	var members [][]int
	at := make([]int, len(points))
	for _, p := range order {
		// If a front dominates a point, so does every front before it.
		f := sort.Search(len(members), func(f int) bool { return !anyDominates(points, members[f], p) })
		if f == len(members) {
			members = append(members, nil)
		}
		members[f] = append(members[f], p)
		at[p] = f
	}
	return at
}

// anyDominates reports whether one of a front's points dominates p, which comes after them in
// the order of coordinates. With two coordinates it is enough to look at the last point,
// which has the largest second one.
func anyDominates(points [][]float64, front []int, p int) bool {
	if len(points[p]) == 2 {
		return dominates(points[front[len(front)-1]], points[p])
	}
	for _, q := range slices.Backward(front) {
		if dominates(points[q], points[p]) {
			return true
		}
	}
	return false
}

// dominates reports whether a is nowhere worse than b and somewhere better.
func dominates(a, b []float64) bool {
	better := false
	for i := range a {
		if a[i] < b[i] {
			return false
		}
		better = better || a[i] > b[i]
	}
	return better
}

// crowding returns how far apart a point's neighbours on its front are, summed over
// the coordinates in units of their range; infinite at the ends. Source: K. Deb
// et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II" (2002).
func crowding(points [][]float64, front []int) []float64 {
	out := make([]float64, len(front))
	if len(front) == 0 {
		return out
	}
	order := make([]int, len(front))
	for k := range points[front[0]] {
		for i := range order {
			order[i] = i
		}
		value := func(i int) float64 { return points[front[order[i]]][k] }
		sort.SliceStable(order, func(i, j int) bool { return points[front[order[i]]][k] < points[front[order[j]]][k] })
		span := value(len(order)-1) - value(0)
		if !(span > 0) {
			continue
		}
		out[order[0]], out[order[len(order)-1]] = math.Inf(1), math.Inf(1)
		for i := 1; i < len(order)-1; i++ {
			out[order[i]] += (value(i+1) - value(i-1)) / span
		}
	}
	return out
}

// Places returns each estimate's place, from 0, in the order of several objectives:
// feasible ones first, then by front, on a front the less crowded first, then the earlier.
func (s *Spec) Places(all []*Estimate) []int {
	points, levels := make([][]float64, len(all)), make([]int, len(all))
	for i, e := range all {
		points[i] = s.Merits(e)
	}
	room := make([]float64, len(all))
	for _, feasible := range []bool{true, false} {
		var at []int
		var some [][]float64
		for i, e := range all {
			if e.Feasible == feasible {
				at, some = append(at, i), append(some, points[i])
			}
		}
		byFront := map[int][]int{}
		for i, f := range fronts(some) {
			byFront[f] = append(byFront[f], at[i])
			levels[at[i]] = f
			if !feasible {
				levels[at[i]] += len(all)
			}
		}
		for _, members := range byFront {
			for i, c := range crowding(points, members) {
				room[members[i]] = c
			}
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(levels[i], levels[j]), cmp.Compare(room[j], room[i]))
	})
	out := make([]int, len(all))
	for place, i := range order {
		out[i] = place
	}
	return out
}

// Merits returns a trial's values, more being better; undefined ones are the worst.
func (s *Spec) Merits(e *Estimate) []float64 {
	goals := s.Objective.Goals()
	out := make([]float64, len(e.Goals))
	for i, m := range e.Goals {
		out[i] = m.Value
		if !goals[i].Maximize() {
			out[i] = -out[i]
		}
		if math.IsNaN(out[i]) {
			out[i] = -math.MaxFloat64
		}
	}
	return out
}

// Front returns the indexes, ascending, of the feasible estimates that no other feasible one
// dominates.
func (s *Spec) Front(all []*Estimate) []int {
	var at []int
	var points [][]float64
	for i, e := range all {
		if e.Feasible && !slices.ContainsFunc(e.Goals, func(m entry.Mean) bool { return math.IsNaN(m.Value) }) {
			at, points = append(at, i), append(points, s.Merits(e))
		}
	}
	var out []int
	for i, f := range fronts(points) {
		if f == 0 {
			out = append(out, at[i])
		}
	}
	return out
}

// Choose returns the point of a front that is validated, by index; -1 where it is
// empty. With weights it is the largest weighted sum, and else the knee: the
// point nearest to the best that each objective reaches alone, of those that
// may pass (KneeOfGains). Every objective counts in units of its range on the
// points to choose from. Ties go to the earlier one.
func (s *Setup) Choose(all []*Estimate) int {
	front := s.Front(all)
	if gains := s.gains(all, front); len(gains) > 0 {
		front = gains
	}
	if len(front) == 0 {
		return -1
	}
	points := make([][]float64, len(front))
	for i, at := range front {
		points[i] = s.Merits(all[at])
	}
	low, high := slices.Clone(points[0]), slices.Clone(points[0])
	for _, p := range points {
		for k, x := range p {
			low[k], high[k] = min(low[k], x), max(high[k], x)
		}
	}
	best, chosen := math.Inf(-1), 0
	for i, p := range points {
		merit := 0.0
		for k, x := range p {
			short := 0.0 // of the best, in units of the range
			if high[k] > low[k] {
				short = (high[k] - x) / (high[k] - low[k])
			}
			if s.Objective.Weights != nil {
				merit -= float64(s.Objective.Weights[k] * short)
			} else {
				merit -= float64(short * short)
			}
		}
		if merit > best {
			best, chosen = merit, i
		}
	}
	return front[chosen]
}

// gains returns those of a front whose proved objective lies beyond what a validation asks for
// by at least its standard error; none where that is not known. A corner of the front that
// plays like the baseline is none of them.
func (s *Setup) gains(all []*Estimate, front []int) []int {
	proved := s.Proved()
	if s.Objective.Knee != KneeOfGains || len(s.Pool) > 0 || proved.Of != "score" && !proved.Relative {
		return nil
	}
	var out []int
	for _, at := range front {
		m := all[at].Goals[s.ProvedAt()]
		beyond := m.Value - 1 // of a ratio to the baseline
		if proved.Of == "score" {
			beyond = m.Value - stats.Score(s.Validation.Elo[0], s.Ruleset.Seats)
		} else if !proved.Maximize() {
			beyond = -beyond
		}
		if beyond > 0 && !(beyond < m.Error) {
			out = append(out, at)
		}
	}
	return out
}

// Rank sorts trials from the best: feasible before infeasible, defined means
// before undefined ones, more rungs passed before fewer, then the better mean,
// then the lower number. It does not go by blocks: a trial that was proposed
// again has more of them and is no better.
func (s *Spec) Rank(trials []*Trial) {
	up := s.Maximize()
	place := map[*Trial]int{} // of several objectives
	if s.Pareto() {
		for i, p := range s.Places(Estimates(trials)) {
			place[trials[i]] = p
		}
	}
	sort.SliceStable(trials, func(i, j int) bool {
		a, b := trials[i], trials[j]
		switch {
		case a.Estimate.Feasible != b.Estimate.Feasible:
			return a.Estimate.Feasible
		case math.IsNaN(a.Estimate.Value) != math.IsNaN(b.Estimate.Value):
			return math.IsNaN(b.Estimate.Value)
		case a.Rung != b.Rung:
			return a.Rung > b.Rung
		case s.Pareto():
			return place[a] < place[b]
		case a.Estimate.Value != b.Estimate.Value && !math.IsNaN(a.Estimate.Value):
			return (a.Estimate.Value > b.Estimate.Value) == up
		}
		return a.Number < b.Number
	})
}

// GoalValue is one of several objectives with a candidate's value.
type GoalValue struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"`
	Error *float64 `json:"standard_error"`
}

// FrontPoint is a candidate that no other is better than, or as good as and
// better in one, by what the final measured of those that were in it, and by what the
// search saw of the others.
type FrontPoint struct {
	Trial  int               `json:"trial"`
	Params map[string]string `json:"params"`
	Values []GoalValue       `json:"values"`
	// Final are the values on the final's seeds, if the point was in the final.
	Final []GoalValue `json:"final,omitempty"`
	// Chosen marks the one that was validated.
	Chosen bool `json:"chosen,omitempty"`
}

// Measured returns the values by which the point is on the front: the final's where it was in
// the final.
func (p *FrontPoint) Measured() []GoalValue {
	if p.Final != nil {
		return p.Final
	}
	return p.Values
}
