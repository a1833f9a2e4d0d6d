package chess

import (
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lines"
	"sakusen/engines/param"
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
		book := parsePGNBook(twoGames, c.plies, &lines.LeftOut{})
		var got []string
		for i := range book {
			got = append(got, book[i].FEN())
		}
		// The first position may have the en passant square that no side can use, or not.
		if text := strings.ReplaceAll(strings.Join(got, "\n"), " e3 ", " - "); text != strings.ReplaceAll(strings.Join(c.want, "\n"), " e3 ", " - ") {
			t.Errorf("%d plies:\n%s", c.plies, text)
		}
	}
}

// books are texts with the positions that they hold and what is left out of them.
var books = []struct{ name, text, want, left string }{
	{"EPD", "# ours\n\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 1;\n" + afterD4 + "\n", afterE4 + "|" + afterD4, ""},
	{"counts", "8/5k2/8/8/8/2R5/5K2/8 w - - hmvc 97; fmvn 120;\n8/5k2/8/8/8/1R6/5K2/8 w - - 5 6 fmvn 7; id \"hmvc 3; x\";\n8/5k2/8/8/8/R7/5K2/8 w - - 5 6;",
		"8/5k2/8/8/8/2R5/5K2/8 w - - 97 120|8/5k2/8/8/8/1R6/5K2/8 w - - 5 7|8/5k2/8/8/8/R7/5K2/8 w - - 5 6", ""},
	{"no count", "8/5k2/8/8/8/2R5/5K2/8 w - - hmvc; fmvn 120;", "", `line 1: position: expected a position of chess, got position "8/5k2/8/8/8/2R5/5K2/8 w - - ? 120": expected a count of moves`},
	{"a fiftieth move", "8/5k2/8/8/8/2R5/5K2/8 w - - hmvc 100;\n" + afterE4, afterE4, "line 1: position: expected one in which the game goes on, got fifty moves"},
	{"twice", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1\n" + afterD4, afterD4, "line 2: position: expected each position once, got that of line 1 again"},
	{"an odd line", "x\n" + afterE4 + "\n7k/8/6Q1/8/8/8/8/K7 b - -", afterE4, "line 1: position: expected a position of chess, got position \"x 0 1\"|line 3: position: expected one in which the game goes on, got stalemate"},
	{"tags on a line", "[Event \"x\"] [White \"a\"] [FEN \"" + afterE4 + "\"] [SetUp \"1\"]\n\n1... c5 2. Nf3 *", "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", ""},
	{"FEN before Event", "[FEN \"" + afterE4 + "\"]\n[Event \"x\"]\n\n*\n[Event \"y\"]\n\n1. d4 *", afterE4 + "|" + afterD4, ""},
	{"a FEN with operations", "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1;\"]\n\n*", afterE4, ""},
	{"an open comment", "[Event \"x\"]\n\n1. e4 {\n\n[Event \"y\"]\n\n1. d4 {good} *\n", afterD4, "line 1: game 1: expected the end of the comment of line 3, got none"},
	{"an open comment at the end", "[Event \"y\"]\n\n1. d4 *\n\n[Event \"x\"]\n\n1. e4 { e5 *", afterD4, "line 5: game 2: expected the end of the comment of line 7, got none"},
	{"an open variation", "[Event \"x\"]\n\n1. e4 (1. c4 *\n\n[Event \"y\"]\n\n1. d4 *\n", afterD4, "line 1: game 1: expected the end of the variation of line 3, got none"},
	{"marks", "1. e4 N f5 2. e5 d5 3. exd6 e.p. 1/2", "rnbqkbnr/ppp1p1pp/3P4/5p2/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3", ""},
	{"an illegal move", "1. e4 e6 2. Ke3 *\n\n1. d4 *", afterD4, `line 1: game 1: expected legal moves, got after 2 plies: move "Ke3" is not legal`},
	{"mate", "1. f3 e5 2. g4 Qh4# 0-1\n1. d4 *", afterD4, "line 1: position: expected one in which the game goes on, got checkmate"},
	{"a bad FEN", "[FEN \"x\"]\n\n1. e4 *\n1. d4 *", afterD4, "line 1: FEN: expected a position of chess"},
	{"two on a line", afterE4 + " " + afterD4 + "\n" + afterD4 + " bm c5; 0.3 x\n", afterE4 + "|" + afterD4, "line 1: operation: expected operations such as bm e4; behind the one position of a line, got \"rnbq|line 2: operation: "},
	{"a long line", strings.Repeat("x", 1<<20), "", "line 1: position: expected a position of chess, got position \"xxx"},
	{"tags in any case", "[Fen \"" + afterE4 + "\"]\n\n*\n\n[fen \"" + afterD4 + "\"]\n\n*", afterE4 + "|" + afterD4, ""},
	{"odd quotation marks", "[FEN \"" + afterE4 + "]\n\n*\n\n[Event \"x\"]\n[FEN “" + afterD4 + "”]\n\n*\n[FEN x]\n\n1. a3 *", afterE4 + "|" + afterD4, "line 9: FEN: expected a position of chess, got position \"x 0 1\""},
	{"SetUp alone", "[SetUp \"1\"]\n\n1. e4 *\n1. d4 *", afterD4, "line 1: FEN: expected a position of chess, as SetUp says, got none"},
	{"null moves", "1. e4 -- *\n1. <> e5 *\n1. Z0 *\n1. d4 *", afterD4, `line 1: game 1: expected legal moves, got after 1 plies: expected a move, got "--"|line 2: game 2: |line 3: game 3: `},
	{"results in pieces", "1. e4 1/2 - 1/2\n\n1. d4 1-0 1-0 *", afterE4 + "|" + afterD4, "line 3: FEN: expected a position of chess, got neither that nor a move"},
	{"variants", "[Variant \"Atomic\"]\n\n1. a3 *\n[Variant \"From Position\"]\n\n1. e4 *\n[Variant \"Chess960\"]\n\n1. b3 *\n[Variant \"Chess960\"]\n[FEN \"" + afterD4 + "\"]\n\n*", afterE4 + "|" + afterD4,
		`line 1: Variant: expected chess, or Chess960 with the tag FEN, got "Atomic"|line 7: Variant: `},
	{"a tag twice", "[FEN \"" + afterE4 + "\"]\n[Event \"x\"]\n[Event \"y\"]\n\n*", afterE4, `line 3: tag Event: expected one value for each game, that is "x", got "y"`},
	{"marks at moves", "1. e4+- c5= 2. Nf3$1 d6!?$14 3. Bb5+/- Bd7± 4. B:d7+ Q×d7 5. O–O a6. 6. g1h1 *", "rn2kbnr/1p1qpppp/p2p4/2p5/4P3/5N2/PPPP1PPP/RNBQ1R1K b kq - 1 6", ""},
	{"marks at pawns", "1. Pe4 a6 2. e5 d5 3. e:d6e.p. h6 4. dxc7 a5 5. cxb8(Q) *\n1. e4 a6 2. e5 d5 3. exd6ep h6 4. dxc7 a5 5. cxb8/n *", "rQ" + taken + "|rN" + taken, ""},
	{"figurines", "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 4. ♗xc6 dxc6 5. O-O ♛f6 6. ♖e1 *\n1. ♙d4 *", "r1b1kbnr/1pp2ppp/p1p2q2/4p3/4P3/5N2/PPPP1PPP/RNBQR1K1 b kq - 3 6|" + afterD4, ""},
	{"a figurine that a pawn becomes", "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=♕+ *\n[FEN \"4k3/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. ♙b8♖+ *", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1|1R2k3/8/8/8/8/8/8/4K3 b - - 0 1", ""},
	{"a figurine as an emoji", "1. ♘︎f3 d5 2. ♘︎c3 *", "rnbqkbnr/ppp1pppp/8/3p4/8/2N2N2/PPPPPPPP/R1BQKB1R b KQkq - 1 2", ""},
	{"German letters", "1. Sf3 *\n1. d4 *", afterD4, `line 1: game 1: expected legal moves, got after 0 plies: expected a move, got "Sf3"`},
	{"clocks and arrows", "1. e4 { [%clk 0:03:00][%eval 0.17] } 1... e5 { [%csl Gd4][%cal Gd8h4] } 2. Nf3 $146 $13 Nc6 { (Knight ) } *", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", ""},
	{"fastchess", "[Event \"Fastchess Tournament\"]\n[Site \"?\"]\n[Round \"1\"]\n[FEN \"" + afterE4 + "\"]\n[SetUp \"1\"]\n[GameDuration \"00:00:03\"]\n[PlyCount \"2\"]\n\n1... e5 {+0.31/14 0.213s, n=12345} 2. Nf3 {-0.12/13 0.2s, White wins by adjudication} 1-0\n", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", ""},
	{"long moves", "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c5 *\n1. d2d4 *", afterD4, `line 1: game 1: expected legal moves, got after 4 plies: move "Bf1-c5" is not legal`},
	{"UHO", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3 ; bm d4; ce 102;\n" + afterE4 + " c0 \"B00; King's Pawn\"; c1 \"a\\\"\";", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3|" + afterE4, ""},
	{"a suite", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";\n2rq1rk1/1b3ppp/p2p1n2/1p1Pp3/1Pn1P3/5N1P/P1B2PP1/R1BQR1K1 w - - 0 1 bm a4; id \"x\";\n", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1|2rq1rk1/1b3ppp/p2p1n2/1p1Pp3/1Pn1P3/5N1P/P1B2PP1/R1BQR1K1 w - - 0 1", ""},
	{"Shredder's rights", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1\nrk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1", afterE4, "line 2: position: expected a position of chess, got position"},
	{"rights without a rook", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\n4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "line 1: position: expected a position of chess"},
	{"tabs and blanks", "\t" + strings.ReplaceAll(afterE4, " ", " \t ") + "\t\r\n  \r\n# x\n", afterE4, ""},
	{"a title", "FEN;ECO\n" + afterE4 + "\n", afterE4, "line 1: position: expected a position of chess"},
	{"a line end in a FEN", "[FEN \"" + afterE4 + "\r\"]\n\n*", afterE4, ""},
}

const (
	taken   = "bqkbnr/1p2ppp1/7p/p7/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 5"
	afterE4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	afterD4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"
)

// What is no opening is left out of a book and told with its line; the rest is kept.
func TestBooks(t *testing.T) {
	for _, b := range books {
		left := &lines.LeftOut{}
		var got []Position
		if strings.HasPrefix(b.text, "[") || strings.HasPrefix(b.text, "1.") {
			got = parsePGNBook(b.text, 0, left)
		} else {
			got = ParseBook(b.text, left)
		}
		if canonical(got) != b.want || len(left.Items) != len(strings.FieldsFunc(b.left, func(r rune) bool { return r == '|' })) {
			t.Errorf("%s: got %s without %q", b.name, canonical(got), left.Lines(9))
		}
		for i, want := range strings.Split(b.left, "|") {
			if b.left != "" && !strings.HasPrefix(left.Lines(9)[i], want) {
				t.Errorf("%s: left out %q, expected %q", b.name, left.Lines(9)[i], want)
			}
		}
	}
}

// A file of a book may be compressed; of one that is too long positions are taken from all of
// it; positions in place of a file must all be openings.
func TestBookRules(t *testing.T) {
	var long, packed strings.Builder
	for i := range 50000 {
		var l Line
		l.Reset(Start())
		for n := i; len(l.Moves()) < 5; n /= 20 {
			l.Do(l.Legal()[n%len(l.Legal())])
		}
		fmt.Fprintln(&long, l.now.FEN())
	}
	w := gzip.NewWriter(&packed)
	fmt.Fprintln(w, afterE4)
	w.Close()
	files := map[string]string{"long.epd": long.String(), "x.epd.gz": packed.String(), "none.epd": "x", "no.pgn": "", "cut.epd.gz": packed.String()[:packed.Len()-4]}
	for _, c := range []struct {
		book   string
		starts int
		said   string // or the error
	}{
		{"x.epd.gz", 1, ""},
		{"long.epd", mostPositions, "of which 20000 are used, spread evenly (left out: "},
		{afterE4 + "|" + afterD4, 2, ""},
		{"none.epd", 0, "a book in EPD with at least one position, got none.epd\nnone.epd:1: "},
		{"cut.epd.gz", 1, "book cut.epd.gz: positions: 1 (left out: 1)\n  cut.epd.gz:2: file: expected the rest of the text, got unexpected EOF"},
		{"none.epd", 0, `none.epd:1: position: expected a position of chess`},
		{"no.pgn", 0, "a book in PGN with at least one position, got no.pgn"},
		{afterE4 + "|x", 0, "line 2: position: expected a position of chess"},
		{afterE4 + "|" + afterE4, 0, "line 2: position: expected each position once, got that of line 1 again"},
		{"x.epd.gz@4", 0, "@PLIES behind a book in PGN alone"},
	} {
		said := ""
		read := func(path string) ([]byte, error) { return []byte(files[path]), nil }
		g := arena.Catalogue{arena.Enter(Game())}.Reading(arena.Files{Read: read, Tell: func(note string) { said += note }})[0]
		rs, errs := g.Open(param.Values{{Name: "book", Text: c.book}})
		switch err := errors.Join(errs...); {
		case err != nil && (c.starts > 0 || !strings.Contains(err.Error(), c.said)):
			t.Errorf("%.40s: %v", c.book, err)
		case err == nil && (rs.Starts != int64(c.starts) || !strings.Contains(said, c.said)):
			t.Errorf("%.40s: %d starts, %s", c.book, rs.Starts, said)
		}
	}
}

func FuzzParsePGNBook(f *testing.F) {
	f.Add(twoGames, 3)
	f.Add("1. e4 {", 0)
	f.Add("[fen 8/4P2k/8/8/8/8/8/K7 w - - 0 1]\r[Variant \"Chess960\"]\r1. e8(Q)$1 -- 1/2 - 1/2", 0)
	f.Fuzz(func(t *testing.T, text string, plies int) {
		for _, p := range parsePGNBook(text, plies, &lines.LeftOut{}) {
			if _, err := ParseFEN(p.FEN()); err != nil {
				t.Error(err)
			}
		}
	})
}
