package chess

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/arena/film"
	"sakusen/engines/chess"
)

// A film tells every move, and its last board is that of the end.
func TestFilm(t *testing.T) {
	s := arenatest.Series(t, arena.Enter(chess.Game(), Random()), "", "random", "random")
	one := arenatest.Sound(t, Scene(), s)
	if n := len(one.Frames); n < 20 || !strings.Contains(one.Frames[0].Text, "The opening is") || !strings.Contains(one.Frames[1].Text, "5. ") {
		t.Errorf("%d frames, %q, %q", n, one.Frames[0].Text, one.Frames[1].Text)
	}
	if n := strings.Count(one.Frames[0].SVG, `class="man`); n < 28 || n > 32 {
		t.Errorf("%d men after the opening", n)
	}
}

// Men stand where the position has them, a move's squares are marked, and what the
// player thought of it is told.
func TestFrames(t *testing.T) {
	p, err := chess.ParseFEN("4k3/8/8/8/8/8/4P3/4K2R w K - 0 30")
	if err != nil {
		t.Fatal(err)
	}
	rs, err := arena.Enter(chess.Game(), Random()).OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := chess.ParseMove("h1h8")
	after := p
	after.Do(m)
	frames := arenatest.Shown(t, Scene(), rs, []string{"A", "B"},
		chess.Began{Start: p, Limit: chess.Limit{Depth: 4}},
		chess.Moved{Move: m, SAN: "Rh8+", Position: after, Reply: chess.Reply{Move: m, Score: 512, Scored: true, Depth: 7}},
		chess.Ended{Position: after, Ending: chess.Crashed, Said: "signal: killed"})
	for i, want := range []string{"A has White, B has Black, depth:4.", "30. Rh8+ by A, which thinks itself at +5.12 at depth 7.", "A wins: "} {
		if !strings.HasPrefix(frames[i].Text, want) {
			t.Errorf("frame %d: %q, expected %q", i, frames[i].Text, want)
		}
	}
	for _, want := range []string{"<title>white rook on h8</title>", "<title>black king on e8</title>", "black to move and in check"} {
		if !strings.Contains(strings.ToLower(frames[1].SVG), want) {
			t.Errorf("no %q in %s", want, frames[1].SVG)
		}
	}
	if n := strings.Count(frames[1].SVG, `class="last"`); n != 2 || frames[2].Seat != 0 || !strings.Contains(frames[2].Text, "killed") {
		t.Errorf("%d squares are marked; the end is %+v", n, film.Frame{Seat: frames[2].Seat, Text: frames[2].Text})
	}
}

// An even board is half of the point; four pawns are ten to one.
func TestExpected(t *testing.T) {
	if even, four := expected(0), expected(4); even != 0.5 || four < 0.909 || four > 0.9091 {
		t.Errorf("%g and %g", even, four)
	}
}
