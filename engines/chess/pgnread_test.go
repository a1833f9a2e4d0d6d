package chess

import (
	"fmt"
	"reflect"
	"testing"

	"sakusen/engines/arena"
)

// A game that is written down and read again has the same events and the digest that
// the referee gave it, however it ended.
func TestReadRecord(t *testing.T) {
	mate := func() (*script, *script) {
		return &script{moves: "e4 Qh5 Bc4 Qxf7#", scores: []int{31, -4, Mate - 2, Mate - 1}}, &script{moves: "e5 Nc6 Nf6", scores: []int{-12, 0, 2 - Mate}}
	}
	for name, c := range map[string]struct {
		last  Reply
		rules []string
		short bool
	}{
		"mate":     {},
		"crash":    {Reply{Fault: Crashed, Said: "signal: killed {by} us"}, nil, true},
		"illegal":  {Reply{Move: 0}, nil, true},
		"agreed":   {Reply{}, []string{"draw", "50", "draw_moves", "1", "draw_from", "1"}, false},
		"position": {Reply{Fault: Stalled}, []string{"book", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"}, true},
	} {
		white, black := mate()
		white.last, black.last = c.last, c.last
		if c.short {
			white.moves, black.moves = "e4 Qh5", "e5"
		}
		if name == "position" {
			white.moves, black.moves = "Nf3", "dxe3"
		}
		out, record, _ := refereed(t, white, black, c.rules...)
		see, text := recorder([]string{"a", `b "c"`})
		if text() != "" {
			t.Errorf("%s: a game that has not begun has a text", name)
		}
		if err := record.Events(func(e any) error { see(e); return nil }); err != nil {
			t.Fatal(err)
		}
		read, err := ReadRecord(text())
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text())
		}
		if read.Digest() != out.Transcript.Sum() || read.Result() != record.Result() || read.ended.Ending != record.ended.Ending {
			t.Errorf("%s: %s, %v, expected %s, %v\n%s", name, read.Result(), read.ended, record.Result(), record.ended, text())
		}
		for i, m := range record.moves {
			m.Reply.Spent = 0
			if !reflect.DeepEqual(m, read.moves[i]) {
				t.Errorf("%s, move %d: %+v, expected %+v", name, i, read.moves[i], m)
			}
		}
	}
	// With an opening, whose moves are not the players'.
	for start := range uint64(40) {
		var want arena.Transcript
		began := Began{Start: Start(), Opening: Opening(1, start, 8)}
		line := Line{}
		line.Reset(Start())
		want.Add(line.now.key)
		for _, m := range began.Opening {
			want.Add(uint64(m))
			line.Do(m)
		}
		want.Add(uint64(Crashed) << 32)
		see, text := recorder([]string{"a", "b"})
		see(began)
		see(Ended{Position: line.now, Ending: Crashed})
		r, err := ReadRecord(text())
		if err != nil || r.Digest() != want.Sum() || len(r.began.Opening) != 8 || len(r.moves) != 0 {
			t.Fatalf("opening %d: %v\n%s", start, err, text())
		}
	}
}

// What is no game that has ended is refused.
func TestReadBadRecord(t *testing.T) {
	for _, text := range []string{
		"", "\n\n*", "[FEN \"x\"]\n\n1. e4 {crash} 1-0", "\n\n1. e4 1-0", "\n\n1. e4 {crash} 0-1", "\n\n1. e4 {crash", "\n\n1. e5 {crash} 1-0",
		"\n\n1. e4 {crash} 1-0 e5", "[OpeningPlies \"x\"]\n\n1. e4 {crash} 1-0", "\n\n1. e4 {tired} 1-0", "[Limit \"soon\"]\n\n1. e4 {crash} 1-0",
	} {
		if r, err := ReadRecord(text); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// FuzzReadRecord: a game that is read has events that come out the same after it is
// written and read once more.
func FuzzReadRecord(f *testing.F) {
	f.Add("[OpeningPlies \"1\"]\n\n1. e4 e5 {+0.31/8} 2. Ke2 {-M3} {crash: gone} 0-1")
	f.Add("[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 30\"]\n\n30. O-O {agreed} 1/2-1/2")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadRecord(text)
		if err != nil {
			return
		}
		see, again := recorder([]string{"a", "b"})
		if err := r.Events(func(e any) error { see(e); return nil }); err != nil {
			t.Fatal(err)
		}
		twice, err := ReadRecord(again())
		if err != nil || twice.Digest() != r.Digest() || fmt.Sprint(twice.moves) != fmt.Sprint(r.moves) {
			t.Errorf("%q comes out as %q: %v", text, again(), err)
		}
	})
}
