package arena

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"sakusen/engines/lru"
)

// Play implements Host.
func (p *Pool) Play(ctx context.Context, s Series, observe func(*Run) error) (Tally, error) {
	return p.play(ctx, p.whole, s, observe)
}

// Play implements Host.
func (s *Share) Play(ctx context.Context, series Series, observe func(*Run) error) (Tally, error) {
	return s.pool.play(ctx, s, series, observe)
}

// play plays a series for a share.
func (p *Pool) play(ctx context.Context, share *Share, s Series, observe func(*Run) error) (Tally, error) {
	if err := s.Check(); err != nil {
		return Tally{}, err
	}
	tally := NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	total := s.To - s.From
	if total == 0 || ctx.Err() != nil {
		return tally, ctx.Err()
	}
	rotations := s.Ruleset.Seats
	if AllEqual(s.Entrants) {
		rotations = 1
	}
	where := p.where(ctx, &s)
	if where.needs.Timed {
		err := p.gauge.Load().scaleClocks(ctx, &s, &where.needs)
		if where.away = errors.Is(err, ErrBeyond) && !where.here && p.helped(); err != nil && !where.away {
			return tally, err
		}
	}
	h := &dispatch{
		pool: p, share: share, series: &s, key: s.key(), turn: p.turn(ctx), rotations: rotations, paces: p.paces(&s), observe: observe,
		splits: rotations > 1 && s.Story == nil && s.Streams == nil && !s.Noted && !where.needs.Timed, timed: where.needs.Timed, where: where, next: s.From, emitted: s.From, tally: tally,
		halves: map[int64]*half{}, out: map[*task]bool{}, waiting: map[int64]*Run{}, done: make(chan struct{}),
	}
	h.ctx, h.cancel = context.WithCancel(ctx)
	defer h.cancel()
	h.seek, h.found = context.WithCancel(h.ctx)
	defer h.found()
	p.wait(total * int64(rotations))
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		p.wait(-h.left())
	}()
	h.ask(total * int64(rotations))
	if !where.here && p.isOpen() {
		h.group.Go(h.watch)
	}
	select {
	case <-h.done:
	case <-h.ctx.Done():
		ended := make(chan struct{})
		go func() { h.group.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(p.patience):
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failure == nil && h.emitted < s.To {
		h.failure = h.ctx.Err() // nothing that ends later is observed
	}
	return h.tally, h.failure
}

// where says at which slots a series may be played: at those of this process alone where that is
// asked for, where its games are watched, or where an external program plays games in it that
// cannot be played again.
func (p *Pool) where(ctx context.Context, s *Series) where {
	w := where{here: ctx.Value(here{}) != nil || s.Story != nil || s.Tell != nil || s.Streams != nil || s.Watch != nil && !s.Ruleset.Taped()}
	outside := slices.ContainsFunc(s.Entrants, func(e Entrant) bool { return s.Ruleset.Game.Outside(e.Strategy) })
	_, named := s.Ruleset.Rules.Get(speedRule)
	if !outside || !p.isOpen() && !named { // nothing is started if the answer is not needed
		w.here = w.here || s.Watch != nil || outside
		return w
	}
	var err error
	w.needs, err = s.Needs()
	taped := w.needs.Timed && s.Ruleset.Taped()
	w.needs.Trusted = w.needs.Timed && !taped
	w.here = w.here || err != nil || w.needs.Recorded != "" && !w.needs.Timed || s.Watch != nil && !w.needs.Timed // a slot here meets the error
	s.Noted = !w.here && taped
	return w
}

// Needs is what a machine must have to play a series.
type Needs struct {
	// Programs are those of other people that play, by name.
	Programs []Program
	// Recorded says why the games cannot be played again, empty where they can. Timed says
	// that a clock is the only reason.
	Recorded string
	Timed    bool
	// Trusted says that such games are not checked, as their rules are not known here: a machine
	// plays them whose word is taken for it.
	Trusted bool
	// Threads is how many threads think at a time in a game, 0 for one.
	Threads int
	// Memory is what the programs of a game by a clock may take, bytes.
	Memory int64
}

func (n *Needs) threads() int { return max(1, n.Threads) }

// Needs returns what a machine must have to play a series. It may start the programs.
func (s *Series) Needs() (n Needs, err error) {
	for _, e := range s.Entrants {
		if !s.Ruleset.Game.Outside(e.Strategy) {
			continue
		}
		id, err := s.Ruleset.identify(e.Strategy)
		if err != nil || id.Recorded != "" && !id.Timed {
			return Needs{Recorded: id.Recorded}, err
		}
		if id.Timed {
			n.Recorded, n.Timed = id.Recorded, true
		}
		n.Threads = max(n.Threads, id.Threads)
		n.Memory += id.Memory
		if p := (Program{e.Strategy, id.Hash, id.Way, id.Package}); !slices.Contains(n.Programs, p) {
			n.Programs = append(n.Programs, p)
		}
	}
	slices.SortFunc(n.Programs, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
	return n, nil
}

// paceOf is how many of the last chunks tell what a game costs.
const paceOf = 15

// pace is what a game costs at one kind of slot.
type pace struct {
	last   []float64 // seconds a game, of the last chunks
	at     int
	median float64 // 0 where nothing is known
}

func (p *pace) add(held time.Duration, games int) {
	x := held.Seconds() / float64(games)
	if len(p.last) < paceOf {
		p.last = append(p.last, x)
	} else {
		p.last[p.at] = x
		p.at = (p.at + 1) % paceOf
	}
	sorted := slices.Clone(p.last)
	slices.Sort(sorted)
	p.median = sorted[len(sorted)/2]
}

// paces are those of the slots here and elsewhere.
type paces struct{ here, elsewhere pace }

func (p *paces) of(elsewhere bool) *pace {
	if elsewhere {
		return &p.elsewhere
	}
	return &p.here
}

// pacesKept bounds the kinds of games whose costs a pool knows.
const pacesKept = 256

// Times of a chunk. A slot elsewhere is one of two of its core: its chunk waits for as long
// as it is played.
const (
	mostHere, mostElsewhere   = time.Second, 4 * time.Second
	leastHere, leastElsewhere = time.Millisecond, 50 * time.Millisecond
	// mostTimed is that of games by the clock, of which a machine plays whole blocks.
	mostTimed  = 30 * time.Second
	mostBlocks = 512
	// mostTimedBlocks bounds a chunk whose games come with what was answered in them.
	mostTimedBlocks = 16
	// pieces is into how many chunks the work that waits is divided for each slot, so that
	// all end together.
	pieces = 4
)

// chunk returns how many games a slot gets at a time while so many wait for so many slots;
// 0 where it is not known what one costs.
func (k *paces) chunk(elsewhere, timed bool, pending int64, slots int) int64 {
	cost := k.of(elsewhere).median
	if cost == 0 {
		return 0
	}
	most, least := mostHere, leastHere
	if elsewhere {
		most, least = mostElsewhere, leastElsewhere
	}
	if timed {
		most = mostTimed
	}
	games := pending / int64(pieces*slots)
	return max(1, min(max(games, int64(least.Seconds()/cost)), int64(most.Seconds()/cost)))
}

// slot is one place at which games are played one after the other: a worker of this process
// or of another machine. It keeps the tables that it used last, so that a player's caches
// survive from rung to rung.
type slot struct {
	tables *lru.Cache[string, table]
	remote remote // nil at the slots of this process
	room   *room  // of its machine
	needs  Needs  // of what is played; guarded by the pool
	gone   bool   // guarded by the pool
}

// tablesKept bounds the tables a worker keeps.
const tablesKept = 16

func newSlot() *slot { return &slot{tables: lru.New[string, table](tablesKept)} }

// chunk is what a slot plays at a time: whole blocks, or some games of one block.
type chunk struct {
	from     int64 // the first block
	blocks   int
	rotation int // the first game of one block
	games    int // of one block, 0 for whole blocks
}

// count returns how many games it is, of blocks of so many.
func (p *chunk) count(rotations int) int {
	if p.games > 0 {
		return p.games
	}
	return p.blocks * rotations
}

// play plays one chunk at this slot, and says whether a game of it made its block void.
func (d *slot) play(ctx context.Context, s *Series, key string, p chunk) (run *Run, void bool, err error) {
	defer func() {
		if v := recover(); v != nil { // of a game, or of a player being made
			if d.tables != nil {
				d.tables.Delete(key) // its tables may be anything now
			}
			at := p.from
			if run != nil {
				at += int64(run.Blocks)
			}
			err = &PanicError{Game: s.Ruleset.Game.Name, Block: at, Seed: s.Seed, Value: v, Stack: debug.Stack()}
		}
	}()
	if d.remote != nil {
		run, err = d.remote.Play(ctx, s, p.from, p.blocks)
		return run, false, err
	}
	t, err := d.seat(s, key)
	if err != nil {
		return nil, false, err
	}
	run = NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), t.rotations(), p.from, p.blocks)
	done := ctx.Done()
	stop := func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	if p.games > 0 {
		void, err = t.games(s, run, p.rotation, p.games, stop)
		return run, void, err
	}
	return run, false, t.play(s, run, p.blocks, stop)
}

// seat finds or makes the table for a series.
func (d *slot) seat(s *Series, key string) (table, error) {
	if t, ok := d.tables.Get(key); ok {
		return t, nil
	}
	t, err := s.Ruleset.table(s.Entrants)
	if err != nil {
		return nil, err
	}
	d.tables.Put(key, t)
	return t, nil
}

// where says which slots may play a series.
type where struct {
	here  bool  // only at those of this process
	away  bool  // only at others, since clocks cannot be scaled so far here
	needs Needs // of other machines
}

// fits reports whether a slot is one of them.
func (w where) fits(d *slot) bool {
	if d.remote == nil {
		return !w.away
	}
	return !w.here && (len(w.needs.Programs) == 0 || d.remote.Has(&w.needs))
}

// NewOpenPool makes a pool with the given number of workers, which may be none, and with
// room for slots on other machines.
func NewOpenPool(workers int) *Pool {
	p := newPool(max(0, workers))
	p.Open()
	return p
}

// Open has a pool wait for slots on other machines, which may come.
func (p *Pool) Open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
}

// Attach adds slots on another machine, until detach is called; what they are playing
// then still counts. They get the chunks of series whose games are not watched and whose
// programs of other people, if there are some, the machine has; while a clock counts, for
// so many threads at a time, 0 for no bound.
func (p *Pool) Attach(e remote, slots, threads int) (detach func()) {
	added := make([]*slot, slots)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
	m := &room{threads: threads}
	for i := range added {
		added[i] = &slot{remote: e, room: m}
	}
	p.attached += slots
	p.free = append(p.free, added...)
	p.hand(m)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, d := range added {
			if !d.gone {
				d.gone = true
				p.attached--
			}
		}
		p.free = slices.DeleteFunc(p.free, func(d *slot) bool { return d.gone })
	}
}

// Fits returns an error that says why a run, from any machine, cannot be the result of n
// blocks of a series.
func (s *Series) Fits(r *Run, from int64, n int) error {
	rotations := s.Ruleset.Seats
	if AllEqual(s.Entrants) {
		rotations = 1
	}
	games := n * rotations
	switch {
	case r.Seats != s.Ruleset.Seats || r.Components != len(s.Ruleset.Components) || r.Rotations != rotations:
		return errors.New("the result has other seats, rotations or numbers than the game")
	case r.From != from || r.Blocks != n || len(r.Digests) != games || len(r.Values) != games*r.Seats*r.Width():
		return errors.New("the result is of other blocks than were asked for")
	}
	return s.Ruleset.Game.Possible(r)
}

// remote plays chunks of series on another machine.
type remote interface {
	// Play plays n blocks from a block on. ErrGivenBack and ErrHereOnly mean that nothing
	// was played and that nothing is wrong with the series.
	Play(ctx context.Context, s *Series, from int64, n int) (*Run, error)
	// Has tells whether it has what a series needs, which are one or more programs of other
	// people. The pool is locked during the call.
	Has(needs *Needs) bool
}

// ErrGivenBack says that a chunk was not played, as when a machine is gone: the pool plays
// it at another slot.
var ErrGivenBack = errors.New("the blocks were not played there")

// ErrHereOnly says that other machines cannot play a series: the pool plays the rest of it
// at its own slots.
var ErrHereOnly = errors.New("the series cannot be played on another machine")
