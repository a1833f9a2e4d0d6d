package arenatest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"time"

	"sakusen/engines/arena"
)

// ends checks that a block of every entrant comes to its end.
func (c *battery) ends(t T) {
	for shift := range c.entrants {
		s := c.series(shift)
		s.To = 1
		ctx, stop := context.WithTimeout(context.Background(), c.Limit)
		_, err := arena.NewPool(1).Play(ctx, s, nil)
		stop()
		if errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%s does not end: block 0 of %s is still being played after %s. Let the referee end a game that is too long, as a draw or on points; where one honest block takes this long raise Options.Limit",
				c.rules.Game.Name, s.Entrants[0].Name, c.Limit)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// again checks that a series gives the same games at a table that has played another series in
// between. Data that a player or a referee keeps from game to game must not change its play.
func (c *battery) again(t T) {
	s, other := c.series(0), c.series(1)
	s.To = min(s.To, 4)
	other.To, other.Seed = s.To, c.Seed+1
	pool := arena.NewPool(1)
	var first uint64
	for i, x := range []arena.Series{s, other, s} {
		tally, err := pool.Play(context.Background(), x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = tally.Digest
		} else if i == 2 && tally.Digest != first {
			t.Error("the same series at the same table gives other games after another series: something is carried from game to game")
		}
	}
}

// patience is a second of play, and longBlocks the most blocks of it.
const (
	patience   = time.Second
	longBlocks = 1000
)

// longRun plays for about a second, for what happens rarely: faults, wrong sums, games
// whose digests do not tell them apart, and games that repeat themselves. It prints the
// share and the metrics of each seat, to be looked at.
func (c *battery) longRun(t T) {
	ctx, stop := context.WithTimeout(context.Background(), c.patience)
	defer stop()
	for shift := range c.entrants {
		s := c.series(shift)
		s.To = max(c.Blocks, c.Most)
		seen, games := arena.Seen{}, newGames()
		tally, err := arena.NewPool(2).Play(ctx, s, func(r *arena.Run) error {
			games.add(t, r)
			seen.New(r)
			return c.legal(r)
		})
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if tally.Blocks > 0 {
			c.seats(t, s.Entrants[0].Name, tally)
		}
		if repeated := tally.Blocks - seen.Blocks(); repeated > 0 && c.rules.Starts == 0 && !c.rules.Game.FreshChance {
			t.Logf("warning: only %d of %d blocks of %s are different games. Where the game has a limited number of starts, declare it (Definition.Starts, Fixture.Start); repeated games prove nothing and are not counted",
				seen.Blocks(), tally.Blocks, s.Entrants[0].Name)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// seats prints the scores of each seat, of all its players together.
func (c *battery) seats(t T, name string, tally arena.Tally) {
	for seat := range c.rules.Seats {
		games, score := int64(0), int64(0)
		sums := make([]int64, len(c.rules.Components))
		for _, e := range tally.Entrants {
			if seat >= len(e.Seats) {
				continue
			}
			games += e.Seats[seat].Games
			score += e.Seats[seat].Score
			for i, x := range e.Seats[seat].Sums {
				sums[i] += x
			}
		}
		if games == 0 {
			continue
		}
		t.Logf("%s: seat %d scores %.3f of %d games; sums a game of %v: %v",
			name, seat, float64(score)/float64(games*arena.Scale(c.rules.Seats)), games, c.rules.Components, perGame(sums, games))
	}
}

// perGame divides sums by a number of games.
func perGame(sums []int64, games int64) []float64 {
	out := make([]float64, len(sums))
	for i, x := range sums {
		out[i] = float64(x) / float64(games)
	}
	return out
}

// chance checks that another seed, and another phase, give other games in a game that has chance.
func (c *battery) chance(t T) {
	base := c.blocks(t, c.series(0))
	if same(base, append(slices.Clone(base[1:]), base[0])) {
		t.Logf("warning: all %d blocks are the same game: nothing is left to chance", c.Blocks)
		return
	}
	seed := c.series(0)
	seed.Seed = c.Seed + 0x1000
	if same(base, c.blocks(t, seed)) {
		t.Errorf("seeds %d and %d give the same games, though blocks differ: draw all chance from Fixture.Stream, Fixture.Chance or Fixture.Start", c.Seed, seed.Seed)
	}
	phase := c.series(0)
	phase.Phase = arena.Validation
	if same(base, c.blocks(t, phase)) {
		t.Error("the phases match and validation give the same games, though blocks differ: draw all chance from Fixture.Stream, Fixture.Chance or Fixture.Start, so that no validation replays what a search has seen")
	}
}

// blocks returns the transcripts of a series, block by block.
func (c *battery) blocks(t T, s arena.Series) []uint64 {
	_, runs := play(t, 1, s)
	var out []uint64
	for _, r := range runs {
		for b := range r.Blocks {
			out = append(out, r.Transcripts(b))
		}
	}
	return out
}

// same reports whether nine tenths of the blocks are alike in both lists.
func same(a, b []uint64) bool {
	alike := 0
	for i := range a {
		if a[i] == b[i] {
			alike++
		}
	}
	return 10*alike >= 9*len(a)
}

// source is a stream by what it is asked for.
type source struct {
	seat    int
	purpose arena.Purpose
}

// streams checks that no two users draw from one stream, since the first would show the
// second what comes next; and a game that declares a number of starts asks for its start.
func (c *battery) streams(t T) {
	asked := map[source]string{} // function, of one game
	told := map[source]bool{}
	started := false
	s := c.series(0)
	s.To = min(s.To, 4)
	s.Story = nil
	s.Streams = func(seat int, p arena.Purpose) {
		if p == arena.Starting {
			started = true
			return
		}
		by := asker()
		x := source{seat, p}
		if first, ok := asked[x]; ok && first != by && !told[x] {
			told[x] = true
			t.Errorf("the stream of seat %d for purpose %d is drawn from by %s and by %s: both draw the same numbers, so that one player can foresee the other's; give each a purpose of its own", seat, p, first, by)
		}
		asked[x] = by
	}
	for shift := range c.entrants {
		s.Entrants = c.series(shift).Entrants
		for block := range s.To {
			for rotation := range c.rules.Seats {
				clear(asked)
				if _, err := arena.One(nothing, &s, block, rotation); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if c.rules.Starts > 0 && !started {
		t.Errorf("the game declares %d starts and never asks for Fixture.Start: search and validation would share them", c.rules.Starts)
	}
}

// asker returns the function, of the game or of a player, that asks for a stream.
func asker() string {
	pc := make([]uintptr, 16)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	for {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "engines/arena.(*Fixture)") && !strings.Contains(f.Function, "engines/arena/arenatest.") {
			return f.Function[strings.LastIndexByte(f.Function, '/')+1:]
		}
		if !more {
			return "?"
		}
	}
}
