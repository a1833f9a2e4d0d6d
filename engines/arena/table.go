package arena

import "fmt"

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
}

func (t *typedTable[P]) rotations() int {
	if t.mirror {
		return 1
	}
	return len(t.players)
}

func (t *typedTable[P]) play(s *Series, run *Run, n int, stop func() bool) error {
	for range n {
		games, values := len(run.Digests), len(run.Values)
		void, err := t.games(s, run, 0, t.rotations(), stop)
		if err != nil {
			return err
		}
		if len(run.Digests) < games+t.rotations() { // stopped
			run.Digests, run.Values = run.Digests[:games], run.Values[:values]
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
	*fx = Fixture{Seed: s.Seed, Phase: s.Phase, Block: run.From + int64(run.Blocks), Starts: s.Ruleset.Starts, Story: s.Story, Streams: s.Streams}
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
	if err := t.referee.Play(fx, t.seated, t.out); err != nil {
		return fmt.Errorf("%s, seed %d, phase %s, block %d, rotation %d: %w",
			s.Ruleset.Game.Name, s.Seed, s.Phase, fx.Block, fx.Rotation, err)
	}
	run.add(t.out)
	return nil
}
