package arenatest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// watched checks that a game that is played alone, told and shown, is the same as when it
// was played among others unwatched; and it can be left in the middle.
func (c *battery) watched(t T) {
	s := c.series(0)
	s.To = min(s.To, 2)
	_, runs := play(t, 1, s)
	lines, first := 0, 0 // of all games, of the first
	s.Tell = func(block int64, rotation int) func(string) {
		return func(string) {
			lines++
			if block == runs[0].From && rotation == 0 {
				first++
			}
		}
	}
	s.Watch = func(int64, int) func(any) {
		return func(event any) {
			if event == nil {
				t.Error("an event is nil")
			}
		}
	}
	for _, run := range runs {
		for b := range run.Blocks {
			for r := range run.Rotations {
				one, err := arena.One(context.Background(), &s, run.From+int64(b), r)
				if err != nil {
					t.Fatal(err)
				}
				for seat := range run.Seats {
					if got, want := one.Game(0, 0, seat), run.Game(b, r, seat); !reflect.DeepEqual(got, want) {
						t.Errorf("block %d, rotation %d, seat %d: alone %v, among others %v", b, r, seat, got, want)
					}
				}
				if got, want := one.Digests[0], run.Digests[b*run.Rotations+r]; got != want {
					t.Errorf("block %d, rotation %d: alone %016x, among others %016x", b, r, got, want)
				}
			}
		}
	}
	if lines == 0 {
		t.Error("no game is told")
	}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	heard := 0 // of the first game, before it was left
	s.Tell = func(int64, int) func(string) { return func(string) { heard++; leave() } }
	s.Watch = nil
	_, err := arena.One(ctx, &s, runs[0].From, 0)
	if heard > 1 {
		t.Errorf("a game that was left tells %d lines", heard)
	}
	if first > 1 && !errors.Is(err, context.Canceled) {
		t.Errorf("a game that was left after one of %d lines gives %v", first, err)
	}
	if _, err := arena.One(context.Background(), &s, 0, c.rules.Seats); err == nil {
		t.Error("a rotation beyond the seats is played")
	}
}

// nothing is the context of what is not to be interrupted.
var nothing = context.Background()

// readBlocks is the number of blocks within which a changed value must change a game.
const readBlocks = 8

// read checks that each parameter of the strategies tried, and each option of the rules, at
// its ends and at its choices, can be played without a fault and changes some game; a
// warning where it does not.
func (c *battery) read(t T) {
	ctx, stop := context.WithTimeout(nothing, c.patience)
	defer stop()
	tried := map[string]bool{}
	for _, e := range c.entrants {
		if tried[e.Strategy] {
			continue
		}
		tried[e.Strategy] = true
		space, err := c.rules.Space(e.Strategy)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range space {
			c.parameter(ctx, t, e, p)
		}
	}
}

// parameter tries the values of one parameter, the rest as the entrant has it.
func (c *battery) parameter(ctx context.Context, t T, e arena.Entrant, p param.Param) {
	given := e.Params
	for _, w := range p.When {
		given = given.With(w.Name, w.Value)
	}
	c.changes(t, p, e.Strategy+": ", "of "+p.Name, "is the parameter read?", func(v string) (tally arena.Tally, ok bool) {
		entrant, err := c.rules.NewEntrant(e.Strategy, e.Strategy, given.With(p.Name, v))
		if err == nil { // else it does not go with what else the entrant has
			tally, ok = c.tryOut(ctx, t, entrant)
		}
		return tally, ok
	})
}

// changes tries values of a parameter, or of an option of the rules, each of which play plays if
// it can, and warns where all give the same games.
func (o *Options) changes(t T, p param.Param, who, of, question string, play func(v string) (arena.Tally, bool)) {
	digests := map[uint64]bool{}
	var values []string
	for _, v := range append(extremes(p), p.Default) {
		if slices.Contains(values, v) {
			continue
		}
		if tally, ok := play(v); ok {
			values = append(values, v)
			digests[tally.Digest] = true
		}
	}
	if len(values) > 1 && len(digests) == 1 && !slices.Contains(o.Quiet, p.Name) {
		t.Logf("warning: %sthe values %v %s give the same games in %d blocks: %s", who, values, of, readBlocks, question)
	}
}

// extremes returns the values of a parameter that are furthest apart. Of a parameter on a
// logarithmic scale, such as a budget, it is the lower end alone.
func extremes(p param.Param) []string {
	switch {
	case p.Kind == param.Bool:
		return []string{"false", "true"}
	case p.Kind == param.Choice:
		return p.Choices
	case p.Domain.Log:
		return []string{number(p.Domain.Low)}
	}
	return []string{number(p.Domain.Low), number(p.Domain.Top())}
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// tryOut plays an entrant against itself, or against the first one, and tells of
// faults and panics; false where it cannot be played.
func (c *battery) tryOut(ctx context.Context, t T, e arena.Entrant) (arena.Tally, bool) {
	s := c.series(0)
	s.To = min(readBlocks, max(c.Blocks, 2))
	s.Entrants[0] = e
	if ctx.Err() != nil {
		return arena.Tally{}, false
	}
	tally, err := arena.NewPool(1).Play(ctx, s, c.legal)
	var panicked *arena.PanicError
	var unfit *arena.UnfitError
	switch {
	case err == nil:
		return tally, true
	case errors.Is(err, context.DeadlineExceeded):
		t.Logf("%s with rules %s: the time is up; this and the following rules are not tested", e.Canonical(), c.rules.Rules)
	case errors.As(err, &panicked):
		t.Errorf("%s with rules %s: %v", e.Canonical(), c.rules.Rules, err)
	case errors.As(err, &unfit):
	default:
		t.Logf("warning: %s with rules %s cannot be played: %v", e.Canonical(), c.rules.Rules, err)
	}
	return tally, false
}

// readRules checks that each option of the rules, at its ends and its choices, can be
// opened and played, and changes some game; a warning where it does not. The option that
// sets the number of players is left out, as entrants go with it.
func (c *battery) readRules(t T) {
	ctx, stop := context.WithTimeout(nothing, c.patience)
	defer stop()
	game := c.rules.Game
	options, err := game.RulesOptions()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range options {
		if p.Name == game.SeatsOption {
			continue
		}
		given := c.Rules
		for _, w := range p.When {
			given = given.With(w.Name, w.Value)
		}
		c.changes(t, p, "", "of the rules' option "+p.Name, "is it read?", func(v string) (arena.Tally, bool) {
			rules, errs := game.Open(given.With(p.Name, v))
			if len(errs) > 0 || rules.Seats != c.rules.Seats {
				return arena.Tally{}, false // it does not go with the other options
			}
			other := &battery{Options: c.Options, rules: rules}
			for _, text := range c.Entrants {
				if e, err := rules.Entrant(text); err == nil {
					other.entrants = append(other.entrants, e)
				}
			}
			if len(other.entrants) == 0 {
				return arena.Tally{}, false
			}
			return other.tryOut(ctx, t, other.entrants[0])
		})
	}
}

// games are results by the digest of the game's transcript.
type games struct {
	results map[uint64][]int64
	told    bool // a mistake is told once
}

func newGames() *games { return &games{results: map[uint64][]int64{}} }

// add compares the games of a run with earlier ones of the same digest: two games with
// different results must not have the same transcript.
func (g *games) add(t T, r *arena.Run) {
	for i, digest := range r.Digests {
		result := make([]int64, r.Seats) // scores; what a metric counts may be thought, not play
		for seat := range result {
			result[seat] = r.Game(i/r.Rotations, i%r.Rotations, seat)[0]
		}
		known, ok := g.results[digest]
		if !ok {
			g.results[digest] = result
			continue
		}
		if !g.told && !slices.Equal(known, result) {
			g.told = true
			t.Errorf("two games with the same transcript digest %016x have different scores %v and %v: add to Outcome.Transcript whatever decides the game", digest, known, result)
		}
	}
}

// transcript checks that games leave a transcript, which says what was played.
func (c *battery) transcript(t T) {
	var none arena.Transcript
	for shift := range c.entrants {
		_, runs := play(t, 1, c.series(shift))
		for _, r := range runs {
			if slices.Contains(r.Digests, none.Sum()) {
				t.Fatal("a game has an empty transcript: add its moves and its chance to Outcome.Transcript")
			}
		}
	}
	if c.rules.Seats < 2 && len(c.entrants) < 2 {
		return
	}
	// The same chance under other players must leave other transcripts somewhere.
	digests := map[uint64]bool{}
	var texts []string
	for _, e := range c.entrants {
		if slices.Contains(texts, e.Canonical()) {
			continue
		}
		texts = append(texts, e.Canonical())
		s := c.series(0)
		for i := range s.Entrants {
			s.Entrants[i] = e
		}
		tally, _ := play(t, 1, s)
		digests[tally.Digest] = true
	}
	if len(texts) > 1 && len(digests) == 1 {
		t.Errorf("all of %v leave the same transcripts in %d blocks: either they play alike, or the moves are not in Outcome.Transcript", texts, c.Blocks)
	}
}
