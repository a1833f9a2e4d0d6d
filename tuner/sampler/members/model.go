package members

import (
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

// Model is a Gaussian process of the heights, in Elo, of a finite space's members, which meet
// opponents one by one. It takes no shape for granted, and choices and conditions are as good to
// it as numbers. What it proposes and answers is a function of the view: what is kept from one
// to the next could be computed again.
type Model struct {
	space *space
	kinds []kind
	seats int

	seen  []seen
	taken int       // observations of the view
	noise []float64 // by member: variance of a block's score
	full  scale     // the last choice of a kind and scales, by so many of seen:
	known int
	now   *heights // nil before it is asked for
	rows  int      // of seen, in now
	over  bool     // now leaves nothing to be gained
}

// seen is what a batch showed of a member.
type seen struct {
	member, batch int
	score, blocks float64
	noise         float64 // standard error of the score, NaN where it is not known
}

// New is the model of a space in which the view's candidates are scored against opponents; nil
// where it has more than tuner.FewMembers members, or fewNumbers where there are no choices and no
// conditions, and where games of another kind are played.
func New(dimensions tuner.Space, v *tuner.View) *Model {
	if v.Seats == 0 || v.Plan.Duels {
		return nil
	}
	s := list(dimensions, v)
	if s == nil {
		return nil
	}
	return &Model{space: s, kinds: kindsOf(s), seats: v.Seats}
}

// see takes what is new in a view.
func (m *Model) see(v *tuner.View) {
	if m.taken > len(v.Observed) { // another study
		m.seen, m.taken, m.now, m.known = nil, 0, nil, 0
	}
	for ; m.taken < len(v.Observed); m.taken++ {
		o := &v.Observed[m.taken]
		i, ok := m.space.index[v.Told[o.Trial].Params.String()]
		if !ok || o.Blocks == 0 || math.IsNaN(o.Value) || m.space.based && i == 0 {
			continue // of the baseline against itself nothing is to be learnt
		}
		m.seen = append(m.seen, seen{i, o.Batch, o.Value, float64(o.Blocks), o.Noise})
	}
}

// Propose is the member of a draw: the highest of heights drawn from the posterior (W.
// Thompson, On the likelihood that one unknown probability exceeds another, 1933). The
// baseline, whose height is known, is none. It is nil where no member may still be better than
// the best by more than settled.
func (m *Model) Propose(v *tuner.View, seed uint64, draw int) param.Values {
	m.see(v)
	m.believe()
	if m.over {
		return nil
	}
	rng := arena.NewStream(seed^drawKey, uint64(draw))
	x := make([]float64, m.size())
	for i := range x {
		x[i] = shared.Normal(&rng)
	}
	m.now.root.Backward(x)
	for i := range x {
		x[i] += m.now.mean[i]
	}
	first := 0
	if m.space.based && len(m.space.values) > 1 {
		first = 1
	}
	best := first
	for i := first; i < len(m.space.values); i++ {
		if m.height(x, i) > m.height(x, best) {
			best = i
		}
	}
	return m.space.values[best]
}

const drawKey = 0x66696e697465 // of the model's random numbers

// Answer is the member that is believed highest, with what is believed of it; false before
// anything is seen.
func (m *Model) Answer(v *tuner.View) (a tuner.Answer, ok bool) {
	m.see(v)
	m.believe()
	if len(m.seen) == 0 {
		return a, false
	}
	mean, sd := m.averaged()
	best := 0
	for i, h := range mean {
		if h > mean[best] {
			best = i
		}
	}
	score, slope := m.score(mean[best])
	a.Values = slices.Clone(m.space.values[best])
	a.Belief = &tuner.Belief{Mean: score, StandardError: sd[best] * slope}
	return a, true
}

// elsewhere is the covariance of a parameter's places with that of not being active.
const elsewhere = 0.3

// kind is a covariance of the members' heights.
type kind struct {
	length float64 // over which heights are alike, a share of a number's range
	choice float64 // covariance of two values of a choice
	sum    float64 // part of the mean of the parameters' covariances; the rest is their product's
	alone  float64 // variance of a member's own part
	trend  float64 // part of heights that rise or fall in a straight line

	inverse *shared.Symmetric // of the covariance; nil until it is asked for
	logdet  float64           // of the covariance
}

// kindsOf are the kinds that are compared by their evidence.
func kindsOf(s *space) []kind {
	choices, sums, trends := []float64{0}, []float64{0}, []float64{0, 0.8}
	if len(s.nominal) > 1 {
		sums = []float64{0, 0.7}
	}
	for i, nominal := range s.nominal {
		if nominal || s.conditional[i] {
			trends = []float64{0} // it may not be active
		}
		if nominal {
			choices = []float64{0.3, 0.8}
		}
	}
	var all []kind
	for _, length := range [3]float64{0.2, 0.5, 1.5} {
		for _, alone := range [3]float64{0.01, 0.1, 0.5} {
			for _, choice := range choices {
				for _, sum := range sums {
					for _, trend := range trends {
						all = append(all, kind{length: length, choice: choice, sum: sum, alone: alone, trend: trend})
					}
				}
			}
		}
	}
	return all
}

// covariance is that of two members' heights, but for their own parts.
func (k *kind) covariance(s *space, a, b int) float64 {
	sum, product := 0.0, 1.0
	for i := range s.nominal {
		c := k.alike(s, i, s.places[a][i], s.places[b][i])
		sum += c / float64(len(s.nominal))
		product *= c
	}
	bent := float64(k.sum*sum) + float64((1-k.sum)*product)
	if k.trend == 0 {
		return bent
	}
	line := 0.0
	for i := range s.nominal {
		// Of variance 1 in the mean over the range.
		line += float64(12*(s.places[a][i]-0.5)*(s.places[b][i]-0.5)) / float64(len(s.nominal))
	}
	return float64(k.trend*line) + float64((1-k.trend)*bent)
}

// alike is a parameter's part of it, at two places of which NaN stands for not being active.
func (k *kind) alike(s *space, i int, x, y float64) float64 {
	c := 1.0
	switch off := math.IsNaN(x); {
	case off && math.IsNaN(y):
		return 1
	case off || math.IsNaN(y):
		return elsewhere
	case !s.nominal[i]:
		r := math.Sqrt(3) * math.Abs(x-y) / k.length
		c = float64((1 + r) * math.Exp(-r)) // Matern's of 3/2
	case x != y:
		c = k.choice
	}
	if s.conditional[i] {
		// At least elsewhere, as each has that much in common with not being active.
		c = elsewhere + float64((1-elsewhere)*c)
	}
	return c
}

// prepare inverts the covariance; false where it cannot.
func (k *kind) prepare(s *space) bool {
	if k.inverse != nil {
		return true
	}
	n := len(s.values)
	root := shared.NewSymmetric(n)
	for i := range n {
		row := root.Row(i)
		for j := range i + 1 {
			row[j] = k.covariance(s, i, j)
		}
		row[i] += k.alone
	}
	logdet, ok := root.Factor()
	if !ok {
		return false
	}
	k.inverse, k.logdet = shared.NewSymmetric(n), logdet
	columns := make([][]float64, n)
	for j := range n {
		columns[j] = make([]float64, n)
		columns[j][j] = 1
	}
	root.ForwardAll(columns)
	for j := range n {
		root.Backward(columns[j])
		for i := j; i < n; i++ {
			k.inverse.Row(i)[j] = columns[j][i]
		}
	}
	return true
}

const (
	// mostSets is the most parameter sets that are listed, conditions aside.
	mostSets = 10_000
	// fewNumbers is the most members of a space of numbers alone: of more a surface knows more.
	fewNumbers = 64
)

// space is the members of a finite space.
type space struct {
	values []param.Values // where based is set, the first is the baseline
	index  map[string]int // by the text of their active values
	places [][]float64    // by member and dimension: in the range, or index; NaN where not active
	based  bool           // the baseline is a member, and its height is 0

	nominal, conditional []bool // by dimension
}

// list lists the members; nil where there are many.
func list(dimensions tuner.Space, v *tuner.View) *space {
	n := dimensions.Size()
	if n == 0 || n > mostSets {
		return nil
	}
	s := &space{index: map[string]int{}, based: v.Pinned}
	for _, d := range dimensions.Given(v.Fixed) {
		s.nominal = append(s.nominal, shared.Nominal(&d))
		s.conditional = append(s.conditional, len(d.When) > 0)
	}
	most := tuner.FewMembers
	if !slices.Contains(s.nominal, true) && !slices.Contains(s.conditional, true) {
		most = fewNumbers
	}
	if s.based {
		s.add(dimensions, v, v.Baseline)
	}
	for i := range n {
		if s.add(dimensions, v, dimensions.Ordered(v.Fixed, dimensions.Member(i))); len(s.values) > most {
			return nil
		}
	}
	return s
}

// add adds a member, unless it is there. What is not active stands at the baseline.
func (s *space) add(dimensions tuner.Space, v *tuner.View, values param.Values) {
	active := dimensions.Activate(v.Fixed, values)
	key := active.String()
	if _, ok := s.index[key]; ok {
		return
	}
	s.index[key] = len(s.values)
	all, places := make(param.Values, len(dimensions)), make([]float64, len(dimensions))
	for i := range dimensions {
		d := &dimensions[i]
		text, ok := active.Get(d.Name)
		places[i] = math.NaN()
		if ok {
			places[i] = shared.Place(d, text)
		} else if text, ok = v.Baseline.Get(d.Name); !ok {
			text = d.Point(0)
		}
		all[i] = param.Value{Name: d.Name, Text: text}
	}
	s.values, s.places = append(s.values, all), append(s.places, places)
}
