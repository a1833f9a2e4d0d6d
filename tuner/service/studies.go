package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/lru"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/studyfile"
)

// Studies is what can be done with studies.
type Studies struct {
	s     *Service
	Logs  Logs
	Files StudyFiles
}

// StudyFiles takes study files, makes new ones of studies, and exports what studies found.
type StudyFiles struct{ s *Service }

// Studies returns the studies of the database.
func (s *Service) Studies() *Studies { return &Studies{s, Logs{s}, StudyFiles{s}} }

// List lists the studies that a filter lets through.
func (t *Studies) List(ctx context.Context, f store.Filter) ([]Study, error) {
	page, err := t.s.store.Studies.Find(ctx, f)
	if err != nil {
		return nil, err
	}
	return t.lines(ctx, page)
}

// All lists all studies, the oldest first.
func (t *Studies) All(ctx context.Context) iter.Seq2[Study, error] {
	return func(yield func(Study, error) bool) {
		for l, err := range t.s.store.Studies.All(ctx) {
			if err != nil {
				yield(Study{}, err)
				return
			}
			line, err := t.line(ctx, l)
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// lines returns studies as they are listed.
func (t *Studies) lines(ctx context.Context, page []store.Listing) ([]Study, error) {
	out := []Study{}
	for _, l := range page {
		line, err := t.line(ctx, l)
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

// line returns a study as lists show it, with its progress if it runs.
func (t *Studies) line(ctx context.Context, l store.Listing) (line Study, err error) {
	line = t.explained(lineOf(l))
	if l.Foreign {
		if line.Best, err = foreignBest(ctx, t.s.store, l); err != nil {
			return line, fmt.Errorf("study %q: %w", l.Name, err)
		}
		return line, nil
	}
	can := t.s.reach.of(l, t.s.games.all(), t.s.o.Samplers)
	line.About.Seats, line.About.Elsewhere = can.seats, can.away
	switch {
	case l.State == tuner.Done:
		line.MaxTrials = line.Trials
	case can.trials > 0:
		line.MaxTrials = max(line.Trials, can.trials)
	}
	if p, ok := t.s.daemon.Progress(daemon.StudyKey(l.Name)); ok {
		line.Progress = ProgressOf(p)
	}
	return line, nil
}

// Show returns one study, whole.
func (t *Studies) Show(ctx context.Context, name string) (*StudyDetail, error) {
	d, err := known(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	line, err := t.line(ctx, d.Listing)
	if err != nil {
		return nil, err
	}
	out := &StudyDetail{
		Study: line, SpecSHA256: d.SpecHash, Signature: d.Signatures,
		Entries: d.Entries,
	}
	if !d.Foreign {
		out.Spec = json.RawMessage(d.Spec)
		if spec, err := StoredSpec(d); err == nil {
			out.Takes, _ = t.s.o.Samplers.Takes(spec.Sampler.Name)
		}
	}
	if out.Result, err = storedResult(d); err == nil {
		out.Note, err = t.s.store.Study(d.ID).Note(ctx)
	}
	return out, err
}

// Several returns studies of these names, once each, to be held against each other; a study of
// another program is refused.
func (t *Studies) Several(ctx context.Context, names []string) ([]*StudyDetail, error) {
	var all []*StudyDetail
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			continue
		}
		d, err := t.Show(ctx, n)
		if err != nil {
			return nil, err
		}
		if d.Foreign {
			return nil, &store.ForeignStudyError{Study: n}
		}
		src, err := t.s.store.Study(d.ID).Source(ctx)
		if err != nil {
			return nil, err
		}
		d.Written = studyfile.Written(src.Text)
		all = append(all, d)
	}
	return all, nil
}

// Examples returns the embedded study files by name.
func (t StudyFiles) Examples() ([]Example, error) {
	var out []Example
	for _, name := range studies.Names() {
		text, err := studies.Read(name)
		if err != nil {
			return nil, err
		}
		out = append(out, Example{Name: name, File: string(text)})
	}
	return out, nil
}

// former reports whether a name is that of a log which was kept when its study began anew.
func former(name string) bool { return strings.Contains(name, "@") }

// Found are studies that were looked for.
type Found struct {
	Studies  []Study
	Outcomes map[string]int // of the studies that are found in every outcome
	Games    map[string]int // of all studies
	Notes    map[int]string // what people have written, by a study's number
}

// Find lists the studies that a filter lets through, with the counts of others.
func (t *Studies) Find(ctx context.Context, f store.Filter) (*Found, error) {
	page, err := t.s.store.Studies.Find(ctx, f)
	if err != nil {
		return nil, err
	}
	out := &Found{}
	if out.Studies, err = t.lines(ctx, page); err != nil {
		return nil, err
	}
	if out.Notes, err = t.s.store.Studies.Notes(ctx, page); err != nil {
		return nil, err
	}
	out.Outcomes, out.Games, err = t.s.store.Studies.Count(ctx, f)
	return out, err
}

// Whole reads a study with all its trials.
func (s *Studies) Whole(ctx context.Context, name string) (*WholeStudy, error) {
	d, err := s.Show(ctx, name)
	if err != nil {
		return nil, err
	}
	w := &WholeStudy{StudyDetail: *d, Workers: []blocks.Worker{}, Trial: []Trial{}}
	if !d.Foreign {
		if w.Spec, err = tuner.ParseSpec(d.Spec); err != nil {
			return nil, fmt.Errorf("study %q: %w", name, err)
		}
		if w.Workers, err = s.workers(ctx, name); err != nil {
			return nil, err
		}
	}
	for t, err := range s.Logs.AllTrials(ctx, name) {
		if err != nil {
			return nil, err
		}
		w.Trial = append(w.Trial, t)
	}
	if w.Spec != nil && w.Spec.Duels {
		c, err := s.Logs.Read(ctx, d)
		if err != nil {
			return nil, err
		}
		w.Estimates = estimates(c)
	}
	return w, nil
}

// estimates returns what the model of all games says of each trial that has played, in the order
// of the lower ends of their intervals, before these are held within what is told.
func estimates(c *insight.Log) []TrialEstimate {
	out, m, scale, least := []TrialEstimate{}, c.Model(), c.Scale(), map[int]float64{}
	for i := range c.Trials {
		if c.Trials[i].Blocks == 0 {
			continue
		}
		e := TrialEstimate{Trial: i, Games: int64(c.Trials[i].Blocks) * c.Spec.BlockGames()}
		if m != nil {
			v, standardError := m.Height(c.Point(i), len(m.Looks)-1)
			half := stats.Deviate95 * standardError
			elo := func(above float64) float64 { return scale.OfScore(above + 0.5) }
			least[i], e.Elo, e.EloCI = v-half, numeral.Finite(elo(v)), &[2]float64{elo(v - half), elo(v + half)}
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b TrialEstimate) int {
		return cmp.Compare(least[b.Trial], least[a.Trial])
	})
	return out
}

// reach knows how many trials studies can reach, and what their values are: lists are
// read often, and the members of a finite space are counted one by one.
type reach struct {
	mu    sync.Mutex
	known *lru.Cache[string, reached] // by spec and budget
}

// reached is the number of trials that a study can reach, 0 where that cannot be told, the
// number of seats where its values are scores against the baseline, else 0, and whether another
// program plays its games.
type reached struct {
	trials, seats int
	away          bool
}

// of returns that of a study without a result.
func (r *reach) of(l store.Listing, games arena.Catalogue, samplers sampler.Kinds) reached {
	if l.Pending == nil {
		return reached{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = lru.New[string, reached](4096)
	}
	key := fmt.Sprint(l.SpecHash, l.BudgetTrials, l.BudgetGames)
	n, ok := r.known.Get(key)
	if !ok {
		n = reachable(l, games, samplers)
		r.known.Put(key, n)
	}
	return n
}

func reachable(l store.Listing, games arena.Catalogue, samplers sampler.Kinds) reached {
	spec := new(tuner.Spec)
	if json.Unmarshal(l.Pending, spec) != nil {
		return reached{}
	}
	spec.Budget = tuner.Budget{Trials: l.BudgetTrials, Games: l.BudgetGames}
	setup, err := tuner.Prepare(spec, games)
	if err != nil {
		return reached{away: spec.Elsewhere()}
	}
	return reached{trials: MostTrials(setup, samplers), seats: tuner.GainSeats(setup), away: spec.Elsewhere()}
}

// MostTrials returns the number of trials that a study can reach before its games or its
// space end.
func MostTrials(s *tuner.Setup, samplers sampler.Kinds) int {
	return s.MostTrials(answers(s, samplers))
}

// answers reports whether the sampler of a study answers with a model.
func answers(s *tuner.Setup, samplers sampler.Kinds) bool {
	size := tuner.SearchSize{Games: s.Budget.Games, BlockGames: s.BlockGames(), Duels: s.Duels}
	return samplers.Traits(s.Sampler, s.Tune.Params.Given(s.Tune.Fix), size).Answers
}
