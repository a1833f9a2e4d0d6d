package external

import (
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/lines"
	"sakusen/engines/param"
)

// rules are the options of the games.
type rules struct {
	Size    int     // of the board of go, lines
	Komi    float64 // points that White gets
	Seconds int     // a move, 0 where the programs know themselves

	limit, book, faults           string
	stones, openings, seed, plies int

	files    arena.Files
	thinking chess.Limit
	starts   []start // of a book
	spread   spread  // of stones
	isGo     bool
}

// start is a line of a book: a position, and moves.
type start struct {
	position string
	moves    []string
}

// thinks returns how long a program that speaks UGI may think about a move.
func (r *rules) thinks() chess.Limit { return r.thinking }

// timed reports whether programs think by the clock, so that no game is played again.
func (r *rules) timed() bool { return r.isGo && r.Seconds > 0 || !r.isGo && !r.thinking.Exact() }

// declareFaults declares the options that both games have.
func (r *rules) declareFaults(f *param.Fields) {
	f.Int(&r.plies, "most_plies", 1000, param.Range(10, 10000), "moves of both sides after which a game is a draw")
	f.Choice(&r.faults, "faults", "lose", []string{"lose", "void"},
		"what a fault of a program does, such as a crash: it loses the game, or the block is void, a draw for both")
}

// declareGo declares the options of go.
func (r *rules) declareGo(f *param.Fields) {
	r.isGo = true
	f.Int(&r.Size, "size", 9, param.Range(5, 25), "lines of the board")
	f.Float(&r.Komi, "komi", 6.5, param.Range(-100, 100), "points that White gets for moving second")
	f.Int(&r.stones, "opening_stones", 4, param.Range(0, 6), "stones that stand before the players begin, in turns, off the edge and placed at random")
	f.Int(&r.openings, "openings", 100000, param.Range(1, 10000000), "number of different openings, or as many as there are; search, final and validation each take their own part of them")
	f.Int(&r.seed, "opening_seed", 1, param.Range(0, 1<<53), "draws the openings")
	f.Int(&r.Seconds, "seconds", 0, param.Range(0, 3600), "time for a move that the programs are told; 0 leaves it to them")
	r.declareFaults(f)
}

// bookForms says what a book may be.
const bookForms = "start, or the path of a file with a line for each opening: startpos or fen POSITION, and if you like moves MOVE..."

// declareUGI declares the options of the game ugi.
func (r *rules) declareUGI(f *param.Fields) {
	f.Choice(&r.limit, "limit", "depth:4", []string{"nodes:1000", "nodes:10000", "depth:2", "depth:4"},
		"how long a program thinks about a move; with nodes and depth games can be played again",
		param.Beyond(chess.LimitForms, func(text string) (string, error) {
			l, err := chess.ParseLimit(text)
			if err != nil {
				return "", err
			}
			return l.String(), nil
		}))
	f.Choice(&r.book, "book", "start", []string{"start"},
		"where games begin: each line of a file is an opening; from the start alone, programs without chance always play the same game",
		param.Beyond(bookForms, r.canonicalBook))
	r.declareFaults(f)
}

// canonicalBook returns the lines of a book, with | between them.
func (r *rules) canonicalBook(text string) (string, error) {
	left := &lines.LeftOut{}
	if _, err := parseStart(strings.TrimSpace(strings.Split(text, "|")[0])); err != nil {
		if r.files.Read == nil {
			return "", errors.New(`start, or lines "startpos moves ..." with | between them`)
		}
		left.File = text
		content, err := r.files.Read(text)
		if err == nil {
			text, err = lines.Text(content)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", bookForms, err)
		}
		text = strings.ReplaceAll(text, "\n", "|")
	}
	var all []string
	seen := map[string]int{}
	for i, line := range strings.Split(text, "|") {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" || line[0] == '#' {
			continue
		}
		if _, err := parseStart(line); err != nil {
			left.Add(i+1, "opening", "startpos or fen POSITION, with moves or without", fmt.Sprintf("%.60q", line))
		} else if first, twice := seen[line]; twice {
			left.Add(i+1, "opening", "each opening once", fmt.Sprintf("that of line %d again", first))
		} else {
			seen[line] = i + 1
			all = append(all, line)
		}
	}
	if left.Count() > 0 && (left.File == "" || len(all) == 0) {
		return "", fmt.Errorf("a book: %w", left.Err())
	}
	if text := left.Summary(fmt.Sprintf("book %s: openings: %d", left.File, len(all))); text != "" && r.files.Tell != nil {
		r.files.Tell(text)
	}
	if len(all) == 0 || len(all) > mostStarts {
		return "", fmt.Errorf("a book of 1 to %d openings, got %d", mostStarts, len(all))
	}
	return strings.Join(all, "|"), nil
}

// mostStarts bounds a book, because its text is stored with every study.
const mostStarts = 20000

// parseStart reads a line of a book.
func parseStart(line string) (start, error) {
	position, moves, _ := strings.Cut(line, " moves ")
	if position != "startpos" && !strings.HasPrefix(position, "fen ") {
		return start{}, fmt.Errorf("expected startpos or fen POSITION, got %.60q", position)
	}
	return start{position, strings.Fields(moves)}, nil
}

// check reads the texts.
func (r *rules) check() error {
	if r.isGo {
		if 2*r.Komi != float64(int(2*r.Komi)) {
			return fmt.Errorf("komi: expected a multiple of 0.5, got %g", r.Komi)
		}
		r.spread = newSpread(r.Size, r.stones, uint64(r.seed))
		return nil
	}
	var err error
	if r.thinking, err = chess.ParseLimit(r.limit); err != nil {
		return err
	}
	text := r.book
	if text == "start" {
		text = "startpos"
	}
	r.starts = nil
	for line := range strings.SplitSeq(text, "|") {
		s, err := parseStart(line)
		if err != nil {
			return err
		}
		r.starts = append(r.starts, s)
	}
	return nil
}

// count returns the number of openings.
func (r *rules) count() int64 {
	if r.isGo {
		return min(int64(r.openings), r.spread.total)
	}
	return int64(len(r.starts))
}

// goGame returns the game go as the arena plays it: Black sits in seat 0.
func goGame() arena.Definition[rules, agreedPlayer] {
	return definition("go", "Go between programs that speak GTP: both tell which moves are legal and who has won.",
		"the programs; GTP: G. Farnebäck, Specification of the Go Text Protocol, version 2", (*rules).declareGo)
}

// ugi returns the game that two programs play which both know its rules.
func ugi() arena.Definition[rules, agreedPlayer] {
	return definition("ugi", "A game of two programs that speak UGI, USI or UAI: both tell whose turn it is and who has won.",
		"the programs; UGI: kz04px, cutegames, ugi.md", (*rules).declareUGI)
}

// The components that the referee counts; those of faults in the order of the
// endings from Crashed on.
const (
	movesMade = iota
	faultsMade
	firstFault
	disputed   = firstFault + int(chess.Garbled-chess.Crashed) + 1
	voided     = disputed + 1
	components = voided + 1
)

func definition(name, doc, source string, declare func(*rules, *param.Fields)) arena.Definition[rules, agreedPlayer] {
	d := arena.Definition[rules, agreedPlayer]{
		Name: name, Doc: doc, Source: source,
		Reading: func(r *rules, files arena.Files) { r.files = files },
		Declare: declare,
		Check:   (*rules).check,
		Seats:   func(*rules) int { return 2 },
		Starts:  (*rules).count,
		Referee: func(r *rules) (arena.Referee[agreedPlayer], error) { return &referee{rules: r, limit: r.thinking}, nil },
	}
	for _, m := range [components]arena.Metric{
		{Name: "moves", Doc: "moves of the player after the opening, moves a game"},
		{Name: "faults", Doc: "games ended by a fault of the player's program, games a game", Lower: true},
		{Name: "crashes", Doc: "games in which the player's program was gone, games a game", Lower: true},
		{Name: "stalls", Doc: "games in which it did not answer in time, games a game", Lower: true},
		{Name: "overtime", Doc: "games in which it took longer than it had, games a game", Lower: true},
		{Name: "garbled", Doc: "games in which it answered what is no answer, games a game", Lower: true},
		{Name: "disputes", Doc: "games over whose moves or result the two programs did not agree, games a game", Lower: true},
		{Name: "void", Doc: "games of void blocks, which are drawn for both, games a game", Lower: true},
	} {
		m.Of = m.Name
		d.Components = append(d.Components, m.Name)
		d.Metrics = append(d.Metrics, m)
	}
	return d
}

// strategy is a program as a strategy of these games.
type strategy = arena.Strategy[rules, agreedPlayer]

// An agreedPlayer is a program that owns the rules. It is used by one goroutine for many
// games, in any seat.
type agreedPlayer interface {
	// Begin tells the program of a new game and of the moves of its opening. An error means
	// that no game can be played at all: a program that cannot be started.
	Begin(v *view) error
	// Move is asked for when it is the player's turn.
	Move(v *view) reply
	// Moved tells the player, whose turn it is not, of the last move. Refused says that it
	// takes the move for illegal.
	Moved(v *view) reply
	// Verdict is how the player sees the position after the last move.
	Verdict(v *view) verdict
	// End tells that the game is over, also where a fault has ended it.
	End(v *view)
}

// view is the part of the game that a player is told.
type view struct {
	Rules *rules
	Seat  int // the player's; seat 0 moves first
	// Start is the position from which the game begins, "startpos" or "fen ...", where
	// the game is not go.
	Start string
	// Moves are all moves, those of the opening included; Opening is how many those are.
	Moves   []string
	Opening int
	// Turn is the seat to move.
	Turn int
	// Clock is the time left to each side, milliseconds, where the limit has one.
	Clock [2]int64
}

// reply is what a player answers to Move or Moved.
type reply struct {
	Move string
	// Resigned and Claims end the game: the player gives up, or claims to have won.
	Resigned, Claims bool
	// Refused says that the player takes the opponent's move for illegal.
	Refused bool
	Fault   chess.Ending // Crashed, Stalled, OutOfTime or Garbled
	Said    string       // for people
	Spent   int64        // milliseconds
}

// state is how a game stands.
type state int8

// The states.
const (
	unknown state = iota // the program has no way to tell
	openGame
	firstWins
	secondWins
	drawn
)

var stateNames = [...]string{"unknown", "open", "the first player wins", "the second player wins", "a draw"}

// String returns the state for people.
func (s state) String() string { return stateNames[s] }

// verdict is how a program sees the position.
type verdict struct {
	State state
	// Turn is the seat to move in an open game, -1 where the program does not tell.
	Turn  int
	Fault chess.Ending
	Said  string
}
