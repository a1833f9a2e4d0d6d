package study

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// games plays blocks for a study, and remembers what has to be asked more than once.
type games struct {
	setup     *tuner.Setup
	host      arena.Host
	once      arena.Host // plays what is met once and not kept
	recorded  string     // why its games cannot be played again, empty where they can
	meter     *meter
	reference reference
	repeats   repeats
	proof     *proofGames // of the validation that is being played
}

func newGames(s *tuner.Setup, o Options, m *meter) (*games, error) {
	g := &games{setup: s, host: o.Host, once: o.Host, meter: m}
	if o.Blocks != nil {
		g.host = &tuner.CachedHost{Host: o.Host, Blocks: o.Blocks}
	}
	if s.Elsewhere() {
		g.once = g.host // what was told is kept, and told once
	}
	var err error
	g.recorded, err = s.Recorded(s.Strategies()...)
	return g, err
}

// play adds the blocks from..to against every opponent to the evidence of the blocks before
// them.
func (g *games) play(ctx context.Context, e arena.Entrant, so []entry.Evidence, earlier []stretch, seed uint64, phase arena.Phase, from, to int64) ([]entry.Evidence, error) {
	opponents := g.setup.Opponents()
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
		if out[i], err = g.meet(ctx, e, opponent, seed, phase, earlier, from, to, before); errors.Is(err, tuner.ErrAwaited) {
			awaited = err // the other opponents are asked for at once
		} else if err != nil {
			return nil, err
		}
	}
	return out, awaited
}

// meet plays the blocks from..to against one opponent (nil: against itself) and adds them
// to what was played before.
func (g *games) meet(ctx context.Context, e arena.Entrant, opponent *arena.Entrant, seed uint64, phase arena.Phase, earlier []stretch, from, to int64, so *entry.Evidence) (entry.Evidence, error) {
	s := g.setup
	meets := e
	if opponent != nil {
		meets = *opponent
	}
	paired := s.Relative()
	var rows []int64
	series := s.Series(e, meets, seed, phase, from, to)
	seen, err := g.sightings(ctx, series, earlier)
	if err != nil {
		return entry.Evidence{}, err
	}
	var base []int64
	var failed error
	refer := func() { base, failed = g.referenceRows(ctx, opponent, seed, phase, from, to) }
	var beside sync.WaitGroup
	if paired && !s.Elsewhere() {
		beside.Go(refer)
	}
	tally, err := g.host.Play(ctx, series, func(r *arena.Run) error {
		g.meter.add(r)
		if seen != nil {
			seen.Add(r)
		}
		if phase == arena.Validation {
			g.proof.add(r)
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
	out := entry.NewEvidence(series, tally)
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

// reference is the baseline's own play in the candidate's place, block by block, as far as
// it was needed so far.
type reference struct {
	mu   sync.Mutex
	rows map[referenceKey][]int64 // block after block, components summed over a block's games
}

type referenceKey struct {
	opponent string
	seed     uint64
	phase    arena.Phase
}

// referenceRows returns the baseline's sums of the blocks from..to, block after block.
func (g *games) referenceRows(ctx context.Context, opponent *arena.Entrant, seed uint64, phase arena.Phase, from, to int64) ([]int64, error) {
	base := g.setup.Reference
	meets := base
	if opponent != nil {
		meets = *opponent
	}
	key := referenceKey{meets.Canonical(), seed, phase}
	g.reference.mu.Lock()
	defer g.reference.mu.Unlock()
	if g.reference.rows == nil {
		g.reference.rows = map[referenceKey][]int64{}
	}
	n := int64(len(g.setup.Ruleset.Components))
	if have := int64(len(g.reference.rows[key])) / n; have < to {
		ctx = arena.InTurn(ctx) // those who come next wait for it too
		s := g.setup.Series(base, meets, seed, phase, have, to)
		rows := g.reference.rows[key]
		_, err := g.host.Play(ctx, s, func(r *arena.Run) error {
			g.meter.add(r)
			for b := range r.Blocks {
				rows = appendSums(rows, r, b)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		g.reference.rows[key] = rows
	}
	return g.reference.rows[key][from*n : to*n], nil
}

// repeats counts which games of a candidate are new, by their transcripts. Players without
// chance who begin from few starts repeat their games, and a repetition is no further
// evidence.
type repeats struct {
	mu   sync.Mutex
	seen map[repeatsKey]*arena.Seen
}

type repeatsKey struct {
	entrant, opponent [sha256.Size]byte // of the canonical texts, which may be long
	seed              uint64
	phase             arena.Phase
}

// stretch is the blocks from..to.
type stretch struct{ from, to int64 }

// sightings returns what a candidate has played against an opponent so far. If that is not in
// memory, as after a resumption, it is read from the stored blocks. It is nil in games
// where repetitions are coincidences.
func (g *games) sightings(ctx context.Context, s arena.Series, earlier []stretch) (*arena.Seen, error) {
	if s.Ruleset.Game.FreshChance {
		return nil, nil
	}
	text := func(e arena.Entrant) [sha256.Size]byte { return sha256.Sum256([]byte(e.Canonical())) }
	key := repeatsKey{text(s.Entrants[0]), text(s.Entrants[len(s.Entrants)-1]), s.Seed, s.Phase}
	g.repeats.mu.Lock()
	seen, ok := g.repeats.seen[key]
	g.repeats.mu.Unlock()
	if ok {
		return seen, nil
	}
	seen = &arena.Seen{}
	for _, e := range earlier {
		s.From, s.To = e.from, e.to
		if err := g.again(ctx, s, func(r *arena.Run) error { seen.Add(r); return nil }); err != nil {
			return nil, err
		}
	}
	g.repeats.mu.Lock()
	defer g.repeats.mu.Unlock()
	if g.repeats.seen == nil {
		g.repeats.seen = map[repeatsKey]*arena.Seen{}
	}
	g.repeats.seen[key] = seen
	return seen, nil
}

// again hears of blocks that the study has played before: of those that are kept,
// and where games can be played again of all.
func (g *games) again(ctx context.Context, s arena.Series, observe func(*arena.Run) error) error {
	if g.recorded == "" {
		_, err := g.host.Play(ctx, s, observe)
		return err
	}
	cached, ok := g.host.(*tuner.CachedHost)
	if !ok {
		return nil // nothing is kept
	}
	for r, err := range cached.Stored(ctx, s) {
		if err == nil {
			err = observe(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// values returns a trial's value of every block from..from+blocks of the search or the final,
// the mean over its opponents, more being better. Trials are compared by it block by block.
// The blocks have been played, so they come from the cache if there is one.
//
// A block's value of a ratio of two components is linearised, R + (x - R y)/mean y, so that
// its mean is the ratio of the sums; a block whose denominator is 0 changes nothing. A
// metric relative to the baseline's counts as it is: on common blocks all candidates have
// the same denominator.
func (g *games) values(ctx context.Context, phase arena.Phase, t *tuner.Trial, from, blocks int64) ([]float64, error) {
	goals := g.setup.Objective.Goals()
	goal := &goals[0]
	opponents := g.setup.Opponents()
	if len(opponents) == 0 {
		opponents = []arena.Entrant{t.Entrant(g.setup)}
	}
	out := make([]float64, blocks)
	for _, o := range opponents {
		s := g.setup.Series(t.Entrant(g.setup), o, g.setup.TuneSeed(), phase, from, from+blocks)
		one := make([]float64, 0, blocks)
		of, per := g.components(goal)
		var xs, ys []int64
		err := g.again(ctx, s, func(r *arena.Run) error {
			for b := range r.Blocks {
				if of < 0 {
					one = append(one, blockScore(r, b))
					continue
				}
				sums := blockSums(r, b)
				xs = append(xs, sums[of])
				if per >= 0 {
					ys = append(ys, sums[per])
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if of >= 0 {
			one = linear(xs, ys)
		}
		if int64(len(one)) < blocks {
			return nil, nil // of games that cannot be played again, not all are kept
		}
		for b, x := range one {
			if !goal.Maximize() {
				x = -x
			}
			out[b] += x / float64(len(opponents))
		}
	}
	return out, nil
}

// components returns those of a metric; the first is -1 for a score, the second for
// a mean.
func (g *games) components(goal *tuner.Objective) (of, per int) {
	if goal.Of == "score" {
		return -1, -1
	}
	m := g.setup.MetricOf(goal.Metric)
	if m.Per == "" {
		return g.setup.Ruleset.Component(m.Of), -1
	}
	return g.setup.Ruleset.Component(m.Of), g.setup.Ruleset.Component(m.Per)
}

// blockScore returns the first entrant's score of a block, per game, in [0, 1].
func blockScore(r *arena.Run, block int) float64 {
	units := int64(0)
	for rotation := range r.Seats {
		units += r.Game(block, rotation%r.Rotations, rotation)[0]
	}
	return float64(units) / float64(int64(r.Seats)*arena.Scale(r.Seats))
}

// linear returns a metric's value of every block, without denominators the numbers
// themselves.
func linear(xs, ys []int64) []float64 {
	out := make([]float64, len(xs))
	x, y := 0.0, 0.0
	for b := range xs {
		out[b] = float64(xs[b])
		x += out[b]
		if ys != nil {
			y += float64(ys[b])
		}
	}
	if ys == nil {
		return out
	}
	if y == 0 {
		clear(out)
		return out
	}
	ratio, mean := x/y, y/float64(len(xs))
	for b := range out {
		out[b] = ratio + (out[b]-float64(ratio*float64(ys[b])))/mean
	}
	return out
}

// blockSums returns what the first entrant counted in a block, by component, summed
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
