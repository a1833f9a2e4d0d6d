// Package jgg is a real-coded genetic algorithm, Just Generation Gap with the
// crossover REX-star (S. Kobayashi, "The frontiers of real-coded genetic
// algorithms", 2009). Its batches end where a stage of a generation does.
//
//	p, err := jgg.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
//	attributes := p.(tuner.Annotator).Attributes(draw)
package jgg

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/axis"
	"sakusen/tuner/sampler/generation"
)

var (
	_ tuner.Annotator = (*JGG)(nil)
	_ tuner.Stateful  = (*JGG)(nil)
)

// JGG is Just Generation Gap with the crossover REX-star (S. Kobayashi, "The
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
type JGG struct {
	seed  uint64
	space tuner.Space
	options

	population  [][]float64
	generations int   // before this one
	parents     []int // slots of the population
	at          int   // the first draw of the stage
	children    bool  // the stage is the second
	members     []member

	index generation.Index
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
func (j *JGG) Stateful() bool { return true }

// reset goes back to the first stage.
func (j *JGG) reset() {
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
	j.index = generation.Index{}
	j.pair()
}

// Uses of streams.
const (
	streamInitial = iota + 1
	streamChoice
	streamChild
)

func (j *JGG) stream(use uint64, n int) arena.Stream {
	return arena.NewStream(j.seed^uint64(j.generations)*0x9E3779B97F4A7C15, use<<32|uint64(n))
}

// pair draws the generation's parents and reflects them; the centroid of the
// population may come along, to be judged and nothing else.
func (j *JGG) pair() {
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
func (j *JGG) breed(values []float64, up bool) {
	parents := j.members[:j.couples]
	reflections := j.members[j.couples : 2*j.couples]
	g := centroid(parents)
	var good []member
	for _, i := range generation.Best(values[:2*j.couples], up)[:j.couples] {
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
func (j *JGG) replace(values []float64, up bool) {
	for i, c := range generation.Best(values, up)[:j.couples] {
		j.population[j.parents[i]] = j.members[c].genome
	}
	j.generations++
	j.pair()
}

// seek advances to the stage that contains a draw; false if that needs values which are not
// known yet.
func (j *JGG) seek(draw int, v *tuner.View) bool {
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
func (j *JGG) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
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
func (j *JGG) Attributes(draw int) param.Values {
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

// played is what a genome plays.
func (j *JGG) played(genome []float64) param.Values {
	out := make(param.Values, len(j.space))
	for k := range j.space {
		d := &j.space[k]
		out[k] = param.Value{Name: d.Name, Text: d.Text(axis.FromUnit(d, genome[k]))}
	}
	return out
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

// New makes the sampler, or says why it does not serve the space or the options.
func New(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	o, err := readOptions(s.Options, space)
	if err != nil {
		return nil, err
	}
	return &JGG{seed: s.Seed, space: space, options: *o}, nil
}
