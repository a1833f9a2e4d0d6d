package laboratory

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/sampler"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// method is a way to spend a number of games.
type method struct {
	Name string
	// file is the part of the study file after the baseline; ok says whether the method can
	// be used on the ground.
	file func(g *ground, games int64, seed int) (text string, ok bool)
	// outside, unless empty, is the command of the program that searches.
	outside []string
}

// The names of the methods that tables compare.
const (
	Default    = "default"
	headToHead = "SPSA"
)

// methods returns the rows of the tables: the default, and one search of each kind beside it.
func methods() []method {
	return []method{plain(Default, ""), climbing(), racing("TPE", "tpe"), halving(), flat()}
}

// study returns the whole study file.
func (m method) study(g *ground, games int64, seed int) (text string, ok bool) {
	body, ok := m.file(g, games, seed)
	return "version: 1\nname: tuners\n" + g.Head + g.Tune + body, ok
}

// plain returns what a study file does that has nothing but more keys of its sampler.
func plain(name, more string) method {
	return method{Name: name, file: func(g *ground, games int64, seed int) (string, bool) {
		return fmt.Sprintf("sampler: {seed: %d%s}\nbudget: {games: %d}\n", seed, more, games), true
	}}
}

// limited returns a budget that only games end.
func limited(games int64) string { return fmt.Sprintf("budget: {trials: 1000000, games: %d}\n", games) }

// climbing returns SPSA: head to head where two play, and against the baseline where
// candidates cannot meet each other.
func climbing() method {
	return method{Name: headToHead, file: func(g *ground, games int64, seed int) (string, bool) {
		mode := "duels"
		if g.seats() > 2 {
			mode = "baseline"
		}
		return fmt.Sprintf("sampler: {name: spsa, seed: %d}\nevaluate: {mode: %s}\n", seed, mode) + limited(games), !g.Mixed
	}}
}

// racing returns a sampler with a study's usual race.
func racing(name, sampler string) method {
	return method{Name: name, file: func(g *ground, games int64, seed int) (string, bool) {
		return fmt.Sprintf("sampler: {name: %s, seed: %d}\n", sampler, seed) + limited(games), true
	}}
}

// flat gives every trial the same games, spends all games on the search, and exports the
// best trial: the usual way of tuning. Its validation is played in addition.
func flat() method {
	const gamesOfTrial, proof = 200, 2000
	return method{Name: "uniform, 200 games", file: func(g *ground, games int64, seed int) (string, bool) {
		return fmt.Sprintf("sampler: {name: uniform, seed: %d, batch: 1}\nrace: {method: none, rungs: [%d]}\nfinal: {top: 0}\n",
			seed, gamesOfTrial/g.seats()) + g.proof(proof) + limited(games+proof*int64(g.seats())), true
	}}
}

// proof returns the line of a validation of so many blocks, or none where starts bound it.
func (g *ground) proof(blocks int64) string {
	if g.Starts > 0 {
		return ""
	}
	return fmt.Sprintf("validation: {max_blocks: %d}\n", blocks)
}

// halving returns one batch, halved down to two: rungs double and take four fifths of the
// games together.
func halving() method {
	const halved = 256
	return method{Name: "halving", file: func(g *ground, games int64, seed int) (string, bool) {
		var rungs []int64
		cost := int64(0) // in first rungs' blocks
		for n, at := int64(halved), int64(1); n >= 2; n, at = n/2, 2*at {
			rungs = append(rungs, at)
			cost += n * (at - at/2)
		}
		all := games / int64(g.seats())
		for i := range rungs {
			rungs[i] = max(rungs[i], rungs[i]*(all*4/5)/cost)
		}
		return fmt.Sprintf("sampler: {name: uniform, seed: %d, batch: %d}\nrace: {rungs: %s}\nfinal: {top: 0}\n%sbudget: {trials: %d, games: %d}\n",
			seed, halved, strings.ReplaceAll(fmt.Sprint(rungs), " ", ", "), g.proof(all/5), halved, games), true
	}}
}

// flights returns the default with one, two and three batches out at a time.
func flights() []method {
	return []method{plain(Default, ""), plain("flight 2", ", flight: 2"), plain("flight 3", ", flight: 3")}
}

// Outcome is what came of one study, Elo above the baseline.
type Outcome struct {
	Seed int `json:"seed"`
	// Top is what could be found.
	Top float64 `json:"top"`
	// Truth is the true Elo of what is exported; 0, the baseline's own, where the
	// search found nothing.
	Truth     float64     `json:"truth"`
	Claimed   *float64    `json:"claimed"`
	Validated *float64    `json:"validated"`
	CI        *[2]float64 `json:"ci95"` // of validated
	Verdict   string      `json:"verdict"`
	// ClaimCI is the 95 % interval of what is claimed.
	ClaimCI *[2]float64 `json:"claimed_ci95,omitempty"`
	Games   int64       `json:"games"`
	Trials  int         `json:"trials"`
	Seconds float64     `json:"seconds,omitempty"` // that the study took
}

// scaled returns the truth in sixtieths of what could be found; who loses more than that is
// as bad as one who loses just that.
func (o *Outcome) scaled() float64 {
	if o.Top == 0 {
		return 0
	}
	return 60 * math.Max(o.Truth/o.Top, -1)
}

// result is the outcomes of a method in a cell, in the order of the seeds; nil where the
// method cannot be used on what was drawn.
type result struct {
	Method   string
	cell     cell
	Outcomes []*Outcome
}

// bench runs studies.
type bench struct {
	Seeds   int // studies of each method in each cell
	First   int // seed of the first of them; 0 is 1
	Workers int // studies at the same time
	// Options say where outcomes are kept and which workers are free.
	Options experiment.Options
	// Progress, unless nil, is called with the games of each study when it is done, one at
	// a time.
	Progress func(games int64)

	mu sync.Mutex
}

// Run runs all methods in all cells, and hands over the result of each that can be used
// on some ground of the cell.
func (b *bench) Run(ctx context.Context, cells []cell, methods []method, done func(result)) error {
	for _, c := range cells {
		for _, m := range methods {
			r, err := b.run(ctx, c, m)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", m.Name, c.label(), err)
			}
			if slices.ContainsFunc(r.Outcomes, func(o *Outcome) bool { return o != nil }) {
				done(r)
			}
		}
	}
	return nil
}

// games returns the number of games that Run tells of: those of ground on which a method
// cannot be used are counted as well.
func (b *bench) games(cells []cell, methods []method) int64 {
	n := int64(0)
	for _, c := range cells {
		n += c.Games * int64(b.Seeds) * int64(len(methods))
	}
	return n
}

// run runs the studies of one method in one cell.
func (b *bench) run(ctx context.Context, c cell, m method) (result, error) {
	r := result{Method: m.Name, cell: c, Outcomes: make([]*Outcome, b.Seeds)}
	errs := make([]error, b.Seeds)
	slots := make(chan struct{}, max(1, b.Workers))
	var group sync.WaitGroup
	for i := range b.Seeds {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		group.Add(1)
		go func() {
			defer func() { <-slots; group.Done() }()
			r.Outcomes[i], errs[i] = b.study(ctx, c, m, max(1, b.First)+i)
			if b.Progress != nil && errs[i] == nil {
				b.mu.Lock()
				b.Progress(c.Games)
				b.mu.Unlock()
			}
		}()
	}
	group.Wait()
	return r, errors.Join(append(errs, ctx.Err())...)
}

// study runs one study, or finds its outcome where it was kept; nil where the method cannot be
// used.
func (b *bench) study(ctx context.Context, c cell, m method, seed int) (*Outcome, error) {
	g, err := c.at(seed)
	if err != nil {
		return nil, err
	}
	text, ok := m.study(g, c.Games, seed)
	if !ok {
		return nil, nil
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	name := fmt.Sprintf("study %x: %s, %s, seed %d", h.Sum64(), m.Name, c.label(), seed)
	o, err := experiment.RunCached(ctx, b.Options, name, func() (Outcome, error) {
		spec, err := g.read(m.Name, text)
		if err != nil {
			return Outcome{}, err
		}
		var o Outcome
		from := time.Now()
		if len(m.outside) > 0 {
			o, err = g.outside(ctx, m, spec, c.Games, seed)
		} else {
			o, err = g.run(ctx, spec)
		}
		o.Seed, o.Top, o.Seconds = seed, g.Top, math.Round(1e4*time.Since(from).Seconds())/1e4
		return o, err
	})
	return &o, err
}

// read reads a study file of the ground.
func (g *ground) read(name, text string) (*tuner.Setup, error) {
	return studyfile.Read(name, []byte(text), g.Catalogue, sampler.Kinds{})
}

// run runs a study in memory and holds its answer against the truth.
func (g *ground) run(ctx context.Context, spec *tuner.Setup) (Outcome, error) {
	proposer, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		return Outcome{}, err
	}
	study, err := study.Open(ctx, spec, study.Options{Host: arena.NewPool(1), Proposer: proposer, Record: store.NewMemory()})
	if err != nil {
		return Outcome{}, err
	}
	result, err := study.Run(ctx)
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Games: result.Games, Trials: result.Trials}
	if result.Best != nil {
		o.Claimed, o.ClaimCI = result.Best.Claimed.Elo, claimed95(result.Best)
		if o.Truth, err = g.Elo(result.Best.Values); err != nil {
			return o, err
		}
	}
	if v := result.Validation; v != nil {
		o.Validated, o.CI, o.Verdict = v.Elo, v.CI95, v.Verdict
	}
	return o, nil
}

// claimed95 returns the 95 % interval of a claim, Elo.
func claimed95(b *tuner.Best) *[2]float64 {
	if b.Claimed.Elo == nil || b.Value == nil || b.Error == nil || *b.Value <= 0 || *b.Value >= 1 {
		return nil
	}
	s := *b.Value
	e := stats.Deviate95 * *b.Error * 400 / math.Ln10 / (s * (1 - s)) // by the delta method
	return &[2]float64{*b.Claimed.Elo - e, *b.Claimed.Elo + e}
}

// kept is a file of outcomes, one JSON object a line, to which a long run adds
// each study as it ends: the same run goes on where it was cut short. An outcome
// belongs to the text of its study file; nothing tells whether the code has
// changed since, so a change of a search calls for a new file.
type kept struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]json.RawMessage
}

// keptLine is a line of the file.
type keptLine struct {
	Study   string          `json:"study"`
	Outcome json.RawMessage `json:"outcome"`
}

// keep opens or makes a file of outcomes. A last line that was cut short is
// written again.
func keep(path string) (*kept, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	k := &kept{file: f, known: map[string]json.RawMessage{}}
	in, whole := bufio.NewReader(f), int64(0)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		var line keptLine
		if err == nil {
			err = json.Unmarshal(text, &line)
		}
		if err == nil && line.Study == "" {
			err = fmt.Errorf("expected a study's outcome")
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		whole += int64(len(text))
		k.known[line.Study] = line.Outcome
	}
	if err := f.Truncate(whole); err != nil {
		f.Close()
		return nil, err
	}
	_, err = f.Seek(whole, io.SeekStart)
	return k, err
}

// Close closes the file.
func (k *kept) Close() error { return k.file.Close() }

// Find implements experiment.Pieces.
func (k *kept) Find(study string) (json.RawMessage, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	o, ok := k.known[study]
	return o, ok
}

// Keep implements experiment.Pieces.
func (k *kept) Keep(study string, outcome json.RawMessage) error {
	text, err := json.Marshal(keptLine{study, outcome})
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known[study] = outcome
	_, err = k.file.Write(append(text, '\n'))
	return err
}
