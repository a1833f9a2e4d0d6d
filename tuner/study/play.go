package study

import (
	"context"
	"errors"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// blockSums is what the first entrant counted in a block, by component, summed
// over the games of the block as in a tally.
func blockSums(r *arena.Run, block int) []int64 {
	return appendSums(make([]int64, 0, r.Components), r, block)
}

// appendSums appends the sums of a block to those of others.
func appendSums(all []int64, r *arena.Run, block int) []int64 {
	at := len(all)
	all = append(all, make([]int64, r.Components)...)
	sums := all[at:]
	for rotation := range r.Seats {
		// The first entrant sits in the seat of the rotation's number; the
		// rotations of a mirror block are one game.
		for c, x := range r.Game(block, rotation%r.Rotations, rotation)[2:] {
			sums[c] += x
		}
	}
	return all
}

// referenceRows is the baseline's sums of the blocks from..to, block after block.
func (st *Study) referenceRows(ctx context.Context, opponent *arena.Entrant, seed uint64, phase arena.Phase, from, to int64) ([]int64, error) {
	base := st.Setup.Reference
	meets := base
	if opponent != nil {
		meets = *opponent
	}
	key := referenceKey{meets.Canonical(), seed, phase}
	st.reference.mu.Lock()
	defer st.reference.mu.Unlock()
	if st.reference.rows == nil {
		st.reference.rows = map[referenceKey][]int64{}
	}
	n := int64(len(st.Setup.Ruleset.Components))
	if have := int64(len(st.reference.rows[key])) / n; have < to {
		ctx = arena.InTurn(ctx) // whoever comes next waits for it too
		s := st.Setup.Series(base, meets, seed, phase, have, to)
		rows := st.reference.rows[key]
		_, err := st.host.Play(ctx, s, func(r *arena.Run) error {
			st.meter.add(r)
			for b := range r.Blocks {
				rows = appendSums(rows, r, b)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		st.reference.rows[key] = rows
	}
	return st.reference.rows[key][from*n : to*n], nil
}

// meet plays the blocks from..to against one opponent (nil: against itself) and adds them
// to what was played before.
func (st *Study) meet(ctx context.Context, e arena.Entrant, opponent *arena.Entrant, seed uint64, phase arena.Phase, earlier []stretch, from, to int64, so *entry.Evidence) (entry.Evidence, error) {
	s := st.Setup
	meets := e
	if opponent != nil {
		meets = *opponent
	}
	paired := s.Relative()
	var rows []int64
	series := s.Series(e, meets, seed, phase, from, to)
	seen, err := st.sightings(ctx, series, earlier)
	if err != nil {
		return entry.Evidence{}, err
	}
	var base []int64
	var failed error
	refer := func() { base, failed = st.referenceRows(ctx, opponent, seed, phase, from, to) }
	var beside sync.WaitGroup
	if paired && !s.Elsewhere() {
		beside.Go(refer)
	}
	tally, err := st.host.Play(ctx, series, func(r *arena.Run) error {
		st.meter.add(r)
		if seen != nil {
			seen.Add(r)
		}
		if phase == arena.Validation {
			st.proof.add(r)
		}
		for b := 0; paired && b < r.Blocks; b++ {
			rows = appendSums(rows, r, b)
		}
		return nil
	})
	beside.Wait()
	if err != nil {
		return entry.Evidence{}, err
	}
	out := entry.NewEvidence(tally)
	gather := func() entry.Evidence {
		if so != nil {
			out = so.Plus(out)
		}
		if seen != nil {
			out.SetDistinct(seen.Blocks())
		}
		return out
	}
	if !paired {
		return gather(), nil
	}
	if s.Elsewhere() {
		refer() // its games are asked for when the candidate's have been told
	}
	if failed != nil {
		return entry.Evidence{}, failed
	}
	n := len(s.Ruleset.Components)
	sums := &entry.BaseSums{Sums: make([]int64, n), Squares: make([]arena.Wide, n), Cross: make([]arena.Wide, n)}
	for i, x := range rows {
		y, c := base[i], i%n
		sums.Sums[c] += y
		sums.Squares[c] = sums.Squares[c].Plus(arena.Product(y, y))
		sums.Cross[c] = sums.Cross[c].Plus(arena.Product(x, y))
	}
	out.Base = sums
	return gather(), nil
}

// play adds the blocks from..to against every opponent to the evidence of the blocks before
// them.
func (st *Study) play(ctx context.Context, e arena.Entrant, so []entry.Evidence, earlier []stretch, seed uint64, phase arena.Phase, from, to int64) ([]entry.Evidence, error) {
	opponents := st.Setup.Opponents()
	out := make([]entry.Evidence, max(1, len(opponents)))
	var awaited error
	for i := range out {
		var opponent *arena.Entrant // plays itself: a metric objective without a baseline
		if len(opponents) > 0 {
			opponent = &opponents[i]
		}
		var before *entry.Evidence
		if len(so) > i {
			before = &so[i]
		}
		var err error
		if out[i], err = st.meet(ctx, e, opponent, seed, phase, earlier, from, to, before); errors.Is(err, tuner.ErrAwaited) {
			awaited = err // the other opponents are asked for at once
		} else if err != nil {
			return nil, err
		}
	}
	return out, awaited
}
