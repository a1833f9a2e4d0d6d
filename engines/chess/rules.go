package chess

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Strategy is a catalogue entry for this game.
type Strategy = arena.Strategy[Rules, Player]

// Name is the game's name in the catalogue.
const Name = "chess"

// Game returns chess as the arena plays it: White sits in seat 0. Where files may be read,
// the rules name books by their paths.
func Game() arena.Definition[Rules, Player] {
	components := make([]string, counted)
	components[pliesPlayed], components[faultsMade] = "plies", "faults"
	metrics := []arena.Metric{
		{Name: "plies", Doc: "moves of the player after the opening, plies a game", Of: "plies"},
		{Name: "faults", Doc: "games lost by a fault, games a game", Of: "faults", Lower: true},
	}
	for e := illegal; e <= Garbled; e++ {
		name := faultNames[e-illegal]
		components[firstFault+int(e-illegal)] = name.metric
		metrics = append(metrics, arena.Metric{Name: name.metric, Doc: name.doc + ", games a game", Of: name.metric, Lower: true})
	}
	return arena.Definition[Rules, Player]{
		Name:       Name,
		Programs:   true,
		Doc:        "Chess, for engines of other people too: games begin from openings of our own making or from a book.",
		Source:     "FIDE, Laws of Chess (2023)",
		Reading:    func(r *Rules, files arena.Files) { r.files = files },
		Declare:    func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:      (*Rules).check,
		Seats:      func(*Rules) int { return 2 },
		Starts:     (*Rules).starts,
		Components: components,
		Metrics:    metrics,
		Record:     recorder,
		Tape:       tape(),
		Referee:    func(r *Rules) (arena.Referee[Player], error) { return newReferee(r), nil },
	}
}

// faultNames are the faults as they are counted, from Illegal on.
var faultNames = [...]struct{ metric, doc string }{
	{"illegal", "games lost by an illegal move"},
	{"crashes", "games lost because the player's program was gone"},
	{"stalls", "games lost because the player's program did not answer"},
	{"overtime", "games lost on the clock"},
	{"garbled", "games lost because the player's program answered what is no move"},
}

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
	speed                 string

	files     arena.Files
	thinking  Limit
	positions []Position // of the book that is a file
}

func (r *Rules) declare(f *param.Fields) {
	f.Choice(&r.limit, "limit", "nodes:10000", []string{"nodes:1000", "nodes:10000", "nodes:100000", "depth:4", "depth:8"},
		"how long a player that searches thinks about a move; with nodes and depth games can be played again",
		param.Beyond(LimitForms, func(text string) (string, error) {
			l, err := ParseLimit(text)
			if err != nil {
				return "", errors.New(LimitForms)
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
	f.Int(&r.margin, "margin", 50, param.Range(0, 60000), "milliseconds by which a player may exceed its clock without losing, for machines with other work", param.Later())
	f.Choice(&r.speed, "speed", "own", []string{"own"},
		"machine for which a clock is meant: on others it is scaled by their speed; the daemon's own when a job is made, or nodes a second of its engines",
		param.Beyond("ENGINE:NODES, with spaces between several", func(text string) (string, error) {
			speeds, err := arena.ParseSpeeds(text)
			return speeds.String(), err
		}), param.Later())
}

// bookForms reports what else a book may be.
func (r *Rules) bookForms() string {
	if r.files.Read == nil {
		return "positions in EPD with | between them"
	}
	return "the path of a file in EPD, or of one in PGN, with @PLIES behind it if not all moves are meant"
}

// check reads the texts.
func (r *Rules) check() error {
	var err error
	if r.thinking, err = ParseLimit(r.limit); err != nil {
		return err
	}
	r.positions = nil
	if r.book != ownOpenings {
		r.positions, err = strictBook(r.book)
	}
	return err
}

// Limit returns how long a player may think about a move.
func (r *Rules) Limit() Limit { return r.thinking }

// starts returns the number of openings.
func (r *Rules) starts() int64 {
	if len(r.positions) > 0 {
		return int64(len(r.positions))
	}
	return int64(r.openings)
}

// Limit is how long a player that searches may think. All zero but one, or but
// Clock and Increment.
type Limit struct {
	Nodes, Depth     int64 // nodes, plies
	MoveTime         int64 // milliseconds a move
	Clock, Increment int64 // milliseconds a game, and added with each move
}

// LimitForms says what a limit looks like.
const LimitForms = "nodes:N, depth:N, movetime:MILLISECONDS or clock:SECONDS+SECONDS"

// ParseLimit reads "nodes:1000", "depth:4", "movetime:100" or "clock:10+0.1".
func ParseLimit(text string) (Limit, error) {
	var l Limit
	form, number, _ := strings.Cut(text, ":")
	bad := fmt.Errorf("expected %s, got %.40q", LimitForms, text)
	if form == "clock" {
		base, more, _ := strings.Cut(number, "+")
		if more == "" {
			more = "0"
		}
		seconds, err := strconv.ParseFloat(base, 64)
		increment, err2 := strconv.ParseFloat(more, 64)
		if err != nil || err2 != nil || !(seconds > 0 && seconds <= 86400 && increment >= 0 && increment <= 3600) {
			return l, bad
		}
		l.Clock, l.Increment = max(1, int64(seconds*1000+0.5)), int64(increment*1000+0.5)
		return l, nil
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > 1e15 {
		return l, bad
	}
	switch form {
	case "nodes":
		l.Nodes = n
	case "depth":
		l.Depth = n
	case "movetime":
		l.MoveTime = n
	default:
		return l, bad
	}
	return l, nil
}

// String returns the limit as ParseLimit reads it.
func (l Limit) String() string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	seconds := func(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }
	switch {
	case l.Nodes > 0:
		return "nodes:" + number(l.Nodes)
	case l.Depth > 0:
		return "depth:" + number(l.Depth)
	case l.MoveTime > 0:
		return "movetime:" + number(l.MoveTime)
	}
	return "clock:" + seconds(l.Clock) + "+" + seconds(l.Increment)
}

// Exact reports whether a player without chance searches the same under the limit
// on every machine, however busy.
func (l Limit) Exact() bool { return l.Nodes > 0 || l.Depth > 0 }

// A Player is asked for moves. It is used by one goroutine for many games, in any
// seat; nothing it keeps from one game may change the next.
type Player interface {
	// Begin tells of a new game. An error means that no game can be played at all:
	// a program that cannot be started.
	Begin(v *View) error
	// Move is asked for in the position v.Line.Now(), which has legal moves.
	Move(v *View) Reply
	// End tells that the game is over, also where a fault has ended it.
	End(v *View)
}

// Reply is what a player answers.
type Reply struct {
	Move Move
	// Fault is why there is no move: Crashed, Stalled, OutOfTime or Garbled. A move
	// that is not legal is found by the referee.
	Fault Ending
	// Said is the player's own text about its fault, for people.
	Said string
	// Score is the player's evaluation for its own side, in hundredths of a pawn; it counts
	// only if Scored. A mate in n moves is Mate-n, being mated n-Mate.
	Score  int
	Scored bool
	Depth  int   // plies searched, 0 where nothing is said
	Nodes  int64 // nodes searched, 0 where nothing is said
	// Spent is the time that the move took, milliseconds; it counts only where the
	// limit has a clock.
	Spent int64
}

// Mate is above every score that is not one of a mate.
const Mate = 100000

// View is what a player sees: everything, since chess hides nothing.
type View struct {
	Line  *Line
	Side  Color // the player's
	Limit Limit
	// Clock is the time left to each side, milliseconds, where the limit has one.
	Clock [2]int64
	// Chance is the seat's stream.
	Chance *arena.Stream
}
