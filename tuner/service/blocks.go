package service

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
)

// Blocks is what can be done with the stored blocks.
type Blocks struct{ s *Service }

// Blocks returns the stored blocks.
func (s *Service) Blocks() *Blocks { return &Blocks{s} }

// Page lists at most limit runs of blocks of a study's game and seeds, after the
// one with the given id; each with its digests and values where asked.
func (b *Blocks) Page(ctx context.Context, study string, after int64, limit int, values bool) ([]BlockRun, error) {
	scope, err := scope(ctx, b.s.store, study)
	if err != nil {
		return nil, err
	}
	out := []BlockRun{}
	for s, err := range b.s.store.Blocks().Page(ctx, scope, after, limit) {
		if err != nil {
			return out, err
		}
		out = append(out, blockRun(s, values))
	}
	return out, nil
}

// Save keeps blocks of a match that were played elsewhere, apart from those that
// this program has played: they are no part of its own results.
func (b *Blocks) Save(ctx context.Context, p PlayedBlocks) error {
	game, err := b.s.games.all().Game(p.Game)
	if err != nil {
		return Wrap(Invalid, err)
	}
	key, run, err := p.run()
	if err == nil {
		if err = game.Possible(run); err != nil {
			err = fmt.Errorf("values: %w", err)
		}
	}
	if err != nil {
		return Wrap(Invalid, err)
	}
	return b.s.store.Blocks().Save(ctx, key, run)
}

// Prune deletes the blocks of series to which nothing was added for the given number of
// days, or, dry, counts them.
func (b *Blocks) Prune(ctx context.Context, days int, dry bool) (blocks.Pruned, error) {
	p, err := b.s.store.Blocks().Prune(ctx, b.s.o.Clock().AddDate(0, 0, -days), dry)
	if err == nil && !dry {
		b.s.o.Log.Info("pruned", "days", days, "series", p.Series, "blocks", p.Blocks)
	}
	return p, err
}

// Dropped is what dropping a worker did.
type Dropped struct {
	store.Dropped
	Others []string `json:"others"` // studies that have met that worker's blocks too
}

// BlockRun is consecutive blocks of one series, as they are stored. Numbers that
// may exceed 2^53 are decimal texts.
type BlockRun struct {
	ID         int64  `json:"id"`
	Game       string `json:"game"`
	Phase      string `json:"phase" enum:"match,tune,final,validation"`
	Seed       string `json:"seed" schema:"Decimal"`
	Rules      string `json:"rules" help:"The hash of the rules."`
	Signatures string `json:"signatures"`
	Entrants   string `json:"entrants" help:"The hash of the entrants, in their order."`
	From       int64  `json:"from"`
	Blocks     int64  `json:"blocks"`
	Games      int64  `json:"games"`
	// Scores are each entrant's mean score, in [0, 1]; null in games without a winner.
	Scores []*float64 `json:"scores" help:"Each entrant's mean score, in [0, 1]."`
	Digest string     `json:"digest" schema:"Decimal"` // of the transcripts
	// Detail is present if it was asked for.
	Detail *BlockDetail `json:"detail,omitempty"`
}

// BlockDetail is every game of a run of blocks: see arena.Run.
type BlockDetail struct {
	Seats      int      `json:"seats"`
	Components int      `json:"components"`
	Rotations  int      `json:"rotations"`
	Digests    []string `json:"digests" help:"The digest of each game's transcript, ordered by block, then by rotation." schema:"Decimals"`
	Values     []int64  `json:"values" help:"For each game in the same order, and for each seat: the score, 1 for an illegal move (else 0), then the components of the metrics."`
}

// PlayedBlocks are blocks of a match that were played elsewhere.
type PlayedBlocks struct {
	Game       string   `json:"game" line:"1-100"`
	Rules      string   `json:"rules" line:"1-200"`
	Signatures string   `json:"signatures" line:"1-20000"`
	Entrants   []string `json:"entrants" most:"64" line:"1-200"` // hashes, in order
	Seed       string   `json:"seed" schema:"Decimal"`
	From       int64    `json:"from" min:"0"`
	Blocks     int      `json:"blocks" min:"1"`
	BlockDetail
}

// Check returns an error that says what is wrong with the numbers.
func (p *PlayedBlocks) Check() error {
	bad := func(format string, args ...any) error {
		return New(Invalid, fmt.Sprintf(format, args...))
	}
	if _, err := param.ParseSeed(p.Seed); err != nil {
		return bad("seed: %v", err)
	}
	if p.Blocks < 1 || p.Blocks > 1<<20 || p.From < 0 || p.From > 1<<40 {
		return bad("from, blocks: expected at least one block, of a number from 0 to 2^40, got %d from %d", p.Blocks, p.From)
	}
	if p.Seats < 1 || p.Seats > 64 || len(p.Entrants) != p.Seats {
		return bad("seats, entrants: expected 1 to 64 and as many entrants, got %d and %d", p.Seats, len(p.Entrants))
	}
	if p.Components < 0 || p.Components > 1024 || p.Rotations != 1 && p.Rotations != p.Seats {
		return bad("components, rotations: expected up to 1024, and 1 or as many as seats, got %d and %d", p.Components, p.Rotations)
	}
	games := p.Blocks * p.Rotations
	if values := games * p.Seats * (2 + p.Components); len(p.Digests) != games || len(p.Values) != values {
		return bad("digests, values: expected %d and %d, got %d and %d", games, values, len(p.Digests), len(p.Values))
	}
	for _, d := range p.Digests {
		if _, err := strconv.ParseUint(d, 10, 64); err != nil {
			return bad("digests: expected integers from 0 to 2^64-1 as texts, got %.40q", d)
		}
	}
	return nil
}

// blockRun returns a stored run of blocks as it is served.
func blockRun(s blocks.StoredRun, values bool) BlockRun {
	tally := arena.NewTally(s.Run.Seats, s.Run.Components)
	tally.Add(s.Run)
	out := BlockRun{
		ID: s.ID, Game: s.Game, Phase: s.Phase.String(), Seed: param.Seed(s.Seed).String(), Rules: s.Rules, Signatures: s.Signatures,
		Entrants: fmt.Sprintf("%x", s.Entrants), From: s.Run.From, Blocks: int64(s.Run.Blocks), Games: tally.Games,
		Digest: strconv.FormatUint(tally.Digest, 10), Scores: []*float64{},
	}
	for _, e := range tally.Entrants {
		units, games := int64(0), int64(0)
		for _, seat := range e.Seats {
			units, games = units+seat.Score, games+seat.Games
		}
		var mean *float64
		if s.Run.Seats > 1 && games > 0 {
			x := float64(units) / float64(games*arena.Scale(s.Run.Seats))
			mean = &x
		}
		out.Scores = append(out.Scores, mean)
	}
	if values {
		out.Detail = DetailOf(s.Run)
	}
	return out
}

// DetailOf returns every game of a run.
func DetailOf(r *arena.Run) *BlockDetail {
	d := &BlockDetail{Seats: r.Seats, Components: r.Components, Rotations: r.Rotations, Digests: []string{}, Values: r.Values}
	for _, x := range r.Digests {
		d.Digests = append(d.Digests, strconv.FormatUint(x, 10))
	}
	return d
}

// PostedBy is who is credited with blocks that a command has played and posted.
// They are a match's and lie apart: no study, tournament or experiment meets them.
const PostedBy = contest.Posted

// run returns the blocks as they are stored. [PlayedBlocks.Check] says what else is
// wrong with them.
func (p *PlayedBlocks) run() (tuner.BlockKey, *arena.Run, error) {
	seed, err := param.ParseSeed(p.Seed)
	key := tuner.BlockKey{Game: p.Game, Rules: p.Rules, Signatures: p.Signatures, Entrants: p.Entrants, Seed: uint64(seed), Phase: arena.Match, Posted: true}
	run := &arena.Run{
		Seats: p.Seats, Components: p.Components, Rotations: p.Rotations, From: p.From, Blocks: p.Blocks, Values: p.Values, Worker: PostedBy,
	}
	for _, text := range p.Digests {
		d, parse := strconv.ParseUint(text, 10, 64)
		err = errors.Join(err, parse)
		run.Digests = append(run.Digests, d)
	}
	if err == nil {
		err = run.Check()
	}
	if err != nil {
		return key, nil, fmt.Errorf("digests, values: %w", err)
	}
	return key, run, nil
}

// Keep stores blocks that were played for a series on another machine. The stored data
// already is compared and stays.
func (b *Blocks) Keep(ctx context.Context, series *arena.Series, run *arena.Run) error {
	key, err := b.s.keys.Key(ctx, series)
	if err != nil {
		return err
	}
	return b.s.store.Blocks().Save(ctx, key, run)
}

// Records returns who has played what of a series before its end, "" for the daemon itself.
func (b *Blocks) Records(ctx context.Context, series *arena.Series) (map[string]stats.Record, error) {
	key, err := b.s.keys.Key(ctx, series)
	if err != nil {
		return nil, err
	}
	var late []int
	for _, name := range []string{"overtime", "stalls", "crashes"} {
		if i := series.Ruleset.Component(name); i >= 0 {
			late = append(late, i)
		}
	}
	return b.s.store.Blocks().Records(ctx, key, series.To, late)
}

// Stored returns blocks of a series that are stored, with what was answered in their games; nil
// where one of them is not.
func (b *Blocks) Stored(ctx context.Context, series *arena.Series, from int64, n int) (*arena.Run, error) {
	key, err := b.s.keys.Key(ctx, series)
	if err != nil {
		return nil, err
	}
	var all *arena.Run
	for run, err := range b.s.store.Blocks().Load(ctx, key, from, from+int64(n)) {
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = arena.NewRun(run.Seats, run.Components, run.Rotations, run.From, n)
		}
		all.Join(run)
	}
	if all == nil || all.Blocks != n {
		return nil, nil
	}
	all.Tapes = nil
	for tape, err := range b.s.store.Blocks().Tapes(ctx, key, from, from+int64(n)) {
		if err != nil {
			return nil, err
		}
		all.Tapes = append(all.Tapes, tape.Text)
	}
	return all, nil
}

// Impure reports whether blocks were not stored since others are stored in their place.
func Impure(err error) bool {
	_, is := errors.AsType[*blocks.ImpureError](err)
	return is
}
