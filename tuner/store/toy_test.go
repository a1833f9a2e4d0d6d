package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/blocks"
)

// toy is a study in small, as the tuner runs it: every step first looks for
// its entry in the log, and only where there is none does the work. It has a
// conditional space, batches, rungs that keep half, a repeated incumbent, a
// final and a validation, and everything it does is a function of the log.
type toy struct {
	store   *Store
	log     *Log
	blocks  *blocks.Cache
	entries []entry.Entry
	next    int
	trials  []toyTrial
}

type toyTrial struct {
	Kind  string `json:"kind"`
	Width int    `json:"width,omitempty"` // only of kind packed
	Sum   int64  `json:"sum"`
	At    int64  `json:"blocks"`
}

const (
	toyBatches = 4
	toyBatch   = 4
)

var (
	toyKind  = &tuner.Dimension{Param: param.Param{Name: "kind", Kind: param.Choice, Choices: []string{"random", "packed"}}}
	toyWidth = &tuner.Dimension{Param: param.Param{Name: "width", Kind: param.Int, Domain: param.Range(1, 9)}}
)

// runToy runs the study, from wherever its log ends, and returns its result.
func runToy(ctx context.Context, s *Store) (string, error) {
	log, _, err := s.Studies.Resume(ctx, header("toy"), Source{}, 0)
	if err != nil {
		return "", err
	}
	if err := log.SetState(ctx, tuner.Running, ""); err != nil {
		return "", err
	}
	y := &toy{store: s, log: log, blocks: s.Blocks()}
	if y.entries, err = log.Entries(ctx); err != nil {
		return "", err
	}
	for b := range toyBatches {
		if err := y.batch(ctx, b); err != nil {
			return "", err
		}
	}
	var total int64
	for n := range 2 {
		if err := y.step(ctx, entry.KindFinal, func() (any, error) { return y.play(ctx, n, arena.Final, 0, 20) }, nil, &total); err != nil {
			return "", err
		}
	}
	var attempt int
	err = y.step(ctx, entry.KindAttempt, func() (any, error) {
		a, err := log.Attempt(ctx, tuner.Question{Game: "dice", Strategy: "mp", Baseline: "CB"})
		return a, err
	}, nil, &attempt)
	if err != nil {
		return "", err
	}
	var verdict string
	err = y.step(ctx, entry.KindValidation, func() (any, error) {
		sum, err := y.play(ctx, 0, arena.Validation, int64(1000*attempt), int64(1000*attempt)+30)
		return fmt.Sprintf("attempt %d: %d", attempt, sum), err
	}, nil, &verdict)
	if err != nil {
		return "", err
	}
	result, err := json.Marshal(verdict)
	if err != nil {
		return "", err
	}
	return verdict, errors.Join(log.SetGames(ctx, 1234), log.Finish(ctx, result))
}

// step replays the next entry into v, or computes and appends it.
func (y *toy) step(ctx context.Context, kind entry.Kind, compute func() (any, error), edit func(tuner.Trials) error, v any) error {
	if y.next < len(y.entries) {
		e := y.entries[y.next]
		y.next++
		if e.Kind != kind {
			return fmt.Errorf("entry %d is %s, expected %s", y.next, e.Kind, kind)
		}
		return json.Unmarshal(e.Payload, v)
	}
	value, err := compute()
	if err != nil {
		return err
	}
	payload, err := json.Marshal(value)
	if err != nil {
		return err
	}
	e := entry.Entry{Kind: kind, Payload: payload}
	if err := y.log.Append(ctx, e, edit); err != nil {
		return err
	}
	y.entries = append(y.entries, e)
	y.next++
	return json.Unmarshal(payload, v)
}

func (y *toy) batch(ctx context.Context, b int) error {
	first := b * toyBatch
	var asked []toyTrial
	err := y.step(ctx, entry.KindAsk, func() (any, error) { return y.propose(first), nil }, func(trials tuner.Trials) error {
		for i, t := range y.propose(first) {
			n := first + i
			err := trials.Create(n)
			if t.Kind == "packed" {
				err = errors.Join(err, trials.SetParam(n, toyWidth, fmt.Sprint(t.Width)))
			}
			if err := errors.Join(err, trials.SetParam(n, toyKind, t.Kind), trials.SetAttr(n, "batch", fmt.Sprint(b))); err != nil {
				return err
			}
		}
		return nil
	}, &asked)
	if err != nil {
		return err
	}
	y.trials = append(y.trials, asked...)
	alive := []int{first, first + 1, first + 2, first + 3}
	for rung, to := range []int64{8, 16, 32} {
		for _, n := range alive {
			if err := y.rung(ctx, n, to); err != nil {
				return err
			}
		}
		if rung < 2 && y.trials[alive[0]].Sum < y.trials[alive[len(alive)-1]].Sum {
			alive = alive[len(alive)/2:]
		} else if rung < 2 {
			alive = alive[:(len(alive)+1)/2]
		}
	}
	for n := first; n < first+toyBatch; n++ {
		if err := y.tell(ctx, n); err != nil {
			return err
		}
	}
	var best int
	return y.step(ctx, entry.KindIncumbent, func() (any, error) {
		for n, t := range y.trials {
			if t.Sum*y.trials[best].At > y.trials[best].Sum*t.At {
				best = n
			}
		}
		return best, nil
	}, nil, &best)
}

// propose returns the next trials, which depend only on what was told.
func (y *toy) propose(first int) []toyTrial {
	h := fnv.New64a()
	fmt.Fprint(h, y.trials[:first])
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	batch := make([]toyTrial, toyBatch)
	for i := range batch {
		batch[i] = toyTrial{Kind: toyKind.Choices[rng.IntN(2)]}
		if batch[i].Kind == "packed" {
			batch[i].Width = 1 + rng.IntN(9)
		}
	}
	return batch
}

func (y *toy) rung(ctx context.Context, n int, to int64) error {
	t := &y.trials[n]
	judged := *t
	err := y.step(ctx, entry.KindRung, func() (any, error) {
		sum, err := y.play(ctx, n, arena.Tune, t.At, to)
		judged.Sum, judged.At = t.Sum+sum, to
		return judged, err
	}, func(trials tuner.Trials) error { return trials.Report(n, to, float64(judged.Sum)) }, &judged)
	*t = judged
	return err
}

func (y *toy) tell(ctx context.Context, n int) error {
	t := y.trials[n]
	var told float64
	return y.step(ctx, entry.KindTell, func() (any, error) { return float64(t.Sum) / float64(t.At), nil }, func(trials tuner.Trials) error {
		state := entry.TrialComplete
		if t.At < 32 {
			state = entry.TrialPruned
		}
		return errors.Join(trials.SetValue(n, float64(t.Sum)/float64(t.At)), trials.SetState(n, state))
	}, &told)
}

// loaded returns what a cache holds of a series.
func loaded(ctx context.Context, b tuner.Blocks, key tuner.BlockKey, from, to int64) (runs []*arena.Run, err error) {
	for r, err := range b.Load(ctx, key, from, to) {
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// play adds up the scores of blocks, which come from the cache where it has
// them and are a function of the trial's values and their index alone.
func (y *toy) play(ctx context.Context, n int, phase arena.Phase, from, to int64) (int64, error) {
	t := y.trials[n]
	key := blockKey(7)
	key.Phase, key.Entrants = phase, []string{fmt.Sprint(t.Kind, t.Width), "baseline"}
	runs, err := loaded(ctx, y.blocks, key, from, to)
	if err != nil {
		return 0, err
	}
	var sum int64
	add := func(r *arena.Run) {
		for b := range r.Blocks {
			sum += r.Game(b, 0, 0)[0] + r.Game(b, 1, 1)[0]
		}
		from = r.From + int64(r.Blocks)
	}
	for _, r := range runs {
		if r.From > from {
			return 0, fmt.Errorf("blocks %d..%d are missing before %d", from, r.From, r.From)
		}
		add(r)
	}
	if from < to {
		fresh := diceRun(from, int(to-from), int64(t.Width)/3)
		if err := y.blocks.Save(ctx, key, fresh); err != nil {
			return 0, err
		}
		add(fresh)
	}
	return sum, nil
}

func blockKey(seed uint64) tuner.BlockKey {
	return tuner.BlockKey{Game: "dice", Rules: "r", Signatures: "one:1", Entrants: []string{"a", "b"}, Seed: seed, Phase: arena.Tune}
}

// diceRun returns blocks of two seats in which block i is always the same, with
// numbers of which the least is given.
func diceRun(from int64, n int, least int64) *arena.Run {
	r := arena.NewRun(2, 1, 2, from, n)
	r.Blocks = n
	for b := range n {
		rng := rand.New(rand.NewPCG(uint64(from)+uint64(b), 99))
		for range r.Rotations {
			r.Digests = append(r.Digests, rng.Uint64())
			for range r.Seats * r.Width() {
				r.Values = append(r.Values, least+rng.Int64N(3))
			}
		}
	}
	return r
}
