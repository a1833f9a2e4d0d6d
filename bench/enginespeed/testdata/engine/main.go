// A small engine that speaks UCI: alpha and beta over material and where pieces
// stand. Flags make it slower or weaker, or let it do what engines do wrong.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"sakusen/engines/chess"
)

var (
	slow   = flag.Int("slow", 1, "how often each position is valued")
	weak   = flag.Bool("weak", false, "a queen is worth less than a pawn")
	deaf   = flag.Bool("deaf", false, "search on until stop, whatever the nodes")
	silent = flag.Bool("silent", false, "tell no nodes")
	dies   = flag.Int("dies", 0, "end at this search; 0 never")
)

// search is one that is under way.
type search struct {
	nodes, most int64
	best        chess.Move
	stopped     bool
}

var searches, sink int

func main() {
	flag.Parse()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	var position chess.Position
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "uci":
			fmt.Println("id name Small\nid author nobody\noption name Unused type spin default 1 min 0 max 9\nuciok")
		case "isready":
			fmt.Println("readyok")
		case "position":
			position = read(words[1:])
		case "go":
			if searches++; searches == *dies {
				os.Exit(3)
			}
			s := search{most: number(words, "nodes", 1<<40)}
			depth := number(words, "depth", 64)
			if *deaf && depth == 64 {
				for in.Scan() && in.Text() != "stop" {
				}
				s.most = 100
			}
			s.run(position, int(depth))
		case "quit":
			return
		}
	}
}

func number(words []string, name string, other int64) int64 {
	for i := range len(words) - 1 {
		if words[i] == name {
			n, _ := strconv.ParseInt(words[i+1], 10, 64)
			return n
		}
	}
	return other
}

// read is the position of a line.
func read(words []string) chess.Position {
	p := chess.Start()
	moves := words[1:]
	if words[0] == "fen" {
		p, _ = chess.ParseFEN(strings.Join(words[1:7], " "))
		moves = words[7:]
	}
	for _, text := range moves {
		if m, ok := chess.ParseMove(text); ok {
			p.Do(m)
		}
	}
	return p
}

// run deepens until the nodes or the plies are over.
func (s *search) run(p chess.Position, depth int) {
	var buffer [256]chess.Move
	best := p.Legal(buffer[:0])[0]
	for d := 1; d <= depth; d++ {
		s.best = best
		score := s.value(&p, d, true, -1<<20, 1<<20)
		if s.stopped {
			break
		}
		best = s.best
		if *silent {
			fmt.Printf("info depth %d score cp %d\n", d, score)
		} else {
			fmt.Printf("info depth %d score cp %d nodes %d\n", d, score, s.nodes)
		}
	}
	if !*silent {
		fmt.Printf("info nodes %d\n", s.nodes)
	}
	fmt.Println("bestmove", best)
}

func (s *search) value(p *chess.Position, depth int, root bool, alpha, beta int) int {
	if s.nodes++; s.nodes >= s.most {
		s.stopped = true
		return 0
	}
	var buffer [256]chess.Move
	legal := p.Legal(buffer[:0])
	if len(legal) == 0 {
		if p.Check() {
			return -10000 - depth
		}
		return 0
	}
	if depth == 0 {
		v := 0
		for range *slow {
			v = material(p)
			sink += v
		}
		return v
	}
	for _, m := range legal {
		next := *p
		next.Do(m)
		v := -s.value(&next, depth-1, false, -beta, -alpha)
		if s.stopped {
			return 0
		}
		if v > alpha {
			alpha = v
			if root {
				s.best = m
			}
		}
		if alpha >= beta {
			break
		}
	}
	return alpha
}

// material is what the side to move has more, with a little for the middle.
func material(p *chess.Position) int {
	queen := 900
	if *weak {
		queen = -50
	}
	v := 0
	for square := range chess.Square(64) {
		c, k := p.Piece(square)
		worth := [...]int{chess.None: 0, chess.Pawn: 100, chess.Knight: 300, chess.Bishop: 310, chess.Rook: 500, chess.Queen: queen, chess.King: 0}[k]
		if k != chess.None {
			file, rank := int(square%8), int(square/8)
			worth += min(file, 7-file) + min(rank, 7-rank)
		}
		if c != p.Turn() {
			worth = -worth
		}
		v += worth
	}
	return v
}
