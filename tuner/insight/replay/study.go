package replay

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// Study plays a sample of a study's blocks again. It is a tuner.Replayer.
type Study struct {
	Setup   *tuner.Setup
	Host    arena.Host // plays; keeps nothing
	Blocks  tuner.Blocks
	Senders Senders // nil where nothing was played on other machines
}

var _ tuner.Replayer = (*Study)(nil)

// stretch is blocks that a log tells of.
type stretch struct {
	trial, nth int // the nth series of a trial
	from, to   int64
}

// counted is the blocks of a search or of a validation, numbered from 0.
type counted struct {
	all     []stretch
	n       int64
	workers map[string][]span // what each has sent
}

// span is the numbers from..to.
type span struct{ from, to int64 }

// add adds a stretch of a series.
func (c *counted) add(ctx context.Context, senders Senders, series *arena.Series, s stretch) error {
	first := c.n - s.from
	c.all, c.n = append(c.all, s), c.n+s.to-s.from
	if senders == nil {
		return nil
	}
	if c.workers == nil {
		c.workers = map[string][]span{}
	}
	return senders(ctx, series, s.from, s.to, func(worker string, from, to int64) {
		c.workers[worker] = append(c.workers[worker], span{first + from, first + to})
	})
}

// picked returns k of the numbers, and these together with as many of each worker's as [ofWorker]
// says, both ascending.
func (c *counted) picked(seed uint64, k int64) (usual, all []int64) {
	usual = slices.Collect(picked(seed, c.n, k))
	all = slices.Clone(usual)
	for _, spans := range c.workers {
		sent := int64(0)
		for _, s := range spans {
			sent += s.to - s.from
		}
		before, i := int64(0), 0
		for at := range picked(seed, sent, ofWorker(c.n, sent, len(c.workers))) {
			for ; at >= before+spans[i].to-spans[i].from; i++ {
				before += spans[i].to - spans[i].from
			}
			all = append(all, spans[i].from+at-before)
		}
	}
	slices.Sort(all)
	return usual, slices.Compact(all)
}

// Again plays a sample of the blocks that the log tells of again, half of them of
// the validation, as far as it has so many. Some of both of each worker are played beside
// them and not counted: what it tells is the same wherever the games were played. Blocks that
// the cache has lost since are passed over, and so are those of a pool: they are stored
// only where a worker on another machine has played them.
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
	var search, proof counted
	for trial := range index.Trials() {
		all, err := index.Of(trial)
		if err != nil {
			return nil, err
		}
		for nth, m := range all {
			if m.Trial != 0 {
				continue // it is the first one's as well
			}
			to := &search
			if m.Series.Phase == arena.Validation {
				to = &proof
			}
			if err := to.add(ctx, w.Senders, &m.Series, stretch{trial, nth, m.Series.From, m.Series.To}); err != nil {
				return nil, err
			}
		}
	}
	out := &entry.Replayed{Of: search.n + proof.n}
	k := insight.Again(out.Of, w.Setup.Validation.Replay)
	if k == 0 {
		return out, nil
	}
	ofProof := min(proof.n, max((k+1)/2, k-search.n))
	unkept := w.Setup.Evaluate != nil && !w.Setup.Elsewhere()
	host := &tuner.CachedHost{Host: w.Host, Blocks: w.Blocks}
	// take yields k blocks and those of workers: which ones is decided by their numbers
	// alone, and of the stored runs only those with such a block are read, one at a time.
	take := func(c counted, k int64, yield func(block, error) bool) bool {
		at, before := 0, int64(0)
		var series *arena.Series
		var run *arena.Run // the last that was read of stretch held
		held := -1
		usual, all := c.picked(seed, k)
		for _, i := range all {
			for i >= before+c.all[at].to-c.all[at].from {
				before += c.all[at].to - c.all[at].from
				at++
			}
			s := c.all[at]
			if held != at {
				met, err := index.Of(s.trial)
				if err != nil {
					return yield(block{}, err)
				}
				series, run, held = &met[s.nth].Series, nil, at
			}
			if unkept && series.Phase == arena.Tune {
				continue
			}
			from := s.from + i - before
			if run == nil || from >= run.From+int64(run.Blocks) {
				rest := *series
				rest.From, rest.To = from, s.to
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
			_, counts := slices.BinarySearch(usual, i)
			if !yield(block{series, copied(run.Slice(from, from+1)), !counts}, nil) {
				return false
			}
		}
		return true
	}
	var err error
	out.Blocks, out.Games, err = compare(ctx, w.Host, w.Senders, func(yield func(block, error) bool) {
		proved := func(b block, err error) bool {
			if !b.beside {
				out.Validation++
			}
			return yield(b, err)
		}
		if take(proof, ofProof, proved) {
			take(search, min(search.n, k-ofProof), yield)
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
