package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// Run runs a study or a job of the queue from whatever of it is done already, and
// writes its result. It is the daemon.Runner.
func (s *Service) Run(ctx context.Context, key daemon.Key, host arena.Host, tell func(tuner.Progress)) error {
	err := s.run(ctx, key, host, tell)
	if other, ok := errors.AsType[*tuner.DifferentError](err); ok && len(other.Workers) > 0 {
		if f := s.liars.Load(); f != nil {
			(*f)(other.Workers)
			select { // what has met their blocks is interrupted while they are dropped, and begins anew
			case <-ctx.Done():
			case <-time.After(dropPatience):
			}
		}
	}
	return err
}

// dropPatience is how long a study or job waits for the blocks of a liar to be dropped.
const dropPatience = 10 * time.Minute

func (s *Service) run(ctx context.Context, key daemon.Key, host arena.Host, tell func(tuner.Progress)) error {
	if key.Kind == daemon.Study {
		d, err := FindStudy(ctx, s.store, key.Name)
		if err != nil {
			return err
		}
		return execution{s}.runStored(ctx, key.Name, execution{s}.fixing(host, studyOwner(d.ID)), tell)
	}
	j, err := findJob(ctx, s.store, key)
	if err != nil {
		return err
	}
	host = execution{s}.fixing(host, key.String())
	w := execution{s}.newJobWatch(ctx, j, tell)
	var result any
	switch key.Kind {
	case daemon.Tournament:
		result, err = execution{s}.runTournament(ctx, j, host, w)
	case daemon.Test:
		result, err = execution{s}.runPatch(ctx, j, host, w)
	default:
		result, err = execution{s}.runExperiment(ctx, j, host, w)
	}
	w.note()
	if err != nil {
		return err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return s.store.Jobs.Finish(context.WithoutCancel(ctx), key.ID, text)
}

// studyOwner returns in whose name the store has the speeds for which a study's clocks are meant.
func studyOwner(id int) string { return fmt.Sprint("study ", id) }

// fixing returns the host of a study or job, whose clocks are meant for the machine on which it began.
func (s execution) fixing(host arena.Host, owner string) arena.Host {
	return fixingHost{host, func(own arena.Speeds) (arena.Speeds, error) {
		return s.store.FixSpeeds(context.Background(), owner, own)
	}}
}

type fixingHost struct {
	arena.Host
	fix func(own arena.Speeds) (arena.Speeds, error)
}

// Play implements arena.Host.
func (h fixingHost) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	s.Fix = h.fix
	return h.Host.Play(ctx, s, observe)
}

// execution runs studies and jobs with the options of a service.
type execution struct{ *Service }

const (
	// tellJobEvery is the least time between two events about a job.
	tellJobEvery = 200 * time.Millisecond
	// noteJobEvery is the least time between two notes of a job's progress in the record.
	noteJobEvery = time.Second
	// partialCost bounds the share of the time that goes into partial results: after one,
	// the next waits this many times as long as it took.
	partialCost = 20
)

// jobWatch reports a job's progress: often to watchers, now and then to the record.
type jobWatch struct {
	ctx   context.Context // a note is written even if the job is interrupted
	store *store.Store
	id    int
	tell  func(tuner.Progress)
	clock func() time.Time

	mu       sync.Mutex
	now      tuner.Progress
	before   store.Job // as it was interrupted: what is found again is not less
	games    int64     // played or found by this run
	pace     numeral.Pace
	noted    time.Time
	nextPart time.Time
	part     json.RawMessage // not noted yet
}

func (s execution) newJobWatch(ctx context.Context, j store.Job, tell func(tuner.Progress)) *jobWatch {
	w := &jobWatch{ctx: context.WithoutCancel(ctx), store: s.store, id: j.ID, before: j, tell: tell, clock: s.o.Clock, pace: numeral.New(s.o.Clock(), tellJobEvery)}
	w.now = tuner.Progress{Incumbent: -1, Phase: j.Kind, Blocks: j.Blocks, MaxBlocks: j.Of, Games: j.Games}
	return w
}

// progress counts blocks played or found, the last of them so many games.
func (w *jobWatch) progress(blocks, of, games int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.games += games
	w.now.Blocks, w.now.MaxBlocks, w.now.Games = max(blocks, w.before.Blocks), of, max(w.games, w.before.Games)
	now := w.clock()
	left := w.pace.Rest(now, blocks, of)
	if w.pace.Due(now) {
		w.pace.Shown(now)
		w.now.PerSecond = w.pace.PerSecond(now, w.games)
		w.now.Left = left
		w.tell(w.now)
	}
	if now.Sub(w.noted) >= noteJobEvery {
		w.write()
	}
}

// partial computes and notes the result so far, if it is time for one.
func (w *jobWatch) partial(make func() (any, error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := w.clock()
	if began.Before(w.nextPart) {
		return
	}
	result, err := make()
	if err != nil {
		return // the whole result will say so
	}
	if text, err := json.Marshal(result); err == nil {
		w.part = text
	}
	w.write()
	w.tell(w.now)
	now := w.clock()
	w.nextPart = now.Add(max(noteJobEvery, partialCost*now.Sub(began)))
}

// note writes how far the job came.
func (w *jobWatch) note() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.write()
}

// write writes the notes. Notes that cannot be written now are written later or never:
// nothing depends on them, and blocks that cannot be written report the reason. The caller
// holds mu.
func (w *jobWatch) write() {
	w.noted = w.clock()
	if w.store.Jobs.SetProgress(w.ctx, w.id, w.now.Blocks, w.now.MaxBlocks, w.now.Games, w.part) == nil {
		w.part = nil
	}
}

// jobPieces are a job's finished parts in the record.
type jobPieces struct {
	ctx    context.Context // a finished part is stored even if the job is interrupted
	store  *store.Store
	id     int
	commit string // of the program

	mu    sync.Mutex
	known map[string]json.RawMessage
}

func (s execution) pieces(ctx context.Context, id int) (*jobPieces, error) {
	known, err := s.store.Jobs.Pieces(ctx, id)
	return &jobPieces{ctx: context.WithoutCancel(ctx), store: s.store, id: id, commit: s.o.Settings.Commit, known: known}, err
}

// key contains the version of the program, so that results of other versions are not used.
func (p *jobPieces) key(name string) string { return p.commit + " " + name }

// Find implements experiment.Pieces.
func (p *jobPieces) Find(name string) (json.RawMessage, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, ok := p.known[p.key(name)]
	return value, ok
}

// Keep implements experiment.Pieces.
func (p *jobPieces) Keep(name string, value json.RawMessage) error {
	p.mu.Lock()
	p.known[p.key(name)] = value
	p.mu.Unlock()
	return p.store.Jobs.AddPiece(p.ctx, p.id, p.key(name), value)
}

// own returns the host that plays at slots of this process alone, in place of one that may have
// others play: what proves something of them is not played by them.
func (s execution) own(host arena.Host) arena.Host {
	if s.o.Pool != nil && s.o.Pool.Workers() == 0 {
		return arena.NewPool(1)
	}
	return ownHost{host}
}

type ownHost struct{ arena.Host }

// Play implements arena.Host.
func (h ownHost) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	return h.Host.Play(arena.Here(ctx), s, observe)
}

// senders returns the [replay.Senders] of the stored blocks.
func (s execution) senders(ctx context.Context, series *arena.Series, from, to int64, each func(worker string, from, to int64)) error {
	key, err := s.keys.Key(ctx, series)
	if err != nil {
		return err
	}
	return s.store.Blocks().Senders(ctx, key, from, to, each)
}

// keeping returns a share of the workers whose blocks are stored as they are played.
func (s execution) keeping(share arena.Host) arena.Host {
	return &tuner.CachedHost{Host: share, Blocks: s.store.Blocks()}
}
