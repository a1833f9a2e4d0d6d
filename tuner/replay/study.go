package replay

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
)

// Study plays a sample of a study's blocks again. It is a tuner.Witness.
type Study struct {
	Setup  *tuner.Setup
	Host   arena.Host // plays; keeps nothing
	Blocks tuner.Blocks
}

var _ tuner.Witness = (*Study)(nil)

// stretch is blocks that a log tells of.
type stretch struct {
	trial, nth int // the nth series of a trial
	from, to   int64
}

// Again plays a sample of the blocks that the log tells of again, half of them of
// the validation, as far as it has so many. Blocks that the cache has lost since
// are passed over, and so are those of a pool: they are stored only where a worker on
// another machine has played them.
func (w *Study) Again(ctx context.Context, log []entry.Entry) (*entry.Replayed, error) {
	index := chronicle.NewMeetings(w.Setup)
	seed := uint64(0)
	for _, e := range log {
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
	k := Size(out.Of, w.Setup.Validation.Replay)
	ofProof := min(proved, max((k+1)/2, k-searched))
	var sample []block
	unkept := w.Setup.Evaluate != nil && !w.Setup.Elsewhere()
	host := &tuner.CachedHost{Host: w.Host, Blocks: w.Blocks}
	take := func(all []stretch, n, k int64) error {
		at, before := 0, int64(0)
		return pick(seed, n, k, func(i int64) error {
			for i >= before+all[at].to-all[at].from {
				before += all[at].to - all[at].from
				at++
			}
			s := all[at]
			met, err := index.Of(s.trial)
			if err != nil {
				return err
			}
			series := met[s.nth].Series
			series.From = s.from + i - before
			series.To = series.From + 1
			if unkept && series.Phase == arena.Tune {
				return nil
			}
			stored, err := host.Stored(ctx, series)
			if err != nil {
				return fmt.Errorf("what is to be played again: %w", err)
			}
			if len(stored) == 1 {
				sample = append(sample, block{series, stored[0]})
			}
			return nil
		})
	}
	if err := take(proof, proved, ofProof); err != nil {
		return nil, err
	}
	out.Validation = int64(len(sample))
	if err := take(search, searched, min(searched, k-ofProof)); err != nil {
		return nil, err
	}
	out.Blocks = int64(len(sample))
	out.Finds()
	var err error
	out.Games, err = compare(ctx, w.Host, sample)
	return out, err
}
