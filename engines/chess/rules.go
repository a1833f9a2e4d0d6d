package chess

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/param"
)

// ownOpenings is the book that is no file.
const ownOpenings = "own"

// Rules are the options of the game.
type Rules struct {
	limit string
	book  string
	// Of openings of our own making: how many plies, how many there are, and what
	// draws them.
	plies, openings, seed int
	mostPlies             int
	resign, resignMoves   int
	resignBoth            bool
	draw, drawMoves       int
	drawFrom              int
	faults                string
	margin                int

	read      func(path string) ([]byte, error)
	thinking  Limit
	positions []Position // of the book that is a file
}

func (r *Rules) declare(f *param.Fields) {
	f.Choice(&r.limit, "limit", "nodes:10000", []string{"nodes:1000", "nodes:10000", "nodes:100000", "depth:4", "depth:8"},
		"how long a player that searches thinks about a move; with nodes and depth games can be played again",
		param.Beyond(LimitForms, func(text string) (string, error) {
			l, err := ParseLimit(text)
			if err != nil {
				return "", err
			}
			return l.String(), nil
		}))
	f.Choice(&r.book, "book", ownOpenings, []string{ownOpenings},
		"where games begin: after random moves that leave the material even, or in a position of a file in EPD or PGN",
		param.Beyond(r.bookForms(), r.canonicalBook))
	f.When("book", ownOpenings, func(f *param.Fields) {
		f.Int(&r.plies, "opening_plies", 8, param.Range(8, 40), "random moves before the players begin, plies")
		f.Int(&r.openings, "openings", 100000, param.Range(20, 10000000), "number of different openings; search, final and validation each take their own part of them")
		f.Int(&r.seed, "opening_seed", 1, param.Range(0, 1<<53), "draws the openings")
	})
	f.Int(&r.mostPlies, "most_plies", 1000, param.Range(50, 10000), "plies, those of the opening included, after which a game is a draw")
	f.Int(&r.resign, "resign", 0, param.Range(0, Mate), "a side loses if its own score is this far behind, hundredths of a pawn; 0 switches this off")
	f.Int(&r.resignMoves, "resign_moves", 3, param.Range(1, 100), "consecutive moves of a side for which its score must be so low")
	f.Bool(&r.resignBoth, "resign_both", true, "the other side's scores must agree, for as many moves")
	f.Int(&r.draw, "draw", 0, param.Range(0, Mate), "a game is drawn if both players' scores stay within this distance of 0, hundredths of a pawn; 0 switches this off")
	f.Int(&r.drawMoves, "draw_moves", 8, param.Range(1, 100), "consecutive moves of each side, without a capture or a pawn's move, for which the scores must stay near 0")
	f.Int(&r.drawFrom, "draw_from", 40, param.Range(1, 1000), "number of the move from which games may be drawn by scores")
	f.Choice(&r.faults, "faults", "lose", []string{"lose", "void"},
		"what a fault of a program does, such as a crash: it loses the game, or its block is void, a draw for both", param.Later())
	f.Int(&r.margin, "margin", 0, param.Range(0, 60000), "milliseconds by which a player may overstep its clock without losing, for machines that do other things too", param.Later())
}

// bookForms says what else a book may be.
func (r *Rules) bookForms() string {
	if r.read == nil {
		return "positions in EPD with | between them"
	}
	return "the path of a file in EPD, or of one in PGN, with @PLIES behind it if not all moves are meant"
}

// canonicalBook is the positions of a book, with | between them. The rules depend on the
// content of a file and not on its name.
func (r *Rules) canonicalBook(text string) (string, error) {
	first, _, _ := strings.Cut(text, "|")
	if _, err := ParseFEN(first); err == nil {
		text = strings.ReplaceAll(text, "|", "\n")
	} else {
		if r.read == nil {
			return "", errors.New(ownOpenings + " or " + r.bookForms())
		}
		book, err := r.readBook(text)
		if err != nil {
			return "", err
		}
		return canonical(book)
	}
	book, err := ParseBook(text)
	if err != nil {
		return "", fmt.Errorf("a book in EPD: %w", err)
	}
	return canonical(book)
}

// readBook reads a file in EPD or PGN.
func (r *Rules) readBook(path string) ([]Position, error) {
	name, plies := path, 0
	if at := strings.LastIndexByte(path, '@'); at > 0 {
		if n, err := strconv.Atoi(path[at+1:]); err == nil && n > 0 {
			name, plies = path[:at], n
		}
	}
	content, err := r.read(name)
	if err != nil {
		return nil, fmt.Errorf("%s or %s: %w", ownOpenings, r.bookForms(), err)
	}
	text := strings.TrimPrefix(string(content), "\ufeff")
	if strings.HasPrefix(strings.TrimSpace(text), "[") || strings.HasSuffix(strings.ToLower(name), ".pgn") {
		book, err := parsePGNBook(text, plies)
		if err != nil {
			err = fmt.Errorf("a book in PGN: %w", err)
		}
		return book, err
	}
	if plies > 0 {
		return nil, fmt.Errorf("@PLIES behind a book in PGN alone, got %s", path)
	}
	book, err := ParseBook(text)
	if err != nil {
		err = fmt.Errorf("a book in EPD: %w", err)
	}
	return book, err
}

// canonical is the positions of a book as a text.
func canonical(book []Position) (string, error) {
	if len(book) > mostPositions {
		return "", fmt.Errorf("a book of at most %d positions", mostPositions)
	}
	fens := make([]string, len(book))
	for i := range book {
		fens[i] = book[i].FEN()
	}
	return strings.Join(fens, "|"), nil
}

// mostPositions bounds a book, because its text is stored with every study.
const mostPositions = 20000

// check reads the texts.
func (r *Rules) check() error {
	var err error
	if r.thinking, err = ParseLimit(r.limit); err != nil {
		return err
	}
	r.positions = nil
	if r.book != ownOpenings {
		r.positions, err = ParseBook(strings.ReplaceAll(r.book, "|", "\n"))
	}
	return err
}

// Limit is how long a player may think about a move.
func (r *Rules) Limit() Limit { return r.thinking }

// starts is the number of openings.
func (r *Rules) starts() int64 {
	if len(r.positions) > 0 {
		return int64(len(r.positions))
	}
	return int64(r.openings)
}
