package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// errNotYet says that what a proposal depends on has not been told yet: the
// batch ends before it.
var errNotYet = errors.New("the generation before it has not been told yet")

// jgg is Just Generation Gap with the crossover REX-star (S. Kobayashi, "The
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
// genome stays.
type jgg struct {
	seed  uint64
	space tuner.Space
	jggOptions

	population [][]float64
	generation int
	parents    []int // slots of the population
	at         int   // the first draw of the stage
	children   bool  // the stage is the second
	members    []member

	index   map[string]int // trials by what they played
	indexed int            // trials in it
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
	j.generation, j.at = 0, 0
	j.index, j.indexed = map[string]int{}, 0
	j.pair()
}

// Uses of streams.
const (
	streamInitial = iota + 1
	streamChoice
	streamChild
)

func (j *jgg) stream(use uint64, n int) arena.Stream {
	return arena.NewStream(j.seed^uint64(j.generation)*0x9E3779B97F4A7C15, use<<32|uint64(n))
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
	for _, i := range best(values[:2*j.couples], up)[:j.couples] {
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
	for i, c := range best(values, up)[:j.couples] {
		j.population[j.parents[i]] = j.members[c].genome
	}
	j.generation++
	j.pair()
}

// seek brings the stage that holds a draw about.
func (j *jgg) seek(draw int, trials func() ([]goptuna.FrozenTrial, error), up bool) error {
	if j.population == nil || draw < j.at {
		j.reset()
	}
	for draw >= j.at+len(j.members) {
		all, err := trials()
		if err != nil {
			return err
		}
		values, ok := j.told(all)
		if !ok {
			return errNotYet
		}
		j.at += len(j.members)
		if j.children {
			j.replace(values, up)
		} else {
			j.breed(values, up)
		}
	}
	return nil
}

// told is the values of the members of the stage, false where one has none. A
// member whose parameter set was tried before has no trial of its own: its value
// is that of the earlier trial.
func (j *jgg) told(trials []goptuna.FrozenTrial) ([]float64, bool) {
	values := make([]float64, len(j.members))
	found := make([]bool, len(j.members))
	for i := len(trials) - 1; i >= 0; i-- {
		draw, err := strconv.Atoi(trials[i].SystemAttrs[attrDraw])
		if err == nil && draw < j.at {
			break // trials are told in the order of their draws
		}
		if err == nil && draw < j.at+len(j.members) && trials[i].State == goptuna.TrialStateComplete {
			values[draw-j.at], found[draw-j.at] = trials[i].Value, true
		}
	}
	for i, m := range j.members {
		if found[i] {
			continue
		}
		for ; j.indexed < len(trials); j.indexed++ {
			j.index[j.played(trials[j.indexed].InternalParams)] = j.indexed
		}
		at, ok := j.index[j.text(m.genome)]
		if !ok {
			return nil, false
		}
		values[i] = trials[at].Value
	}
	return values, true
}

// SampleRelative implements goptuna.RelativeSampler.
func (j *jgg) SampleRelative(study *goptuna.Study, t goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	up := study.Direction() == goptuna.StudyDirectionMaximize
	if err := j.seek(t.Number, study.GetTrials, up); err != nil {
		return nil, err
	}
	m := j.members[t.Number-j.at]
	slots := make([]string, len(j.parents))
	for i, p := range j.parents {
		slots[i] = strconv.Itoa(p)
	}
	notes := [][2]string{
		{attrDraw, strconv.Itoa(t.Number)},
		{attrRole, m.role},
		{attrGeneration, strconv.Itoa(j.generation)},
		{attrParents, strings.Join(slots, " ")},
	}
	if m.role == "centroid" {
		notes = append(notes, [2]string{tuner.AttrDelegate, "yes"})
	}
	for _, a := range notes {
		if err := study.Storage.SetTrialSystemAttr(t.ID, a[0], a[1]); err != nil {
			return nil, err
		}
	}
	out := make(map[string]float64, len(j.space))
	for k := range j.space {
		d := &j.space[k]
		x, err := d.Internal(d.Distribution(false), d.Text(fromUnit(d, m.genome[k])))
		if err != nil {
			return nil, err
		}
		out[d.Name] = x
	}
	return out, nil
}

// text is what a genome plays.
func (j *jgg) text(genome []float64) string {
	var key strings.Builder
	for k := range j.space {
		fmt.Fprintf(&key, "%s ", j.space[k].Text(fromUnit(&j.space[k], genome[k])))
	}
	return key.String()
}

// played is text of what a trial played.
func (j *jgg) played(internal map[string]float64) string {
	var key strings.Builder
	for k := range j.space {
		fmt.Fprintf(&key, "%s ", j.space[k].Text(internal[j.space[k].Name]))
	}
	return key.String()
}

// fromUnit is the place of a coordinate in a parameter's range, unrounded;
// outside [0, 1] it lies outside the range.
func fromUnit(d *tuner.Dimension, u float64) float64 {
	low, top := d.Domain.Low, d.Domain.Top()
	if d.Domain.Log {
		return math.Exp(math.Log(low) + u*(math.Log(top)-math.Log(low)))
	}
	x := low + u*(top-low)
	if d.Domain.Step > 0 {
		i := math.Round((x - low) / d.Domain.Step)
		return d.Domain.Point(int(math.Min(math.Max(i, 0), float64(d.Domain.Points()-1))))
	}
	return x
}

// toUnit is the coordinate of a number of a parameter's range.
func toUnit(d *tuner.Dimension, x float64) float64 {
	low, top := d.Domain.Low, d.Domain.Top()
	if top == low {
		return 0
	}
	if d.Domain.Log {
		return (math.Log(x) - math.Log(low)) / (math.Log(top) - math.Log(low))
	}
	return (x - low) / (top - low)
}

// centroid is the mean of members.
func centroid(members []member) []float64 {
	genomes := make([][]float64, len(members))
	for i, m := range members {
		genomes[i] = m.genome
	}
	return middle(genomes)
}

// middle is the mean of genomes.
func middle(genomes [][]float64) []float64 {
	g := make([]float64, len(genomes[0]))
	for _, genome := range genomes {
		for k, x := range genome {
			g[k] += x / float64(len(genomes))
		}
	}
	return g
}

// best is the indexes of values from the best, ties by index, undefined ones
// last.
func best(values []float64, up bool) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := values[a], values[b]
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			return compareBool(math.IsNaN(x), math.IsNaN(y))
		case x == y:
			return 0
		case (x > y) == up:
			return -1
		}
		return 1
	})
	return order
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func newJGG(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (*asker, error) {
	o, err := readJGG(s.Options, space)
	if err != nil {
		return nil, err
	}
	return &asker{relative: &jgg{seed: s.Seed, space: space, jggOptions: *o}, notes: true}, nil
}
