package scene

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena/film"
	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/ranking"
)

const (
	cardWide, cardHigh = 9.0, 12.0
	rankSide           = 7.0
	seatHigh           = 24.0 // a seat's name and its hand
)

// draw draws a position: a row for each seat, the table, the mover's options.
func (c *cards) draw(p *daifugo.Position) string {
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

// label says in words what is to be seen.
func (c *cards) label(p *daifugo.Position) string {
	var hands []string
	for seat, name := range c.names {
		hands = append(hands, name+" "+c.state(p, seat))
	}
	return c.onTable(p) + ". " + strings.Join(hands, ". ")
}

func (c *cards) onTable(p *daifugo.Position) string {
	switch {
	case p.Over():
		return "The game is over"
	case p.Table() == 0:
		return "The table is empty"
	}
	return fmt.Sprintf("On the table: %d, from %s", p.Table(), film.Clip(c.names[p.Last()], 20))
}

// state is what a seat is doing.
func (c *cards) state(p *daifugo.Position, seat int) string {
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
func (c *cards) seat(s *film.Sketch, p *daifugo.Position, seat int, hope prospect, y, hands, width float64) {
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
	possible, said := ranking.Set(0), "not searched"
	if rank := p.Rank(seat); rank != 0 {
		possible, said = 1<<(rank-1), fmt.Sprintf("has rank %d", rank)
	} else if hope.known {
		possible = hope.value.At(seat, c.rules.Ranks)
		said = "can come to rank " + rankList(possible)
	}
	s.Group("", c.names[seat]+" "+said, func() { c.ranks(s, possible, hands+8, y+11) })
}

// card draws one card.
func (c *cards) card(s *film.Sketch, class, title string, x, y float64, word string) {
	s.Group("", title, func() {
		s.Rect(class, "", x, y, cardWide, cardHigh)
		s.Text("face middle", x+cardWide/2, y+8, word)
	})
}

// ranks draws a set of ranks.
func (c *cards) ranks(s *film.Sketch, possible ranking.Set, x, y float64) {
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
func (c *cards) options(s *film.Sketch, p *daifugo.Position, hope prospect, y float64) {
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

// rankList is a set of ranks in words.
func rankList(ranks ranking.Set) string {
	var all []string
	for _, r := range ranks.Ranks() {
		all = append(all, strconv.Itoa(r))
	}
	return strings.Join(all, ", ")
}
