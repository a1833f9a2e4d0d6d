package tuner

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"sakusen/engines/arena"
)

// CachedHost plays a series only where the cache does not hold its blocks.
type CachedHost struct {
	Host   arena.Host
	Blocks Blocks

	mu         sync.Mutex
	signatures map[string]string // by ruleset hash and strategies
}

// saveEvery and saveAfter bound what a kill can lose of a long series: blocks, and time.
const (
	saveEvery = 4096
	saveAfter = time.Second
)

// Play implements arena.Host.
func (h *CachedHost) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	if err := s.Check(); err != nil {
		return arena.Tally{}, err
	}
	if observe == nil {
		observe = func(*arena.Run) error { return nil }
	}
	key, err := h.Key(ctx, &s)
	if err != nil {
		return arena.Tally{}, err
	}
	tally := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	if _, elsewhere := h.Host.(*Awaited); elsewhere {
		if err := h.await(ctx, s, key); err != nil {
			return tally, err
		}
	}
	at := s.From
	for run, err := range h.Blocks.Load(ctx, key, s.From, s.To) {
		if err != nil {
			return tally, err
		}
		if run.Seats != s.Ruleset.Seats || run.Components != len(s.Ruleset.Components) {
			return tally, fmt.Errorf("stored blocks of %s have %d seats and count %d things, expected %d and %d",
				s.Ruleset.Game.Name, run.Seats, run.Components, s.Ruleset.Seats, len(s.Ruleset.Components))
		}
		if err := run.Check(); err != nil {
			return tally, fmt.Errorf("stored blocks of %s: %w", s.Ruleset.Game.Name, err)
		}
		if err := h.fill(ctx, s, key, at, run.From, &tally, observe); err != nil {
			return tally, err
		}
		tally.Add(run)
		if err := observe(run); err != nil {
			return tally, err
		}
		at = run.From + int64(run.Blocks)
	}
	return tally, h.fill(ctx, s, key, at, s.To, &tally, observe)
}

// await notes all that a cache lacks of a series.
func (h *CachedHost) await(ctx context.Context, s arena.Series, key BlockKey) error {
	at, lacks := s.From, false
	need := func(to int64) {
		if at < to {
			part := s
			part.From, part.To = at, to
			h.Host.Play(ctx, part, nil)
			lacks = true
		}
	}
	for r, err := range h.Blocks.Load(ctx, key, s.From, s.To) {
		if err != nil {
			return err
		}
		need(r.From)
		at = r.From + int64(r.Blocks)
	}
	if need(s.To); lacks {
		return ErrAwaited
	}
	return nil
}

// Stored yields the blocks of a series that the cache holds, as [Blocks] does; nothing is
// played but the signatures.
func (h *CachedHost) Stored(ctx context.Context, s arena.Series) iter.Seq2[*arena.Run, error] {
	err := s.Check()
	var key BlockKey
	if err == nil {
		key, err = h.Key(ctx, &s)
	}
	if err != nil {
		return func(yield func(*arena.Run, error) bool) { yield(nil, err) }
	}
	return h.Blocks.Load(ctx, key, s.From, s.To)
}

// Kept returns the text of a game that was kept, empty where there is none.
func (h *CachedHost) Kept(ctx context.Context, s arena.Series, block int64, rotation int) (string, error) {
	keeper, ok := h.Blocks.(GameKeeper)
	if !ok {
		return "", nil
	}
	key, err := h.Key(ctx, &s)
	if err != nil {
		return "", err
	}
	return keeper.Game(ctx, key, block, rotation)
}

// fill plays the blocks from..to, and stores them as they come.
func (h *CachedHost) fill(ctx context.Context, s arena.Series, key BlockKey, from, to int64,
	tally *arena.Tally, observe func(*arena.Run) error) error {
	if from >= to || ctx.Err() != nil {
		return ctx.Err()
	}
	s.From, s.To = from, to
	noted, err := note(h.Blocks, &s)
	if err != nil {
		return err
	}
	var played []*arena.Run // that are not stored, one for each worker, in the order of their blocks
	blocks, saved := 0, time.Now()
	save := func() error {
		for _, run := range played {
			// What was played is kept even where the context has ended since.
			if err := noted.save(context.WithoutCancel(ctx), h.Blocks, key, run); err != nil {
				return err
			}
		}
		played, blocks, saved = nil, 0, time.Now()
		return nil
	}
	_, err = h.Host.Play(ctx, s, func(r *arena.Run) error {
		last := len(played) - 1
		if last < 0 || played[last].Worker != r.Worker {
			played = append(played, arena.NewRun(r.Seats, r.Components, r.Rotations, r.From, r.Blocks))
			last++
		}
		played[last].Join(r)
		blocks += r.Blocks
		tally.Add(r)
		err := observe(r)
		if err == nil && (blocks >= saveEvery || time.Since(saved) >= saveAfter) {
			err = save()
		}
		return err
	})
	if failed := save(); failed != nil {
		return failed
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// Key identifies a series; signatures are computed once each.
func (h *CachedHost) Key(ctx context.Context, s *arena.Series) (BlockKey, error) {
	key := BlockKey{Game: s.Ruleset.Game.Name, Rules: s.Ruleset.Hash(), Seed: s.Seed, Phase: s.Phase}
	var strategies []string
	for _, e := range s.Entrants {
		key.Entrants = append(key.Entrants, e.Hash())
		strategies = append(strategies, e.Strategy)
	}
	sort.Strings(strategies)
	id := key.Rules + " " + strings.Join(strategies, " ")
	h.mu.Lock()
	defer h.mu.Unlock()
	if sig, ok := h.signatures[id]; ok {
		key.Signatures = sig
		return key, nil
	}
	sig, err := s.Ruleset.Signatures(ctx, strategies...)
	if err != nil {
		return key, err
	}
	if h.signatures == nil {
		h.signatures = map[string]string{}
	}
	h.signatures[id] = sig
	key.Signatures = sig
	return key, nil
}

// Bounds of what is kept of games that cannot be played again: the first games of
// each pairing, in the search and in its final and validation, and the length of a
// text, bytes.
const (
	keptInSearch = 4
	keptInProof  = 200
	keptText     = 64 << 10
)

// KeptGame is a game as it was played, in the words of its game (of chess PGN).
type KeptGame struct {
	Block    int64
	Rotation int
	Text     string
}

// Tape holds the players' answers in a game by the clock; see [arena.Tape].
type Tape struct {
	Block    int64
	Rotation int
	Text     []byte
}

// GameKeeper is [Blocks] that keep games too.
type GameKeeper interface {
	Blocks
	// SaveGames is Save with texts of games of the run, in order, while the series has fewer
	// than KeptGames.
	SaveGames(ctx context.Context, key BlockKey, run *arena.Run, games []KeptGame) error
	// Game is the text of a game, empty where none was kept.
	Game(ctx context.Context, key BlockKey, block int64, rotation int) (string, error)
}

// KeptGames returns the number of games of a pairing that are kept, those that end first,
// where they cannot be played again.
func KeptGames(phase arena.Phase) int {
	switch phase {
	case arena.Tune:
		return keptInSearch
	case arena.Final, arena.Validation:
		return keptInProof
	}
	return 0
}

// noting collects the texts of games while they are played.
type noting struct {
	mu    sync.Mutex
	games []KeptGame
}

// note has the games of a series noted that are to be kept; nil where none are.
func note(blocks Blocks, s *arena.Series) (*noting, error) {
	_, keeps := blocks.(GameKeeper)
	if !keeps || s.Ruleset.Game.Record == nil || s.Watch != nil || KeptGames(s.Phase) == 0 {
		return nil, nil
	}
	var strategies []string
	for _, e := range s.Entrants {
		strategies = append(strategies, e.Strategy)
	}
	if why, err := s.Ruleset.Recorded(strategies...); err != nil || why == "" {
		return nil, err
	}
	n, record, entrants, to := &noting{}, s.Ruleset.Game.Record, s.Entrants, s.From+int64(KeptGames(s.Phase))
	s.Watch = func(block int64, rotation int) func(any) {
		if block >= to {
			return nil
		}
		seats := make([]string, len(entrants))
		for e, one := range entrants {
			seats[(e+rotation)%len(seats)] = one.Name
		}
		see, text := record(seats)
		done := false
		return func(event any) {
			if see(event); done {
				return
			}
			whole := text()
			if done = whole != ""; done && len(whole) <= keptText {
				n.mu.Lock()
				defer n.mu.Unlock()
				n.games = append(n.games, KeptGame{block, rotation, whole})
			}
		}
	}
	return n, nil
}

// save stores a run with those of its games that were noted; n may be nil.
func (n *noting) save(ctx context.Context, blocks Blocks, key BlockKey, run *arena.Run) error {
	if n == nil {
		return blocks.Save(ctx, key, run)
	}
	n.mu.Lock()
	games := slices.Clone(n.games)
	n.mu.Unlock()
	games = slices.DeleteFunc(games, func(g KeptGame) bool { return g.Block < run.From || g.Block >= run.From+int64(run.Blocks) })
	slices.SortFunc(games, func(a, b KeptGame) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Rotation, b.Rotation))
	})
	return blocks.(GameKeeper).SaveGames(ctx, key, run, games)
}
