package arena

import (
	"context"
	"fmt"
)

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

// until is a listener that leaves the game once the context has ended.
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
