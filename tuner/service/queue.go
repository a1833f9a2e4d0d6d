package service

import (
	"cmp"
	"context"
	"fmt"
	"sakusen/engines/arena"
	"slices"
	"sync"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// Queue runs studies, tournaments and experiments: each is paused, resumed, stopped, made more
// urgent and deleted there by its key.
type Queue struct {
	*daemon.Daemon
	book *book
}

// Queue returns the queue of the service.
func (s *Service) Queue() Queue { return Queue{s.daemon, &book{s}} }

// SetCatalogue changes the games. Open studies continue with the games with which they began.
func (q Queue) SetCatalogue(games arena.Catalogue) { q.book.games.now.Store(&games) }

// Resume puts what was paused, stopped or failed back into the queue, and returns the state
// that it has set, or found where it was queued or ran.
func (q Queue) Resume(ctx context.Context, key daemon.Key) (tuner.State, error) {
	if q.book.ofFormer(ctx, key.Name) {
		return "", New(Conflict, fmt.Sprintf("study %q is an earlier log that was replaced, and cannot be resumed", key.Name))
	}
	return q.Daemon.Resume(ctx, key)
}

// book is the daemon's record: the studies and jobs of the store.
type book struct{ *Service }

// Waiting implements daemon.Book: studies and jobs in one queue.
func (b *book) Waiting(ctx context.Context) ([]daemon.Item, error) {
	studies, err := b.store.Studies.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := b.store.Jobs.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	type dated struct {
		daemon.Item
		created time.Time
	}
	var all []dated
	for _, w := range studies {
		all = append(all, dated{daemon.Item{Key: daemon.StudyKey(w.Name), State: w.State, Priority: w.Priority}, w.Created})
	}
	for _, j := range jobs {
		all = append(all, dated{daemon.Item{Key: daemon.JobKey(daemon.Kind(j.Kind), j.ID), State: j.State, Priority: j.Priority}, j.Created})
	}
	slices.SortStableFunc(all, func(x, y dated) int {
		return cmp.Or(cmp.Compare(y.Priority, x.Priority), x.created.Compare(y.created))
	})
	var out []daemon.Item
	for _, e := range all {
		out = append(out, e.Item)
	}
	return out, nil
}

// Find implements daemon.Book.
func (b *book) Find(ctx context.Context, key daemon.Key) (daemon.Item, error) {
	if key.Kind != daemon.Study {
		j, err := findJob(ctx, b.store, key)
		return daemon.Item{Key: key, State: j.State, Priority: j.Priority}, err
	}
	d, err := FindStudy(ctx, b.store, key.Name)
	return daemon.Item{Key: key, State: d.State, Priority: d.Priority}, err
}

// SetState implements daemon.Book.
func (b *book) SetState(ctx context.Context, key daemon.Key, state tuner.State, message string) error {
	if key.Kind != daemon.Study {
		return b.store.Jobs.SetState(ctx, key.ID, state, message)
	}
	return b.edit(ctx, key.Name, func(l *store.Log) error { return l.SetState(ctx, state, message) })
}

// SetPriority implements daemon.Book.
func (b *book) SetPriority(ctx context.Context, key daemon.Key, priority int) error {
	if key.Kind != daemon.Study {
		if _, err := findJob(ctx, b.store, key); err != nil {
			return err
		}
		return b.store.Jobs.SetPriority(ctx, key.ID, priority)
	}
	return b.edit(ctx, key.Name, func(l *store.Log) error { return l.SetPriority(ctx, priority) })
}

// Delete implements daemon.Book.
func (b *book) Delete(ctx context.Context, key daemon.Key) error {
	if key.Kind != daemon.Study {
		if _, err := findJob(ctx, b.store, key); err != nil {
			return err
		}
		return b.store.Jobs.Delete(ctx, key.ID)
	}
	d, err := known(ctx, b.store, key.Name)
	if err != nil && (d.ID == 0 || !sqlitedb.Damaged(err)) { // a damaged study is deleted too
		return err
	}
	return b.store.Studies.Delete(d.ID)
}

// ofFormer reports whether a name is that of a former log and not of another program's
// study, which may have any name.
func (b *book) ofFormer(ctx context.Context, name string) bool {
	if !former(name) {
		return false
	}
	d, err := known(ctx, b.store, name)
	return err != nil || !d.Foreign
}

// edit opens a study's record.
func (b *book) edit(ctx context.Context, name string, do func(*store.Log) error) error {
	l, err := b.store.Studies.Open(ctx, name)
	if err != nil {
		return missing(name, err)
	}
	return do(l)
}

// Turns is the queue of studies, tournaments and experiments.
type Turns struct {
	Places  map[string]int // of the studies that wait; 1 is the next
	Running int
	AtOnce  int // that may run side by side
}

// Turns reports where the studies stand that wait.
func (t *Studies) Turns(ctx context.Context) (Turns, error) {
	out := Turns{Places: map[string]int{}, AtOnce: t.s.daemon.AtOnce()}
	waiting := 0
	all, err := (&book{t.s}).Waiting(ctx)
	if err != nil {
		return out, err
	}
	for _, e := range all {
		if e.State == tuner.Running {
			out.Running++
			continue
		}
		waiting++
		if e.Key.Kind == daemon.Study {
			out.Places[e.Key.Name] = waiting
		}
	}
	return out, nil
}

// Extend gives a study that does not run, and has no verdict yet, a larger budget: games
// and trials at most, 0 for what it has. Nothing else of it changes, and not its state.
func (t *Studies) Extend(ctx context.Context, name string, games int64, trials int) error {
	return t.s.daemon.Still(ctx, daemon.StudyKey(name), "change the budget of", func() error {
		d, err := FindStudy(ctx, t.s.store, name)
		if err != nil {
			return err
		}
		if !slices.Contains([]tuner.State{tuner.Queued, tuner.Paused, tuner.Stopped, tuner.Failed}, d.State) {
			return New(Conflict, fmt.Sprintf("study %q is %s: its budget is changed while it waits, or is paused, stopped or failed", name, d.State))
		}
		b := tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
		if games > 0 {
			b.Games = games
		}
		if trials > 0 {
			b.Trials = trials
		}
		if b.Games < d.BudgetGames || b.Trials < d.BudgetTrials {
			return New(Invalid, fmt.Sprintf("budget: expected at least the %d games and %d trials that it has, as a budget only grows; got %d games and %d trials", d.BudgetGames, d.BudgetTrials, b.Games, b.Trials))
		}
		spec, err := tuner.ParseSpec([]byte(d.Spec))
		if err != nil {
			return err
		}
		spec.Budget = b
		h, err := headerOf(spec, d.Signatures)
		if err != nil {
			return err
		}
		h.Question = d.Question
		source, err := t.s.store.Study(d.ID).Source(ctx)
		if err != nil {
			return err
		}
		_, _, err = t.s.store.Studies.Resume(ctx, h, source, d.Priority)
		return err
	})
}

// Now lists what runs, what waits, what ended, and what needs a person's decision.
type Now struct {
	Workers   int     `json:"workers"` // games that are played side by side
	AtOnce    int     `json:"at_once"` // studies and jobs that run side by side
	PerSecond float64 `json:"games_per_second"`
	// Running are in the order of their urgency, Waiting in that in which they begin.
	Running []Study `json:"running"`
	Waiting []Study `json:"waiting"`
	// RunningJobs and WaitingJobs are tournaments, runs of experiments and tests of patches.
	RunningJobs []Job `json:"running_jobs"`
	WaitingJobs []Job `json:"waiting_jobs"`
	// Ended came to a verdict or an end since the time that was asked for, the latest first.
	Ended     []Study `json:"ended"`
	EndedJobs []Job   `json:"ended_jobs"`
	// Failed, Undecided and Paused studies need a person's decision; FailedJobs too. Undecided are
	// those too whose pass is in doubt, and that ended without an answer or without its test.
	Failed     []Study `json:"failed"`
	Undecided  []Study `json:"undecided"`
	Paused     []Study `json:"paused"`
	FailedJobs []Job   `json:"failed_jobs"`
	// Held says why nothing is written, empty where all is well.
	Held string `json:"held"`
	// Counts are how many studies came to each outcome.
	Counts map[string]int `json:"counts"`
}

// NowListed bounds each list.
const NowListed = 12

// Now returns what goes on, with what ended since a time.
func (t *Studies) Now(ctx context.Context, since time.Time) (*Now, error) {
	s := t.s
	n := &Now{AtOnce: s.daemon.AtOnce(), RunningJobs: []Job{}, WaitingJobs: []Job{}, EndedJobs: []Job{}, FailedJobs: []Job{}, Ended: []Study{}}
	if s.o.Pool != nil {
		n.Workers = s.o.Pool.Workers()
	}
	if damage := s.daemon.Damage(); damage != nil {
		n.Held = damage.Error()
	} else if s.daemon.Waiting() > 0 {
		n.Held = "the database cannot be written, for example because the disk is full; what waits goes on by itself"
	}
	var err error
	for _, list := range []struct {
		outcome string
		to      *[]Study
	}{{"running", &n.Running}, {"waiting", &n.Waiting}, {"failed", &n.Failed}, {"undecided,in doubt,not tested,no answer", &n.Undecided}, {"paused", &n.Paused}} {
		if *list.to, err = t.List(ctx, store.Filter{Outcome: list.outcome, Sort: map[bool]string{true: "", false: "ended"}[list.outcome == "running"], Limit: NowListed}); err != nil {
			return nil, err
		}
	}
	if n.Counts, _, err = s.store.Studies.Count(ctx, store.Filter{}); err != nil {
		return nil, err
	}
	slices.SortStableFunc(n.Waiting, func(a, b Study) int { return cmp.Or(b.Priority-a.Priority, a.ID-b.ID) })
	last, err := t.List(ctx, store.Filter{Sort: "ended", Limit: 4 * NowListed})
	if err != nil {
		return nil, err
	}
	for _, one := range last {
		if at, err := time.Parse(time.RFC3339, one.Updated); err == nil && one.State == "done" && at.After(since) && len(n.Ended) < NowListed {
			n.Ended = append(n.Ended, one)
		}
	}
	for _, one := range n.Running {
		if one.Progress != nil {
			n.PerSecond += one.Progress.PerSecond
		}
	}
	return n, n.addJobs(ctx, s, since)
}

// addJobs adds the tournaments, the runs of experiments and the tests of patches.
func (n *Now) addJobs(ctx context.Context, s *Service, since time.Time) error {
	for _, kind := range []daemon.Kind{daemon.Tournament, daemon.Experiment, daemon.Test} {
		list, err := s.Jobs(kind).List(ctx, store.Filter{Sort: "newest", Both: true, Limit: 4 * NowListed})
		if err != nil {
			return err
		}
		for _, j := range list {
			switch {
			case j.State == "running":
				n.RunningJobs = append(n.RunningJobs, j)
				if j.Progress != nil {
					n.PerSecond += j.Progress.PerSecond
				}
			case j.State == "queued":
				n.WaitingJobs = append(n.WaitingJobs, j)
			case j.State == "failed":
				n.FailedJobs = append(n.FailedJobs, j)
			case j.State == "done" && j.Updated.After(since):
				n.EndedJobs = append(n.EndedJobs, j)
			}
		}
	}
	return nil
}

// turns lets one request at a time work on a study whose games are played elsewhere.
type turns struct {
	mu sync.Mutex
	of map[string]*sync.Mutex
}

func (t *turns) take(study string) (give func()) {
	t.mu.Lock()
	if t.of == nil {
		t.of = map[string]*sync.Mutex{}
	}
	one := t.of[study]
	if one == nil {
		one = &sync.Mutex{}
		t.of[study] = one
	}
	t.mu.Unlock()
	one.Lock()
	return one.Unlock
}
