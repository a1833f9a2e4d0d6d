package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// Item is a study in the book, or another job: a tournament, an experiment or a test of a patch.
type Item struct {
	Key      Key
	State    tuner.State
	Priority int // higher is sooner, 0 is usual
}

// Book is the record of all studies and other jobs.
type Book interface {
	// Waiting lists the studies that are queued or running, the more urgent and
	// then the older first.
	Waiting(ctx context.Context) ([]Item, error)
	// Find returns one study, or an error that says that it does not exist.
	Find(ctx context.Context, key Key) (Item, error)
	SetState(ctx context.Context, key Key, state tuner.State, message string) error
	SetPriority(ctx context.Context, key Key, priority int) error
	Delete(ctx context.Context, key Key) error
}

// Runner runs a study of the book from wherever its log ends to its verdict,
// on the given host, and writes its result and the state Done. Interrupted, it
// returns an error for which tuner.Interrupted holds, and leaves the state as
// it is.
type Runner func(ctx context.Context, key Key, host arena.Host, tell func(tuner.Progress)) error

// Event is something that happened to a study, for those who watch it.
type Event struct {
	Kind  string // state, progress or deleted
	Key   Key
	State tuner.State // of a state
	Why   string      // of a state: the message
	// Progress is how far a running study is; of progress.
	Progress tuner.Progress
}

// Kind says what kind of work it is that a daemon runs.
type Kind string

// The kinds.
const (
	Study      Kind = "study"
	Tournament Kind = "tournament"
	Experiment Kind = "experiment"
	Test       Kind = "test"
)

// Key names one piece of work in a [Book]: a study by its name, a tournament,
// a run of an experiment or a test of a patch by its number.
type Key struct {
	Kind Kind
	Name string // of a study
	ID   int    // of a job: anything but a study
}

// StudyKey returns the key of a study.
func StudyKey(name string) Key { return Key{Kind: Study, Name: name} }

// JobKey returns the key of a job.
func JobKey(kind Kind, id int) Key { return Key{Kind: kind, ID: id} }

// String returns the name of a study, or the kind and the number of a job, as
// "tournament/12". No study's name has a slash.
func (k Key) String() string {
	if k.Kind == Study {
		return k.Name
	}
	return string(k.Kind) + "/" + strconv.Itoa(k.ID)
}

// people returns the key for people.
func (k Key) people() string {
	if k.Kind == Study {
		return fmt.Sprintf("study %q", k.Name)
	}
	return string(k.Kind) + " " + strconv.Itoa(k.ID)
}

// mostPriority is the highest priority, and its negative the lowest; 0 is usual.
const mostPriority = 10

// CheckPriority refuses a priority that there is not.
func CheckPriority(priority int) error {
	if priority < -mostPriority || priority > mostPriority {
		return fmt.Errorf("expected -%d to %[1]d, got %d", mostPriority, priority)
	}
	return nil
}

// ParsePriority reads a priority from a form; an empty text is the usual one.
func ParsePriority(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || CheckPriority(n) != nil {
		return 0, fmt.Errorf("expected -%d to %[1]d, got %.40q", mostPriority, text)
	}
	return n, nil
}

// weight returns the share of the workers that a priority gets: each step doubles it.
func weight(priority int) float64 {
	return math.Exp2(float64(max(-mostPriority, min(mostPriority, priority))))
}

// Options are what a daemon works with.
type Options struct {
	Book Book
	Run  Runner
	Pool *arena.Pool
	// AtOnce bounds the studies that run side by side; 0 is 8.
	AtOnce int
	// Full tells whether an error means that the record cannot be written now, for instance
	// because the disk is full. Such a study is tried again every Retry.
	Full func(error) bool
	// Damaged returns the damage if an error means that the record is damaged, and nil for
	// any other error. After damage no study runs; see [Daemon.Halt].
	Damaged func(error) error
	Retry   time.Duration // 0 is 5 seconds
	Log     *slog.Logger
	// Watch, unless nil, is called with every event. It must not block.
	Watch func(Event)
}

// Daemon runs the studies of a book.
type Daemon struct {
	o         Options
	wake      chan struct{}
	scheduler scheduler
	group     sync.WaitGroup

	// queue is locked while the queue is read and acted upon, so that no study starts that
	// was paused in between.
	queue sync.Mutex
}

// The reasons for which a running study is interrupted.
var (
	errDrain = errors.New("the daemon is shutting down")
	errPause = errors.New("paused")
	errStop  = errors.New("stopped")
	errYield = errors.New("a more urgent study runs")
	errRest  = errors.New("blocks are being deleted from the database")
)

// New makes a daemon; Run starts it.
func New(o Options) *Daemon {
	if o.AtOnce <= 0 {
		o.AtOnce = 8
	}
	if o.Retry <= 0 {
		o.Retry = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Watch == nil {
		o.Watch = func(Event) {}
	}
	if o.Full == nil {
		o.Full = func(error) bool { return false }
	}
	if o.Damaged == nil {
		o.Damaged = func(error) error { return nil }
	}
	return &Daemon{o: o, wake: make(chan struct{}, 1), scheduler: scheduler{atOnce: o.AtOnce, jobs: map[Key]*job{}, resting: map[Key]rest{}}}
}

// Run runs studies until ctx is done, and then puts those that run back into
// the queue: another daemon goes on with them.
func (d *Daemon) Run(ctx context.Context) error {
	for {
		if err := d.fill(ctx); err != nil && ctx.Err() == nil {
			if damage := d.o.Damaged(err); damage != nil {
				d.Halt(damage)
			} else {
				d.o.Log.Error("the queue cannot be read", "error", err)
			}
		}
		select {
		case <-ctx.Done():
			d.scheduler.interruptAll(errDrain)
			d.group.Wait()
			return nil
		case <-d.wake:
		case <-time.After(d.o.Retry):
		}
	}
}

// AtOnce returns how many studies may run side by side.
func (d *Daemon) AtOnce() int { return d.scheduler.places() }

// SetAtOnce changes how many studies may run side by side; those that run go on.
func (d *Daemon) SetAtOnce(n int) {
	d.queue.Lock()
	d.scheduler.setPlaces(max(1, n))
	d.queue.Unlock()
	d.Queue()
}

// Queue lets Run look at the queue at once, as after a study was submitted.
func (d *Daemon) Queue() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// fill starts the most urgent of the waiting studies. If a more urgent one has no place,
// the least urgent running one is interrupted and waits.
func (d *Daemon) fill(ctx context.Context) error {
	d.queue.Lock()
	defer d.queue.Unlock()
	if d.Damage() != nil {
		return nil
	}
	waiting, err := d.o.Book.Waiting(ctx)
	if err != nil {
		return err
	}
	begin, yield := d.scheduler.next(waiting, time.Now())
	for _, j := range begin {
		d.group.Go(func() {
			d.work(j)
			close(j.done)
			d.Queue()
		})
	}
	if yield != nil {
		yield.interrupt(errYield)
	}
	return nil
}

// work runs one study and writes how it ended.
func (d *Daemon) work(j *job) {
	key := j.entry.Key
	log := d.o.Log.With("study", key.String())
	err := d.state(j.ctx, key, tuner.Running, "")
	if err == nil {
		log.Info("running", "priority", j.entry.Priority)
		err = d.run(j)
	}
	// The following must be written although the study was interrupted.
	ctx := context.Background()
	why := j.why()
	if damage := d.o.Damaged(err); damage != nil {
		d.Halt(damage)
	}
	switch {
	case err == nil:
		log.Info("done")
		d.o.Watch(Event{Kind: "state", Key: key, State: tuner.Done})
	case d.Damage() != nil:
		// Nothing more is written, not even the state.
		d.o.Watch(Event{Kind: "state", Key: key, State: tuner.Paused, Why: "the database is damaged"})
		err = nil
	case why != nil:
		err = d.settle(ctx, j, why)
	case d.o.Full(err):
		log.Error("the record cannot be written; nothing is lost, the study goes on when it can", "error", err)
		d.scheduler.rest(key, time.Now().Add(d.o.Retry), err)
		// If the state cannot be written either, the file keeps saying running.
		d.o.Watch(Event{Kind: "state", Key: key, State: tuner.Paused, Why: fmt.Sprintf("waits for space: %v", err)})
		err = nil
	default:
		if stack := tuner.PanicStack(err); stack != nil {
			log.Error("panic", "stack", string(stack))
		}
		log.Error("failed", "error", err)
		err = d.state(ctx, key, tuner.Failed, err.Error())
	}
	if damage := d.o.Damaged(err); damage != nil {
		d.Halt(damage)
	} else if err != nil {
		log.Error("the state cannot be written", "error", err)
		d.scheduler.rest(key, time.Now().Add(d.o.Retry), err)
	}
	d.scheduler.end(key)
}

// run runs a job's study. A panic fails that study alone; a restart of the daemon would
// only meet the same panic.
func (d *Daemon) run(j *job) (err error) {
	defer func() {
		if v := recover(); v != nil {
			d.o.Log.Error("panic", "study", j.entry.Key.String(), "value", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v (the daemon's log says where)", v)
		}
	}()
	return d.o.Run(j.ctx, j.entry.Key, d.o.Pool.Share(weight(j.entry.Priority)), func(p tuner.Progress) {
		j.told(p)
		d.o.Watch(Event{Kind: "progress", Key: j.entry.Key, Progress: p})
	})
}

// settle writes the state of a study that was interrupted on purpose.
func (d *Daemon) settle(ctx context.Context, j *job, why error) error {
	state, message := tuner.Queued, ""
	switch why {
	case errPause:
		state, message = tuner.Paused, "paused"
	case errStop:
		state, message = tuner.Stopped, "stopped"
	}
	d.o.Log.Info("interrupted", "study", j.entry.Key.String(), "why", why.Error(), "state", string(state))
	return d.state(ctx, j.entry.Key, state, message)
}

// state writes a state and tells of it.
func (d *Daemon) state(ctx context.Context, key Key, s tuner.State, message string) error {
	if err := d.o.Book.SetState(ctx, key, s, message); err != nil {
		return err
	}
	d.o.Watch(Event{Kind: "state", Key: key, State: s, Why: message})
	return nil
}
