package daifugo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/daifugo"
)

// Scene draws Daifugo: all players' cards, the table, and for every player the ranks that
// are still possible, searched as `sakusen paper analyse daifugo` does. Films are made of
// it (engines/arena/film).

// Scene returns how the game is shown.
func Scene() film.Scene {
	// With this seed the ranks stay open for long.
	return film.Scene{Draw: newCards, Measure: fmt.Sprintf("chance to be out first, by %d games played on at random", playouts), Entrants: []string{"rankset", "greedy-out", "lowest-first", "random"}, Seed: "21"}
}

// nodeLimit bounds the search for possible ranks before each move, in nodes: a
// fraction of a second.
const nodeLimit = 200_000

// sceneCards draws a game of Daifugo: all hands, the table, who has passed, and the
// ranks that each player can still come to when all play as well as they can.
type sceneCards struct {
	names  []string
	emit   film.Emit
	limit  uint64 // nodes for one position
	rules  daifugo.Rules
	passed []bool // since the last card was played
}

func newCards(rs *arena.Ruleset, seats []string, emit film.Emit) (film.Drawer, error) {
	return &sceneCards{names: seats, emit: emit, limit: nodeLimit, passed: make([]bool, rs.Seats)}, nil
}

// See implements film.Drawer.
func (c *sceneCards) See(event any) error {
	switch e := event.(type) {
	case daifugo.Dealt:
		c.rules = e.Position.Rules()
		return c.frame(film.Nobody, fmt.Sprintf("The hands are dealt; %s leads.", c.names[e.Position.Turn()]), &e.Position)
	case daifugo.Played:
		return c.frame(e.Seat, c.played(&e), &e.Position)
	}
	return nil
}

// played writes a move and notes who has passed.
func (c *sceneCards) played(e *daifugo.Played) string {
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

func (c *sceneCards) frame(seat int, text string, p *daifugo.Position) error {
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
	value   Value
	options []option // of the mover, the better first
}

// option is a move and the ranks it leaves its mover.
type option struct {
	move  daifugo.Move
	ranks set
	best  bool // no other is clearly better
}

// search finds the possible ranks, unless that takes too many nodes.
func (c *sceneCards) search(p *daifugo.Position) prospect {
	a := analyse(*p, c.limit)
	if a.Over {
		return prospect{}
	}
	out := prospect{known: true, value: a.Value}
	for i, m := range a.Moves {
		out.options = append(out.options, option{m, a.Values[i].at(p.Turn(), c.rules.Ranks), slices.Contains(a.Best, m)})
	}
	slices.SortStableFunc(out.options, func(x, y option) int {
		if x.best != y.best {
			if x.best {
				return -1
			}
			return 1
		}
		if d := x.ranks.worst() - y.ranks.worst(); d != 0 {
			return d
		}
		return x.ranks.best() - y.ranks.best()
	})
	return out
}

// playouts is the number of games that are played on at random from each position.
const playouts = 200

// chances returns the shares of games played on at random in which each seat is the first
// to be out. The standard error of a share is at most 0.035. The same position always has
// the same ones.
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

const (
	cardWide, cardHigh = 9.0, 12.0
	rankSide           = 7.0
	seatHigh           = 24.0 // a seat's name and its hand
)

// draw draws a position: a row for each seat, the table, the mover's options.
func (c *sceneCards) draw(p *daifugo.Position) string {
	hope := c.search(p)
	seats := c.rules.Seats
	hands := (cardWide + 2) * float64(c.rules.Cards)
	width := max(hands+8+(rankSide+1)*float64(c.rules.Ranks), 110)
	s := film.NewSketch("daifugo", c.label(p), width+2, 16+seatHigh*float64(seats)+20+(rankSide+4)*float64(max(1, len(hope.options))))
	s.Text("heading", 0, 6, c.onTable(p))
	if p.Table() != 0 {
		c.card(s, "card table", fmt.Sprintf("on the table: %d", p.Table()), width-cardWide, 0, strconv.Itoa(p.Table()))
	}
	for seat := range seats {
		c.seat(s, p, seat, hope, 16+seatHigh*float64(seat), hands, width)
	}
	c.options(s, p, hope, 16+seatHigh*float64(seats))
	return s.String()
}

// label describes in words what is to be seen.
func (c *sceneCards) label(p *daifugo.Position) string {
	var hands []string
	for seat, name := range c.names {
		hands = append(hands, name+" "+c.state(p, seat))
	}
	return c.onTable(p) + ". " + strings.Join(hands, ". ")
}

func (c *sceneCards) onTable(p *daifugo.Position) string {
	switch {
	case p.Over():
		return "The game is over"
	case p.Table() == 0:
		return "The table is empty"
	}
	return fmt.Sprintf("On the table: %d, from %s", p.Table(), film.Clip(c.names[p.Last()], 20))
}

// state returns what a seat is doing.
func (c *sceneCards) state(p *daifugo.Position, seat int) string {
	switch {
	case p.Hand(seat) == 0:
		return fmt.Sprintf("is out with rank %d", p.Rank(seat))
	case p.Over():
		return fmt.Sprintf("has rank %d", p.Rank(seat))
	case p.Turn() == seat:
		return "is to move"
	case c.passed[seat]:
		return "has passed"
	case p.Last() == seat && p.Table() != 0:
		return "played last"
	}
	return "waits"
}

// seat draws one seat: name and state, the hand, the possible ranks.
func (c *sceneCards) seat(s *film.Sketch, p *daifugo.Position, seat int, hope prospect, y, hands, width float64) {
	if p.Turn() == seat {
		s.Rect("turn", "", 0, y-1, width+1, seatHigh-1)
	}
	s.Text("name", 1, y+6, film.Clip(c.names[seat], 24)+" "+c.state(p, seat))
	for kind := 1; kind <= c.rules.Cards; kind++ {
		x := 1 + (cardWide+2)*float64(kind-1)
		if p.Hand(seat).Has(kind) {
			c.card(s, "card", fmt.Sprintf("%s holds %d", c.names[seat], kind), x, y+9, strconv.Itoa(kind))
		} else {
			s.Rect("card none", "", x, y+9, cardWide, cardHigh)
		}
	}
	possible, said := set(0), "not searched"
	if rank := p.Rank(seat); rank != 0 {
		possible, said = 1<<(rank-1), fmt.Sprintf("has rank %d", rank)
	} else if hope.known {
		possible = hope.value.at(seat, c.rules.Ranks)
		said = "can come to rank " + rankList(possible)
	}
	s.Group("", c.names[seat]+" "+said, func() { c.ranks(s, possible, hands+8, y+11) })
}

// card draws one card.
func (c *sceneCards) card(s *film.Sketch, class, title string, x, y float64, word string) {
	s.Group("", title, func() {
		s.Rect(class, "", x, y, cardWide, cardHigh)
		s.Text("face middle", x+cardWide/2, y+8, word)
	})
}

// ranks draws a set of ranks.
func (c *sceneCards) ranks(s *film.Sketch, possible set, x, y float64) {
	for rank := 1; rank <= c.rules.Ranks; rank++ {
		class := "rank"
		if possible>>(rank-1)&1 != 0 {
			class = "rank possible"
		}
		s.Rect(class, "", x, y, rankSide, rankSide)
		s.Text(class+" middle", x+rankSide/2, y+5.2, strconv.Itoa(rank))
		x += rankSide + 1
	}
}

// options lists the mover's moves, the better first.
func (c *sceneCards) options(s *film.Sketch, p *daifugo.Position, hope prospect, y float64) {
	switch {
	case p.Over():
		s.Text("note", 0, y+6, "Everybody has a rank.")
		return
	case !hope.known:
		s.Text("note", 0, y+6, fmt.Sprintf("Possible ranks: not searched within %s nodes.", film.Grouped(fmt.Sprint(c.limit))))
		return
	}
	mover := c.names[p.Turn()]
	s.Text("note", 0, y+6, "Ranks by move; no move is clearly better than *")
	for i, o := range hope.options {
		at := y + 12 + (rankSide+4)*float64(i)
		word := "pass"
		if o.move != daifugo.Pass {
			word = "play " + o.move.String()
		}
		title := fmt.Sprintf("%s: %s can come to rank %s", word, mover, rankList(o.ranks))
		if o.best {
			title += ", and no move is clearly better"
			word = "* " + word
		}
		s.Group("", title, func() {
			s.Text("option", 1, at+5.2, word)
			c.ranks(s, o.ranks, 30, at)
		})
	}
}

// rankList returns a set of ranks in words.
func rankList(ranks set) string {
	var all []string
	for _, r := range ranks.ranks() {
		all = append(all, strconv.Itoa(r))
	}
	return strings.Join(all, ", ")
}
