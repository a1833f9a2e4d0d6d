package chess

import (
	"strings"
	"testing"
)

const twoGames = `[Event "a"]
[Result "*"]

1. e4 {best by test; (not)} e5 2. Nf3 $1 (2. f4 exf4) 2... Nc6 ; a comment
1-0

[Event "b"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1.Kd2 Kd7 *

[Event "c"]

1. Nf3 Nc6 2. e4 e5 1/2-1/2
`

// Comments, variations and marks are passed over, and the same position counts once.
func TestPGNBook(t *testing.T) {
	for _, c := range []struct {
		plies int
		want  []string
	}{
		{0, []string{"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "8/P2k4/8/8/8/8/3K4/8 w - - 2 2"}},
		{1, []string{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "4k3/P7/8/8/8/8/3K4/8 b - - 1 1", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"}},
	} {
		book, err := parsePGNBook(twoGames, c.plies)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range book {
			got = append(got, book[i].FEN())
		}
		// The first position may have the en passant square that nobody can use, or not.
		if text := strings.ReplaceAll(strings.Join(got, "\n"), " e3 ", " - "); text != strings.ReplaceAll(strings.Join(c.want, "\n"), " e3 ", " - ") {
			t.Errorf("%d plies:\n%s", c.plies, text)
		}
	}
	for text, want := range map[string]string{
		"": "at least one game", "1. e4 e6 2. Ke3 *": "game 1: after 2 plies", "1. f3 e5 2. g4 Qh4# 0-1": "got checkmate", `[FEN "x"]`: "game 1: FEN",
	} {
		if _, err := parsePGNBook(text, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
}

func FuzzParsePGNBook(f *testing.F) {
	f.Add(twoGames, 3)
	f.Add("1. e4 {", 0)
	f.Fuzz(func(t *testing.T, text string, plies int) {
		book, err := parsePGNBook(text, plies)
		if err == nil && len(book) == 0 {
			t.Error("neither a book nor an error")
		}
	})
}
