package replay

import (
	"context"
	"fmt"
	"iter"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// Study plays a sample of a study's blocks again. It is a tuner.Replayer.
type Study struct {
	Setup  *tuner.Setup
	Host   arena.Host // plays; keeps nothing
	Blocks tuner.Blocks
	Sender Sender // nil where nothing was played on other machines
}

var _ tuner.Replayer = (*Study)(nil)

// stretch is blocks that a log tells of.
type stretch struct {
	trial, nth int // the nth series of a trial
	from, to   int64
}

// Again plays a sample of the blocks that the log tells of again, half of them of
// the validation, as far as it has so many. Blocks that the cache has lost since
// are passed over, and so are those of a pool: they are stored only where a worker on
// another machine has played them.
func (w *Study) Again(ctx context.Context, log iter.Seq[entry.Entry]) (*entry.Replayed, error) {
	index := insight.NewMeetings(w.Setup)
	seed := uint64(0)
	for e := range log {
		if err := index.Add(e); err != nil {
			return nil, err
		}
		for _, c := range e.Payload {
			seed = mix(seed ^ uint64(c))
		}
	}
	var search, proof []stretch
	var searched, proved int64
	for trial := range index.Trials() {
		all, err := index.Of(trial)
		if err != nil {
			return nil, err
		}
		for nth, m := range all {
			if m.Trial != 0 {
				continue // it is the first one's as well
			}
			s := stretch{trial, nth, m.Series.From, m.Series.To}
			if m.Series.Phase == arena.Validation {
				proof, proved = append(proof, s), proved+s.to-s.from
			} else {
				search, searched = append(search, s), searched+s.to-s.from
			}
		}
	}
	out := &entry.Replayed{Of: searched + proved}
	k := size(out.Of, w.Setup.Validation.Replay)
	ofProof := min(proved, max((k+1)/2, k-searched))
	unkept := w.Setup.Evaluate != nil && !w.Setup.Elsewhere()
	host := &tuner.CachedHost{Host: w.Host, Blocks: w.Blocks}
	// take yields k of the n blocks of stretches: which ones is decided by their numbers
	// alone, and of the stored runs only those with such a block are read, one at a time.
	take := func(all []stretch, n, k int64, yield func(block, error) bool) bool {
		at, before := 0, int64(0)
		var series *arena.Series
		var run *arena.Run // the last that was read of stretch held
		held := -1
		for i := range picked(seed, n, k) {
			for i >= before+all[at].to-all[at].from {
				before += all[at].to - all[at].from
				at++
			}
			if s := all[at]; held != at {
				met, err := index.Of(s.trial)
				if err != nil {
					return yield(block{}, err)
				}
				series, run, held = &met[s.nth].Series, nil, at
			}
			if unkept && series.Phase == arena.Tune {
				continue
			}
			from := all[at].from + i - before
			if run == nil || from >= run.From+int64(run.Blocks) {
				rest := *series
				rest.From, rest.To = from, all[at].to
				next, err := first(host.Stored(ctx, rest))
				if err != nil {
					return yield(block{}, fmt.Errorf("what is to be played again: %w", err))
				}
				if run = next; run == nil {
					continue
				}
			}
			if from < run.From {
				continue // the cache has lost it
			}
			if !yield(block{series, copied(run.Slice(from, from+1))}, nil) {
				return false
			}
		}
		return true
	}
	var err error
	out.Blocks, out.Games, err = compare(ctx, w.Host, w.Sender, func(yield func(block, error) bool) {
		counted := func(b block, err error) bool {
			out.Validation++
			return yield(b, err)
		}
		if take(proof, proved, ofProof, counted) {
			take(search, searched, min(searched, k-ofProof), yield)
		}
	})
	out.SetDetectionRate()
	return out, err
}

// first returns the first run that a sequence yields, nil where it yields none.
func first(runs iter.Seq2[*arena.Run, error]) (*arena.Run, error) {
	for r, err := range runs {
		return r, err
	}
	return nil, nil
}
