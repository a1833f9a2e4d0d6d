package lifeboats

import (
	"context"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/strategies/lifeboats"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// PaperStudy is the embedded study of evolution at the paper's setting.
const PaperStudy = "lifeboats-evolution"

// Study reads an embedded study and gives it a seed.
func Study(name string, seed uint64) (*tuner.Setup, error) {
	text, err := studies.Read(name)
	if err != nil {
		return nil, err
	}
	spec, err := studyfile.Read(name, text, strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", name, err)
	}
	spec.Sampler.Seed = seed
	return spec, nil
}

// Evolution is an evolution, run to its end.
type Evolution struct {
	Result *tuner.Result
	// Generations are the parents of each, in the order of the generations: a
	// random sample of the population as it was then.
	Generations [][]param.Values
}

// Evolve runs a coevolution study whose sampler tells roles and generations.
func Evolve(ctx context.Context, spec *tuner.Setup, host arena.Host) (*Evolution, error) {
	proposer, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		return nil, err
	}
	r := store.NewMemory()
	study, err := study.Open(ctx, spec, study.Options{Host: host, Proposer: proposer, Record: r})
	if err != nil {
		return nil, err
	}
	result, err := study.Run(ctx)
	if err != nil {
		return nil, fmt.Errorf("evolution %s, seed %d: %w", spec.Name, spec.Sampler.Seed, err)
	}
	run := &Evolution{Result: result}
	for _, e := range r.Log() {
		if e.Kind != entry.KindAsk {
			continue
		}
		if err := run.read(e.Payload); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// read takes the parents from an ask entry of the log.
func (r *Evolution) read(payload json.RawMessage) error {
	var asked struct {
		Trials []struct {
			Params param.Values `json:"params"`
			Attrs  param.Values `json:"attrs"`
		} `json:"trials"`
	}
	if err := json.Unmarshal(payload, &asked); err != nil {
		return err
	}
	for _, t := range asked.Trials {
		role, _ := t.Attrs.Get("role")
		text, _ := t.Attrs.Get("generation")
		generation, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("a trial without a generation: only a sampler that tells it can be looked at")
		}
		if role != "parent" {
			continue
		}
		for len(r.Generations) <= generation {
			r.Generations = append(r.Generations, nil)
		}
		r.Generations[generation] = append(r.Generations[generation], t.Params)
	}
	return nil
}

// evolvedFile is evolved.csv, which holds five level-0 players of the last generation of runs of the
// study lifeboats-evolution, seeds 1 and up: the first five parents of
// generation 79, which are drawn from the population at random. They are scaled
// to a largest weight of 1 and rounded to four digits. LIFEBOATS_EVOLVED=N
// go test -run WriteEvolved rewrites the file with N runs.
//
//go:embed evolved.csv
var evolvedFile embed.FS

// teamSize is the players that are kept of a run: one to try and four to meet.
const teamSize = 5

// Evolved returns the embedded players, five of each run.
func Evolved() ([][]param.Values, error) {
	file, err := evolvedFile.Open("evolved.csv")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("evolved.csv: %w", err)
	}
	var teams [][]param.Values
	for i, row := range rows[1:] {
		run, err := strconv.Atoi(row[0])
		if err != nil || run != i/teamSize+1 {
			return nil, fmt.Errorf("evolved.csv:%d: run: expected %d, got %q", i+2, i/teamSize+1, row[0])
		}
		if run > len(teams) {
			teams = append(teams, nil)
		}
		var p param.Values
		for k, text := range row[1:] {
			p = append(p, param.Value{Name: rows[0][k+1], Text: text})
		}
		teams[run-1] = append(teams[run-1], p)
	}
	return teams, nil
}

// Sizes of the paper's study.
const (
	fullLength      = 80             // generations of a run
	individuals     = 34 + 170       // of a generation: parents and reflections, children
	generationGames = (9 + 43) * 100 // at tables of four
	runGames        = fullLength * generationGames
	defaultRuns     = 3 // the fewest that show a band
)

// A history is several evolutions at the paper's setting, of as many
// generations each.
type history struct {
	runs        []*Evolution
	generations int
}

// scale returns how many runs of how many generations a number of games allows: runs
// of 80 generations, or at least two of fewer.
func scale(games int64) (runs, generations int) {
	if games >= 2*runGames {
		return int(games / runGames), fullLength
	}
	return 2, int(max(1, games/2/generationGames))
}

// startX is the option that says where X starts: from 0 to so much.
const startX = "start.X"

// start declares where X starts, which the paper does not say. The study has 0..5.
func start(f *param.Fields) {
	var x float64
	f.Float(&x, startX, 5, param.Range(0.1, lifeboats.Span), "upper end of the range from 0 in which X starts, an exponent")
}

// evolve makes runs of a study, each of which is kept when it ends. What is said of a generation is said of
// its parents: the population as it was before it.
func evolve(ctx context.Context, o experiment.Options, lab *lab, name string) (*history, error) {
	runs, generations := scale(o.Games)
	h := &history{generations: generations}
	for i := range runs {
		parents, err := experiment.Cached(o, fmt.Sprintf("evolution %d%s", i, o.Rules.String()), func() ([][]param.Values, error) {
			spec, err := Study(name, studySeed(o, i))
			if err != nil {
				return nil, err
			}
			if x, ok := o.Rules.Get(startX); ok {
				spec.Sampler.Options = spec.Sampler.Options.With(startX, "0.."+x)
			}
			spec.Budget.Trials = generations * individuals
			spec.Final.Top, spec.Validation.MaxBlocks = 1, 64
			run, err := Evolve(ctx, spec, lab.Host)
			if err != nil {
				return nil, err
			}
			return run.Generations, nil
		})
		if err != nil {
			return nil, err
		}
		h.runs = append(h.runs, &Evolution{Generations: parents})
	}
	return h, nil
}

// historyBlocks returns about as many blocks as evolve plays.
func historyBlocks(games int64) int64 {
	runs, generations := scale(games)
	return int64(runs) * (int64(generations*generationGames)/5 + 64)
}

// points returns the generations that are looked at: every n-th, and the last.
func (h *history) points(every int) []int {
	var out []int
	for g := 0; g < h.generations-1; g += every {
		out = append(out, g)
	}
	return append(out, h.generations-1)
}

// weights returns a number of the mean weights of a generation, in each run.
func (h *history) weights(generation int, of func(means map[string]float64) float64) []float64 {
	values := make([]float64, len(h.runs))
	for i, run := range h.runs {
		values[i] = of(Means(run.Generations[generation]))
	}
	return values
}

// weight returns the one of the given name.
func weight(name string) func(means map[string]float64) float64 {
	return func(means map[string]float64) float64 { return means[name] }
}

// A metagame is what each kind of player wins with each company of four others.
type metagame struct {
	tables []composition
	wins   [][]share // by kind and table
}

// A composition is how many of the others are of each kind.
type composition []int

// compositions returns all ways to fill so many seats with players of some kinds.
func compositions(kinds, seats int) []composition {
	if kinds == 1 {
		return []composition{{seats}}
	}
	var all []composition
	for n := range seats + 1 {
		for _, rest := range compositions(kinds-1, seats-n) {
			all = append(all, append(composition{n}, rest...))
		}
	}
	return all
}

// chance returns the probability of a company of others that are drawn from a mixture.
func (c composition) chance(mix []float64) float64 {
	p, left := 1.0, 0
	for kind, n := range c {
		for i := 1; i <= n; i++ {
			left++
			p *= mix[kind] * float64(left) / float64(i)
		}
	}
	return p
}

// metagame plays every kind with every company, evenly with the players of all teams.
func (l *lab) metagame(ctx context.Context, tables []composition, blocks int64, teams [][]param.Values, seed uint64) (*metagame, error) {
	g := &metagame{tables: tables, wins: make([][]share, len(kinds()))}
	each := max(1, blocks/int64(len(teams)))
	level := func(kind int) param.Values { return param.Values{{Name: "level", Text: strconv.Itoa(kind)}} }
	for kind := range kinds() {
		for _, table := range tables {
			var scores []float64
			for i, team := range teams {
				var others []arena.Entrant
				for other, n := range table {
					for range n {
						seat := len(others) + 1
						e, err := l.rules.NewEntrant(fmt.Sprintf("evolved %d", seat), "levelk", join(team[seat], level(other)))
						if err != nil {
							return nil, err
						}
						others = append(others, e)
					}
				}
				s, err := l.scores(ctx, seed+uint64(i), each, "levelk", join(team[0], level(kind)), others...)
				if err != nil {
					return nil, err
				}
				scores = append(scores, s...)
			}
			g.wins[kind] = append(g.wins[kind], shareOf(scores))
		}
	}
	return g, nil
}

// payoff returns the share of wins of a kind among others drawn from a mixture.
func (g *metagame) payoff(kind int, mix []float64) share {
	var out share
	variance := 0.0
	for i, table := range g.tables {
		p := table.chance(mix)
		s := g.wins[kind][i]
		out.Value += p * s.Value
		variance += p * p * s.Error * s.Error
		out.Games += s.Games
	}
	out.Error = math.Sqrt(variance)
	return out
}

// equilibrium follows the replicator dynamics, in discrete steps, from an even mixture; it
// returns the mean payoff too. A kind grows by what it wins above the mean.
func (g *metagame) equilibrium() (mix []float64, mean float64) {
	n := len(g.wins)
	mix = make([]float64, n)
	for i := range mix {
		mix[i] = 1 / float64(n)
	}
	for range 20000 {
		mean = 0
		payoffs := make([]float64, n)
		for i := range mix {
			payoffs[i] = g.payoff(i, mix).Value
			mean += mix[i] * payoffs[i]
		}
		for i := range mix {
			mix[i] *= payoffs[i] / mean
		}
	}
	return mix, mean
}
