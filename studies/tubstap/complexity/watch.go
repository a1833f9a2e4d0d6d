package complexity

import (
	"context"
	"errors"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
	"sakusen/strategies/tubstap/muct"
)

// Moment is a position at the start of a turn.
type Moment struct {
	Turn     int     // half-turns played
	Units    int     // the mover's units
	LogMoves float64 // estimated legal moves, log10
}

// chancePlay is the purpose of the players' streams in the game's referee, so
// that a watched game is the one that a match plays.
const chancePlay arena.Purpose = 1

// Watch plays games of M-UCT against itself on the map, as the match with the
// lab's seed does, and returns every turn's start of each. The result does not
// depend on the number of workers. turn, unless nil, is how a game comes to be
// played.
func (l *Lab) Watch(ctx context.Context, games, workers int, turn func(game int, play func() ([]Moment, error)) ([]Moment, error), tell func(done int)) ([][]Moment, error) {
	all, errs := make([][]Moment, games), make([]error, games)
	if turn == nil {
		turn = func(_ int, play func() ([]Moment, error)) ([]Moment, error) { return play() }
	}
	next := make(chan int)
	var group sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range max(1, min(workers, games)) {
		group.Add(1)
		go func() {
			defer group.Done()
			var players [2]muct.Player
			for i := range players {
				players[i].Settings = muct.Program()
				players[i].Simulations = int(l.Simulations)
			}
			for i := range next {
				all[i], errs[i] = turn(i, func() ([]Moment, error) { return l.watch(ctx, &players, int64(i)), ctx.Err() })
				mu.Lock()
				done++
				if tell != nil && ctx.Err() == nil {
					tell(done)
				}
				mu.Unlock()
			}
		}()
	}
	for i := range games {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	return all, errors.Join(append(errs, ctx.Err())...)
}

// watch plays one game; it stops between two turns when the context is done.
func (l *Lab) watch(ctx context.Context, players *[2]muct.Player, block int64) []Moment {
	fx := arena.Fixture{Seed: l.Seed, Phase: arena.Match, Block: block}
	streams := [2]arena.Stream{fx.Stream(0, chancePlay), fx.Stream(1, chancePlay)}
	var moments []Moment
	s := l.Start()
	for !s.Over() && ctx.Err() == nil {
		mover := s.Mover()
		if !s.TurnDone() {
			moments = append(moments, Moment{s.Counter(), s.Alive(mover), s.LogMoves(mover)})
		}
		p := &players[mover]
		for p.Turn(s, &streams[mover]); !s.TurnDone(); {
			s.Do(p.Act(s))
		}
		s.EndTurn()
	}
	return moments
}

var _ tubstap.Player = (*muct.Player)(nil)
