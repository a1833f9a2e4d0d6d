package scene

import (
	"fmt"
	"html"
	"strings"

	"sakusen/engines/lifeboats"
)

// Columns of the table of players.
const (
	nameAt  = 34
	savedAt = 206
	seaAt   = 250
	lostAt  = 294
	voteAt  = 322
)

// hat is the start player's, who breaks ties.
const hat = "M-8-1q-5-8 8-9q13 1 8 9zM-8 1h16q1 6-8 5q-9 1-8-5z"

// drawTable draws a line for each player: crew saved, afloat and lost, the vote
// or the result.
func (s *lifeboatsScene) drawTable(b *strings.Builder) {
	last := "vote"
	switch {
	case s.ended != nil:
		last = "share of the win"
	case s.vote == nil:
		last = ""
	case s.vote.Position.Phase == lifeboats.Expel:
		last = "votes to put off"
	}
	for _, h := range []struct {
		x     int
		words string
	}{{savedAt, "saved"}, {seaAt, "at sea"}, {lostAt, "lost"}} {
		fmt.Fprintf(b, `<text class="lb-axis" x="%d" y="14">%s</text>`, h.x, h.words)
	}
	fmt.Fprintf(b, `<text class="lb-axis lb-left" x="%d" y="14">%s</text>`, voteAt, last)
	for q := range s.p.Players {
		fmt.Fprintf(b, `<g transform="translate(0 %d)">`, 20+q*tableRow)
		s.drawPlayer(b, q)
		b.WriteString("</g>")
	}
}

func (s *lifeboatsScene) drawPlayer(b *strings.Builder, q int) {
	class := "lb-row"
	expelled := s.vote != nil && s.vote.Position.Phase == lifeboats.Expel && s.vote.Winner == q
	if expelled || s.ended != nil && s.ended.Scores[q] > 0 {
		class += " lb-won"
	}
	fmt.Fprintf(b, `<rect class="%s" x="1" y="1" width="%d" height="%d" rx="5"/>`, class, seaWidth-2, tableRow-2)
	drawCrew(b, q, "", 16, tableRow/2, 1)
	x := nameAt
	if s.captain == q {
		fmt.Fprintf(b, `<path class="lb-hat" transform="translate(%d 14)" d="%s"><title>start player</title></path>`, nameAt+9, hat)
		x += 24
	}
	name := []rune(s.names[q])
	if most := (savedAt - 22 - x) / 8; len(name) > most {
		name = append(name[:most-1], '…')
	}
	fmt.Fprintf(b, `<text class="lb-name" x="%d" y="18">%s</text>`, x, html.EscapeString(string(name)))
	atSea := s.p.At[1][q] + s.p.At[2][q] + s.p.At[3][q]
	for _, n := range []struct {
		x     int
		class string
		count float64
	}{{savedAt, " lb-saved", s.p.Saved[q]}, {seaAt, "", atSea}, {lostAt, " lb-lost", lifeboats.Crew - s.p.Saved[q] - atSea}} {
		fmt.Fprintf(b, `<text class="lb-count%s" x="%d" y="18">%g</text>`, n.class, n.x, n.count)
	}
	s.drawVote(b, q)
}

// drawVote draws what a player voted for, who voted to put its crew off, or
// what it won.
func (s *lifeboatsScene) drawVote(b *strings.Builder, q int) {
	switch v := s.vote; {
	case s.ended != nil:
		share := "nothing"
		switch won := s.ended.Scores[q]; {
		case s.ended.Fault == q:
			share = "broke the rules"
		case won == s.ended.Scale:
			share = "wins"
		case won > 0:
			share = fmt.Sprintf("1/%d of the win", s.ended.Scale/won)
		}
		fmt.Fprintf(b, `<text class="lb-name" x="%d" y="18">%s</text>`, voteAt, share)
	case v == nil:
	case v.Position.Phase != lifeboats.Expel:
		fmt.Fprintf(b, `<text class="lb-name" x="%d" y="18">boat %d</text>`, voteAt, v.Choice[q])
	case !v.Position.Options().Has(q):
		fmt.Fprintf(b, `<text class="lb-note" x="%d" y="18">not aboard</text>`, voteAt)
	default:
		x := voteAt + 8 // at most six votes are cast: three pairs or six single ones fit
		for seat := range s.p.Players {
			if int(v.Choice[seat]) != q {
				continue
			}
			drawCrew(b, seat, "", float64(x), tableRow/2, 0.85)
			if v.Weight[seat] > 1 {
				fmt.Fprintf(b, `<text class="lb-times" x="%d" y="18">×%d</text>`, x+9, v.Weight[seat])
				x += 21
			}
			x += 22
		}
		if x == voteAt+8 {
			fmt.Fprintf(b, `<text class="lb-note" x="%d" y="18">no vote</text>`, voteAt)
		}
	}
}
