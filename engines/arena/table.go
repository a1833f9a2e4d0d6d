package arena

import "fmt"

// table is one goroutine's referee and players.
type table interface {
	// play appends the blocks from..from+n to the run, stopping early when stop
	// says so between two games (the run then holds whole blocks only).
	play(s *Series, run *Run, n int, stop func() bool) error
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
}

func (t *typedTable[P]) rotations() int {
	if t.mirror {
		return 1
	}
	return len(t.players)
}

func (t *typedTable[P]) play(s *Series, run *Run, n int, stop func() bool) error {
	seats := len(t.players)
	fx := Fixture{Seed: s.Seed, Phase: s.Phase, Starts: s.Ruleset.Starts, Story: s.Story, Streams: s.Streams}
	for range n {
		fx.Block = run.From + int64(run.Blocks)
		void := false
		for r := range t.rotations() {
			if stop() {
				games, values := run.Blocks*run.Rotations, run.Blocks*run.Rotations*seats*run.Width()
				run.Digests, run.Values = run.Digests[:games], run.Values[:values]
				return nil
			}
			fx.Rotation = r
			if s.Tell != nil {
				fx.Story = s.Tell(fx.Block, r)
			}
			if s.Watch != nil {
				fx.Watch = s.Watch(fx.Block, r)
			}
			if err := t.game(s, &fx, run); err != nil {
				return err
			}
			void = void || t.out.Void
		}
		if void {
			run.voidLast(t.void)
		}
		run.Blocks++
	}
	return nil
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
