package arenatest

import (
	"runtime"
	"slices"
	"strings"

	"sakusen/engines/arena"
)

// chance: another seed, and another phase, give other games in a game that has chance.
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

// blocks are the transcripts of a series, block by block.
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

// same tells whether nine tenths of the blocks are alike in both lists.
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

// streams: no two users draw from one stream, since the first would show the second what
// comes next; and a game that declares a number of starts asks for its start.
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
			t.Errorf("the stream of seat %d for purpose %d is drawn from by %s and by %s: the two meet the same numbers, so that one knows what comes to the other; give each a purpose of its own", seat, p, first, by)
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

// asker is the function, of the game or of a player, that asks for a stream.
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
