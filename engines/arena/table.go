package arena

import (
	"context"
	"fmt"
)

// table is one goroutine's referee and players.
type table interface {
	// play appends the blocks from..from+n to the run, stopping early when stop
	// says so between two games (the run then holds whole blocks only).
	play(s *Series, run *Run, n int, stop func() bool) error
	// games appends n games of the run's next block from a rotation on, which it counts as no
	// block, and says whether one of them makes the block void.
	games(s *Series, run *Run, rotation, n int, stop func() bool) (void bool, err error)
	// game appends one game to the run, which counts it as no block.
	game(s *Series, fx *Fixture, run *Run) error
	// rotations is the number of games of one block.
	rotations() int
}

type typedTable[P any] struct {
	referee Referee[P]
	players []P // by entrant
	seated  []P
	out     *Outcome
	mirror  bool
	void    int // the component of void blocks, -1 for none
	fixture Fixture
	tape    *Tape[P] // nil where the game has none
	voided  bool     // a game of the block that is told once more was void
}

// newTable returns a table without players.
func newTable[P any](rs *Ruleset, referee Referee[P], tape *Tape[P], entrants []Entrant) *typedTable[P] {
	return &typedTable[P]{
		referee: referee, out: NewOutcome(rs.Seats, len(rs.Components)), mirror: AllEqual(entrants), void: rs.Component(VoidComponent), tape: tape,
		players: make([]P, len(entrants)), seated: make([]P, len(entrants)),
	}
}

func (t *typedTable[P]) rotations() int {
	if t.mirror {
		return 1
	}
	return len(t.players)
}

func (t *typedTable[P]) play(s *Series, run *Run, n int, stop func() bool) error {
	for range n {
		games, values, tapes := len(run.Digests), len(run.Values), len(run.Tapes)
		void, err := t.games(s, run, 0, t.rotations(), stop)
		if err != nil {
			return err
		}
		if len(run.Digests) < games+t.rotations() { // stopped
			run.Digests, run.Values, run.Tapes = run.Digests[:games], run.Values[:values], run.Tapes[:tapes]
			return nil
		}
		if void {
			run.voidLast(t.void)
		}
		run.Blocks++
	}
	return nil
}

func (t *typedTable[P]) games(s *Series, run *Run, rotation, n int, stop func() bool) (void bool, err error) {
	fx := &t.fixture // one for all games: a fixture of its own for each block would be allocated
	*fx = Fixture{Seed: s.Seed, Phase: s.Phase, Block: run.From + int64(run.Blocks), Starts: s.Ruleset.Starts, Story: s.Story, Streams: s.Streams, Scale: s.Scale}
	for r := rotation; r < rotation+n; r++ {
		if stop() {
			return void, nil
		}
		fx.Rotation = r
		if s.Tell != nil {
			fx.Story = s.Tell(fx.Block, r)
		}
		if s.Watch != nil {
			fx.Watch = s.Watch(fx.Block, r)
		}
		if err := t.game(s, fx, run); err != nil {
			return void, err
		}
		void = void || t.out.Void
	}
	return void, nil
}

// game appends one game to the run.
func (t *typedTable[P]) game(s *Series, fx *Fixture, run *Run) error {
	for e := range t.players {
		t.seated[(e+fx.Rotation)%len(t.players)] = t.players[e]
	}
	t.out.reset()
	var noted func(*Run) error // nil where nothing is noted: a closure would be allocated for each game
	if s.Noted && t.tape != nil {
		noted = t.note(fx)
	}
	if err := t.referee.Play(fx, t.seated, t.out); err != nil {
		return fmt.Errorf("%s, seed %d, phase %s, block %d, rotation %d: %w",
			s.Ruleset.Game.Name, s.Seed, s.Phase, fx.Block, fx.Rotation, err)
	}
	run.add(t.out)
	if noted != nil {
		return noted(run)
	}
	return nil
}

// gone is the value of the panic that leaves a game whose caller no longer waits.
type gone struct{}

// One plays a single game of a series again, the given rotation of the given
// block, at a table of its own in the caller's goroutine, and returns it as a
// run of one game. Tell and Watch are asked about that game alone; From and To
// do not count. A cancelled context ends the game at the next line or event of
// it, so that a long game needs a listener to be stopped before its end.
func One(ctx context.Context, s *Series, block int64, rotation int) (run *Run, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if block < 0 || rotation < 0 || rotation >= s.Ruleset.Seats {
		return nil, fmt.Errorf("%s: expected a block from 0 and a rotation from 0 to %d, got %d and %d",
			s.Ruleset.Game.Name, s.Ruleset.Seats-1, block, rotation)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, err := s.Ruleset.table(s.Entrants)
	if err != nil {
		return nil, err
	}
	fx := Fixture{Seed: s.Seed, Phase: s.Phase, Block: block, Rotation: rotation, Starts: s.Ruleset.Starts, Story: s.Story, Streams: s.Streams}
	if s.Tell != nil {
		fx.Story = s.Tell(block, rotation)
	}
	if s.Watch != nil {
		fx.Watch = s.Watch(block, rotation)
	}
	// A referee cannot be told to stop, and play does not need it. The table is thrown
	// away, so the game can be left in the middle by a panic.
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(gone); !ok {
				panic(v)
			}
			run, err = nil, ctx.Err()
		}
	}()
	fx.Story, fx.Watch = until(ctx, fx.Story), until(ctx, fx.Watch)
	run = NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), 1, block, 1)
	if err := t.game(s, &fx, run); err != nil {
		return nil, err
	}
	run.Blocks++
	return run, nil
}

// until returns a listener that leaves the game once the context has ended.
func until[T any](ctx context.Context, listen func(T)) func(T) {
	if listen == nil {
		return nil
	}
	return func(v T) {
		if ctx.Err() != nil {
			panic(gone{})
		}
		listen(v)
	}
}

// Outcome is the result of one game, filled in by a referee.
type Outcome struct {
	// Scores holds each seat's share of the game in units of 1/Scale(seats).
	Scores []int64
	// Faults marks the seats that made an illegal move.
	Faults []bool
	// Void says that the game shows nothing: it makes its whole block a draw for all, and
	// the block is counted in the component "void" of every seat.
	Void bool
	// Transcript is the digest of the game's events.
	Transcript Transcript

	width  int
	counts []int64
}

// NewOutcome returns an empty outcome for the given numbers of seats and components.
func NewOutcome(seats, components int) *Outcome {
	return &Outcome{
		Scores: make([]int64, seats),
		Faults: make([]bool, seats),
		width:  components,
		counts: make([]int64, seats*components),
	}
}

// Scale returns the number of score units in one game: the least common multiple of
// 1..seats, so that a win shared by any number of players is an integer. Two
// seats: a win is 2, a draw 1.
func Scale(seats int) int64 {
	l := int64(1)
	for i := int64(2); i <= int64(seats); i++ {
		a, b := l, i
		for b != 0 {
			a, b = b, a%b
		}
		l = l / a * i
	}
	return l
}

// Count sets a component of a seat.
func (o *Outcome) Count(seat, component int, n int64) { o.counts[seat*o.width+component] = n }

// Counts returns the components of a seat, to be read or written in place.
func (o *Outcome) Counts(seat int) []int64 {
	return o.counts[seat*o.width : (seat+1)*o.width]
}

// Share gives the game to the seats in the set, in equal parts.
func (o *Outcome) Share(winners func(seat int) bool) {
	n := int64(0)
	for s := range o.Scores {
		o.Scores[s] = 0
		if winners(s) {
			n++
		}
	}
	if n == 0 {
		return
	}
	part := Scale(len(o.Scores)) / n
	for s := range o.Scores {
		if winners(s) {
			o.Scores[s] = part
		}
	}
}

// Win gives the game to one seat.
func (o *Outcome) Win(seat int) {
	for s := range o.Scores {
		o.Scores[s] = 0
	}
	o.Scores[seat] = Scale(len(o.Scores))
}

// reset prepares the outcome for the next game.
func (o *Outcome) reset() {
	clear(o.Scores)
	clear(o.Faults)
	o.Void = false
	clear(o.counts)
	o.Transcript = Transcript{}
}
