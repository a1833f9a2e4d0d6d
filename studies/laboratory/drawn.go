package laboratory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/studies/laboratory/ground"
)

// drawnCell returns the cell of a landscape of a kind of ground.
func drawnCell(kind string, seed int, games int64, level bool) (Cell, error) {
	land, err := ground.New(kind, seed)
	if err != nil {
		return Cell{}, err
	}
	g := &Ground{
		Name: kind, Parameters: land.Numbers(), Top: land.Elo(), Seats: land.Seats(), Starts: land.Starts(),
		Mixed: land.Mixed(), Conditional: land.Conditional(), Catalogue: ground.Catalogue(),
		Head: fmt.Sprintf("game: ground\nrules: [{name: kind, value: %s}, {name: seed, value: %d}, {name: level, value: %v}]\nbaseline: at\n", kind, seed, level),
		Tune: "tune: {strategy: at}\n", Elo: land.Read,
	}
	if level {
		g.Elo = zero
	}
	return Cell{Dimensions: land.Numbers(), Headroom: land.Elo(), Games: games, Ground: g}, nil
}

// drawnMethod is a search on drawn ground: a sampler of so many of its usual ways, or
// "LABEL=SAMPLER" to tell the outcomes of one code from those of another.
func drawnMethod(text string) Method {
	label, name, ok := strings.Cut(text, "=")
	if !ok {
		name = text
	}
	m := named(label, name, "", always)
	switch name {
	case "default":
		m.file = func(c Cell, seed int) (string, bool) {
			return c.tunes() + "sampler: {seed: " + itoa(seed) + "}\n" + budgetOfGames(c), true
		}
	case "spsa":
		duels, baseline := named(label, name, "evaluate: {mode: duels}\n", paired), named(label, name, "evaluate: {mode: baseline}\n", unpaired)
		m.file = func(c Cell, seed int) (string, bool) {
			if c.blockGames() == 2 {
				return duels.file(c, seed)
			}
			return baseline.file(c, seed)
		}
	case "cmaes":
		m = named(label, name, "", uncategorical)
	case "halving":
		m = halving(label, "uniform")
	}
	m.Name = label
	return m
}

// Drawn compares searches on landscapes that are drawn.
type Drawn struct {
	Kinds   []string
	Methods []string // samplers, each perhaps with a label before it; the first one is held against the others
	First   int      // seed of the first landscape of each kind
	Seeds   int      // landscapes of each kind
	Games   int64
	Level   bool // nothing is to be found
	Workers int
	Kept    *Kept
	Tell    func(done, of int) // unless nil, is told of each study that has ended
}

// drawnOutcome is an outcome of a method, missing where it cannot be used on a landscape.
type drawnOutcome struct {
	Outcome
	ok     bool
	scaled float64 // its truth, of a top of 60
}

// drawnTable is the outcomes by kind, method and landscape.
type drawnTable map[string][][]drawnOutcome

// run plays all studies.
func (d *Drawn) run(ctx context.Context) (drawnTable, error) {
	table := drawnTable{}
	var jobs []func() error
	var mu sync.Mutex
	for _, kind := range d.Kinds {
		table[kind] = make([][]drawnOutcome, len(d.Methods))
		for k, text := range d.Methods {
			table[kind][k] = make([]drawnOutcome, d.Seeds)
			m := drawnMethod(text)
			for i := range d.Seeds {
				jobs = append(jobs, func() error {
					o, err := d.study(ctx, kind, m, d.First+i)
					if err != nil {
						return fmt.Errorf("%s, %s, seed %d: %w", kind, m.Name, d.First+i, err)
					}
					table[kind][k][i] = o
					return nil
				})
			}
		}
	}
	work := make(chan func() error)
	var errs []error
	var group sync.WaitGroup
	done := 0
	for range max(1, d.Workers) {
		group.Add(1)
		go func() {
			defer group.Done()
			for job := range work {
				err := job()
				mu.Lock()
				if done++; err != nil {
					errs = append(errs, err)
				} else if d.Tell != nil {
					d.Tell(done, len(jobs))
				}
				mu.Unlock()
			}
		}()
	}
	for _, job := range jobs {
		work <- job
	}
	close(work)
	group.Wait()
	return table, errors.Join(errs...)
}

// study is one study, or its outcome where that was kept.
func (d *Drawn) study(ctx context.Context, kind string, m Method, seed int) (drawnOutcome, error) {
	c, err := drawnCell(kind, seed, d.Games, d.Level)
	if err != nil {
		return drawnOutcome{}, err
	}
	text, ok := m.study(c, seed)
	if !ok {
		return drawnOutcome{}, nil
	}
	key := hash(m.Name + "\n" + text)
	o, known := d.Kept.find(key)
	if !known {
		from := time.Now()
		spec, err := c.read(m.Name, text)
		if err != nil {
			return drawnOutcome{}, err
		}
		if o, err = c.run(ctx, spec); err != nil {
			return drawnOutcome{}, err
		}
		o.Seed, o.Seconds = seed, math.Round(1e4*time.Since(from).Seconds())/1e4
		if err := d.Kept.keep(key, m.Name, c.Label(), o); err != nil {
			return drawnOutcome{}, err
		}
	}
	return drawnOutcome{o, true, c.scaled(o)}, nil
}

// sums are the sums of outcomes from which the table is made.
type sums struct {
	studies, below, passed, false      int
	claims, held, validations, covered int
	truth, seconds                     float64
}

func (s *sums) add(o drawnOutcome) {
	s.studies++
	s.truth += o.scaled
	s.seconds += o.Seconds
	if o.Truth < -belowBaseline {
		s.below++
	}
	if o.Verdict == "pass" {
		s.passed++
		if o.Truth <= 0 {
			s.false++
		}
	}
	if o.ClaimCI != nil {
		s.claims++
		if o.ClaimCI[0] <= o.Truth && o.Truth <= o.ClaimCI[1] {
			s.held++
		}
	}
	if o.CI != nil {
		s.validations++
		if o.CI[0] <= o.Truth && o.Truth <= o.CI[1] {
			s.covered++
		}
	}
}

// Write writes the table: by kind the mean truth of each method, scaled to a top of 60, the first
// one's share of the best with its error, and what it has over the others in pairs.
func (d *Drawn) Write(ctx context.Context, w io.Writer) error {
	table, err := d.run(ctx)
	if err != nil {
		return err
	}
	names := make([]string, len(d.Methods))
	for k, text := range d.Methods {
		names[k] = drawnMethod(text).Name
	}
	ours := names[0]
	fmt.Fprintf(w, "%d games, seeds %d to %d; Elo of 60\n| kind | %s | best | share | +- | below -5 | claims | validations | passed |\n|%s\n",
		d.Games, d.First, d.First+d.Seeds-1, strings.Join(names, " | "), strings.Repeat("---|", len(names)+8))
	all := make([]sums, len(names))
	pairs := make([][]float64, len(names)) // by landscape, of the first method over another
	shares, squares := 0.0, 0.0
	for _, kind := range d.Kinds {
		by := table[kind]
		cells, best := make([]string, len(names)), 0
		means := make([]float64, len(names))
		var mine sums
		for k, outcomes := range by {
			var s sums
			var x []float64
			for i, o := range outcomes {
				if !o.ok {
					continue
				}
				s.add(o)
				all[k].add(o)
				x = append(x, o.scaled)
				if k > 0 && by[0][i].ok {
					pairs[k] = append(pairs[k], by[0][i].scaled-o.scaled)
				}
			}
			if k == 0 {
				mine = s
			}
			if cells[k], means[k] = "", math.Inf(-1); len(x) > 0 {
				cells[k] = meanText(x)
			}
			if len(x) == d.Seeds {
				if means[k] = s.truth / float64(s.studies); means[k] > means[best] {
					best = k
				}
			}
		}
		r := ratioOf(by[0], by[best])
		shares += r.mean
		squares += r.se * r.se
		fmt.Fprintf(w, "| %s | %s | %s | %.3f | %.3f | %d | %d of %d | %d of %d | %d |\n", kind, strings.Join(cells, " | "), names[best], r.mean, r.se,
			mine.below, mine.held, mine.claims, mine.covered, mine.validations, mine.passed)
	}
	n := float64(len(d.Kinds))
	fmt.Fprintf(w, "\nmean share of %s of the best method of each kind: %.3f +- %.3f\n", ours, shares/n, math.Sqrt(squares)/n)
	for k, s := range all {
		fmt.Fprintf(w, "%s: mean %.2f of %d studies; below -5: %d (%.2f %%); claims %d of %d (%.3f), validations %d of %d (%.3f); passed %d, of which at or below the baseline %d; %.3f s a study",
			names[k], s.truth/float64(max(1, s.studies)), s.studies, s.below, 100*float64(s.below)/float64(max(1, s.studies)), s.held, s.claims, float64(s.held)/float64(max(1, s.claims)),
			s.covered, s.validations, float64(s.covered)/float64(max(1, s.validations)), s.passed, s.false, s.seconds/float64(max(1, s.studies)))
		if k > 0 && len(pairs[k]) > 0 {
			fmt.Fprintf(w, "; %s less it %s (%d pairs)", ours, meanText(pairs[k]), len(pairs[k]))
		}
		fmt.Fprintln(w)
	}
	return nil
}

// meanText is the mean of numbers with its standard error.
func meanText(x []float64) string {
	s := sampleOf(make([]Outcome, 0), truth)
	s.n = float64(len(x))
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum, squares = sum+v, squares+v*v
	}
	s.mean = sum / s.n
	if s.n > 1 {
		s.se = math.Sqrt(math.Max(squares-sum*s.mean, 0) / (s.n - 1) / s.n)
	}
	return fmt.Sprintf("%.1f +- %.1f", s.mean, s.se)
}

// ratioOf is the ratio of the means of two methods on the same landscapes.
func ratioOf(a, b []drawnOutcome) sample {
	plain := func(of []drawnOutcome) []Outcome {
		out := make([]Outcome, len(of))
		for i, o := range of {
			out[i].Truth = o.scaled
		}
		return out
	}
	return ratio(plain(a), plain(b))
}

// kindsOf returns the kinds of a comma-separated list, all for an empty one.
func kindsOf(list string) []string {
	all := ground.Kinds()
	if list == "" {
		return all
	}
	asked := strings.Split(list, ",")
	return slices.DeleteFunc(all, func(k string) bool { return !slices.Contains(asked, k) })
}
