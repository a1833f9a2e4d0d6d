// Command smallengine is a small chess engine that speaks UCI, for docs/fleet.md: alpha-beta over
// an evaluation whose weights are options, so that there is something to tune and to patch.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// search is one search.
type search struct {
	nodes, most int64
	until       time.Time // zero for none
	over        bool
	seen        []board // of the game
}

func (s *search) count() {
	s.nodes++
	if s.most > 0 && s.nodes >= s.most || s.nodes&255 == 0 && !s.until.IsZero() && time.Now().After(s.until) {
		s.over = true
	}
}

func (s *search) quiet(b *board, alpha, beta int) int {
	if s.count(); s.over {
		return 0
	}
	best := b.evaluate()
	if best >= beta {
		return best
	}
	alpha = max(alpha, best)
	for _, m := range sorted(b, b.moves(true)) {
		n, legal := b.after(m)
		if !legal {
			continue
		}
		best = max(best, -s.quiet(&n, -beta, -alpha))
		if alpha = max(alpha, best); alpha >= beta || s.over {
			break
		}
	}
	return best
}

// sorted puts captures of much by little first.
func sorted(b *board, all []move) []move {
	worth := func(m move) int { return 16*abs(b.at[m.to]) - abs(b.at[m.from]) + 64*m.promoted }
	for i := 1; i < len(all); i++ {
		for j := i; j > 0 && worth(all[j]) > worth(all[j-1]); j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
	return all
}

const mate = 30000

func (s *search) score(b *board, depth, ply, alpha, beta int) int {
	if ply > 0 && (b.fifty >= 100 || s.repeated(b)) {
		return 0
	}
	if depth <= 0 {
		return s.quiet(b, alpha, beta)
	}
	if s.count(); s.over {
		return 0
	}
	s.seen = append(s.seen, *b)
	defer func() { s.seen = s.seen[:len(s.seen)-1] }()
	best := -mate + ply
	played := false
	for _, m := range sorted(b, b.moves(false)) {
		n, legal := b.after(m)
		if !legal {
			continue
		}
		played = true
		best = max(best, -s.score(&n, depth-1, ply+1, -beta, -alpha))
		if alpha = max(alpha, best); alpha >= beta || s.over {
			break
		}
	}
	if !played && !b.attacked(b.kings[index(b.black)], !b.black) {
		return 0
	}
	return best
}

func (s *search) repeated(b *board) bool {
	for i := len(s.seen) - 2; i >= 0 && i >= len(s.seen)-b.fifty; i -= 2 {
		if x := &s.seen[i]; x.at == b.at && x.castles == b.castles && x.black == b.black {
			return true
		}
	}
	return false
}

// best returns the best move of a position.
func (s *search) best(b *board, depth int) (move, bool) {
	var chosen move
	var all []move
	for _, m := range sorted(b, b.moves(false)) {
		if _, legal := b.after(m); legal {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return chosen, false
	}
	chosen = all[0]
	began := time.Now()
	for d := 1; d <= depth && !s.over; d++ {
		alpha, first := -mate, 0
		for i, m := range all {
			n, _ := b.after(m)
			x := -s.score(&n, d-1, 1, -mate, -alpha)
			if s.over && d > 1 {
				break
			}
			if x > alpha {
				alpha, first, chosen = x, i, m
			}
		}
		copy(all[1:first+1], all[:first])
		all[0] = chosen
		if !s.over || d == 1 {
			fmt.Printf("info depth %d score cp %d nodes %d time %d pv %s\n", d, alpha, s.nodes, time.Since(began).Milliseconds(), chosen)
		}
	}
	return chosen, true
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	var b board
	var past []board
	b.fen(start)
	for in.Scan() {
		f := strings.Fields(in.Text())
		if len(f) == 0 {
			continue
		}
		switch f[0] {
		case "uci":
			fmt.Println("id name smallengine\nid author Sakusen")
			for _, name := range names {
				w := weights[name]
				fmt.Printf("option name %s type spin default %d min %d max %d\n", name, w[0], w[1], w[2])
			}
			fmt.Println("uciok")
		case "isready":
			fmt.Println("readyok")
		case "setoption":
			if len(f) >= 5 && weights[f[2]] != nil {
				weights[f[2]][0], _ = strconv.Atoi(f[4])
			}
		case "position":
			past = past[:0]
			at := 2
			if f[1] == "fen" {
				b.fen(strings.Join(f[2:min(8, len(f))], " "))
				at = 8
			} else {
				b.fen(start)
			}
			for _, text := range f[min(at+1, len(f)):] {
				for _, m := range b.moves(false) {
					if m.String() == text {
						past = append(past, b)
						b, _ = b.after(m)
						break
					}
				}
			}
		case "go":
			think(&b, past, f[1:])
		case "quit":
			return
		}
	}
}

// think answers "go".
func think(b *board, past []board, f []string) {
	values := map[string]int{}
	for i := 0; i+1 < len(f); i += 2 {
		values[f[i]], _ = strconv.Atoi(f[i+1])
	}
	s := &search{seen: append([]board(nil), past...), most: int64(values["nodes"])}
	depth := 64
	if values["depth"] > 0 {
		depth = values["depth"]
	}
	clock, more := values["wtime"], values["winc"]
	if b.black {
		clock, more = values["btime"], values["binc"]
	}
	if ms := values["movetime"]; ms > 0 {
		s.until = time.Now().Add(time.Duration(ms-min(ms/10, 20)) * time.Millisecond)
	} else if clock > 0 {
		s.until = time.Now().Add(time.Duration(max(1, min(clock/30+more*3/4, clock-30))) * time.Millisecond)
	}
	if m, ok := s.best(b, depth); ok {
		fmt.Println("bestmove", m)
	} else {
		fmt.Println("bestmove 0000")
	}
}
