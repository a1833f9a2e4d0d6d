package classic

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

var (
	_ tuner.Annotator = (*jgg)(nil)
	_ tuner.Stateful  = (*jgg)(nil)
)

// jgg is JGG: Just Generation Gap with the crossover REX-star (S. Kobayashi, "The
// frontiers of real-coded genetic algorithms", Journal of JSAI 24(1), 2009;
// Akimoto et al. 2009): each generation some parents, drawn at random from the
// population, are judged beside their reflections through their centroid; then
// children are made, and the best of them take the parents' places, whether
// they are better or not.
//
// A generation is two stages of proposals, each asked only when the one before
// has been told: the parents (again) with their reflections, then the children.
// Everything drawn comes from streams keyed by seed, generation and use; what is
// proposed is a function of them and of the told values.
//
// A genome is a point of the unit cube's space, one coordinate a parameter, and
// may leave the cube: what is played is then the nearest value of the range, the
// genome stays. It implements tuner.Annotator and tuner.Stateful.
type jgg struct {
	seed  uint64
	space tuner.Space
	jggOptions

	population  [][]float64
	generations int   // before this one
	parents     []int // slots of the population
	at          int   // the first draw of the stage
	children    bool  // the stage is the second
	members     []member

	index shared.Generations
	notes []note // by draw
}

// note is what is kept of a proposal for people.
type note struct {
	role       string // empty where the draw was never asked for
	generation int
	parents    []int
}

// member is an individual of the stage at hand.
type member struct {
	genome []float64
	role   string // parent, reflection, centroid or child
}

// Names of the attributes that a proposal of jgg carries.
const (
	attrDraw       = "draw"       // number of the proposal
	attrRole       = "role"       // parent, reflection, centroid or child
	attrGeneration = "generation" // from 0
	attrParents    = "parents"    // slots of the population, from 0
)

// Stateful implements tuner.Stateful: the population comes from the values that
// were told when each stage was complete.
func (j *jgg) Stateful() bool { return true }

// reset goes back to the first stage.
func (j *jgg) reset() {
	j.population = make([][]float64, j.individuals)
	for i := range j.population {
		s := arena.NewStream(j.seed, streamInitial<<32|uint64(i))
		j.population[i] = make([]float64, len(j.space))
		for k := range j.population[i] {
			r := j.start[k]
			j.population[i][k] = r[0] + s.Float64()*(r[1]-r[0])
		}
	}
	j.generations, j.at = 0, 0
	j.index = shared.Generations{}
	j.pair()
}

// Uses of streams.
const (
	streamInitial = iota + 1
	streamChoice
	streamChild
)

func (j *jgg) stream(use uint64, n int) arena.Stream {
	return arena.NewStream(j.seed^uint64(j.generations)*0x9E3779B97F4A7C15, use<<32|uint64(n))
}

// pair draws the generation's parents and reflects them; the centroid of the
// population may come along, to be judged and nothing else.
func (j *jgg) pair() {
	s := j.stream(streamChoice, 0)
	slots := make([]int, j.individuals)
	for i := range slots {
		slots[i] = i
	}
	s.Shuffle(len(slots), func(a, b int) { slots[a], slots[b] = slots[b], slots[a] })
	j.parents = slots[:j.couples]
	j.members, j.children = nil, false
	for _, p := range j.parents {
		j.members = append(j.members, member{j.population[p], "parent"})
	}
	g := centroid(j.members)
	for _, p := range j.parents {
		mirrored := make([]float64, len(g))
		for k, x := range j.population[p] {
			mirrored[k] = 2*g[k] - x
		}
		j.members = append(j.members, member{mirrored, "reflection"})
	}
	if j.delegate {
		j.members = append(j.members, member{middle(j.population), "centroid"})
	}
}

// breed makes the children from the parents and the better half of parents and
// reflections: g + diag(t) (b - g) + sum of xi (x - g).
func (j *jgg) breed(values []float64, up bool) {
	parents := j.members[:j.couples]
	reflections := j.members[j.couples : 2*j.couples]
	g := centroid(parents)
	var good []member
	for _, i := range shared.Ranking(values[:2*j.couples], up)[:j.couples] {
		good = append(good, j.members[i])
	}
	b := centroid(good)
	width := math.Sqrt(3 / float64(j.couples))
	var brood []member
	for c := range j.brood {
		s := j.stream(streamChild, c)
		x := slices.Clone(g)
		for k := range x {
			x[k] += j.step * s.Float64() * (b[k] - g[k])
		}
		for _, p := range parents {
			xi := width * (2*s.Float64() - 1)
			for k := range x {
				x[k] += xi * (p.genome[k] - g[k])
			}
		}
		brood = append(brood, member{x, "child"})
	}
	if j.among {
		brood = append(brood, reflections...)
	}
	j.members, j.children = brood, true
}

// replace puts the best of the second stage in the parents' places.
func (j *jgg) replace(values []float64, up bool) {
	for i, c := range shared.Ranking(values, up)[:j.couples] {
		j.population[j.parents[i]] = j.members[c].genome
	}
	j.generations++
	j.pair()
}

// seek advances to the stage that contains a draw; false if that needs values which are not
// known yet.
func (j *jgg) seek(draw int, v *tuner.View) bool {
	if j.population == nil || draw < j.at {
		j.reset()
	}
	for draw >= j.at+len(j.members) {
		values, ok := j.index.Values(v, j.at, len(j.members), func(i int) param.Values { return j.played(j.members[i].genome) })
		if !ok {
			return false
		}
		j.at += len(j.members)
		if j.children {
			j.replace(values, v.Maximize)
		} else {
			j.breed(values, v.Maximize)
		}
	}
	return true
}

// Propose implements tuner.Proposer. It proposes nothing until the stage before
// that of the draw has been told: the batch ends there.
func (j *jgg) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	if !j.seek(draw, v) {
		return nil, false, nil
	}
	m := j.members[draw-j.at]
	for len(j.notes) <= draw {
		j.notes = append(j.notes, note{})
	}
	j.notes[draw] = note{m.role, j.generations, j.parents}
	return j.played(m.genome), true, nil
}

// Attributes implements tuner.Annotator.
func (j *jgg) Attributes(draw int) param.Values {
	if draw >= len(j.notes) || j.notes[draw].role == "" {
		return nil
	}
	n := &j.notes[draw]
	slots := make([]string, len(n.parents))
	for i, p := range n.parents {
		slots[i] = strconv.Itoa(p)
	}
	var out param.Values
	if n.role == "centroid" {
		out = append(out, param.Value{Name: tuner.AttrDelegate, Text: "yes"})
	}
	return append(out,
		param.Value{Name: attrDraw, Text: strconv.Itoa(draw)},
		param.Value{Name: attrGeneration, Text: strconv.Itoa(n.generation)},
		param.Value{Name: attrParents, Text: strings.Join(slots, " ")},
		param.Value{Name: attrRole, Text: n.role},
	)
}

// played returns the parameters with which a genome plays.
func (j *jgg) played(genome []float64) param.Values {
	out := make(param.Values, len(j.space))
	for k := range j.space {
		d := &j.space[k]
		out[k] = param.Value{Name: d.Name, Text: d.Text(shared.FromUnit(d, genome[k]))}
	}
	return out
}

// centroid returns the mean of members.
func centroid(members []member) []float64 {
	genomes := make([][]float64, len(members))
	for i, m := range members {
		genomes[i] = m.genome
	}
	return middle(genomes)
}

// middle returns the mean of genomes.
func middle(genomes [][]float64) []float64 {
	g := make([]float64, len(genomes[0]))
	for _, genome := range genomes {
		for k, x := range genome {
			g[k] += x / float64(len(genomes))
		}
	}
	return g
}

// NewJGG makes the sampler, or says why it does not serve the space or the options.
func NewJGG(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	o, err := readJGG(s.Options, space)
	if err != nil {
		return nil, err
	}
	return &jgg{seed: s.Seed, space: space, jggOptions: *o}, nil
}

// jggOptions are the options of the sampler jgg. The defaults are those of
// Kasuya, Suzuki and Arita.
type jggOptions struct {
	individuals int     // of the population
	couples     int     // parents of a generation
	brood       int     // children of a generation
	step        float64 // t of REX-star
	among       bool    // reflections compete with the children
	delegate    bool    // the population's centroid plays along
	start       [][2]float64

	reflections, answer string // as they are given
}

// startOption names the option that bounds the first population: start for all
// parameters, start.NAME for one, as low..high.
const startOption = "start"

// declare declares the options of jgg.
func (o *jggOptions) declare(f *param.Fields) {
	f.Int(&o.individuals, "population", 100, param.Range(2, 10000), "individuals of the population")
	f.Int(&o.couples, "parents", 17, param.Range(2, 1000), "parents of a generation, individuals")
	f.Int(&o.brood, "children", 170, param.Range(2, 10000), "children of a generation, individuals")
	f.Float(&o.step, "step", 2, param.Range(0, 100), "largest step t towards the better half, its distances")
	f.Choice(&o.reflections, "reflections", "apart", []string{"apart", "among_children"},
		"whether reflections only show the way or compete with the children for the parents' places")
	f.Choice(&o.answer, "answer", "best", []string{"best", "centroid"},
		"what stands for a generation in the final: the best individual of its pool, or the population's centroid, which plays along with the parents")
}

// readJGG reads the options and refuses spaces that are not numbers.
func readJGG(given param.Values, space tuner.Space) (*jggOptions, error) {
	if err := refuseForJGG(space); err != nil {
		return nil, err
	}
	o := &jggOptions{}
	fields, err := param.Bind(o.declare)
	if err != nil {
		return nil, err
	}
	var others param.Values
	starts := map[string][2]float64{}
	for _, v := range given {
		name, isStart := strings.CutPrefix(v.Name, startOption)
		if !isStart || name != "" && !strings.HasPrefix(name, ".") {
			others = append(others, v)
			continue
		}
		r, err := readRange(v)
		if err != nil {
			return nil, err
		}
		if _, twice := starts[strings.TrimPrefix(name, ".")]; twice {
			return nil, &param.Error{Name: v.Name, Want: "one value, not several", Got: v.Text}
		}
		starts[strings.TrimPrefix(name, ".")] = r
	}
	if _, errs := fields.Assign(others); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	o.among, o.delegate = o.reflections == "among_children", o.answer == "centroid"
	switch {
	case o.couples > o.individuals:
		return nil, fmt.Errorf("options: parents: expected at most the population's %d, got %d", o.individuals, o.couples)
	case o.couples > o.brood:
		return nil, fmt.Errorf("options: children: expected at least as many as the %d parents they replace, got %d", o.couples, o.brood)
	}
	return o, o.place(space, starts)
}

// place finds each parameter's first range, in coordinates.
func (o *jggOptions) place(space tuner.Space, starts map[string][2]float64) error {
	for i := range space {
		d := &space[i]
		name := d.Name
		r, ok := starts[name]
		if !ok {
			name = ""
			r, ok = starts[name]
		}
		if !ok {
			r = [2]float64{d.Domain.Low, math.Min(d.Domain.End(), d.Domain.High)}
		}
		if r[0] < d.Domain.Low || r[1] > d.Domain.High {
			return fmt.Errorf("options: %s: expected a part of the range %s of %s, got %g..%g",
				strings.TrimSuffix(startOption+"."+name, "."), d.Domain, d.Name, r[0], r[1])
		}
		o.start = append(o.start, [2]float64{shared.ToUnit(d, r[0]), shared.ToUnit(d, r[1])})
	}
	for name := range starts {
		if name == "" {
			continue
		}
		if !slices.ContainsFunc(space, func(d tuner.Dimension) bool { return d.Name == name }) {
			return &param.Error{Name: startOption + "." + name, Want: "a parameter that is tuned", Got: name}
		}
	}
	return nil
}

// readRange reads low..high.
func readRange(v param.Value) (r [2]float64, err error) {
	bad := &param.Error{Name: v.Name, Want: "a range low..high", Got: v.Text}
	low, high, ok := strings.Cut(v.Text, "..")
	if !ok {
		return r, bad
	}
	for i, text := range []string{low, high} {
		if r[i], err = strconv.ParseFloat(strings.TrimSpace(text), 64); err != nil {
			return r, bad
		}
	}
	if !(r[0] <= r[1]) {
		return r, bad
	}
	return r, nil
}

// refuseForJGG refuses parameters that are not numbers, or not always there.
func refuseForJGG(space tuner.Space) error {
	for _, d := range space {
		if d.Kind == param.Bool || d.Kind == param.Choice {
			return fmt.Errorf("it tunes numbers only, and %s is not a number", d.Name)
		}
		if len(d.When) > 0 {
			return fmt.Errorf("it cannot tune conditional parameters, and %s is one", d.Name)
		}
	}
	return nil
}
