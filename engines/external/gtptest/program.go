// Package gtptest is a small program for tests that speaks GTP, which a test's own
// program becomes where a variable of its environment says so. Nothing is ever
// captured on its board, and each point is worth what a hash says; the higher its
// level, the more points it looks at before it chooses.
package gtptest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"sakusen/engines/arena"
)

// variable says that the process is such a program: the fault that it makes.
const variable = "SAKUSEN_TEST_GTP"

// The faults: an illegal move, the score of the other side, no answer, an end, a move
// by chance.
const (
	Sound    = "sound"
	Occupied = "occupied"
	Liar     = "liar"
	Dies     = "dies"
	Garbles  = "garbles"
	Chance   = "chance"
)

// As returns the environment of a program that makes a fault.
func As(fault string) []string { return []string{variable + "=" + fault} }

// Become makes this process a program where As asked for it. Its level is its last
// argument.
func Become() {
	fault, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	p := &program{fault: fault, level: 1}
	if n, err := strconv.Atoi(os.Args[len(os.Args)-1]); err == nil {
		p.level = n
	}
	p.run(os.Stdin, os.Stdout)
	os.Exit(0)
}

// program is a running program.
type program struct {
	fault string
	level int
	size  int
	komi  float64
	board map[string]int // 1 is Black's
	moves int
	key   uint64
}

func (p *program) run(in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		words := strings.Fields(strings.ToUpper(lines.Text()))
		if len(words) == 0 {
			continue
		}
		text, ok := p.answer(words)
		mark := map[bool]string{true: "=", false: "?"}[ok]
		if p.fault == Garbles && words[0] == "GENMOVE" && p.moves > 22 {
			mark = "moves"
		}
		fmt.Fprintf(out, "%s %s\n\n", mark, text)
		if words[0] == "QUIT" {
			return
		}
	}
}

func (p *program) answer(words []string) (string, bool) {
	switch words[0] {
	case "PROTOCOL_VERSION":
		return "2", true
	case "NAME":
		return "Test", true
	case "VERSION":
		return "1", true
	case "LIST_COMMANDS":
		return "boardsize\nkomi\nclear_board\nplay\ngenmove\nfinal_score\nlevel\nquit", true
	case "BOARDSIZE":
		p.size, _ = strconv.Atoi(words[1])
	case "KOMI":
		p.komi, _ = strconv.ParseFloat(words[1], 64)
	case "LEVEL":
		p.level, _ = strconv.Atoi(words[1])
	case "CLEAR_BOARD":
		p.board, p.moves, p.key = map[string]int{}, 0, 1
	case "PLAY":
		if !p.put(words[1], words[2]) {
			return "illegal move", false
		}
	case "GENMOVE":
		move := p.choose()
		p.put(words[1], move)
		return move, true
	case "FINAL_SCORE":
		return p.score(), true
	case "QUIT":
	default:
		return "unknown command", false
	}
	return "", true
}

// put makes a move.
func (p *program) put(color, move string) bool {
	if _, taken := p.board[move]; taken {
		return false
	}
	for _, c := range move {
		p.key = p.key*31 + uint64(c)
	}
	p.moves++
	if move != "PASS" {
		p.board[move] = map[bool]int{true: 1, false: 2}[color[0] == 'B']
	}
	return true
}

// worth returns what a point is worth.
func worth(point string) int {
	h := uint64(17)
	for _, c := range point {
		h = h*1099511628211 + uint64(c)
	}
	s := arena.NewStream(h, 0)
	return s.IntN(20)
}

// choose returns the best of as many points as the level says; it passes when a third of
// the board is taken.
func (p *program) choose() string {
	if p.fault == Dies && p.moves > 22 {
		os.Exit(3)
	}
	if len(p.board)*3 > p.size*p.size {
		return "PASS"
	}
	key := p.key
	if p.fault == Chance {
		key += uint64(os.Getpid())
	}
	s := arena.NewStream(key, 1)
	best := ""
	for looked := 0; looked < p.level; {
		point := fmt.Sprintf("%c%d", "ABCDEFGHJKLMNOPQRSTUVWXYZ"[s.IntN(p.size)], 1+s.IntN(p.size))
		_, taken := p.board[point]
		if taken && p.fault == Occupied {
			return point
		}
		if taken {
			continue
		}
		looked++
		if best == "" || worth(point) > worth(best) {
			best = point
		}
	}
	return best
}

// score returns the sum of all points taken.
func (p *program) score() string {
	margin := -p.komi
	for point, color := range p.board {
		margin += float64(worth(point)) * float64(3-2*color)
	}
	winner := "B"
	if margin < 0 {
		winner, margin = "W", -margin
	}
	if p.fault == Liar {
		winner = "BW"[len("W")-strings.Index("BW", winner):][:1]
	}
	return fmt.Sprintf("%s+%g", winner, margin)
}
