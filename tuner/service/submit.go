package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
)

// signTime is how long a submission waits for the signatures of a study: below the
// time that the server has for an answer.
const signTime = time.Minute

// submits is the key of what may add and not administer.
type submits struct{}

// Submitting returns the context of a request that may add studies and jobs, and has no say
// in those of others or in the order of all.
func Submitting(ctx context.Context) context.Context {
	return context.WithValue(ctx, submits{}, true)
}

// ErrRights says that a request takes a role that may administer.
var ErrRights = errors.New("this needs a token with the role administer")

// admits returns an error that says why a context may not ask for a priority.
func admits(ctx context.Context, priority int) error {
	if priority > 0 && ctx.Value(submits{}) != nil {
		return fmt.Errorf("priority %d is above the usual one: %w", priority, ErrRights)
	}
	return nil
}

// mayGrow returns an error that says why a context may not submit a study: it is there, and
// would have a larger budget.
func (t StudyFiles) mayGrow(ctx context.Context, s *tuner.Setup) error {
	if ctx.Value(submits{}) == nil {
		return nil
	}
	d, err := t.s.store.Studies.Details(ctx, s.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return nil
	}
	if err == nil && (s.Budget.Games > d.BudgetGames || s.Budget.Trials > d.BudgetTrials) {
		err = fmt.Errorf("study %q exists with a budget of %d games and %d trials, which this would raise: %w", s.Name, d.BudgetGames, d.BudgetTrials, ErrRights)
	}
	return err
}

// Submit queues a study, or only checks it, and returns its name. One that is
// there already with the same spec is left as it is.
func (t StudyFiles) Submit(ctx context.Context, given Submission) (string, error) {
	setup, source, err := t.read(given)
	if err != nil {
		return "", err
	}
	if err := errors.Join(admits(ctx, given.Priority), t.mayGrow(ctx, setup)); err != nil {
		return "", err
	}
	f := StudyFile{Setup: setup, Source: source}
	if given.Check {
		return setup.Name, t.free(ctx, f)
	}
	limited, cancel := context.WithTimeout(ctx, signTime)
	defer cancel()
	f.Signatures, err = setup.Ruleset.Signatures(limited, setup.Strategies()...)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return "", &Error{Code: Unavailable, RetryAfter: 5 * time.Second, Message: fmt.Sprintf(
			"games of %s under these rules take long: the signatures of its strategies are not computed yet; submit the study again in some minutes", setup.Game)}
	}
	if err != nil {
		return "", err
	}
	return setup.Name, t.Add(ctx, f, given.Priority)
}

// read reads a study file that was sent. It may not declare programs of its own.
func (t StudyFiles) read(given Submission) (*tuner.Setup, store.Source, error) {
	source := store.Source{Name: cmp.Or(given.Name, "study.yaml"), Text: given.Spec}
	if yamlfile.Read(source.Name, []byte(given.Spec), nil).Has("engines") {
		return nil, source, New(Invalid, "engines: expected only names in a study that is sent to the daemon: it runs only the programs that its own config.yaml registers")
	}
	setup, err := studyfile.Read(source.Name, []byte(given.Spec), t.s.games.all(), t.s.o.Samplers)
	return setup, source, Mistakes("the study file has mistakes", err)
}

// free returns an error that says why a study file cannot be submitted: a study of its name is
// there and is another one. Its strategies' signatures are not computed, which may take long.
func (t StudyFiles) free(ctx context.Context, f StudyFile) error {
	d, err := t.s.store.Studies.Details(ctx, f.Setup.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		_, err = begun(ctx, t.s.store, t.s.o.Samplers, f)
		return err
	}
	if err == nil {
		err = (execution{t.s}).asStored(ctx, &f)
	}
	if err != nil {
		return err
	}
	h, err := headerOf(f.Setup.Spec, d.Signatures)
	if err != nil {
		return err
	}
	return d.Header.Admits(&h)
}

// Add queues a study that was read. One that is there with the same spec stays in
// its state.
func (t StudyFiles) Add(ctx context.Context, f StudyFile, priority int) error {
	if err := (execution{t.s}).asStored(ctx, &f); err != nil {
		return err
	}
	h, err := asking(ctx, f)
	if err != nil {
		return err
	}
	if _, err := beginning(ctx, t.s.store, t.s.o.Samplers, f); err != nil {
		return err
	}
	if _, _, err = t.s.store.Studies.Resume(ctx, h, f.Source, priority); err != nil {
		return err
	}
	t.s.daemon.Queue()
	return nil
}

// asStored replaces the setup of a file by the stored one where both are of the same study:
// the file has the same text, or differs in its budget alone.
func (s execution) asStored(ctx context.Context, f *StudyFile) error {
	d, err := s.store.Studies.Details(ctx, f.Setup.Name)
	if errors.Is(err, store.ErrStudyNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	stored, err := sameText(ctx, s.store, d, *f)
	if stored != nil {
		if stored.Ruleset.Hash() != f.Setup.Ruleset.Hash() && f.Signatures != "" {
			// The signatures were made under the rules of the file as it reads now.
			if f.Signatures, err = stored.Ruleset.Signatures(ctx, stored.Strategies()...); err != nil {
				return err
			}
		}
		*f.Setup = *stored // the caller prints what is played
	}
	if err == nil && f.Source.Text != "" {
		f.Setup, err = scaled(ctx, s.store, s.o.Samplers, d, f.Setup, func(b *tuner.Budget) (*tuner.Setup, error) {
			return studyfile.ReadScaled(f.Source.Name, []byte(f.Source.Text), arena.Catalogue{f.Setup.Ruleset.Game}, s.o.Samplers, b)
		})
	}
	if err == nil {
		err = changed(ctx, s.store, d, *f)
	}
	return err
}

// asking returns the header of a study with what it will ask.
func asking(ctx context.Context, f StudyFile) (store.Header, error) {
	h, err := headerOf(f.Setup.Spec, f.Signatures)
	if err != nil {
		return h, err
	}
	q, err := f.Setup.Question(ctx)
	h.Question = &q
	return h, err
}

// headerOf returns what the record keeps of a spec.
func headerOf(spec *tuner.Spec, signatures string) (store.Header, error) {
	text, err := json.Marshal(spec)
	if err != nil {
		return store.Header{}, err
	}
	direction := goptuna.StudyDirectionMaximize
	if !spec.Maximize() {
		direction = goptuna.StudyDirectionMinimize
	}
	return store.Header{
		Name: spec.Name, Direction: direction, Game: spec.Game, Strategy: spec.Tune.Strategy, Baseline: spec.Baseline,
		Spec: string(text), SpecHash: spec.Hash(), Signatures: signatures,
		BudgetTrials: spec.Budget.Trials, BudgetGames: spec.Budget.Games,
	}, nil
}

// TryPoint is a point that a person asks a study to try.
type TryPoint struct {
	Study string `json:"study"`
	// Point has a value for every tuned parameter: those that were named and, of the
	// others, the baseline's or the default.
	Point map[string]string `json:"point"`
	Given int               `json:"given"` // so far while the study runs, this one included
}

// TryHelp explains giving points to a study.
const TryHelp = `Adds a point of your choice to a study: parameters and their values, in the units of the study file.
Parameters that are not named have the baseline's value, or else the default. The point becomes one of the next batch's
trials, also while the study runs, as long as its search has games left for a batch. It is judged like any other trial. It is
also in the log, so that a resumed study gives the same result. Points that are known before the study begins belong in its
file (begin). A finished study tries no more points: give it a larger budget first, or begin another study with its games
(begin_from).`

// Try has a study that is not done try a point.
func (t *Studies) Try(ctx context.Context, name string, named param.Values) (*TryPoint, error) {
	d, spec, err := find(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	if d.State == tuner.Done || d.State == tuner.Stopped {
		return nil, New(Conflict, fmt.Sprintf("study %q is %s and tries no more points: give it a larger budget, or begin another study with its games (begin_from: %s)", name, d.State, name))
	}
	if len(named) == 0 {
		return nil, New(Invalid, "point: expected at least one parameter with its value")
	}
	setup, err := tuner.Prepare(spec, t.s.games.all())
	if err != nil {
		return nil, err
	}
	if takes, _ := t.s.o.Samplers.Takes(setup.Sampler.Name); !takes || setup.Evaluate != nil {
		return nil, New(Conflict, fmt.Sprintf("study %q: its sampler, %s, tries only its own points", name, setup.Sampler.Name))
	}
	point, err := setup.Point(named)
	if err != nil {
		return nil, Wrap(Invalid, err)
	}
	out := &TryPoint{Study: name, Point: point.Map()}
	same := func(v param.Values) bool { return slices.Equal(v, point) }
	if slices.ContainsFunc(setup.Begin, same) {
		return nil, New(Conflict, fmt.Sprintf("study %q begins with this point", name))
	}
	out.Given, err = t.s.store.Study(d.ID).Give(ctx, point)
	switch {
	case errors.Is(err, store.ErrGiven):
		return nil, New(Conflict, fmt.Sprintf("study %q was given this point before", name))
	case errors.Is(err, store.ErrSearched):
		return nil, New(Conflict, fmt.Sprintf("the search of study %q has ended, and it tries no more points: begin another study with its games (begin_from: %s)", name, name))
	case err != nil:
		return nil, err
	}
	return out, nil
}

// mostNote is the longest note about a study, bytes.
const mostNote = 10000

// noteText returns a note as it is kept.
func noteText(text string) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	bad := func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }
	if len(text) > mostNote || !utf8.ValidString(text) || strings.ContainsFunc(text, bad) {
		return "", New(Invalid, fmt.Sprintf("note: expected a text of at most %d bytes without control characters", mostNote))
	}
	return text, nil
}

// put returns a note with the tag that puts what it is about away, or without.
func put(note string, away bool) string {
	if note = strings.ReplaceAll(note, store.ArchivedTag, ""); away {
		note += "\n" + store.ArchivedTag
	}
	return note
}

// SetNote writes about a study, in place of what was written before.
func (t *Studies) SetNote(ctx context.Context, name, text string) error {
	text, err := noteText(text)
	if err != nil {
		return err
	}
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return err
	}
	before, err := t.s.store.Study(d.ID).Note(ctx)
	if err == nil {
		err = resting(fmt.Sprintf("study %q", name), d.State, before, text)
	}
	if err != nil {
		return err
	}
	return t.s.store.Study(d.ID).SetNote(ctx, text)
}

// resting refuses a note that would put away what runs or waits: it would go on unseen.
func resting(what string, state tuner.State, before, text string) error {
	if state != tuner.Running && state != tuner.Queued || !strings.Contains(text, store.ArchivedTag) || strings.Contains(before, store.ArchivedTag) {
		return nil
	}
	return New(Conflict, fmt.Sprintf("%s is %s and would go on unseen: pause or stop it, then archive it", what, state))
}

// Archive puts a study away, so that lists leave it out, or back again: by a tag in its note.
func (t *Studies) Archive(ctx context.Context, name string, away bool) error {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return err
	}
	note, err := t.s.store.Study(d.ID).Note(ctx)
	if err != nil || away == strings.Contains(note, store.ArchivedTag) {
		return err
	}
	return t.SetNote(ctx, name, put(note, away))
}

// forecastOf returns the forecast of a study that was read, whose validation would be the
// given attempt, with what is known of its games; see [insight.Probe].
func forecastOf(setup *tuner.Setup, samplers sampler.Kinds, attempt int, known insight.Known) (*insight.Forecast, error) {
	return insight.ForecastOf(setup, answers(setup, samplers), attempt, known)
}

// attempt returns the number of the attempt that a validation of a study would be now.
func attempt(ctx context.Context, s *store.Store, setup *tuner.Setup) (int, error) {
	q, err := setup.Question(ctx)
	if err != nil {
		return 0, err
	}
	return s.NextAttempt(ctx, q)
}

// Forecast reports how long a study would take and what it could prove, were it
// submitted now. A few of its games are played for that, once for each kind.
func (t StudyFiles) Forecast(ctx context.Context, given Submission) (*insight.Forecast, error) {
	setup, _, err := t.read(given)
	if err != nil {
		return nil, err
	}
	known := t.s.probes.of(ctx, setup, t.s.o.Pool)
	a, err := attempt(ctx, t.s.store, setup)
	if err != nil {
		return nil, err
	}
	return forecastOf(setup, t.s.o.Samplers, a, known)
}

// probes remembers what is known of the games of studies, so that they are played
// once and not for every key that is pressed in a form.
type probes struct {
	mu    sync.Mutex
	known map[string]insight.Known
}

// mostProbes bounds what is remembered.
const mostProbes = 200

// of returns what is known of a study's games.
func (p *probes) of(ctx context.Context, s *tuner.Setup, pool *arena.Pool) insight.Known {
	key := strings.Join(append([]string{s.Game, s.Ruleset.Hash(), s.Tune.Strategy, s.Tune.Fix.String(), s.Baseline, s.Proved().Name()}, s.Pool...), "\n")
	return p.once(ctx, key, pool, func(host arena.Host) insight.Known { return insight.Probe(ctx, s, host, insight.Patience) })
}

// once returns what a probe found that was played before under the key, or is played now.
func (p *probes) once(ctx context.Context, key string, pool *arena.Pool, probe func(host arena.Host) insight.Known) insight.Known {
	p.mu.Lock()
	defer p.mu.Unlock() // one at a time: two would take the processors from each other
	if k, ok := p.known[key]; ok {
		return k
	}
	if pool == nil {
		pool = arena.NewPool(1)
	}
	k := probe(pool)
	if ctx.Err() != nil {
		return k
	}
	if len(p.known) >= mostProbes || p.known == nil {
		p.known = map[string]insight.Known{}
	}
	p.known[key] = k
	return k
}
