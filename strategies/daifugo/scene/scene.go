// Package scene draws Daifugo: everybody's cards, the table, and for every player
// the ranks that are still possible, searched as `sakusen analyse daifugo` does.
// The catalogue hands its Scene to whoever makes films (engines/arena/film).
package scene

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/ranking"
)

// Scene is how the game is shown.
func Scene() film.Scene {
	// With this seed the ranks stay open for long.
	return film.Scene{Draw: newCards, Measure: fmt.Sprintf("chance to be out first, by %d games played on at random", playouts), Entrants: []string{"rankset", "greedy-out", "lowest-first", "random"}, Seed: "21"}
}

// nodeLimit bounds the search for possible ranks before each move, in nodes: a
// fraction of a second.
const nodeLimit = 200_000

// cards draws a game of Daifugo: all hands, the table, who has passed, and the
// ranks that each player can still come to when all play as well as they can.
type cards struct {
	names  []string
	emit   film.Emit
	limit  uint64 // nodes for one position
	rules  daifugo.Rules
	passed []bool // since the last card was played
}

func newCards(rs *arena.Ruleset, seats []string, emit film.Emit) (film.Drawer, error) {
	return &cards{names: seats, emit: emit, limit: nodeLimit, passed: make([]bool, rs.Seats)}, nil
}

// See implements film.Drawer.
func (c *cards) See(event any) error {
	switch e := event.(type) {
	case daifugo.Dealt:
		c.rules = e.Position.Rules()
		return c.frame(film.Nobody, fmt.Sprintf("The hands are dealt; %s leads.", c.names[e.Position.Turn()]), &e.Position)
	case daifugo.Played:
		return c.frame(e.Seat, c.played(&e), &e.Position)
	}
	return nil
}

// played tells a move and notes who has passed.
func (c *cards) played(e *daifugo.Played) string {
	name, p := c.names[e.Seat], &e.Position
	if e.Illegal {
		return fmt.Sprintf("%s plays %v, which is illegal, and loses.", name, e.Move)
	}
	text := name + " passes"
	if e.Move == daifugo.Pass {
		c.passed[e.Seat] = true
	} else {
		clear(c.passed)
		text = fmt.Sprintf("%s plays %v", name, e.Move)
	}
	if p.Hand(e.Seat) == 0 {
		text += fmt.Sprintf(" and is out, rank %d", p.Rank(e.Seat))
	}
	switch {
	case p.Over():
		var left []string
		for seat, name := range c.names {
			if p.Hand(seat) != 0 {
				left = append(left, fmt.Sprintf("%s is left with cards, rank %d", name, p.Rank(seat)))
			}
		}
		text += "; " + strings.Join(left, ", ")
	case p.Table() == 0:
		clear(c.passed)
		text += fmt.Sprintf("; the table clears, %s leads", c.names[p.Turn()])
	}
	return text + "."
}

func (c *cards) frame(seat int, text string, p *daifugo.Position) error {
	f := film.Frame{Seat: seat, Text: text, SVG: c.draw(p)}
	if seat != film.Nobody && p.Hand(seat) == 0 {
		f.Mark = "out"
	}
	f.Standing = chances(*p, len(c.names))
	return c.emit(f)
}

// prospect is what best play from a position can come to.
type prospect struct {
	known   bool
	value   ranking.Value
	options []option // of the mover, the better first
}

// option is a move and the ranks it leaves its mover.
type option struct {
	move  daifugo.Move
	ranks ranking.Set
	best  bool // no other is clearly better
}

// search finds the possible ranks, unless that takes too many nodes.
func (c *cards) search(p *daifugo.Position) prospect {
	a := ranking.Analyse(*p, c.limit)
	if a.Over {
		return prospect{}
	}
	out := prospect{known: true, value: a.Value}
	for i, m := range a.Moves {
		out.options = append(out.options, option{m, a.Values[i].At(p.Turn(), c.rules.Ranks), slices.Contains(a.Best, m)})
	}
	slices.SortStableFunc(out.options, func(x, y option) int {
		if x.best != y.best {
			if x.best {
				return -1
			}
			return 1
		}
		if d := x.ranks.Worst() - y.ranks.Worst(); d != 0 {
			return d
		}
		return x.ranks.Best() - y.ranks.Best()
	})
	return out
}

// playouts is the number of games that are played on at random from each position.
const playouts = 200

// chances are the shares of games played on at random in which each seat is the first to
// be out. The standard error of a share is at most 0.035. The same position always has the
// same ones.
func chances(p daifugo.Position, seats int) []float64 {
	out := make([]float64, seats)
	draw := arena.NewStream(p.Key(), 0)
	var moves []daifugo.Move
	for range playouts {
		q := p
		for !q.Over() && q.Out() == 0 { // who is out first has won
			moves = q.Moves(moves[:0])
			q.Play(moves[draw.IntN(len(moves))])
		}
		for seat := range out {
			if q.Rank(seat) == 1 {
				out[seat] += 1.0 / playouts
			}
		}
	}
	for seat := range out {
		out[seat] = min(1, out[seat])
	}
	return out
}
