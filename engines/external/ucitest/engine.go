//go:build unix

// Package ucitest is a small chess engine for tests, which a test's own program
// becomes where a variable of its environment says so. It looks one ply ahead by
// material, and errs the more the further its option Sense lies from a secret
// value, always in the same way in the same position. It makes faults on demand.
//
//	func TestMain(m *testing.M) {
//		ucitest.Become()
//		os.Exit(m.Run())
//	}
//
//	entry := external.Entry{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As("", 0)}
package ucitest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sakusen/engines/chess"
)

// variable says that the process is an engine: "EVERY FAULT".
const variable = "SAKUSEN_TEST_UCI"

// As returns the environment of an engine that makes a fault, one of Faults or none, in
// every so manieth move.
func As(fault string, every int) []string {
	return []string{fmt.Sprintf("%s=%d %s", variable, every, fault)}
}

// Become makes this process an engine until its input ends, where As asked for it.
func Become() {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	every, fault, _ := strings.Cut(text, " ")
	n, _ := strconv.Atoi(every)
	(&engine{fault: fault, every: n, out: os.Stdout, sense: Default}).run(os.Stdin)
	os.Exit(0)
}

// Best and Default are the values of Sense at which the engine plays best, and that
// it has where it is not set.
const Best, Default = 62, 15

// engine is a running engine.
type engine struct {
	out   io.Writer
	fault string
	every int
	moves int
	sense int
	at    chess.Position
}

func (e *engine) say(format string, args ...any) { fmt.Fprintf(e.out, format+"\n", args...) }

func (e *engine) run(r io.Reader) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	if e.fault == "dies at once" {
		os.Exit(3)
	}
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "uci":
			e.hello()
		case "setoption":
			if words[2] == "Sense" {
				e.sense, _ = strconv.Atoi(words[4])
				if e.sense == 100 && e.fault == "dies at the end of a range" {
					os.Exit(3)
				}
			}
		case "isready":
			if e.fault == "deaf at isready" {
				time.Sleep(time.Hour)
			}
			e.say("readyok")
		case "position":
			e.position(words)
		case "go":
			if e.think(words) {
				continue
			}
			if e.moves++; e.every == 0 || e.moves%e.every != 0 || !e.err(in) {
				e.say("info depth 1 score cp %d nodes %d", e.material(e.at), e.moves)
				e.say("bestmove %s", e.choose())
			}
		case "quit":
			return
		}
	}
}

// Paced returns the environment of an engine that takes its time by the clock, and searches
// UsualPace nodes a millisecond, or as many as Pace says in the environment of what starts it.
func Paced() []string { return As("paced", 0) }

// UsualPace is the speed of a paced engine, nodes a millisecond.
const UsualPace = 100

const pace = "SAKUSEN_TEST_PACE"

// Pace returns the environment of a machine on which paced engines have a speed.
func Pace(nodes int) string { return fmt.Sprintf("%s=%d", pace, nodes) }

// think answers after a time, where the engine is paced.
func (e *engine) think(words []string) bool {
	if e.fault != "paced" {
		return false
	}
	rate, err := strconv.Atoi(os.Getenv(pace))
	if err != nil {
		rate = UsualPace
	}
	said := map[string]int{}
	for i := 1; i+1 < len(words); i += 2 {
		said[words[i]], _ = strconv.Atoi(words[i+1])
	}
	ms := said["movetime"]
	side := [2]string{"w", "b"}[e.at.Turn()]
	if left, clock := said[side+"time"]; clock {
		ms = max(0, min(left/40+said[side+"inc"]/2, left-20))
	}
	time.Sleep(time.Duration(ms) * time.Millisecond)
	e.say("info depth 1 score cp %d nodes %d", e.material(e.at), max(1, rate*ms))
	e.say("bestmove %s", e.choose())
	return true
}

func (e *engine) hello() {
	switch e.fault {
	case "deaf at uci":
		time.Sleep(time.Hour)
	case "lies in its options":
		e.say("option name Sense type spin default 500 min 0 max 100")
	}
	e.say("id name Toy")
	e.say("id author Sakusen's tests")
	e.say("option name Sense type spin default %d min 0 max 100", Default)
	e.say("option name Contempt (Middle Game) type spin default 0 min -50 max 50")
	e.say("option name Hash type spin default 1 min 1 max 64")
	e.say("option name Threads type spin default 2 min 1 max 8")
	e.say("uciok")
}

func (e *engine) position(words []string) {
	e.at = chess.Start()
	at := 2
	if words[1] == "fen" {
		e.at, _ = chess.ParseFEN(strings.Join(words[2:8], " "))
		at = 8
	}
	for _, text := range words[min(at+1, len(words)):] {
		m, _ := chess.ParseMove(text)
		e.at.Do(m)
	}
}

// worth is what pieces are worth.
var worth = [...]int{chess.Pawn: 100, chess.Knight: 300, chess.Bishop: 310, chess.Rook: 500, chess.Queen: 900, chess.King: 0}

// material returns how far the side to move is ahead.
func (e *engine) material(p chess.Position) int {
	v := 0
	for k := chess.Pawn; k <= chess.Queen; k++ {
		v += worth[k] * (p.Squares(p.Turn(), k).Len() - p.Squares(1-p.Turn(), k).Len())
	}
	return v
}

// choose returns the move after which the opponent is worst, as far as Sense sees it.
func (e *engine) choose() chess.Move {
	away := e.sense - Best
	var best chess.Move
	most := -1 << 30
	for i, m := range e.at.Legal(nil) {
		next := e.at
		next.Do(m)
		mix := (next.Key() ^ uint64(i)) * 0x9E3779B97F4A7C15
		v := -e.material(next)*16 + int(mix>>58)
		if int((mix>>32)%100)*away*away/100 > 1000 { // it does not look there
			v = int(mix >> 54)
		}
		if v > most {
			best, most = m, v
		}
	}
	return best
}

// err makes the fault; false where it is none of a move.
func (e *engine) err(in *bufio.Scanner) bool {
	switch e.fault {
	case "exits":
		os.Exit(1)
	case "panics":
		panic("as asked")
	case "is killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "illegal move":
		e.say("bestmove a1h8")
	case "null move":
		e.say("bestmove 0000")
	case "garbage":
		e.say("\x00\xff bestmove\nbestmove ¿?")
	case "stops only when told":
		for in.Scan() && in.Text() != "stop" {
		}
		e.say("bestmove %s", e.choose())
	case "deaf":
		time.Sleep(time.Hour)
	case "long line":
		e.say("info string %s", strings.Repeat("x", 2<<20))
		e.say("bestmove %s", e.choose())
	case "floods":
		for {
			e.say("info depth 1 score cp 0")
		}
	case "eats memory":
		ballast := make([]byte, 512<<20)
		for i := 0; i < len(ballast); i += 4096 {
			ballast[i] = 1
		}
		time.Sleep(time.Hour)
		e.say("%d", ballast[len(ballast)/2])
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "leaves a child":
		c := exec.Command("sleep", "1000")
		c.Stdout = os.Stdout
		c.Start()
		os.Exit(1)
	default:
		return false
	}
	return true
}
