package study

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
)

// playAhead starts what the batches behind the first will play whatever it tells: the
// first rung of new trials, or duels. It is written when the batch has its turn, so that
// the log is the same whoever is faster.
func playAhead(ctx context.Context, st *Study) {
	pairs := len(st.duels)
	ctx = arena.Ahead(ctx)
	for i, b := range st.flying {
		if i > 0 && len(b.ahead) == 0 && !st.journal.plays(b.known, pairs) {
			if st.Setup.Duels {
				duelsAhead(ctx, st, b, pairs)
			} else {
				rungAhead(ctx, st, b)
			}
		}
		pairs += len(b.trials) / 2
	}
}

// start plays something of a batch.
func start(st *Study, b *batch, play func(a *ahead)) *ahead {
	a := &ahead{done: make(chan struct{})}
	b.ahead = append(b.ahead, a)
	st.playing.Go(func() {
		defer close(a.done)
		play(a)
	})
	return a
}

func duelsAhead(ctx context.Context, st *Study, b *batch, first int) {
	for i := range len(b.trials) / 2 {
		start(st, b, func(a *ahead) {
			var e entry.Evidence
			e, a.err = playDuel(ctx, st, b, i, first)
			a.evidence = []entry.Evidence{e}
		})
	}
}

func rungAhead(ctx context.Context, st *Study, b *batch) {
	from := st.firstBlock(b)
	to := from + st.Setup.Race.Rungs[0]
	for _, t := range b.trials {
		if t.Number < b.known {
			continue // goes on from blocks that may not have been played yet
		}
		st.ahead[t] = start(st, b, func(a *ahead) {
			a.evidence, a.err = st.play(ctx, t.Entrant, nil, nil, st.Setup.TuneSeed(), arena.Tune, from, to)
		})
	}
}
